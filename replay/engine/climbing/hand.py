"""The fold of a climbing hand: which fact may come in which phase, and what it makes due."""

from typing import NoReturn, assert_never

from replay.engine.climbing import deal, play
from replay.engine.climbing.states import (
    Asking,
    AwaitingDeal,
    AwaitingDraw,
    AwaitingTurnUp,
    ClimbingState,
    Over,
    Playing,
)
from replay.engine.rule import Breach, Rule, blocked
from schema.events import (
    CallDrawn,
    Called,
    Claim,
    Dealt,
    Event,
    Fact,
    HandAborted,
    HandEnded,
    Passed,
    Played,
    Revealed,
    SoloAnswered,
    TrickWon,
    TurnedUp,
    WentOut,
    WindTaken,
)
from schema.schemas import EVENT_WORDS


def apply(state: ClimbingState, fact: Fact, breaches: list[Breach]) -> ClimbingState:
    """The state after `fact`: plays and passes first, they are most of a hand."""
    if type(state) is Playing:
        if type(fact) is Played:
            return play.laid(state, fact.seat, fact.cards, state.flow.choose, breaches)
        if type(fact) is Passed:
            return play.passed(state, fact, breaches)
    if type(fact) is HandAborted and (type(state) is not Over or fact.was_cut_off):
        return state
    return _apply_seldom(state, fact, breaches)


def _apply_seldom(state: ClimbingState, fact: Fact, breaches: list[Breach]) -> ClimbingState:
    match state, fact:
        case Asking(), SoloAnswered():
            return deal.answered(state, fact, breaches)
        case AwaitingDeal(), Dealt():
            return deal.dealt(state, fact, breaches)
        case Over(), HandEnded():
            return state
        case AwaitingTurnUp(), TurnedUp():
            return deal.turned_up(state, fact)
        case AwaitingDraw(), CallDrawn():
            return deal.drawn(state, fact)
        case ((Asking() | Playing()), CallDrawn()) if deal.has_call(state):
            return deal.drawn_though_called(state, fact, breaches)
        case Asking(), (Played() | Passed()) if state.flow.solo_order == "free":
            return apply(deal.friend_play(state), fact, breaches)
        case AwaitingDraw(), SoloAnswered() | Played() | Passed() if state.announced >= 0:
            return apply(ready(state), fact, breaches)
        case _:
            _wrong_phase(state, fact)


def ready(state: ClimbingState) -> ClimbingState:
    """The state in which a seat acts: where a call was announced and not drawn, it stands."""
    if type(state) is AwaitingDraw and state.announced >= 0:
        return deal.without_draw(state)
    return state


def _wrong_phase(state: ClimbingState, fact: Fact) -> NoReturn:
    seat = fact.seat if isinstance(fact, Played | Passed | SoloAnswered) else None
    cards = fact.cards if isinstance(fact, Played) else None
    rule = _phase_rule(state, fact)
    blocked(rule, seat, cards, f"phase.{phase(state)}", f"kind.{EVENT_WORDS[type(fact)]}")


def _phase_rule(state: ClimbingState, fact: Fact) -> Rule:
    """The clause that says what had to come instead, or that this fact's time is past."""
    rules = state.flow.rules
    match state:
        case Over():
            return rules.after_end[state.end]
        case _ if type(fact) is HandEnded:
            is_solo = type(state) is Playing and state.soloist >= 0
            return rules.solo_end if is_solo else rules.normal_end
        case AwaitingDeal():
            return rules.deck
        case AwaitingTurnUp():
            return rules.turn_up
        case AwaitingDraw():
            return state.rule
        case Asking() if state.called < 0:
            return rules.solo_asked
        case Asking() | Playing():
            clauses: dict[type[Event], Rule] = {
                Dealt: rules.deck,
                TurnedUp: rules.turn_up,
                CallDrawn: rules.drawn_call,
            }
            return clauses.get(type(fact), rules.solo_asked)
        case _:
            assert_never(state)


def phase(state: ClimbingState) -> str:
    """The word of a state's phase: deal turn_up draw solo play over."""
    match state:
        case Playing():
            return "play"
        case Over():
            return "over"
        case Asking():
            return "solo"
        case AwaitingDeal():
            return "deal"
        case AwaitingTurnUp():
            return "turn_up"
        case AwaitingDraw():
            return "draw"
        case _:
            assert_never(state)


def due(before: ClimbingState, fact: Fact, after: ClimbingState) -> tuple[Claim, ...]:
    """The claims that fall due with `fact`; most plays and passes make none."""
    if type(after) is Playing:
        if (
            type(before) is Playing
            and after.trick == before.trick
            and after.places is before.places
            and after.is_revealed is before.is_revealed
            and after.called == before.called
        ):
            return ()
        return (*_due_call(before, fact, after), *_due_in_play(before, after))
    return _due_seldom(before, fact, after)


def _due_seldom(before: ClimbingState, fact: Fact, after: ClimbingState) -> tuple[Claim, ...]:
    """The end of the hand makes its settlement due, the call its announcement."""
    if type(after) is not Over:
        return _due_call(before, fact, after)
    if type(before) is Over:
        return ()
    won = (_trick_won(after.play),) if after.play.won[0] >= 0 else ()
    return (*_due_in_play(before, after.play), *won, after.settled)


def _due_call(before: ClimbingState, fact: Fact, after: ClimbingState) -> tuple[Claim, ...]:
    """The called card, once the deal or a draw gives it. One announced before a draw was due."""
    if type(before) is Playing and type(fact) is not CallDrawn:
        return ()
    called = _called_in(after)
    is_new = type(fact) is CallDrawn or (
        _called_in(before) < 0 and type(before) is not AwaitingDraw
    )
    return (Called(called),) if called >= 0 and is_new else ()


def _called_in(state: ClimbingState) -> int:
    return state.called if isinstance(state, Asking | Playing) else -1


def _due_in_play(before: ClimbingState, after: Playing) -> tuple[Claim, ...]:
    """What a play or pass shows: 明鸡, a place, a trick won, 接风."""
    claims: list[Claim] = []
    was_revealed, places, trick = False, 0, 1
    if type(before) is Playing:
        was_revealed, places, trick = before.is_revealed, len(before.places), before.trick
    if after.is_revealed and not was_revealed:
        claims.append(Revealed(after.partner))
    if len(after.places) > places:
        claims.append(WentOut(after.places[-1], len(after.places)))
    if after.trick != trick:
        claims.append(_trick_won(after))
        if after.lead_rule in (after.flow.rules.wind_partner, after.flow.rules.wind_next):
            claims.append(WindTaken(after.turn))
    return tuple(claims)


def _trick_won(after: Playing) -> TrickWon:
    return TrickWon(*after.won)


def adopt(state: ClimbingState, claim: Claim) -> ClimbingState:
    """The state in which a false announcement stands; RuleViolation if it has none."""
    if isinstance(claim, Called) and isinstance(state, Asking | Playing):
        return deal.adopt_call(state, claim)
    return state


def announced(state: ClimbingState, claim: Claim) -> ClimbingState:
    """The state after an announcement that nothing has made due: it fills a gap, or nothing."""
    if isinstance(claim, Called) and type(state) is AwaitingDraw:
        return deal.announced(state, claim)
    return state
