"""One hand: the table, its steps, what was legal, its charts."""

from flask import Response, jsonify, render_template, request

from replay.reader import NotFound
from webviewer.asking import answer
from webviewer.charts import by_trick, steppers
from webviewer.encode import finding_texts, hand_json
from webviewer.views.here import pages, reader, words

SCRIPT_WORDS = (
    "announce", "attempted", "before_tricks", "bottom", "bottom_hidden", "called", "can_beat",
    "cards_left", "chart_failed", "chart_label", "chart_none", "chart_table", "checked",
    "code_copied", "colours_four", "colours_two", "copied", "copy_failed", "counter_jokers",
    "counter_none", "counter_ranks", "counter_suit_c", "counter_suit_d", "counter_suit_h",
    "counter_suit_s", "counter_title", "counter_trumps", "event_of", "expected", "finding_here",
    "goal", "hand_of", "hidden_cards", "in_reports", "laid_at", "legal_ask", "legal_before",
    "legal_blocked", "legal_clear", "legal_failed", "legal_hidden", "legal_holding",
    "legal_more", "legal_no", "legal_nobody", "legal_only_pass", "legal_pass", "legal_picked",
    "legal_plays", "legal_sample", "legal_then", "legal_yes", "letters_off", "letters_on",
    "level", "load_failed", "logged", "moved_hidden", "moves", "no_findings_after",
    "no_hand_there", "no_more_turns", "not_opened", "not_verified", "notes_ahead", "notes_all",
    "notes_back", "notes_bad_hand", "notes_bad_id", "notes_bad_mark", "notes_bad_note",
    "notes_bad_step", "notes_bad_text", "notes_bad_time", "notes_bookmark", "notes_broken",
    "notes_broken_n", "notes_more",
    "notes_cancel", "notes_count", "notes_delete", "notes_delete_at", "notes_edit",
    "notes_edit_at", "notes_file_broken", "notes_file_foreign", "notes_file_large",
    "notes_file_version", "notes_full", "notes_here", "notes_kept", "notes_mark_0",
    "notes_mark_1", "notes_mark_2", "notes_mark_3", "notes_mark_4", "notes_mark_5",
    "notes_mark_none", "notes_marked", "notes_new_at", "notes_off", "notes_older",
    "notes_refused", "notes_removed", "notes_save", "notes_saved", "notes_step", "notes_taken",
    "notes_text", "notes_undo", "notes_undone", "notes_unsaved", "of_seat", "only_seen",
    "pause", "play", "points", "proof", "remark", "shows", "sit_here", "spoilers_off",
    "spoilers_on", "team", "to_beat", "trick", "trump", "turn", "turned_up", "won_trick",
)  # fmt: skip
"""The keys `view.js.*` that the hand page's scripts use."""


@pages.get("/hand/<hand_id>")
def hand(hand_id: str) -> str:
    """One hand: the table and everything beside it; the steps come by `steps`."""
    page = reader().hand(hand_id, None)
    js = {key: words().open(f"view.js.{key}") for key in SCRIPT_WORDS}
    return render_template(
        "hand.html", page=page, row=page.row, js=js, texts=finding_texts(page, words())
    )


@pages.get("/hand/<hand_id>/steps.json")
def steps(hand_id: str) -> Response:
    """All steps of one hand as one seat sees them; without `eye` everybody's cards."""
    return jsonify(hand_json(reader().hand(hand_id, asked_eye()), words()))


@pages.get("/hand/<hand_id>/explain.json")
def explain(hand_id: str) -> tuple[Response, int]:
    """What was legal before an event, and what forbids the cards that are asked about."""
    found, status = answer(reader(), hand_id, request, words())
    return jsonify(found), status


@pages.get("/hand/<hand_id>/charts.json")
def hand_charts(hand_id: str) -> Response:
    """What changes from event to event, as one seat sees it or with everybody's cards; and the
    points by trick.
    """
    page = reader().hand(hand_id, asked_eye())
    return jsonify(points=by_trick(page, words()), steps=steppers(page, words()))


def asked_eye() -> int | None:
    """The seat that looks, if the address says one; NotFound for one that is none: it must not
    open everybody's cards.
    """
    eye = request.args.get("eye")
    if eye is None:
        return None
    if eye not in {"0", "1", "2", "3"}:
        raise NotFound("seat", eye)
    return int(eye)
