"""What is damaged in files of 赤壁打滚 alone: house rules, and plays with their reading."""

from schema.strict import ENCODER
from tests.samples.damage import edited, event_replaced, reframed
from tests.samples.files import TEXT, Damaged

_PLAYED_AS = (39, 100, 0, 1, b"\x01\x00")
"""The fields of a declared play but for what it is declared to be."""

DAMAGED: tuple[Damaged, ...] = (
    Damaged(
        "bad_options",
        "unknown-word",
        "A house rule has a word that it cannot have.",
        edited('"wild_reading":"declared_or_max"', '"wild_reading":"declared"'),
        TEXT,
    ),
    Damaged(
        "bad_event",
        "declared-a-straight",
        "A play is declared to be of a type that there is not.",
        reframed(event_replaced(ENCODER.encode((*_PLAYED_AS, 12, 1)))),
    ),
    Damaged(
        "bad_event",
        "declared-without-a-rank",
        "A declared play lacks its rank.",
        reframed(event_replaced(ENCODER.encode((*_PLAYED_AS, 1)))),
    ),
    Damaged(
        "chain_broken",
        "first-hand-edited",
        "A think time of the first hand is changed.",
        edited('"dt":1', '"dt":2'),
        TEXT,
    ),
)
"""What damage does to files in general is shown by the samples of the other game."""
