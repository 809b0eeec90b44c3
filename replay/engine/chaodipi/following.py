"""What a follower owes to a lead (chaodipi-8): suit, pairs, tractors, 5.10.K."""

from typing import Literal

from msgspec import Struct

from replay.engine.chaodipi.order import TRUMP, Context
from replay.engine.chaodipi.rules import R
from replay.engine.chaodipi.shapes import Shape, lengths, pair_cards, pair_faces, pair_runs, wsks
from replay.engine.mechanics.holding import n_pairs, size
from replay.engine.mechanics.order import of_suit
from replay.engine.mechanics.runs import best_cut, profile


class Owed(Struct, frozen=True):
    """A duty that a play broke: its rule, the cards it could have been done with."""

    rule: R
    cards: bytes


def is_plain(context: Context, holding: int, lead: Shape, packed: int) -> bool:
    """Whether counting alone shows that an answer leaves no duty undone; most answers are so.

    What is not plain may be legal all the same: `broken` tells. `packed` is the answer, which is
    out of `holding`.
    """
    mask, n = context.masks[lead.suit], len(lead.cards)
    held, answer = holding & mask, packed & mask
    if n == 1 or not held:
        return bool(answer) or not held
    n_held = size(held)
    if size(answer) < min(n, n_held):
        return False
    if n_held <= n or not lead.slots:
        return not lead.is_wsk
    pairs = n_pairs(held)
    is_paired = n_pairs(answer) >= min(sum(lead.slots), pairs)
    # of a tractor it matters which pairs they are
    return is_paired and (pairs <= 1 or lead.slots[0] == 1)


def broken(
    context: Context,
    second_wsk: Literal["forced", "top_three"],
    holding: bytes,
    lead: Shape,
    cards: bytes,
) -> Owed | None:
    """The first duty that `cards`, out of a holding, leave undone; None if they may be played.

    There are as many as were led (chaodipi-8.1).
    """
    held = of_suit(context.order, holding, lead.suit)
    answer = of_suit(context.order, cards, lead.suit)
    n = len(lead.cards)
    if len(answer) < min(n, len(held)):
        return Owed(R.SUIT, held)
    if lead.is_wsk:
        return _wsk_duty(context, second_wsk, lead, held, answer)
    if len(held) <= n or not lead.slots:
        return None
    return _group_duty(context, lead, held, answer)


def _group_duty(context: Context, lead: Shape, held: bytes, answer: bytes) -> Owed | None:
    """chaodipi-8.4, 8.5: as many pairs, and tractors as long, as the suit has."""
    pairs = pair_faces(held)
    if not pairs:
        return None
    found = pair_runs(context, held)
    if len(pair_faces(answer)) < min(sum(lead.slots), len(pairs)):
        return Owed(R.PAIRS, _sufficient(found, lead))
    best = profile(lengths(found), lead.slots)
    if profile(lengths(pair_runs(context, answer)), lead.slots) != best:
        return Owed(R.TRACTORS, _sufficient(found, lead))
    return None


def _sufficient(found: tuple[bytes, ...], lead: Shape) -> bytes:
    """Pairs and tractors that would have done, of those that would."""
    return bytes(sorted(pair_cards(best_cut(found, lead.slots))))


def _wsk_duty(
    context: Context,
    second_wsk: Literal["forced", "top_three"],
    lead: Shape,
    held: bytes,
    answer: bytes,
) -> Owed | None:
    """chaodipi-8.7, 8.8: the other 5.10.K of the suit; else of trump the three strongest."""
    same = [wsk for wsk in wsks(context, held) if set(wsk) == set(lead.cards)]
    is_trump = lead.suit == TRUMP
    if same and not (is_trump and second_wsk == "top_three"):
        rule = R.TRUMP_WSK_FOLLOWED if is_trump else R.WSK_FOLLOWED
        return None if sorted(answer) == sorted(same[0]) else Owed(rule, same[0])
    if not is_trump:
        return None
    strength = context.order.strength
    best = sorted(held, key=lambda code: -strength[code])[: len(lead.cards)]
    if sorted(strength[code] for code in answer) != sorted(strength[code] for code in best):
        return Owed(R.TRUMP_WSK_FOLLOWED, bytes(sorted(best)))
    return None
