"""All samples of 四副滚子."""

from replay.engine.gunzi.rules import R
from tests.samples.clean import RANDOM_PLAYERS
from tests.samples.gunzi.clean import CRASHES, FIRST_SHOWS, LATER_SHOWS, TURNED
from tests.samples.gunzi.damage import DAMAGED
from tests.samples.gunzi.matches import SPECIAL
from tests.samples.gunzi.options import OPTIONS
from tests.samples.gunzi.results import BOTTOMS, RESULTS, TRIBUTES
from tests.samples.gunzi.tricks import TRICKS
from tests.samples.gunzi.ways import WAYS
from tests.samples.sorts import Clean, Samples, Staged

_CLEAN: tuple[Clean | Staged, ...] = (
    *(*FIRST_SHOWS, *TURNED, *LATER_SHOWS, *TRIBUTES, *BOTTOMS, *TRICKS, *RESULTS, *OPTIONS),
    *CRASHES,
    RANDOM_PLAYERS,
)
GUNZI = Samples("gunzi", R, "aborted", _CLEAN, SPECIAL, WAYS, DAMAGED)
