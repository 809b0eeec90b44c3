"""Hands of 四副滚子 that go wrong before trump is known: the deal, shows, cards turned up."""

from typing import Any

from msgspec.structs import replace

from replay.engine.gunzi.presets import FIRST_CARRY
from replay.engine.gunzi.rules import R
from replay.engine.rule import Rule
from schema.cards import ALL_CODES
from schema.events import By, Dealt, Event, Played
from schema.gunzi import GunziOpening
from schema.options import Options
from tests.samples.bends import also
from tests.samples.gunzi.acts import (
    CLOSED,
    DT,
    Act,
    flips,
    show,
)
from tests.samples.gunzi.clean import AT_FOUR, FLIPPED
from tests.samples.gunzi.hands import HELD_60, TO_FIVE
from tests.samples.gunzi.scenes import QUIET, Scene, scene_way, staged
from tests.samples.sorts import PLAIN, House, Staged, but

DEALER = ("Rj 4s", "", "", "")
"""Seat 0 is dealt a 大王 and then a spade."""
SHOWN = show(0, "Rj", after=1)
_ANEW = Dealt(DT, 0, ALL_CODES * 3)


def first_hand(
    words: str,
    says: str,
    *acts: Act,
    holds: tuple[str, str, str, str] = DEALER,
    bottom: str = QUIET,
    house: House = PLAIN,
) -> Staged:
    """A first hand, level 3."""
    return scene_way(words, says, Scene(acts, holds, bottom), house=house)


def later_hand(
    words: str,
    says: str,
    *acts: Act,
    before: tuple[Scene, ...] = AT_FOUR,
    holds: tuple[str, str, str, str] = ("", "", "", ""),
    bottom: str = "6s 66778c",
    house: House = PLAIN,
) -> Staged:
    """The second hand: seat 2 deals at level 4."""
    return scene_way(words, says, *before, Scene(acts, holds, bottom), house=house)


def opens(words: str, says: str, *before: Scene, **false: Any) -> Staged:
    """A hand that opens with something else than the one before left."""
    return scene_way(words, says, *before, Scene(carries=lambda carry: replace(carry, **false)))


def _unopened(options: Options) -> list[list[Event]]:
    """A hand without its opening."""
    (events,) = staged(options, Scene((SHOWN,), DEALER))
    return [[events[0], *events[2:]]]


DEALING: dict[Rule, tuple[Staged, ...]] = {
    R.DECK: (
        scene_way(
            "fourth-copy",
            "The deck holds one face four times.",
            Scene(decks=lambda cards: cards.replace(b"\x00", b"\x01", 1)),
        ),
        scene_way(
            "card-short", "A card is missing from the deck.", Scene(decks=lambda cards: cards[1:])
        ),
        scene_way(
            "play-before-the-deal",
            "A card is laid before the deal.",
            Scene((Played(DT, By.PLAYER, 0, b"\x00"),), deal="none"),
        ),
        first_hand("dealt-twice", "The deck is dealt twice.", _ANEW),
        first_hand(
            "dealt-anew-after-a-flip",
            "A card of the bottom is turned up, and the deck is dealt anew.",
            *(CLOSED, *flips((0, 0)), _ANEW),
            bottom=FLIPPED,
        ),
    ),
    R.LEVELS: (
        opens("first-hand-at-level-4", "A match opens with a side at level 4.", levels=(2, 1)),
        opens("opening-levels", "The second hand opens at another level.", *AT_FOUR, levels=(3, 1)),
        opens(
            "opening-due",
            "The second hand owes other cards than the first one left.",
            HELD_60,
            due_for_score=1,
        ),
        opens(
            "opening-due-for-jokers",
            "The second hand owes cards for jokers that nobody buried.",
            TO_FIVE,
            due_for_jokers=2,
        ),
        Staged("opening-missing", "A hand that does not say what it opens with.", _unopened),
        first_hand(
            "opening-twice",
            "A second opening in the middle of a hand.",
            *(SHOWN, CLOSED, also(GunziOpening(FIRST_CARRY))),
        ),
    ),
    R.FIRST_HAND: (
        opens("first-hand-with-a-dealer", "The first hand of a match names a dealer.", dealer=0),
        opens(
            "tribute-in-a-first-hand",
            "The first hand of a match owes tribute for a score.",
            due_for_score=3,
        ),
        opens("opening-hand-no", "The second hand is numbered as the fifth.", *AT_FOUR, hand_no=5),
    ),
    R.DEAL_START: (
        scene_way(
            "deal-not-from-the-dealer",
            "The deal starts beside the dealer.",
            *AT_FOUR,
            Scene((show(2, "4s"),), start=3),
        ),
    ),
}
SHOWING: dict[Rule, tuple[Staged, ...]] = {
    R.DECLARE_TIME: (
        first_hand("not-dealt-yet", "A 大王 is shown before it is dealt.", show(0, "Rj", after=0)),
        later_hand(
            "before-the-last-show",
            "A show is logged earlier in the deal than the one that it follows.",
            *(show(0, "4s", after=90), show(1, "44h", after=89)),
        ),
        later_hand(
            "after-declaring",
            "Declaring is closed, a card is to be drawn, and a seat declares.",
            *(CLOSED, show(1, "4h")),
        ),
        later_hand(
            "before-the-tribute",
            "Trump is known, tribute is due, and a seat overturns.",
            *(show(2, "4s"), CLOSED, show(1, "44h")),
            before=(HELD_60,),
        ),
    ),
    R.FIRST_SHOW: (
        first_hand("level-card", "A level card is shown in a first hand.", show(0, "3s")),
        first_hand("black-joker", "A 小王 is shown in a first hand.", show(0, "Bj")),
        first_hand("four-jokers", "A 大王 and a 小王 are shown.", show(0, "Rj Bj")),
    ),
    R.SHOWS: (
        later_hand("not-of-the-level", "A 3 is shown at level 4.", show(0, "3s")),
        later_hand("two-jokers", "Two 大王 are shown.", show(0, "Rj Rj")),
        later_hand("two-suits", "Level cards of two suits are shown.", show(0, "4s 4h")),
    ),
    R.STRONGER: (
        later_hand(
            "single-on-single",
            "A level card is overturned by another.",
            *(show(0, "4s"), show(1, "4h")),
        ),
        later_hand(
            "pair-on-triple",
            "Three level cards are overturned by two.",
            *(show(0, "444s"), show(1, "44h")),
        ),
        later_hand(
            "jokers-on-jokers",
            "Three 大王 are overturned by three 小王.",
            *(show(3, "4d"), show(0, "Rj Rj Rj", "s"), show(1, "Bj Bj Bj", "h")),
        ),
        later_hand(
            "jokers-on-triple",
            "Where three jokers are no higher than three level cards, they overturn them.",
            *(show(0, "444s"), show(1, "Bj Bj Bj", "h")),
            house=but(joker_triple="equals_level_triple"),
        ),
    ),
    R.JOKERS_NAME: (
        later_hand(
            "nothing-named",
            "Three 小王 overturn, and no suit is named.",
            *(show(0, "4s"), show(1, "Bj Bj Bj")),
        ),
        later_hand(
            "no-trump-named",
            "Three 大王 overturn, and name no trump.",
            *(show(0, "4s"), show(1, "Rj Rj Rj", "n")),
        ),
    ),
    R.ONE_JOKER: (
        first_hand(
            "two-jokers",
            "Two 大王 are shown where one does.",
            show(0, "Rj Rj", after=9),
            holds=("Rj Rj 4s", "", "", ""),
        ),
    ),
    R.FIRST_STANDS: (
        first_hand(
            "overturned-first-joker",
            "A 大王 was shown; another seat shows one too.",
            *(SHOWN, show(1, "Rj", after=60)),
            holds=("Rj 4s", "Rj", "", ""),
        ),
        first_hand(
            "shown-again",
            "A 大王 was shown; the declarer shows another one.",
            *(SHOWN, show(0, "Rj", after=60)),
            holds=("Rj Rj 4s", "", "", ""),
        ),
    ),
    R.LATE_FIRST: (
        first_hand(
            "no-suited-card-to-come",
            "Where it is forbidden, a 大王 is shown when all is dealt.",
            show(0, "Rj"),
            house=but(late_first_show="forbidden"),
        ),
    ),
    R.JOKERS_OPEN: (
        later_hand(
            "jokers-first",
            "Three 小王 are shown where nobody has declared.",
            show(0, "Bj Bj Bj", "s"),
        ),
    ),
    R.SELF_OVERTURN: (
        later_hand(
            "another-suit-of-his-own",
            "Where a declarer may only reinforce, he changes the suit.",
            *(show(0, "4s"), show(0, "44h")),
            house=but(self_overturn_suit="same"),
        ),
    ),
    R.NAMED_EXTRA: (
        later_hand(
            "named-with-a-level-card",
            "A level card of spades is shown, and hearts are named.",
            show(0, "4s", "h"),
        ),
        first_hand(
            "named-with-the-first-joker",
            "A 大王 is shown in a first hand, and hearts are named.",
            show(0, "Rj", "h", after=1),
        ),
    ),
}
