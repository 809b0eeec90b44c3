"""What happens in a hand of 炒地皮, written down act by act, and what is told of it falsely."""

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

from msgspec.structs import replace

from replay.engine.chaodipi.order import LEVELS, context
from replay.engine.chaodipi.presets import DEFAULT
from schema.cards import ALL_CODES, cards_text, parse_cards
from schema.chaodipi import (
    BottomTurned,
    Declared,
    DeclaringClosed,
    Escaped,
    StirPassed,
    Stirred,
)
from schema.events import By, Claim, Fact, Played
from schema.trumps import Named

Claims = tuple[Claim, ...]
DT = 1_200
"""Think time of every act, ms."""
SPADES = 3


class Bend(NamedTuple):
    """What is logged instead of the claims that the fact before it makes due."""

    change: Callable[[Claims], Claims]


class Bury(NamedTuple):
    """A seat buries these cards; none = the very cards that it took."""

    seat: int
    cards: bytes = b""


Every = Literal["all_lay_all", "others_answer"]
"""The last trick, in which every seat lays what it has; or the trick's other answers, sensible."""
ALL_LAY_ALL: Every = "all_lay_all"
OTHERS_ANSWER: Every = "others_answer"
Act = Fact | Bend | Bury | Every


def faces(text: str) -> bytes:
    """Cards: `AAKc` is two aces and a king of clubs, jokers are `Bj Rj`."""
    words = (
        word if word in ("Bj", "Rj") else " ".join(rank + word[-1] for rank in word[:-1])
        for word in text.split()
    )
    return parse_cards(" ".join(words))


def show(seat: int, cards: str, named: str = "", after: int = 100) -> Declared:
    """亮主 or 反主; what is `named` with a pair of 红桃5: d c h s, n for no trump."""
    return Declared(DT, By.PLAYER, seat, faces(cards), _named(named), after)


def _named(letter: str) -> Named:
    return Named("dchsn".index(letter)) if letter else Named.NOTHING


CLOSED = DeclaringClosed(DT)
TURNED = BottomTurned(DT)


def bury(seat: int, cards: str = "") -> Bury:
    """扣底; without cards the very cards that were taken."""
    return Bury(seat, faces(cards))


def stir(seat: int, cards: str, named: str = "") -> Stirred:
    """抄底."""
    return Stirred(DT, By.PLAYER, seat, faces(cards), _named(named))


def no_stir(*seats: int) -> tuple[Act, ...]:
    """These seats are asked and do not stir."""
    return tuple(StirPassed(DT, By.PLAYER, seat) for seat in seats)


def lay(seat: int, cards: str) -> Played:
    """A lead or an answer."""
    return Played(DT, By.PLAYER, seat, faces(cards))


def trick(leader: int, *plays: str) -> tuple[Act, ...]:
    """Plays from the leader on."""
    return tuple(lay((leader + place) % 4, cards) for place, cards in enumerate(plays))


def escape(seat: int) -> Escaped:
    """逃跑."""
    return Escaped(DT, seat)


def ready(dealer: int, cards: str, bottom: str = "") -> tuple[Act, ...]:
    """The dealer declares, buries, and nobody stirs."""
    asked = ((dealer + step) % 4 for step in (1, 2, 3))
    return (show(dealer, cards), CLOSED, bury(dealer, bottom), *no_stir(*asked))


def top(level: str, n: int, trump: int = SPADES) -> str:
    """The `n` strongest trumps of a level, by default with spades as trump."""
    order = context(DEFAULT, LEVELS.index(level), trump).order
    trumps = [code for code in ALL_CODES if order.suit[code] == 4] * 2
    return cards_text(bytes(sorted(trumps, key=lambda code: (-order.strength[code], code))[:n]))


# False claims


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


def with_bends(acts: tuple[Act, ...]) -> Iterator[tuple[Fact | Bury | Every, list[Bend]]]:
    """Every act that is a fact with what bends its claims."""
    bends: list[Bend] = []
    for place, act in enumerate(acts):
        if isinstance(act, Bend):
            continue
        bends = []
        for bend in acts[place + 1 :]:
            if not isinstance(bend, Bend):
                break
            bends.append(bend)
        yield act, bends
