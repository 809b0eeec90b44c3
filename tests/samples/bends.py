"""What is told falsely of a hand that is written down: claims bent behind the fact they follow."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from schema.cards import parse_cards
from schema.events import Claim

Claims = tuple[Claim, ...]


class Bend(NamedTuple):
    """What is logged instead of the claims that the fact before it makes due."""

    change: Callable[[Claims], Claims]


def faces(text: str) -> bytes:
    """Cards: `AAKc` is two aces and a king of clubs, jokers are `Bj Rj`."""
    words = (
        word if word in ("Bj", "Rj") else " ".join(rank + word[-1] for rank in word[:-1])
        for word in text.split()
    )
    return parse_cards(" ".join(words))


def told(kind: type[Claim], **false: Any) -> Bend:
    """The claim of this kind with some fields false; a callable makes one of the true claim."""

    def change(claims: Claims) -> Claims:
        return tuple(_with(c, false) if isinstance(c, kind) else c for c in claims)

    return Bend(change)


def _with(claim: Any, false: dict[str, Any]) -> Claim:
    values = {name: new(claim) if callable(new) else new for name, new in false.items()}
    bent: Claim = replace(claim, **values)
    assert bent != claim
    return bent


def next_told(kind: type[Claim], **false: Any) -> Bend:
    """The settlement with some fields false of what comes next."""
    return told(kind, next=lambda claim: replace(claim.next, **false))


def untold(kind: type[Claim]) -> Bend:
    """Without the claims of this kind."""
    return Bend(lambda claims: tuple(claim for claim in claims if not isinstance(claim, kind)))


def also(claim: Claim) -> Bend:
    """With another claim, that is not due."""
    return Bend(lambda claims: (*claims, claim))


def with_bends(acts: Sequence[Any]) -> Iterator[tuple[Any, list[Bend]]]:
    """Every act that is no bend, with those that bend its claims."""
    for place, act in enumerate(acts):
        if isinstance(act, Bend):
            continue
        bends = []
        for bend in acts[place + 1 :]:
            if not isinstance(bend, Bend):
                break
            bends.append(bend)
        yield act, bends
