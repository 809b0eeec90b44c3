"""What can be wrong with a cluster, in sentences of the catalogue: `cluster.<word>`."""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from replay.messages import LANGS, text


class ClusterError(Exception):
    """The cluster cannot do the work, or cannot go on with it."""

    def __init__(self, word: str, **slots: object) -> None:
        """`slots` fill the sentence."""
        super().__init__(_said("en", word, slots))
        self.word = word
        self.slots = slots

    def said(self, lang: str) -> str:
        """The sentence."""
        return _said(lang, self.word, self.slots)


@contextmanager
def held() -> Iterator[None]:
    """A connection that fails in the block is a ClusterError."""
    try:
        yield
    except OSError:
        raise ClusterError("lost") from None


class Trouble(Struct, frozen=True):
    """Why one task has no result: `unseen`, `another` or `killed`, in both languages."""

    word: str
    zh: str
    en: str


def trouble(word: str, **slots: object) -> Trouble:
    """The trouble in its sentences."""
    zh, en = (_said(lang, word, slots) for lang in LANGS)
    return Trouble(word, zh, en)


def _said(lang: str, word: str, slots: dict[str, object]) -> str:
    return text(lang, f"cluster.{word}", **slots)
