"""The clean samples of 炒地皮 that show a house rule: a hand goes as it does by that rule."""

from collections.abc import Sequence
from typing import Any

from schema.chaodipi import (
    Buried,
    ChaodipiEffect,
    ChaodipiResult,
    StirPassed,
    ThrowJudged,
)
from schema.events import Dealt, Event, Refused
from schema.trumps import Trump
from tests.samples.bends import also, faces
from tests.samples.chaodipi.acts import (
    CLOSED,
    DT,
    OTHERS_ANSWER,
    TURNED,
    bury,
    escape,
    lay,
    no_stir,
    ready,
    show,
    stir,
    trick,
)
from tests.samples.chaodipi.clean import Shows, sets, settles
from tests.samples.chaodipi.hands import (
    AT_ACE,
    AT_FLAG,
    FIVE_FROM_TEN,
    dug,
    flag_failed,
    flag_passed,
    last_wsk,
    scored,
    scored_at_ace,
    sweep,
)
from tests.samples.chaodipi.plays import RUFFS, at_six, laid, wins
from tests.samples.chaodipi.scenes import Scene, deck, scene_way
from tests.samples.sorts import Staged, but

_THROWN = trick(0, "AAKc", "44As", "557s", "998c")


def _n(kind: type[Event], number: int) -> Shows:
    """So many events of a kind."""
    return lambda events: sum(isinstance(event, kind) for event in events) == number


def _refuses(events: Sequence[Event]) -> bool:
    return any(isinstance(event, Refused) for event in events)


def _option(words: str, says: str, *scenes: Scene, shows: Shows, **options: Any) -> Staged:
    """Hands at a table with these options."""
    return scene_way(f"option-{words}", says, *scenes, house=but(**options), shows=shows)


BEFORE_PLAY: tuple[Staged, ...] = (
    _option(
        "declared-after-the-deal",
        "Seats may declare after the deal only.",
        Scene(ready(0, "2s")),
        shows=sets(Trump.SPADES, 1),
        declare_window="after_only",
    ),
    _option(
        "stir-leaves-the-dealer",
        "First hand: a seat stirs, and the first declarer deals all the same.",
        Scene(
            (
                show(0, "2s"),
                CLOSED,
                bury(0),
                stir(1, "22h"),
                bury(1),
                *no_stir(2, 3, 0),
                lay(0, "Ac"),
            )
        ),
        shows=_n(Buried, 2),
        stir_moves_dealer="never",
    ),
    _option(
        "own-suit-strengthened",
        "The declarer shows the pair of his single.",
        Scene((show(0, "2s"), show(0, "22s"), CLOSED, bury(0))),
        shows=sets(Trump.SPADES, 5),
        self_overturn="same_suit",
    ),
    _option(
        "overturned-himself-freely",
        "The declarer overturns himself with another suit.",
        Scene((show(0, "2s"), show(0, "22h"), CLOSED, bury(0))),
        shows=sets(Trump.HEARTS, 4),
        self_overturn="any",
    ),
    _option(
        "never-overturned-himself",
        "Nobody may overturn himself; his partner may.",
        Scene((show(0, "2s"), show(2, "22h"), CLOSED, bury(2))),
        shows=sets(Trump.HEARTS, 4),
        self_overturn="never",
    ),
    _option(
        "dealt-anew",
        "Nobody declares in the first hand: the deck is dealt anew.",
        Scene((Dealt(DT, 0, deck(sweep(), 0)), *sweep().acts)),
        shows=_n(Dealt, 2),
        nobody_declares="redeal",
    ),
    _option(
        "joker-in-the-bottom",
        "Nobody declares, and the bottom has a joker but no level card: no trump.",
        Scene((TURNED, CLOSED, bury(0), *no_stir(1, 2, 3)), bottom="9c Rj Kh Ks 66h 77h"),
        shows=sets(Trump.NO_TRUMP, 0),
        bottom_joker="no_trump",
    ),
    _option(
        "nobody-stirs-a-turned-bottom",
        "The bottom was turned up: nobody is asked whether he stirs.",
        Scene((TURNED, CLOSED, bury(0), lay(0, "Ac"))),
        shows=_n(StirPassed, 0),
        stir_after_bottom_trump="not_asked",
    ),
    _option(
        "stir-pass-is-final",
        "A seat that has passed is not asked again after another has stirred.",
        Scene(
            (
                show(0, "2d"),
                CLOSED,
                bury(0),
                *no_stir(1),
                stir(2, "22h"),
                bury(2),
                *no_stir(3, 0),
                lay(2, "Ac"),
            )
        ),
        shows=_n(StirPassed, 3),
        stir_pass="final",
    ),
)
SHAPES: tuple[Staged, ...] = (
    laid(
        "option-open-gap-in-hearts",
        "4 and 6 of hearts are no neighbours: they are a throw.",
        ("2s 4466h", "", "", ""),
        lay(0, "4466h"),
        OTHERS_ANSWER,
        shows=_n(ThrowJudged, 1),
        house=but(heart_gap="open"),
        bottom="88QQh JJ99h",
    ),
    laid(
        "option-red-five-in-no-tractor",
        "Hearts are trump: 红桃5 is no neighbour of 4 and 6; pairs of 4 and 5 are a throw.",
        ("2h 4455h", "", "", ""),
        lay(0, "4455h"),
        OTHERS_ANSWER,
        shows=_n(ThrowJudged, 1),
        house=but(red_five_in_tractor="never"),
        card="2h",
        bottom="3344c 6677c",
    ),
    laid(
        "option-tractor-of-jokers",
        "小王 and 大王 are a tractor.",
        ("2s Bj Bj Rj Rj", "", "", ""),
        lay(0, "Bj Bj Rj Rj"),
        OTHERS_ANSWER,
        shows=wins(0),
        house=but(joker_tractor="pairs"),
    ),
    at_six(
        "option-level-tractor-by-printed-rank",
        "Level 6: a tractor of 5 and 6 of the trump suit is beaten by K and A.",
        ("", "KKAAs", "", ""),
        lay(0, "5566s"),
        lay(1, "KKAAs"),
        OTHERS_ANSWER,
        shows=wins(1),
        house=but(level_tractor="printed"),
    ),
    laid(
        "option-throw-turned-down",
        "A throw that fails is turned down.",
        ("2s AAQc", "Kc", "", ""),
        *trick(0, "Ac", "9c", "8c", "7c"),
        also(Refused(0, faces("AQc"))),
        shows=_refuses,
        house=but(failed_throw="reject"),
    ),
    laid(
        "option-ruffs-by-highest-card",
        "Two ruffs of a throw are compared by their highest card.",
        RUFFS,
        *_THROWN,
        shows=wins(1),
        house=but(over_ruff="highest_card"),
    ),
    laid(
        "option-ruffs-by-all-components",
        "A ruff of a throw is beaten in every part only.",
        RUFFS,
        *_THROWN,
        shows=wins(1),
        house=but(over_ruff="all_components"),
    ),
    laid(
        "option-three-strongest",
        "5.10.K of trump: who holds the other one lays his three strongest trumps too.",
        ("2s 5TKs", "5TKs Rj Rj Bj", "", ""),
        *trick(0, "5TKs", "Rj Rj Bj"),
        OTHERS_ANSWER,
        shows=wins(0),
        house=but(second_trump_wsk="top_three"),
    ),
)
RESULTS: tuple[Staged, ...] = (
    _option(
        "room-for-a-match",
        "A room for a whole match: passing 扛旗 pays 6.",
        *AT_FLAG,
        flag_passed(0),
        shows=settles(deltas=(6, 0, 6, 0)),
        room="match",
    ),
    _option(
        "escape-between-hands",
        "A room for a whole match: who leaves between two hands has escaped.",
        *AT_ACE,
        Scene((escape(2),), deal="none"),
        shows=settles(deltas=(0, 0, -15, 0)),
        room="match",
    ),
    _option(
        "fined-throw",
        "A throw fails: ten points for the attackers.",
        Scene(
            (*ready(0, "2s"), lay(0, "AAQc"), *trick(1, "Kc", "9c", "8c")),
            ("2s AAQc", "Kc", "9c", "8c"),
            then="played",
        ),
        shows=settles(penalty=10),
        throw_penalty=10,
    ),
    _option(
        "stirred-bottom-of-no-worth",
        "An attacker has stirred, and wins his own burial: it does not count.",
        *AT_ACE,
        Scene(
            (
                *(show(0, "Ah"), CLOSED, bury(0), stir(1, "AAs"), bury(1, "KKTTh 6677h")),
                *(*no_stir(2, 3, 0), lay(0, "3c")),
            ),
            bottom="KKTTh 6677h",
            then="played",
        ),
        shows=settles(bottom=0),
        stirred_bottom="dealer_side_only",
    ),
    _option(
        "last-wsk-of-the-winner",
        "5.10.K in the last trick counts if it wins itself.",
        *AT_ACE,
        last_wsk(),
        shows=settles(effect=ChaodipiEffect.LAST_WSK),
        last_trick_wsk="winning_play",
    ),
    _option(
        "last-wsk-off",
        "5.10.K in the last trick has no effect.",
        *AT_ACE,
        last_wsk(),
        shows=settles(effect=ChaodipiEffect.POINTS),
        last_trick_wsk="off",
    ),
    _option(
        "bottom-by-cards",
        "抠底 with a tractor of two pairs: by 8, two for each card.",
        dug("tractor"),
        shows=settles(factor=8),
        bottom_factor="two_per_card",
    ),
    _option(
        "bottom-by-eight-at-most",
        "抠底 with a tractor: by 8, and never by more.",
        dug("tractor"),
        shows=settles(factor=8),
        bottom_factor="cap8",
    ),
    _option(
        "ace-passed-without-a-level",
        "Level A, 75 points: any win passes A.",
        *AT_ACE,
        scored_at_ace(75),
        shows=settles(levels=(13, 0)),
        passing_ace="any_win",
    ),
    _option(
        "ace-skipped",
        "Level T and 30 points: the dealer side rises five levels, and skips A.",
        *FIVE_FROM_TEN,
        shows=settles(levels=(13, 0)),
        skipping_ace="dealer_side",
    ),
    _option(
        "flag-levels-from-100",
        "扛旗 fails with 100 points: the attackers rise from there, by none.",
        *AT_FLAG,
        flag_failed(0),
        shows=settles(risen=0),
        flag_level_base=100,
    ),
    _option(
        "flag-fails-once",
        "扛旗 may not fail once: the side falls to 2.",
        *AT_FLAG,
        flag_failed(0),
        shows=settles(levels=(0, 2)),
        flag_failures_max=1,
    ),
    _option(
        "red-fives-off",
        "红桃5 were shown, and the points decide.",
        dug("single", shows="55h", named="s"),
        shows=settles(effect=ChaodipiEffect.POINTS, levels=(0, 1)),
        red_five_effect="off",
    ),
    _option(
        "partner-deals",
        "The dealer holds, and his partner is to deal.",
        scored(40),
        shows=settles(dealer=2),
        dealer_after_hold="partner",
    ),
    _option(
        "previous-seat-deals",
        "The attackers take over: the seat before the dealer is to deal.",
        scored(80),
        shows=settles(dealer=3),
        dealer_after_swap="previous",
    ),
    _option(
        "nominal-scores",
        "抠底: the attackers stop at A, and score every level that they earned.",
        dug("tractor"),
        shows=settles(risen=12, deltas=(-29, 29, -29, 29)),
        score_levels="nominal",
    ),
    _option(
        "flag-bonus-paid",
        "扛旗 is passed, and the losers pay.",
        *AT_FLAG,
        flag_passed(0),
        shows=settles(deltas=(3, -3, 3, -3), result=ChaodipiResult.MATCH_WON),
        flag_bonus="zero_sum",
    ),
    _option(
        "escape-costs-more",
        "A player escapes, and loses 30.",
        Scene((*ready(0, "2s"), escape(2))),
        shows=settles(deltas=(0, 0, -30, 0)),
        escape_penalty=30,
    ),
)
OPTIONS: tuple[Staged, ...] = (*BEFORE_PLAY, *SHAPES, *RESULTS)
"""One or more for each word of each option that is not the default."""
