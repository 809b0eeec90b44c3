"""A good file before it is damaged, in each of its forms, and what a damaged sample says."""

from collections.abc import Callable
from typing import NamedTuple

from schema.events import Event
from tests.samples.forge import Table, default_of, head, live, sealed, text

BINARY, TEXT = ".paipu", ".paipu.jsonl"


class Damaged(NamedTuple):
    """A sample of two good hands and what was done to their file; `fault` is what that is."""

    fault: str
    words: str
    says: str
    make: Callable[["Good"], bytes]
    ending: str = BINARY

    @property
    def name(self) -> str:
        """Finding id and words: the name of the file without its ending."""
        return f"format.{self.fault}--{self.words}"


class Good(NamedTuple):
    """The hands before the damage; HEAD bears the sample's name."""

    game: str
    name: str
    hands: list[list[Event]]

    @property
    def live(self) -> bytes:
        """The live form."""
        return live(head(self.game, self.name), self.hands)

    @property
    def text(self) -> bytes:
        """The text twin."""
        return text(self.live)

    @property
    def sealed(self) -> bytes:
        """The sealed form."""
        return sealed(self.live)


def good(game: str, name: str, seed: int) -> Good:
    """Two honest hands."""
    table = Table(game, seed, default_of(game))
    return Good(game, name, [table.hand().events for _ in range(2)])
