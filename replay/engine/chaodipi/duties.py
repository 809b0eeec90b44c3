"""What the seat in turn owes to a lead, for its own eye: suit, pairs, tractors, 5.10.K."""

from collections.abc import Iterator

from replay.engine.board import Phrase
from replay.engine.chaodipi.order import TRUMP, Context
from replay.engine.chaodipi.shapes import Shape, lengths, pair_cards, pair_faces, pair_runs, wsks
from replay.engine.chaodipi.states import Playing
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.order import of_suit
from replay.engine.mechanics.runs import profile
from schema.cards import SUITS


def duties(state: Playing, has_cards: bool) -> tuple[Phrase, ...]:
    """How many cards of which suit are asked; for the eye that has the cards also out of which."""
    lead = state.lead
    assert lead is not None
    suit = suit_word(lead.suit)
    asked = Phrase("obligation.follow", (("n", len(lead.cards)), ("suit", suit)))
    if not has_cards:
        return (asked,)
    held = of_suit(state.context.order, unpack(state.holdings[state.turn]), lead.suit)
    return (asked, *_owed(state, lead, held, suit))


def suit_word(suit: int) -> str:
    """An effective suit in the notation of the catalogue: d c h s, t for trumps."""
    return "t" if suit == TRUMP else SUITS[suit]


def _owed(state: Playing, lead: Shape, held: bytes, suit: str) -> Iterator[Phrase]:
    context, n = state.context, len(lead.cards)
    named = (("suit", suit), ("cards", _down(context, held)))
    if not held:
        yield Phrase("obligation.free", (("suit", suit), ("n", n)))
    elif len(held) <= n:
        yield Phrase("obligation.all_of_suit", named)
    elif lead.is_wsk:
        yield from _owed_wsk(state, lead, held)
    else:
        yield from _owed_groups(context, lead, held)


def _owed_wsk(state: Playing, lead: Shape, held: bytes) -> Iterator[Phrase]:
    """chaodipi-8.7, 8.8: the other 5.10.K of the suit; else of trump the three strongest."""
    is_trump = lead.suit == TRUMP
    rule = state.setting.house.options.second_trump_wsk
    same = [wsk for wsk in wsks(state.context, held) if set(wsk) == set(lead.cards)]
    if same and not (is_trump and rule == "top_three"):
        yield Phrase("obligation.same_wsk", (("cards", same[0]),))
    elif is_trump:
        yield Phrase("obligation.strongest", (("n", 3), ("cards", _down(state.context, held)[:3])))


def _owed_groups(context: Context, lead: Shape, held: bytes) -> Iterator[Phrase]:
    """chaodipi-8.4, 8.5: so many pairs, and tractors so long, and the cards that have them."""
    faces = pair_faces(held)
    owed = min(sum(lead.slots), len(faces))
    if not owed:
        return
    yield Phrase("obligation.pairs", (("n", owed), ("cards", _down(context, pair_cards(faces)))))
    runs = pair_runs(context, held)
    long = [length for length in profile(lengths(runs), lead.slots) if length > 1]
    if long:
        tractors = b"".join(pair_cards(run) for run in runs if len(run) > 1)
        told = " + ".join(map(str, long))
        yield Phrase("obligation.tractors", (("n", told), ("cards", _down(context, tractors))))


def _down(context: Context, cards: bytes) -> bytes:
    """From the strongest to the weakest."""
    return bytes(sorted(cards, key=lambda code: (-context.order.strength[code], code)))
