"""What a log of 赤壁打滚 says, told to the oracle."""

from copy import copy

from schema.cards import card_text
from schema.events import (
    CallDrawn,
    Dealt,
    Fact,
    HandEnded,
    Passed,
    Played,
    PlayedAs,
    PlayKind,
    PlayRank,
    SoloAnswered,
    TurnedUp,
)
from tests.oracle_chibi_dagun import Hand, Illegal
from tests.oracle_chibi_types import RANKS, Declared
from tests.oracle_log import faces


def declared_by(fact: PlayedAs) -> Declared:
    """The reading in a play, as the oracle writes it."""
    rank = "" if fact.rank == PlayRank.NONE else RANKS[fact.rank]
    return fact.kind.name.lower(), rank


def declaring(cards: Played, declared: Declared) -> PlayedAs:
    """The play with a reading said."""
    kind, rank = declared
    named = PlayRank(RANKS.index(rank)) if rank else PlayRank.NONE
    return PlayedAs(cards.dt, cards.by, cards.seat, cards.cards, PlayKind[kind.upper()], named)


def tell(hand: Hand, fact: Fact) -> None:
    """Tell the oracle a fact; Illegal if it is not allowed."""
    match fact:
        case Dealt():
            hand.deal(fact.start, faces(fact.cards))
        case TurnedUp():
            hand.turn_up(fact.index)
        case CallDrawn():
            hand.draw(card_text(fact.card))
        case SoloAnswered():
            hand.answer(fact.seat, fact.yes)
        case Played():
            hand.play(fact.seat, faces(fact.cards))
        case PlayedAs():
            hand.play(fact.seat, faces(fact.cards), declared_by(fact))
        case Passed():
            hand.skip(fact.seat)
        case HandEnded():
            if hand.phase != "over":
                raise Illegal("the hand is not over")
            hand.due = []
        case _:
            raise AssertionError(f"no fact of the oracle's: {fact}")


def heard(hand: Hand, fact: Fact) -> Hand | None:
    """The hand after the fact, None if it is refused; the hand itself is not told."""
    twin = copy(hand)
    for name, value in vars(hand).items():
        if name in ("hands", "dealt"):
            setattr(twin, name, [list(cards) for cards in value])
        elif isinstance(value, list | set):
            setattr(twin, name, type(value)(value))
    try:
        tell(twin, fact)
    except Illegal:
        return None
    return twin
