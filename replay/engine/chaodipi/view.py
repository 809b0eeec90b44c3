"""The Board of a 炒地皮 hand: who sees which cards, trump, bottom, levels, the points so far."""

from replay.engine.board import (
    Attempt,
    Board,
    Bottom,
    Goal,
    Laid,
    Named,
    Phrase,
    Prompt,
    SeatView,
    Shown,
    Track,
    Word,
)
from replay.engine.chaodipi import showing
from replay.engine.chaodipi.duties import duties
from replay.engine.chaodipi.hand import phase
from replay.engine.chaodipi.levels import FLAG_TO_TAKE, TO_TAKE
from replay.engine.chaodipi.order import LEVELS, NO_TRUMP, Context
from replay.engine.chaodipi.shapes import shape
from replay.engine.chaodipi.states import (
    UNKNOWN,
    AwaitingDeal,
    Burying,
    ChaodipiState,
    Declaring,
    Over,
    Playing,
    Setting,
    Stirring,
    carry_in,
    setting_of,
    side,
)
from replay.engine.chaodipi.summary import cards_of, is_answer, kind_word, play_of
from replay.engine.chaodipi.winning import winner
from replay.engine.mechanics.order import ascending, suit_sizes
from replay.engine.mechanics.seats import N_SEATS
from replay.engine.mechanics.tricks import laid, seat_at
from schema.cards import ALL_CODES, SUITS
from schema.chaodipi import (
    Buried,
    ChaodipiResult,
    Declared,
    StirPassed,
    Stirred,
    ThrowJudged,
    TrumpSet,
)
from schema.events import Fact, Played
from schema.trumps import Trump


def play_phrase(context: Context, cards: bytes, several: str) -> Phrase:
    """A play in the players' words: what its cards are as a lead.

    `several` says what two or more parts are: a lead of them is a throw, an answer just cards.
    """
    lead = shape(context, cards)
    if lead is None:
        return Phrase("play.mixed", (("n", len(cards)),))
    suit = "t" if lead.suit == 4 else SUITS[lead.suit]
    slots = (("n", lead.parts[0].pairs), ("suit", suit), ("size", len(cards)))
    kind = kind_word(lead)
    return Phrase(f"play.trick_{several if kind == 'throw' else kind}", slots)


def act_type(state: ChaodipiState, fact: Fact) -> Word:
    """The catalogue key that an act is listed under."""
    match fact:
        case Declared() | Stirred():
            trump = _shown_trump(state, fact)
            return "type.none" if trump is None else f"act.show_{Trump(trump).name.lower()}"
        case Buried():
            return "act.bury"
        case StirPassed():
            return "act.stir_pass"
        case Played(seat=seat, cards=cards) if cards and (play := play_of(state)):
            several = "cards" if is_answer(state, seat, cards) else "throw"
            return f"type.{play_phrase(play.context, cards, several).key.partition('.')[2]}"
        case _:
            return "type.none"


def _shown_trump(state: ChaodipiState, fact: Declared | Stirred) -> int | None:
    setting = setting_of(state)
    if setting is None or showing.rung(fact.cards, setting.level) is None:
        return None
    return showing.trump_of(fact.cards, fact.named)


def sentence(state: ChaodipiState, event: Declared | Stirred | ThrowJudged | TrumpSet) -> Phrase:
    """A show with the trump that it makes, trump with its rung, a throw with who can beat it."""
    match event:
        case TrumpSet(announced, height):
            made = (("trump", _trump_key(announced)), ("rung", height))
            return Phrase("event.trump_and_rung", made)
        case ThrowJudged(led, beaten_by):
            seats = zip(("seat", "second", "third"), beaten_by, strict=False)
            return Phrase(f"event.throw_beaten_{len(beaten_by)}", (("led", led), *seats))
        case Declared(seat=seat, cards=cards) | Stirred(seat=seat, cards=cards):
            trump = _shown_trump(state, event)
            if trump is None:
                return Phrase("play.none")
            word = "declared" if isinstance(event, Declared) else "stirred"
            slots = (("seat", seat), ("cards", cards), ("named", _trump_key(trump)))
            return Phrase(f"event.{word}", slots)


def prompt(state: ChaodipiState, eye: int | None = None) -> Prompt:
    """Whose turn it is and what is asked; what a holding owes is for the eye of its own seat."""
    match state:
        case AwaitingDeal():
            return Prompt(None, "ask.deal")
        case Declaring():
            return Prompt(None, "ask.declare", anyone=(0, 1, 2, 3))
        case Burying():
            return Prompt(state.seat, "ask.bury", (Phrase("obligation.bury", (("n", 8),)),))
        case Stirring():
            return Prompt(state.asked[0], "ask.stir", (_higher(state),))
        case Over():
            return Prompt(None, "ask.end")
        case Playing() if state.lead is None:
            return Prompt(state.turn, "ask.lead")
        case Playing():
            return Prompt(state.turn, "ask.answer", duties(state, eye in (None, state.turn)))


def _higher(state: Stirring) -> Phrase:
    return Phrase("obligation.higher_rung", (("n", max(state.setting.rung, 1)),))


def board(game: str, state: ChaodipiState, eye: int | None) -> Board:
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
        ladder=(Named(Phrase("ladder.hand_no"), carry_in(state).hand_no),),
        shows=_shows(state),
        attempt=_attempt(play),
        leading=_leading(play),
        tracks=_tracks(state),
        goal=_goal(state, setting, play),
        order=_order(setting),
    )


def _on_table(play: Playing | None) -> tuple[Laid, ...]:
    if play is None:
        return ()
    return tuple(
        Laid(seat, cards, play_phrase(play.context, cards, "cards" if place else "throw"))
        for place, (seat, cards) in enumerate(laid(play.leader, play.plays))
    )


def _trump(setting: Setting | None) -> Phrase | None:
    if setting is None or setting.trump == UNKNOWN:
        return None
    suit = (("suit", SUITS[setting.trump]),) if setting.trump != NO_TRUMP else ()
    return Phrase(_trump_key(setting.trump), suit)


def _trump_key(trump: int) -> str:
    return f"trump.{Trump(trump).name.lower()}"


def _bottom(state: ChaodipiState, eye: int | None) -> Bottom | None:
    """The bottom: open once it is turned up, else seen by who took or buried it.

    While it is being buried it is what was taken. All see it once all has been played; an escape
    leaves it as it lay.
    """
    match state:
        case Declaring():
            word = "turned" if state.setting.is_turned else "dealt"
            seen = eye is None or state.setting.is_turned
            return _shown(state.setting.deal.bottom, seen, Phrase(f"bottom.{word}"))
        case Burying():
            taken = Phrase("bottom.taken", (("seat", state.seat),))
            return _shown(state.taken, sees_taken(state, eye), taken)
        case Stirring() | Playing() if state.bottom:
            return _shown(state.bottom, eye in (None, state.burier), _buried_by(state.burier))
        case Over() if state.settled.result is ChaodipiResult.ESCAPED:
            return _bottom(state.before, eye)
        case Over() if isinstance(state.before, Stirring | Playing) and state.before.bottom:
            return _shown(state.before.bottom, True, _buried_by(state.before.burier))
        case _:
            return None


def sees_taken(state: Burying, eye: int | None) -> bool:
    """Who knows what was taken: its taker, its burier; all if it was turned up in the deal."""
    is_open = state.setting.is_turned and state.burier == UNKNOWN
    return is_open or eye in (None, state.seat, state.burier)


def _buried_by(seat: int) -> Phrase:
    return Phrase("bottom.buried", (("seat", seat),))


def _shown(cards: bytes, is_seen: bool, label: Phrase) -> Bottom | None:
    return Bottom(cards if is_seen else None, len(cards), label) if cards else None


def _seat(state: ChaodipiState, seat: int, eye: int | None, on_table: tuple[Laid, ...]) -> SeatView:
    setting, carry, play = setting_of(state), carry_in(state), play_of(state)
    cards = cards_of(state, seat)
    dealer = setting.dealer if setting else UNKNOWN
    is_seen, ordered = eye in (None, seat), in_order(state, cards)
    return SeatView(
        seat=seat,
        cards=ordered if is_seen else None,
        count=len(cards),
        roles=("role.dealer",) if seat == dealer else (),
        team=None if dealer == UNKNOWN else (side(seat) - side(dealer)) % 2,
        level=_STEPS[carry.levels[side(seat)]],
        points=play.captured[seat] if play else None,
        last=next((act for act in reversed(on_table) if act.seat == seat), None),
        marks=_marks(setting, seat),
        groups=_groups(setting, ordered) if is_seen else (),
    )


def in_order(state: ChaodipiState, cards: bytes) -> bytes:
    """Cards by effective suit, weakest first, trumps last: as far as trump is known."""
    setting = setting_of(state)
    if setting is None:
        return cards
    return ascending(_context(setting).order, cards)


def _context(setting: Setting) -> Context:
    trump = NO_TRUMP if setting.trump == UNKNOWN else setting.trump
    return setting.house.context(setting.level, trump)


def _groups(setting: Setting | None, ordered: bytes) -> tuple[int, ...]:
    """How many cards of each effective suit there are, in their order."""
    if setting is None:
        return ()
    return suit_sizes(_context(setting).order, ordered)


def _order(setting: Setting | None) -> bytes | None:
    if setting is None:
        return None
    return ascending(_context(setting).order, ALL_CODES)


def _marks(setting: Setting | None, seat: int) -> tuple[Phrase, ...]:
    if setting is None or setting.declarer != seat:
        return ()
    return (Phrase("mark.declared", (("n", setting.rung),)),)


def _shows(state: ChaodipiState) -> tuple[Shown, ...]:
    """Every show so far, declared or stirred, with its rung and the trump that it made."""
    match state:
        case AwaitingDeal():
            return ()
        case Over():
            return _shows(state.before)
        case _:
            return tuple(
                Shown(show.seat, show.cards, _made(show.rung, show.trump)) for show in state.shows
            )


def _made(rung: int, trump: int) -> Phrase:
    return Phrase("shown.rung", (("n", rung), ("trump", _trump_key(trump))))


def _attempt(play: Playing | None) -> Attempt | None:
    """chaodipi-7.5: the throw of this trick, if a part of it is led after all."""
    if play is None or not play.beaten_by:
        return None
    return Attempt(play.leader, play.attempted, play.beaten_by)


def _leading(play: Playing | None) -> int | None:
    """Who wins the trick so far; a seat that is still to play stands in with a copy of the lead,
    which comes too late to win.
    """
    if play is None or play.lead is None:
        return None
    rule = play.setting.house.options.over_ruff
    plays = (*play.plays, *[play.lead.cards] * (N_SEATS - len(play.plays)))
    return seat_at(play.leader, winner(play.context, rule, play.lead, plays))


def _tracks(state: ChaodipiState) -> tuple[Track, ...]:
    """The ladder of each side: its level now, after the settlement the new one; 扛旗 failures.

    Where 扛旗 is passed, the level stays: the next match begins anew.
    """
    carry, setting = carry_in(state), setting_of(state)
    if isinstance(state, Over) and state.settled.result is not ChaodipiResult.MATCH_WON:
        carry = state.settled.next
    dealer = setting.dealer if setting else UNKNOWN
    return tuple(
        Track(
            name=Phrase("track.side", (("seat", first), ("partner", first + 2))),
            team=None if dealer == UNKNOWN else (first - dealer) % 2,
            steps=_STEPS,
            at=carry.levels[first],
            notes=_failures(carry.failures[first]),
        )
        for first in (0, 1)
    )


_STEPS = tuple(f"track.level_{word}" for word in LEVELS)


def _failures(n: int) -> tuple[Phrase, ...]:
    return (Phrase("track.failures", (("n", n),)),) if n else ()


def _goal(state: ChaodipiState, setting: Setting | None, play: Playing | None) -> Goal | None:
    """The attackers' points so far, what failed throws cost included, and what they need."""
    if play is None or setting is None:
        return None
    attackers = 1 - side(setting.dealer)
    captured = sum(play.captured[s] for s in range(4) if side(s) == attackers) + play.penalty
    value = state.settled.score if isinstance(state, Over) else captured
    target = FLAG_TO_TAKE if setting.is_flag else TO_TAKE
    return Goal(Phrase("goal.attackers"), value, target)
