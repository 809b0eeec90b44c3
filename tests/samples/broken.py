"""The broken samples made of hands: one wrong fact or one false claim, and the rest as it came."""

import io
from collections.abc import Sequence

from replay.verify import verify
from schema.events import Event
from schema.logfile import open_log
from tests.samples.forge import Table, head, live
from tests.samples.lies import TOLD, Told
from tests.samples.meddling import BENT, Bent
from tests.samples.settlements import SETTLEMENTS

Broken = Bent | Told
BROKEN: tuple[Broken, ...] = (*BENT, *TOLD, *SETTLEMENTS)


def hands_of(sample: Broken, seed: int) -> list[list[Event]]:
    """The hands that a seed gives, the last one bent where it can be."""
    table = Table(seed, sample.options)
    hands = [table.hand().events for _ in range(sample.n_hands - 1)]
    match sample:
        case Bent():
            last = table.hand(meddle=sample.meddle).events
        case Told():
            table.carry = sample.opens(table.carry)
            last = sample.edit(table.hand(lie=sample.lie).events)
    return [*hands, last]


def live_form(sample: Broken, hands: Sequence[Sequence[Event]]) -> bytes:
    """The live log of the hands under the sample's name and options."""
    return live(head(sample.name, sample.options), hands)


def broken_hands(sample: Broken, seed: int) -> list[list[Event]] | None:
    """The hands of a seed if they break the sample's rule, once, and nothing else."""
    hands = hands_of(sample, seed)
    log = open_log(io.BytesIO(live_form(sample, hands)))
    found = [finding.rule for finding in verify(log).findings]
    return hands if found == [sample.rule.id] else None
