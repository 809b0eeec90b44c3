"""叫牌: which card is called, and which cards were tried before it (chibi_dagun-3.1 to 3.4)."""

from replay.engine.climbing.call import Call, first_dealt, first_single
from schema.options import ChibiDagunOptions


def call(options: ChibiDagunOptions, cards: bytes) -> Call:
    """The call of a later hand from the dealer's cards in deal order."""
    if options.later_call == "random_single":
        return Call(None, b"")
    found = first_dealt(cards)
    if found.called is None and options.recall_fallback == "first_single":
        called = first_single(cards)
        return Call(called, found.trail + bytes([called]))
    return found
