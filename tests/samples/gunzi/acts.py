"""What happens in a hand of 四副滚子, written down act by act."""

from typing import Literal, NamedTuple

from replay.engine.gunzi.order import LEVELS, context
from schema.cards import ALL_CODES, SUITS, cards_text
from schema.events import By, Fact, Played
from schema.gunzi import (
    Declared,
    DeclaringClosed,
    Drawn,
    Flipped,
    JokersBuried,
    JokersPassed,
)
from schema.trumps import Named
from tests.samples.bends import Bend, faces

DT = 1_200
"""Think time of every act, ms."""
ALL_DEALT = 156


class Bury(NamedTuple):
    """The dealer buries these cards; none = the very cards that he took."""

    seat: int
    cards: bytes = b""


class Pay(NamedTuple):
    """The payer gives these cards; none = the largest that he has."""

    seat: int
    cards: bytes = b""


class GiveBack(NamedTuple):
    """The dealer returns these cards; none = the very cards that he was given."""

    seat: int
    cards: bytes = b""


Every = Literal["answer", "others_answer", "all_lay_all", "rout"]
"""What the autopilot does: the next answer; the other answers of the trick; the last trick, in
which every seat lays what it has; tricks until the leader has no cards but those laid later.
"""
ANSWER: Every = "answer"
OTHERS_ANSWER: Every = "others_answer"
ALL_LAY_ALL: Every = "all_lay_all"
ROUT: Every = "rout"
Deed = Fact | Bury | Pay | GiveBack | Every
Act = Deed | Bend
Acts = tuple[Act, ...]


def show(seat: int, cards: str, named: str = "", after: int = ALL_DEALT) -> Declared:
    """亮主 or 反主; what three jokers `named`: d c h s, n for no trump."""
    name = Named("dchsn".index(named)) if named else Named.NOTHING
    return Declared(DT, By.PLAYER, seat, faces(cards), name, after)


CLOSED = DeclaringClosed(DT)


def flips(*seats_places: tuple[int, int]) -> Acts:
    """翻牌: seats that turn up the bottom card at a place."""
    return tuple(Flipped(DT, By.PLAYER, seat, place) for seat, place in seats_places)


def draws(*places: int) -> Acts:
    """Bottom cards turned up for their suit."""
    return tuple(Drawn(DT, By.SERVER, place) for place in places)


def tribute(dealer: int, paid: str = "", returned: str = "") -> Acts:
    """进贡 and 还贡: by default the largest cards, and they come back."""
    return (Pay((dealer + 3) % 4, faces(paid)), GiveBack(dealer, faces(returned)))


def bury(seat: int, cards: str = "") -> Bury:
    """扣底; without cards the very cards that were taken."""
    return Bury(seat, faces(cards))


def jokers(seat: int, buried: str, picked: str) -> JokersBuried:
    """扣王 by another seat than the dealer."""
    return JokersBuried(DT, By.PLAYER, seat, faces(buried), faces(picked))


def no_jokers(*seats: int) -> Acts:
    """These seats bury none."""
    return tuple(JokersPassed(DT, By.PLAYER, seat) for seat in seats)


def lay(seat: int, cards: str) -> Played:
    """A lead or an answer."""
    return Played(DT, By.PLAYER, seat, faces(cards))


def trick(leader: int, *plays: str) -> Acts:
    """Plays from the leader on; "" is the autopilot's answer."""
    return tuple(
        lay((leader + place) % 4, cards) if cards else ANSWER for place, cards in enumerate(plays)
    )


def top(level: str, trump: str, n: int, skipping: str = "") -> str:
    """The `n` strongest trumps, without those that are skipped."""
    order = context(LEVELS.index(level), SUITS.index(trump))
    trumps = [code for code in ALL_CODES if order.order.suit[code] == 4] * 3
    for code in faces(skipping):
        trumps.remove(code)
    return cards_text(bytes(sorted(trumps, key=lambda code: (-order.height[code], code))[:n]))
