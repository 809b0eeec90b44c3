"""The clean samples of 炒地皮 that show one trick: leads of every kind, answers, ruffs, 5.10.K."""

from collections.abc import Sequence

from schema.chaodipi import ThrowJudged
from schema.events import Event, TrickWon
from tests.samples.bends import faces
from tests.samples.chaodipi.acts import (
    CLOSED,
    OTHERS_ANSWER,
    Act,
    bury,
    lay,
    no_stir,
    ready,
    show,
    trick,
)
from tests.samples.chaodipi.clean import Shows
from tests.samples.chaodipi.hands import AT_SIX
from tests.samples.chaodipi.scenes import QUIET, Scene, scene_way
from tests.samples.sorts import PLAIN, House, Staged

Holds = tuple[str, str, str, str]
NO_CLUBS = "AAKKQQJJTT99887766d"
"""18 diamonds, to be the cards of a seat that has no clubs."""

RUFFS: Holds = (
    "2s AAKc",
    f"{NO_CLUBS} 44As AAKKh",
    "557QQJJTTs QQJJTT9988h 554433d",
    "",
)
"""Seats 1 and 2 have no clubs."""


def wins(*seats: int) -> Shows:
    """These seats win the first tricks of the hand."""

    def shows(events: Sequence[Event]) -> bool:
        won = [event.seat for event in events if isinstance(event, TrickWon)]
        return tuple(won[: len(seats)]) == seats

    return shows


def judges(led: str, *beaten_by: int) -> Shows:
    """A throw of which this is led."""

    def shows(events: Sequence[Event]) -> bool:
        (said,) = (event for event in events if isinstance(event, ThrowJudged))
        return sorted(said.led) == sorted(faces(led)) and said.beaten_by == beaten_by

    return shows


def laid(
    words: str,
    says: str,
    holds: Holds,
    *plays: Act,
    shows: Shows,
    house: House = PLAIN,
    card: str = "2s",
    bottom: str = QUIET,
) -> Staged:
    """Level 2, seat 0 declares with a card and deals; these tricks, then the table breaks up."""
    scene = Scene((*ready(0, card), *plays), holds, bottom)
    return scene_way(words, says, scene, house=house, shows=shows)


def at_six(
    words: str, says: str, holds: Holds, *plays: Act, shows: Shows, house: House = PLAIN
) -> Staged:
    """The same at level 6, trump is declared with a pair."""
    begin = (show(0, "66s"), CLOSED, bury(0), *no_stir(1, 2, 3))
    scene = Scene((*begin, *plays), holds, "3344h 7788h")
    return scene_way(words, says, *AT_SIX, scene, house=house, shows=shows)


LEADS: tuple[Staged, ...] = (
    laid(
        "lead-single",
        "A single is led: the highest card wins, of two equal ones the first.",
        ("", "", "", ""),
        *trick(0, "Kc", "Ac", "Tc", "Ac"),
        shows=wins(1),
    ),
    laid(
        "lead-pair",
        "A pair is led, and beaten by a pair; two higher cards that are no pair do not win.",
        ("", f"AKc {NO_CLUBS} AAKKQh", "", ""),
        *trick(0, "99c", "AKc", "TTc", "44c"),
        shows=wins(2),
    ),
    at_six(
        "lead-side-tractor",
        "Level 6: 5 and 7 of clubs are neighbours; a tractor is answered with one, and two pairs.",
        ("", "8899JJAA22c", "", ""),
        *trick(0, "5577c", "8899c", "TTQQc", "33KKc"),
        shows=wins(1),
    ),
    at_six(
        "lead-trump-tractor",
        "Level 6: 5 and 6 of the trump suit are a tractor by printed rank, and 6 is its strength.",
        ("", "KKAAs", "", ""),
        *(lay(0, "5566s"), lay(1, "KKAAs"), OTHERS_ANSWER),
        shows=wins(0),
    ),
    laid(
        "throw-stands",
        "A throw of a pair and a single that nobody can beat.",
        ("2s AAKc", "", "", ""),
        lay(0, "AAKc"),
        OTHERS_ANSWER,
        shows=judges("AAKc"),
    ),
    laid(
        "throw-fails",
        "A throw of which two parts are beaten: the weaker is led, the rest goes back.",
        ("2s 99Kc", "TTc", "Ac", "3c"),
        lay(0, "99Kc"),
        OTHERS_ANSWER,
        shows=judges("99c", 1, 2, 3),
    ),
    laid(
        "throw-of-trumps",
        "Trumps are one suit: 大王, a level card and a pair are thrown, and fail in that card.",
        ("Rj 2s AAs 55h", "2d 2c 2h Bj", "2d 2c 2h Bj", "2s Rj"),
        lay(0, "Rj 2s AAs"),
        OTHERS_ANSWER,
        shows=judges("2s", 1, 2, 3),
    ),
    laid(
        "lead-wsk",
        "5.10.K of clubs: who holds the other one lays it, higher cards do not win.",
        ("", "", "", ""),
        *trick(0, "5TKc", "5TKc", "AQJc", "643c"),
        shows=wins(0),
    ),
    laid(
        "wsk-suppressed",
        "5.10.K of clubs is suppressed by that of trump, laid by a seat without clubs.",
        ("", "", f"{NO_CLUBS} 5TKs AAKKh", ""),
        *trick(0, "5TKc", "987c", "5TKs", "643c"),
        shows=wins(2),
    ),
    laid(
        "lead-trump-wsk",
        "5.10.K of trump: one lays the other, two their three strongest trumps.",
        ("2s 5TKs 5h", "5TKs Bj 22d 22c 22h", "Rj Rj Bj 34s", "5h 2s A3s"),
        *trick(0, "5TKs", "5TKs", "Rj Rj Bj", "5h 2s As"),
        shows=wins(0),
    ),
    laid(
        "ruffed-and-over-ruffed",
        "A throw is ruffed with a pair and a single, and over-ruffed with a higher pair.",
        RUFFS,
        *trick(0, "AAKc", "44As", "557s", "998c"),
        shows=wins(2),
    ),
)
