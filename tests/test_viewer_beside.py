"""Beside the table: the card counter is what a seat can count, over the samples of every game."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from replay.engine.board import Board, Phrase
from replay.engine.chaodipi import order as chaodipi_order
from replay.engine.chaodipi.presets import DEFAULT as CHAODIPI
from replay.engine.gunzi import order as gunzi_order
from replay.engine.mechanics.order import CardOrder, ascending
from replay.engine.registry import game_names
from replay.reader import Moment, trump_faces
from replay.reader.handpage import walked
from replay.reader.moments import moments
from replay.reader.out import IN_A_HAND
from replay.verify import HandResult
from schema.cards import ALL_CODES, SUITS
from schema.events import Dealt
from schema.items import Hand
from schema.logfile import open_log

SAMPLES = Path(__file__).parent.parent / "sample_logs"

TRUMP = 4
"""The effective suit of trumps, as both level games number it."""


def first_hands(game: str) -> Iterator[tuple[str, HandResult]]:
    """The first hand of every third clean sample of a game, walked."""
    for path in sorted((SAMPLES / game / "clean").iterdir())[::3]:
        with path.open("rb") as stream:
            log = open_log(stream)
            yield path.name, walked(log, next(i for i in log.items() if isinstance(i, Hand)))


def known_below(board: Board) -> Counter[int]:
    """What a seat knows of cards that are in no hand, and have not been played."""
    bottom = board.bottom
    if bottom is None or (bottom.label and bottom.label.key == IN_A_HAND):
        return Counter()
    return Counter(bottom.turned if bottom.cards is None else bottom.cards)


def lies_dealt(board: Board) -> bool:
    """Whether cards have been dealt, and not thrown in to be dealt anew."""
    return board.trick > 0 or any(view.count for view in board.seats)


class Count:
    """Counts as a player does: with the deck, and with nothing but what one seat is shown."""

    def __init__(self, deck: bytes, eye: int) -> None:
        self.deck = Counter(deck)
        self.eye = eye
        self.gone: Counter[int] = Counter()
        self.before: Board | None = None

    def out(self, moment: Moment) -> Counter[int]:
        """What is out after an event whose board this seat sees."""
        board = moment.board
        assert board is not None
        before, self.before = self.before, board
        if before is not None and before is not board and before.table and not board.table:
            for laid in before.table:
                self.gone += Counter(laid.cards)
            if moment.standing == "fact":
                self.gone += Counter(moment.cards)
        left = Counter(self.deck)
        for laid in board.table:
            left.subtract(laid.cards)
        left.subtract(self.gone)
        left.subtract(board.seats[self.eye].cards or b"")
        left.subtract(known_below(board))
        return Counter({code: n for code, n in left.items() if n})


def of_counts(out: bytes | None) -> Counter[int]:
    """The multiset that 54 counts describe."""
    assert out is not None
    return Counter({code: n for code, n in enumerate(out) if n})


@pytest.mark.parametrize("game", game_names())
def test_the_counter_is_what_a_player_can_count(game: str) -> None:
    """All cards less those played, the own ones, and a bottom that was seen: at every event."""
    steps = 0
    for name, result in first_hands(game):
        deck = next((s.event.cards for s in result.steps if isinstance(s.event, Dealt)), b"")
        for eye in range(4):
            count = Count(deck, eye)
            for moment in moments(result, (), eye):
                if moment.board is None:
                    continue
                steps += 1
                expected = count.out(moment) if lies_dealt(moment.board) else Counter()
                assert of_counts(moment.out) == expected, (name, eye, moment.index)
    assert steps > 1000


@pytest.mark.parametrize("game", game_names())
def test_the_counter_is_what_the_others_hold_and_what_lies_unseen(game: str) -> None:
    """The union of the other hands, and of a bottom that the seat does not see."""
    hidden = 0
    for name, result in first_hands(game):
        full = moments(result, (), None)
        for eye in range(4):
            for all_cards, moment in zip(full, moments(result, (), eye), strict=True):
                if all_cards.board is None or moment.board is None:
                    continue
                others = (view.cards or b"" for view in all_cards.board.seats if view.seat != eye)
                union = Counter(b"".join(others))
                below, seen = all_cards.board.bottom, moment.board.bottom
                if below and seen and seen.cards is None and not known_in_a_hand(below.label):
                    union += Counter(below.cards) - Counter(below.turned)
                    hidden += eye not in all_cards.knowers
                assert of_counts(moment.out) == union, (name, eye, moment.index)
    assert (hidden > 0) == (game in {"chaodipi", "gunzi"})


def known_in_a_hand(label: Phrase | None) -> bool:
    """Whether a bottom has been taken up: then its cards are in that seat's hand."""
    return label is not None and label.key == IN_A_HAND


def orders() -> Iterator[tuple[int, CardOrder]]:
    """Every trump suit (4 for none) with the order that it makes at every level."""
    for trump in range(5):
        for level in range(len(chaodipi_order.LEVELS)):
            yield trump, chaodipi_order.context(CHAODIPI, level, trump).order
        for level in range(1, len(gunzi_order.LEVELS)):
            yield trump, gunzi_order.context(level, trump).order


def test_trumps_are_told_by_the_order_alone() -> None:
    """Of every level and trump suit of both level games, the faces that the engine calls trumps."""
    for trump, order in orders():
        faces = ascending(order, ALL_CODES)
        suit = (("suit", SUITS[trump]),) if trump < TRUMP else ()
        told = trump_faces(faces, Phrase("trump.any", suit))
        assert told == bytes(code for code in faces if order.suit[code] == TRUMP)


def test_a_game_without_an_order_has_no_trumps() -> None:
    """Where faces lie in the order of their codes, none is told to be a trump."""
    assert trump_faces(None, None) == b""
