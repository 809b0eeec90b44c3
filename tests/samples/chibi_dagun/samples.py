"""All samples of 赤壁打滚."""

from replay.engine.chibi_dagun.rules import R
from tests.samples.chibi_dagun.clean import CLEAN
from tests.samples.chibi_dagun.damage import DAMAGED
from tests.samples.chibi_dagun.ways import WAYS
from tests.samples.matches import SPECIAL
from tests.samples.sorts import Samples

CHIBI_DAGUN = Samples("chibi_dagun", R, "aborted", CLEAN, SPECIAL, WAYS, DAMAGED)
