"""The rule books as shipped, taken apart, and the values of each game that they speak of."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from replay.engine.chaodipi import presets as chaodipi
from replay.engine.chaodipi.rules import R as ChaodipiRules
from replay.engine.chibi_dagun import presets as chibi_dagun
from replay.engine.chibi_dagun import settlement as chibi_dagun_settlement
from replay.engine.chibi_dagun.rules import R as ChibiDagunRules
from replay.engine.chibi_dagun.types import Types as ChibiDagunTypes
from replay.engine.dagong import presets as dagong
from replay.engine.dagong import settlement as dagong_settlement
from replay.engine.dagong.rules import R as DagongRules
from replay.engine.dagong.types import Types as DagongTypes
from replay.engine.gunzi import presets as gunzi
from replay.engine.gunzi.rules import R as GunziRules
from replay.engine.mechanics.plays import Play
from replay.engine.rule import Rule
from schema.events import ClimbingBonus, ClimbingResult
from schema.options import ChibiDagunOptions, DagongOptions, Options
from schema.schemas import SCHEMAS, Schema

FRIENDS = (0, 0, 1, 1)
"""Seats 0 and 1 against 2 and 3."""


class Entry(Struct, frozen=True):
    """One rule of the book: its class, its sentence, the source's words, its notes."""

    kind: str
    sentence: str
    source: str
    notes: str


class Book(Struct, frozen=True):
    """A game's rule book and the values that it speaks of."""

    game: str
    rules: type[Rule]
    schema: Schema
    default: Options
    presets: Mapping[str, Options]
    version: str

    @property
    def text(self) -> str:
        """The book as shipped."""
        folder = Path(__file__).parent.parent / "replay/engine"
        return (folder / self.game / "RULES.md").read_text("utf-8")

    @property
    def entries(self) -> dict[str, Entry]:
        """Its rules by id, in the order of the book."""
        parts = re.split(rf"^### ({self.game}-\d+\.\d+) — (\w+)\n", self.text, flags=re.MULTILINE)
        return {
            id: _entry(kind, re.split(r"^#|^\|", body, maxsplit=1, flags=re.MULTILINE)[0])
            for id, kind, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
        }

    def rows(self, heading: str) -> list[tuple[str, ...]]:
        """The cells of all tables under a heading, head rows left out."""
        pattern = rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)"
        found = re.search(pattern, self.text, re.MULTILINE | re.DOTALL)
        assert found, f"the book has no heading {heading!r}"
        lines = re.findall(r"^\|(.*)\|\n(?!\|---)", found.group(1), re.MULTILINE)
        return [
            tuple(cell.strip() for cell in line.split("|")) for line in lines if line[:3] != "---"
        ]

    def numbered(self, numbers: str) -> list[str]:
        """The ids of rules that a text names by their numbers."""
        found = re.findall(r"(?<![\d.])\d+\.\d+(?![\d.])", numbers)
        return [f"{self.game}-{number}" for number in found]


class ClimbingBook(Book, frozen=True):
    """The rule book of a climbing game.

    `bombs` are one of each level, weakest first; `classify` their readings with the default
    options. `coins` and `levels` are the headings under which the tables stand; `fans` are those
    of a friend hand, as the table of coins has it.
    """

    levels: str
    bombs: tuple[str, ...]
    classify: Callable[[bytes], tuple[Play, ...]]
    coins: str
    fans: Mapping[str, int]
    solo_fan: int
    bonus: Callable[[ClimbingBonus], tuple[int, int, int, int]]


def _entry(kind: str, body: str) -> Entry:
    sentence, source, *notes = body.strip().split("\n\n")
    assert source.startswith("> ")
    return Entry(kind, " ".join(sentence.split()), source[2:], " ".join(notes))


def _fans(options: DagongOptions | ChibiDagunOptions) -> dict[str, int]:
    """The fan of every result of a friend hand, by its words in the table of coins."""
    return {
        "by points, or 100 to 100 decided by 末游": 1,
        "清": options.qing_fan,
        "绑": options.bang_fan,
        "光头": options.guangtou_fan,
    }


DAGONG = ClimbingBook(
    game="dagong",
    rules=DagongRules,
    schema=SCHEMAS["dagong/1"],
    default=dagong.DEFAULT,
    presets=dagong.PRESETS,
    version=dagong.RULES_VERSION,
    levels="5. Which play beats which (大小)",
    bombs=(
        *("3s 3h 3c", "3s 3h 3c 3d", "5s Th Kc", "3s 3s 3h 3h 3c", "5d Td Kd", "5c Tc Kc"),
        *("5h Th Kh", "5s Ts Ks", "3s 3s 3h 3h 3c 3c", "Bj Rj", "3s 3s 3h 3h 3c 3c 3d"),
        *("Bj Bj Rj", "3s 3s 3h 3h 3c 3c 3d 3d", "Bj Bj Rj Rj"),
    ),
    classify=DagongTypes(dagong.DEFAULT).readings,
    coins="11. Coins and the sequence of hands (结算与局的次序)",
    fans=_fans(dagong.DEFAULT),
    solo_fan=dagong.DEFAULT.solo_fan,
    bonus=lambda bonus: dagong_settlement.bonus_coins(dagong.DEFAULT, 1, (bonus,)),
)
THREES = "3s 3s 3h 3h 3c 3c 3d 3d"
"""All eight cards of a rank."""
CHIBI_DAGUN = ClimbingBook(
    game="chibi_dagun",
    rules=ChibiDagunRules,
    schema=SCHEMAS["chibi_dagun/1"],
    default=chibi_dagun.DEFAULT,
    presets=chibi_dagun.PRESETS,
    version=chibi_dagun.RULES_VERSION,
    levels="8. The order of bombs (炸弹的大小)",
    bombs=(
        *("5s Th Kc", "5d Td Kd", "5c Tc Kc", "5h Th Kh", "5s Ts Ks"),
        *("3s 3h 3c 3d", "3s 3s 3h 3h 3c", "3s 3s 3h 3h 3c 3c", "3s 3s 3h 3h 3c 3c Bj"),
        *("3s 3s 3h 3h 3c 3c Bj Bj", f"{THREES} Bj", f"{THREES} Bj Bj", f"{THREES} Bj Bj Rj"),
        *(f"{THREES} Bj Bj Rj Rj", "3s 3s 3h 3h 3c 3c 3d", "3s 3h 3c 3d 4s 4h 4c 4d"),
        *("3s 3s 3h 3c 3d 4s 4h 4c 4d", "3s 3s 3h 3c 3d 4s 4s 4h 4c 4d", THREES, "Bj Bj Rj Rj"),
    ),
    classify=ChibiDagunTypes(chibi_dagun.DEFAULT).readings,
    coins="16. Coins (结算)",
    fans=_fans(chibi_dagun.DEFAULT),
    solo_fan=chibi_dagun.DEFAULT.solo_fan,
    bonus=lambda bonus: chibi_dagun_settlement.bonus_coins(
        chibi_dagun.DEFAULT,
        chibi_dagun_settlement.Outcome(ClimbingResult.POINTS, 1, (0, 1), (200, 0, 0, 0)),
        FRIENDS,
        (bonus,),
    ),
)
CHAODIPI = Book(
    game="chaodipi",
    rules=ChaodipiRules,
    schema=SCHEMAS["chaodipi/1"],
    default=chaodipi.DEFAULT,
    presets=chaodipi.PRESETS,
    version=chaodipi.RULES_VERSION,
)
GUNZI = Book(
    game="gunzi",
    rules=GunziRules,
    schema=SCHEMAS["gunzi/1"],
    default=gunzi.DEFAULT,
    presets=gunzi.PRESETS,
    version=gunzi.RULES_VERSION,
)
CLIMBING = (DAGONG, CHIBI_DAGUN)
BOOKS = (*CLIMBING, CHAODIPI, GUNZI)
