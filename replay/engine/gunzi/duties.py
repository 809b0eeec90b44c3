"""What binds the seat in turn: tribute, burials, what is owed to a lead; for its own eye."""

from collections.abc import Iterator

from replay.engine.board import Phrase
from replay.engine.gunzi.bottom import most_buried
from replay.engine.gunzi.following import must_follow
from replay.engine.gunzi.order import TRUMP, Context
from replay.engine.gunzi.states import Asking, Paying, Playing, Returning
from replay.engine.gunzi.tribute import owed
from replay.engine.mechanics.holding import EMPTY, count, size, unpack
from schema.cards import SUITS
from schema.options import GunziOptions


def suit_word(suit: int) -> str:
    """An effective suit in the notation of the catalogue: d c h s, t for trumps."""
    return "t" if suit == TRUMP else SUITS[suit]


def tribute(state: Paying, has_cards: bool) -> tuple[Phrase, ...]:
    """How many cards are due, what for; for the payer's eye the largest that he has."""
    setting, carry = state.setting, state.setting.carry
    slots = (("n", setting.due), ("score", carry.due_for_score), ("jokers", carry.due_for_jokers))
    asked = Phrase("obligation.tribute", slots)
    if not has_cards:
        return (asked,)
    # gunzi-9.8: who has too few pays what he has.
    lapsed = (Phrase("obligation.lapses", (("n", setting.due - state.n),)),)
    largest = Phrase("obligation.largest", (("cards", owed(setting)),))
    return (asked, largest, *(lapsed if state.n < setting.due else ()))


def tribute_return(state: Returning) -> tuple[Phrase, ...]:
    """How many cards go back, and which the house wants."""
    rule = state.setting.house.options.tribute_return
    return (Phrase(f"obligation.return_{rule}", (("n", len(state.setting.paid)),)),)


def jokers(state: Asking, is_bottom_known: bool) -> tuple[Phrase, ...]:
    """How many jokers may be buried, for an eye that knows the bottom."""
    known = (Phrase("obligation.bury_jokers", (("n", most_buried(state)),)),)
    return known if is_bottom_known else ()


def answer(state: Playing, has_cards: bool) -> tuple[Phrase, ...]:
    """How many cards of which suit are asked; for the eye that has the cards also out of which."""
    lead, context = state.plays[0], state.table.context
    suit = context.order.suit[lead[0]]
    word = suit_word(suit)
    asked = Phrase("obligation.follow", (("n", len(lead)), ("suit", word)))
    if not has_cards:
        return (asked,)
    held = state.holdings[state.turn] & context.masks[suit]
    options = state.table.setting.house.options
    return (asked, *_owed(options, context, len(lead), held, word))


def _owed(
    options: GunziOptions, context: Context, n: int, held: int, word: str
) -> Iterator[Phrase]:
    if not held:
        yield Phrase("obligation.free", (("suit", word), ("n", n)))
        return
    least = must_follow(options, n, held)
    if least < min(n, size(held)):
        yield Phrase("obligation.shielded", (("suit", word), ("n", least)))
    elif size(held) <= n:
        cards = _down(context, unpack(EMPTY + held))
        yield Phrase("obligation.all_of_suit", (("suit", word), ("cards", cards)))
    if n > 1 and options.follow_mode == "dead":
        yield from _of_type(context, n, held)


def _of_type(context: Context, n: int, held: int) -> Iterator[Phrase]:
    """gunzi-7.7: the pairs for a pair; for a triple the triples, else the pairs."""
    cards = unpack(EMPTY + held)
    for copies in range(n, 1, -1):
        groups = bytes(code for code in cards if count(EMPTY + held, code) == copies)
        if groups:
            word = {2: "a_pair", 3: "a_triple"}[copies]
            yield Phrase(f"obligation.{word}", (("cards", _down(context, groups)),))
            return


def _down(context: Context, cards: bytes) -> bytes:
    """From the strongest to the weakest."""
    return bytes(sorted(cards, key=lambda code: (-context.height[code], code)))
