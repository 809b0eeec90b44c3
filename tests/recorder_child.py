"""A process that records without end: `python -m tests.recorder_child PATH SYNC`.

After each event that `write` acknowledged it writes one byte to standard output, so whoever kills
it knows how many events must be in the file. `event_number` is the same in both processes.
"""

import os
import sys
from typing import cast

from replay.recorder import Recorder, Sync
from schema.events import By, ClimbingCarry, ClimbingOpening, Event, HandEnded, HandStarted, Played
from tests.builders import head

EVENTS_A_HAND = 12


def event_number(number: int) -> Event:
    """Event `number` of an endless match: hands of twelve events that only the format checks."""
    hand, place = divmod(number, EVENTS_A_HAND)
    if place == 0:
        return HandStarted(prev=bytes(32), at=hand)
    if place == 1:
        return ClimbingOpening(ClimbingCarry(hand + 1, hand % 4, (hand, 0, 0, -hand)))
    if place == EVENTS_A_HAND - 1:
        return HandEnded(dt=number)
    return Played(dt=number, by=By.BOT, seat=number % 4, cards=bytes(range(number % 20 + 1)))


def main(path: str, sync: str) -> None:
    """Record until somebody ends this process."""
    recorder = Recorder.create(path, head(), sync=cast(Sync, sync))
    number = 0
    while True:
        recorder.write(event_number(number))
        os.write(1, b".")
        number += 1


if __name__ == "__main__":
    main(*sys.argv[1:])
