"""The archive's tables of 炒地皮: levels, trump and score, shows, burials, throws."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from replay.archive import Archive
from schema.cards import cards_text
from schema.chaodipi import (
    BottomTaken,
    Buried,
    ChaodipiOpening,
    ChaodipiSettled,
    Declared,
    Stirred,
    ThrowJudged,
    TrumpSet,
)
from schema.events import AbortReason, Event, HandAborted, Played, TrickWon
from schema.items import Hand
from tests import archives, builders, chaodipi_logs
from tests.archives import indexed, live, rows

SUITS = "dchs"
LEVELS = "23456789TJQKAF"
Row = dict[str, Any]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The logs of a few matches."""
    return chaodipi_logs.matches(tmp_path_factory.mktemp("matches"))


@pytest.fixture(scope="module")
def archive(logs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of them and of a match of 打拱."""
    folder = tmp_path_factory.mktemp("archive")
    other = live(folder / "a.paipu", archives.hands(3))
    indexed(folder / "archive", *logs, other)
    return folder / "archive"


@pytest.fixture(scope="module")
def hands(logs: list[Path]) -> dict[str, Hand]:
    """The hands of those logs by the ids that the archive gives them."""
    return {hand.leaf.hex()[:16]: hand for log in logs for hand in chaodipi_logs.hands(log)}


def table(folder: Path, name: str, order: str) -> dict[str, list[Row]]:
    """The rows of a table by hand."""
    found: dict[str, list[Row]] = {}
    with Archive.open(folder) as archive:
        result = archive.query(f"SELECT * FROM {name} ORDER BY hand_id, {order}")
        for values in result:
            row = dict(zip(result.columns, values, strict=True))
            found.setdefault(row["hand_id"], []).append(row)
    return found


def events(hand: Hand, *kinds: type[Any]) -> list[tuple[int, Any]]:
    """The events of some kinds, with their places: what a clean log claims is what is derived."""
    return [(k, event) for k, event in enumerate(hand.events) if isinstance(event, kinds)]


def last(hand: Hand, kind: type[Any]) -> Any:
    """The last event of a kind; None if there is none."""
    return next((e for _, e in reversed(events(hand, kind))), None)


def test_a_hand_has_its_level_trump_and_score(archive: Path, hands: dict[str, Hand]) -> None:
    """What opening, announced trump and settlement of a clean log say, stands in `hands`."""
    found = table(archive, "hands", "hand")
    assert hands.keys() < found.keys()
    for name, hand in hands.items():
        (row,) = found[name]
        settled, trump = last(hand, ChaodipiSettled), last(hand, TrumpSet)
        carry = last(hand, ChaodipiOpening).carry
        assert row["level"] == LEVELS[carry.levels[row["dealer_side"]]]
        assert row["dealer_side"] == row["dealer"] % 2
        assert row["mode"] == ("flag" if row["level"] == "F" else "level")
        if trump is None:
            assert (row["trump"], row["rung"], row["declarer"]) == ("none", 0, None)
        else:
            assert row["trump"] == [*SUITS, "none"][trump.trump]
            assert row["rung"] == trump.rung
        assert (row["score"], row["trick_points"]) == (settled.score, settled.tricks)
        assert (row["bottom_points"], row["factor"]) == (settled.bottom, settled.factor)
        assert (row["penalty"], row["risen"]) == (settled.penalty, settled.risen)
        assert row["effect"] == settled.effect.name.lower()
        assert row["result"] == settled.result.name.lower()


def test_seats_have_the_levels_of_their_side(archive: Path, hands: dict[str, Hand]) -> None:
    """Before as the opening says, after as the settlement; partners have the same."""
    found = table(archive, "seats", "seat")
    for name, hand in hands.items():
        opened, settled = last(hand, ChaodipiOpening).carry, last(hand, ChaodipiSettled)
        for row in found[name]:
            side = row["seat"] % 2
            assert row["level_before"] == LEVELS[opened.levels[side]]
            assert row["level_after"] == LEVELS[settled.next.levels[side]]
            assert row["delta"] == settled.deltas[row["seat"]]


def test_every_show_is_a_row(archive: Path, hands: dict[str, Hand]) -> None:
    """Declared and stirred, in order; the last one made the hand's trump and rung."""
    found, about = table(archive, "declarations", "event"), table(archive, "hands", "hand")
    kinds = set()
    for name, hand in hands.items():
        shows = events(hand, Declared, Stirred)
        told = found.get(name, [])
        assert [(row["event"], row["seat"], row["cards"]) for row in told] == [
            (k, e.seat, cards_text(e.cards)) for k, e in shows
        ]
        for row, (_, event) in zip(told, shows, strict=True):
            kinds.add(row["kind"])
            assert row["kind"] == type(event).__name__.lower()
            assert row["after"] == getattr(event, "after", None)
            assert (row["named"] is None) == (event.cards != b"\x0a\x0a")
            assert row["trump"] == (row["named"] or _printed(event.cards))
        if told:
            shown = about[name][0]
            assert (told[-1]["trump"], told[-1]["rung"]) == (shown["trump"], shown["rung"])
            assert told[-1]["seat"] == shown["declarer"]
    assert kinds == {"declared", "stirred"}


def _printed(cards: bytes) -> str:
    """The suit of level cards; a pair of jokers makes no trump."""
    return "none" if cards[0] >= 52 else SUITS[cards[0] % 4]


def test_every_burial_is_a_row(archive: Path, hands: dict[str, Hand]) -> None:
    """What was taken and what was buried; the next seat takes just that."""
    found = table(archive, "burials", "event")
    for name, hand in hands.items():
        told = found.get(name, [])
        assert [(row["event"], row["seat"], row["cards"]) for row in told] == [
            (k, e.seat, cards_text(e.cards)) for k, e in events(hand, Buried)
        ]
        assert [row["taken"] for row in told] == [
            cards_text(e.cards) for _, e in events(hand, BottomTaken)
        ]
        for row in told:
            worth = {"5": 5, "T": 10, "K": 10}
            assert row["points"] == sum(worth.get(c[0], 0) for c in row["cards"].split())
        for one, after in pairwise(told):
            assert after["taken"] == one["cards"]
    assert max(map(len, found.values())) > 2


def test_every_throw_is_a_row_and_what_is_led_counts(archive: Path, hands: dict[str, Hand]) -> None:
    """Attempted, led, beaten by whom; the cards not led are still held, their points not won."""
    throws, plays = table(archive, "throws", "event"), table(archive, "plays", "event")
    tricks = table(archive, "tricks", "trick")
    failed = 0
    for name, hand in hands.items():
        told = throws.get(name, [])
        judged = events(hand, ThrowJudged)
        assert [(row["led"], row["beaten_by"]) for row in told] == [
            (cards_text(e.led), list(e.beaten_by)) for _, e in judged
        ]
        led = {row["event"]: row["led"] for row in told if not row["stands"]}
        failed += len(led)
        left = [len(seat["dealt"].split()) for seat in table(archive, "seats", "seat")[name]]
        for row in plays[name]:
            assert row["led"] == led.get(row["event"])
            left[row["seat"]] -= len((row["led"] or row["cards"]).split())
            assert row["cards_left"] == left[row["seat"]]
        assert left == [0, 0, 0, 0]
        won = [(e.seat, e.points) for _, e in events(hand, TrickWon)]
        assert [(row["winner"], row["points"]) for row in tricks[name]] == won
        for row in tricks[name]:
            within = [play["points"] for play in plays[name] if play["trick"] == row["trick"]]
            assert sum(within) == row["points"]
    assert failed > 0


def test_an_answer_is_no_throw(archive: Path) -> None:
    """Leads are singles, pairs, tractors, 五十K, throws; an answer of several parts is mixed."""
    game = "FROM plays JOIN hands USING (hand_id) WHERE game = 'chaodipi'"
    leads = dict(rows(archive, f"SELECT kind, count(*) {game} AND is_lead GROUP BY ALL"))
    answers = dict(rows(archive, f"SELECT kind, count(*) {game} AND NOT is_lead GROUP BY ALL"))
    assert {"single", "pair", "throw"} <= leads.keys() <= {*_KINDS, "throw"}
    assert {"single", "pair", "mixed"} <= answers.keys() <= {*_KINDS, "mixed"}


_KINDS = {"single", "pair", "tractor", "wsk"}


def test_other_games_have_none_of_it(archive: Path) -> None:
    """No row of declarations, burials and throws, and NULL in the columns of trumps and levels."""
    other = "JOIN hands USING (hand_id) WHERE game = 'dagong'"
    for name in ("declarations", "burials", "throws"):
        assert rows(archive, f"SELECT count(*) FROM {name} {other}") == [(0,)]
    columns = "level, trump, rung, declarer, dealer_side, score, factor, effect, risen"
    counted = ", ".join(f"count({name})" for name in columns.split(", "))
    assert rows(archive, f"SELECT {counted} FROM hands WHERE game = 'dagong'") == [(0,) * 9]
    levels = f"SELECT count(level_before), count(level_after) FROM seats {other}"
    assert rows(archive, levels) == [(0, 0)]
    assert rows(archive, f"SELECT count(led) FROM plays {other}") == [(0,)]


def test_a_throw_stands_as_it_was_announced(tmp_path: Path, logs: list[Path]) -> None:
    """A judgement that is false is one finding; the cards led are those that the table saw."""
    hand = chaodipi_logs.found(logs, chaodipi_logs.failed_throw).hand
    place = next(k for k, event in events(hand, ThrowJudged) if event.beaten_by)
    thrown = hand.events[place - 1]
    assert isinstance(thrown, Played)
    spoiled: list[Event] = [*hand.events[:place], ThrowJudged(thrown.cards, ())]
    head = chaodipi_logs.log(logs[0]).head
    path = tmp_path / "a.paipu"
    path.write_bytes(builders.live_log([[*spoiled, HandAborted(5, AbortReason.OTHER)]], head))
    indexed(tmp_path / "archive", path)
    found = rows(tmp_path / "archive", "SELECT led, stands FROM throws ORDER BY event DESC LIMIT 1")
    assert found == [(cards_text(thrown.cards), True)]
    last_play = "SELECT event, led FROM plays ORDER BY event DESC LIMIT 1"
    assert rows(tmp_path / "archive", last_play) == [(place - 1, None)]
    assert rows(tmp_path / "archive", "SELECT kind, event FROM findings") == [("claim", place)]
