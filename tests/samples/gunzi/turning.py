"""Hands of 四副滚子 that go wrong where trump is made known: cards turned up, suit, dealer."""

from replay.engine.gunzi.rules import R
from replay.engine.rule import Rule
from schema.gunzi import Redealt, TrumpSet
from schema.trumps import Trump
from tests.samples.bends import also, told, untold
from tests.samples.gunzi.acts import CLOSED, bury, draws, flips, lay, show
from tests.samples.gunzi.before import SHOWN, first_hand, later_hand
from tests.samples.gunzi.clean import ALL_JOKERS, FLIPPED
from tests.samples.sorts import Staged

_FOUR_FLIPS = (CLOSED, *flips((0, 0), (1, 1), (2, 2), (3, 4)))
_SIX_FLIPS = (CLOSED, *flips(*((0, place) for place in range(6))))
TURNING: dict[Rule, tuple[Staged, ...]] = {
    R.TURNING: (
        first_hand(
            "flipped-out-of-turn",
            "Another seat than the one in turn turns up a card.",
            *(CLOSED, *flips((1, 0))),
            bottom=FLIPPED,
        ),
        first_hand(
            "flipped-again",
            "A card is turned up a second time.",
            *(CLOSED, *flips((0, 0), (1, 0))),
            bottom=FLIPPED,
        ),
        first_hand(
            "seventh-card",
            "A card is turned up at a place where there is none.",
            *(CLOSED, *flips((0, 6))),
            bottom=FLIPPED,
        ),
        first_hand(
            "fifth-flip",
            "Four cards are turned up, and another one.",
            *(*_FOUR_FLIPS, *flips((0, 5))),
            bottom=FLIPPED,
        ),
        first_hand(
            "drawn-in-a-first-hand",
            "Nobody has declared in a first hand: the seats turn up, and a card is drawn.",
            *(CLOSED, *draws(0)),
            bottom=FLIPPED,
        ),
        later_hand(
            "flipped-in-a-later-hand",
            "Nobody has declared in a later hand, and a seat turns up a card.",
            *(CLOSED, *flips((2, 0))),
        ),
        later_hand(
            "drawn-after-a-show",
            "A seat has declared, and a card is drawn.",
            *(show(1, "4s"), CLOSED, *draws(0)),
        ),
        later_hand(
            "drawn-on",
            "A suited card is drawn, and another one.",
            *(CLOSED, *draws(0, 1)),
        ),
        first_hand(
            "lead-before-the-flips",
            "A card is led before trump is known.",
            *(CLOSED, lay(0, "9c")),
            bottom=FLIPPED,
        ),
    ),
    R.NEXT_SUITED: (
        first_hand(
            "trump-of-the-card-before",
            "The card after the 大王 is a spade; hearts are announced.",
            *(SHOWN, CLOSED, told(TrumpSet, trump=Trump.HEARTS), lay(0, "9c")),
        ),
        first_hand(
            "trump-missing", "The trump is not announced.", *(SHOWN, CLOSED, untold(TrumpSet))
        ),
        first_hand(
            "trump-again",
            "The trump is announced again after the burial.",
            *(SHOWN, CLOSED, bury(0), also(TrumpSet(Trump.SPADES, 0))),
        ),
    ),
    R.FROM_BOTTOM: (
        first_hand(
            "trump-of-his-last-card",
            "The 大王 is shown last, a diamond is turned up; clubs are announced.",
            *(show(0, "Rj"), CLOSED, *draws(0), told(TrumpSet, trump=Trump.CLUBS)),
            bottom="9d 67d 66h 7h",
        ),
    ),
    R.FIRST_DEALER: (
        first_hand(
            "partner-deals",
            "A seat has shown a 大王, and its partner is announced as dealer.",
            *(SHOWN, CLOSED, told(TrumpSet, dealer=2), bury(2), lay(2, "9c")),
        ),
    ),
    R.FLIP_DEALER: (
        first_hand(
            "second-of-two-equal-cards",
            "Two seats turn up a 2, and the second is announced as dealer.",
            *(CLOSED, *flips((0, 0), (1, 1), (2, 2), (3, 3)), told(TrumpSet, dealer=3)),
            bottom=FLIPPED,
        ),
        first_hand(
            "ace-over-two",
            "An ace and a 2 are turned up, and the suit of the ace is announced.",
            *(*_FOUR_FLIPS, told(TrumpSet, trump=Trump.CLUBS)),
            bottom=FLIPPED,
        ),
        first_hand(
            "trump-missing",
            "Four cards are turned up, and no trump is announced.",
            *(*_FOUR_FLIPS, untold(TrumpSet)),
            bottom=FLIPPED,
        ),
    ),
    R.FIRST_REDEAL: (
        first_hand(
            "redeal-missing",
            "Six jokers are turned up, and it is not said that the hand is dealt anew.",
            *(*_SIX_FLIPS, untold(Redealt)),
            holds=("", "", "", ""),
            bottom=ALL_JOKERS,
        ),
        first_hand(
            "redeal-undue",
            "A joker is turned up, and the hand is said to be dealt anew.",
            *(CLOSED, *flips((0, 4)), also(Redealt())),
            holds=("", "", "", ""),
            bottom="3d 4c Kh As Bj 2c",
        ),
    ),
    R.KNOWN_DEALER: (
        later_hand(
            "declarer-deals",
            "An attacker has declared, and is announced as dealer.",
            *(show(1, "4s"), CLOSED, told(TrumpSet, dealer=1), bury(1), lay(1, "9c")),
        ),
    ),
    R.TRUMP_SET: (
        first_hand(
            "no-trump",
            "No trump is announced.",
            *(SHOWN, CLOSED, told(TrumpSet, trump=Trump.NO_TRUMP)),
        ),
        later_hand(
            "first-show",
            "A show was overturned, and its suit is announced.",
            *(show(0, "4s"), show(1, "44h"), CLOSED, told(TrumpSet, trump=Trump.SPADES)),
            bottom="6h 6s 6778c",
        ),
        later_hand(
            "suit-of-the-level-card",
            "Three 小王 have named hearts; the suit of the level card before is announced.",
            *(show(0, "4d"), show(1, "Bj Bj Bj", "h"), CLOSED),
            told(TrumpSet, trump=Trump.DIAMONDS),
            bottom="6h 6d 6778c",
        ),
        later_hand(
            "trump-missing",
            "The trump is not announced.",
            *(show(0, "4s"), CLOSED, untold(TrumpSet)),
        ),
    ),
    R.DRAWN_TRUMP: (
        later_hand(
            "another-card",
            "A spade is drawn, and clubs are announced.",
            *(CLOSED, *draws(0), told(TrumpSet, trump=Trump.CLUBS)),
        ),
        later_hand(
            "trump-missing",
            "A card is drawn, and no trump is announced.",
            *(CLOSED, *draws(0), untold(TrumpSet)),
        ),
    ),
    R.REDEAL: (
        later_hand(
            "redeal-missing",
            "Six jokers are drawn, and it is not said that the hand is dealt anew.",
            *(CLOSED, *draws(0, 1, 2, 3, 4, 5), untold(Redealt)),
            bottom=ALL_JOKERS,
        ),
        later_hand(
            "redeal-undue",
            "A seat has declared, and the hand is said to be dealt anew.",
            *(show(0, "4s"), CLOSED, also(Redealt())),
        ),
    ),
}
