"""False claims that only a log of 赤壁打滚 can hold, or that show a rule of its own broken."""

from collections.abc import Callable

from replay.engine.climbing.states import AwaitingDraw, ClimbingState, Over, Playing
from schema.cards import BLACK_JOKER
from schema.events import (
    AnyPlay,
    Called,
    Claim,
    ClimbingBonus,
    ClimbingBonusKind,
    ClimbingResult,
    ClimbingSettled,
    Revealed,
    TrickWon,
    WindTaken,
)
from tests.samples import settlements
from tests.samples.forge import Lie, Move
from tests.samples.lies import false, missing, other_single, undue
from tests.samples.scripts import RUN_OFF, Script, lay
from tests.samples.settlements import field
from tests.samples.sorts import Way, but

_SEVENS = "7d 7d 7c 7c 7h 7h 7s 7s"


def _after_run_off(move: Move, claim: Called) -> Called | None:
    """The deal gave no call, a card was drawn, and another is announced."""
    is_later = move.after.carry.dealer is not None and isinstance(move.before, AwaitingDraw)
    return other_single(move, claim) if is_later else None


def _called_again(move: Move) -> Claim | None:
    """The re-called card once more, when the first trick is led."""
    state, after = move.before, move.after
    if not isinstance(state, Playing) or not isinstance(after, Playing) or after.soloist >= 0:
        return None
    first = after.deal.hands[after.dealer][0]
    return Called(after.called) if first != after.called else None


DRAWN_CALL_FALSE = Way(
    "called",
    "The calls run past the dealer's last card: another card is announced than the one drawn.",
    lie=false(Called, _after_run_off),
    n_hands=2,
    script=RUN_OFF,
)
CALL_UNDUE = Way(
    "called-undue",
    "The re-called card is announced again in play.",
    lie=undue(_called_again),
    n_hands=2,
)

FALLBACK_FALSE = Way(
    "called-after-run-off",
    "The calls run past the last card: another card is announced than the first single.",
    lie=false(Called, lambda m, c: None if m.after.carry.dealer is None else other_single(m, c)),
    n_hands=2,
    house=but(recall_fallback="first_single"),
    script=RUN_OFF,
)

# In play


def _by_other_joker(move: Move) -> Claim | None:
    """The partner plays the joker that was not called."""
    fact = move.fact
    if isinstance(fact, AnyPlay) and fact.seat == 1 and BLACK_JOKER in fact.cards:
        return Revealed(1)
    return None


def _as_king(move: Move, claim: TrickWon) -> TrickWon:
    return TrickWon(claim.seat, claim.points + 10)


def _in_solo(invent: Callable[[Move], Claim | None]) -> Lie:
    """A claim that is not due, in a solo hand."""
    return undue(lambda move: invent(move) if _is_solo(move.after) else None)


def _is_solo(state: ClimbingState) -> bool:
    return isinstance(state, Playing) and state.soloist >= 0


def _revealed(move: Move) -> Claim | None:
    """Whoever plays first is said to be a partner."""
    return Revealed(move.fact.seat) if isinstance(move.fact, AnyPlay) else None


def _wind(move: Move) -> Claim | None:
    """A trick is won, and the next seat is said to take the wind."""
    won = [claim for claim in move.claims if isinstance(claim, TrickWon)]
    return WindTaken((won[0].seat + 1) % 4) if won else None


SOLO_REVEAL = Way(
    "revealed-in-a-solo-hand",
    "Somebody is revealed as a partner in a solo hand.",
    lie=_in_solo(_revealed),
)
SOLO_WIND = Way("wind-in-a-solo-hand", "接风 in a solo hand.", lie=_in_solo(_wind))
OTHER_JOKER = Way(
    "revealed-by-other-joker",
    "大王 is called, and 小王 is said to reveal the partner.",
    lie=undue(_by_other_joker),
    script=Script(
        (lay(0, "4s 4h", "pair 4"), lay(1, "9s Bj", "pair 9")),
        holds=("Rj", "Rj", "", ""),
        dealer=0,
        called="Rj",
    ),
)
JOKER_AS_KING = Way(
    "joker-counts-as-king",
    "The joker of a 五十K is counted as the points of the K that it stands for.",
    lie=false(TrickWon, _as_king),
    script=Script((lay(0, "5s Th Bj", "wsk_mixed"),), dealer=0),
)

# The open trick at the end


def _at_end(end: str, lie: Lie) -> Lie:
    """Only after the fact that ends the hand so."""

    def at_end(move: Move) -> tuple[Claim, ...] | None:
        return lie(move) if isinstance(move.after, Over) and move.after.end == end else None

    return at_end


def _open_trick(move: Move) -> Claim | None:
    """The trick on the table is said to be won."""
    assert isinstance(move.after, Over)
    table = move.after.play
    return TrickWon(table.last, table.pile)


def _other_winner(move: Move, claim: TrickWon) -> TrickWon:
    return TrickWon((claim.seat + 1) % 4, claim.points)


OPEN_TRICK_FALSE = Way(
    "open-trick-winner",
    "The trick in which 三游 goes out is given to another seat.",
    lie=_at_end("normal", false(TrickWon, _other_winner)),
)
OPEN_TRICK_MISSING = Way(
    "open-trick-missing",
    "The trick in which 三游 goes out is given to nobody.",
    lie=_at_end("normal", missing(TrickWon)),
)
BANG_TRICK = Way(
    "open-trick-won",
    "绑 ends the hand, and the open trick is given to the last player.",
    lie=_at_end("bang", undue(_open_trick)),
)
SOLO_TRICK = Way(
    "open-trick-won",
    "A solo hand is over, and the open trick is given to the last player.",
    lie=_at_end("solo", undue(_open_trick)),
)

# The settlement


def _tied(true: ClimbingSettled) -> object:
    """At 100 to 100 the side that has 末游 wins."""
    won = sum(true.final[seat] for seat in true.winners)
    is_tie = true.result is ClimbingResult.POINTS and won == 100 and not true.bonuses
    return tuple(seat for seat in range(4) if seat not in true.winners) if is_tie else None


def _with_xi7(true: ClimbingSettled) -> object:
    """A 8喜 that is said to be 7喜 too."""
    is_xi8 = [bonus.kind for bonus in true.bonuses] == [ClimbingBonusKind.XI8]
    seat = true.bonuses[0].seat if is_xi8 else 0
    return (*true.bonuses, ClimbingBonus(seat, ClimbingBonusKind.XI7)) if is_xi8 else None


def _transferred(*results: ClimbingResult) -> Lie:
    """What 一游 would get if the last seat in the order of play were 末游, after such an end."""

    def final(true: ClimbingSettled) -> object:
        if true.result not in results:
            return None
        first = true.places[0]
        last = next(seat for seat in range(3, -1, -1) if seat not in true.places)
        if not true.captured[last]:
            return None
        points = list(true.captured)
        points[first] += points[last]
        points[last] = 0
        return tuple(points)

    return field(final=final)


def _six_and_joker(true: ClimbingSettled) -> object:
    """Six of a rank and a joker that are said to be 7喜."""
    return None if true.bonuses else (ClimbingBonus(0, ClimbingBonusKind.XI7),)


def _lost(true: ClimbingSettled) -> object:
    return ClimbingResult.SOLO_LOST if true.result is ClimbingResult.SOLO_WON else None


_R = ClimbingResult
BANG_FINAL = Way(
    "settlement-final",
    "After 绑 one of the losers gives his points to 一游.",
    lie=_transferred(_R.BANG),
)
SOLO_FINAL = Way(
    "settlement-final",
    "After a solo hand a seat gives its points to 一游.",
    lie=_transferred(_R.SOLO_WON, _R.SOLO_LOST),
)
TIED_WINNERS = Way(
    "settlement-winners",
    "100 points each, and the side that has 末游 wins.",
    lie=field(winners=_tied),
)
SOLO_WON_RESULT = Way(
    "settlement-result-lost", "A 硬牌 that was won is called lost.", lie=field(result=_lost)
)
_JOKERS_HELD = Script(holds=("", "", "", "Bj Bj Rj Rj"))
_SEVENS_HELD = Script(holds=("7s", "", _SEVENS[:-3], ""))
TIANZHA_UNPAID = settlements.TIANZHA_UNPAID._replace(
    words="settlement-tianzha", script=_JOKERS_HELD
)
XI_UNPAID = settlements.XI_UNPAID._replace(words="settlement-xi7", script=_SEVENS_HELD)
BONUS_COINS = settlements.BONUS_COINS._replace(script=_JOKERS_HELD)
XI8_IS_XI7 = Way(
    "settlement-xi8-as-xi7",
    "8喜 is paid as 7喜 too.",
    lie=field(bonuses=_with_xi7),
    script=Script(holds=("", _SEVENS, "", "")),
)
XI7_WITH_JOKER = Way(
    "settlement-xi7-with-joker",
    "Six 9 and a joker were dealt, and are paid as 7喜.",
    lie=field(bonuses=_six_and_joker),
    script=Script(holds=("9d 9d 9c 9c 9h 9h Bj", "9s", "9s", "")),
)
