"""`explain.json`: the legal plays at any place of a hand, why others are not, and for whose eye."""

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from replay.engine.registry import game_names
from replay.messages import LANGS, text
from replay.reader import open_reader
from tests.test_viewer import steps_of, tables
from tests.viewer_logs import BLOCKED, FAULTY, folder_of_logs, ids_in
from webviewer import create_app
from webviewer.asking import MOST_CARDS
from webviewer.words import codes


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs behind the pages."""
    return folder_of_logs(tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="module")
def client(folder: Path) -> FlaskClient:
    """Asks the viewer for positions."""
    return create_app(open_reader(folder)).test_client()


@pytest.fixture(scope="module")
def ids(folder: Path) -> list[str]:
    """The hands of FAULTY."""
    return ids_in(folder / FAULTY)


def explained(client: FlaskClient, hand: str, lang: str = "en", **query: object) -> Any:
    """What the viewer says of a position."""
    answer = client.get(f"/hand/{hand}/explain.json", query_string={"lang": lang, **query})
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def follow_of(steps: list[dict[str, Any]]) -> tuple[int, int]:
    """Event and seat of a play that beats another one."""
    return next(
        (event, step["s"])
        for event, (step, before) in enumerate(zip(steps, [None, *tables(steps)], strict=False))
        if before and before["beat"] and step["a"] == "fact" and step["c"]
    )


@pytest.mark.parametrize("lang", LANGS)
def test_every_position_is_explained_in_full(
    client: FlaskClient, ids: list[str], lang: str
) -> None:
    """Every place of a hand, that behind its last event included; what was played was legal."""
    steps = steps_of(client, ids[0])["steps"]
    for event in range(len(steps) + 1):
        found = explained(client, ids[0], lang, event=event)
        assert "⟨" not in json.dumps(found, ensure_ascii=False)
        assert (found["event"], found["blocked"], found["hidden"]) == (event, None, False)
        if event == len(steps) or steps[event]["k"] != "played":
            continue
        cards = steps[event]["c"]
        said = explained(client, ids[0], lang, event=event, cards=cards)
        assert said["turn"] == steps[event]["s"]
        assert set(codes(cards)) <= set(codes(said["holding"]))
        assert (said["asked"]["c"], said["asked"]["rules"]) == (cards, [])


def test_the_rule_that_forbids_cards_is_named_and_linked(
    client: FlaskClient, ids: list[str]
) -> None:
    """With its sentence and the source's words; the rule page has a clause of that id."""
    event, seat = follow_of(steps_of(client, ids[0])["steps"])
    position = explained(client, ids[0], event=event)
    legal = {each["c"] for group in position["plays"] for each in group["sets"]}
    low = position["holding"][0]
    assert low not in legal
    assert position["turn"] == position["player"] == seat
    (rule,) = explained(client, ids[0], event=event, cards=low)["asked"]["rules"]
    assert rule["text"] == text("en", f"rule.{rule['rule']}")
    assert rule["source"] == text("zh", f"source.{rule['rule']}")
    assert f'id="{rule["rule"]}"' in client.get(f"/rules/{game_names()[0]}").text


def test_a_pass_can_be_asked_about(client: FlaskClient, ids: list[str]) -> None:
    """No cards are a pass: it is legal for who follows, and not for who leads."""
    steps = steps_of(client, ids[0])["steps"]
    event, _ = follow_of(steps)
    lead = next(n for n, step in enumerate(steps) if step["k"] == "played")
    assert explained(client, ids[0], event=event, cards="")["asked"]["rules"] == []
    assert len(explained(client, ids[0], event=lead, cards="")["asked"]["rules"]) == 1


def test_before_play_it_is_said_what_is_awaited(client: FlaskClient, ids: list[str]) -> None:
    """Before the opening nothing; before the deal nobody plays; a question has its answers."""
    steps = steps_of(client, ids[0])["steps"]
    start = explained(client, ids[0], event=0)
    assert (start["opened"], start["plays"], start["holding"]) == (False, [], None)
    deal = next(n for n, step in enumerate(steps) if step["k"] == "dealt")
    awaited = explained(client, ids[0], event=deal)
    assert (awaited["opened"], awaited["player"], awaited["plays"]) == (True, None, [])
    refused = client.get(f"/hand/{ids[0]}/explain.json?event={deal}&cards=A&lang=en")
    assert refused.status_code == 400
    said = text("en", "view.error.nobody_plays", ask=text("en", "ask.deal"))
    assert refused.get_json() == {"error": said}
    asked = next(n for n, step in enumerate(steps) if step["k"] == "solo_answered")
    question = explained(client, ids[0], event=asked)
    assert question["turn"] == steps[asked]["s"]
    assert [group["sets"] for group in question["plays"]] == [[], []]
    assert len(question["holding"]) == 27


def test_behind_a_blocking_event_the_panel_says_which(client: FlaskClient, ids: list[str]) -> None:
    """Up to it everything is told, behind it nothing."""
    found = steps_of(client, ids[BLOCKED])
    blocked = found["unverified"]
    at = explained(client, ids[BLOCKED], event=blocked)
    behind = explained(client, ids[BLOCKED], event=blocked + 1, cards="A")
    assert at["blocked"] is None
    assert at["plays"]
    assert (behind["blocked"], behind["plays"], behind["asked"]) == (blocked, [], None)


def test_an_eye_is_told_its_own_plays_alone(client: FlaskClient, ids: list[str]) -> None:
    """For every eye and place: no cards, plays or answers but those of the eye's own seat."""
    steps = steps_of(client, ids[0])["steps"]
    for event in range(0, len(steps), 5):
        for eye in range(4):
            found = explained(client, ids[0], event=event, eye=eye)
            if found["player"] in (None, eye):
                assert not found["hidden"]
                continue
            asked = explained(client, ids[0], event=event, eye=eye, cards="A")
            for told in (found, asked):
                assert told["hidden"]
                assert (told["holding"], told["plays"], told["asked"]) == (None, [], None)
    event, seat = follow_of(steps)
    own = explained(client, ids[0], event=event, eye=seat)
    assert own == explained(client, ids[0], event=event)


@pytest.mark.parametrize(
    "query",
    [
        "",
        "event=",
        "event=-1",
        "event=1.5",
        "event=١",
        "event=1000000000000",
        "event=1&event=2",
        "event=9&eye=4",
        "event=9&eye=all",
        "event=9&cards=%",
        "event=9&cards=5h",
        "event=9&cards=%00",
        "event=9&cards=A\ue000s1\ue001",
        "event=9&cards=" + "A" * 65,
        "event=9&cards=A&cards=B",
        "event=9&hand=1",
        "event=9&<script>=1",
        "event=9&lang=fr",
    ],
)
def test_a_question_that_means_nothing_is_refused(
    client: FlaskClient, ids: list[str], query: str
) -> None:
    """With one sentence as JSON, in the language asked for."""
    answer = client.get(f"/hand/{ids[0]}/explain.json?{query}")
    assert (answer.status_code, answer.mimetype) == (400, "application/json")
    assert list(answer.get_json()) == ["error"]
    assert "⟨" not in answer.get_json()["error"]


def test_what_is_not_there_is_said_as_json(client: FlaskClient, ids: list[str]) -> None:
    """An unknown hand, an event behind the end."""
    for name in ("0123456789abcdef", "<b>"):
        answer = client.get(f"/hand/{name}/explain.json?event=0&lang=en")
        said = text("en", "view.error.unknown_hand", found=name)
        assert (answer.status_code, answer.get_json()) == (404, {"error": said})
    answer = client.get(f"/hand/{ids[0]}/explain.json?event=9999&lang=en")
    said = text("en", "view.error.unknown_event", found=9999)
    assert (answer.status_code, answer.get_json()) == (404, {"error": said})


def test_cards_that_nobody_can_hold_are_answered_too(client: FlaskClient, ids: list[str]) -> None:
    """As many as may be asked about, all alike: forbidden, and that is all."""
    event, _ = follow_of(steps_of(client, ids[0])["steps"])
    asked = explained(client, ids[0], event=event, cards="1" * MOST_CARDS)["asked"]
    assert asked["rules"]


def test_findings_in_the_steps_are_what_the_eye_may_read(
    client: FlaskClient, ids: list[str]
) -> None:
    """The proof is a holding: everybody's without an eye, else for its own seat alone."""
    (finding,) = steps_of(client, ids[BLOCKED])["findings"]
    assert finding["proof"]
    for eye in range(4):
        (seen,) = steps_of(client, ids[BLOCKED], eye)["findings"]
        assert (seen["proof"] == finding["proof"]) == (eye == finding["seat"])
        assert seen["rule"] == finding["rule"]
    assert finding["proof"] not in client.get(f"/hand/{ids[BLOCKED]}").text
