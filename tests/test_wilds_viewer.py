"""Wild jokers (癞子) in what the viewer is given: moments, tables, findings, legal plays, pages."""

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from replay.messages import LANGS, text
from replay.reader import HandPage, HandQuery, Reader, open_reader
from schema.cards import BLACK_JOKER, parse_cards
from tests.archives import indexed
from tests.wild_logs import (
    ANSWER,
    BLOCKED,
    DECLARED,
    FINE,
    FLAWED,
    LEAD,
    event_of,
    folder_of_wilds,
    ranks_of,
)
from webviewer import create_app
from webviewer.words import codes, letters


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs that all these tests look at."""
    return folder_of_wilds(tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="module")
def archive(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of them."""
    path = tmp_path_factory.mktemp("archive") / "a"
    indexed(path, folder)
    return path


@pytest.fixture(scope="module")
def client(folder: Path) -> FlaskClient:
    """Asks the viewer for pages."""
    return create_app(open_reader(folder)).test_client()


def page_of(reader: Reader, log: str, eye: int | None = None) -> HandPage:
    """The page of a log's hand."""
    (row,) = (row for row in reader.hands(HandQuery()).rows if row.log_name == log)
    return reader.hand(row.hand_id, eye)


def test_moments_and_tables_carry_it(folder: Path, archive: Path) -> None:
    """Through either reader, for every eye: of the event, and of what lies on the table."""
    event = event_of(folder / FINE, ANSWER)
    for reader in (open_reader(folder), open_reader(archive)):
        for eye in (None, 3):
            moment = page_of(reader, FINE, eye).moments[event]
            assert (moment.wilds, moment.by) == (((3, "6"),), "trustee")
            assert moment.board is not None
            assert [laid.wilds for laid in moment.board.table] == [((3, "3"),), ((3, "6"),)]


def test_a_declared_play_is_a_play_to_the_reader(folder: Path) -> None:
    """Its cards, its trick, its type; behind an event that blocks the event's own sentence."""
    event = event_of(folder / FINE, DECLARED)
    fine = page_of(open_reader(folder), FINE).moments[event]
    assert (fine.kind, fine.cards, fine.trick) == ("played_as", parse_cards(DECLARED), 1)
    assert (fine.label.key, dict(fine.label.slots)["rank"]) == ("declared.pair_chain", "7")
    blocked = page_of(open_reader(folder), BLOCKED).moments[event]
    assert (blocked.cards, blocked.wilds) == (parse_cards(DECLARED), ())
    assert blocked.label.key == "event.played_as"


def steps_of(client: FlaskClient, folder: Path, log: str, lang: str) -> list[dict[str, Any]]:
    """The steps that the page of a log's hand asks for."""
    hand = page_of(open_reader(folder), log).row.hand_id
    answer = client.get(f"/hand/{hand}/steps.json", query_string={"lang": lang})
    assert "⟨" not in answer.text
    found: list[dict[str, Any]] = answer.get_json()["steps"]
    return found


@pytest.mark.parametrize(
    ("lang", "said"), [("zh", ("王都当5", "大王当3")), ("en", ("jokers as 5", "RJ as 3"))]
)
def test_the_page_is_told_which_cards_and_in_words(
    client: FlaskClient, folder: Path, lang: str, said: tuple[str, str]
) -> None:
    """A mark a card, the rank or a dot, and a sentence; of plays without wild jokers neither."""
    steps = steps_of(client, folder, FINE, lang)
    declared, lead = (steps[event_of(folder / FINE, cards)] for cards in (DECLARED, LEAD))
    assert (declared["w"], declared["r"]) == ("....55", said[0])
    assert (lead["c"], lead["w"], lead["r"]) == (letters(parse_cards(LEAD)), "...3", said[1])
    assert lead["b"]["table"] == [{key: lead[key] for key in ("s", "c", "w", "r", "l")}]
    others = [step for step in steps if step["c"] and max(codes(step["c"])) < BLACK_JOKER]
    assert others
    assert [step for step in others if "w" in step or "r" in step] == []


@pytest.mark.parametrize("lang", LANGS)
def test_the_panel_of_legal_plays_tells_readings_apart(
    client: FlaskClient, folder: Path, lang: str
) -> None:
    """Sets of the same cards differ in what their jokers stand for."""
    hand = page_of(open_reader(folder), FINE).row.hand_id
    event = event_of(folder / FINE, DECLARED)
    asked = {"event": event, "lang": lang, "cards": letters(parse_cards(DECLARED))}
    answer = client.get(f"/hand/{hand}/explain.json", query_string=asked)
    assert "⟨" not in answer.text
    found = answer.get_json()
    same = [
        (each["w"], each["r"])
        for group in found["plays"]
        for each in group["sets"]
        if ranks_of(codes(each["c"])) == ranks_of(parse_cards(DECLARED))
    ]
    assert len(set(same)) == len(same) == 3
    assert found["asked"]["w"] == "....67"
    answered = client.get(f"/hand/{hand}/explain.json", query_string={**asked, "event": event + 1})
    remark = text(lang, "wild.all", rank="5")
    assert remark in "".join(map(str, answered.get_json()["must"][0]))
    assert found["asked"]["rules"] == []


@pytest.mark.parametrize("log", [FINE, FLAWED, BLOCKED])
@pytest.mark.parametrize("lang", LANGS)
def test_every_page_of_the_game_speaks_in_full(
    client: FlaskClient, folder: Path, log: str, lang: str
) -> None:
    """Hand, report and rules: no key stands in place of a sentence."""
    row = page_of(open_reader(folder), log).row
    for address in (f"/hand/{row.hand_id}", f"/log/{row.log_id}", f"/rules/{row.game}"):
        page = client.get(address, query_string={"lang": lang})
        assert page.status_code == 200
        assert "⟨" not in page.text


def test_a_finding_about_open_plays_is_for_every_eye(folder: Path) -> None:
    """What is in brackets hides no card: only the proof, a holding, is left out."""
    reader = open_reader(folder)
    full = page_of(reader, FLAWED).findings[-1]
    for eye in range(4):
        seen = page_of(reader, FLAWED, eye).findings[-1]
        assert (seen.zh, seen.expected, seen.logged) == (full.zh, full.expected, full.logged)
        assert seen.proof == (full.proof if eye == full.seat else "")
