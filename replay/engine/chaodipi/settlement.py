"""结算: the attackers' score, what it does, what the next hand opens with (chaodipi-10 to 12)."""

from typing import Literal

from msgspec.structs import replace

from replay.engine.chaodipi.levels import Outcome, Played, outcome
from replay.engine.chaodipi.shapes import Shape, wsks
from replay.engine.chaodipi.states import Carry, Playing, Setting, side
from replay.engine.mechanics.points import points
from replay.engine.mechanics.seats import N_SEATS, per_seat
from replay.engine.mechanics.tricks import seat_at
from schema.chaodipi import ChaodipiEffect, ChaodipiResult, ChaodipiSettled
from schema.options import ChaodipiOptions


def settle(state: Playing, lead: Shape) -> ChaodipiSettled:
    """The settlement after the last trick, which `lead` opened."""
    setting = state.setting
    options, dealers = setting.house.options, side(setting.dealer)
    tricks = sum(state.captured[s] for s in range(N_SEATS) if side(s) != dealers)
    bottom, times = _bottom(state, lead)
    score = tricks + bottom * times + state.penalty
    levels, failures = setting.carry.levels, setting.carry.failures
    hand = Played(
        dealer_level=setting.level,
        attackers_level=levels[1 - dealers],
        failures=failures[dealers],
        score=score,
        is_last_wsk=last_wsk(state),
        has_red_fives=setting.has_red_fives,
    )
    result = outcome(options, hand)
    deltas = per_seat(
        result.dealer_score if side(s) == dealers else result.attackers_score
        for s in range(N_SEATS)
    )
    return ChaodipiSettled(
        tricks=tricks,
        bottom=bottom,
        factor=times,
        penalty=state.penalty,
        score=score,
        result=result.result,
        effect=result.effect,
        risen=result.risen,
        deltas=deltas,
        next=_next(options, setting, result, deltas),
    )


def _bottom(state: Playing, lead: Shape) -> tuple[int, int]:
    """chaodipi-10.2 to 10.5: points of the bottom and what multiplies them; 0, 0 if they stay."""
    dealers, options = side(state.setting.dealer), state.setting.house.options
    is_lost = side(state.won[0]) != dealers
    counts = options.stirred_bottom == "counts" or side(state.burier) == dealers
    if state.setting.is_flag or not is_lost or not counts:
        return 0, 0
    return points(state.bottom), factor(options, lead)


def factor(options: ChaodipiOptions, lead: Shape) -> int:
    """chaodipi-10.3: by the largest part of the last trick's lead."""
    pairs = 0 if lead.is_wsk else lead.parts[0].pairs
    match options.bottom_factor:
        case "doubling":
            return 2 << pairs
        case "two_per_card":
            return 2 * max(1, 2 * pairs)
        case "cap8":
            return min(2 << pairs, 8)


def last_wsk(state: Playing) -> bool:
    """chaodipi-11.11: an attacker's last play has a 5.10.K, and the dealer side does not win it."""
    rule, dealers = state.setting.house.options.last_trick_wsk, side(state.setting.dealer)
    if rule == "off" or side(state.won[0]) == dealers:
        return False
    by_seat = {seat_at(state.leader, place): cards for place, cards in enumerate(state.plays)}
    seats = {
        "side_wins": [seat for seat in by_seat if side(seat) != dealers],
        "winning_play": [state.won[0]],
    }[rule]
    return any(wsks(state.context, by_seat[seat]) for seat in seats)


def _next(
    options: ChaodipiOptions, setting: Setting, result: Outcome, deltas: tuple[int, ...]
) -> Carry:
    """chaodipi-11.15: who deals next, at which levels; after 扛旗 the match is over."""
    carry, dealers = setting.carry, side(setting.dealer)
    scores = per_seat(map(sum, zip(carry.scores, deltas, strict=True)))
    hand_no = carry.hand_no + 1
    if result.result is ChaodipiResult.MATCH_WON:
        return Carry(hand_no, None, (0, 0), (0, 0), scores, True)
    held = result.dealer_level, result.failures
    # failures are cleared with the level 扛旗, and the attackers can only come to it by dealing
    others = result.attackers_level, carry.failures[1 - dealers]
    if result.attackers_level != carry.levels[1 - dealers]:
        others = result.attackers_level, 0
    sides = (held, others) if dealers == 0 else (others, held)
    return Carry(
        hand_no,
        next_dealer(options, setting.dealer, result.result),
        (sides[0][0], sides[1][0]),
        (sides[0][1], sides[1][1]),
        scores,
        False,
    )


def next_dealer(options: ChaodipiOptions, dealer: int, result: ChaodipiResult) -> int:
    """The same seat or its partner after a win of the dealer side, else a neighbour."""
    if result is ChaodipiResult.HELD:
        step = {"same": 0, "partner": 2}[options.dealer_after_hold]
    else:
        step = {"next": 1, "previous": 3}[options.dealer_after_swap]
    return (dealer + step) % N_SEATS


def escaped(
    options: ChaodipiOptions, carry: Carry, seat: int, when: Literal["in_hand", "between"]
) -> ChaodipiSettled:
    """chaodipi-12.4, 12.5: who escapes pays, nothing else is settled, the match is over.

    Between two hands a game is running in a room for a whole match alone.
    """
    runs = when == "in_hand" or options.room == "match"
    fine = options.escape_penalty if runs else 0
    deltas = per_seat(-fine if s == seat else 0 for s in range(N_SEATS))
    scores = per_seat(map(sum, zip(carry.scores, deltas, strict=True)))
    return ChaodipiSettled(
        tricks=0,
        bottom=0,
        factor=0,
        penalty=0,
        score=0,
        result=ChaodipiResult.ESCAPED,
        effect=ChaodipiEffect.NONE,
        risen=0,
        deltas=deltas,
        next=replace(carry, scores=scores, is_over=True),
    )
