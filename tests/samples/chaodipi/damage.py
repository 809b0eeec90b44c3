"""What is damaged in files of 炒地皮 alone: house rules, shows, trumps, a bottom."""

from schema.strict import ENCODER
from tests.samples.damage import edited, event_replaced, reframed
from tests.samples.files import TEXT, Damaged

DAMAGED: tuple[Damaged, ...] = (
    Damaged(
        "bad_options",
        "unknown-word",
        "A house rule has a word that it cannot have.",
        edited('"over_ruff":"largest_component"', '"over_ruff":"longest"'),
        TEXT,
    ),
    Damaged(
        "bad_event",
        "no-such-trump",
        "A trump is announced that there is not.",
        reframed(event_replaced(ENCODER.encode((71, 5, 1)))),
    ),
    Damaged(
        "bad_event",
        "no-such-rung",
        "A trump is announced with a rung that there is not.",
        reframed(event_replaced(ENCODER.encode((71, 3, 9)))),
    ),
    Damaged(
        "bad_event",
        "shown-after-more-cards-than-are-dealt",
        "Cards are shown after the 101st card of the deal.",
        reframed(event_replaced(ENCODER.encode((64, 100, 0, 1, b"\x30", 5, 101)))),
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
