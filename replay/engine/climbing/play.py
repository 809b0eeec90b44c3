"""Tricks: plays, passes, who wins, who leads, who is out, when the hand is over."""

from typing import NoReturn

from msgspec.structs import replace

from replay.engine.climbing.states import Ended, Over, Playing
from replay.engine.mechanics.holding import EMPTY, missing, without
from replay.engine.mechanics.plays import Play, beats
from replay.engine.mechanics.seats import N_SEATS, NEXT_IN, with_seat
from replay.engine.rule import Breach, Rule, blocked
from schema.events import Passed, Played


def played(state: Playing, fact: Played, breaches: list[Breach]) -> Playing | Over:
    """A seat lays cards: checked in the book's order, then the table moves on."""
    seat, flow, cards = fact.seat, state.flow, fact.cards
    if seat != state.turn:
        _wrong_seat(state, seat, cards, breaches)
    readings = flow.readings(cards)
    if not readings:
        _unreadable(state, seat, cards)
    play = flow.choose(readings, state.table)
    rest = without(state.holdings[seat], play.packed)
    if rest < 0:
        _not_held(state, seat, cards)
    table = state.table
    if table is not None and not beats(play, table):
        higher = ("value.higher", table.cards)
        breaches.append(Breach(flow.rules.greater, seat, cards, higher, cards))
    return _laid(state, seat, play, rest)


def _wrong_seat(state: Playing, seat: int, cards: bytes | None, breaches: list[Breach]) -> None:
    """A follow out of turn blocks; a lead by the wrong seat is conduct, the lead moves there."""
    rules = state.flow.rules
    if not state.active >> seat & 1:
        blocked(rules.out_is_out, seat, cards, state.turn, seat)
    if state.table is not None or cards is None:
        blocked(rules.order, seat, cards, state.turn, seat)
    breaches.append(Breach(state.lead_rule, seat, cards, state.turn, seat))


def _unreadable(state: Playing, seat: int, cards: bytes) -> NoReturn:
    """Cards of no type; not holding them is the earlier check."""
    if missing(state.holdings[seat], cards):
        _not_held(state, seat, cards)
    blocked(state.flow.no_type(cards), seat, cards, None, cards)


def _not_held(state: Playing, seat: int, cards: bytes) -> NoReturn:
    lacking = missing(state.holdings[seat], cards)
    blocked(state.flow.rules.held, seat, cards, None, lacking)


def _laid(state: Playing, seat: int, play: Play, rest: int) -> Playing | Over:
    """The play lies on the table; a last card may end the hand, a bound table the trick."""
    passed = 0 if state.flow.pass_binds == "turn" else state.passed
    asked = state.active & ~passed & ~(1 << seat)
    after = replace(
        state,
        holdings=with_seat(state.holdings, seat, rest),
        turn=NEXT_IN[asked][seat],
        table=play,
        last=seat,
        passed=passed,
        pile=state.pile + play.points if state.soloist < 0 else 0,
        is_revealed=state.is_revealed or (seat == state.partner and state.called in play.cards),
        laid=(*state.laid, (seat, play)),
    )
    if rest == EMPTY:
        return _gone_out(after, seat)
    return after if asked else _trick_over(after, after.laid)


def _gone_out(state: Playing, seat: int) -> Playing | Over:
    """The seat's last card: it takes the next place unless all places are decided."""
    active = state.active & ~(1 << seat)
    if state.decided:
        return _next_turn(replace(state, active=active), seat)
    after = replace(state, active=active, places=(*state.places, seat))
    end = _deciding(after)
    if not end:
        return _next_turn(after, seat)
    if end == "solo" or state.flow.final_trick == "stop":
        return _over(after, end)
    return _next_turn(replace(after, decided=end), seat)


def _deciding(state: Playing) -> str:
    """How the hand is decided by the places taken so far: solo, bang, normal, or not yet."""
    places = state.places
    if state.soloist >= 0:
        return "solo"
    if len(places) == 2 and state.teams[places[0]] == state.teams[places[1]]:
        return "bang"
    return "normal" if len(places) == 3 else ""


def passed(state: Playing, fact: Passed, breaches: list[Breach]) -> Playing | Over:
    """A seat passes; a leader's pass is conduct, the lead moves on."""
    seat = fact.seat
    if seat != state.turn:
        _wrong_seat(state, seat, None, breaches)
    laid = (*state.laid, (seat, None))
    if state.table is None:
        breaches.append(
            Breach(state.flow.rules.leader_plays, seat, None, "value.lead", "value.pass")
        )
        # the lead has moved on: whoever takes it now, it is no longer the dealer's or the wind's
        turn, rule = NEXT_IN[state.active][seat], state.flow.rules.winner_leads
        return replace(state, turn=turn, lead_rule=rule, laid=laid)
    mask = state.passed | 1 << seat
    asked = state.active & ~mask & ~(1 << state.last)
    if asked:
        return replace(state, turn=NEXT_IN[asked][seat], passed=mask, laid=laid)
    return _trick_over(state, laid)


def _next_turn(state: Playing, seat: int) -> Playing | Over:
    """A seat went out and the trick goes on: the next one that may still answer."""
    asked = state.active & ~state.passed & ~(1 << state.last)
    if asked:
        return replace(state, turn=NEXT_IN[asked][seat])
    return _trick_over(state, state.laid)


def _trick_over(state: Playing, laid: tuple[tuple[int, Play | None], ...]) -> Playing | Over:
    """Nobody is left to be asked: the trick is won, and with it perhaps the hand.

    `laid` is the table with the last act on it.
    """
    if state.decided:
        return _over(replace(state, laid=laid), state.decided)
    winner, rules = state.last, state.flow.rules
    if state.active >> winner & 1:
        return _lead(state, winner, winner, rules.winner_leads)
    if state.is_revealed:
        mates = (s for s in range(N_SEATS) if s != winner and state.teams[s] == state.teams[winner])
        leader, rule = next(mates), rules.wind_partner
        assert state.active >> leader & 1
    else:
        leader, rule = NEXT_IN[state.active][winner], rules.wind_next
    taker = {"finisher": winner, "leader": leader}[state.flow.wind_points_to]
    return _lead(state, taker, leader, rule)


def _gained(state: Playing, taker: int) -> tuple[int, int, int, int]:
    """Points captured once the pile is `taker`'s."""
    captured = state.captured
    return with_seat(captured, taker, captured[taker] + state.pile) if state.pile else captured


def _lead(state: Playing, taker: int, leader: int, rule: Rule) -> Playing:
    """The pile goes to `taker`, `leader` leads the next trick because of `rule`.

    `won` keeps who won the trick and what was in it.
    """
    return replace(
        state,
        captured=_gained(state, taker),
        won=(state.last, state.pile),
        turn=leader,
        table=None,
        last=-1,
        passed=0,
        pile=0,
        trick=state.trick + 1,
        lead_rule=rule,
        laid=(),
    )


def _over(state: Playing, end: str) -> Over:
    """The hand is over; at a normal end the seat left takes the last place."""
    won = (state.last, state.pile)
    closed = replace(state, captured=_gained(state, state.last), won=won)
    places = closed.places
    if end == "normal":
        places = (*places, *(s for s in range(N_SEATS) if s not in places))
    return Over(closed, end, places, closed.flow.settle(Ended(closed, end, places)))
