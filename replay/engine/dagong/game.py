"""打拱 as a Game: the shared climbing hand with this game's types, call and settlement."""

from functools import partial

from msgspec.structs import replace

from replay.engine.climbing.game import ClimbingGame, House, Laying, Rulebook
from replay.engine.climbing.play import by_places
from replay.engine.climbing.states import Flow, FlowRules, Wilds
from replay.engine.dagong import moves
from replay.engine.dagong.call import call
from replay.engine.dagong.claims import EXERCISED, claim_rule
from replay.engine.dagong.rules import R
from replay.engine.dagong.settlement import bonus_coins, settle
from replay.engine.dagong.types import Types
from replay.engine.mechanics.plays import Play
from schema.cards import BLACK_JOKER
from schema.events import By, Played
from schema.options import DagongOptions

_RULES = FlowRules(
    deck=R.DECK,
    held=R.HELD,
    order=R.ORDER,
    turn_up=R.FIRST_DEALER,
    deal_start=R.DEAL_START,
    first_call=R.FIRST_CALL,
    dealt_call=R.DEALT_CALL,
    drawn_call=R.DRAWN_CALL,
    twin=R.PARTNER,
    first_lead=R.FIRST_LEAD,
    winner_leads=R.WINNER_LEADS,
    wind_partner=R.WIND_PARTNER,
    wind_next=R.WIND_NEXT,
    solo_lead=R.SOLO_LEAD,
    leader_plays=R.LEADER_PLAYS,
    out_is_out=R.OUT_IS_OUT,
    greater=R.GREATER,
    normal_end=R.NORMAL_END,
    solo_end=R.SOLO_END,
    after_end={"normal": R.NORMAL_END, "bang": R.BANG_END, "solo": R.SOLO_END},
    solo_asked=R.SOLO_ASKED,
    solo_free=R.SOLO_FREE,
)


def _no_type(cards: bytes) -> R:
    """dagong-4.10 for a joker among others, dagong-4.11 for any other set."""
    jokers = sum(code >= BLACK_JOKER for code in cards)
    return R.JOKER_MIX if 0 < jokers < len(cards) else R.NO_TYPE


def _only(readings: tuple[Play, ...], table: Play | None) -> Play:
    """dagong-4: a set of cards has at most one type, so there is nothing to choose."""
    return readings[0]


def _no_wilds(play: Play) -> Wilds:
    """dagong-1.6: a joker is a joker."""
    return ()


def _read(fact: Laying, readings: tuple[Play, ...], table: Play | None) -> Play:
    return readings[0]


def _lay(seat: int, play: Play, table: Play | None) -> Played:
    return Played(0, By.PLAYER, seat, play.cards)


_BOOK = Rulebook(
    name="dagong",
    schema_id="dagong/1",
    rules=R,
    opening=R.DEALER,
    match=R.MATCH_LENGTH,
    dealt_call=R.DEALT_CALL,
    recall=R.RECALL,
    wind_partner=R.WIND_PARTNER,
    wind_next=R.WIND_NEXT,
    claim_rule=claim_rule,
    exercised=EXERCISED,
)


class Dagong(ClimbingGame):
    """打拱 for one log."""

    def __init__(self) -> None:
        super().__init__(_BOOK, _house)


def _house(options: DagongOptions) -> House:
    types = Types(options)
    return House(
        flow=_flow(options, types),
        moves=partial(moves.plays, types),
        lay=_lay,
        read=_read,
        trail=lambda cards: call(options, cards).trail,
        lists_all=lambda cards: True,
        bonus=lambda teams, settled: bonus_coins(options, settled.fan, settled.bonuses),
    )


def _flow(options: DagongOptions, types: Types) -> Flow:
    # dagong-3.1: under random_single every hand's call is drawn as in the first
    drawn_call = R.FIRST_CALL if options.call_rule == "random_single" else R.DRAWN_CALL
    return Flow(
        rules=replace(_RULES, drawn_call=drawn_call),
        readings=types.readings,
        wilds=_no_wilds,
        choose=_only,
        no_type=_no_type,
        before_play=("call", "solo"),
        call=lambda cards: call(options, cards).called,
        later_draw=drawn_call,
        decides=by_places,
        settle=partial(settle, options),
        solo_order=options.solo_order,
        solo_leader=options.solo_leader,
        solo_points="none",
        pass_binds=options.pass_binds,
        final_trick=options.final_trick,
        open_trick_won=frozenset(("normal", "bang", "solo")),
        wind_points_to=options.wind_points_to,
    )
