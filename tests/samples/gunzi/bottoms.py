"""Hands of 四副滚子 that go wrong between trump and the first lead: tribute, bottom, jokers."""

from replay.engine.gunzi.rules import R
from replay.engine.rule import Rule
from schema.events import By, HandEnded
from schema.gunzi import BottomShown, TributePaid
from tests.samples.bends import also, faces, told, untold
from tests.samples.gunzi.acts import (
    CLOSED,
    DT,
    Act,
    Acts,
    GiveBack,
    Pay,
    bury,
    flips,
    jokers,
    lay,
    no_jokers,
    show,
)
from tests.samples.gunzi.before import SHOWN, first_hand, later_hand
from tests.samples.gunzi.clean import FLIPPED
from tests.samples.gunzi.hands import HELD_75
from tests.samples.gunzi.scenes import QUIET
from tests.samples.sorts import PLAIN, House, Staged, but

SHOWN_TO_ALL: Acts = (SHOWN, CLOSED)
BURIED: Acts = (*SHOWN_TO_ALL, bury(0))
DRY = "2s 77888h"
"""While spades are trump, there is no plain trump in it."""
_PAYER = ("", "2d 2h AAAc KKKc", "", "4s")
_END = HandEnded(3_000)
_TRUMP_KNOWN: Acts = (show(3, "4s"), CLOSED)


def owed(
    words: str,
    says: str,
    *acts: Act,
    holds: tuple[str, str, str, str] = _PAYER,
    house: House = PLAIN,
) -> Staged:
    """The second hand: level 4, seat 2 deals, spades are trump; seat 1 owes a card."""
    return later_hand(
        words, says, *_TRUMP_KNOWN, *acts, before=(HELD_75,), holds=holds, house=house
    )


TRIBUTES: dict[Rule, tuple[Staged, ...]] = {
    R.TRIBUTE: (
        owed("another-seat-pays", "The seat behind the dealer pays.", Pay(3, faces("4s"))),
        owed("lead-before-the-tribute", "A card is led while tribute is due.", lay(2, "3d")),
        owed(
            "buried-before-the-tribute", "The dealer buries while tribute is due.", bury(2, QUIET)
        ),
        owed(
            "another-seat-returns",
            "Another seat than the dealer returns a card.",
            *(Pay(1), GiveBack(0, faces("3d"))),
        ),
        owed("paid-twice", "The payer pays a second time.", *(Pay(1), Pay(1, faces("Ac")))),
        later_hand(
            "nothing-due",
            "80 to 150 points and no joker buried: nothing is due, and a card is paid.",
            *(*_TRUMP_KNOWN, Pay(1, faces("2d"))),
        ),
    ),
    R.NO_FIRST_TRIBUTE: (
        first_hand(
            "paid-in-a-first-hand",
            "A first hand, and a card is paid.",
            *(*SHOWN_TO_ALL, Pay(3, faces("2d"))),
        ),
    ),
    R.PAID_COUNT: (
        owed("two-for-one", "A card is owed, and two are paid.", Pay(1, faces("2d 2h"))),
        owed(
            "none-for-one",
            "A card is owed, and none is paid.",
            TributePaid(DT, By.PLAYER, 1, b""),
        ),
    ),
    R.LARGEST: (
        owed(
            "larger-card-kept",
            "A card is owed, and an ace is paid by a seat that has a 2.",
            *(Pay(1, faces("Ac")), GiveBack(2)),
        ),
        owed(
            "point-card-paid",
            "A K is paid, at level 4.",
            *(Pay(1, faces("Kc")), GiveBack(2)),
        ),
    ),
    R.RETURNED: (
        owed(
            "point-card-returned",
            "Where no card with points may be returned, a 5 is.",
            *(Pay(1), GiveBack(2, faces("5d"))),
            house=but(tribute_return="non_point"),
        ),
        owed(
            "larger-card-returned",
            "Where the smallest card is returned, a larger one is.",
            *(Pay(1), GiveBack(2, faces("9d"))),
            holds=("", "2d 2h AAAc KKKc", "3d", "4s"),
            house=but(tribute_return="smallest"),
        ),
    ),
    R.RETURNED_COUNT: (
        owed(
            "two-for-one",
            "A card was paid, and two are returned.",
            *(Pay(1), GiveBack(2, faces("33d"))),
        ),
    ),
}
_JOKERS_HELD = ("Rj 4s", "Rj Bj Bj", "Bj", "")
SHOWN_BOTTOMS: dict[Rule, tuple[Staged, ...]] = {
    R.BOTTOM_SHOWN: (
        first_hand(
            "other-cards",
            "The bottom is shown with another card in it.",
            *(*SHOWN_TO_ALL, told(BottomShown, cards=lambda claim: claim.cards[:5] + faces("Kh"))),
        ),
        first_hand(
            "bottom-missing", "The bottom is not shown.", *(*SHOWN_TO_ALL, untold(BottomShown))
        ),
        first_hand(
            "shown-though-nobody-declared",
            "Nobody has declared, and the bottom is shown.",
            *(CLOSED, *flips((0, 0), (1, 1), (2, 2), (3, 3))),
            also(BottomShown(faces(FLIPPED), False)),
            bottom=FLIPPED,
        ),
        owed(
            "shown-before-the-tribute",
            "Tribute is due, and the bottom is shown before it is paid.",
            also(BottomShown(faces("6s 66778c"), False)),
        ),
    ),
    R.NEW_BOTTOM_HIDDEN: (
        first_hand(
            "shown-without-jokers",
            "The dealer has buried no joker, and the new bottom is shown.",
            *(*BURIED, also(BottomShown(faces("66778c 4s"), False))),
        ),
    ),
    R.DRY: (
        first_hand(
            "dry-not-told",
            "No plain trump is in the bottom, and it is not said to be dry.",
            *(*SHOWN_TO_ALL, told(BottomShown, dry=False), bury(0)),
            bottom=DRY,
        ),
        first_hand(
            "told-to-be-dry",
            "A spade and five clubs are in the bottom, and it is said to be dry.",
            *(*SHOWN_TO_ALL, told(BottomShown, dry=True), lay(0, "9c")),
        ),
        first_hand(
            "dry-of-trumps-not-told",
            "Nothing but trumps are in the bottom, and it is not said to be dry.",
            *(*SHOWN_TO_ALL, told(BottomShown, dry=False), bury(0)),
            bottom="2c 3h 67s 7s 8s",
        ),
    ),
    R.JOKERS_SHOWN: (
        first_hand(
            "dealer-in-secret",
            "The dealer has buried a 大王, and the bottom is not shown.",
            *(*SHOWN_TO_ALL, bury(0, "Rj 66778c"), untold(BottomShown)),
        ),
        first_hand(
            "joker-hidden",
            "The dealer has buried a 大王, and the bottom is shown without it.",
            *(*SHOWN_TO_ALL, bury(0, "Rj 66778c")),
            told(BottomShown, cards=lambda claim: claim.cards[:5] + faces("9c")),
        ),
        first_hand(
            "others-in-secret",
            "Another seat has buried a joker, and the bottom is not shown.",
            *(*BURIED, jokers(2, "Bj", "6c"), untold(BottomShown)),
        ),
        first_hand(
            "shown-again",
            "A seat buries no joker, and the bottom is shown again.",
            *(*SHOWN_TO_ALL, bury(0, "Rj 66778c"), *no_jokers(1)),
            also(BottomShown(faces("66778c Rj"), False)),
        ),
    ),
}
BURIALS: dict[Rule, tuple[Staged, ...]] = {
    R.PHASES: (
        first_hand("lead-while-declaring", "A card is led while seats may declare.", lay(0, "9c")),
        first_hand("buried-while-declaring", "Cards are buried before trump is known.", bury(0)),
        first_hand(
            "closed-twice",
            "Declaring is closed when the dealer has led.",
            *(*BURIED, lay(0, "9c"), CLOSED),
        ),
        first_hand(
            "declared-after-the-burial",
            "The dealer has buried, and a seat declares.",
            *(*BURIED, show(1, "Rj")),
            holds=("Rj 4s", "Rj", "", ""),
        ),
        first_hand(
            "ended-while-declaring",
            "The hand is ended before a card is led.",
            *(SHOWN, _END),
        ),
    ),
    R.DRY_STAYS: (
        first_hand(
            "buried",
            "干锅, and the dealer buries.",
            *(*SHOWN_TO_ALL, bury(0, "66778c 9c")),
            bottom=DRY,
        ),
        first_hand(
            "jokers-buried",
            "干锅, and a seat buries a joker.",
            *(*SHOWN_TO_ALL, jokers(1, "Bj", "7h")),
            bottom=DRY,
        ),
        first_hand(
            "jokers-passed",
            "干锅, and a seat is asked whether it buries jokers.",
            *(*SHOWN_TO_ALL, *no_jokers(1)),
            bottom=DRY,
        ),
    ),
    R.BURIAL: (
        first_hand(
            "seven-cards", "Seven cards are buried.", *(*SHOWN_TO_ALL, bury(0, "4s 667789c"))
        ),
        first_hand(
            "another-seat",
            "Another seat buries than the dealer.",
            *(*SHOWN_TO_ALL, bury(1, "999c 888d")),
        ),
        first_hand(
            "lead-instead", "The dealer leads before he buries.", *(*SHOWN_TO_ALL, lay(0, "9c"))
        ),
        first_hand(
            "jokers-before-the-dealer",
            "Another seat buries a joker before the dealer has buried.",
            *(*SHOWN_TO_ALL, jokers(1, "Bj", "6c")),
        ),
    ),
    R.BIG_FIRST: (
        first_hand(
            "dealer-keeps-his-red-joker",
            "The dealer buries a 小王, and keeps a 大王.",
            *(*SHOWN_TO_ALL, bury(0, "Bj 66778c")),
            holds=("Rj 4s Bj", "", "", ""),
        ),
        first_hand(
            "other-seat-keeps-its-red-joker",
            "Another seat buries a 小王, and keeps a 大王.",
            *(*BURIED, jokers(1, "Bj", "6c")),
            holds=_JOKERS_HELD,
        ),
    ),
    R.OTHERS_BURY: (
        first_hand(
            "out-of-order",
            "A seat buries a joker after one behind it.",
            *(*BURIED, *no_jokers(2), jokers(1, "Rj", "6c")),
            holds=_JOKERS_HELD,
        ),
        first_hand(
            "a-second-time",
            "A seat buries jokers a second time.",
            *(*BURIED, jokers(1, "Rj", "6c"), jokers(1, "Bj", "6c")),
            holds=_JOKERS_HELD,
        ),
        first_hand(
            "dealer-again",
            "The dealer buries a joker after all.",
            *(*BURIED, jokers(0, "Rj", "6c")),
        ),
        first_hand(
            "after-the-lead",
            "The dealer has led, and a seat buries a joker.",
            *(*BURIED, lay(0, "9c"), jokers(1, "Rj", "6c")),
            holds=_JOKERS_HELD,
        ),
        first_hand(
            "where-nobody-may",
            "Where nobody but the dealer buries, another seat does.",
            *(*BURIED, jokers(1, "Rj", "6c")),
            holds=_JOKERS_HELD,
            house=but(others_bury="never"),
        ),
    ),
    R.SMALLEST_PICK: (
        first_hand(
            "larger-card",
            "An 8 is picked, and there is a 6.",
            *(*BURIED, jokers(1, "Rj", "8c")),
            holds=_JOKERS_HELD,
        ),
        first_hand(
            "trump-before-side-cards",
            "A trump 4 is picked, and there are side cards.",
            *(*BURIED, jokers(1, "Rj", "4s")),
            holds=_JOKERS_HELD,
        ),
        first_hand(
            "card-with-points",
            "A 5 is picked.",
            *(*SHOWN_TO_ALL, bury(0, "5h 66778c"), jokers(1, "Rj", "5h")),
            holds=_JOKERS_HELD,
        ),
        first_hand(
            "joker-picked",
            "A joker that was buried is picked.",
            *(*BURIED, jokers(1, "Rj", "6c"), jokers(2, "Bj", "Rj")),
            holds=_JOKERS_HELD,
        ),
        first_hand(
            "stronger-of-two-level-cards",
            "Where the suit counts, the level card of the trump suit is picked.",
            *(*SHOWN_TO_ALL, bury(0, "3s 3h KK5s 5h"), jokers(1, "Rj", "3s")),
            holds=_JOKERS_HELD,
            house=but(pick_tie="strength"),
        ),
    ),
    R.PICKABLE: (
        first_hand(
            "nothing-but-points",
            "The dealer has buried points alone, and a joker is buried.",
            *(*SHOWN_TO_ALL, bury(0, "KK55s 5h Th"), jokers(1, "Rj", "5h")),
            holds=_JOKERS_HELD,
        ),
        first_hand(
            "more-jokers-than-cards",
            "Two jokers are buried, and one card can be picked.",
            *(*SHOWN_TO_ALL, bury(0, "KK55s 5h 6c"), jokers(1, "Rj Bj", "6c 5h")),
            holds=_JOKERS_HELD,
        ),
        first_hand(
            "any-point",
            "Where any card with points forbids it, a joker is buried.",
            *(*SHOWN_TO_ALL, bury(0, "5h 66778c"), jokers(1, "Rj", "6c")),
            holds=_JOKERS_HELD,
            house=but(others_bury_ban="any_point"),
        ),
    ),
    R.PICK_COUNT: (
        first_hand(
            "two-for-one",
            "A joker is buried, and two cards are picked.",
            *(*BURIED, jokers(1, "Rj", "66c")),
            holds=_JOKERS_HELD,
        ),
        first_hand(
            "none-for-one",
            "A joker is buried, and no card is picked.",
            *(*BURIED, jokers(1, "Rj", "")),
            holds=_JOKERS_HELD,
        ),
        first_hand(
            "not-in-the-bottom",
            "A card is picked that is not in the bottom.",
            *(*BURIED, jokers(1, "Rj", "9c")),
            holds=_JOKERS_HELD,
        ),
    ),
    R.ONLY_JOKERS: (
        first_hand(
            "ace-buried",
            "Another seat buries an ace.",
            *(*BURIED, jokers(1, "Ac", "6c")),
        ),
    ),
}
