"""One hand's events: decoded whole where all is well, one by one to name what is not."""

from collections.abc import Callable
from itertools import groupby

from schema.damage import Damage, Fault, followed
from schema.events import Event, HandAborted, HandEnded, HandStarted
from schema.schemas import Schema
from schema.strict import Misfit, decode_event

BORDERS = frozenset((HandStarted, HandEnded, HandAborted))
STARTS = b"\x01"
ENDS = (b"\x02", b"\x03")
"""Tags of the events at a hand's borders, as they stand in the second byte of a payload."""

Place = Callable[[int], tuple[int, int]]
"""Event number → its record number and the offset of its payload."""


def tag_of(payload: bytes) -> bytes:
    """The tag byte of an encoded event, undecoded; empty for a payload too short to have one."""
    return payload[1:2]


def is_whole(events: list[Event]) -> bool:
    """HandStarted first, HandEnded or HandAborted last, neither between."""
    return is_begun(events) and type(events[-1]) in (HandEnded, HandAborted)


def is_begun(events: list[Event]) -> bool:
    """HandStarted first, and no hand's border before the last event."""
    if not events or type(events[0]) is not HandStarted:
        return False
    return BORDERS.isdisjoint(map(type, events[1:-1])) and (
        len(events) == 1 or type(events[-1]) is not HandStarted
    )


def event_faults(schema: Schema, payloads: list[bytes], place: Place, hand: int) -> list[Damage]:
    """What cannot be read of these events, in order: a run of them is one damage."""
    faults = []
    misfits = enumerate(_misfit(schema, payload) for payload in payloads)
    for is_good, run in groupby(misfits, lambda pair: pair[1] is None):
        if is_good:
            continue
        (number, misfit), *more = run
        assert misfit is not None, "the run is of those that are no events"
        faults.append(followed(misfit.damage(*place(number), hand, number), len(more), "event"))
    return faults


def _misfit(schema: Schema, payload: bytes) -> Misfit | None:
    """Why a payload is no event; None if it is one."""
    try:
        decode_event(schema, payload)
    except Misfit as misfit:
        return misfit
    return None


def border_fault(payloads: list[bytes], place: Place, hand: int) -> Damage | None:
    """What breaks "HandStarted first, an end last at most, neither between"; looks at tags only.

    An open end is none: the caller knows if that is a fault.
    """
    for number, payload in enumerate(payloads):
        if number == 0 and tag_of(payload) != STARTS:
            return outside(payloads, place, hand, 0)
        if number and tag_of(payload) == STARTS:
            return second_start(payloads, place, hand, number)
        if number and tag_of(payloads[number - 1]) in ENDS:
            return outside(payloads, place, hand, number)
    return None


def outside(payloads: list[bytes], place: Place, hand: int | None, number: int) -> Damage:
    """Event `number` stands where no hand is open."""
    expected = "HandStarted" if number == 0 else "nothing after the hand's last event"
    found = f"an event with tag {tag_of(payloads[number]).hex() or 'missing'}"
    return Damage(Fault.EVENT_OUTSIDE_HAND, *place(number), expected, found, hand, number)


def second_start(payloads: list[bytes], place: Place, hand: int | None, number: int) -> Damage:
    """Event `number` starts a hand while the one before it is not closed."""
    if tag_of(payloads[number - 1]) in ENDS:
        fault, expected = Fault.HAND_NOT_COMMITTED, "the HAND record of the hand that ended"
    else:
        fault, expected = Fault.HAND_NOT_ENDED, "HandEnded or HandAborted"
    return Damage(fault, *place(number), expected, "HandStarted", hand, number)
