"""Gaps: those that damage makes while reading, and those that a RECOVERED record states."""

from schema.damage import Damage, Fault
from schema.frames import HAND_GAPS
from schema.head import text_flaw
from schema.records import MOST_HANDS, Recovered
from schema.scan import Search
from schema.strict import Misfit


def gap_damage(
    search: Search, misfit: Misfit, offset: int, target: int | None, record: int
) -> Damage:
    """The damage of a place where no good frame stands; `target`: the next good one, if found.

    No good frame behind it is a torn tail: what a crash leaves of the last write.
    """
    fault, found = misfit.fault, misfit.found
    if target is not None:
        # A length that runs beyond the end of the file although the file goes on.
        fault = Fault.BAD_LENGTH if fault is Fault.TORN_TAIL else fault
        found += f"; {target - offset} bytes unreadable, the next good frame at {target}"
    else:
        rest = search.size - offset
        found += f"; {rest} bytes to the end of the file"
        if search.given_up:
            fault = Fault.UNREADABLE_REST
            found += ", the search for a good frame given up"
        else:
            fault = fault if fault is Fault.MOVED_FRAME else Fault.TORN_TAIL
            found += ", no good frame among them"
    return Damage(fault, record, offset + misfit.at, misfit.expected, found)


def check_gap(gap: Recovered, index: int | None, floor: int, n_events: int, n_gaps: int) -> None:
    """Misfit if a RECOVERED record does not belong where it stands.

    `index`: of the open or next hand, None if damage has hidden it, then at least `floor`;
    `n_events`, `n_gaps`: how many events and gaps the open hand has.
    """
    if gap.events != n_events:
        raise _bad(f"a gap after {n_events} events of hand {index}", f"after {gap.events}")
    if gap.events and gap.hands_lost:
        raise _bad("no hands lost inside a hand", f"{gap.hands_lost}")
    if gap.events and n_gaps >= HAND_GAPS:
        raise _bad(f"at most {HAND_GAPS} gaps inside a hand", "one more")
    if gap.hand < floor or index not in (None, gap.hand):
        raise _bad(f"a gap at hand {floor}", f"at hand {gap.hand}")
    if gap.hand + gap.hands_lost > MOST_HANDS:
        expected = f"no more than {MOST_HANDS} hands before the next one"
        raise _bad(expected, f"{gap.hand} and {gap.hands_lost} lost")
    flaw = text_flaw(gap.reason)
    if flaw:
        raise _bad("a reason in NFC without control characters", flaw)


def _bad(expected: str, found: str) -> Misfit:
    return Misfit(Fault.BAD_RECOVERED, expected, found)
