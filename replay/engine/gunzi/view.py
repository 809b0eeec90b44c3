"""The Board of a 四副滚子 hand: who sees which cards, trump, bottom, tribute, levels, points."""

from collections.abc import Iterator

from replay.engine.board import (
    Board,
    Bottom,
    Goal,
    Laid,
    Moved,
    Named,
    Phrase,
    Prompt,
    SeatView,
    Shown,
    Track,
)
from replay.engine.gunzi import duties
from replay.engine.gunzi.hand import phase
from replay.engine.gunzi.labels import play_phrase, trump_key
from replay.engine.gunzi.levels import TO_TAKE
from replay.engine.gunzi.order import LEVELS, NO_TRUMP, THREE, Context
from replay.engine.gunzi.playing import winner
from replay.engine.gunzi.sight import knows_bottom, seen_of
from replay.engine.gunzi.states import (
    UNKNOWN,
    Asking,
    AwaitingDeal,
    Burying,
    Declaring,
    Drawing,
    Flipping,
    GunziState,
    Over,
    Paying,
    Playing,
    Returning,
    Setting,
    carry_in,
    play_of,
    setting_of,
    side,
)
from replay.engine.gunzi.summary import cards_of
from replay.engine.mechanics.order import ascending, suit_sizes
from replay.engine.mechanics.tricks import laid, seat_at
from schema.cards import ALL_CODES, BLACK_JOKER, SUITS


def prompt(state: GunziState, eye: int | None = None) -> Prompt:
    """Whose turn it is and what is asked; what a holding owes is for the eye of its own seat."""
    match state:
        case Flipping():
            return Prompt(state.seat, "ask.flip")
        case Paying():
            payer = state.setting.payer
            return Prompt(payer, "ask.tribute", duties.tribute(state, eye in (None, payer)))
        case Returning():
            return Prompt(state.setting.dealer, "ask.tribute_return", duties.tribute_return(state))
        case Burying():
            n = len(state.setting.deal.bottom)
            bury = (Phrase("obligation.bury", (("n", n),)),)
            return Prompt(state.setting.dealer, "ask.bury", bury)
        case Asking():
            # how many it can be tells what lies in a bottom that the seat has not seen
            known = knows_bottom(state, eye)
            return Prompt(state.asked[0], "ask.bury_jokers", duties.jokers(state, known))
        case Playing() if state.plays:
            answer = duties.answer(state, eye in (None, state.turn))
            return Prompt(state.turn, "ask.answer", answer)
        case Playing():
            return Prompt(state.turn, "ask.lead")
        case _:
            return _nobody(state)


def _nobody(state: GunziState) -> Prompt:
    """The server is to act, or whoever wants to declare."""
    match state:
        case AwaitingDeal():
            return Prompt(None, "ask.deal")
        case Drawing():
            return Prompt(None, "ask.draw_trump")
        case Over():
            return Prompt(None, "ask.end")
        case _:
            return Prompt(None, "ask.declare", anyone=(0, 1, 2, 3))


def board(game: str, state: GunziState, eye: int | None) -> Board:
    """What seat `eye` sees; None sees everything."""
    play, setting = play_of(state), setting_of(state)
    on_table = _on_table(play)
    return Board(
        game=game,
        eye=eye,
        phase=f"phase.{phase(state)}",
        trick=state.trick,
        seats=(
            _seat(state, 0, eye, on_table),
            _seat(state, 1, eye, on_table),
            _seat(state, 2, eye, on_table),
            _seat(state, 3, eye, on_table),
        ),
        table=on_table,
        to_beat=None,
        trump=_trump(setting),
        bottom=_bottom(state, eye),
        called=None,
        prompt=prompt(state, eye),
        ladder=_ladder(state),
        shows=_shows(setting),
        leading=_leading(play),
        tracks=_tracks(state),
        goal=_goal(state, play),
        order=None if setting is None else ascending(_context(setting).order, ALL_CODES),
        moves=tuple(_moves(state, eye)),
    )


def _on_table(play: Playing | None) -> tuple[Laid, ...]:
    if play is None:
        return ()
    context = play.table.context
    return tuple(
        Laid(seat, cards, play_phrase(context, cards))
        for seat, cards in laid(play.leader, play.plays)
    )


def _trump(setting: Setting | None) -> Phrase | None:
    if setting is None or setting.trump == UNKNOWN:
        return None
    return Phrase(trump_key(setting.trump), (("suit", SUITS[setting.trump]),))


def _ladder(state: GunziState) -> tuple[Named, ...]:
    """The number of the hand; until it is paid, what the dealer is owed and why."""
    carry = carry_in(state)
    due = carry.due_for_score + carry.due_for_jokers
    hand_no = Named(Phrase("ladder.hand_no"), carry.hand_no)
    if not due or carry.dealer is None or not isinstance(state, _UNPAID):
        return (hand_no,)
    return (
        hand_no,
        Named(Phrase("ladder.tribute_due"), due),
        Named(Phrase("ladder.due_for_score"), carry.due_for_score),
        Named(Phrase("ladder.due_for_jokers"), carry.due_for_jokers),
    )


_UNPAID = (AwaitingDeal, Declaring, Drawing, Paying, Returning)


def _bottom(state: GunziState, eye: int | None) -> Bottom | None:
    """gunzi-5.2, 5.3, 5.9: the bottom, for those who know it; at the end for everybody."""
    setting, play = setting_of(state), play_of(state)
    if setting is None:
        return None
    is_known = knows_bottom(state, eye)
    if play is not None:
        word = "dry" if play.table.is_dry else "buried"
        return _known(play.table.bottom, is_known, word, setting)
    if isinstance(state, Asking):
        return _known(state.bottom, is_known, "buried", setting)
    word = "taken" if isinstance(state, Burying) else "dealt"
    return _known(setting.deal.bottom, is_known, word, setting)


def _known(cards: bytes, is_known: bool, word: str, setting: Setting) -> Bottom:
    slots = (("seat", setting.dealer),) if word in ("taken", "buried") else ()
    turned = bytes(setting.deal.bottom[turn.place] for turn in setting.turned)
    is_original = word != "buried"
    return Bottom(
        cards=cards if is_known else None,
        count=len(cards),
        label=Phrase(f"bottom.{word}", slots),
        turned=turned if is_original else b"",
    )


def _seat(state: GunziState, seat: int, eye: int | None, on_table: tuple[Laid, ...]) -> SeatView:
    setting, carry, play = setting_of(state), carry_in(state), play_of(state)
    dealer = setting.dealer if setting else UNKNOWN
    cards = in_order(state, cards_of(state, seat))
    is_seen = eye in (None, seat)
    return SeatView(
        seat=seat,
        cards=cards if is_seen else None,
        count=len(cards),
        roles=("role.dealer",) if seat == dealer else (),
        team=None if dealer == UNKNOWN else (side(seat) - side(dealer)) % 2,
        level=_STEPS[carry.levels[side(seat)] - THREE],
        points=play.captured[seat] if play else None,
        last=next((act for act in reversed(on_table) if act.seat == seat), None),
        marks=_marks(setting, seat),
        groups=suit_sizes(_context(setting).order, cards) if is_seen and setting else (),
    )


def in_order(state: GunziState, cards: bytes) -> bytes:
    """Cards by effective suit, weakest first, trumps last: as far as trump is known."""
    setting = setting_of(state)
    return cards if setting is None else ascending(_context(setting).order, cards)


def _context(setting: Setting) -> Context:
    trump = NO_TRUMP if setting.trump == UNKNOWN else setting.trump
    return setting.house.context(setting.level, trump)


def _marks(setting: Setting | None, seat: int) -> tuple[Phrase, ...]:
    if setting is None or not setting.shows or setting.shows[-1].seat != seat:
        return ()
    return (Phrase("mark.declarer"),)


def _shows(setting: Setting | None) -> tuple[Shown, ...]:
    """Every show so far with what it made, and every card that a seat flipped."""
    if setting is None:
        return ()
    shown = [Shown(show.seat, show.cards, _made(show.trump)) for show in setting.shows]
    return (*shown, *_flips(setting))


def _flips(setting: Setting) -> Iterator[Shown]:
    """gunzi-3.5: the flips; once the last is made, the winning one has made its suit trump."""
    for turn in setting.turned:
        code = setting.deal.bottom[turn.place]
        if turn.seat != UNKNOWN:
            has_won = turn.seat == setting.dealer and code < BLACK_JOKER
            label = _made(setting.trump) if has_won else Phrase("shown.flipped")
            yield Shown(turn.seat, bytes([code]), label)


def _made(trump: int) -> Phrase:
    if trump == UNKNOWN:
        return Phrase("shown.first_joker")
    return Phrase("shown.trump", (("trump", trump_key(trump)),))


def _moves(state: GunziState, eye: int | None) -> Iterator[Moved]:
    """Tribute, which all see; jokers buried by others, and what these pick for them."""
    setting = setting_of(state)
    if setting is None:
        return
    if setting.paid:
        yield _open(setting.payer, setting.dealer, setting.paid, "move.tribute")
    if setting.returned:
        yield _open(setting.dealer, setting.payer, setting.returned, "move.tribute_return")
    for number, burial in enumerate(setting.burials):
        seat, n = burial.seat, len(burial.jokers)
        sees_buried, sees_picked = seen_of(state, number, eye)
        buried = burial.jokers if sees_buried else None
        picked = burial.picked if sees_picked else None
        yield Moved(seat, None, buried, n, Phrase("move.jokers"))
        yield Moved(None, seat, picked, n, Phrase("move.picked"))


def _open(source: int, target: int | None, cards: bytes, word: str) -> Moved:
    return Moved(source, target, cards, len(cards), Phrase(word))


def _leading(play: Playing | None) -> int | None:
    """Who wins the trick so far."""
    if play is None or not play.plays:
        return None
    return seat_at(play.leader, winner(play.table.context, play.plays))


def _tracks(state: GunziState) -> tuple[Track, ...]:
    """The ladder of each side: its level now, after the settlement the new one.

    Where the match is won the levels stay: the next one begins anew.
    """
    carry, setting = carry_in(state), setting_of(state)
    if isinstance(state, Over) and not state.settled.next.is_over:
        carry = state.settled.next
    dealer = setting.dealer if setting else UNKNOWN
    return tuple(
        Track(
            name=Phrase("track.side", (("seat", first), ("partner", first + 2))),
            team=None if dealer == UNKNOWN else (first - dealer) % 2,
            steps=_STEPS,
            at=carry.levels[first] - THREE,
        )
        for first in (0, 1)
    )


_STEPS = tuple(f"track.level_{word}" for word in LEVELS[THREE:])


def _goal(state: GunziState, play: Playing | None) -> Goal | None:
    """The attackers' points so far, and what they need."""
    if play is None:
        return None
    attackers = 1 - side(play.table.setting.dealer)
    captured = sum(play.captured[seat] for seat in range(4) if side(seat) == attackers)
    value = state.settled.score if isinstance(state, Over) else captured
    return Goal(Phrase("goal.attackers"), value, TO_TAKE)
