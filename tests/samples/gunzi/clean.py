"""The clean samples of 四副滚子 up to the bottom: shows, cards turned up, tribute."""

from replay.engine.gunzi.presets import FIRST_CARRY
from schema.events import AbortReason, Dealt, HandAborted
from schema.gunzi import BottomShown, Declared, Drawn, Flipped, Redealt, TributePaid, TrumpSet
from tests.samples.bends import untold
from tests.samples.gunzi.acts import (
    ALL_DEALT,
    CLOSED,
    DT,
    bury,
    draws,
    flips,
    lay,
    show,
    tribute,
)
from tests.samples.gunzi.hands import HELD_100, battle, begins
from tests.samples.gunzi.scenes import Scene, deck, scene_way
from tests.samples.gunzi.shown import bottoms, every, n_of, sets, settles, without
from tests.samples.sorts import Staged

ALL_JOKERS = "Rj Rj Rj Bj Bj Bj"
FLIPPED = "Ac 2d 9h 2s 4s 7d"
"""A bottom in which seats 1 and 3 turn up equal cards, if all turn them up in order."""
AT_FOUR = (HELD_100,)
"""Then seat 2 deals at level 4, and nothing is owed."""


FIRST_SHOWS: tuple[Staged, ...] = (
    scene_way(
        "first-joker",
        "抢亮大王 after the first card of the deal: the next card makes spades trump.",
        battle(lost=(60, 40)),
        shows=every(sets("s", 0), settles(score=100)),
    ),
    scene_way(
        "first-joker-passing-jokers",
        "The two cards after the 大王 are jokers, the third makes hearts trump.",
        Scene(
            (show(1, "Rj", after=22), CLOSED, bury(1), lay(1, "Ac")),
            ("", "4c 5c 5d 6d 7d Rj Bj Rj 4h", "", ""),
            "4h 66778c",
        ),
        shows=every(sets("h", 1), n_of(Declared, 1), bottoms(False)),
    ),
    scene_way(
        "first-joker-on-the-last-card",
        "The 大王 is the last card dealt: bottom cards are turned up, a joker first.",
        Scene(
            (show(2, "Rj"), CLOSED, *draws(3, 0), bury(2, "9d 67d 67h 3c"), lay(2, "Ac")),
            ("", "", "3444555666777888999TTTJJJQQQKKKAAA222c Ad Rj", ""),
            "9d 67d Bj 67h",
        ),
        shows=every(sets("d", 2), n_of(Drawn, 2), bottoms(False)),
    ),
    scene_way(
        "first-joker-with-jokers-behind",
        "Behind the 大王 the declarer is dealt jokers only: the bottom gives trump.",
        Scene(
            (show(0, "Rj", after=149), CLOSED, *draws(5), bury(0), lay(0, "Ac")),
            ("3344455566677788899TTTJJJQQQKKKAAA22c Ad Rj Bj", "", "", ""),
            "9d 67d 66h 7h",
        ),
        shows=every(sets("h", 0), n_of(Drawn, 1)),
    ),
)
TURNED: tuple[Staged, ...] = (
    scene_way(
        "flipped",
        "Nobody declares: four cards are turned up, the largest gives dealer and trump.",
        Scene(
            (CLOSED, *flips((0, 5), (1, 0), (2, 3), (3, 2)), bury(1, "3d 46c Kh As 2c")),
            bottom="3d 4c Kh As Bj 2c",
        ),
        shows=every(sets("d", 1), n_of(Flipped, 4), without(BottomShown)),
    ),
    scene_way(
        "flipped-equal",
        "Two seats turn up a 2: who did so first deals, a game from seat 2 on.",
        Scene(
            (CLOSED, *flips((2, 0), (3, 1), (0, 2), (1, 3)), bury(3), lay(3, "Ac")),
            bottom=FLIPPED,
            start=2,
        ),
        shows=sets("d", 3),
    ),
    scene_way(
        "flipped-jokers",
        "A joker is turned up: the same seat turns up another card.",
        Scene(
            (
                CLOSED,
                *flips((0, 0), (0, 1), (1, 2), (2, 3), (2, 4), (3, 5)),
                bury(3, "Kd Qh 9s 346c"),
            ),
            bottom="Bj Kd Qh Rj 9s 3c",
        ),
        shows=every(sets("c", 3), n_of(Flipped, 6)),
    ),
    scene_way(
        "flipped-until-none-is-left",
        "Three jokers in the bottom: the last seat has no card to turn up.",
        Scene(
            (CLOSED, *flips((0, 0), (0, 1), (0, 2), (1, 3), (1, 4), (2, 5)), bury(1)),
            bottom="Rj Bj 9d Rj Kh Qs",
        ),
        shows=every(sets("h", 1), n_of(Flipped, 6)),
    ),
    scene_way(
        "flipped-jokers-alone",
        "All six bottom cards are jokers: the hand is dealt anew, from another seat.",
        Scene(
            (
                *(CLOSED, *flips(*((0, place) for place in range(6)))),
                Dealt(DT, 3, deck(Scene(bottom=FLIPPED), 3)),
                *(CLOSED, *flips((3, 0), (0, 1), (1, 2), (2, 3)), bury(0)),
            ),
            bottom=ALL_JOKERS,
        ),
        shows=every(n_of(Redealt, 1), n_of(Dealt, 2), sets("d", 0)),
    ),
    scene_way(
        "drawn",
        "Second hand, nobody declares: a joker is drawn, and then a heart. Nothing is shown.",
        *AT_FOUR,
        Scene((CLOSED, *draws(4, 2), bury(2, "678c 5h 9d 6s")), bottom="7c 8c 5h 9d Bj 6s"),
        shows=every(sets("h", 2), n_of(Drawn, 2), without(BottomShown)),
    ),
    scene_way(
        "drawn-jokers-alone",
        "Second hand, the bottom is six jokers: it is dealt anew; the tribute is still due.",
        battle(lost=(60,)),
        Scene(
            (
                *(CLOSED, *draws(0, 1, 2, 3, 4, 5)),
                Dealt(DT, 2, deck(Scene(bottom="7c 8c 5h 9d 7d 6s"), 2)),
                *(CLOSED, *draws(1), *tribute(2), bury(2)),
            ),
            bottom=ALL_JOKERS,
        ),
        shows=every(n_of(Redealt, 1), sets("c", 2), n_of(TributePaid, 1)),
    ),
)
LATER_SHOWS: tuple[Staged, ...] = (
    scene_way(
        "declared-single",
        "Second hand: an attacker declares with a level card; the dealer stays the dealer.",
        *AT_FOUR,
        Scene(
            (show(1, "4h", after=9), CLOSED, bury(2), lay(2, "Ac")),
            ("", "9c 4h", "", ""),
            "7h 66778c",
        ),
        shows=sets("h", 2),
    ),
    scene_way(
        "declared-triple",
        "Second hand: three level cards are shown at once, after the deal.",
        *AT_FOUR,
        battle(lost=(60, 20), dealer=2, level="4", begin=begins(2, "444s")),
        shows=every(sets("s", 2), settles(score=80, levels=(3, 1))),
    ),
    scene_way(
        "reinforced",
        "Second hand: a seat shows one level card, then two, then three of the same suit.",
        *AT_FOUR,
        Scene(
            (
                *(show(3, "4d", after=60), show(3, "44d", after=100), show(3, "444d", after=101)),
                *(CLOSED, bury(2), lay(2, "Ac")),
            ),
            ("", "", "", "444d"),
            "7d 66778c",
        ),
        shows=every(sets("d", 2), n_of(Declared, 3)),
    ),
    scene_way(
        "overturned",
        "Second hand: one level card is overturned by two of the partner, two by three.",
        *AT_FOUR,
        Scene(
            (
                *(show(1, "4d", after=60), show(3, "44h", after=70), show(0, "444c", after=150)),
                *(CLOSED, bury(2), lay(2, "Ac")),
            ),
            ("444c", "4d", "", "44h"),
            "7c 66778h",
        ),
        shows=every(sets("c", 2), n_of(Declared, 3)),
    ),
    scene_way(
        "overturned-himself",
        "Second hand: the declarer changes to another suit, with more cards.",
        *AT_FOUR,
        Scene(
            (show(1, "4d", after=60), show(1, "44h", after=70), CLOSED, bury(2), lay(2, "Ac")),
            ("", "4d 44h", "", ""),
            "7h 66778c",
        ),
        shows=sets("h", 2),
    ),
    scene_way(
        "jokers-name-a-suit",
        "Second hand: three 小王 name hearts, and three 大王 overturn them and name clubs.",
        *AT_FOUR,
        Scene(
            (
                *(show(1, "444d"), show(3, "Bj Bj Bj", "h"), show(0, "Rj Rj Rj", "c")),
                *(CLOSED, bury(2), lay(2, "Ac")),
            ),
            bottom="7c 66778h",
        ),
        shows=every(sets("c", 2), n_of(Declared, 3), bottoms(False)),
    ),
    scene_way(
        "declared-when-all-is-dealt",
        f"Second hand: a show after card {ALL_DEALT} of the deal.",
        *AT_FOUR,
        Scene((show(0, "44h"), CLOSED, bury(2), lay(2, "Ac")), bottom="7h 66778c"),
        shows=sets("h", 2),
    ),
)
_CRASHED = HandAborted(0, AbortReason.RECOVERED)
_OPENS = (show(0, "Rj", after=1), CLOSED)
CRASHES: tuple[Staged, ...] = (
    scene_way(
        "crashed-before-a-claim",
        "The server died before it told trump and bottom: the hand is aborted, and dealt again.",
        Scene((*_OPENS, untold(TrumpSet), untold(BottomShown), _CRASHED), ("Rj 4s", "", "", "")),
        Scene((*_OPENS, bury(0), lay(0, "Ac")), ("Rj 4s", "", "", "")),
        shows=sets("s", 0),
    ),
    scene_way(
        "crashed-when-settled",
        "The server died behind the settlement: the table goes on from there.",
        HELD_100._replace(acts=(*HELD_100.acts, _CRASHED)),
        Scene((show(2, "4s"), CLOSED, bury(2), lay(2, "Ac")), bottom="6s 66778c"),
        shows=sets("s", 2),
    ),
    scene_way(
        "crashed-and-played-anew",
        "The server died behind the settlement: the hand is dealt again.",
        HELD_100._replace(acts=(*HELD_100.acts, _CRASHED)),
        Scene(
            (*_OPENS, bury(0), lay(0, "Ac")),
            ("Rj 4s", "", "", ""),
            carries=lambda carry: FIRST_CARRY,
        ),
        shows=sets("s", 0),
    ),
)
