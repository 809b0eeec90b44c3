"""赤壁打滚 as a Game: the shared climbing hand with wild readings, its bombs and its settlement."""

from functools import partial
from typing import Literal

from msgspec.structs import replace

from replay.engine.board import Phrase
from replay.engine.chibi_dagun import moves
from replay.engine.chibi_dagun.call import call
from replay.engine.chibi_dagun.claims import EXERCISED, claim_rule
from replay.engine.chibi_dagun.ending import decides
from replay.engine.chibi_dagun.rules import R
from replay.engine.chibi_dagun.settlement import bonus_coins, settle
from replay.engine.chibi_dagun.types import (
    Types,
    as_declared,
    choose,
    declared,
    has_rank,
    is_as_declared,
    no_type,
)
from replay.engine.chibi_dagun.wilds import stands_for
from replay.engine.climbing import hand, play
from replay.engine.climbing.game import ClimbingGame, House, Laying, Rulebook
from replay.engine.climbing.states import ClimbingState, Flow, FlowRules, Playing
from replay.engine.climbing.view import play_phrase
from replay.engine.mechanics.plays import Play
from replay.engine.mechanics.ranks import count_jokers
from replay.engine.rule import Breach, Rule, broken_by
from schema.cards import RANKS
from schema.events import By, Event, Fact, Played, PlayedAs, PlayKind, PlayRank, Refused
from schema.options import ChibiDagunOptions

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
    solo_lead=R.FIRST_LEAD,
    leader_plays=R.LEADER_PLAYS,
    out_is_out=R.ORDER,
    greater=R.GREATER,
    normal_end=R.NORMAL_END,
    solo_end=R.SOLO_END,
    after_end=dict.fromkeys(("normal", "bang", "solo", "early"), R.AFTER_END),
    solo_asked=R.SOLO_ASKED,
    solo_free=R.SOLO_ASKED,
)
_BOOK = Rulebook(
    name="chibi_dagun",
    schema_id="chibi_dagun/1",
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


class ChibiDagun(ClimbingGame):
    """赤壁打滚 for one log."""

    def __init__(self) -> None:
        super().__init__(_BOOK, _house)

    def apply(self, state: ClimbingState, fact: Fact, breaches: list[Breach]) -> ClimbingState:
        """The state after `fact`; a play may declare its reading."""
        if type(fact) is PlayedAs:
            return self._played_as(state, fact, breaches)
        return hand.apply(state, fact, breaches)

    def refusal(self, state: ClimbingState, claim: Event) -> Rule | None:
        """The rule a refused play would have broken; None if it was good however it was declared.

        A refusal does not say what was declared: one that any reading of the cards justifies is
        no fault.
        """
        assert isinstance(claim, Refused)
        found = super().refusal(state, claim)
        if found is not None or not isinstance(state, Playing):
            return found
        undeclared = Played(0, By.SERVER, claim.seat, claim.cards)
        for reading in state.flow.readings(claim.cards):
            rule = broken_by(partial(self.apply, state, _as(undeclared, reading)))
            if rule not in (None, R.READING):
                return rule
        return None

    def _played_as(
        self, state: ClimbingState, fact: PlayedAs, breaches: list[Breach]
    ) -> ClimbingState:
        """chibi_dagun-5.10: a reading that the cards do not have is conduct, and does not count."""
        state = hand.ready(state)
        if not isinstance(state, Playing):
            undeclared = Played(fact.dt, fact.by, fact.seat, fact.cards)
            return hand.apply(state, undeclared, breaches)
        read = self._house(state.flow).read

        def chosen(readings: tuple[Play, ...], table: Play | None) -> Play:
            counts = read(fact, readings, table)
            if not is_as_declared(counts, fact.kind, fact.rank):
                may_be = (r for r in readings if read(_as(fact, r), readings, table) is r)
                expected = tuple(map(play_phrase, may_be))
                breaches.append(Breach(R.READING, fact.seat, fact.cards, expected, _said(fact)))
            return counts

        return play.laid(state, fact.seat, fact.cards, chosen, breaches)


def _as(fact: Laying, reading: Play) -> PlayedAs:
    """The same play, declared as this reading."""
    return PlayedAs(fact.dt, fact.by, fact.seat, fact.cards, *as_declared(reading))


def _said(fact: PlayedAs) -> Phrase:
    """What a play was declared to be."""
    word = fact.kind.name.lower()
    is_ranked = has_rank(fact.kind)
    if fact.rank is PlayRank.NONE:
        kind = (("kind", f"type.{word}"),)
        return Phrase("value.declared_unranked", kind) if is_ranked else Phrase(f"type.{word}")
    if not is_ranked:
        slots: tuple[tuple[str, int | str | bytes], ...]
        slots = (("kind", f"type.{word}"), ("rank", RANKS[fact.rank]))
        return Phrase("value.declared_ranked", slots)
    n_cards = len(fact.cards)
    n = {PlayKind.PAIR_CHAIN: n_cards // 2, PlayKind.TRIPLE_CHAIN: n_cards // 3}
    slots = (("n", n.get(fact.kind, n_cards)), ("rank", RANKS[fact.rank]), ("suit", ""))
    return Phrase("play.yaobai_bombs" if word == "yaobai" else f"play.{word}", slots)


def _read(
    options: ChibiDagunOptions, fact: Laying, readings: tuple[Play, ...], table: Play | None
) -> Play:
    """The reading that counts: the declared one where the cards and the table allow it."""
    if isinstance(fact, PlayedAs):
        meant = declared(readings, table, fact.kind, fact.rank, options)
        if meant is not None:
            return meant
    return choose(readings, table)


def _lay(types: Types, seat: int, play: Play, table: Play | None) -> Laying:
    """The fact of a play: its reading is declared if it would not count otherwise."""
    if choose(types.readings(play.cards), table) == play:
        return Played(0, By.PLAYER, seat, play.cards)
    return PlayedAs(0, By.PLAYER, seat, play.cards, *as_declared(play))


def _house(options: ChibiDagunOptions) -> House:
    types = Types(options)
    return House(
        flow=_flow(options, types),
        moves=partial(moves.plays, types),
        lay=partial(_lay, types),
        read=partial(_read, options),
        trail=lambda cards: call(options, cards).trail,
        lists_all=lambda cards: not count_jokers(cards),
        bonus=lambda teams, settled: bonus_coins(options, settled, teams, settled.bonuses),
    )


_BEFORE_PLAY: dict[str, tuple[Literal["call", "solo"], ...]] = {
    "after_call": ("call", "solo"),
    "before_call": ("solo", "call"),
    "never": ("call",),
}


def _flow(options: ChibiDagunOptions, types: Types) -> Flow:
    # chibi_dagun-3.1: under random_single every hand's call is drawn as in the first
    is_drawn = options.later_call == "random_single"
    drawn_call = R.FIRST_CALL if is_drawn else R.DRAWN_CALL
    return Flow(
        rules=replace(_RULES, drawn_call=drawn_call),
        readings=types.readings,
        wilds=stands_for,
        choose=choose,
        no_type=no_type,
        before_play=_BEFORE_PLAY[options.solo_asked],
        call=lambda cards: call(options, cards).called,
        later_draw=drawn_call,
        decides=decides(options.early_stop),
        settle=partial(settle, options),
        solo_order="in_turn",
        solo_leader=options.solo_leader,
        solo_points="captured",
        pass_binds=options.pass_binds,
        final_trick=options.final_trick,
        open_trick_won=frozenset(("normal",)),
        wind_points_to=options.wind_points_to,
    )
