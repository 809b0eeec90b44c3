"""The broken samples made of hands: one wrong fact or one false claim, and the rest as it came."""

import io
from collections.abc import Sequence

from replay.verify import verify
from schema.events import Event
from schema.logfile import open_log
from tests.samples.forge import HandLog, Table, head, live
from tests.samples.scripts import is_played, steering
from tests.samples.seeds import seed_of
from tests.samples.sorts import Broken, Samples, Staged, Way


def hands_of(samples: Samples, sample: Broken) -> list[list[Event]]:
    """The hands as staged, or as a seed gives them, the last one bent where it can be."""
    way = sample.way
    if isinstance(way, Staged):
        return way.hands(way.house.options(samples.game))
    before, last = _played(samples, way, seed_of(samples.game, sample.name))
    return [*before, way.edit(last.events)]


def _played(samples: Samples, way: Way, seed: int) -> tuple[list[list[Event]], HandLog]:
    """The hands before the last, and that one."""
    game = samples.game
    table = Table(game, seed, way.house.options(game), blocked=samples.blocked)
    before = [table.hand().events for _ in range(way.n_hands - 1)]
    table.carry = way.opens(table.carry)
    return before, table.hand(way.meddle, way.lie, steering(way.script))


def live_form(game: str, sample: Broken, hands: Sequence[Sequence[Event]]) -> bytes:
    """The live log of the hands under the sample's name and options."""
    return live(head(game, sample.name, sample.way.house.options(game)), hands)


def broken_hands(samples: Samples, sample: Broken, seed: int) -> list[list[Event]] | None:
    """The hands of a seed if they break the sample's rule, once, and nothing else."""
    way = sample.way
    assert isinstance(way, Way)
    before, last = _played(samples, way, seed)
    hands = [*before, way.edit(last.events)]
    log = open_log(io.BytesIO(live_form(samples.game, sample, hands)))
    found = [finding.rule for finding in verify(log).findings]
    is_broken = found == [sample.rule.id] and is_played(way.script, last)
    return hands if is_broken else None
