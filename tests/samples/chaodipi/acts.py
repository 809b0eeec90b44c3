"""What happens in a hand of 炒地皮, written down act by act, and what is told of it falsely."""

from typing import Literal, NamedTuple

from replay.engine.chaodipi.order import LEVELS, context
from replay.engine.chaodipi.presets import DEFAULT
from schema.cards import ALL_CODES, cards_text
from schema.chaodipi import (
    BottomTurned,
    Declared,
    DeclaringClosed,
    Escaped,
    StirPassed,
    Stirred,
)
from schema.events import By, Fact, Played
from schema.trumps import Named
from tests.samples.bends import Bend, faces

DT = 1_200
"""Think time of every act, ms."""
SPADES = 3


class Bury(NamedTuple):
    """A seat buries these cards; none = the very cards that it took."""

    seat: int
    cards: bytes = b""


Every = Literal["all_lay_all", "others_answer"]
"""The last trick, in which every seat lays what it has; or the trick's other answers, sensible."""
ALL_LAY_ALL: Every = "all_lay_all"
OTHERS_ANSWER: Every = "others_answer"
Act = Fact | Bend | Bury | Every


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
