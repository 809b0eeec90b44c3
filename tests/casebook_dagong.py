"""The functions that the worked cases of 打拱 name, answered by the engine.

The cases use words and codes of their own (banker, E_TURN …); here they are mapped to the
project's. Arguments have the names that the cases give them, but for those in ARGUMENTS.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from replay.engine.climbing.deal import singles
from replay.engine.climbing.settlement import coins
from replay.engine.climbing.states import (
    Asking,
    AwaitingDraw,
    AwaitingTurnUp,
    ClimbingState,
    Deal,
    Over,
    Playing,
)
from replay.engine.dagong.call import call as find_call
from replay.engine.dagong.game import Dagong
from replay.engine.dagong.rules import R
from replay.engine.dagong.settlement import Outcome, bonus_coins, bonuses_of, decide
from replay.engine.dagong.types import Types
from replay.engine.mechanics.holding import EMPTY, pack, with_cards
from replay.engine.mechanics.plays import beats as is_greater
from replay.engine.mechanics.seats import per_seat
from schema.cards import card_text, parse_card, parse_cards
from schema.events import (
    By,
    CallDrawn,
    ClimbingBonus,
    ClimbingCarry,
    ClimbingResult,
    ClimbingSettled,
    Dealt,
    Passed,
    Played,
    SoloAnswered,
    TrickWon,
    TurnedUp,
)
from tests.builders import DECK, Table, asking, later, playing
from tests.casebook_dagong_words import (
    ARGUMENTS,
    BONUSES,
    RESULTS,
    Row,
    applied,
    bonus_words,
    table_options,
    type_words,
)
from tests.judge import Judge

JUDGE = Judge("dagong", table_options)
NO_CARD = 255
"""The called card where none is named: no play holds it."""


class CaseError(Exception):
    """The first bad event of a case's script: its index and code."""

    def __init__(self, index: int, code: str) -> None:
        super().__init__(index, code)
        self.found = {"error": [index, code]}


# Types and plays


def classify(cards: str, options: Row | None = None) -> list[Any] | None:
    """The type of the cards."""
    readings = Types(table_options(options)).readings(parse_cards(cards))
    return type_words(readings[0]) if readings else None


def beats(new: str, old: str, options: Row | None = None) -> bool:
    """Whether the set `new` beats the set `old`; a set without type beats nothing."""
    types = Types(table_options(options))
    pairs = product(types.readings(parse_cards(new)), types.readings(parse_cards(old)))
    return any(is_greater(one, other) for one, other in pairs)


def legal(hand: str, to_beat: str | None, play: str, options: Row | None = None) -> str:
    """`ok`, or the code of what is wrong with the play of a seat that holds `hand`."""
    game, ours = Dagong(), table_options(options)
    state = playing(game, ours, Table((DECK[:9], parse_cards(hand), DECK[:9], DECK[:9]), leader=1))
    if to_beat is not None:
        on_table = state.flow.readings(parse_cards(to_beat))[0]
        state = replace(state, table=on_table, last=0)
    return applied(game, state, _move(1, play))[1] or "ok"


def _move(seat: int, cards: str) -> Played | Passed:
    if cards == "pass":
        return Passed(0, By.PLAYER, seat)
    return Played(0, By.PLAYER, seat, parse_cards(cards))


# Deal, call, solo


def first_dealer(deal_start: int, turnup_index: int, options: Row | None = None) -> int:
    """Who is dealt the turned-up card."""
    game = Dagong()
    state: ClimbingState = game.open(table_options(options), ClimbingCarry(1, None, (0, 0, 0, 0)))
    for fact in (Dealt(0, deal_start, DECK), TurnedUp(0, turnup_index)):
        state = game.apply(state, fact, [])
    assert isinstance(state, AwaitingDraw)
    return state.dealer


def owner_of_deck_index(deal_start: int, index: int, options: Row | None = None) -> int:
    """Who is dealt the card at that deck index: marked by both copies of one face, four apart."""
    game, marked = Dagong(), parse_card("Bj")
    deck = bytearray(card for card in DECK if card != marked)
    for place in sorted((index, index - 4 if index >= 4 else index + 4)):
        deck.insert(place, marked)
    state = game.open(table_options(options), ClimbingCarry(1, None, (0, 0, 0, 0)))
    after = game.apply(state, Dealt(0, deal_start, bytes(deck)), [])
    assert isinstance(after, AwaitingTurnUp)
    return next(seat for seat in range(4) if after.deal.hands[seat].count(marked) == 2)


def call(hand_no: int, cards_in_deal_order: str, options: Row | None = None) -> Row:
    """The called card and the cards tried, or what may be drawn."""
    cards = parse_cards(cards_in_deal_order)
    may_draw = [card_text(card) for card in singles(cards)]
    if hand_no == 1:
        return {"random_from": may_draw}
    found = find_call(table_options(options), cards)
    trail = [card_text(card) for card in found.trail]
    if found.called is not None:
        return {"call": card_text(found.called), "trail": trail}
    return {"random_from": may_draw} | ({"trail": trail} if trail else {})


def partner(hands: list[str], dealer: int, call: str, options: Row | None = None) -> Row:
    """The seat with the other copy of the called card."""
    game = Dagong()
    cards = per_seat(map(parse_cards, hands))
    deal = Deal(dealer, cards, per_seat(with_cards(EMPTY, pack(held, 2)) for held in cards))
    start = game.open(table_options(options), later(dealer))
    state = AwaitingDraw(start.flow, start.carry, deal, dealer, R.DRAWN_CALL, -1, ("solo",))
    after, code = applied(game, state, CallDrawn(0, parse_card(call)))
    if code:
        return {"error": code}
    assert isinstance(after, Asking)
    return {"partner": after.partner}


def solo_phase(dealer: int, decisions: list[Any], options: Row | None = None) -> Row:
    """Who goes solo; a play follows the last answer, so that an asking cut short is found."""
    game = Dagong()
    state: ClimbingState = asking(game, table_options(options), dealer)
    for index, (seat, yes) in enumerate(decisions):
        if isinstance(state, Playing):
            return {"error": [index, "E_AFTER_END"]}
        state, code = applied(game, state, SoloAnswered(0, By.PLAYER, seat, yes))
        if code:
            return {"error": [index, code]}
    if isinstance(state, Asking):
        lead = Played(0, By.PLAYER, dealer, state.deal.hands[dealer][:1])
        state, code = applied(game, state, lead)
        if code:
            return {"error": [len(decisions), "E_PHASE"]}
    assert isinstance(state, Playing)
    return {"soloist": None if state.soloist < 0 else state.soloist}


# Tricks


class _Told(Struct):
    """What a script came to: where it stopped, and the tricks won on the way."""

    state: ClimbingState
    tricks: list[list[int]]


def _told(game: Dagong, state: ClimbingState, moves: Iterable[Played | Passed]) -> _Told:
    """Every move applied; CaseError at the first bad one."""
    tricks: list[list[int]] = []
    for index, move in enumerate(moves):
        after, code = applied(game, state, move)
        if code:
            raise CaseError(index, code)
        won = (claim for claim in game.due(state, move, after) if isinstance(claim, TrickWon))
        tricks += [[claim.seat, claim.points] for claim in won]
        state = after
    return _Told(state, tricks)


def run(
    hands: list[str],
    mode: str,
    dealer: int,
    script: list[Any],
    partner: int = -1,
    call: str | None = None,
    soloist: int = -1,
    leader: int | None = None,
    revealed: bool = False,
    out: Iterable[int] = (),
    captured: Iterable[int] = (0, 0, 0, 0),
    options: Row | None = None,
) -> Row:
    """Tricks from a table position on."""
    game, ours, is_solo = Dagong(), table_options(options), mode == "solo"
    leads = {"dealer": dealer, "soloist": soloist if is_solo else dealer}
    table = Table(
        per_seat(map(parse_cards, hands)),
        dealer,
        -1 if is_solo else partner,
        NO_CARD if is_solo or call is None else parse_card(call),
        soloist if is_solo else -1,
        leads[ours.solo_leader] if leader is None else leader,
        tuple(out),
        per_seat(captured),
        revealed,
    )
    try:
        told = _told(game, playing(game, ours, table), (_move(*entry) for entry in script))
    except CaseError as error:
        return error.found
    turn = told.state.turn if isinstance(told.state, Playing) else None
    return _position(told) | {"turn": turn}


def _position(told: _Told) -> Row:
    """The keys of `run` but for `turn`."""
    state = told.state
    play = state.play if isinstance(state, Over) else state
    assert isinstance(play, Playing)
    found: Row = {
        "tricks": told.tricks,
        "out": list(play.places),
        "captured": list(play.captured),
        "end": None,
        "revealed": play.is_revealed,
    }
    if isinstance(state, Over):
        found |= {"out": list(state.places), "end": state.end}
        if state.end == "normal":
            assert isinstance(state.settled, ClimbingSettled)
            found["last_hand_points"] = state.settled.left
    return found


# Settlement


def bonuses(hands: list[str], options: Row | None = None) -> list[list[Any]]:
    """What was dealt to whom that earns a bonus."""
    table_options(options)
    return bonus_words(bonuses_of(tuple(map(parse_cards, hands))))


def settle(
    mode: str,
    base: int,
    out: list[int],
    dealer: int = -1,
    partner: int = -1,
    soloist: int = -1,
    captured: Iterable[int] = (0, 0, 0, 0),
    last_hand_points: int = 0,
    bonus: Iterable[Any] = (),
    options: Row | None = None,
) -> Row:
    """The settlement of a hand."""
    ours = table_options(options, base)
    side = (soloist,) if mode == "solo" else (dealer, partner)
    teams = per_seat(0 if seat in side else 1 for seat in range(4))
    end = "solo" if mode == "solo" else "normal" if len(out) == 4 else "bang"
    points = per_seat(captured)
    if end == "normal" and sum(points) + last_hand_points != 200:
        return {"error": "E_POINTS_SUM"}
    outcome = decide(ours, end, teams, tuple(out), points, last_hand_points)
    given = tuple(ClimbingBonus(seat, BONUSES[kind]) for seat, kind in bonus)
    return _settled(
        outcome,
        coins(base, outcome.fan, outcome.winners, bonus_coins(ours, outcome.fan, given)),
        out[0],
        side,
    )


def _settled(
    outcome: Outcome, deltas: Iterable[int], first: int, dealer_side: tuple[int, ...]
) -> Row:
    found: Row = {
        "result": RESULTS[outcome.result],
        "mult": outcome.fan,
        "delta": list(deltas),
        "next_banker": first,
    }
    if outcome.result not in (ClimbingResult.SOLO_WON, ClimbingResult.SOLO_LOST):
        found["winners"] = list(outcome.winners)
    if outcome.result in (ClimbingResult.POINTS, ClimbingResult.QING):
        found["banker_side"] = sum(outcome.final[seat] for seat in dealer_side)
        found["other_side"] = sum(outcome.final) - found["banker_side"]
    return found


# Whole hands


def replay_hand(
    hand_no: int, dealer: int, base: int, deck: str, script: str, options: Row | None = None
) -> Row:
    """A whole hand that is not the first, and nobody goes solo."""
    game, ours = Dagong(), table_options(options, base)
    state: ClimbingState = asking(game, ours, dealer, parse_cards(deck))
    assert isinstance(state, Asking)
    found: Row = {"call": card_text(state.called), "partner": state.partner}
    found["trail"] = [card_text(c) for c in find_call(ours, state.deal.hands[dealer]).trail]
    if ours.solo_order == "in_turn":
        for seat in range(dealer, dealer + 4):
            state = game.apply(state, SoloAnswered(0, By.PLAYER, seat % 4, False), [])
    entries = [entry.split(":") for entry in script.split("|")] if script else []
    moves = [_move(int(seat), "pass" if cards == "-" else cards) for seat, cards in entries]
    try:
        told = _told(game, state, moves)
    except CaseError as error:
        return error.found
    if not isinstance(told.state, Over):
        return {"error": [len(moves), "E_INCOMPLETE"]}
    settled = told.state.settled
    assert isinstance(settled, ClimbingSettled)
    outcome = Outcome(settled.result, settled.fan, settled.winners, settled.final)
    side = (dealer, found["partner"])
    found |= {"bonus": bonus_words(settled.bonuses)}
    return found | _position(told) | _settled(outcome, settled.deltas, settled.places[0], side)


FUNCTIONS: dict[str, Callable[..., object]] = {
    "classify": classify,
    "beats": beats,
    "legal": legal,
    "first_banker": first_dealer,
    "owner_of_deck_index": owner_of_deck_index,
    "call": call,
    "partner": partner,
    "solo_phase": solo_phase,
    "run": run,
    "settle": settle,
    "bonuses": bonuses,
    "replay_hand": replay_hand,
    "judge": JUDGE.findings,
}


def evaluate(row: Row, rows: Mapping[str, Row]) -> object:
    """What the engine gives for the case; an unknown or missing argument is a TypeError."""
    args = {ARGUMENTS.get(name, name): value for name, value in resolved(row, rows).items()}
    return FUNCTIONS[row["fn"]](**args)


def resolved(row: Row, rows: Mapping[str, Row]) -> Row:
    """The arguments of a row; those of an edit are the other row's with its script changed.

    A row of `judge` takes what it does not say itself from the row that it is an edit of.
    """
    args: Row = dict(row["args"])
    if "edit_of" not in args:
        return args
    base = resolved(rows[args.pop("edit_of")], rows)
    if row["fn"] == "judge":
        return base | args
    edit = args.pop("edit")
    script = base["script"].split("|") if base["script"] else []
    return base | {"script": "|".join(edited(script, edit))} | args


def edited(entries: list[str], edit: Row) -> list[str]:
    """The entries after one edit; ValueError for an unknown kind, IndexError beyond the end."""
    ((kind, where),) = edit.items()
    entries = list(entries)
    match kind:
        case "set":
            entries[where[0]] = where[1]
        case "insert":
            entries.insert(where[0], where[1])
        case "delete":
            del entries[where]
        case "append":
            entries.append(where)
        case "swap_adjacent":
            low, high = where
            entries[low], entries[high] = entries[high], entries[low]
        case _:
            raise ValueError(f"unknown edit {kind!r}")
    return entries
