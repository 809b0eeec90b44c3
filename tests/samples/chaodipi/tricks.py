"""Hands of 炒地皮 that are wrong about who wins a trick, what is in it, and when all is over."""

from replay.engine.chaodipi.rules import R
from replay.engine.rule import Rule
from schema.events import (
    AbortReason,
    By,
    HandAborted,
    HandEnded,
    Played,
    TrickWon,
)
from tests.samples.bends import also, faces, told, untold
from tests.samples.chaodipi.acts import DT, lay, trick
from tests.samples.chaodipi.hands import sweep
from tests.samples.chaodipi.play import ANYTHING, at_six, in_play
from tests.samples.chaodipi.plays import NO_CLUBS, RUFFS
from tests.samples.chaodipi.scenes import scene_way
from tests.samples.sorts import Staged

_END = HandEnded(3_000)
_LEFT = HandAborted(5_000, AbortReason.PLAYER_LEFT)


_RUFFED_WSK = ("2s 5TKc", *RUFFS[1:])
_SUPPRESSED = ("", "", f"{NO_CLUBS} 5TKs AAKKh", "")
_SINGLES = trick(0, "Kc", "Ac", "9c", "8c")
WINNING: dict[Rule, tuple[Staged, ...]] = {
    R.HIGHEST: (
        in_play(
            "single",
            "The trick is given to a lower card.",
            ANYTHING,
            *_SINGLES,
            told(TrickWon, seat=0),
        ),
        in_play(
            "equal-card",
            "The second of two equal cards is said to win.",
            ANYTHING,
            *trick(0, "Ac", "Ac", "9c", "8c"),
            told(TrickWon, seat=1),
        ),
        in_play(
            "equal-level-cards",
            "A level card of hearts is said to beat one of diamonds.",
            ("2s 2d", "2h", "", ""),
            *trick(0, "2d", "2h", "3s", "4s"),
            told(TrickWon, seat=1),
        ),
        at_six(
            "trump-tractor-with-a-gap",
            "Level 6: 5 and 7 of the trump suit are no tractor, and are said to win.",
            ("6s JJQQc", "AAKKQQJJTT998877d 5577s AAKKQh", "", ""),
            *trick(0, "JJQQc", "5577s", "3344c", "8899c"),
            told(TrickWon, seat=1),
        ),
        in_play(
            "bare-trumps",
            "Two trumps that are no pair are said to beat a pair.",
            ("2s AAc", "AAKKQQJJTT99887766d 34s AAKKQh", "", ""),
            *trick(0, "AAc", "34s", "99c", "88c"),
            told(TrickWon, seat=1),
        ),
        in_play(
            "trick-missing",
            "A trick is won and it is not logged.",
            ANYTHING,
            *_SINGLES,
            untold(TrickWon),
        ),
        in_play(
            "trick-undue",
            "A trick is closed before everybody has answered.",
            ANYTHING,
            *trick(0, "Kc", "Ac", "9c"),
            also(TrickWon(1, 10)),
        ),
    ),
    R.THROW_WON: (
        in_play(
            "over-ruffed-by-a-single",
            "A throw is ruffed with a pair of 5 and before it with one of 4 and an A: said to win.",
            RUFFS,
            *trick(0, "AAKc", "44As", "557s", "998c"),
            told(TrickWon, seat=1),
        ),
        in_play(
            "ruffed-without-a-pair",
            "A throw with a pair is said to be ruffed by three trumps without one.",
            RUFFS,
            *trick(0, "AAKc", "44As", "QJTs", "998c"),
            told(TrickWon, seat=2),
        ),
        in_play(
            "beaten-in-its-suit",
            "A throw that stands is said to be beaten in its suit.",
            ("2s AAKc", "QQ9c", "", ""),
            *trick(0, "AAKc", "QQ9c", "887c", "443c"),
            told(TrickWon, seat=1),
        ),
    ),
    R.WSK_WON: (
        in_play(
            "beaten-by-bare-trumps",
            "5.10.K is said to be beaten by three trumps.",
            _RUFFED_WSK,
            *trick(0, "5TKc", "44As", "557s", "998c"),
            told(TrickWon, seat=1),
        ),
        in_play(
            "not-suppressed",
            "5.10.K of clubs is suppressed by that of trump; the leader is said to win.",
            _SUPPRESSED,
            *trick(0, "5TKc", "987c", "5TKs", "643c"),
            told(TrickWon, seat=0),
        ),
        in_play(
            "beaten-by-higher-cards",
            "5.10.K is said to be beaten by three higher cards.",
            ("2s 5TKc", "AAQc", "", ""),
            *trick(0, "5TKc", "AAQc", "987c", "643c"),
            told(TrickWon, seat=1),
        ),
    ),
    R.TRICK_POINTS: (
        in_play(
            "five-too-many",
            "Five points too many in a trick.",
            ANYTHING,
            *_SINGLES,
            told(TrickWon, points=15),
        ),
        in_play(
            "no-points",
            "A trick with a K is said to have no points.",
            ANYTHING,
            *_SINGLES,
            told(TrickWon, points=0),
        ),
    ),
    R.HAND_END: (
        in_play(
            "ended-too-early", "The hand is ended in its first trick.", ANYTHING, lay(0, "Kc"), _END
        ),
        scene_way(
            "played-on",
            "A card is laid after the last trick.",
            sweep("2", 0, Played(DT, By.PLAYER, 0, faces("Ac"))),
        ),
        scene_way(
            "aborted-when-over",
            "A player leaves when the hand is over, and it is called aborted.",
            sweep("2", 0, _LEFT),
        ),
    ),
}
