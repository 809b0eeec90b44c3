"""What a sample is before it has bytes: a hand that shows something, or one bent on purpose."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from replay.engine.rule import Rule
from replay.players.player import KITS
from schema.events import ClimbingCarry, Event
from schema.options import Options
from tests.samples.files import TEXT, Damaged
from tests.samples.forge import Blocked, HandLog, Lie, Meddle, no_lie, no_meddling
from tests.samples.scripts import UNSCRIPTED, Script

Shows = Callable[[HandLog], bool]
"""Whether a hand shows what a sample promises."""


def anything(hand: object) -> bool:
    """Any hand will do."""
    return True


class House(NamedTuple):
    """The house rules of a sample's table: a preset, and where they differ from it."""

    preset: str = "default"
    but: Mapping[str, Any] = {}

    def options(self, game: str) -> Options:
        """All of them."""
        return replace(KITS[game].presets[self.preset], **self.but)


def but(**options: Any) -> House:
    """The default preset with some options changed."""
    return House("default", options)


PLAIN = House()


class Clean(NamedTuple):
    """A sample of `n_hands` hands, the last of which `shows` what the name says.

    `script` says what does not happen by chance in that hand, `lie` what the server logs besides
    the claims that are due: a play that it turned down, rightly.
    """

    name: str
    says: str
    shows: Shows = anything
    n_hands: int = 1
    house: House = PLAIN
    player: str = "greedy"
    script: Script = UNSCRIPTED
    lie: Lie = no_lie


class Way(NamedTuple):
    """One way to break a rule, in the last hand of a log.

    `meddle` bends one fact, `lie` the claims that follow one; `opens` makes a false opening of the
    true one, and `edit` rearranges the events, for what is neither.
    """

    words: str
    says: str
    meddle: Meddle = no_meddling
    lie: Lie = no_lie
    n_hands: int = 1
    house: House = PLAIN
    script: Script = UNSCRIPTED
    opens: Callable[[ClimbingCarry], ClimbingCarry] = lambda carry: carry
    edit: Callable[[list[Event]], list[Event]] = lambda events: events


class Staged(NamedTuple):
    """A way to break a rule, or to keep all, in hands that are written down: no seed is needed."""

    words: str
    says: str
    hands: Callable[[Any], list[list[Event]]]
    house: House = PLAIN
    shows: Callable[[Sequence[Event]], bool] = anything

    @property
    def name(self) -> str:
        """The name of a clean sample's file without its ending."""
        return self.words


class Broken(NamedTuple):
    """A sample that breaks one rule of a game, in one way."""

    rule: Rule
    way: Way | Staged

    @property
    def name(self) -> str:
        """Rule id and words: the name of the file without its ending."""
        return f"{self.rule.id}--{self.way.words}"

    @property
    def says(self) -> str:
        """What is wrong, in one sentence."""
        return self.way.says


class Special(NamedTuple):
    """A clean sample that is no single good hand in text; `make` is given its game and name."""

    name: str
    says: str
    make: Callable[[str, str], bytes]
    ending: str = TEXT


class Samples(NamedTuple):
    """All samples of one game; `ways` are the ways to break each rule that can be broken.

    `blocked` is what becomes of a hand that a fact has blocked.
    """

    game: str
    rules: type[Rule]
    blocked: Blocked
    clean: tuple[Clean | Staged, ...]
    special: tuple[Special, ...]
    ways: Mapping[Rule, tuple[Way | Staged, ...]]
    damaged: tuple[Damaged, ...]

    @property
    def broken(self) -> tuple[Broken, ...]:
        """The samples made of those ways."""
        return tuple(Broken(rule, way) for rule, ways in self.ways.items() for way in ways)
