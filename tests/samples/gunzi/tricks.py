"""The clean samples of 四副滚子 that show a trick: leads of every type, answers, ruffs."""

from tests.samples.gunzi.acts import Act, Acts, trick
from tests.samples.gunzi.hands import begins_first
from tests.samples.gunzi.scenes import Holds, Scene, scene_way
from tests.samples.gunzi.shown import Shows, wins
from tests.samples.sorts import PLAIN, House, Staged, anything


def laid(
    words: str,
    says: str,
    holds: Holds,
    *plays: Act,
    shows: Shows = anything,
    house: House = PLAIN,
) -> Staged:
    """Level 3, seat 0 declares and deals, spades are trump; these tricks, then the table ends."""
    acts: Acts = (*begins_first(0), *plays)
    first = f"Rj 9s {holds[0]}"
    scene = Scene(acts, (first, *holds[1:]), "8s 77888h")
    return scene_way(words, says, scene, shows=shows, house=house)


NO_CLUBS = "AAAKKKQQQJJJTTT999888777666555444d"
"""33 diamonds, to be the cards of a seat that has no clubs."""
TRICKS: tuple[Staged, ...] = (
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
        ("", "", "", ""),
        *trick(0, "99c", "AKc", "TTc", "44c"),
        shows=wins(2),
    ),
    laid(
        "lead-triple",
        "A triple is led; 活棒: who holds a triple need not lay it.",
        ("", "AAAc", "", ""),
        *trick(0, "999c", "AA4c", "TTTc", "QJ4c"),
        shows=wins(2),
    ),
    laid(
        "lead-trumps",
        "Trumps are one suit: a pair of 2s of hearts beats a pair of aces, level cards beat both.",
        ("", "", "", ""),
        *trick(0, "AAs", "22h", "33d", "22d"),
        shows=wins(2),
    ),
    laid(
        "equal-trumps",
        "Level cards of two suits are equal: the first wins; that of the trump suit is higher.",
        ("", "", "", ""),
        *trick(0, "3h", "3c", "4s", "3h"),
        *trick(0, "3d", "2s", "3s", "6s"),
        shows=wins(0, 2),
    ),
    laid(
        "ruffed-and-over-ruffed",
        "Two seats have no clubs: one ruffs with a triple, the other with a higher one.",
        ("", f"{NO_CLUBS} 444555s", "AAAKKKQQQJJJTTT999666555444h 666777AAAKKKs", ""),
        *trick(0, "AAAc", "444s", "666s", "QJ4c"),
        shows=wins(2),
    ),
    laid(
        "discarded",
        "A seat has no clubs, and discards points: nobody has to ruff.",
        ("", f"{NO_CLUBS} 444555s", "", ""),
        *trick(0, "AAAc", "KKTd", "984c", "QJ4c"),
        shows=wins(0),
    ),
    laid(
        "one-of-the-suit",
        "A seat has one club: it is laid, and a trump with it does not win.",
        ("", f"{NO_CLUBS} 4c 44455s", "", ""),
        *trick(0, "77c", "4c 4s", "98c", "QJc"),
        shows=wins(0),
    ),
)
