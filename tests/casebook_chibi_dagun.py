"""The functions that the worked cases of 赤壁打滚 name, answered by the engine.

Arguments and results have the names that the cases give them; words, codes and options are mapped
in `casebook_chibi_dagun_words`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from replay.engine.chibi_dagun.call import call as find_call
from replay.engine.chibi_dagun.game import ChibiDagun
from replay.engine.chibi_dagun.presets import FIRST_CARRY
from replay.engine.chibi_dagun.settlement import (
    TIANZHA,
    Outcome,
    bonus_coins,
    bonus_each,
    bonuses_of,
    decide,
)
from replay.engine.chibi_dagun.types import Types, choose, declared
from replay.engine.climbing.deal import DECKS, friend_play, singles, solo_play
from replay.engine.climbing.settlement import NO_COINS, carried, coins
from replay.engine.climbing.states import (
    Asking,
    AwaitingDraw,
    ClimbingState,
    Deal,
    Over,
    PerSeat,
    Playing,
)
from replay.engine.mechanics.holding import EMPTY, pack, size, with_cards
from replay.engine.mechanics.plays import Play
from replay.engine.mechanics.plays import beats as is_greater
from replay.engine.mechanics.seats import N_SEATS, per_seat, with_seat
from schema.cards import card_text, parse_card
from schema.events import (
    By,
    ClimbingBonus,
    ClimbingResult,
    Dealt,
    Passed,
    Played,
    PlayedAs,
    TrickWon,
    TurnedUp,
)
from schema.options import ChibiDagunOptions
from tests.builders import DECK, later
from tests.casebook_chibi_dagun_words import (
    ENDS,
    ILLEGAL,
    LABELS,
    Row,
    applied,
    codes,
    declared_words,
    followed,
    reading_words,
    table_options,
)
from tests.judge import Judge, resolved

JUDGE = Judge("chibi_dagun", table_options)
Cards = list[str]

# Types and plays


def classify(
    cards: Cards, table: Row | None = None, declared: Row | None = None, opt: Row | None = None
) -> Row:
    """The reading that counts."""
    options = table_options(opt)
    found = Types(options).readings(codes(cards))
    if not found:
        return ILLEGAL
    on_table = None if table is None else followed(table)
    return reading_words(_counting(options, found, on_table, declared))


def _counting(
    options: ChibiDagunOptions, found: tuple[Play, ...], table: Play | None, said: Row | None
) -> Play:
    """The declared reading if it may be, else the one that counts where nothing is declared."""
    meant = None if said is None else declared(found, table, *declared_words(said), options)
    return choose(found, table) if meant is None else meant


def readings(cards: Cards, opt: Row | None = None) -> list[Row]:
    """All that the cards can be."""
    return [reading_words(play) for play in Types(table_options(opt)).readings(codes(cards))]


def beats(a: Cards, b: Cards, opt: Row | None = None) -> bool:
    """Whether `a`, read against it, beats the set `b`, read as a lead; no type beats nothing."""
    types = Types(table_options(opt))
    new, old = types.readings(codes(a)), types.readings(codes(b))
    return bool(new and old) and is_greater(choose(new, old[0]), old[0])


def legal(
    hand: Cards,
    table: Cards | None,
    play: Cards,
    table_as: Row | None = None,
    opt: Row | None = None,
) -> bool:
    """Whether the seat that holds `hand` may make this play."""
    game, options = ChibiDagun(), table_options(opt)
    start = {"turn": 1, "dealer": 0, "partner": 2, "hands": [["3d"], hand, ["3d"], ["3d"]]}
    state = _position(game, options, start)
    if table:
        state = replace(state, table=_recorded(options, table, table_as), last=0)
    return applied(game, state, _move(1, play))[1] is None


def _recorded(options: ChibiDagunOptions, table: Cards, table_as: Row | None) -> Play:
    """The play on the table; ValueError if its cards do not have the reading that was recorded."""
    found = Types(options).readings(codes(table))
    for play in found:
        if table_as is None or reading_words(play) == table_as:
            return play
    raise ValueError(f"{table} on the table cannot be {table_as or 'anything'}")


def _move(seat: int, cards: Cards, said: Row | None = None) -> Played | PlayedAs | Passed:
    if not cards:
        return Passed(0, By.PLAYER, seat)
    if said is not None:
        return PlayedAs(0, By.PLAYER, seat, codes(cards), *declared_words(said))
    return Played(0, By.PLAYER, seat, codes(cards))


# Deal and call


def first_dealer(start_seat: int, upturned_index: int, opt: Row | None = None) -> int:
    """Who is dealt the turned-up card."""
    game = ChibiDagun()
    state: ClimbingState = game.open(table_options(opt), FIRST_CARRY)
    for fact in (Dealt(0, start_seat, DECK), TurnedUp(0, upturned_index)):
        state = game.apply(state, fact, [])
    assert isinstance(state, AwaitingDraw | Asking)
    return state.dealer


def call(dealer_cards_in_deal_order: Cards, opt: Row | None = None) -> str:
    """The called card of a later hand; `fallback` where the system draws one."""
    called = find_call(table_options(opt), codes(dealer_cards_in_deal_order)).called
    return "fallback" if called is None else card_text(called)


def call_draw_ok(dealer_cards: Cards, drawn: str, opt: Row | None = None) -> bool:
    """Whether the system may have drawn that card as the call."""
    table_options(opt)
    return parse_card(drawn) in singles(codes(dealer_cards))


# Tricks


def _position(game: ChibiDagun, options: ChibiDagunOptions, start: Row) -> Playing:
    """The state in which `turn` leads; where only `counts` are known, cards stand for any."""
    hands = start.get("hands")
    soloist = start.get("solo")
    held = [codes(cards) for cards in hands] if hands else [DECK[:n] for n in start["counts"]]
    holdings = per_seat(with_cards(EMPTY, pack(cards, DECKS)) for cards in held)
    dealer, called, partner = start["dealer"], -1, -1
    if soloist is None:
        called = parse_card(start["called"]) if start.get("called") else -1
        partner = start["partner"]
    opened = game.open(options, later(dealer))
    deal = Deal(dealer, (b"", b"", b"", b""), holdings)
    asked = Asking(opened.flow, opened.carry, deal, dealer, called, partner, 0, ())
    state = friend_play(asked) if soloist is None else solo_play(asked, soloist)
    order = tuple(start.get("order") or ())
    return replace(
        state,
        active=sum(1 << seat for seat in range(N_SEATS) if seat not in order),
        turn=start["turn"],
        captured=per_seat(start.get("captured") or NO_COINS),
        places=order,
        is_revealed=bool(start.get("mingji")),
    )


def _supposed(state: ClimbingState, seat: int, cards: bytes) -> ClimbingState:
    """A seat whose cards are not known holds these, as far as it has that many."""
    if not isinstance(state, Playing):
        return state
    able = bytes(code for i, code in enumerate(cards) if cards[:i].count(code) < DECKS)
    others = bytes(code for code in DECK if code not in cards)
    supposed = (able + others)[: size(state.holdings[seat])]
    held = with_cards(EMPTY, pack(supposed, DECKS))
    return replace(state, holdings=with_seat(state.holdings, seat, held))


def flow(start: Row, actions: list[Any], opt: Row | None = None) -> Row:
    """Part of a hand. An action of ours may name the reading that is declared, as a third entry."""
    game = ChibiDagun()
    state: ClimbingState = _position(game, table_options(opt), start)
    tricks: list[list[int]] = []
    for seat, cards, *said in actions:
        before = state if start.get("hands") else _supposed(state, seat, codes(cards))
        move = _move(seat, cards, *said)
        after, code = applied(game, before, move)
        if code:
            return _told(state, tricks) | {"error": code}
        if isinstance(after, Playing):
            won = (claim for claim in game.due(before, move, after) if isinstance(claim, TrickWon))
            tricks += [[claim.seat, claim.points, after.turn] for claim in won]
        state = after
    return _told(state, tricks)


def _told(state: ClimbingState, tricks: list[list[int]]) -> Row:
    """The keys of `flow` but for `error`."""
    play = state.play if isinstance(state, Over) else state
    assert isinstance(play, Playing)
    found: Row = {
        "tricks": tricks,
        "captured": list(play.captured),
        "order": list(play.places),
        "mingji": play.is_revealed,
        "open_points": play.pile,
    }
    if not isinstance(state, Over):
        return found | {"turn": play.turn}
    if play.won[0] >= 0:
        found["open_points"] = 0  # the last trick has its winner
    return found | {"order": list(state.places), "ended": ENDS[state.end]}


# Settlement


def _teams(side: list[int]) -> PerSeat:
    """Team 0 for the seats of one side, 1 for the others."""
    return per_seat(0 if seat in side else 1 for seat in range(N_SEATS))


def outcome(
    teams: list[list[int]],
    order: list[int],
    captured: list[int],
    last_hand_points: int | None = None,
    opt: Row | None = None,
) -> Row:
    """The result of a 找朋友 hand: 绑 if 一游 and 二游 are partners; two others: an early end."""
    ours = _teams(teams[0])
    is_bang = ours[order[0]] == ours[order[1]]
    end = "bang" if is_bang else "early" if len(order) == 2 else "normal"
    points = per_seat(captured)
    result = decide(table_options(opt), end, ours, tuple(order), points, last_hand_points or 0)
    found: Row = {
        "label": LABELS[result.result],
        "fan": result.fan,
        "winners": list(result.winners),
    }
    if end == "normal":
        found["team_points"] = [sum(result.final[seat] for seat in side) for side in teams]
        found["final"] = list(result.final)
    return found


def settle(
    base: int,
    winners: list[int],
    fan: int,
    bonus_units: list[int],
    solo: int | None = None,
    opt: Row | None = None,
) -> list[int]:
    """Coins a seat. Units are given, so each is paid as a 天炸 that counts one."""
    options = replace(table_options((opt or {}) | {"base": base}), tianzha_each=1)
    teams = _teams(winners if solo is None else [solo])
    units = tuple(
        ClimbingBonus(seat, TIANZHA) for seat, n in enumerate(bonus_units) for _ in range(n)
    )
    won = tuple(sorted(winners))
    decided = Outcome(ClimbingResult.POINTS, fan, won, NO_COINS)
    return list(coins(base, fan, won, bonus_coins(options, decided, teams, units)))


def bonus_units(holdings: list[Cards], opt: Row | None = None) -> list[int]:
    """Units a seat for what it was dealt."""
    options, units = table_options(opt), [0] * N_SEATS
    for bonus in bonuses_of(options, tuple(map(codes, holdings))):
        units[bonus.seat] += bonus_each(options, bonus.kind)
    return units


def next_dealer(order: list[int], solo: int | None = None, opt: Row | None = None) -> int | None:
    """Who deals the next hand, a solo hand being no exception."""
    table_options(opt)
    return carried(later(0), NO_COINS, order[0]).dealer


# Whole hands


def judge(opt: Row | None = None, **args: Any) -> list[list[Any]]:
    """Every finding in a whole hand, by the index of its event."""
    return JUDGE.findings(**args, options=opt)


FUNCTIONS: dict[str, Callable[..., object]] = {
    "classify": classify,
    "readings": readings,
    "beats": beats,
    "legal": legal,
    "first_dealer": first_dealer,
    "call": call,
    "call_draw_ok": call_draw_ok,
    "flow": flow,
    "outcome": outcome,
    "settle": settle,
    "bonus_units": bonus_units,
    "next_dealer": next_dealer,
    "judge": judge,
}
_IN_PART = {"flow", "outcome"}
"""Functions of whose result only the keys are compared that the case expects."""


def evaluate(row: Row, rows: Mapping[str, Row]) -> object:
    """What the engine gives for the case; an unknown or missing argument is a TypeError."""
    args = resolved(row, rows) if row["fn"] == "judge" else row["args"]
    found = FUNCTIONS[row["fn"]](**args)
    if row["fn"] in _IN_PART and isinstance(found, dict):
        return {key: found.get(key) for key in row["expect"]}
    return found
