"""升级: what a score does to levels, failures and game scores (chaodipi-11, 12)."""

from msgspec import Struct

from replay.engine.chaodipi.order import ACE, FLAG
from replay.engine.mechanics.ladder import climbed
from schema.chaodipi import ChaodipiEffect, ChaodipiResult
from schema.options import ChaodipiOptions

TO_TAKE, FLAG_TO_TAKE = 80, 100
_A_LEVEL = 10
_FLAG_BONUS = {"single": 3, "match": 6}
HELD, TAKEN, MATCH_WON = ChaodipiResult.HELD, ChaodipiResult.TAKEN, ChaodipiResult.MATCH_WON


class Played(Struct, frozen=True):
    """What decides a hand: levels and failures of the dealer side, level of the attackers,
    their score, whether they have the 5.10.K of the last trick, whether 红桃5 were shown.
    """

    dealer_level: int
    attackers_level: int
    failures: int
    score: int
    is_last_wsk: bool
    has_red_fives: bool


class Outcome(Struct, frozen=True):
    """What a hand comes to: new levels, failures of the dealer side, levels gained by the winners,
    and game score for each player of the dealer side and of the attackers.
    """

    result: ChaodipiResult
    effect: ChaodipiEffect
    dealer_level: int
    attackers_level: int
    failures: int
    risen: int
    dealer_score: int
    attackers_score: int


def outcome(options: ChaodipiOptions, hand: Played) -> Outcome:
    """chaodipi-11.14: first who wins; then the first effect that applies sets the levels."""
    if hand.is_last_wsk:
        return _last_wsk(hand)
    if hand.dealer_level == FLAG:
        return _flag(options, hand)
    if hand.has_red_fives and options.red_five_effect == "on":
        return _red_fives(options, hand)
    if hand.score >= TO_TAKE:
        return _taken(options, hand, TO_TAKE, hand.dealer_level, 0, ChaodipiEffect.POINTS)
    return _held(options, hand)


def _last_wsk(hand: Played) -> Outcome:
    """chaodipi-11.11: the dealer side falls to 2, the attackers rise to A and deal."""
    level = max(hand.attackers_level, ACE)
    risen = level - hand.attackers_level
    return Outcome(TAKEN, ChaodipiEffect.LAST_WSK, 0, level, 0, risen, -risen, risen)


def _flag(options: ChaodipiOptions, hand: Played) -> Outcome:
    """chaodipi-11.8 to 11.10: 扛旗 is passed, or counted as failed."""
    if hand.score < FLAG_TO_TAKE:
        bonus = _FLAG_BONUS[options.room]
        loss = {"winners_only": 0, "zero_sum": bonus}[options.flag_bonus]
        return Outcome(MATCH_WON, ChaodipiEffect.FLAG, 0, 0, 0, 0, bonus, -loss)
    failures = hand.failures + 1
    falls = failures >= options.flag_failures_max
    level, failures = (0, 0) if falls else (FLAG, failures)
    base = options.flag_level_base
    return _taken(options, hand, base, level, failures, ChaodipiEffect.FLAG)


def _taken(
    options: ChaodipiOptions,
    hand: Played,
    base: int,
    dealer_level: int,
    failures: int,
    effect: ChaodipiEffect,
) -> Outcome:
    """chaodipi-11.4, 11.5: the attackers take the deal, and rise a level for every ten points."""
    earned = (hand.score - base) // _A_LEVEL
    level = climbed(hand.attackers_level, earned, ACE)
    risen = level - hand.attackers_level
    nominal = (hand.score - TO_TAKE) // _A_LEVEL
    scored = {"actual": risen, "nominal": nominal}[options.score_levels]
    return Outcome(TAKEN, effect, dealer_level, level, failures, risen, -scored, scored)


def _held(options: ChaodipiOptions, hand: Played) -> Outcome:
    """chaodipi-11.2, 11.3: the dealer side deals again, and rises; 大光 lifts it to A."""
    level, is_all = _held_level(options, hand)
    risen = level - hand.dealer_level
    nominal = (TO_TAKE - hand.score) // _A_LEVEL
    scored = risen if is_all or options.score_levels == "actual" else nominal
    effect = ChaodipiEffect.ALL if is_all else ChaodipiEffect.POINTS
    return Outcome(HELD, effect, level, hand.attackers_level, 0, risen, scored, -scored)


def _held_level(options: ChaodipiOptions, hand: Played) -> tuple[int, bool]:
    """The dealer side's level after a win, and whether 大光 made it."""
    old = hand.dealer_level
    earned = (TO_TAKE - hand.score) // _A_LEVEL
    if old == ACE:
        passes = earned >= 1 or options.passing_ace == "any_win"
        return (FLAG if passes else ACE), hand.score <= 0
    if hand.score <= 0:
        return ACE, True
    if options.skipping_ace == "dealer_side" and old + earned > ACE:
        return FLAG, False
    return climbed(old, earned, ACE), False


def _red_fives(options: ChaodipiOptions, hand: Played) -> Outcome:
    """chaodipi-11.12, 11.13: the winners rise to A, the losers fall to 2, from 扛旗 to A."""
    effect = ChaodipiEffect.RED_FIVE
    if hand.score >= TO_TAKE:
        level = max(hand.attackers_level, ACE)
        risen = level - hand.attackers_level
        return Outcome(TAKEN, effect, 0, level, 0, risen, -risen, risen)
    level = max(ACE, _held_level(options, hand)[0])
    risen = level - hand.dealer_level
    loser = ACE if hand.attackers_level == FLAG else 0
    return Outcome(HELD, effect, level, loser, 0, risen, risen, -risen)
