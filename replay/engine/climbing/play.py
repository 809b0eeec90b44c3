"""Tricks: plays, passes, who wins, who leads, who is out, when the hand is over."""

from collections.abc import Callable
from typing import NoReturn

from msgspec.structs import replace

from replay.engine.climbing.states import Ended, Over, PerSeat, Playing
from replay.engine.mechanics.holding import EMPTY, missing, without
from replay.engine.mechanics.plays import Play, beats
from replay.engine.mechanics.seats import N_SEATS, NEXT_IN, with_seat
from replay.engine.rule import Breach, Rule, blocked
from schema.events import Passed


def laid(
    state: Playing,
    seat: int,
    cards: bytes,
    choose: Callable[[tuple[Play, ...], Play | None], Play],
    breaches: list[Breach],
) -> Playing | Over:
    """Cards as `choose` reads them: checked in the book's order, then the table moves on."""
    flow = state.flow
    if seat != state.turn:
        _wrong_seat(state, seat, cards, breaches)
    readings = flow.readings(cards)
    if not readings:
        _unreadable(state, seat, cards)
    rest = without(state.holdings[seat], readings[0].packed)
    if rest < 0:
        _not_held(state, seat, cards)
    table = state.table
    play = choose(readings, table)
    if table is not None and not beats(play, table):
        higher = ("value.higher", table.cards)
        breaches.append(Breach(flow.rules.greater, seat, cards, higher, cards))
    return _on_table(state, seat, play, rest)


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


def _on_table(state: Playing, seat: int, play: Play, rest: int) -> Playing | Over:
    """The play lies on the table; a last card may end the hand, a bound table the trick."""
    passed = 0 if state.flow.pass_binds == "turn" else state.passed
    asked = state.active & ~passed & ~(1 << seat)
    act = (seat, play)
    after = replace(
        state,
        holdings=with_seat(state.holdings, seat, rest),
        turn=NEXT_IN[asked][seat],
        table=play,
        last=seat,
        passed=passed,
        pile=state.pile + play.points if state.is_scored else 0,
        is_revealed=state.is_revealed or (seat == state.partner and state.called in play.cards),
        laid=(*state.laid, act),
        latest=act,
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
    end = after.flow.decides(after, after.captured)
    if not end:
        return _next_turn(after, seat)
    if end in ("solo", "early") or state.flow.final_trick == "stop":
        return _stopped(after, end)
    return _next_turn(replace(after, decided=end), seat)


def by_places(state: Playing, captured: PerSeat) -> str:
    """How the places taken so far decide the hand: solo, bang, normal, or "" for not yet."""
    places = state.places
    if state.soloist >= 0:
        return "solo" if places else ""
    if len(places) == 2 and state.teams[places[0]] == state.teams[places[1]]:
        return "bang"
    return "normal" if len(places) == 3 else ""


def passed(state: Playing, fact: Passed, breaches: list[Breach]) -> Playing | Over:
    """A seat passes; a leader's pass is conduct, the lead moves on."""
    seat = fact.seat
    if seat != state.turn:
        _wrong_seat(state, seat, None, breaches)
    if state.table is None:
        # no trick yet: of leaders that pass, however often, the last ones are enough
        laid = (*state.laid[-3:], (seat, None))
        breaches.append(
            Breach(state.flow.rules.leader_plays, seat, None, "value.lead", "value.pass")
        )
        # the lead has moved on: whoever takes it now, it is no longer the dealer's or the wind's
        turn, rule = NEXT_IN[state.active][seat], state.flow.rules.winner_leads
        return replace(state, turn=turn, lead_rule=rule, laid=laid)
    laid = (*state.laid, (seat, None))
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
        closed = _won(state, _gained(state, state.last), laid)
        return _over(closed, state.decided)
    winner, rules, flow = state.last, state.flow.rules, state.flow
    if state.active >> winner & 1:
        leader, taker, rule = winner, winner, rules.winner_leads
    else:
        leader, rule = _wind(state, winner)
        taker = {"finisher": winner, "leader": leader}[flow.wind_points_to]
    captured = _gained(state, taker)
    end = flow.decides(state, captured)
    if end:
        return _over(_won(state, captured, laid), end)
    return _lead(state, captured, leader, rule)


def _wind(state: Playing, winner: int) -> tuple[int, Rule]:
    """接风: who leads for a winner that is out, and by which rule."""
    rules = state.flow.rules
    if not state.is_revealed:
        return NEXT_IN[state.active][winner], rules.wind_next
    mates = (s for s in range(N_SEATS) if s != winner and state.teams[s] == state.teams[winner])
    leader = next(mates)
    assert state.active >> leader & 1
    return leader, rules.wind_partner


def _gained(state: Playing, taker: int) -> PerSeat:
    """Points captured once the pile is `taker`'s."""
    captured = state.captured
    return with_seat(captured, taker, captured[taker] + state.pile) if state.pile else captured


def _lead(state: Playing, captured: PerSeat, leader: int, rule: Rule) -> Playing:
    """`leader` leads the next trick because of `rule`; `won` keeps whose the last one was."""
    return replace(
        state,
        captured=captured,
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


def _won(state: Playing, captured: PerSeat, laid: tuple[tuple[int, Play | None], ...]) -> Playing:
    """The hand's last trick has a winner; the table stays as it is."""
    return replace(state, captured=captured, won=(state.last, state.pile), laid=laid)


def _stopped(state: Playing, end: str) -> Over:
    """The hand is over at a last card, the trick still open: the game says if it is won."""
    if end in state.flow.open_trick_won:
        return _over(_won(state, _gained(state, state.last), state.laid), end)
    return _over(replace(state, won=(-1, 0)), end)


def _over(state: Playing, end: str) -> Over:
    """The hand is over; at a normal end the seat left takes the last place."""
    places = state.places
    if end == "normal":
        places = (*places, *(s for s in range(N_SEATS) if s not in places))
    return Over(state, end, places, state.flow.settle(Ended(state, end, places)))
