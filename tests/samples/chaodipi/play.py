"""Hands of 炒地皮 that go wrong in play: leads, throws, answers, and whom a trick is given to."""

from replay.engine.chaodipi.rules import R
from replay.engine.rule import Rule
from schema.chaodipi import ThrowJudged
from schema.events import (
    Refused,
)
from tests.samples.bends import also, faces, told, untold
from tests.samples.chaodipi.acts import CLOSED, Act, bury, lay, no_stir, ready, show, trick
from tests.samples.chaodipi.hands import AT_SIX
from tests.samples.chaodipi.scenes import Scene, scene_way
from tests.samples.sorts import PLAIN, House, Staged, but

Holds = tuple[str, str, str, str]
ANYTHING: Holds = ("", "", "", "")


def in_play(words: str, says: str, holds: Holds, *acts: Act, house: House = PLAIN) -> Staged:
    """Level 2, spades are trump, seat 0 deals; then these plays."""
    return scene_way(words, says, Scene((*ready(0, "2s"), *acts), holds), house=house)


def at_six(words: str, says: str, holds: Holds, *acts: Act, house: House = PLAIN) -> Staged:
    """The same at level 6."""
    begin = ready(0, "6s")
    return scene_way(
        words, says, *AT_SIX, Scene((*begin, *acts), holds, "3344h 7788h"), house=house
    )


LEADING: dict[Rule, tuple[Staged, ...]] = {
    R.LEADER: (
        in_play(
            "not-the-dealer",
            "Another seat than the dealer leads the first trick.",
            ANYTHING,
            lay(1, "Ac"),
        ),
        in_play(
            "not-the-winner",
            "Another seat than the winner leads the next trick.",
            ANYTHING,
            *trick(0, "Kc", "Ac", "9c", "8c"),
            lay(0, "Qc"),
        ),
    ),
    R.LEAD: (
        in_play("two-suits", "Cards of two suits are led.", ANYTHING, lay(0, "AAc Ad")),
        in_play(
            "level-card",
            "A level card is led with clubs: it is a trump.",
            ANYTHING,
            lay(0, "3c 2c"),
        ),
        in_play("hearts-wsk", "5.10.K of hearts: 红桃5 is a trump.", ANYTHING, lay(0, "5TKh")),
        in_play("no-cards", "A lead without cards.", ANYTHING, lay(0, "")),
        in_play(
            "good-lead-refused",
            "The server turned down a good lead.",
            ("2s Ac", "", "", ""),
            *trick(0, "Ac", "9c", "8c", "7c"),
            also(Refused(0, faces("2s"))),
        ),
        in_play(
            "good-answer-refused",
            "The server turned down a good answer.",
            ("2s Ac", "9c 8c", "", ""),
            lay(0, "Ac"),
            also(Refused(1, faces("8c"))),
        ),
    ),
    R.THROW_STANDS: (
        in_play(
            "said-to-fail",
            "A throw that stands is said to fail.",
            ("2s AAKKQc", "Qc", "3c", "4c"),
            lay(0, "AAKKQc"),
            told(ThrowJudged, led=faces("Qc"), beaten_by=(1,)),
        ),
        in_play(
            "said-to-stand",
            "A throw with a lower single is said to stand.",
            ("2s AAQc", "Kc", "3c", "4c"),
            lay(0, "AAQc"),
            told(ThrowJudged, led=faces("AAQc"), beaten_by=()),
        ),
        in_play(
            "pair-in-a-tractor",
            "A thrown pair is beaten by a pair inside a tractor; the throw is said to stand.",
            ("2s A99c", "TTJJc", "3c", "4c"),
            lay(0, "A99c"),
            told(ThrowJudged, led=faces("A99c"), beaten_by=()),
        ),
        in_play(
            "judgement-missing",
            "A throw is not judged.",
            ("2s AAKc", "Qc", "3c", "4c"),
            lay(0, "AAKc"),
            untold(ThrowJudged),
        ),
        in_play(
            "judgement-undue",
            "A single is judged as a throw.",
            ANYTHING,
            lay(0, "Ac"),
            also(ThrowJudged(faces("Ac"), ())),
        ),
    ),
    R.THROW_FAILS: (
        in_play(
            "another-part",
            "A throw fails, and another part is led than the weakest beaten one.",
            ("2s 99Kc", "TTAc", "3c", "4c"),
            lay(0, "99Kc"),
            told(ThrowJudged, led=faces("Kc")),
        ),
        in_play(
            "beaten-by-another-seat",
            "A throw fails by another seat than the one that is named.",
            ("2s AAQc", "Kc", "3c", "4c"),
            lay(0, "AAQc"),
            told(ThrowJudged, beaten_by=(3,)),
        ),
    ),
    R.THROW_REJECTED: (
        in_play(
            "throw-that-fails",
            "Where a throw that fails is turned down, one is on the table.",
            ("2s AAQc", "Kc", "3c", "4c"),
            lay(0, "AAQc"),
            house=but(failed_throw="reject"),
        ),
    ),
}
FOLLOWING: dict[Rule, tuple[Staged, ...]] = {
    R.ORDER: (
        in_play(
            "seat-skipped",
            "A seat answers before the seat in turn.",
            ANYTHING,
            lay(0, "Ac"),
            lay(2, "9c"),
        ),
        in_play(
            "leader-again", "The leader lays a second time.", ANYTHING, lay(0, "Ac"), lay(0, "Kc")
        ),
    ),
    R.COUNT: (
        in_play(
            "one-for-two",
            "A pair is answered with one card.",
            ANYTHING,
            lay(0, "AAc"),
            lay(1, "9c"),
        ),
        in_play(
            "two-for-one",
            "A single is answered with two cards.",
            ANYTHING,
            lay(0, "Ac"),
            lay(1, "99c"),
        ),
        in_play(
            "no-cards", "A single is answered without cards.", ANYTHING, lay(0, "Ac"), lay(1, "")
        ),
    ),
    R.SUIT: (
        in_play(
            "revoke",
            "A seat that has clubs discards a diamond.",
            ("", "9c 8d", "", ""),
            lay(0, "Ac"),
            lay(1, "8d"),
        ),
        in_play(
            "ruffed-with-the-suit-in-hand",
            "A seat that has clubs ruffs.",
            ("", "9c 3s", "", ""),
            lay(0, "Ac"),
            lay(1, "3s"),
        ),
        in_play(
            "level-card-as-club",
            "A level card of clubs is laid on clubs: it is a trump.",
            ("", "9c 2c", "", ""),
            lay(0, "Ac"),
            lay(1, "2c"),
        ),
        in_play(
            "red-five-as-heart",
            "红桃5 is laid on hearts: it is a trump.",
            ("", "9h 5h", "", ""),
            lay(0, "Ah"),
            lay(1, "5h"),
        ),
        in_play(
            "trump-kept-back",
            "A trump is led; a seat that has level cards of another suit discards.",
            ("2s As", "2d 9c", "", ""),
            lay(0, "As"),
            lay(1, "9c"),
        ),
        in_play(
            "one-of-two",
            "A pair is answered with one card of the suit, though there are two.",
            ("", "98c 7d", "", ""),
            lay(0, "AAc"),
            lay(1, "9c 7d"),
        ),
    ),
    R.PAIRS: (
        in_play(
            "pair-kept-back",
            "A pair is answered with two cards, and a pair is kept back.",
            ("", "99887c", "", ""),
            lay(0, "AAc"),
            lay(1, "97c"),
        ),
        in_play(
            "pair-kept-back-from-a-tractor",
            "A tractor is answered with one pair, and another is kept back.",
            ("", "9977654c", "", ""),
            lay(0, "AAKKc"),
            lay(1, "9965c"),
        ),
        in_play(
            "pair-kept-back-from-a-throw",
            "A throw with a pair is answered with singles, and a pair is kept back.",
            ("2s AAKc", "99876c", "", ""),
            lay(0, "AAKc"),
            lay(1, "987c"),
        ),
    ),
    R.TRACTORS: (
        in_play(
            "tractor-kept-back",
            "A tractor is answered with two pairs, and a tractor is kept back.",
            ("", "998866c", "", ""),
            lay(0, "AAKKc"),
            lay(1, "9966c"),
        ),
        at_six(
            "tractor-over-the-gap",
            "Level 6: 5 and 7 are neighbours in clubs, and are kept back.",
            ("", "557799c", "88c", ""),
            lay(0, "AAKKc"),
            lay(1, "5599c"),
        ),
        scene_way(
            "trump-tractor-by-printed-rank",
            "Level 6: 6 and 7 of the trump suit are neighbours, and are kept back.",
            *AT_SIX,
            Scene(
                (
                    *(show(1, "66s"), CLOSED, bury(0), *no_stir(1, 2, 3)),
                    *(lay(0, "AAKKs"), lay(1, "7799s")),
                ),
                ("", "667799s", "88s", ""),
                "3344h 7788h",
            ),
        ),
    ),
    R.WSK_FOLLOWED: (
        in_play(
            "second-wsk-kept-back",
            "5.10.K of clubs is led; a seat keeps the other one.",
            ("", "5TK98c", "", ""),
            lay(0, "5TKc"),
            lay(1, "T98c"),
        ),
    ),
    R.TRUMP_WSK_FOLLOWED: (
        in_play(
            "second-wsk-kept-back",
            "5.10.K of trump is led; a seat that has the other one lays stronger trumps.",
            ("2s 5TKs", "5TKs Rj Rj Bj", "", ""),
            lay(0, "5TKs"),
            lay(1, "Rj Rj Bj"),
        ),
        in_play(
            "strongest-kept-back",
            "5.10.K of trump is led; a seat keeps its 大王.",
            ("2s 5TKs", "Rj AQJs", "", ""),
            lay(0, "5TKs"),
            lay(1, "AQJs"),
        ),
        in_play(
            "second-wsk-laid",
            "Where the three strongest trumps are owed in any case, a seat lays the other 5.10.K.",
            ("2s 5TKs", "5TKs Rj Rj Bj", "", ""),
            lay(0, "5TKs"),
            lay(1, "5TKs"),
            house=but(second_trump_wsk="top_three"),
        ),
    ),
}
