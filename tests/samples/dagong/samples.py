"""All samples of 打拱."""

from replay.engine.dagong.rules import R
from tests.samples.dagong.clean import CLEAN
from tests.samples.dagong.ways import WAYS
from tests.samples.damage import DAMAGED
from tests.samples.matches import SPECIAL
from tests.samples.sorts import Samples

DAGONG = Samples("dagong", R, "goes_on", CLEAN, SPECIAL, WAYS, DAMAGED)
