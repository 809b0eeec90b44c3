"""Tricks: leads and throws, what a follower owes, who wins, when the hand is over."""

from msgspec.structs import replace

from replay.engine.chaodipi.following import broken, is_plain
from replay.engine.chaodipi.rules import R
from replay.engine.chaodipi.settlement import settle
from replay.engine.chaodipi.shapes import Shape, is_throw, shape
from replay.engine.chaodipi.states import Over, PerSeat, Playing, Setting, Show, side
from replay.engine.chaodipi.throws import Judged, is_component, judged
from replay.engine.chaodipi.winning import winner
from replay.engine.mechanics.holding import (
    EMPTY,
    left_by,
    missing,
    pack_dealt,
    unpack,
    with_cards,
    without,
)
from replay.engine.mechanics.points import points
from replay.engine.mechanics.seats import N_SEATS, next_seat, with_seat
from replay.engine.mechanics.tricks import seat_at
from replay.engine.rule import Breach, blocked
from schema.chaodipi import ThrowJudged
from schema.events import Played

DECKS = 2
_ALL_EMPTY = (EMPTY, EMPTY, EMPTY, EMPTY)


def begin(
    setting: Setting, shown: tuple[Show, ...], holdings: PerSeat, bottom: bytes, burier: int
) -> Playing:
    """Play begins: the dealer leads (chaodipi-7.1)."""
    return Playing(
        setting=setting,
        context=setting.house.context(setting.level, setting.trump),
        shows=shown,
        holdings=holdings,
        bottom=bottom,
        burier=burier,
        leader=setting.dealer,
        turn=setting.dealer,
        lead=None,
        attempted=b"",
        beaten_by=(),
        plays=(),
        captured=(0, 0, 0, 0),
        penalty=0,
        trick=1,
        won=(-1, 0),
        last_lead=None,
        latest=(-1, b""),
    )


def played(state: Playing, fact: Played, breaches: list[Breach]) -> Playing | Over:
    """A seat's cards: a lead, or the answer to one."""
    if state.lead is None:
        return _led(state, fact, breaches)
    return _followed(state, state.lead, fact, breaches)


def _rest(state: Playing, seat: int, cards: bytes) -> int:
    """The seat's holding without the cards; blocked if it does not hold them."""
    rest = left_by(state.holdings[seat], cards, DECKS)
    if rest < 0:
        blocked(R.HELD, seat, cards, None, missing(state.holdings[seat], cards))
    return rest


def _led(state: Playing, fact: Played, breaches: list[Breach]) -> Playing | Over:
    """A lead; by the wrong seat it is conduct, and the lead moves there."""
    seat, cards = fact.seat, fact.cards
    if seat != state.turn:
        breaches.append(Breach(R.LEADER, seat, cards, state.turn, seat))
    rest = _rest(state, seat, cards)
    lead = shape(state.context, cards)
    if lead is None:
        blocked(R.LEAD, seat, cards, None, cards)
    if is_throw(lead):
        return _thrown(state, seat, lead)
    return _on_table(state, seat, lead, rest, b"", ())


def _thrown(state: Playing, seat: int, lead: Shape) -> Playing | Over:
    """chaodipi-7.4, 7.5: a throw stands, or only its weakest beaten part is led."""
    verdict = _verdict(state, seat, lead)
    if verdict.beaten_by and state.setting.house.options.failed_throw == "reject":
        blocked(R.THROW_REJECTED, seat, lead.cards, verdict.led, lead.cards)
    return _judged(state, seat, lead, verdict.led, verdict.beaten_by)


def _verdict(state: Playing, seat: int, lead: Shape) -> Judged:
    """A throw against the others' cards of its suit: most stand against all of them together."""
    mask = state.context.masks[lead.suit]
    held = [(s, holding & mask) for s, holding in enumerate(state.holdings) if s != seat]
    together = unpack(EMPTY + sum(cards for _, cards in held))
    if not judged(state.context, lead, ((seat, together),)).beaten_by:
        return Judged(lead.cards, ())
    return judged(state.context, lead, ((s, unpack(EMPTY + cards)) for s, cards in held))


def _judged(
    state: Playing, seat: int, whole: Shape, led: bytes, beaten_by: tuple[int, ...]
) -> Playing | Over:
    """The throw as it was judged; the cards that are not led stay in the hand."""
    rest = without(state.holdings[seat], pack_dealt(led))
    lead = whole if led == whole.cards else shape(state.context, led)
    assert lead is not None
    assert rest >= 0
    penalty = state.penalty + _fine(state.setting, seat) if beaten_by else state.penalty
    fined = replace(state, penalty=penalty)
    return _on_table(fined, seat, lead, rest, whole.cards, beaten_by)


def _fine(setting: Setting, seat: int) -> int:
    """What a failed throw costs, in points for the attackers."""
    fine = setting.house.options.throw_penalty
    return fine if side(seat) == side(setting.dealer) else -fine


def _on_table(
    state: Playing,
    seat: int,
    lead: Shape,
    rest: int,
    attempted: bytes,
    beaten_by: tuple[int, ...],
) -> Playing:
    return replace(
        state,
        holdings=with_seat(state.holdings, seat, rest),
        leader=seat,
        turn=next_seat(seat),
        lead=lead,
        attempted=attempted,
        beaten_by=beaten_by,
        plays=(lead.cards,),
        latest=(seat, attempted or lead.cards),
    )


def judged_as(state: Playing, claim: ThrowJudged) -> Playing | Over:
    """A throw as it was announced: those cards are led, if they are a part of the throw."""
    assert state.lead is not None
    whole = shape(state.context, state.attempted)
    assert whole is not None
    seat = state.leader
    if not is_component(whole, claim.led):
        blocked(R.LEAD, seat, claim.led, state.attempted, claim.led)
    had = with_cards(state.holdings[seat], pack_dealt(state.lead.cards))
    fined = state.penalty - _fine(state.setting, seat) if state.beaten_by else state.penalty
    before = replace(state, holdings=with_seat(state.holdings, seat, had), penalty=fined)
    return _judged(before, seat, whole, claim.led, claim.beaten_by)


def _followed(state: Playing, lead: Shape, fact: Played, breaches: list[Breach]) -> Playing | Over:
    """An answer: as many cards, of the suit while there are any, with what else is owed."""
    seat, cards = fact.seat, fact.cards
    if seat != state.turn:
        blocked(R.ORDER, seat, cards, state.turn, seat)
    rest = _rest(state, seat, cards)
    if len(cards) != len(lead.cards):
        expected = ("value.cards", len(lead.cards))
        blocked(R.COUNT, seat, cards, expected, ("value.cards", len(cards)))
    holding = state.holdings[seat]
    if not is_plain(state.context, holding, lead, holding - rest):
        rule = state.setting.house.options.second_trump_wsk
        owed = broken(state.context, rule, unpack(holding), lead, cards)
        if owed is not None:
            breaches.append(Breach(owed.rule, seat, cards, owed.cards, cards))
    after = replace(
        state,
        holdings=with_seat(state.holdings, seat, rest),
        turn=next_seat(seat),
        plays=(*state.plays, cards),
        latest=(seat, cards),
    )
    return after if len(after.plays) < N_SEATS else _trick_over(after, lead)


def _trick_over(state: Playing, lead: Shape) -> Playing | Over:
    """chaodipi-9.7: the winner's side takes the points; he leads, or the hand is over."""
    over_ruff = state.setting.house.options.over_ruff
    place = winner(state.context, over_ruff, lead, state.plays)
    taker = seat_at(state.leader, place)
    worth = points(b"".join(state.plays))
    captured = with_seat(state.captured, taker, state.captured[taker] + worth)
    won = (taker, worth)
    if state.holdings == _ALL_EMPTY:
        last = replace(state, captured=captured, won=won, last_lead=lead)
        return Over(last, settle(last, lead))
    return replace(
        state,
        captured=captured,
        won=won,
        leader=taker,
        turn=taker,
        lead=None,
        attempted=b"",
        beaten_by=(),
        plays=(),
        trick=state.trick + 1,
        last_lead=lead,
    )
