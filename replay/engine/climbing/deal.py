"""Before play: the deal, the turned-up card, the call, the question for 硬牌."""

from msgspec.structs import replace

from replay.engine.climbing.states import (
    Asking,
    AwaitingDeal,
    AwaitingDraw,
    AwaitingTurnUp,
    Deal,
    PerSeat,
    Playing,
    Prepared,
)
from replay.engine.mechanics.deck import deck_fault, held, one_by_one
from replay.engine.mechanics.holding import count
from replay.engine.mechanics.seats import ALL_SEATS, N_SEATS, per_seat
from replay.engine.rule import Breach, Rule, blocked
from schema.events import CallDrawn, Called, Dealt, SoloAnswered, TurnedUp

DECKS = 2


def dealt(
    state: AwaitingDeal, fact: Dealt, breaches: list[Breach]
) -> AwaitingTurnUp | AwaitingDraw | Asking | Playing:
    """Deal the deck card by card; later hands start at the dealer and give the call."""
    rules, dealer = state.flow.rules, state.carry.dealer
    fault = deck_fault(fact.cards, DECKS)
    if fault:
        blocked(rules.deck, None, fact.cards, *fault)
    deal = _deal(fact)
    if dealer is None:
        return AwaitingTurnUp(state.flow, state.carry, deal)
    if fact.start != dealer:
        breaches.append(Breach(rules.deal_start, fact.start, None, dealer, fact.start))
    return _proceed(_prepared(state, deal, dealer))


def _deal(fact: Dealt) -> Deal:
    hands = one_by_one(fact.cards, fact.start)
    return Deal(fact.start, hands, held(hands))


def turned_up(state: AwaitingTurnUp, fact: TurnedUp) -> AwaitingDraw | Asking:
    """Whoever is dealt the turned-up card is dealer."""
    dealer = (state.deal.start + fact.index) % N_SEATS
    after = _proceed(_prepared(state, state.deal, dealer))
    assert not isinstance(after, Playing), "a first hand's call is drawn"
    return after


def _prepared(state: AwaitingDeal | AwaitingTurnUp, deal: Deal, dealer: int) -> Prepared:
    return Prepared(state.flow, state.carry, deal, dealer, -1, -1, state.flow.before_play)


def _proceed(known: Prepared) -> AwaitingDraw | Asking | Playing:
    """The next phase before play; when none is left, the friends play."""
    if not known.then:
        return friend_play(known)
    after = replace(known, then=known.then[1:])
    if known.then[0] == "call":
        return _call(after)
    flow, carry, deal, dealer = known.flow, known.carry, known.deal, known.dealer
    return Asking(flow, carry, deal, dealer, known.called, known.partner, 0, after.then)


def _call(known: Prepared) -> AwaitingDraw | Asking | Playing:
    """The call as the deal gives it; where it gives none, the system must draw."""
    flow, dealer = known.flow, known.dealer
    if known.carry.dealer is None:
        called, rule = None, flow.rules.first_call
    else:
        called, rule = flow.call(known.deal.hands[dealer]), flow.later_draw
    if called is None:
        return AwaitingDraw(flow, known.carry, known.deal, dealer, rule, -1, known.then)
    partner = _twin(known.deal, dealer, called)
    return _proceed(replace(known, called=called, partner=partner))


def _twin(deal: Deal, dealer: int, card: int) -> int:
    """The one other seat that holds the card that the dealer holds once: the partner."""
    return next(s for s in range(N_SEATS) if s != dealer and count(deal.holdings[s], card))


def drawn(state: AwaitingDraw, fact: CallDrawn) -> Asking | Playing:
    """The system draws a face that the dealer holds exactly once."""
    _demand_single(state, state.rule, fact.card)
    return _with_call(state, fact.card)


def _with_call(state: AwaitingDraw, card: int) -> Asking | Playing:
    """The call is known: on with what comes before play."""
    partner = _twin(state.deal, state.dealer, card)
    flow, carry, deal = state.flow, state.carry, state.deal
    after = _proceed(Prepared(flow, carry, deal, state.dealer, card, partner, state.then))
    assert not isinstance(after, AwaitingDraw), "one call a hand"
    return after


def drawn_though_called(
    state: Asking | Playing, fact: CallDrawn, breaches: list[Breach]
) -> Asking | Playing:
    """A draw where the deal has given the call is conduct, the drawn face stands.

    It blocks once a seat has answered, and where the call was drawn already.
    """
    rules, face = state.flow.rules, bytes([fact.card])
    if isinstance(state, Asking) and state.answers:
        blocked(rules.solo_asked, state.dealer, face, "kind.solo_answered", "kind.call_drawn")
    draw_rule = draw_rule_of(state)
    if draw_rule is not None:
        due = "kind.solo_answered" if isinstance(state, Asking) else "kind.played"
        blocked(draw_rule, state.dealer, face, due, "kind.call_drawn")
    _demand_single(state, rules.drawn_call, fact.card)
    breaches.append(Breach(rules.dealt_call, state.dealer, face, bytes([state.called]), face))
    return _called_again(state, fact.card)


def has_call(state: Asking | Playing) -> bool:
    """Called, and no card is laid yet: a draw now is one too many."""
    if isinstance(state, Asking):
        return state.called >= 0
    return is_call_last(state) and state.called >= 0 and state.trick == 1 and not state.laid


def is_call_last(state: Playing) -> bool:
    """The call came right before play, and not before the asking."""
    return state.flow.before_play[-1] == "call"


def _called_again(state: Asking | Playing, card: int) -> Asking | Playing:
    """Another card is the call after all."""
    partner = _twin(state.deal, state.dealer, card)
    if isinstance(state, Asking):
        return replace(state, called=card, partner=partner)
    known = Prepared(state.flow, state.carry, state.deal, state.dealer, card, partner, ())
    return friend_play(known)


def draw_rule_of(state: Asking | Playing) -> Rule | None:
    """The rule by which the called card was drawn; None if the deal gave it."""
    if state.carry.dealer is None:
        return state.flow.rules.first_call
    by_deal = state.flow.call(state.deal.hands[state.dealer])
    return state.flow.later_draw if by_deal is None else None


def _demand_single(state: AwaitingDraw | Asking | Playing, rule: Rule, card: int) -> None:
    """The dealer holds the called face exactly once, or nobody is the partner."""
    if count(state.deal.holdings[state.dealer], card) != 1:
        faces = singles(state.deal.hands[state.dealer])
        blocked(rule, state.dealer, bytes([card]), faces, bytes([card]))


def singles(cards: bytes) -> bytes:
    """The faces held exactly once, ascending."""
    return bytes(sorted(code for code in cards if cards.count(code) == 1))


def adopt_call(state: Asking | Playing, claim: Called) -> Asking | Playing:
    """The announced card stands as the call if its twin is with one other seat."""
    _demand_single(state, state.flow.rules.twin, claim.card)
    return _called_again(state, claim.card)


def announced(state: AwaitingDraw, claim: Called) -> AwaitingDraw:
    """A card announced before any draw: it will stand unless a draw still comes."""
    _demand_single(state, state.flow.rules.twin, claim.card)
    return replace(state, announced=claim.card)


def without_draw(state: AwaitingDraw) -> Asking | Playing:
    """No draw came: the announced card is the call."""
    return _with_call(state, state.announced)


def expected_answer(state: Asking) -> int | None:
    """The seat that must answer next; None if any seat may."""
    if state.flow.solo_order == "free":
        return None
    return (state.dealer + state.answers) % N_SEATS


def answered(
    state: Asking, fact: SoloAnswered, breaches: list[Breach]
) -> Asking | AwaitingDraw | Playing:
    """A seat answers the question for 硬牌; the first yes ends the asking."""
    rules = state.flow.rules
    asked = expected_answer(state)
    if asked is None:
        if not fact.yes:
            breaches.append(Breach(rules.solo_free, fact.seat, None, "value.yes", "value.no"))
            return state
        return solo_play(state, fact.seat)
    if fact.seat != asked:
        blocked(
            rules.solo_asked,
            fact.seat,
            None,
            ("seat.number", asked),
            ("seat.number", fact.seat),
        )
    if fact.yes:
        return solo_play(state, fact.seat)
    if state.answers == N_SEATS - 1:
        return _proceed(_asked(state))
    return replace(state, answers=state.answers + 1)


def _asked(state: Asking) -> Prepared:
    flow, carry, deal, dealer = state.flow, state.carry, state.deal, state.dealer
    return Prepared(flow, carry, deal, dealer, state.called, state.partner, state.then)


def friend_play(state: Asking | Prepared) -> Playing:
    """Nobody went solo: dealer and partner against the other two, the dealer leads."""
    teams = per_seat(0 if seat in (state.dealer, state.partner) else 1 for seat in range(N_SEATS))
    return _play(state, teams, -1, state.dealer, state.flow.rules.first_lead)


def solo_play(state: Asking, soloist: int) -> Playing:
    """One against three; call and partner are void."""
    teams = per_seat(0 if seat == soloist else 1 for seat in range(N_SEATS))
    leads = {"dealer": state.dealer, "soloist": soloist}
    return _play(state, teams, soloist, leads[state.flow.solo_leader], state.flow.rules.solo_lead)


def _play(
    state: Asking | Prepared, teams: PerSeat, soloist: int, leader: int, rule: Rule
) -> Playing:
    friends = soloist < 0
    return Playing(
        flow=state.flow,
        carry=state.carry,
        deal=state.deal,
        dealer=state.dealer,
        called=state.called if friends else -1,
        partner=state.partner if friends else -1,
        soloist=soloist,
        teams=teams,
        holdings=state.deal.holdings,
        active=ALL_SEATS,
        turn=leader,
        table=None,
        last=-1,
        passed=0,
        pile=0,
        captured=(0, 0, 0, 0),
        places=(),
        is_revealed=False,
        is_scored=friends or state.flow.solo_points == "captured",
        trick=1,
        won=(-1, 0),
        lead_rule=rule,
        decided="",
        laid=(),
        latest=None,
    )
