"""结算: the attackers' score, promotion, what the next hand opens with (gunzi-8 to 10)."""

from replay.engine.gunzi.levels import (
    CAPTURED,
    HELD,
    TO_TAKE,
    Ended,
    due_for_jokers,
    due_for_score,
    ending,
    promoted,
    rise,
    risen,
    winners,
)
from replay.engine.gunzi.order import THREE
from replay.engine.gunzi.states import Carry, PerSeat, Setting, Table, side
from replay.engine.mechanics.points import points
from replay.engine.mechanics.seats import N_SEATS
from schema.cards import BLACK_JOKER
from schema.gunzi import GunziEnding, GunziResult, GunziSettled
from schema.options import GunziOptions


def settle(table: Table, captured: PerSeat, last: int) -> GunziSettled:
    """The settlement, `last` being the seat that won the last trick."""
    setting = table.setting
    attackers = 1 - side(setting.dealer)
    tricks = sum(captured[seat] for seat in range(N_SEATS) if side(seat) == attackers)
    return settled(setting, tricks, table.bottom, last, table.is_dry)


def settled(setting: Setting, tricks: int, bottom: bytes, last: int, is_dry: bool) -> GunziSettled:
    """gunzi-8, 10: from the points in tricks, the final bottom, the last trick's winner."""
    options = setting.house.options
    hand = _ended(options, side(last) == side(setting.dealer), tricks, bottom, is_dry)
    levels = _levels(setting, hand)
    why = ending(options, hand, levels is None)
    result = _result(hand, why)
    return GunziSettled(
        tricks=tricks,
        fate=hand.fate,
        bottom=hand.plain - tricks,
        factor=options.bottom_factor if hand.fate is CAPTURED else 0,
        score=hand.score,
        result=result,
        ending=why,
        risen=risen(options, hand),
        next=_next(setting, hand, result, levels),
    )


def _ended(options: GunziOptions, is_held: bool, tricks: int, bottom: bytes, is_dry: bool) -> Ended:
    """gunzi-8.2: the bottom counts for the attackers if they have won the last trick."""
    worth = 0 if is_held else points(bottom)
    return Ended(
        score=tricks + worth * options.bottom_factor,
        plain=tricks + worth,
        fate=HELD if is_held else CAPTURED,
        jokers=bytes(code for code in bottom if code >= BLACK_JOKER),
        is_dry=is_dry,
    )


def _levels(setting: Setting, hand: Ended) -> tuple[int, int] | None:
    """The levels of both sides after promotion; None if that wins the match."""
    raised, levels, options = promoted(hand), setting.carry.levels, setting.house.options
    if raised is None:
        return levels
    team = side(setting.dealer) if raised == "dealers" else 1 - side(setting.dealer)
    level = rise(options, levels[team], risen(options, hand), raised)
    if level is None:
        return None
    return (level, levels[1]) if team == 0 else (levels[0], level)


def _result(hand: Ended, why: GunziEnding) -> GunziResult:
    match winners(hand, why):
        case "dealers":
            return GunziResult.MATCH_TO_DEALERS
        case "attackers":
            return GunziResult.MATCH_TO_ATTACKERS
        case _:
            return GunziResult.TAKEN if hand.score >= TO_TAKE else GunziResult.HELD


def _next(
    setting: Setting, hand: Ended, result: GunziResult, levels: tuple[int, int] | None
) -> Carry:
    """gunzi-8.13, 9.4: who deals next and what he is owed; after a match nothing (10.6)."""
    hand_no = setting.carry.hand_no + 1
    if levels is None or result in (GunziResult.MATCH_TO_DEALERS, GunziResult.MATCH_TO_ATTACKERS):
        return Carry(hand_no, None, (THREE, THREE), 0, 0, True)
    options = setting.house.options
    if result is GunziResult.HELD:
        step = {"partner": 2, "same": 0}[options.dealer_after_hold]
    else:
        step = {"next": 1, "previous": 3}[options.dealer_after_swap]
    return Carry(
        hand_no=hand_no,
        dealer=(setting.dealer + step) % N_SEATS,
        levels=levels,
        due_for_score=due_for_score(hand.score),
        due_for_jokers=due_for_jokers(hand),
        is_over=False,
    )
