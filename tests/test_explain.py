"""`paipu explain`: whose turn it was, what was legal, and why other cards were not."""

from functools import cache
from pathlib import Path

import pytest

from replay.commands.show import parsed_cards
from replay.engine.rule import RuleViolation
from replay.folder import Problem
from replay.messages import text
from replay.report import builtins
from replay.verify import HandResult, verified_hands
from replay.walk import Step
from replay.wording import Words
from schema.cards import ALL_CODES, card_text, cards_text
from schema.events import By, Fact, Passed, Played, SoloAnswered
from schema.logfile import open_log
from tests.shelled import BROKEN, CLEAN, IN_PROGRESS, LOWER_SINGLE, MATCH, TEXT, Ran, paipu

BLOCKED = BROKEN / "dagong-1.4--card-of-another-seat.paipu.jsonl"
ABORTED = CLEAN / "aborted.paipu.jsonl"
LOST = BROKEN / "format.bad_checksum--one-bit-of-a-chunk.paipu"
FREE = CLEAN / "option-free-solo.paipu.jsonl"


@cache
def hand_of(log: Path, index: int = 0) -> HandResult:
    """A hand of a log, walked."""
    with log.open("rb") as stream:
        hands = [h for h in verified_hands(open_log(stream)) if isinstance(h, HandResult)]
    return hands[index]


def asked(log: Path, event: int, *more: object, hand: int = 0) -> Ran:
    """What `explain` says of a position."""
    return paipu("explain", log, "--hand", hand, "--event", event, *more)


def first(kind: type[Fact], result: HandResult, nth: int = 0) -> Step:
    """The nth step with a fact of this kind."""
    return [step for step in result.steps if isinstance(step.event, kind)][nth]


def follow(result: HandResult) -> Step:
    """A play that beats another one."""
    return next(
        step
        for step in result.steps
        if isinstance(step.event, Played)
        and step.before is not None
        and result.game.turn(step.before).ask == "ask.follow"
    )


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_follower_learns_what_to_beat(lang: str) -> None:
    """Whose turn, the table, the obligation, the holding, and the plays by type."""
    result = hand_of(TEXT)
    step = follow(result)
    assert isinstance(step.event, Played)
    assert step.before is not None
    out = asked(TEXT, step.index, "--lang", lang).out
    words = Words(lang, "甲乙丙丁")
    board = result.game.view(step.before, None)
    held = board.seats[step.event.seat].cards
    assert board.to_beat is not None
    assert held is not None
    for said in (
        text(lang, "cli.turn", seat=words.seat(step.event.seat)),
        text(lang, "obligation.beat", play=words.cards(board.to_beat.cards)),
        f": {words.sorted_cards(held)}",
        text(lang, "type.pass"),
    ):
        assert said in out
    for laid in board.table:
        assert f": {words.seat(laid.seat)}: {words.phrase(laid.label)}" in out


def test_the_legal_plays_are_the_engine_s() -> None:
    """Every legal fact of the position stands in one group, and no other does."""
    result = hand_of(TEXT)
    for step in (first(Played, result), follow(result), first(SoloAnswered, result)):
        assert step.before is not None
        found = asked(TEXT, step.index, "--json").json
        legal = [*result.game.plays(step.before), *result.game.reveals(step.before)]
        plays = sorted(cards_text(fact.cards) for fact in legal if isinstance(fact, Played))
        shown = sorted(each["cards"] for group in found["plays"] for each in group["sets"])
        assert shown == plays
        others = [group["type"] for group in found["plays"] if not group["sets"]]
        assert len(others) == sum(not isinstance(fact, Played) for fact in legal)


def test_the_event_in_the_log_is_told_with_its_findings() -> None:
    """What was done there, and which rule it broke by whose words."""
    result = hand_of(LOWER_SINGLE)
    (finding,) = result.findings
    assert finding.event is not None
    found = asked(LOWER_SINGLE, finding.event, "--json").json
    (ruled,) = found["logged"]["findings"]
    assert ruled["rule"] == "dagong-5.1"
    assert ruled["sentence"] == finding.en
    assert ruled["rule_sentence"] == text("en", "rule.dagong-5.1")
    assert ruled["source"] == text("zh", "source.dagong-5.1")
    assert f"!! dagong-5.1: {finding.zh}" in asked(LOWER_SINGLE, finding.event, "--lang", "zh").out


def test_cards_that_can_be_played_are_called_by_their_type() -> None:
    """Every play of a hand, asked about at its place, is legal."""
    result = hand_of(TEXT)
    words = Words("zh", "甲乙丙丁")
    for step in [s for s in result.steps if isinstance(s.event, Played)][::7]:
        assert isinstance(step.event, Played)
        assert step.state is not None
        cards = cards_text(step.event.cards)
        found = asked(TEXT, step.index, "--cards", cards, "--lang", "zh", "--json").json["asked"]
        label = words.phrase(result.game.label(step.state, step.event))
        expected = {
            "act": cards,
            "wilds": "",
            "play": label,
            "is_legal": True,
            "rules": [],
            "others": [],
            "picked": "",
        }
        assert found == expected


def _held(result: HandResult, step: Step) -> bytes:
    assert isinstance(step.event, Played)
    assert step.before is not None
    held = result.game.view(step.before, None).seats[step.event.seat].cards
    assert held is not None
    return held


def test_cards_that_are_not_held_are_forbidden() -> None:
    """By dagong-1.4, and what is held proves it."""
    result = hand_of(TEXT)
    step = follow(result)
    held = _held(result, step)
    absent = next(code for code in ALL_CODES if code not in held)
    done = asked(TEXT, step.index, "--cards", card_text(absent), "--json").json["asked"]
    assert done["is_legal"] is False
    (ruled,) = done["rules"]
    assert (ruled["rule"], ruled["proof"]) == ("dagong-1.4", cards_text(held))
    shown = Words("en").card(absent)
    assert ruled["sentence"] == text("en", "cli.explain.lacking", cards=shown)


def test_of_cards_held_too_few_times_only_the_missing_ones_are_named() -> None:
    """Two are asked about and one is held: one is missing."""
    result = hand_of(TEXT)
    step = follow(result)
    held = _held(result, step)
    once = next(code for code in held if held.count(code) == 1)
    twice = f"{card_text(once)} {card_text(once)}"
    (ruled,) = asked(TEXT, step.index, "--cards", twice, "--json").json["asked"]["rules"]
    shown = Words("en").card(once)
    assert ruled["sentence"] == text("en", "cli.explain.lacking", cards=shown)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_what_was_not_played_is_not_told_as_played(lang: str) -> None:
    """What the cards are, the rule's own sentence and source, and what had to be beaten."""
    words = Words(lang)
    (finding,) = hand_of(LOWER_SINGLE).findings
    out = asked(LOWER_SINGLE, finding.event or 0, "--cards", "Td,Tc", "--lang", lang).out
    answer = out.partition(text(lang, "cli.explain.not_legal", cards=""))[2].splitlines()
    pair = text(lang, "play.pair", rank="T", n=2, suit="")
    to_beat = text(lang, "cli.explain.to_beat", cards="6♠")
    assert answer[:4] == [
        words("cli.with", what="10♦ 10♣", more=pair),
        f"    !! dagong-5.1: {to_beat}",
        f"       {words('cli.rule')}: {words('rule.dagong-5.1')}",
        f"       {words('cli.source')}: {words('source.dagong-5.1')}",
    ]
    said = finding.zh if lang == "zh" else finding.en
    assert out.count("dagong-5.1: ") == 2
    assert out.count(said) == 1


def test_cards_that_beat_nothing_are_forbidden() -> None:
    """By dagong-5.1; a pass is legal there, and nowhere where one has the lead."""
    result = hand_of(TEXT)
    step, lead = follow(result), first(Played, result)
    assert isinstance(step.event, Played)
    assert step.before is not None
    legal = {f.cards for f in result.game.plays(step.before) if isinstance(f, Played)}
    low = min(_held(result, step))
    assert bytes([low]) not in legal
    refused = asked(TEXT, step.index, "--cards", card_text(low), "--json").json["asked"]
    assert [ruled["rule"] for ruled in refused["rules"]] == ["dagong-5.1"]
    passed = asked(TEXT, step.index, "--cards", "pass", "--json").json["asked"]
    assert (passed["act"], passed["is_legal"]) == ("", True)
    at_lead = asked(TEXT, lead.index, "--cards", "不出", "--json").json["asked"]
    assert [ruled["rule"] for ruled in at_lead["rules"]] == ["dagong-6.3"]


def test_an_answer_and_the_engine_agree() -> None:
    """Any cards that a holding has: legal here exactly if the engine takes them."""
    result = hand_of(MATCH)
    step = follow(result)
    held = _held(result, step)
    assert step.before is not None
    assert isinstance(step.event, Played)
    for cards in {held[k : k + n] for k in range(0, 20, 3) for n in (1, 2, 3)}:
        breaches: list[object] = []
        try:
            fact = Played(0, By.PLAYER, step.event.seat, cards)
            result.game.apply(step.before, fact, breaches)  # type: ignore[arg-type]
            is_legal = not breaches
        except RuleViolation:
            is_legal = False
        said = asked(MATCH, step.index, "--cards", cards_text(cards), "--json").json["asked"]
        assert said["is_legal"] is is_legal, cards_text(cards)


def test_the_answer_names_the_rule_for_people() -> None:
    """In text: cards as people write them, the rule, its sentence and the source's words."""
    result = hand_of(TEXT)
    step = first(Played, result)
    out = asked(TEXT, step.index, "--cards", "小王 3♦", "--lang", "zh").out
    assert "不能出：小王 3♦（不成牌型）\n    !! dagong-1.4: 手里没有：小王 3♦\n" in out
    assert text("zh", "cli.source") + ": 「" in out or "由「" in out


def test_before_the_opening_and_after_the_end() -> None:
    """Every place of a hand can be asked for, its first event and the place behind its last."""
    result = hand_of(TEXT)
    start = asked(TEXT, 0).out
    end = asked(TEXT, len(result.steps)).out
    assert text("en", "cli.explain.unopened") in start
    assert text("en", "ask.end") in end
    assert "in the log" not in end


def test_behind_a_blocking_event_nothing_can_be_said() -> None:
    """But which event it is."""
    result = hand_of(BLOCKED)
    (finding,) = result.findings
    assert finding.event is not None
    at = asked(BLOCKED, finding.event, "--json").json
    behind = asked(BLOCKED, finding.event + 1, "--cards", "3d", "--json").json
    assert (at["blocked_by"], at["seat"]) == (None, finding.seat)
    assert (behind["blocked_by"], behind["seat"], behind["asked"]) == (finding.event, None, None)
    said = text("en", "cli.explain.blocked", n=finding.event)
    assert said in asked(BLOCKED, finding.event + 1).out


def test_under_free_solo_any_seat_may_speak() -> None:
    """Nobody is in turn, and the lead can be asked about."""
    result = hand_of(FREE)
    step = first(SoloAnswered, result)
    found = asked(FREE, step.index, "--cards", "Rj Rj Rj", "--json").json
    assert found["seat"] is None
    assert {"cli.explain.solo_yes", "type.single"} <= {group["type"] for group in found["plays"]}
    assert found["asked"]["rules"][0]["rule"] == "dagong-1.4"


def test_where_nobody_plays_cards_cannot_be_asked_about() -> None:
    """Before the deal there is no holding."""
    done = asked(TEXT, 2, "--cards", "3d")
    assert done.status == 2
    assert text("en", "ask.deal") in done.err


@pytest.mark.parametrize(("hand", "event"), [(9, 0), (0, 9999)])
def test_a_place_that_is_not_there_is_said(hand: int, event: int) -> None:
    """With how many hands or events there are."""
    done = asked(TEXT, event, hand=hand)
    assert (done.status, done.out) == (2, "")
    n = len(hand_of(TEXT).steps)
    absent = f"{TEXT} has no hand 9: its hands are 0 to 0"
    assert (absent if hand else f"0 to {n} can be asked for") in done.err


def test_a_hand_in_progress_is_said_to_be_so() -> None:
    """It is there, and counts among those that there are."""
    done = asked(IN_PROGRESS, 3, hand=1)
    assert (done.status, done.out) == (2, "")
    assert f"{IN_PROGRESS}: hand 1 is still being played (40 events so far)" in done.err
    assert "its hands are 0 to 1" in asked(IN_PROGRESS, 3, hand=7).err
    assert text("zh", "cli.problem.hand_open", path=IN_PROGRESS, hand=1, events=40) in (
        asked(IN_PROGRESS, 3, "--lang", "zh", hand=1).err
    )


def test_a_log_without_hands_and_a_hand_that_is_lost_are_said(tmp_path: Path) -> None:
    """Neither is called a hand that there never was."""
    empty = tmp_path / "empty.paipu.jsonl"
    empty.write_bytes(TEXT.read_bytes().splitlines(keepends=True)[0])
    assert f"{empty} has no hand 0: it has none that can be read" in asked(empty, 0).err
    assert f"{LOST}: hand 0 cannot be read" in asked(LOST, 0).err


@pytest.mark.parametrize(
    ("told", "cards"),
    [
        ("5h Td", "5h Td"),
        ("5hTd", "5h Td"),
        ("5H, 10D", "5h Td"),
        ("5♥ 10♦", "5h Td"),
        ("小王、大王", "Bj Rj"),
        ("bj RJ", "Bj Rj"),
        ("As10sTs", "As Ts Ts"),
        ("Pass", ""),
        ("不出", ""),
    ],
)
def test_cards_are_read_as_people_write_them(told: str, cards: str) -> None:
    """Notation, suit signs, Chinese names, with or without spaces."""
    assert cards_text(parsed_cards(told)) == cards


@pytest.mark.parametrize("told", ["", "  ", ", ,"])
def test_no_cards_at_all_are_refused(told: str) -> None:
    """They are no pass: that is asked about with `pass`."""
    with pytest.raises(Problem, match=r"no cards are named; .* a pass as pass"):
        parsed_cards(told)
    assert asked(TEXT, 2, "--cards", told).status == 2


@pytest.mark.parametrize("told", ["5", "1h", "5h x", "h5", "55h"])
def test_what_is_no_card_is_refused(told: str) -> None:
    """And named."""
    with pytest.raises(Problem, match="is no card"):
        parsed_cards(told)


def test_every_event_of_a_match_can_be_explained() -> None:
    """Aborted hands too, in both languages; all of it is JSON."""
    from replay.explain import Act, explained, explained_text

    for result in (hand_of(ABORTED), hand_of(MATCH)):
        for lang in ("zh", "en"):
            words = Words(lang, "甲乙丙丁")
            for event in range(len(result.steps) + 1):
                found = explained(result, event, words)
                assert explained_text(found, words)
                assert builtins(found)["event"] == event
    seat = first(Passed, hand_of(MATCH)).event
    assert isinstance(seat, Passed)
    end = len(hand_of(ABORTED).steps)
    assert explained(hand_of(ABORTED), end, Words("en"), Act(b"\x00")).asked is not None
