"""Hands of 炒地皮 that go wrong between burial and first lead: buried, stirred, held."""

from replay.engine.chaodipi.rules import R
from replay.engine.rule import Rule
from schema.chaodipi import (
    BottomTaken,
)
from tests.samples.bends import also, faces, told, untold
from tests.samples.chaodipi.acts import CLOSED, TURNED, Act, bury, lay, no_stir, ready, show, stir
from tests.samples.chaodipi.before import BURIED, first_hand, in_flag, with_level_card
from tests.samples.chaodipi.scenes import Scene, scene_way
from tests.samples.sorts import Staged, but

_OTHER_BOTTOM = faces("3344h 6677c")
_LOOSE = "3344h 6678h"


def _held(words: str, says: str, holds: tuple[str, str, str, str], *acts: Act) -> Staged:
    """A first hand in which the seats hold these cards, whatever they then do."""
    return scene_way(words, says, Scene(acts, holds, _LOOSE))


STIRRING: dict[Rule, tuple[Staged, ...]] = {
    R.BURIAL: (
        first_hand(
            "seven-cards", "Seven cards are buried.", show(0, "2s"), CLOSED, bury(0, "3344h 667h")
        ),
        first_hand(
            "another-seat",
            "Another seat buries than the one that took the bottom.",
            show(0, "2s"),
            CLOSED,
            bury(1, "3344c 6677c"),
        ),
        first_hand(
            "lead-instead",
            "The dealer leads before he has buried.",
            show(0, "2s"),
            CLOSED,
            lay(0, "3c"),
        ),
    ),
    R.STIR_ORDER: (
        first_hand("seat-skipped", "A seat is skipped.", *BURIED, *no_stir(2)),
        first_hand("stirred-out-of-turn", "A seat stirs too early.", *BURIED, stir(2, "22h")),
        first_hand("burier-asked", "The seat that buried is asked.", *BURIED, *no_stir(0)),
    ),
    R.STIR_HIGHER: (
        first_hand("stirred-with-a-single", "A seat stirs with a single.", *BURIED, stir(1, "2h")),
        first_hand(
            "stirred-with-a-lower-pair",
            "A seat stirs with hearts over spades.",
            show(0, "22s"),
            CLOSED,
            bury(0),
            stir(1, "22h"),
        ),
        with_level_card(
            "single-after-the-bottom-was-turned",
            "Nobody has declared; a seat stirs with a single.",
            TURNED,
            CLOSED,
            bury(0),
            stir(1, "2h"),
        ),
    ),
    R.BOTTOM_TAKEN: (
        first_hand(
            "other-cards",
            "Another card is said to be taken with the bottom.",
            show(0, "2s"),
            CLOSED,
            told(BottomTaken, cards=_OTHER_BOTTOM),
        ),
        first_hand(
            "not-to-the-stirrer",
            "A seat stirs, and its partner is said to take the bottom.",
            show(0, "2s"),
            CLOSED,
            bury(0, "3344h 667h 2s"),
            stir(1, "22h"),
            told(BottomTaken, seat=3),
        ),
        first_hand(
            "bottom-missing",
            "It is not said who takes the bottom.",
            show(0, "2s"),
            CLOSED,
            untold(BottomTaken),
        ),
        first_hand(
            "bottom-undue",
            "A seat does not stir, and is said to take the bottom.",
            *BURIED,
            *no_stir(1),
            also(BottomTaken(1, faces("3344h 6677h"))),
        ),
    ),
    R.STIR_END: (
        first_hand(
            "lead-before-all-are-asked",
            "The dealer leads before the third seat is asked.",
            *BURIED,
            *no_stir(1, 2),
            lay(0, "3c"),
        ),
        first_hand(
            "asked-on", "Nobody stirs, and a seat is asked again.", *BURIED, *no_stir(1, 2, 3, 1)
        ),
        first_hand(
            "asked-after-red-fives",
            "红桃5 are shown, and a seat is asked whether it stirs.",
            show(0, "55h", "c"),
            CLOSED,
            bury(0),
            *no_stir(1),
        ),
        first_hand(
            "asked-where-nobody-is",
            "Where nobody is asked after the bottom was turned up, a seat is.",
            TURNED,
            CLOSED,
            bury(0),
            *no_stir(1),
            house=but(stir_after_bottom_trump="not_asked"),
        ),
        first_hand(
            "buried-twice",
            "The dealer buries once more.",
            *BURIED,
            bury(0, "3344h 6677h"),
        ),
    ),
    R.FLAG_BOTTOM: (
        in_flag("buried", "扛旗, and cards are buried.", bury(0, "3344c 6677c")),
        in_flag("stirred", "扛旗, and a seat stirs.", stir(1, "Bj Bj")),
        in_flag("asked", "扛旗, and a seat is asked whether it stirs.", *no_stir(1)),
    ),
    R.HELD: (
        _held(
            "shown-card-of-another-seat",
            "A pair is shown of which the seat holds one.",
            ("2s", "2s", "", ""),
            show(0, "22s"),
        ),
        _held(
            "buried-card-of-another-seat",
            "A card is buried that the dealer does not hold.",
            ("2s", "KKd", "", ""),
            show(0, "2s"),
            CLOSED,
            bury(0, "3344h 667h Kd"),
        ),
        _held(
            "stirred-with-one-card",
            "A seat stirs with a pair of which it holds one.",
            ("2s 2h", "2h", "", ""),
            *BURIED,
            stir(1, "22h"),
        ),
        _held(
            "stirred-with-buried-cards",
            "A seat buries a pair, and stirs with it later.",
            ("2s 22h", "22d", "", ""),
            show(0, "2s"),
            CLOSED,
            bury(0, "22h 334h 678h"),
            stir(1, "22d"),
            bury(1),
            *no_stir(2, 3),
            stir(0, "22h"),
        ),
        _held(
            "laid-twice",
            "A pair of which one card is held.",
            ("2s Ac", "Ac", "", ""),
            *ready(0, "2s"),
            lay(0, "AAc"),
        ),
        _held(
            "laid-though-buried",
            "The dealer leads a card that he has buried.",
            ("2s", "8h", "", ""),
            *ready(0, "2s"),
            lay(0, "8h"),
        ),
        _held(
            "answered-with-a-card-of-another-seat",
            "A seat answers with a card that it does not hold.",
            ("2s Kc", "Ac", "QQd", ""),
            *ready(0, "2s"),
            lay(0, "Kc"),
            lay(1, "Qd"),
        ),
    ),
}
