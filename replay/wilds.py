"""Which cards the wild jokers (癞子) of a play stand for."""

from collections.abc import Sequence

from replay.engine.game import Game, State
from replay.messages import text
from replay.walk import Step, told_in
from schema.cards import BLACK_JOKER, card_text
from schema.events import AnyPlay

Wilds = tuple[tuple[int, str], ...]
"""For each joker that stands for another card: its index in the play's cards, and the rank."""


def wilds_of(game: Game, state: State, play: AnyPlay) -> Wilds:
    """The wild jokers of a play as `state` reads it; none in most plays, and in most games."""
    jokers = [index for index, code in enumerate(play.cards) if code >= BLACK_JOKER]
    ranks = game.played(state, play).wilds if jokers else ""
    return tuple(zip(jokers, ranks, strict=True)) if ranks else ()


def wilds_in(game: Game, step: Step) -> Wilds:
    """The wild jokers of a walked event; none if it is no play, or no state is defined."""
    state = told_in(game, step)
    if state is None or not isinstance(step.event, AnyPlay):
        return ()
    return wilds_of(game, state, step.event)


def stand_for(game: Game, step: Step) -> list[tuple[int, str]]:
    """The same by the jokers' codes."""
    wilds = wilds_in(game, step)
    return wild_cards(step.event.cards, wilds) if isinstance(step.event, AnyPlay) else []


def wild_cards(cards: bytes, wilds: Wilds) -> list[tuple[int, str]]:
    """The jokers themselves, by their codes, and their ranks."""
    return [(cards[index], rank) for index, rank in wilds]


def wilds_text(cards: bytes, wilds: Wilds) -> str:
    """In notation, the same in every language: `Rj=3 Bj=4`; empty for none."""
    return " ".join(f"{card_text(card)}={rank}" for card, rank in wild_cards(cards, wilds))


_BETWEEN = {"zh": "，", "en": ", "}


def wilds_said(lang: str, wilds: Sequence[tuple[str, str]]) -> str:
    """What jokers, by their names, stand for: 大王当3; 王都当3 of several that are the same."""
    if len(wilds) > 1 and len({rank for _, rank in wilds}) == 1:
        return text(lang, "wild.all", rank=wilds[0][1])
    return _BETWEEN[lang].join(text(lang, "wild.one", card=card, rank=rank) for card, rank in wilds)
