"""False settlements, one for every field: the inputs, the result, the coins, what comes next."""

from collections.abc import Callable

from msgspec.structs import replace

from replay.engine.climbing.states import Playing
from schema.events import (
    Claim,
    ClimbingBonus,
    ClimbingBonusKind,
    ClimbingCarry,
    ClimbingResult,
    ClimbingSettled,
)
from tests.samples.forge import Lie, Move
from tests.samples.lies import false, missing, undue
from tests.samples.sorts import Way


def field(**changed: Callable[[ClimbingSettled], object]) -> Lie:
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
PLACES = Way(
    "settlement-places",
    "The settlement exchanges the first two places.",
    lie=field(places=lambda s: (*s.places[1::-1], *s.places[2:]) if _plain(s) else None),
)
CAPTURED = Way(
    "settlement-captured",
    "The settlement gives five captured points to the next seat.",
    lie=field(captured=lambda s: _moved(s.captured, 5) if _plain(s) else None),
)
LEFT = Way(
    "settlement-left",
    "The settlement says that 末游 held five points more.",
    lie=field(left=lambda s: s.left + 5 if _plain(s) else None),
)
FINAL = Way(
    "settlement-final",
    "末游 keeps what he captured.",
    lie=field(final=_untransferred),
)
WINNERS = Way(
    "settlement-winners",
    "The side with fewer points wins.",
    lie=field(winners=lambda s: _losers(s) if _plain(s) else None),
)
POINTS_RESULT = Way(
    "settlement-result",
    "A hand decided by points is called 清.",
    lie=field(result=_if(_R.POINTS, _R.QING)),
)
QING_RESULT = Way(
    "settlement-result",
    "清 is called a win by points.",
    lie=field(result=_if(_R.QING, _R.POINTS)),
)
BANG_RESULT = Way(
    "settlement-result", "绑 is called 光头.", lie=field(result=_if(_R.BANG, _R.GUANGTOU))
)
GUANGTOU_RESULT = Way(
    "settlement-result",
    "光头 is called 绑.",
    lie=field(result=_if(_R.GUANGTOU, _R.BANG)),
)
SOLO_RESULT = Way(
    "settlement-result",
    "A lost 硬牌 is called won.",
    lie=field(result=_if(_R.SOLO_LOST, _R.SOLO_WON)),
)
TIANZHA_UNPAID = Way(
    "settlement-bonus",
    "天炸 was dealt and is not paid.",
    lie=field(bonuses=lambda s: _of_kind(s, tianzha=True)),
)
XI_UNPAID = Way(
    "settlement-bonus",
    "7喜 was dealt and is not paid.",
    lie=field(bonuses=lambda s: _of_kind(s, tianzha=False)),
)
BONUS_INVENTED = Way(
    "settlement-bonus-invented",
    "8喜 is paid and was not dealt.",
    lie=field(
        bonuses=lambda s: (ClimbingBonus(0, ClimbingBonusKind.XI8),) if not s.bonuses else None
    ),
)
BONUS_COINS = Way(
    "settlement-deltas",
    "A bonus is due, and one coin is wrong.",
    lie=field(deltas=_paid_thrice),
)
SOLO_COINS = Way(
    "settlement-deltas",
    "The soloist is paid by one seat only.",
    lie=field(deltas=lambda s: (0, 0, 0, 0) if s.result is _R.SOLO_WON else None),
)
FRIEND_COINS = Way(
    "settlement-deltas",
    "The coins of a hand of two against two are wrong.",
    lie=field(deltas=lambda s: _moved(s.deltas, 1) if _plain(s) else None),
)
FAN = Way(
    "settlement-fan",
    "The hand is settled with one 番 too many.",
    lie=field(fan=lambda s: s.fan + 1 if _plain(s) else None),
)
BALANCES = Way(
    "settlement-next-balances",
    "The new balances are not the old ones and the coins.",
    lie=field(next=lambda s: _next(s, balances=_moved(s.next.balances, 1)) if _plain(s) else None),
)
HAND_NO = Way(
    "settlement-next-hand-no",
    "The next hand's number is wrong.",
    lie=field(next=lambda s: _next(s, hand_no=7) if _plain(s) else None),
)
NEXT_DEALER = Way(
    "settlement-next-dealer",
    "二游 is to deal next.",
    lie=field(next=lambda s: _next(s, dealer=s.places[1]) if _plain(s) else None),
)
MISSING = Way("settlement-missing", "A hand ends without settlement.", lie=missing(ClimbingSettled))
UNDUE = Way(
    "settlement-undue",
    "A settlement in the middle of a hand.",
    lie=undue(_settled_in_play),
)
