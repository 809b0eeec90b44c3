"""The fold of a 炒地皮 hand: which fact may come in which phase, and what it makes due."""

from typing import NoReturn, assert_never

from msgspec.structs import replace

from replay.engine.chaodipi import declaring, playing, stirring
from replay.engine.chaodipi.rules import R
from replay.engine.chaodipi.settlement import escaped
from replay.engine.chaodipi.states import (
    UNKNOWN,
    AwaitingDeal,
    Burying,
    ChaodipiState,
    Declaring,
    Over,
    Playing,
    Stirring,
    carry_in,
)
from replay.engine.rule import Breach, Rule, blocked
from schema.chaodipi import (
    BottomShown,
    BottomTaken,
    BottomTurned,
    Buried,
    Declared,
    DeclaringClosed,
    Escaped,
    StirPassed,
    Stirred,
    ThrowJudged,
    TrumpSet,
)
from schema.events import (
    Claim,
    Dealt,
    Fact,
    HandAborted,
    HandEnded,
    Passed,
    Played,
    TrickWon,
)
from schema.schemas import EVENT_WORDS
from schema.trumps import Trump

_Acts = Declared | Buried | StirPassed | Stirred | Escaped | Played | Passed


def apply(state: ChaodipiState, fact: Fact, breaches: list[Breach]) -> ChaodipiState:
    """The state after `fact`: plays first, they are most of a hand."""
    if type(state) is Playing and type(fact) is Played:
        return playing.played(state, fact, breaches)
    if type(fact) is HandAborted and (type(state) is not Over or fact.was_cut_off):
        return state
    return _before_play(state, fact, breaches)


def _before_play(state: ChaodipiState, fact: Fact, breaches: list[Breach]) -> ChaodipiState:
    match state, fact:
        case Stirring(), StirPassed():
            return stirring.stir_passed(state, fact)
        case Declaring(), Declared():
            return declaring.declared(state, fact, breaches)
        case AwaitingDeal(), Dealt():
            return declaring.dealt(state, fact, breaches)
        case Declaring(), DeclaringClosed():
            return declaring.closed(state)
        case Burying(), Buried():
            return stirring.buried(state, fact)
        case Stirring(), Stirred():
            return stirring.stirred(state, fact, breaches)
        case Over(), HandEnded():
            return state
        case _:
            return _seldom(state, fact, breaches)


def _seldom(state: ChaodipiState, fact: Fact, breaches: list[Breach]) -> ChaodipiState:
    match state, fact:
        case Declaring(), BottomTurned():
            return declaring.bottom_turned(state)
        case Declaring(), Dealt() if declaring.can_redeal(state):
            return declaring.dealt(state, fact, breaches)
        case Burying(), Declared() if state.burier == UNKNOWN:
            return declaring.declared_late(state, fact, breaches)
        case ((AwaitingDeal() | Declaring() | Burying() | Stirring() | Playing()), Escaped()):
            return _escaped(state, fact)
        case _:
            _wrong_phase(state, fact)


def _escaped(state: AwaitingDeal | Declaring | Burying | Stirring | Playing, fact: Escaped) -> Over:
    house = state.house if isinstance(state, AwaitingDeal) else state.setting.house
    is_between = isinstance(state, AwaitingDeal)
    settled = escaped(
        house.options, carry_in(state), fact.seat, "between" if is_between else "in_hand"
    )
    return Over(state, settled)


def _wrong_phase(state: ChaodipiState, fact: Fact) -> NoReturn:
    seat = fact.seat if isinstance(fact, _Acts) else None
    cards = fact.cards if isinstance(fact, Declared | Buried | Stirred | Played) else None
    rule = _phase_rule(state, fact)
    blocked(rule, seat, cards, f"phase.{phase(state)}", f"kind.{EVENT_WORDS[type(fact)]}")


def _phase_rule(state: ChaodipiState, fact: Fact) -> Rule:
    """The clause that says what had to come instead, or that this fact's time is past."""
    match state:
        case AwaitingDeal():
            return R.DECK
        case Over():
            return R.HAND_END
        case Playing() if state.setting.is_flag and isinstance(fact, Dealt):
            return R.DECK  # there is no stirring whose end it might have missed
        case Playing() if state.setting.is_flag and isinstance(fact, _BeforePlay):
            is_show = isinstance(fact, Declared | BottomTurned | DeclaringClosed)
            return R.FLAG_DECLARING if is_show else R.FLAG_BOTTOM
        case Declaring():
            return R.DECK if isinstance(fact, Dealt) else R.DECLARING
        case Burying():
            return R.BURIAL
        case Stirring():
            return R.STIR_END
        case Playing():
            return R.HAND_END if isinstance(fact, HandEnded) else R.STIR_END
        case _:
            assert_never(state)


_BeforePlay = Declared | BottomTurned | DeclaringClosed | Buried | StirPassed | Stirred


def phase(state: ChaodipiState) -> str:
    """The word of a state's phase: deal declare bury stir play over."""
    match state:
        case Playing():
            return "play"
        case Over():
            return "over"
        case Stirring():
            return "stir"
        case Declaring():
            return "declare"
        case Burying():
            return "bury"
        case AwaitingDeal():
            return "deal"
        case _:
            assert_never(state)


def due(before: ChaodipiState, fact: Fact, after: ChaodipiState) -> tuple[Claim, ...]:
    """The claims that fall due with `fact`; most plays make none."""
    if type(after) is Playing and type(before) is Playing:
        if after.trick != before.trick:
            return (TrickWon(*after.won),)
        if after.attempted and not before.attempted:
            return (_judgement(after),)
        return ()
    if type(after) is Over:
        return _due_at_end(before, after)
    return _due_before_play(before, fact, after)


def _judgement(after: Playing) -> ThrowJudged:
    assert after.lead is not None
    return ThrowJudged(after.lead.cards, after.beaten_by)


def _due_at_end(before: ChaodipiState, after: Over) -> tuple[Claim, ...]:
    """The last trick, where there was one, and the settlement."""
    if type(before) is Over:
        return ()
    last = after.before
    if type(last) is Playing and last is not before:
        return (TrickWon(*last.won), after.settled)
    return (after.settled,)


def _due_before_play(before: ChaodipiState, fact: Fact, after: ChaodipiState) -> tuple[Claim, ...]:
    """What trump is, what the bottom shows, who takes it."""
    match fact, after:
        case BottomTurned(), Declaring():
            return (BottomShown(after.setting.deal.bottom), _trump_set(after))
        case DeclaringClosed(), Burying():
            is_new = not after.setting.is_turned
            return (*((_trump_set(after),) if is_new else ()), _taken(after))
        case Stirred(), Burying():
            return (_trump_set(after), _taken(after))
        case Declared(), Declaring() if after.setting.is_turned:
            return (_trump_set(after),)
        case Declared(), Burying():
            return (_trump_set(after),)
        case _:
            return ()


def _trump_set(state: Declaring | Burying) -> TrumpSet:
    return TrumpSet(Trump(state.setting.trump), state.setting.rung)


def _taken(state: Burying) -> BottomTaken:
    return BottomTaken(state.seat, state.taken)


def adopt(state: ChaodipiState, claim: Claim) -> ChaodipiState:
    """The state in which a false announcement stands; RuleViolation if it has none."""
    if isinstance(claim, TrumpSet) and isinstance(state, Declaring | Burying):
        setting = replace(state.setting, trump=int(claim.trump), rung=claim.rung)
        return replace(state, setting=setting)
    if isinstance(claim, ThrowJudged) and isinstance(state, Playing):
        return playing.judged_as(state, claim)
    return state


def announced(state: ChaodipiState, claim: Claim) -> ChaodipiState:
    """The state after an announcement that nothing has made due: it changes nothing."""
    return state
