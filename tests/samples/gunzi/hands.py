"""Hands of 四副滚子 in triples: the attackers win some points, then the dealer lays his."""

from collections import Counter
from typing import Literal

from schema.cards import BLACK_JOKER, cards_text
from schema.events import Played
from tests.samples.bends import Bend, faces
from tests.samples.gunzi.acts import (
    ALL_LAY_ALL,
    ANSWER,
    CLOSED,
    ROUT,
    Act,
    Acts,
    bury,
    jokers,
    lay,
    show,
    top,
    tribute,
)
from tests.samples.gunzi.scenes import Holds, Scene

Points = tuple[int, ...]
Last = Literal["held", "captured"]
_EXIT, _MOST_GIVEN = "Q", 60
"""The attackers lead queens where they lose the lead."""


def of_seats(dealer: int, *held: str) -> Holds:
    """What the dealer and the seats behind him hold, by seat."""
    by_step = [*held, *[""] * (4 - len(held))]
    a, b, c, d = (by_step[(seat - dealer) % 4] for seat in range(4))
    return a, b, c, d


def begins_first(dealer: int, *asked: Act, buried: str = "") -> Acts:
    """The dealer shows the first card dealt to him, a 大王, and buries."""
    return (show(dealer, "Rj", after=1), CLOSED, bury(dealer, buried), *asked)


def begins(dealer: int, card: str, *asked: Act, due: int = 0, buried: str = "") -> Acts:
    """A later hand: the dealer declares, is paid what is due, and buries."""
    owed = tribute(dealer) if due else ()
    return (show(dealer, card), CLOSED, *owed, bury(dealer, buried), *asked)


def quiet(level: str, trump: str) -> str:
    """A bottom without points: a plain trump and five cards of the last side suit."""
    ranks = [rank for rank in "78J9" if rank != level]
    side = ranks[0] * 2 + ranks[1] * 3
    return f"{_low(level)}{trump} {side}{_sides(trump)[2]}"


def _sides(trump: str) -> str:
    return "cdhs".replace(trump, "")


def _low(level: str) -> str:
    return "3" if level == "4" else "4"


def battle(
    *end: Act,
    lost: Points = (),
    last: Last = "held",
    dealer: int = 0,
    level: str = "3",
    trump: str = "s",
    begin: Acts | None = None,
    bottom: str = "",
    less: str = "",
) -> Scene:
    """The attackers win a trick with each of the `lost` points, then the dealer lays trumps.

    With `last` captured he keeps three low cards for the last trick. He has no trumps of those
    in `less`. `begin` are the acts up to the first lead, by default those of a first hand.
    """
    sides, low = _sides(trump), _low(level)
    plays = _lost_tricks(lost, dealer, level, sides)
    own = [*(f"{_dealers(level)}{side}" for _, side in zip(lost, sides, strict=False))]
    finish: Acts = ()
    if last == "captured":
        own.append(f"{low * 3}{sides[2]}")
        finish = (lay(dealer, own[-1]), lay((dealer + 1) % 4, f"QQQ{sides[2]}"), ALL_LAY_ALL)
    trumps = top(level, trump, 39 - 3 * len(own), less)
    if lost:
        ruff = lay(dealer, cards_text(faces(trumps)[-3:]))
        plays = (*plays, lay((dealer + 1) % 4, f"QQQ{sides[0]}"), ANSWER, ANSWER, ruff)
    return _scene(
        (*(begin or begins_first(dealer)), *plays, ROUT, *finish, *end),
        f"{trumps} {' '.join(own)}",
        bottom or quiet(level, trump),
        dealer,
        f"Rj {level}{trump}" if level == "3" else "",
    )


def _scene(acts: Acts, own: str, bottom: str, dealer: int, first: str) -> Scene:
    """The dealer is dealt what he plays and buries, but for what he takes with the bottom."""
    final = Counter(faces(own))
    for act in acts:
        if getattr(act, "seat", None) == dealer and isinstance(act, Played):
            final |= Counter(act.cards)
    buried = next((a.cards for a in acts if type(a) is type(bury(0)) and a.cards), b"")
    dealt = final + Counter(buried) - (Counter(faces(bottom)) if buried else Counter[int]())
    begun = faces(first)
    rest = dealt - Counter(begun)
    held = cards_text(begun + bytes(rest.elements()))
    return Scene(acts, of_seats(dealer, held), bottom, start=dealer)


def _dealers(level: str) -> str:
    return "777" if level == "6" else "666"


def _lost_tricks(lost: Points, dealer: int, level: str, sides: str) -> Acts:
    after = (dealer + 1) % 4
    acts: list[Act] = []
    for number, (points, side) in enumerate(zip(lost, sides, strict=False)):
        high = "KKK" if points > _MOST_GIVEN else "AAA"
        one, other = _given(points - (30 if high == "KKK" else 0), level, high)
        plays = [f"{_dealers(level)}{side}", f"{high}{side}", f"{one}{side}", f"{other}{side}"]
        first = 0 if number == 0 else 1
        for place in range(4):
            step = (first + place) % 4
            acts.append(lay((dealer + step) % 4, plays[step]))
    assert after in {act.seat for act in acts if isinstance(act, Played)} or not acts
    return tuple(acts)


def _given(points: int, level: str, high: str) -> tuple[str, str]:
    """Six cards of a side suit with so many points, three for each of two seats."""
    tens = "".join(rank * 3 for rank in "KT" if rank not in (level, high[0]))
    fives = "" if level == "5" else "555"
    plain = "".join(rank * 3 for rank in "J98" if rank != level)
    n_tens = min(points // 10, len(tens))
    n_fives = (points - 10 * n_tens) // 5
    assert 10 * n_tens + 5 * n_fives == points
    assert n_fives <= len(fives)
    cards = (tens[:n_tens] + fives[:n_fives] + plain)[:6]
    return cards[:3], cards[3:]


def bent(scene: Scene, *bends: Bend) -> Scene:
    """The hand with its end told falsely."""
    return scene._replace(acts=(*scene.acts, *bends))


HELD_100 = battle(lost=(60, 40))
"""Then seat 2 deals at level 4, and nothing is owed."""
HELD_60, HELD_75, HELD_5 = battle(lost=(60,)), battle(lost=(75,)), battle(lost=(5,))
"""Then seat 2 deals at level 4, and is owed 2, 1 and 8 cards."""
TAKEN_150 = battle(lost=(75, 75))
"""Then seat 1 deals at level 3, and nothing is owed."""
TAKEN_165 = battle(lost=(75, 75, 15))
"""The same, and a card is owed."""


def bury_to(
    *end: Act,
    lost: Points = (60, 40),
    last: Last = "held",
    dealer: int = 0,
    level: str = "3",
    buried: str = "Rj 77888h",
    due: int = 0,
) -> Scene:
    """The dealer buries jokers, and keeps the top spades of the bottom for them."""
    kept = "AAAs Ks"
    n_jokers = sum(code >= BLACK_JOKER for code in faces(buried))
    bottom = cards_text(faces(kept)[:n_jokers] + faces("77888h")[: 6 - n_jokers])
    is_first = level == "3" and not due
    begin = (
        begins_first(dealer, buried=buried)
        if is_first
        else begins(dealer, f"{level}s", due=due, buried=buried)
    )
    return battle(
        *end,
        lost=lost,
        last=last,
        dealer=dealer,
        level=level,
        begin=begin,
        bottom=bottom,
        less="Rj Rj Rj Bj Bj Bj",
    )


TO_FIVE = battle(lost=(60, 40), begin=(*begins_first(0), jokers(1, "Bj", "7h")), less="Bj Bj Bj")
"""Another seat has buried a 小王: then seat 2 deals at level 5, and is owed a card."""
TO_TEN = bury_to(buried="Rj Rj Bj Bj 77h")
"""Seven levels at once: then seat 2 deals at level 10, and is owed six cards."""


def overrun(*end: Act, bottom: str = "4s 67788h") -> Scene:
    """The seat behind the dealer has all high trumps: the attackers win everything."""
    trumps = top("3", "s", 36, "Rj Rj Rj")
    return Scene(
        (*begins_first(0), lay(0, "666c"), lay(1, "AAAc"), ANSWER, ANSWER, ROUT, *end),
        ("Rj 4s", f"AAAc {trumps}", "", ""),
        bottom,
    )


def at_ten(*end: Act, lost: Points = (45, 45), buried: str = "") -> Scene:
    """Seat 2 deals at level 10, and is paid six cards."""
    begin = begins(2, "Ts", due=6, buried=buried)
    return battle(*end, lost=lost, dealer=2, level="T", begin=begin)


PASSING_TEN = (TO_TEN, at_ten())
LOSING_TEN = (TO_TEN, at_ten(lost=(45, 45, 45)))
"""Then seat 3 deals at level 3, the attackers are at 10."""
RISING_AT_TEN = (
    *LOSING_TEN,
    battle(lost=(75, 60), last="captured", dealer=3, begin=begins(3, "3s")),
)
"""Attackers at 10 are promoted."""
