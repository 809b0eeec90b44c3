"""Short hands of 炒地皮: a seat that holds all high trumps ends them in a trick or a few."""

from schema.cards import cards_text
from schema.events import Played
from tests.samples.chaodipi.acts import (
    ALL_LAY_ALL,
    OTHERS_ANSWER,
    Act,
    bury,
    lay,
    no_stir,
    ready,
    show,
    top,
    trick,
)
from tests.samples.chaodipi.acts import CLOSED as _CLOSED
from tests.samples.chaodipi.scenes import QUIET, Scene

Holds = tuple[str, str, str, str]
Pair = tuple[str, str]
POINTS = "KKTTh 6677h"
"""A bottom of 40 points."""
_JOKERS = "Rj Rj Bj Bj"


def quiet(level: str) -> str:
    """A bottom without points, trumps or level cards."""
    return "88QQh JJ99h" if level in "3467" else QUIET


def dealt_to(dealer: int, *held: str) -> Holds:
    """What the dealer and the seats after him hold, by seat."""
    by_step = [*held, *[""] * (4 - len(held))]
    a, b, c, d = (by_step[(seat - dealer) % 4] for seat in range(4))
    return a, b, c, d


def sweep(level: str = "2", dealer: int = 0, *end: Act, shows: str = "", named: str = "") -> Scene:
    """大光: the dealer lays 25 trumps at once, and that is all."""
    cards = top(level, 25)
    begin = (show(dealer, shows or f"{level}s", named), _CLOSED, bury(dealer))
    asked = () if named else no_stir(*((dealer + step) % 4 for step in (1, 2, 3)))
    return Scene(
        (*begin, *asked, lay(dealer, cards), ALL_LAY_ALL, *end),
        dealt_to(dealer, cards),
        quiet(level),
        dealer,
    )


def attacked(
    first: Pair,
    second: Pair,
    *hearts: str,
    level: str = "2",
    dealer: int = 0,
    end: tuple[Act, ...] = (),
) -> Scene:
    """The attackers win some tricks, then the dealer lays his trumps.

    `first` is what his partner and the seat before him give to a trick of clubs, 20 points in it;
    `second` to one of diamonds, 10 points in it, at level A 20; `hearts` to a pair of aces.
    """
    after = (dealer + 1) % 4
    led, won, three, one = ("QQ", "KK", "KKQ", "J") if level == "A" else ("KK", "AA", "AAK", "Q")
    begin = trick(dealer, f"{led}c", f"{won}c", *first)
    middle = trick(after, f"{three}d", *second, "88Jh")
    more = trick(after, "AAh", *hearts, "34c") if hearts else ()
    plays = (*begin, *middle, *more, *trick(after, f"{one}d", "4d", "3d", "5h"))
    own = f"{led}c 88Jh {'34c' if hearts else ''} {top(level, 18 if hearts else 20)}"
    held = [own, *(_laid(plays, (dealer + step) % 4) for step in (1, 2, 3))]
    return Scene(
        (*ready(dealer, f"{level}s"), *plays, ALL_LAY_ALL, *end),
        dealt_to(dealer, *held),
        "3344h 77QQh" if level == "6" else QUIET,
        dealer,
    )


def _laid(plays: tuple[Act, ...], seat: int) -> str:
    return " ".join(cards_text(p.cards) for p in plays if isinstance(p, Played) and p.seat == seat)


GIVEN: dict[int, tuple[Pair, Pair, tuple[str, ...]]] = {
    40: (("99c", "55c"), ("998d", "776d"), ()),
    75: (("TTc", "99c"), ("TT5d", "887d"), ()),
    80: (("TTc", "55c"), ("TT9d", "887d"), ()),
    85: (("TTc", "55c"), ("TT5d", "887d"), ()),
    125: (("TTc", "55c"), ("TT9d", "885d"), ("KKh", "TTh")),
}
"""What makes so many points at level 2, for `attacked`."""
GIVEN_AT_ACE = {75: (("TTc", "55c"), ("995d", "887d")), 70: (("TTc", "55c"), ("996d", "887d"))}


def scored(points: int, *end: Act) -> Scene:
    """The attackers come to so many points at level 2."""
    first, second, hearts = GIVEN[points]
    return attacked(first, second, *hearts, end=end)


def scored_at_ace(points: int, *end: Act) -> Scene:
    """The same at level A."""
    first, second = GIVEN_AT_ACE[points]
    return attacked(first, second, level="A", end=end)


def dug(
    last: str,
    *end: Act,
    shows: str = "2s",
    named: str = "",
    bottom: str = POINTS,
    dealer: int = 0,
) -> Scene:
    """抠底: level 2; in the last trick the dealer leads low clubs, and the next seat has higher."""
    lead, answer, clubs, trumps = {
        "single": ("3c", "4c", "AAKKQQJJTT99887766554c", "334s"),
        "pair": ("33c", "44c", "AAKKQQJJTT9988776655c", "334s"),
        "tractor": ("3344c", "5566c", "AAKKQQJJTT998877c", "33445s"),
    }[last]
    after, trumps_up = (dealer + 1) % 4, top("2", 25 - len(lead) + 1)
    begin = (show(dealer, shows, named), _CLOSED, bury(dealer))
    asked = () if named else no_stir(*((dealer + step) % 4 for step in (1, 2, 3)))
    acts = (lay(dealer, trumps_up), lay(after, f"{clubs} {trumps}"), OTHERS_ANSWER)
    ends = (lay(dealer, lead), lay(after, answer), ALL_LAY_ALL)
    return Scene(
        (*begin, *asked, *acts, *ends, *end),
        dealt_to(dealer, f"{trumps_up} {lead}", f"{clubs} {trumps} {answer}"),
        bottom,
        dealer,
    )


def usurped(level: str, dealer: int, *end: Act) -> Scene:
    """A later hand: the seat after the dealer declares, wins the first trick, and lays trumps."""
    after, high = (dealer + 1) % 4, "K" if level == "A" else "A"
    cards = top(level, 24)
    low = "J98" if level not in "J98" else "Q76"
    begin = (show(after, f"{level}s"), _CLOSED, bury(dealer))
    asked = no_stir(*((dealer + step) % 4 for step in (1, 2, 3)))
    plays = trick(dealer, f"{low[0]}c", f"{high}c", f"{low[1]}c", f"{low[2]}c")
    return Scene(
        (*begin, *asked, *plays, lay(after, cards), ALL_LAY_ALL, *end),
        dealt_to(dealer, f"{low[0]}c", f"{high}c {cards}", f"{low[1]}c", f"{low[2]}c"),
        quiet(level),
        dealer,
    )


def flag_passed(dealer: int, *end: Act) -> Scene:
    """扛旗 is passed: the dealer lays all six trumps, then 21 clubs."""
    trumps, clubs = f"55h {_JOKERS}", "AAKKQQJJTT99887766554c"
    return Scene(
        (lay(dealer, trumps), OTHERS_ANSWER, lay(dealer, clubs), ALL_LAY_ALL, *end),
        dealt_to(dealer, f"{trumps} {clubs}"),
        "",
        dealer,
    )


def flag_failed(dealer: int, *end: Act, other: str = "8d") -> Scene:
    """扛旗 fails with 100 points: half of all go under the trumps. With `other` 5d it is 95."""
    clubs, gone = "AAQQJJ99887766443322c", "KKTT55c"
    plays = trick(dealer, f"55h {_JOKERS}", gone, "KKTT77d", f"99776s {other}")
    after = (dealer + 1) % 4
    lost = trick(dealer, "3d", "Ad", "4d", "6d")
    return Scene(
        (*plays, *lost, lay(after, clubs), ALL_LAY_ALL, *end),
        dealt_to(
            dealer, f"55h {_JOKERS} 3d", f"{clubs} {gone} Ad", "KKTT77d 4d", f"99776s {other} 6d"
        ),
        "",
        dealer,
    )


def last_wsk(*end: Act) -> Scene:
    """Level A, seat 0 deals: seat 1 leads a 5.10.K to the last trick, after 21 trumps."""
    cards = top("A", 21)
    begin = (show(1, "As"), _CLOSED, bury(0), *no_stir(1, 2, 3))
    plays = (*trick(0, "Jc", "Kc", "9c", "8c"), lay(1, cards), OTHERS_ANSWER)
    return Scene(
        (*begin, *plays, lay(1, "5TKd"), ALL_LAY_ALL, *end),
        ("Jc", f"Kc {cards} 5TKd", "9c", "8c"),
        QUIET,
    )


AT_ACE = (sweep(),)
"""Then seat 0 deals at A."""
AT_FLAG = (*AT_ACE, sweep("A"))
"""Then seat 0 deals in 扛旗."""
AT_SIX = (scored(40),)
"""Then seat 0 deals at 6."""
FIVE_FROM_TEN = (
    scored(40),
    attacked(("99c", "55c"), ("998d", "774d"), level="6"),
    attacked(("99c", "88c"), ("998d", "776d"), level="T"),
)
"""The dealer side comes to 6, to T, and there wins with 30 points: one level past A."""
TWICE_FAILED = (*AT_FLAG, flag_failed(0), usurped("4", 1), flag_failed(2), usurped("6", 3))
"""Then seat 0 deals in 扛旗 for the third time."""
