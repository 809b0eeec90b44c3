"""Hands of 四副滚子 that go wrong in tricks: leads, answers, who wins, when all is over."""

from collections import Counter

from replay.engine.gunzi.rules import R
from replay.engine.rule import Rule
from schema.cards import cards_text
from schema.events import AbortReason, HandAborted, HandEnded, Refused, TrickWon
from tests.samples.bends import also, faces, told, untold
from tests.samples.gunzi.acts import (
    CLOSED,
    Act,
    GiveBack,
    Pay,
    bury,
    jokers,
    lay,
    show,
    trick,
)
from tests.samples.gunzi.bottoms import BURIED, SHOWN_TO_ALL
from tests.samples.gunzi.hands import HELD_75, battle
from tests.samples.gunzi.options import ALL_CLUBS
from tests.samples.gunzi.scenes import Holds, Scene, scene_way
from tests.samples.gunzi.tricks import NO_CLUBS, laid
from tests.samples.sorts import House, Staged, but

ANYTHING: Holds = ("", "", "", "")
_END = HandEnded(3_000)
_LEFT = HandAborted(5_000, AbortReason.PLAYER_LEFT)
_SINGLES = trick(0, "Kc", "Ac", "9c", "8c")


def in_dead_play(words: str, says: str, holds: Holds, *plays: Act) -> Staged:
    """死棒; the clubs that no other seat holds are the dealer's."""
    left = Counter(faces(ALL_CLUBS)) - Counter(faces(" ".join(holds)))
    held = (cards_text(bytes(left.elements())), *holds[1:])
    return laid(words, says, held, *plays, house=House("dead"))


def _unheld(words: str, says: str, holds: Holds, *acts: Act) -> Staged:
    """A first hand in which the seats hold these cards, whatever they then do."""
    return scene_way(words, says, Scene(acts, holds, needs="holds"))


def _unheld_later(words: str, says: str, holds: Holds, *acts: Act) -> Staged:
    """The same in a second hand: level 4, seat 2 deals, spades are trump, seat 1 owes a card."""
    known = (show(3, "4s"), CLOSED)
    return scene_way(words, says, HELD_75, Scene((*known, *acts), holds, "6s 66778c", "holds"))


LEADING: dict[Rule, tuple[Staged, ...]] = {
    R.LEADER: (
        laid(
            "not-the-dealer",
            "Another seat than the dealer leads the first trick.",
            ANYTHING,
            lay(1, "Ac"),
        ),
        laid(
            "not-the-winner",
            "Another seat than the winner leads the next trick.",
            ANYTHING,
            *(*_SINGLES, lay(0, "Qc")),
        ),
        laid(
            "winner-where-the-dealer-leads",
            "Where the dealer leads every trick, the winner does.",
            ANYTHING,
            *(*_SINGLES, lay(1, "Qc")),
            house=but(leader="dealer"),
        ),
    ),
    R.LEAD: (
        laid(
            "two-faces", "Two cards of one suit are led that are no pair.", ANYTHING, lay(0, "AKc")
        ),
        laid("straight", "Cards in a row are led.", ANYTHING, lay(0, "45678c")),
        laid("tractor", "Two pairs in a row are led.", ANYTHING, lay(0, "4455c")),
        laid("two-jokers", "A 小王 and a 大王 are led.", ANYTHING, lay(0, "Bj Rj")),
        laid("one-rank", "Two aces of different suits are led.", ANYTHING, lay(0, "Ac Ad")),
        laid("no-cards", "A lead without cards.", ANYTHING, lay(0, "")),
        laid(
            "good-lead-refused",
            "The server turned down a good lead.",
            ("", "Qc", "", ""),
            *(*_SINGLES, also(Refused(1, faces("Qc")))),
        ),
        laid(
            "good-answer-refused",
            "The server turned down a good answer.",
            ("", "98c", "", ""),
            *(lay(0, "Ac"), also(Refused(1, faces("8c")))),
        ),
    ),
}
FOLLOWING: dict[Rule, tuple[Staged, ...]] = {
    R.ORDER: (
        laid(
            "seat-skipped",
            "A seat answers before the seat in turn.",
            ANYTHING,
            *(lay(0, "Ac"), lay(2, "9c")),
        ),
        laid(
            "leader-again", "The leader lays a second time.", ANYTHING, lay(0, "Ac"), lay(0, "Kc")
        ),
    ),
    R.COUNT: (
        laid(
            "one-for-two",
            "A pair is answered with one card.",
            ANYTHING,
            *(lay(0, "AAc"), lay(1, "9c")),
        ),
        laid(
            "three-for-one",
            "A single is answered with three cards.",
            ANYTHING,
            *(lay(0, "Ac"), lay(1, "999c")),
        ),
        laid("no-cards", "A single is answered without cards.", ANYTHING, lay(0, "Ac"), lay(1, "")),
    ),
    R.SUIT: (
        laid(
            "revoke",
            "A seat that has clubs discards a diamond.",
            ("", "9c 8d", "", ""),
            *(lay(0, "Ac"), lay(1, "8d")),
        ),
        laid(
            "ruffed-with-the-suit-in-hand",
            "A seat that has clubs ruffs.",
            ("", "9c 4s", "", ""),
            *(lay(0, "Ac"), lay(1, "4s")),
        ),
        laid(
            "level-card-as-club",
            "A level card of clubs is laid on clubs: it is a trump.",
            ("", "9c 3c", "", ""),
            *(lay(0, "Ac"), lay(1, "3c")),
        ),
        laid(
            "two-as-club",
            "A 2 of clubs is laid on clubs: it is a trump.",
            ("", "9c 2c", "", ""),
            *(lay(0, "Ac"), lay(1, "2c")),
        ),
        laid(
            "trump-kept-back",
            "A trump is led; a seat that has a 2 of diamonds discards.",
            ("", "2d 9c", "", ""),
            *(lay(0, "As"), lay(1, "9c")),
        ),
        laid(
            "one-of-two",
            "A pair is answered with one card of the suit, though there are two.",
            ("", "98c 7d", "", ""),
            *(lay(0, "AAc"), lay(1, "9c 7d")),
        ),
    ),
    R.DEAD: (
        in_dead_play(
            "pair-kept-back",
            "死棒: a pair is answered with two cards, and a pair is kept back.",
            ("", "998c 7c", "", ""),
            *(lay(0, "55c"), lay(1, "98c")),
        ),
        in_dead_play(
            "triple-kept-back",
            "死棒: a triple is answered with a pair and a single, and a triple is kept back.",
            ("", "99988c", "", ""),
            *(lay(0, "555c"), lay(1, "998c")),
        ),
        in_dead_play(
            "pair-kept-back-from-a-triple",
            "死棒: a triple is answered with three singles, and a pair is kept back.",
            ("", "9987c", "", ""),
            *(lay(0, "555c"), lay(1, "987c")),
        ),
    ),
    R.HELD: (
        _unheld(
            "shown-card-of-another-seat",
            "Two 大王 are shown, of which the seat holds one.",
            ("Rj 4s", "Rj", "Rj", ""),
            show(0, "Rj Rj"),
        ),
        _unheld_later(
            "paid-card-of-another-seat",
            "A card is paid that the payer does not hold.",
            ("2s", "2d", "", "4s"),
            Pay(1, faces("2s")),
        ),
        _unheld_later(
            "returned-card-of-another-seat",
            "A card is returned that the dealer does not hold.",
            ("", "2d 999d", "", "4s"),
            *(Pay(1), GiveBack(2, faces("9d"))),
        ),
        _unheld(
            "buried-card-of-another-seat",
            "A card is buried that the dealer does not hold.",
            ("Rj 4s", "KKKd", "", ""),
            *(*SHOWN_TO_ALL, bury(0, "66778c Kd")),
        ),
        _unheld(
            "joker-of-another-seat",
            "A joker is buried that the seat does not hold.",
            ("Rj 4s Bj Bj Bj", "", "", ""),
            *(*BURIED, jokers(1, "Bj", "6c")),
        ),
        _unheld(
            "pair-of-one-card",
            "A pair is led of which one card is held.",
            ("Rj 4s Ac", "AAc", "", ""),
            *(*BURIED, lay(0, "AAc")),
        ),
        _unheld(
            "laid-though-buried",
            "A card is led that was buried.",
            ("Rj 4s", "88c", "", ""),
            *(*BURIED, lay(0, "8c")),
        ),
        _unheld(
            "answered-with-a-card-of-another-seat",
            "A seat answers with a card that it does not hold.",
            ("Rj 4s Kc", "Ac", "QQQd", ""),
            *(*BURIED, lay(0, "Kc"), lay(1, "Qd")),
        ),
    ),
}
WINNING: dict[Rule, tuple[Staged, ...]] = {
    R.HIGHEST: (
        laid(
            "lower-card",
            "The trick is given to a lower card.",
            ANYTHING,
            *(*_SINGLES, told(TrickWon, seat=0)),
        ),
        laid(
            "equal-card",
            "The second of two equal cards is said to win.",
            ANYTHING,
            *(*trick(0, "Ac", "Ac", "9c", "8c"), told(TrickWon, seat=1)),
        ),
        laid(
            "equal-level-cards",
            "A level card of hearts is said to beat one of diamonds.",
            ANYTHING,
            *(*trick(0, "3d", "3h", "4s", "5s"), told(TrickWon, seat=1)),
        ),
        laid(
            "two-over-level-card",
            "A 2 of the trump suit is said to beat a level card.",
            ANYTHING,
            *(*trick(0, "3d", "2s", "4s", "5s"), told(TrickWon, seat=1)),
        ),
        laid(
            "no-pair",
            "Two higher cards that are no pair are said to beat a pair.",
            ANYTHING,
            *(*trick(0, "99c", "AKc", "44c", "55c"), told(TrickWon, seat=1)),
        ),
        laid(
            "bare-trumps",
            "Two trumps that are no pair are said to beat a pair of clubs.",
            ("", f"{NO_CLUBS} 444555s", "", ""),
            *(*trick(0, "99c", "45s", "44c", "55c"), told(TrickWon, seat=1)),
        ),
        laid(
            "card-of-another-suit",
            "A discarded ace is said to win.",
            ("", f"{NO_CLUBS} 444555s", "", ""),
            *(*trick(0, "9c", "Ad", "4c", "5c"), told(TrickWon, seat=1)),
        ),
        laid(
            "trick-missing",
            "A trick is won and it is not logged.",
            ANYTHING,
            *(*_SINGLES, untold(TrickWon)),
        ),
        laid(
            "trick-undue",
            "A trick is closed before everybody has answered.",
            ANYTHING,
            *(*trick(0, "Kc", "Ac", "9c"), also(TrickWon(1, 10))),
        ),
    ),
    R.TRICK_POINTS: (
        laid(
            "five-too-many",
            "Five points too many in a trick.",
            ANYTHING,
            *(*_SINGLES, told(TrickWon, points=15)),
        ),
        laid(
            "no-points",
            "A trick with a K is said to have no points.",
            ANYTHING,
            *(*_SINGLES, told(TrickWon, points=0)),
        ),
    ),
    R.HAND_END: (
        laid(
            "ended-too-early", "The hand is ended in its first trick.", ANYTHING, lay(0, "Kc"), _END
        ),
        scene_way(
            "played-on",
            "A card is laid after the last trick.",
            battle(lay(0, "As"), last="captured"),
        ),
        scene_way(
            "aborted-when-over",
            "A player leaves when the hand is over, and it is called aborted.",
            battle(_LEFT),
        ),
    ),
}
