"""What the archive keeps of a 打拱 hand."""

from replay.engine.climbing import summary as climbing
from replay.engine.climbing.states import ClimbingState, Over
from replay.engine.dagong.settlement import PerSeat, bonus_coins
from replay.engine.facts import HandFacts, SeatFacts
from schema.events import ClimbingSettled
from schema.options import DagongOptions


def summary(options: DagongOptions, state: ClimbingState) -> HandFacts:
    """The hand as derived up to this state."""
    table = climbing.play_of(state)
    called, partner = climbing.call_of(state)
    settled = _settled(state)
    bonus = bonus_coins(options, settled.fan, settled.bonuses) if settled else None
    mode = None if table is None else "solo" if table.soloist >= 0 else "friend"
    return HandFacts(
        hand_no=state.carry.hand_no,
        dealer=climbing.dealer_of(state),
        called=called,
        partner=partner,
        mode=mode,
        soloist=table.soloist if mode == "solo" and table else None,
        result=settled.result.name.lower() if settled else None,
        fan=settled.fan if settled else None,
        winners=settled.winners if settled else (),
        seats=(
            _seat(state, 0, bonus),
            _seat(state, 1, bonus),
            _seat(state, 2, bonus),
            _seat(state, 3, bonus),
        ),
    )


def _settled(state: ClimbingState) -> ClimbingSettled | None:
    if not isinstance(state, Over):
        return None
    assert isinstance(state.settled, ClimbingSettled)
    return state.settled


def _seat(state: ClimbingState, seat: int, bonus: PerSeat | None) -> SeatFacts:
    table, settled = climbing.play_of(state), _settled(state)
    places = climbing.places_of(state)
    keeps_points = table is not None and table.soloist < 0
    return SeatFacts(
        role=climbing.role_of(state, seat),
        side=table.teams[seat] if table else None,
        dealt=climbing.dealt_hands(state)[seat],
        left=climbing.cards_left(state, seat),
        place=places.index(seat) + 1 if seat in places else None,
        captured=table.captured[seat] if table and keeps_points else None,
        final=settled.final[seat] if settled and keeps_points else None,
        bonus=bonus[seat] if bonus else None,
        delta=settled.deltas[seat] if settled else None,
        balance_before=state.carry.balances[seat],
        balance_after=settled.next.balances[seat] if settled else None,
        won=seat in settled.winners if settled else None,
    )
