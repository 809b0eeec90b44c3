"""The archive's tables of 四副滚子, against an independent reading of the events of its logs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from schema.cards import cards_text, parse_cards
from schema.events import (
    AbortReason,
    Dealt,
    Event,
    HandAborted,
    Played,
    TrickWon,
)
from schema.gunzi import (
    BottomShown,
    Buried,
    Declared,
    Drawn,
    Flipped,
    GunziCarry,
    GunziEnding,
    GunziOpening,
    GunziSettled,
    JokersBuried,
    Redealt,
    TributePaid,
    TributeReturned,
    TrumpSet,
)
from schema.items import Hand
from schema.trumps import Trump
from tests import archives, builders
from tests.archives import hands_of, indexed, live, rows, table
from tests.format_logs import GUNZI_HEAD

SUITS = "dchs"
LEVELS = "?3456789T"
"""As an opening numbers them: 1 for 3 … 8 for 10."""
BLACK, RED = parse_cards("Bj Rj")


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The logs of some matches."""
    return archives.gunzi_matches(tmp_path_factory.mktemp("logs") / "matches", 16)


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
    return hands_of(logs)


def events(hand: Hand, *kinds: type[Any]) -> list[tuple[int, Any]]:
    """The events of some kinds, with their places: what a clean log claims is what is derived."""
    return [(k, event) for k, event in enumerate(hand.events) if isinstance(event, kinds)]


def last(hand: Hand, kind: type[Any]) -> Any:
    """The last event of a kind; None if there is none."""
    return next((event for _, event in reversed(events(hand, kind))), None)


def carry(hand: Hand) -> GunziCarry:
    """What the hand opens with."""
    opening: GunziOpening = last(hand, GunziOpening)
    return opening.carry


def test_the_matches_hold_what_there_is_to_test(hands: dict[str, Hand]) -> None:
    """Every kind of event, dry bottoms, aborted hands and won matches."""
    found = {type(event) for hand in hands.values() for event in hand.events}
    wanted = {Declared, Flipped, Drawn, Redealt, TributePaid, JokersBuried, HandAborted}
    assert wanted <= found
    assert any(shown.dry for hand in hands.values() for _, shown in events(hand, BottomShown))
    settled = [last(hand, GunziSettled) for hand in hands.values()]
    assert {s.ending for s in settled if s} >= {GunziEnding.NONE, GunziEnding.THREE_JOKERS}


def test_a_hand_has_its_level_trump_and_score(archive: Path, hands: dict[str, Hand]) -> None:
    """What announced trump and settlement of a clean log say, stands in `hands`."""
    found = table(archive, "hands", "hand")
    assert hands.keys() < found.keys()
    for name, hand in hands.items():
        (row,) = found[name]
        trump, settled = last(hand, TrumpSet), last(hand, GunziSettled)
        assert (row["hand_no"], row["game"]) == (carry(hand).hand_no, "gunzi")
        assert (row["called"], row["soloist"], row["fan"]) == (None, None, None)
        if trump is not None:
            assert (row["trump"], row["dealer"]) == (SUITS[trump.trump], trump.dealer)
            assert (row["dealer_side"], row["partner"]) == (trump.dealer % 2, trump.dealer ^ 2)
            assert row["level"] == LEVELS[carry(hand).levels[trump.dealer % 2]]
        if settled is None:
            assert (row["score"], row["result"], row["bottom_fate"]) == (None, None, None)
            assert row["aborted"] == last(hand, HandAborted).reason.name.lower()
            continue
        assert (row["score"], row["trick_points"]) == (settled.score, settled.tricks)
        assert (row["bottom_points"], row["factor"]) == (settled.bottom, settled.factor)
        assert row["score"] == row["trick_points"] + row["bottom_points"] * row["factor"]
        assert (row["risen"], row["penalty"]) == (settled.risen, None)
        assert row["bottom_fate"] == settled.fate.name.lower()
        assert row["result"] == settled.result.name.lower()
        effect = settled.ending.name.lower()
        assert row["effect"] == ("points" if effect == "none" else effect)


def test_a_hand_says_what_is_due_and_whether_its_bottom_is_dry(
    archive: Path, hands: dict[str, Hand]
) -> None:
    """Due as the opening states it; dry if nobody buries and cards are played."""
    found = table(archive, "hands", "hand")
    for name, hand in hands.items():
        (row,) = found[name]
        due = (row["due_for_score"], row["due_for_jokers"])
        assert due == (carry(hand).due_for_score, carry(hand).due_for_jokers)
        if events(hand, Played):
            assert row["bottom_is_dry"] is (not events(hand, Buried))
            assert row["bottom_is_dry"] is any(s.dry for _, s in events(hand, BottomShown))
        elif not events(hand, Buried, BottomShown):
            assert row["bottom_is_dry"] is None


def test_what_is_due_follows_from_the_hand_before(archive: Path) -> None:
    """A cross-check that reads no event: 10 points below 80 or above 150 are one card."""
    sql = """
        SELECT a.score, b.due_for_score FROM hands a
        JOIN hands b ON b.log_id = a.log_id AND b.hand = a.hand + 1 AND b.hand_no = a.hand_no + 1
        WHERE a.game = 'gunzi' AND a.effect = 'points'
    """
    pairs = rows(archive, sql)
    assert len(pairs) > 20
    for score, due in pairs:
        below, above = -((score - 80) // 10), (score - 150) // 10
        assert due == max(below, above, 0), score


def test_seats_have_levels_and_points_and_no_coins(archive: Path, hands: dict[str, Hand]) -> None:
    """Levels as opening and settlement say; points of the tricks won; nothing is counted beyond."""
    found = table(archive, "seats", "seat")
    for name, hand in hands.items():
        settled, deal = last(hand, GunziSettled), last(hand, Dealt)
        for row in found[name]:
            seat, side = row["seat"], row["seat"] % 2
            money = ("delta", "balance_before", "balance_after", "bonus", "final", "place")
            assert [row[column] for column in money] == [None] * len(money)
            assert row["level_before"] == LEVELS[carry(hand).levels[side]]
            assert parse_cards(row["dealt"]) == deal.cards[(seat - deal.start) % 4 : 156 : 4]
            if settled is None:
                assert (row["won"], row["level_after"]) == (None, None)
                continue
            assert row["level_after"] == LEVELS[settled.next.levels[side]]
            won = sum(e.points for _, e in events(hand, TrickWon) if e.seat == seat)
            assert (row["captured"], row["cards_left"]) == (won, 0)
            is_dealers = side == last(hand, TrumpSet).dealer % 2
            assert row["side"] == (0 if is_dealers else 1)
            is_for_dealers = settled.result.name in ("HELD", "MATCH_TO_DEALERS")
            assert row["won"] is (is_dealers == is_for_dealers)


def test_every_show_is_a_row(archive: Path, hands: dict[str, Hand]) -> None:
    """All of them in order; the last one is that of the hand, and made its trump in a later one."""
    found, about = table(archive, "declarations", "event"), table(archive, "hands", "hand")
    rungs = set()
    for name, hand in hands.items():
        told = found.get(name, [])
        assert [(r["event"], r["kind"], r["seat"], r["cards"], r["after"]) for r in told] == [
            (k, "declared", e.seat, cards_text(e.cards), e.after) for k, e in events(hand, Declared)
        ]
        for row, (_, event) in zip(told, events(hand, Declared), strict=True):
            rungs.add(row["rung"])
            assert row["rung"] == rung(event.cards, carry(hand))
            assert row["trump"] == made(event, carry(hand))
        (row,) = about[name]
        stands = (told[-1]["rung"], told[-1]["seat"]) if told else (0, None)
        assert (row["rung"], row["declarer"]) == stands
        if told and told[-1]["trump"] and row["trump"]:
            assert row["trump"] == told[-1]["trump"]
    assert rungs == {1, 2, 3, 4, 5, 6}


def rung(cards: bytes, carry: GunziCarry) -> int:
    """As many level cards, 4 three 小王, 5 three 大王, 6 the 大王 of a first hand."""
    if carry.dealer is None:
        return 6
    return {BLACK: 4, RED: 5}.get(cards[0], len(cards))


def made(event: Declared, carry: GunziCarry) -> str | None:
    """The suit of the level cards, or that which the jokers name; none in a first hand."""
    if carry.dealer is None:
        return None
    return SUITS[event.named if event.cards[0] in (BLACK, RED) else event.cards[0] % 4]


def test_every_card_turned_up_is_a_row(archive: Path, hands: dict[str, Hand]) -> None:
    """Flipped by a seat or drawn, with the card that lies there in the deal of that time."""
    found = table(archive, "turned_cards", "event")
    assert {row["kind"] for told in found.values() for row in told} == {"flipped", "drawn"}
    for name, hand in hands.items():
        columns = ("event", "kind", "seat", "place", "card")
        told = [tuple(row[column] for column in columns) for row in found.get(name, [])]
        assert told == list(turned(hand))


def turned(hand: Hand) -> Iterator[tuple[Any, ...]]:
    """The cards of the bottom that the events turn up."""
    bottom = b""
    for k, event in enumerate(hand.events):
        match event:
            case Dealt():
                bottom = event.cards[156:]
            case Flipped():
                place = event.place
                yield k, "flipped", event.seat, place, cards_text(bottom[place : place + 1])
            case Drawn():
                place = event.place
                yield k, "drawn", None, place, cards_text(bottom[place : place + 1])
            case _:
                pass


def test_a_hand_dealt_anew_keeps_the_six_jokers_that_were_turned_up(
    archive: Path, hands: dict[str, Hand]
) -> None:
    """What was turned up before the second deal stands there, and nothing but jokers."""
    found = table(archive, "turned_cards", "event")
    anew = 0
    for name, hand in hands.items():
        for place, _ in events(hand, Redealt):
            before = [row for row in found[name] if row["event"] < place]
            assert sorted(row["card"] for row in before[-6:]) == ["Bj"] * 3 + ["Rj"] * 3
            assert sorted(row["place"] for row in before[-6:]) == [*range(6)]
            anew += 1
    assert anew > 0


def test_every_tribute_is_two_rows(archive: Path, hands: dict[str, Hand]) -> None:
    """Paid to the dealer by the seat before him, and as many returned to that seat."""
    found = table(archive, "tributes", "event")
    paid = 0
    for name, hand in hands.items():
        given = events(hand, TributePaid, TributeReturned)
        columns = ("event", "kind", "seat", "receiver", "cards", "n_cards")
        told = [tuple(row[column] for column in columns) for row in found.get(name, [])]
        for row, (place, event) in zip(told, given, strict=True):
            dealer, payer = carry(hand).dealer, (carry(hand).dealer or 0) - 1
            is_paid = isinstance(event, TributePaid)
            ends = (payer % 4, dealer) if is_paid else (dealer, payer % 4)
            kind = "paid" if is_paid else "returned"
            cards = (cards_text(event.cards), len(event.cards))
            assert row == (place, kind, *ends, *cards)
            paid += is_paid
        due = carry(hand).due_for_score + carry(hand).due_for_jokers
        assert all(row[-1] <= due for row in told)
        if events(hand, Played):
            assert bool(told) == (due > 0)
    assert paid > 10


def test_every_burial_is_a_row(archive: Path, hands: dict[str, Hand]) -> None:
    """The dealer's with the bottom he took, other seats' jokers with what they picked."""
    found = table(archive, "burials", "event")
    by_others = 0
    for name, hand in hands.items():
        columns = ("event", "seat", "taken", "cards", "points")
        told = [tuple(row[column] for column in columns) for row in found.get(name, [])]
        assert told == list(burials(hand))
        by_others += len(told[1:])
        if settled := last(hand, GunziSettled):
            assert bool(told) != found_dry(hand)
            bottom = final_bottom(hand)
            assert settled.bottom == (worth(bottom) if settled.fate else 0)
    assert by_others > 10


def burials(hand: Hand) -> Iterator[tuple[Any, ...]]:
    """The burials of the events; a seat that buries no jokers has none."""
    for k, event in events(hand, Buried, JokersBuried):
        match event:
            case Buried():
                bottom = last(hand, Dealt).cards[156:]
                told = (cards_text(bottom), cards_text(event.cards), worth(event.cards))
                yield k, event.seat, *told
            case JokersBuried() if event.jokers:
                yield k, event.seat, cards_text(event.picked), cards_text(event.jokers), 0


def found_dry(hand: Hand) -> bool:
    """Whether the bottom stayed as it was dealt."""
    return not events(hand, Buried)


def final_bottom(hand: Hand) -> bytes:
    """The six cards that lie there at the end."""
    bottom = bytearray(last(hand, Dealt).cards[156:])
    for _, event in events(hand, Buried, JokersBuried):
        if isinstance(event, Buried):
            bottom[:] = event.cards
            continue
        for card in event.picked:
            bottom.remove(card)
        bottom += event.jokers
    return bytes(bottom)


def worth(cards: bytes) -> int:
    """Points (分) in cards: 5, and 10 for 10 and K."""
    return sum({"5": 5, "T": 10, "K": 10}.get(face[0], 0) for face in cards_text(cards).split())


def test_plays_are_of_one_face_or_mixed(archive: Path, hands: dict[str, Hand]) -> None:
    """Single, pair or triple by the number of equal cards; a lead is never mixed."""
    found = table(archive, "plays", "event")
    kinds = set()
    for name, hand in hands.items():
        held = [39] * 4
        told = found.get(name, [])
        assert [row["event"] for row in told] == [k for k, _ in events(hand, Played)]
        for row in told:
            cards = parse_cards(row["cards"])
            held[row["seat"]] -= len(cards)
            assert row["cards_left"] == held[row["seat"]]
            kind = ("single", "pair", "triple")[len(cards) - 1] if len(set(cards)) == 1 else "mixed"
            assert (row["kind"], row["points"]) == (kind, worth(cards))
            assert not (row["is_lead"] and kind == "mixed")
            assert not row["is_bomb"]
            kinds.add(kind)
    assert kinds == {"single", "pair", "triple", "mixed"}


def test_other_games_have_none_of_it(archive: Path) -> None:
    """No row of the tables of 四副滚子, and NULL in its columns."""
    other = "JOIN hands USING (hand_id) WHERE game = 'dagong'"
    for name in ("turned_cards", "tributes", "declarations", "burials"):
        assert rows(archive, f"SELECT count(*) FROM {name} {other}") == [(0,)]
    columns = "due_for_score, due_for_jokers, bottom_is_dry, bottom_fate"
    counted = ", ".join(f"count({name})" for name in columns.split(", "))
    assert rows(archive, f"SELECT {counted} FROM hands WHERE game = 'dagong'") == [(0,) * 4]


def spoiled(hand: Hand, place: int, event: Event) -> list[Event]:
    """The hand with another event at one place, aborted behind it."""
    return [*hand.events[:place], event, HandAborted(5, AbortReason.OTHER)]


def indexed_alone(folder: Path, hand: list[Event]) -> Path:
    """An archive of one log of one hand."""
    path = folder / "a.paipu"
    path.write_bytes(builders.live_log([hand], GUNZI_HEAD))
    indexed(folder / "archive", path)
    return folder / "archive"


def test_trump_stands_as_it_was_announced(tmp_path: Path, hands: dict[str, Hand]) -> None:
    """A false announcement is one finding; trump and dealer are those that the table was told."""
    hand = next(h for h in hands.values() if h.index == 0 and events(h, TrumpSet))
    ((place, told),) = events(hand, TrumpSet)
    false = TrumpSet(Trump((told.trump + 1) % 4), (told.dealer + 1) % 4)
    archive = indexed_alone(tmp_path, spoiled(hand, place, false))
    shown = rows(archive, "SELECT trump, dealer, dealer_side FROM hands")
    assert shown == [(SUITS[false.trump], false.dealer, false.dealer % 2)]
    assert ("claim", place) in rows(archive, "SELECT kind, event FROM findings")


def test_what_blocks_is_no_row(tmp_path: Path, hands: dict[str, Hand]) -> None:
    """A place of the bottom that is not there: the flip is a finding, and nothing was turned up."""
    hand = next(h for h in hands.values() if h.index == 0 and events(h, Flipped))
    place, flip = events(hand, Flipped)[0]
    wrong = Flipped(flip.dt, flip.by, flip.seat, 6)
    archive = indexed_alone(tmp_path, spoiled(hand, place, wrong))
    assert rows(archive, "SELECT count(*) FROM turned_cards") == [(0,)]
    assert rows(archive, "SELECT kind, event FROM findings") == [("violation", place)]
    assert rows(archive, "SELECT dealer, trump, level, verified FROM hands") == [
        (None, None, "3", False)
    ]
