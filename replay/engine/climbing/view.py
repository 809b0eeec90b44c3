"""The Board of a climbing hand: who sees which cards, roles, sides, the table, the prompt."""

from replay.engine.board import Board, Laid, Named, Phrase, Prompt, SeatView
from replay.engine.climbing.deal import expected_answer
from replay.engine.climbing.hand import phase
from replay.engine.climbing.states import (
    Asking,
    AwaitingDeal,
    AwaitingDraw,
    AwaitingTurnUp,
    ClimbingState,
    Flow,
    Over,
    Playing,
)
from replay.engine.climbing.summary import call_of, dealer_of, places_of, play_of
from replay.engine.mechanics.holding import unpack
from replay.engine.mechanics.plays import Play
from schema.cards import RANKS, SUITS

_PASS = Phrase("play.pass")


def play_phrase(play: Play) -> Phrase:
    """A play's type in the players' words, with its size, rank and suit as slots."""
    suit = SUITS[play.rank] if play.kind == "wsk_pure" else ""
    rank = RANKS[play.rank] if play.rank < len(RANKS) else ""
    if play.kind == "single" and not rank:
        return Phrase("play.single_joker", (("cards", play.cards),))
    kind = "yaobai_bombs" if play.kind == "yaobai" and rank else play.kind
    return Phrase(f"play.{kind}", (("n", play.size), ("rank", rank), ("suit", suit)))


def prompt(state: ClimbingState) -> Prompt:
    """Whose turn it is and what is asked."""
    match state:
        case AwaitingDeal():
            return Prompt(None, "ask.deal")
        case AwaitingTurnUp():
            return Prompt(None, "ask.turn_up")
        case AwaitingDraw():
            return Prompt(state.dealer, "ask.draw")
        case Asking():
            return Prompt(expected_answer(state), "ask.solo")
        case Over():
            return Prompt(None, "ask.end")
        case Playing() if state.table is None:
            return Prompt(state.turn, "ask.lead")
        case Playing():
            beat = Phrase("obligation.beat", (("play", state.table.cards),))
            return Prompt(state.turn, "ask.follow", (beat,))


def board(game: str, state: ClimbingState, eye: int | None) -> Board:
    """What seat `eye` sees; None sees everything."""
    table = play_of(state)
    laid = tuple(_laid(state.flow, *entry) for entry in table.laid) if table else ()
    called, _ = call_of(state)
    return Board(
        game=game,
        eye=eye,
        phase=f"phase.{phase(state)}",
        trick=state.trick,
        seats=(
            _seat(state, table, laid, 0, eye),
            _seat(state, table, laid, 1, eye),
            _seat(state, table, laid, 2, eye),
            _seat(state, table, laid, 3, eye),
        ),
        table=laid,
        to_beat=_to_beat(table),
        trump=None,
        bottom=None,
        called=None if called is None else bytes([called]),
        prompt=prompt(state),
        ladder=_ladder(state, table),
    )


def _laid(flow: Flow, seat: int, play: Play | None) -> Laid:
    if play is None:
        return Laid(seat, b"", _PASS)
    return Laid(seat, play.cards, play_phrase(play), flow.wilds(play))


def _to_beat(table: Playing | None) -> Laid | None:
    if table is None or table.table is None:
        return None
    return _laid(table.flow, table.last, table.table)


def _seat(
    state: ClimbingState, table: Playing | None, laid: tuple[Laid, ...], seat: int, eye: int | None
) -> SeatView:
    cards = _cards(state, table, seat)
    last = next((act for act in reversed(laid) if act.seat == seat), None)
    return SeatView(
        seat=seat,
        cards=cards if eye is None or eye == seat else None,
        count=len(cards),
        roles=_roles(state, table, seat, eye),
        team=_team(state, table, seat, eye),
        level=None,
        points=table.captured[seat] if table and table.is_scored else None,
        last=last,
        marks=_marks(state, table, seat),
    )


def _cards(state: ClimbingState, table: Playing | None, seat: int) -> bytes:
    if table:
        return unpack(table.holdings[seat])
    if isinstance(state, AwaitingTurnUp | AwaitingDraw | Asking):
        return unpack(state.deal.holdings[seat])
    return b""


def _knows_partner(state: ClimbingState, table: Playing, eye: int | None) -> bool:
    """Before 明鸡 only the partner himself knows, until the settlement names the winners; a
    spectator of all sees it.
    """
    return eye is None or table.is_revealed or eye == table.partner or isinstance(state, Over)


def _roles(
    state: ClimbingState, table: Playing | None, seat: int, eye: int | None
) -> tuple[str, ...]:
    roles = []
    if seat == dealer_of(state):
        roles.append("role.dealer")
    if table and seat == table.soloist:
        roles.append("role.soloist")
    if table and seat == table.partner and _knows_partner(state, table, eye):
        roles.append("role.partner")
    return tuple(roles)


def _team(state: ClimbingState, table: Playing | None, seat: int, eye: int | None) -> int | None:
    if table is None or (table.soloist < 0 and not _knows_partner(state, table, eye)):
        return None
    return table.teams[seat]


def _marks(state: ClimbingState, table: Playing | None, seat: int) -> tuple[Phrase, ...]:
    places = places_of(state)
    marks = []
    if seat in places:
        marks.append(Phrase(f"mark.place_{places.index(seat) + 1}"))
    if table and table.is_revealed and seat == table.partner:
        marks.append(Phrase("mark.revealed"))
    return tuple(marks)


def _ladder(state: ClimbingState, table: Playing | None) -> tuple[Named, ...]:
    """The named numbers beside the table: hand number, points of the trick and of each side."""
    rungs = [Named(Phrase("ladder.hand_no"), state.carry.hand_no)]
    if table and table.is_scored:
        rungs.append(Named(Phrase("ladder.trick_points"), table.pile))
    if isinstance(state, Over):
        rungs.append(Named(Phrase("ladder.end"), f"end.{state.end}"))
    return tuple(rungs)
