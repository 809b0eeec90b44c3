"""One wrong fact for every rule of 打拱 that a fact can break."""

import itertools
from typing import NamedTuple

from msgspec.structs import replace

from replay.engine.climbing.deal import singles
from replay.engine.climbing.states import (
    Asking,
    AwaitingDeal,
    AwaitingDraw,
    AwaitingTurnUp,
    ClimbingState,
    Over,
    Playing,
)
from replay.engine.dagong.presets import DEFAULT
from replay.engine.dagong.rules import R
from replay.engine.mechanics.holding import count, unpack
from replay.engine.mechanics.plays import beats
from replay.engine.rule import Rule
from schema.cards import BLACK_JOKER
from schema.events import By, CallDrawn, Dealt, Fact, HandEnded, Passed, Played, SoloAnswered
from schema.options import DagongOptions
from tests.samples.forge import Meddle, no_meddling

_DT = 1_200
"""Think time of a bent choice, ms."""


class Bent(NamedTuple):
    """A sample whose last hand has one wrong fact, made by `meddle`; `rule` is what it breaks."""

    rule: Rule
    words: str
    says: str
    meddle: Meddle
    n_hands: int = 1
    options: DagongOptions = DEFAULT

    @property
    def name(self) -> str:
        """Rule id and words: the name of the file without its ending."""
        return f"{self.rule.id}--{self.words}"


def _played(seat: int, cards: bytes) -> Played:
    return Played(_DT, By.PLAYER, seat, cards)


def _passed(seat: int) -> Passed:
    return Passed(_DT, By.PLAYER, seat)


def _lowest(state: Playing, seat: int) -> bytes:
    return unpack(state.holdings[seat])[:1]


# The deal and the call


def _third_copy(state: ClimbingState, fact: Fact) -> Fact | None:
    if isinstance(fact, Dealt):
        return replace(fact, cards=fact.cards.replace(b"\x00", b"\x01", 1))
    return None


def _wrong_start(state: ClimbingState, fact: Fact) -> Fact | None:
    if isinstance(fact, Dealt):
        return replace(fact, start=(fact.start + 1) % 4)
    return None


def _played_before_the_deal(state: ClimbingState, fact: Fact) -> Fact | None:
    return _played(0, b"\x00") if isinstance(state, AwaitingDeal) else None


def _drawn_before_turn_up(state: ClimbingState, fact: Fact) -> Fact | None:
    if isinstance(state, AwaitingTurnUp):
        return CallDrawn(_DT, state.deal.hands[0][0])
    return None


def _doubled(state: AwaitingDraw | Asking) -> int:
    """The lowest face of which the dealer holds both copies."""
    cards = state.deal.hands[state.dealer]
    return min(code for code in cards if cards.count(code) == 2)


def _drew_a_doubled_card(state: ClimbingState, fact: Fact) -> Fact | None:
    return CallDrawn(_DT, _doubled(state)) if isinstance(state, AwaitingDraw) else None


def _drew_though_dealt(state: ClimbingState, fact: Fact) -> Fact | None:
    if isinstance(state, Asking) and not state.answers:
        faces = singles(state.deal.hands[state.dealer])
        return CallDrawn(_DT, next(code for code in faces if code != state.called))
    return None


# 硬牌


def _answered_out_of_turn(state: ClimbingState, fact: Fact) -> Fact | None:
    if isinstance(fact, SoloAnswered):
        return replace(fact, seat=(fact.seat + 1) % 4)
    return None


def _played_before_all_answered(state: ClimbingState, fact: Fact) -> Fact | None:
    if isinstance(state, Asking) and state.answers == 3:
        return _played(state.dealer, state.deal.hands[state.dealer][:1])
    return None


def _said_no_unasked(state: ClimbingState, fact: Fact) -> Fact | None:
    if isinstance(state, Asking):
        return SoloAnswered(_DT, By.PLAYER, (state.dealer + 2) % 4, False)
    return None


# Leads and passes


def _led_out_of_turn(rule: Rule) -> Meddle:
    """Another seat leads where `rule` gives the lead: the soloist, the partner, or the next."""

    def meddle(state: ClimbingState, fact: Fact) -> Fact | None:
        if type(state) is not Playing or state.table is not None or state.lead_rule is not rule:
            return None
        others = [s for s in range(4) if state.active >> s & 1 and s != state.turn]
        friends = [s for s in others if rule is R.WIND_NEXT and _is_side_of_first(state, s)]
        seat = state.soloist if rule is R.SOLO_LEAD else (friends or others)[0]
        return None if seat == state.turn else _played(seat, _lowest(state, seat))

    return meddle


def _is_side_of_first(state: Playing, seat: int) -> bool:
    return state.teams[seat] == state.teams[state.places[-1]]


def _leader_passed(state: ClimbingState, fact: Fact) -> Fact | None:
    if type(state) is Playing and state.table is None and state.trick == 2:
        return _passed(state.turn)
    return None


def _seat_skipped(state: ClimbingState, fact: Fact) -> Fact | None:
    if type(state) is Playing and state.table is not None:
        seat = (state.turn + 1) % 4
        if seat != state.last and state.active >> seat & 1:
            return _passed(seat)
    return None


def _passed_when_out(state: ClimbingState, fact: Fact) -> Fact | None:
    if type(state) is Playing and state.places and state.table is not None:
        return _passed(state.places[0])
    return None


# Cards


def _not_held(state: ClimbingState, fact: Fact) -> Fact | None:
    """A card that only another seat holds."""
    if type(state) is Playing and state.table is None:
        mine = state.holdings[state.turn]
        theirs = unpack(state.holdings[(state.turn + 1) % 4])
        return _played(state.turn, bytes([next(c for c in theirs if not count(mine, c))]))
    return None


def _held_once(state: ClimbingState, fact: Fact) -> Fact | None:
    """A pair of one face of which the seat holds a single copy."""
    if type(state) is Playing and state.table is None:
        mine = unpack(state.holdings[state.turn])
        once = [code for code in mine if mine.count(code) == 1 and code < BLACK_JOKER]
        return _played(state.turn, bytes(once[:1] * 2)) if once else None
    return None


def _joker_with_another(state: ClimbingState, fact: Fact) -> Fact | None:
    if type(state) is Playing and state.table is None:
        mine = unpack(state.holdings[state.turn])
        if mine[-1] >= BLACK_JOKER > mine[0]:
            return _played(state.turn, bytes([mine[0], mine[-1]]))
    return None


def _three_with_one(state: ClimbingState, fact: Fact) -> Fact | None:
    """三条 with a card attached: no type."""
    if type(state) is Playing and state.table is None:
        mine = unpack(state.holdings[state.turn])
        for code in mine:
            same = bytes(c for c in mine if c >> 2 == code >> 2 and c < BLACK_JOKER)
            other = bytes(c for c in mine if c >> 2 != code >> 2 and c < BLACK_JOKER)
            if len(same) >= 3 and other:
                return _played(state.turn, same[:3] + other[:1])
    return None


def _two_triples(state: ClimbingState, fact: Fact) -> Fact | None:
    """飞机: two neighbouring 三条 laid together."""
    if type(state) is Playing and state.table is None:
        mine = unpack(state.holdings[state.turn])
        ranks = [bytes(c for c in mine if c >> 2 == rank) for rank in range(12)]
        for low, high in itertools.pairwise(ranks):
            if len(low) >= 3 and len(high) >= 3:
                return _played(state.turn, low[:3] + high[:3])
    return None


def _lower_single(state: ClimbingState, fact: Fact) -> Fact | None:
    if type(state) is Playing and state.table is not None and state.table.kind == "single":
        cards = _lowest(state, state.turn)
        if state.left[state.turn] > 1 and cards[0] >> 2 <= state.table.rank:
            return _played(state.turn, cards)
    return None


def _weaker_bomb(state: ClimbingState, fact: Fact) -> Fact | None:
    """dagong-5.5 the wrong way round: four of a rank on a 杂五十K."""
    if type(state) is Playing and state.table is not None and state.table.kind == "wsk_mixed":
        mine = unpack(state.holdings[state.turn])
        for rank in range(13):
            held = bytes(c for c in mine if c >> 2 == rank)
            if len(held) == 4:
                play = state.flow.readings(held)[0]
                assert not beats(play, state.table)
                return _played(state.turn, held)
    return None


# The end


def _played_on(end: str) -> Meddle:
    """After the hand has ended in this way, a seat that still holds cards lays one."""

    def meddle(state: ClimbingState, fact: Fact) -> Fact | None:
        if isinstance(state, Over) and state.end == end:
            seat = next(s for s in range(4) if state.play.left[s])
            return _played(seat, _lowest(state.play, seat))
        return None

    return meddle


def _ended_early(state: ClimbingState, fact: Fact) -> Fact | None:
    return HandEnded(_DT) if type(state) is Playing and state.trick == 3 else None


_ONE_HAND = replace(DEFAULT, hands_per_match=1)
_FREE = replace(DEFAULT, solo_order="free")


BENT: tuple[Bent, ...] = (
    Bent(R.DECK, "third-copy", "The deck holds one face three times.", _third_copy),
    Bent(
        R.DECK, "play-before-the-deal", "A card is laid before the deal.", _played_before_the_deal
    ),
    Bent(R.HELD, "card-of-another-seat", "A seat leads a card that it does not hold.", _not_held),
    Bent(R.HELD, "held-once-played-twice", "A pair of which one card is held.", _held_once),
    Bent(
        R.ORDER, "seat-skipped", "A seat passes before the seat in turn has acted.", _seat_skipped
    ),
    Bent(
        R.FIRST_DEALER,
        "no-card-turned-up",
        "First hand: the call is drawn although no card was turned up.",
        _drawn_before_turn_up,
    ),
    Bent(
        R.DEAL_START,
        "deal-not-from-the-dealer",
        "The deal starts beside the dealer.",
        _wrong_start,
        2,
    ),
    Bent(
        R.FIRST_CALL,
        "doubled-card-drawn",
        "First hand: a card is drawn that the dealer holds twice.",
        _drew_a_doubled_card,
    ),
    Bent(
        R.DEALT_CALL,
        "drawn-although-dealt",
        "The deal has given the call, yet the server draws another card.",
        _drew_though_dealt,
        2,
    ),
    Bent(
        R.DRAWN_CALL,
        "doubled-card-drawn",
        "The calls run past the dealer's last card: one is drawn that the dealer holds twice.",
        _drew_a_doubled_card,
        2,
    ),
    Bent(
        R.JOKER_MIX,
        "joker-with-another-card",
        "A joker is led with another card.",
        _joker_with_another,
    ),
    Bent(R.NO_TYPE, "three-with-one", "三条 with a card attached.", _three_with_one),
    Bent(R.NO_TYPE, "two-triples", "飞机: two neighbouring 三条 as one play.", _two_triples),
    Bent(R.GREATER, "lower-single", "A lower single is laid on a higher one.", _lower_single),
    Bent(R.GREATER, "four-on-wsk-mixed", "Four of a rank are laid on a 杂五十K.", _weaker_bomb),
    Bent(
        R.FIRST_LEAD,
        "not-the-dealer",
        "Another seat than the dealer leads the first trick.",
        _led_out_of_turn(R.FIRST_LEAD),
    ),
    Bent(R.LEADER_PLAYS, "leader-passes", "The leader of the second trick passes.", _leader_passed),
    Bent(
        R.WINNER_LEADS,
        "not-the-winner",
        "Another seat than the winner leads the next trick.",
        _led_out_of_turn(R.WINNER_LEADS),
    ),
    Bent(
        R.OUT_IS_OUT, "pass-of-a-seat-that-is-out", "A seat without cards passes.", _passed_when_out
    ),
    Bent(
        R.WIND_PARTNER,
        "next-seat-took-the-wind",
        "接风 after 明鸡 belongs to the winner's partner; another seat leads.",
        _led_out_of_turn(R.WIND_PARTNER),
    ),
    Bent(
        R.WIND_NEXT,
        "partner-took-the-wind",
        "接风 before 明鸡 belongs to the next seat; the winner's partner leads.",
        _led_out_of_turn(R.WIND_NEXT),
    ),
    Bent(
        R.NORMAL_END,
        "last-seat-plays-on",
        "末游 lays a card after the third seat is out.",
        _played_on("normal"),
    ),
    Bent(R.NORMAL_END, "ended-too-early", "The hand is ended in its third trick.", _ended_early),
    Bent(
        R.BANG_END,
        "played-on-after-bang",
        "A card is laid after 绑 has ended the hand.",
        _played_on("bang"),
    ),
    Bent(
        R.SOLO_FREE,
        "no-is-logged",
        "Any seat may go solo at any time; a no is logged.",
        _said_no_unasked,
        1,
        _FREE,
    ),
    Bent(
        R.SOLO_ASKED,
        "answer-out-of-turn",
        "A seat answers before it is asked.",
        _answered_out_of_turn,
    ),
    Bent(
        R.SOLO_ASKED,
        "play-before-the-last-answer",
        "A lead before the fourth answer.",
        _played_before_all_answered,
    ),
    Bent(
        R.SOLO_LEAD,
        "soloist-leads",
        "The soloist leads where the dealer must.",
        _led_out_of_turn(R.SOLO_LEAD),
    ),
    Bent(
        R.SOLO_END,
        "played-on-after-solo",
        "A card is laid after the solo hand is decided.",
        _played_on("solo"),
    ),
    Bent(
        R.MATCH_LENGTH,
        "second-hand-of-one",
        "A second hand in a match of one hand.",
        no_meddling,
        2,
        _ONE_HAND,
    ),
)
"""Every rule that blocks and every rule of conduct, but dagong-3.6: a false claim breaks that."""
