"""Hands of 炒地皮 that go wrong before the burial: the deal, shows, the bottom turned up."""

from msgspec.structs import replace

from replay.engine.chaodipi.presets import FIRST_CARRY
from replay.engine.chaodipi.rules import R
from replay.engine.rule import Rule
from schema.cards import ALL_CODES
from schema.chaodipi import (
    BottomShown,
    BottomTaken,
    ChaodipiOpening,
    TrumpSet,
)
from schema.events import By, Dealt, Event, Played
from schema.options import Options
from schema.trumps import Trump
from tests.samples.bends import also, faces, told, untold
from tests.samples.chaodipi.acts import CLOSED, DT, TURNED, Act, bury, lay, show, stir
from tests.samples.chaodipi.hands import AT_ACE, AT_FLAG
from tests.samples.chaodipi.scenes import Scene, scene_way, staged
from tests.samples.sorts import PLAIN, House, Staged, but

BURIED = (show(0, "2s"), CLOSED, bury(0))
_ANEW = Dealt(DT, 0, ALL_CODES * 2)


def first_hand(words: str, says: str, *acts: Act, house: House = PLAIN) -> Staged:
    """A first hand, level 2."""
    return scene_way(words, says, Scene(acts), house=house)


def _unopened(options: Options) -> list[list[Event]]:
    """A hand without its opening."""
    (events,) = staged(options, Scene((show(0, "2s"),)))
    return [[events[0], *events[2:]]]


def with_level_card(words: str, says: str, *acts: Act, house: House = PLAIN) -> Staged:
    """The same, with a trump in the bottom that is turned up."""
    return scene_way(words, says, Scene(acts, bottom="2s 3344h 667h"), house=house)


def in_flag(words: str, says: str, *acts: Act) -> Staged:
    """扛旗, where there is none of this."""
    return scene_way(words, says, *AT_FLAG, Scene(acts, bottom=""))


DEALING: dict[Rule, tuple[Staged, ...]] = {
    R.DECK: (
        scene_way(
            "third-copy",
            "The deck holds one face three times.",
            Scene(decks=lambda cards: cards.replace(b"\x00", b"\x01", 1)),
        ),
        scene_way(
            "card-short",
            "A card is missing from the deck.",
            Scene(decks=lambda cards: cards[1:]),
        ),
        scene_way(
            "play-before-the-deal",
            "A card is laid before the deal.",
            Scene((Played(DT, By.PLAYER, 0, b"\x00"),), deal="none"),
        ),
        first_hand("dealt-twice", "The deck is dealt twice.", _ANEW),
        first_hand(
            "dealt-anew-after-a-show",
            "Where the deck is dealt anew if nobody declares, it is after a show too.",
            show(0, "2s"),
            _ANEW,
            house=but(nobody_declares="redeal"),
        ),
    ),
    R.LADDER: (
        scene_way(
            "first-hand-at-level-3",
            "A match opens with a side at level 3.",
            Scene(carries=lambda carry: replace(carry, levels=(1, 0))),
        ),
        scene_way(
            "opening-levels",
            "The second hand opens with another level.",
            *AT_ACE,
            Scene((show(0, "Ks"),), carries=lambda carry: replace(carry, levels=(11, 0))),
        ),
        Staged("opening-missing", "A hand that does not say what it opens with.", _unopened),
        first_hand(
            "opening-twice",
            "A second opening in the middle of a hand.",
            show(0, "2s"),
            CLOSED,
            also(ChaodipiOpening(FIRST_CARRY)),
        ),
    ),
    R.DEAL_START: (
        scene_way(
            "deal-not-from-the-dealer",
            "The deal starts beside the dealer.",
            *AT_ACE,
            Scene((show(0, "As"),), start=1),
        ),
    ),
}
DECLARING: dict[Rule, tuple[Staged, ...]] = {
    R.DECLARE_TIME: (
        first_hand("not-dealt-yet", "A card is shown before it is dealt.", show(0, "2s", after=0)),
        first_hand(
            "before-the-last-show",
            "A show is logged earlier in the deal than the one that it follows.",
            show(0, "2s", after=90),
            show(1, "22h", after=89),
        ),
        first_hand(
            "during-the-deal",
            "Where seats may declare after the deal only, one does with a card to come.",
            show(0, "2s", after=99),
            house=but(declare_window="after_only"),
        ),
        with_level_card(
            "after-the-bottom-is-turned-up",
            "The bottom lies open, and a seat declares.",
            TURNED,
            show(1, "22h"),
        ),
        first_hand(
            "after-the-bottom-is-taken",
            "The dealer has taken the bottom, and a seat overturns.",
            show(0, "2s"),
            CLOSED,
            show(1, "22h"),
        ),
    ),
    R.SHOWS: (
        first_hand("not-of-the-level", "A 3 is shown at level 2.", show(0, "3s")),
        first_hand("one-joker", "A single joker is shown.", show(0, "Bj")),
        first_hand("two-different-jokers", "小王 and 大王 are shown.", show(0, "Bj Rj")),
        first_hand("two-suits", "Two level cards of different suits are shown.", show(0, "2s 2h")),
        first_hand("one-red-five", "A single 红桃5 is shown at level 2.", show(0, "5h")),
        first_hand("stirred-with-kings", "A seat stirs with a pair of K.", *BURIED, stir(1, "KKs")),
    ),
    R.NAMING: (
        first_hand("nothing-named", "红桃5 are shown, and no trump is named.", show(0, "55h")),
        first_hand(
            "nothing-named-in-a-stir",
            "A seat stirs with 红桃5 and names no trump.",
            *BURIED,
            stir(1, "55h"),
        ),
    ),
    R.HIGHER: (
        first_hand(
            "single-on-single", "A single is overturned by another.", show(0, "2s"), show(1, "2h")
        ),
        first_hand(
            "lower-pair",
            "A pair of spades is overturned by hearts.",
            show(0, "22s"),
            show(1, "22h"),
        ),
        first_hand(
            "jokers-on-jokers", "大王 are overturned by 小王.", show(0, "Rj Rj"), show(1, "Bj Bj")
        ),
    ),
    R.BY_OTHERS: (
        first_hand(
            "overturned-himself",
            "The declarer shows the pair of his single.",
            show(0, "2s"),
            show(0, "22s"),
        ),
        first_hand(
            "another-suit-of-his-own",
            "Where the declarer may strengthen his suit, he changes it.",
            show(0, "2s"),
            show(0, "22h"),
            house=but(self_overturn="same_suit"),
        ),
        first_hand(
            "red-fives-of-his-own",
            "Where nobody may overturn himself, a seat does with 红桃5.",
            show(0, "2s"),
            show(0, "55h", "d"),
            house=but(self_overturn="never"),
        ),
    ),
    R.AFTER_RED_FIVE: (
        first_hand(
            "overturned-red-fives",
            "红桃5 are overturned by 大王.",
            show(0, "55h", "c"),
            show(1, "Rj Rj"),
        ),
    ),
    R.BOTTOM_TRUMP: (
        with_level_card(
            "trump-by-the-second-card",
            "The bottom has a level card, and another card's suit is announced.",
            TURNED,
            told(TrumpSet, trump=Trump.HEARTS),
        ),
        first_hand(
            "highest-card",
            "The highest card of the bottom is of hearts; diamonds are announced.",
            TURNED,
            told(TrumpSet, trump=Trump.DIAMONDS),
        ),
        with_level_card(
            "bottom-shown",
            "The bottom is shown with another card in it.",
            TURNED,
            told(BottomShown, cards=lambda claim: claim.cards[:7] + faces("Kh")),
        ),
        with_level_card("bottom-missing", "The bottom is not shown.", TURNED, untold(BottomShown)),
        with_level_card("trump-missing", "The trump is not announced.", TURNED, untold(TrumpSet)),
        first_hand(
            "bottom-shown-undue",
            "Somebody has declared, and the bottom is shown.",
            show(0, "2s"),
            also(BottomShown(faces("3344h 6677h"))),
        ),
    ),
    R.DEALER: (
        scene_way(
            "first-hand-with-a-dealer",
            "The first hand of a match names a dealer.",
            Scene((show(0, "2s"),), carries=lambda carry: replace(carry, dealer=0)),
        ),
        first_hand(
            "bottom-to-the-first-declarer",
            "First hand: a seat was overturned, and is given the bottom.",
            show(0, "2s"),
            show(1, "22h"),
            CLOSED,
            told(BottomTaken, seat=0),
        ),
    ),
    R.FLAG_DECLARING: (
        in_flag("declared", "扛旗, and a seat declares.", show(0, "55h", "s")),
        in_flag("bottom-turned", "扛旗, and a bottom is turned up.", TURNED),
        in_flag("declaring-closed", "扛旗, and declaring is closed.", CLOSED),
    ),
    R.NAMED_EXTRA: (
        first_hand(
            "named-with-a-level-card", "A trump is named with a level card.", show(0, "2s", "s")
        ),
        first_hand(
            "named-with-jokers", "A suit is named with a pair of jokers.", show(0, "Bj Bj", "h")
        ),
        first_hand(
            "named-in-a-stir",
            "A trump is named with the pair that a seat stirs with.",
            *BURIED,
            stir(1, "22h", "h"),
        ),
    ),
    R.DECLARING: (
        first_hand("closed-without-trump", "Nobody has declared, and declaring is closed.", CLOSED),
        first_hand(
            "turned-after-a-show",
            "A seat has declared, and the bottom is turned up.",
            show(0, "2s"),
            TURNED,
        ),
        with_level_card("turned-twice", "The bottom is turned up a second time.", TURNED, TURNED),
        first_hand(
            "turned-where-dealt-anew",
            "Nobody has declared; the deck is to be dealt anew, and the bottom is turned up.",
            TURNED,
            house=but(nobody_declares="redeal"),
        ),
        first_hand(
            "lead-before-the-burial",
            "A card is led while seats may declare.",
            show(0, "2s"),
            lay(0, "3c"),
        ),
    ),
    R.TRUMP_SET: (
        first_hand(
            "another-suit",
            "Spades are declared, hearts are announced.",
            show(0, "2s"),
            CLOSED,
            told(TrumpSet, trump=Trump.HEARTS),
        ),
        first_hand(
            "jokers-make-a-suit",
            "小王 make no trump; spades are announced.",
            show(0, "Bj Bj"),
            CLOSED,
            told(TrumpSet, trump=Trump.SPADES),
        ),
        first_hand(
            "another-rung",
            "A single is announced as a pair.",
            show(0, "2s"),
            CLOSED,
            told(TrumpSet, rung=5),
        ),
        first_hand(
            "trump-missing", "The trump is not announced.", show(0, "2s"), CLOSED, untold(TrumpSet)
        ),
        first_hand(
            "trump-again",
            "The trump is announced again after the burial.",
            *BURIED,
            also(TrumpSet(Trump.SPADES, 1)),
        ),
        first_hand(
            "stirred-to-another-suit",
            "A seat stirs with hearts; clubs are announced.",
            *BURIED,
            stir(1, "22h"),
            told(TrumpSet, trump=Trump.CLUBS),
        ),
    ),
}
