"""The Board of a 炒地皮 hand: who sees which cards, trump, bottom, levels, the points so far."""

from replay.engine.board import Board, Bottom, Laid, Named, Phrase, Prompt, SeatView
from replay.engine.chaodipi.hand import phase
from replay.engine.chaodipi.order import NO_TRUMP, Context
from replay.engine.chaodipi.playing import laid
from replay.engine.chaodipi.shapes import shape
from replay.engine.chaodipi.states import (
    RED_FIVES,
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
from replay.engine.chaodipi.summary import cards_of, kind_word, level_word, play_of
from schema.cards import SUITS
from schema.chaodipi import Trump


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


def prompt(state: ChaodipiState) -> Prompt:
    """Whose turn it is and what is asked."""
    match state:
        case AwaitingDeal():
            return Prompt(None, "ask.deal")
        case Declaring():
            return Prompt(None, "ask.declare")
        case Burying():
            return Prompt(state.seat, "ask.bury", (Phrase("obligation.bury", (("n", 8),)),))
        case Stirring():
            return Prompt(state.asked[0], "ask.stir", (_higher(state),))
        case Over():
            return Prompt(None, "ask.end")
        case Playing() if state.lead is None:
            return Prompt(state.turn, "ask.lead")
        case Playing():
            return Prompt(state.turn, "ask.answer", (_owed(state),))


def _higher(state: Stirring) -> Phrase:
    return Phrase("obligation.higher_rung", (("n", max(state.setting.rung, 1)),))


def _owed(state: Playing) -> Phrase:
    assert state.lead is not None
    suit = "t" if state.lead.suit == 4 else SUITS[state.lead.suit]
    return Phrase("obligation.follow", (("n", len(state.lead.cards)), ("suit", suit)))


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
        prompt=prompt(state),
        ladder=_ladder(state, setting, play),
    )


def _on_table(play: Playing | None) -> tuple[Laid, ...]:
    if play is None:
        return ()
    return tuple(
        Laid(seat, cards, play_phrase(play.context, cards, "cards" if place else "throw"))
        for place, (seat, cards) in enumerate(laid(play))
    )


def _trump(setting: Setting | None) -> Phrase | None:
    if setting is None or setting.trump == UNKNOWN:
        return None
    return Phrase(f"trump.{Trump(setting.trump).name.lower()}")


def _bottom(state: ChaodipiState, eye: int | None) -> Bottom | None:
    """The bottom: open once it is turned up, else seen by who took or buried it; at the end by all.

    While it is being buried it is what was taken.
    """
    match state:
        case Declaring():
            word = "turned" if state.setting.is_turned else "dealt"
            seen = eye is None or state.setting.is_turned
            return _shown(state.setting.deal.bottom, seen, Phrase(f"bottom.{word}"))
        case Burying():
            seen = eye in (None, state.seat) or is_open(state)
            return _shown(state.taken, seen, Phrase("bottom.taken", (("seat", state.seat),)))
        case Stirring() | Playing() if state.bottom:
            return _shown(state.bottom, eye in (None, state.burier), _buried_by(state.burier))
        case Over() if isinstance(state.before, Stirring | Playing) and state.before.bottom:
            return _shown(state.before.bottom, True, _buried_by(state.before.burier))
        case _:
            return None


def is_open(state: Burying) -> bool:
    """Whether all have seen what was taken: the dealer's bottom that was turned up before.

    A stirrer shows a pair, and takes what another seat has buried.
    """
    setting = state.setting
    is_dealers = setting.rung in (0, RED_FIVES) and state.seat == setting.dealer
    return setting.is_turned and is_dealers and state.taken == setting.deal.bottom


def _buried_by(seat: int) -> Phrase:
    return Phrase("bottom.buried", (("seat", seat),))


def _shown(cards: bytes, is_seen: bool, label: Phrase) -> Bottom | None:
    return Bottom(cards if is_seen else None, len(cards), label) if cards else None


def _seat(state: ChaodipiState, seat: int, eye: int | None, on_table: tuple[Laid, ...]) -> SeatView:
    setting, carry, play = setting_of(state), carry_in(state), play_of(state)
    cards = cards_of(state, seat)
    dealer = setting.dealer if setting else UNKNOWN
    return SeatView(
        seat=seat,
        cards=in_order(state, cards) if eye is None or eye == seat else None,
        count=len(cards),
        roles=("role.dealer",) if seat == dealer else (),
        team=None if dealer == UNKNOWN else (side(seat) - side(dealer)) % 2,
        level=level_word(carry.levels[side(seat)]),
        points=play.captured[seat] if play else None,
        last=next((act for act in reversed(on_table) if act.seat == seat), None),
        marks=_marks(setting, seat),
    )


def in_order(state: ChaodipiState, cards: bytes) -> bytes:
    """Cards by effective suit, weakest first, trumps last: as far as trump is known."""
    setting = setting_of(state)
    if setting is None:
        return cards
    trump = NO_TRUMP if setting.trump == UNKNOWN else setting.trump
    order = setting.house.context(setting.level, trump).order
    return bytes(sorted(cards, key=lambda code: (order.suit[code], order.strength[code], code)))


def _marks(setting: Setting | None, seat: int) -> tuple[Phrase, ...]:
    if setting is None or setting.declarer != seat:
        return ()
    return (Phrase("mark.declared", (("n", setting.rung),)),)


def _ladder(
    state: ChaodipiState, setting: Setting | None, play: Playing | None
) -> tuple[Named, ...]:
    """The named numbers beside the table: levels, failures, the attackers' points."""
    carry = carry_in(state)
    rungs = [
        Named(Phrase("ladder.hand_no"), carry.hand_no),
        Named(Phrase("ladder.level_even"), level_word(carry.levels[0])),
        Named(Phrase("ladder.level_odd"), level_word(carry.levels[1])),
    ]
    if any(carry.failures):
        rungs += [
            Named(Phrase("ladder.failures_even"), carry.failures[0]),
            Named(Phrase("ladder.failures_odd"), carry.failures[1]),
        ]
    if setting and setting.rung:
        rungs.append(Named(Phrase("ladder.rung"), setting.rung))
    if play and setting:
        attackers = 1 - side(setting.dealer)
        captured = sum(play.captured[s] for s in range(4) if side(s) == attackers)
        rungs.append(Named(Phrase("ladder.attackers_points"), captured))
    if isinstance(state, Over):
        rungs.append(Named(Phrase("ladder.score"), state.settled.score))
    return tuple(rungs)
