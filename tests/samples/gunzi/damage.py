"""What is damaged in files of 四副滚子 alone: house rules, shows, places, trumps, a bottom."""

from schema.strict import ENCODER
from tests.samples.damage import edited, event_replaced, reframed
from tests.samples.files import TEXT, Damaged

DAMAGED: tuple[Damaged, ...] = (
    Damaged(
        "bad_options",
        "unknown-word",
        "A house rule has a word that it cannot have.",
        edited('"pick_tie":"rank"', '"pick_tie":"suit"'),
        TEXT,
    ),
    Damaged(
        "bad_event",
        "no-such-trump",
        "A trump is announced that there is not.",
        reframed(event_replaced(ENCODER.encode((105, 5, 1)))),
    ),
    Damaged(
        "bad_event",
        "no-such-dealer",
        "A seat is announced as dealer that there is not.",
        reframed(event_replaced(ENCODER.encode((105, 3, 4)))),
    ),
    Damaged(
        "bad_event",
        "shown-after-more-cards-than-are-dealt",
        "Cards are shown after the 157th card of the deal.",
        reframed(event_replaced(ENCODER.encode((96, 100, 0, 1, b"\x35", 5, 157)))),
    ),
    Damaged(
        "bad_event",
        "flipped-without-a-place",
        "A card is turned up, and it is not said at which place.",
        reframed(event_replaced(ENCODER.encode((98, 100, 0, 1)))),
    ),
    Damaged(
        "bad_event",
        "bottom-without-dry",
        "The bottom is shown, and it is not said whether it is dry.",
        reframed(event_replaced(ENCODER.encode((106, b"\x00\x01\x02\x03\x04\x05")))),
    ),
    Damaged(
        "chain_broken",
        "first-hand-edited",
        "A think time of the first hand is changed.",
        edited('"dt":1', '"dt":2'),
        TEXT,
    ),
)
"""What damage does to files in general is shown by the samples of 打拱."""
