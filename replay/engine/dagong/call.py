"""叫牌: which card is called, and which cards were tried before it (dagong-3.1 to 3.4)."""

from replay.engine.climbing.call import Call, first_dealt, first_single
from schema.options import DagongOptions


def call(options: DagongOptions, cards: bytes) -> Call:
    """The call of a later hand from the dealer's cards in deal order."""
    match options.call_rule:
        case "first_dealt":
            return first_dealt(cards)
        case "first_single":
            card = first_single(cards)
            return Call(card, bytes([card]))
        case "random_single":
            return Call(None, b"")
