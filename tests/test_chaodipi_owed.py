"""There is a legal answer to every lead, however many pairs are held: it is listed."""

import random

import pytest

from replay.engine.chaodipi.following import broken
from replay.engine.chaodipi.moves import answers
from replay.engine.chaodipi.order import context
from replay.engine.chaodipi.presets import DEFAULT
from replay.engine.chaodipi.shapes import shape
from replay.engine.mechanics.runs import best_cut, profile
from schema.cards import parse_cards

DIAMONDS = 0


@pytest.mark.parametrize(
    ("level", "holding", "lead"),
    [
        (
            0,
            "3d 3d 4d 4d 5d 5d 7d 7d 8d 8d 9d 9d Td Td 2c 2c 2h 2h 2s 2s Bj Bj Rj Rj 3c",
            "5h Jd Jd Qd Qd Kd Kd Ad Ad",
        ),
        (
            3,
            "5c 5s 5s 7d 7d 8d 8d 9d 9d Jd Jd Qd Qd Kd Kd Ad Ad 2d 2d Bj Bj Rj",
            "3d 3d 4d 4d 5d 5d 5h 6d 6d",
        ),
    ],
)
def test_a_tractor_that_is_owed_out_of_many_pairs_is_found(
    level: int, holding: str, lead: str
) -> None:
    """Trying sets in turn would not come to it."""
    table, cards = context(DEFAULT, level, DIAMONDS), parse_cards(holding)
    led = shape(table, parse_cards(lead))
    assert led is not None
    listed = list(answers(DEFAULT, table, cards, led))
    assert listed
    assert [broken(table, "forced", cards, led, answer) for answer in listed] == [None] * len(
        listed
    )


def test_the_best_cut_has_the_greatest_profile() -> None:
    """Random runs of faces against random slots."""
    rng = random.Random("cut")
    for _ in range(2000):
        faces = iter(range(54))
        runs = tuple(
            sorted(
                (
                    bytes(next(faces) for _ in range(rng.randint(1, 5)))
                    for _ in range(rng.randint(0, 4))
                ),
                key=len,
                reverse=True,
            )
        )
        slots = tuple(sorted((rng.randint(1, 4) for _ in range(rng.randint(1, 4))), reverse=True))
        goal = profile(tuple(map(len, runs)), slots)
        cut = best_cut(runs, slots)
        assert len(set(cut)) == len(cut) == sum(goal)
        pieces = [[face for face in run if face in cut] for run in runs]
        lengths = sorted((len(part) for run in pieces for part in _runs(run)), reverse=True)
        assert profile(tuple(lengths), slots) == goal


def _runs(faces: list[int]) -> list[list[int]]:
    """Consecutive faces, together."""
    found: list[list[int]] = []
    for face in faces:
        if found and found[-1][-1] == face - 1:
            found[-1].append(face)
        else:
            found.append([face])
    return found
