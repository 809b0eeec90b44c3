"""A false settlement for every field of it: the inputs, the result, the coins, what comes next."""

from collections.abc import Callable

from msgspec.structs import replace

from replay.engine.climbing.states import Playing
from replay.engine.dagong.rules import R
from schema.events import (
    Claim,
    ClimbingBonus,
    ClimbingBonusKind,
    ClimbingCarry,
    ClimbingResult,
    ClimbingSettled,
)
from tests.samples.forge import Lie, Move
from tests.samples.lies import Told, false, missing, undue


def _field(**changed: Callable[[ClimbingSettled], object]) -> Lie:
    """A settlement with some fields false, each made of the true settlement; None = unfit."""

    def change(move: Move, true: ClimbingSettled) -> ClimbingSettled | None:
        values = {name: make(true) for name, make in changed.items()}
        return None if None in values.values() else replace(true, **values)

    return false(ClimbingSettled, change)


def _if(result: ClimbingResult, value: object) -> Callable[[ClimbingSettled], object]:
    """The value where the hand ended so without bonuses, else unfit."""
    return lambda true: value if true.result is result and not true.bonuses else None


def _settled_in_play(move: Move) -> Claim | None:
    """A settlement after the first trick, out of nothing."""
    after = move.after
    if isinstance(after, Playing) and after.trick == 2 and move.claims:
        carry = after.carry
        return ClimbingSettled(
            result=ClimbingResult.POINTS,
            fan=1,
            winners=(0, 1),
            places=(0, 1, 2, 3),
            captured=(200, 0, 0, 0),
            left=0,
            final=(200, 0, 0, 0),
            bonuses=(),
            deltas=(1, 1, -1, -1),
            next=ClimbingCarry(carry.hand_no + 1, 0, (1, 1, -1, -1)),
        )
    return None


def _moved(values: tuple[int, ...], by: int) -> tuple[int, ...]:
    """The first two seats with anything of their own exchange `by`."""
    giver = next(s for s, value in enumerate(values) if abs(value) >= by)
    return tuple(
        value + (-by if s == giver else by if s == (giver + 1) % 4 else 0)
        for s, value in enumerate(values)
    )


def _plain(true: ClimbingSettled) -> bool:
    return true.result is ClimbingResult.POINTS and not true.bonuses


def _losers(true: ClimbingSettled) -> tuple[int, ...]:
    return tuple(seat for seat in range(4) if seat not in true.winners)


def _untransferred(true: ClimbingSettled) -> object:
    """末游's captured points left with him."""
    return true.captured if _plain(true) and true.captured[true.places[3]] else None


def _paid_thrice(true: ClimbingSettled) -> object:
    """A bonus that only the losers pay."""
    if not true.bonuses or true.result is not ClimbingResult.POINTS:
        return None
    return tuple(d + 1 if s in true.winners else d - 1 for s, d in enumerate(true.deltas))


def _of_kind(true: ClimbingSettled, tianzha: bool) -> object:
    """No bonus at all, where exactly one of this sort is due."""
    is_tianzha = [bonus.kind is ClimbingBonusKind.TIANZHA for bonus in true.bonuses]
    return () if is_tianzha == [tianzha] else None


def _next(true: ClimbingSettled, **changed: object) -> ClimbingCarry:
    return replace(true.next, **changed)


_R = ClimbingResult
SETTLEMENTS: tuple[Told, ...] = (
    Told(
        R.PLACES,
        "settlement-places",
        "The settlement exchanges the first two places.",
        _field(places=lambda s: (*s.places[1::-1], *s.places[2:]) if _plain(s) else None),
    ),
    Told(
        R.TRICK_POINTS,
        "settlement-captured",
        "The settlement gives five captured points to the next seat.",
        _field(captured=lambda s: _moved(s.captured, 5) if _plain(s) else None),
    ),
    Told(
        R.TRANSFERS,
        "settlement-left",
        "The settlement says that 末游 held five points more.",
        _field(left=lambda s: s.left + 5 if _plain(s) else None),
    ),
    Told(
        R.TRANSFERS,
        "settlement-final",
        "末游 keeps what he captured.",
        _field(final=_untransferred),
    ),
    Told(
        R.WINNER,
        "settlement-winners",
        "The side with fewer points wins.",
        _field(winners=lambda s: _losers(s) if _plain(s) else None),
    ),
    Told(
        R.WINNER,
        "settlement-result",
        "A hand decided by points is called 清.",
        _field(result=_if(_R.POINTS, _R.QING)),
    ),
    Told(
        R.QING,
        "settlement-result",
        "清 is called a win by points.",
        _field(result=_if(_R.QING, _R.POINTS)),
    ),
    Told(
        R.BANG, "settlement-result", "绑 is called 光头.", _field(result=_if(_R.BANG, _R.GUANGTOU))
    ),
    Told(
        R.GUANGTOU,
        "settlement-result",
        "光头 is called 绑.",
        _field(result=_if(_R.GUANGTOU, _R.BANG)),
    ),
    Told(
        R.SOLO_END,
        "settlement-result",
        "A lost 硬牌 is called won.",
        _field(result=_if(_R.SOLO_LOST, _R.SOLO_WON)),
    ),
    Told(
        R.TIANZHA_BONUS,
        "settlement-bonus",
        "天炸 was dealt and is not paid.",
        _field(bonuses=lambda s: _of_kind(s, tianzha=True)),
    ),
    Told(
        R.XI_BONUS,
        "settlement-bonus",
        "7喜 was dealt and is not paid.",
        _field(bonuses=lambda s: _of_kind(s, tianzha=False)),
    ),
    Told(
        R.XI_BONUS,
        "settlement-bonus-invented",
        "8喜 is paid and was not dealt.",
        _field(
            bonuses=lambda s: (ClimbingBonus(0, ClimbingBonusKind.XI8),) if not s.bonuses else None
        ),
    ),
    Told(
        R.BONUS_PAID,
        "settlement-deltas",
        "A bonus is due, and one coin is wrong.",
        _field(deltas=_paid_thrice),
    ),
    Told(
        R.SOLO_COINS,
        "settlement-deltas",
        "The soloist is paid by one seat only.",
        _field(deltas=lambda s: (0, 0, 0, 0) if s.result is _R.SOLO_WON else None),
    ),
    Told(
        R.FRIEND_COINS,
        "settlement-deltas",
        "The coins of a hand of two against two are wrong.",
        _field(deltas=lambda s: _moved(s.deltas, 1) if _plain(s) else None),
    ),
    Told(
        R.COINS,
        "settlement-fan",
        "The hand is settled with one 番 too many.",
        _field(fan=lambda s: s.fan + 1 if _plain(s) else None),
    ),
    Told(
        R.COINS,
        "settlement-next-balances",
        "The new balances are not the old ones and the coins.",
        _field(next=lambda s: _next(s, balances=_moved(s.next.balances, 1)) if _plain(s) else None),
    ),
    Told(
        R.COINS,
        "settlement-next-hand-no",
        "The next hand's number is wrong.",
        _field(next=lambda s: _next(s, hand_no=7) if _plain(s) else None),
    ),
    Told(
        R.NEXT_DEALER,
        "settlement-next-dealer",
        "二游 is to deal next.",
        _field(next=lambda s: _next(s, dealer=s.places[1]) if _plain(s) else None),
    ),
    Told(
        R.COINS, "settlement-missing", "A hand ends without settlement.", missing(ClimbingSettled)
    ),
    Told(
        R.COINS,
        "settlement-undue",
        "A settlement in the middle of a hand.",
        undue(_settled_in_play),
    ),
)
"""Every field of the settlement false, and a settlement missing or undue."""
