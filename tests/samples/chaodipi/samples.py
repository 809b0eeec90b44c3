"""All samples of 炒地皮."""

from replay.engine.chaodipi.rules import R
from tests.samples.chaodipi.clean import RESULTS, SHOWS, STIRS
from tests.samples.chaodipi.damage import DAMAGED
from tests.samples.chaodipi.matches import SPECIAL
from tests.samples.chaodipi.options import OPTIONS
from tests.samples.chaodipi.plays import LEADS
from tests.samples.chaodipi.ways import WAYS
from tests.samples.clean import RANDOM_PLAYERS
from tests.samples.sorts import Clean, Samples, Staged

_CLEAN: tuple[Clean | Staged, ...] = (*SHOWS, *STIRS, *LEADS, *RESULTS, *OPTIONS, RANDOM_PLAYERS)
CHAODIPI = Samples("chaodipi", R, "aborted", _CLEAN, SPECIAL, WAYS, DAMAGED)
