"""The broken samples made of hands: one wrong fact or one false claim, and the rest as it came."""

import io
from collections.abc import Sequence

from replay.verify import verify
from schema.events import Event
from schema.logfile import open_log
from tests.samples.forge import Table, head, live
from tests.samples.scripts import steering
from tests.samples.sorts import Broken


def hands_of(game: str, sample: Broken, seed: int) -> list[list[Event]]:
    """The hands that a seed gives, the last one bent where it can be."""
    way = sample.way
    table = Table(game, seed, way.house.options(game))
    hands = [table.hand().events for _ in range(way.n_hands - 1)]
    table.carry = way.opens(table.carry)
    last = table.hand(way.meddle, way.lie, steering(way.script))
    return [*hands, way.edit(last.events)]


def live_form(game: str, sample: Broken, hands: Sequence[Sequence[Event]]) -> bytes:
    """The live log of the hands under the sample's name and options."""
    return live(head(game, sample.name, sample.way.house.options(game)), hands)


def broken_hands(game: str, sample: Broken, seed: int) -> list[list[Event]] | None:
    """The hands of a seed if they break the sample's rule, once, and nothing else."""
    hands = hands_of(game, sample, seed)
    log = open_log(io.BytesIO(live_form(game, sample, hands)))
    found = [finding.rule for finding in verify(log).findings]
    return hands if found == [sample.rule.id] else None
