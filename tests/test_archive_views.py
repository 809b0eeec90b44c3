"""The views of an archive: as TABLES.md says, right by the logs, and quick for one hand."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from replay.archive import Archive, index
from replay.archive.derived import views
from replay.archive.tables import SEGMENT, TABLES
from schema.chaodipi import Buried, ChaodipiSettled
from tests.test_archive_tables import BOOK, ROW
from tests.told import CLIMBING, Made, Told, made

VIEWS = views()
SECTIONS = {
    part.partition("\n")[0].strip(): part
    for part in re.split(r"^### ", BOOK.partition("\n## Views\n")[2], flags=re.M)[1:]
}
OF_A_HAND = [name for name, sql in VIEWS.items() if re.search(r"[^f]\.hand_id,", sql)]
"""Views of hands; but for that of findings, of which clean logs have none to plan for."""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The archives and what stands in their logs."""
    return made(tmp_path_factory.getbasetemp())


@pytest.fixture(scope="module")
def archive(logs: Made) -> Iterator[Archive]:
    """The one without findings, open."""
    with Archive.open(logs.archive) as opened:
        yield opened


def rows(archive: Archive, view: str) -> list[dict[str, Any]]:
    """All rows of a view."""
    result = archive.query(f"SELECT * FROM {view}")
    return [dict(zip(result.columns, row, strict=True)) for row in result]


def known(logs: Made) -> dict[str, Told]:
    """The hands by their ids."""
    return {hand.id: hand for hand in logs.hands}


def test_the_book_has_a_section_for_each_view() -> None:
    """In alphabetical order, each with a sentence on what a row is; so begins its file too."""
    assert list(SECTIONS) == list(VIEWS) == sorted(VIEWS)
    assert not VIEWS.keys() & TABLES.keys()
    for name, sql in VIEWS.items():
        assert sql.startswith("-- One row for each ")
        assert SECTIONS[name].split("\n\n")[1].startswith("One row for each ")


@pytest.mark.parametrize("view", VIEWS)
def test_the_book_has_a_line_for_each_column(view: str, archive: Archive, tmp_path: Path) -> None:
    """Names, types and order, the same in an archive that is empty."""
    wanted = [(name, kind) for name, kind, _ in ROW.findall(SECTIONS[view])]
    index(tmp_path / "empty", [])
    with Archive.open(tmp_path / "empty") as empty:
        for each in (archive, empty):
            result = each.query(f"SELECT * FROM {view} LIMIT 0")
            assert list(zip(result.columns, result.types, strict=True)) == wanted
            result.close()


@pytest.mark.parametrize("view", OF_A_HAND)
def test_one_hand_is_asked_for_without_going_through_all(
    view: str, archive: Archive, logs: Made
) -> None:
    """The plan filters a table by the id where it is read, and has no sort and no window."""
    sql = f"EXPLAIN SELECT * FROM {view} WHERE hand_id = '{logs.hands[5].id}'"
    plan = "\n".join(str(row[1]) for row in archive.query(sql))
    assert re.search(r"Filters:\s+hand_id", plan)
    assert not re.search(r"window|order by|top.?n", plan, re.IGNORECASE)


def test_results_of_players(archive: Archive, logs: Made) -> None:
    """Four rows for each settled hand, with role, partner, coins and what was dealt."""
    hands = known(logs)
    found = rows(archive, "player_results")
    assert len(found) == 4 * len(logs.of())
    for row in found:
        hand, seat = hands[row["hand_id"]], row["seat"]
        assert (row["game"], row["player_id"]) == (hand.game, hand.players[seat])
        assert row["delta"] == hand.deltas[seat]
        assert row["dealt"].count(" ") + 1 == len(hand.dealt(seat))
        assert row["jokers"] == sum(card >= 52 for card in hand.dealt(seat))
        if not hand.winners:
            assert row["won"] is None
            continue
        assert row["won"] == (seat in hand.winners)
        assert row["role"] == hand.role(seat)
        assert row["is_dealer"] == (seat == hand.dealer)
        assert (row["is_soloist"], row["soloist"]) == (seat == hand.soloist, hand.soloist)
        partners = [s for s in range(4) if s != seat and (s in hand.winners) == row["won"]]
        assert row["partner_seat"] == (partners[0] if hand.soloist is None else None)


def test_totals_of_players(archive: Archive, logs: Made) -> None:
    """The sums of the rows above."""
    found = rows(archive, "player_totals")
    for row in found:
        sat = [
            (hand, hand.players.index(row["player_id"]))
            for hand in logs.of(row["game"])
            if row["player_id"] in hand.players
        ]
        assert row["hands"] == len(sat)
        assert row["won"] == sum(seat in hand.winners for hand, seat in sat)
        assert row["as_soloist"] == sum(seat == hand.soloist for hand, seat in sat)
        deltas = [coins for hand, seat in sat if (coins := hand.deltas[seat]) is not None]
        extremes = (max(deltas), min(deltas)) if deltas else (None, None)
        assert (row["best"], row["worst"]) == extremes
    assert len(found) == len({(h.game, p) for h in logs.of() for p in h.players})


def test_plays_with_names(archive: Archive, logs: Made) -> None:
    """Each play and pass once, with its player and his role."""
    hands = known(logs)
    found = rows(archive, "plays_named")
    assert len(found) == sum(len(hand.acts) for hand in logs.hands)
    for row in found:
        hand, seat = hands[row["hand_id"]], row["seat"]
        assert row["player_id"] == hand.players[seat]
        acted: Any = hand.events[row["event"]]
        assert acted.seat == seat
        assert row["role"] == hand.role(seat)


def test_bombs_and_leads(archive: Archive, logs: Made) -> None:
    """A bomb stands if nothing was laid on it, closed or not; every trick has a lead."""
    bombs = {(row["hand_id"], row["event"]): row for row in rows(archive, "bombs")}
    leads = {(row["hand_id"], row["event"]): row for row in rows(archive, "leads")}
    result = archive.query("SELECT hand_id, event FROM plays WHERE is_bomb")
    assert set(result) == bombs.keys()
    for hand in logs.hands:
        for trick in hand.tricks():
            events = [k for k, _ in trick.plays]
            for k, after in zip(events, [*events[1:], None], strict=True):
                if bomb := bombs.get((hand.id, k)):
                    assert bomb["beaten_by"] == after
                    assert bomb["stood"] == (after is None)
            lead = leads.pop((hand.id, events[0]))
            assert (lead["winner"], lead["trick_points"]) == (trick.winner, trick.points)
            assert lead["plays"] == len(events)
    assert leads == {}
    assert {row["game"] for row in bombs.values()} == set(CLIMBING)


def test_matches_and_summaries(archive: Archive, logs: Made) -> None:
    """A row for each log with its totals, and one for each hand with the names in it."""
    found = {row["path"]: row for row in rows(archive, "matches")}
    for path in {hand.path for hand in logs.hands}:
        hands = [hand for hand in logs.hands if hand.path == path]
        row = found.pop(path)
        assert row["duration_ms"] == sum(hand.duration for hand in hands)
        assert (row["hands"], row["settled"]) == (len(hands), sum(bool(h.settled) for h in hands))
        assert row["plays"] == sum(len(t.plays) for hand in hands for t in hand.tricks())
        assert row["started_at"] <= row["ended_at"]
        assert row["continues"] is None
    assert found == {}
    summaries = {row["hand_id"]: row for row in rows(archive, "hand_summaries")}
    assert summaries.keys() == known(logs).keys()
    for hand_id, hand in known(logs).items():
        names = [player.name for player in hand.head.players]
        assert summaries[hand_id]["players"] == names
        if hand.winners:
            assert summaries[hand_id]["dealer"] == names[hand.dealer]


def test_levels_bottoms_and_shows(archive: Archive, logs: Made) -> None:
    """The steps of both sides; who won the bottom; a show stands where none follows it."""
    hands = known(logs)
    steps = rows(archive, "level_progress")
    assert len(steps) == 2 * len(logs.of("chaodipi", "gunzi"))
    for row in steps:
        hand = hands[row["hand_id"]]
        after = hand.settled.next.levels[row["side"]]
        assert row["step_after"] == after + 1
        assert row["won"] == (row["side"] in hand.winners if hand.winners else None)
    for row in rows(archive, "bottoms"):
        hand = hands[row["hand_id"]]
        buried = [k for k, _ in hand.all(Buried)]
        assert row["stood"] == (not buried or row["event"] == buried[-1])
        if not row["stood"]:
            assert (row["captured"], row["factor"], row["bottom_points"]) == (None, None, None)
        elif hand.winners:
            assert row["captured"] == (hand.settled.factor > 0)
            made_points = row["bottom_points"]
            assert made_points == hand.settled.bottom
            assert isinstance(hand.settled, ChaodipiSettled) == (row["game"] == "chaodipi")
    shows = rows(archive, "shows")
    last = {
        row["hand_id"]: max(r["event"] for r in shows if r["hand_id"] == row["hand_id"])
        for row in shows
    }
    for row in shows:
        assert row["stood"] == (row["event"] == last[row["hand_id"]])
        hand = hands[row["hand_id"]]
        assert row["won"] == (row["seat"] in hand.winners if hand.winners else None)
    assert {row["kind"] for row in shows} == {"declared", "stirred"}


def test_one_row_for_each_finding(logs: Made) -> None:
    """With the player whom it is about."""
    with Archive.open(logs.flawed) as flawed:
        found = rows(flawed, "findings_named")
        assert len(found) == len(list(flawed.query("SELECT 1 FROM findings"))) == 2
        for row in found:
            names = next(h.head.players for h in logs.flawed_hands if h.id == row["hand_id"])
            wanted = None if row["seat"] is None else names[row["seat"]].id
            assert row["player_id"] == wanted
            assert row["game"] == "dagong"


def test_solo_hands_and_tribute(archive: Archive, logs: Made) -> None:
    """Each 硬牌 that was settled; each hand in which tribute was due."""
    solo = {row["hand_id"]: row["seat"] for row in rows(archive, "solo_hands")}
    assert solo == {h.id: h.soloist for h in logs.of(*CLIMBING) if h.soloist is not None}
    tribute = {row["hand_id"] for row in rows(archive, "tribute_hands")}
    due = {h.id for h in logs.hands if h.game == "gunzi" and _due(h)}
    assert tribute == due
    assert due


def _due(hand: Told) -> int:
    opening: Any = next(e for e in hand.events if hasattr(e, "carry"))
    owed: int = opening.carry.due_for_score + opening.carry.due_for_jokers
    return owed


def test_views_stand_on_tables() -> None:
    """None reads another view, so none costs what it does not need."""
    named = re.compile(r"\b(?:FROM|JOIN) (\w+)")
    for sql in VIEWS.values():
        assert set(named.findall(sql)) <= TABLES.keys()
    assert set(SEGMENT) < TABLES.keys()
