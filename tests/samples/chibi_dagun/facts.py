"""Wrong facts that only a log of 赤壁打滚 can hold, or that show a rule of its own broken."""

from replay.engine.climbing.deal import singles
from replay.engine.climbing.states import Asking, ClimbingState, Playing
from replay.engine.mechanics.holding import count, unpack
from schema.cards import BLACK_JOKER, RED_JOKER, parse_cards
from schema.events import (
    AbortReason,
    By,
    CallDrawn,
    Dealt,
    Event,
    Fact,
    HandAborted,
    HandEnded,
    SoloAnswered,
    TurnedUp,
)
from tests.samples.forge import Meddle
from tests.samples.meddling import DT, played, played_on
from tests.samples.scripts import Lay, Script, lay, say
from tests.samples.sorts import PLAIN, House, Way, but

_SIXES_UP = "6s 6h 7s 7h Bj Rj"
"""飞机 up to 7 if nothing is declared, or 连对 up to 7 or 8."""

# Before play


def _turned_up_again(state: ClimbingState, fact: Fact) -> Fact | None:
    return TurnedUp(DT, 5) if isinstance(state, Asking) else None


def _dealt_again(state: ClimbingState, fact: Fact) -> Fact | None:
    if isinstance(state, Asking):
        deal = state.deal
        cards = bytes(card for four in zip(*deal.hands, strict=True) for card in four)
        return Dealt(DT, 0, cards)
    return None


def _drawn(state: Asking) -> CallDrawn:
    """Another draw, of another face."""
    faces = singles(state.deal.hands[state.dealer])
    return CallDrawn(DT, next(code for code in faces if code != state.called))


def _drawn_twice(state: ClimbingState, fact: Fact) -> Fact | None:
    return _drawn(state) if isinstance(state, Asking) and not state.answers else None


def _drawn_after_an_answer(state: ClimbingState, fact: Fact) -> Fact | None:
    return _drawn(state) if isinstance(state, Asking) and state.answers == 1 else None


def _answered(state: ClimbingState, fact: Fact) -> Fact | None:
    """An answer when the first trick is to be led."""
    if type(state) is Playing and not state.laid and state.trick == 1:
        return SoloAnswered(DT, By.PLAYER, state.turn, True)
    return None


TURNED_UP_LATER = Way(
    "second-hand-turns-a-card-up",
    "Second hand: a card is turned up.",
    _turned_up_again,
    n_hands=2,
)
DEALT_TWICE = Way("dealt-twice", "The deck is dealt twice.", _dealt_again)
DRAWN_TWICE = Way("drawn-twice", "First hand: a second card is drawn.", _drawn_twice)
DRAWN_AFTER_ANSWER = Way(
    "draw-after-an-answer",
    "Another card is drawn after the first seat has answered.",
    _drawn_after_an_answer,
    n_hands=2,
)
DRAWN_BEFORE_ASKING = Way(
    "draw-before-the-answers",
    "The seats are to be asked first, and a card is drawn before the first answer.",
    _drawn_twice,
    house=but(solo_asked="before_call"),
)
ANSWERED_AFTER_YES = Way(
    "answer-after-a-yes",
    "A seat answers though another is the soloist already.",
    _answered,
    script=Script(dealer=0, soloist=2),
)
ANSWERED_UNASKED = Way(
    "answer-without-a-question",
    "A seat declares 硬牌 where nobody is asked.",
    _answered,
    house=but(solo_asked="never"),
)

# Leads, and what is held


def _dealer_led(state: ClimbingState, fact: Fact) -> Fact | None:
    """The dealer leads the first trick though it is the soloist's."""
    if type(state) is Playing and state.trick == 1 and state.table is None:
        is_other = state.dealer != state.turn == state.soloist
        return played(state.dealer, unpack(state.holdings[state.dealer])[:1]) if is_other else None
    return None


def _joker_not_held(state: ClimbingState, fact: Fact) -> Fact | None:
    """A bomb completed by a joker of which the seat has none."""
    if type(state) is not Playing or state.table is not None:
        return None
    holding = state.holdings[state.turn]
    mine = unpack(holding)
    for rank in range(13):
        same = bytes(code for code in mine if code >> 2 == rank and code < BLACK_JOKER)
        if len(same) >= 3 and not count(holding, RED_JOKER):
            return played(state.turn, same[:3] + bytes([RED_JOKER]))
    return None


def _followed_out_of_turn(state: ClimbingState, fact: Fact) -> Fact | None:
    if type(state) is Playing and state.table is not None and state.table.kind == "single":
        seat = (state.turn + 1) % 4
        high = unpack(state.holdings[seat])[-1:]
        if seat != state.last and high and BLACK_JOKER > high[0] >= 4 * (state.table.rank + 1):
            return played(seat, high)
    return None


DEALER_LED = Way(
    "dealer-leads",
    "The dealer leads where the soloist must.",
    _dealer_led,
    house=but(solo_leader="soloist"),
    script=Script(dealer=0, soloist=1),
)
JOKER_NOT_HELD = Way(
    "joker-not-held", "A bomb with a joker that the seat does not hold.", _joker_not_held
)
FOLLOWED_OUT_OF_TURN = Way(
    "follow-out-of-turn", "A seat follows before the seat in turn has.", _followed_out_of_turn
)

# Types


def _lays(cards: str) -> Meddle:
    """Seat 0 leads these cards in the first trick."""

    def meddle(state: ClimbingState, fact: Fact) -> Fact | None:
        if type(state) is Playing and state.turn == 0 and not state.laid:
            return played(0, parse_cards(cards))
        return None

    return meddle


def _no_type(words: str, says: str, cards: str, house: House = PLAIN) -> Way:
    script = Script(holds=(cards, "", "", ""), dealer=0)
    return Way(words, says, _lays(cards), house=house, script=script)


NO_TYPES = (
    _no_type("straight", "Five neighbouring ranks, one card each.", "3s 4h 5d 6c 7s"),
    _no_type("no-cards", "A play without cards.", ""),
    _no_type("chain-with-2", "Pairs of A and 2.", "As Ah 2s 2d"),
    _no_type("joker-too-few", "Two triples, one card short of it.", "6s 6h 6c 7s Rj"),
    _no_type(
        "joker-in-yaobai",
        "Four of one rank, three of the next and a joker: 摇摆 has none.",
        "8s 8h 8c 8d 9s 9h 9c Bj",
    ),
    _no_type(
        "pair-of-jokers",
        "Two jokers at a table where only one may be played alone.",
        "Bj Rj",
        but(jokers_alone="single_only"),
    ),
    _no_type(
        "bomb-too-large",
        "A bomb of seven cards with a joker where six are the most.",
        "9s 9s 9h 9h 9c 9d Bj",
        but(wild_bomb_max_cards=6),
    ),
)
"""Cards that are no type, led by the dealer."""

# Declared readings


def _begins(words: str, says: str, *lays: Lay, house: House = PLAIN) -> Way:
    """A hand that begins with these plays, of which the last one is wrong."""
    return Way(words, says, house=house, script=Script(lays, dealer=lays[0].seat))


READINGS = (
    _begins("wrong-type", "A pair is declared a triple.", say(0, "9s Bj", "triple 9", "pair 9")),
    _begins(
        "wrong-rank",
        "连对 of 3 and 4 is declared to go up to 5.",
        say(0, "4s 4h 3d Rj", "pair_chain 5", "pair_chain 4"),
    ),
    _begins(
        "bomb-as-chain",
        "Two 3 and two jokers are declared 连对.",
        say(0, "3s 3h Bj Rj", "pair_chain 4", "bomb 3"),
    ),
    _begins(
        "wsk-with-a-rank",
        "正五十K is declared with a rank.",
        say(0, "5h Th Bj", "wsk_pure K", "wsk_pure"),
    ),
    _begins(
        "follow-declared-too-high",
        "A follow is declared a chain that it cannot be; it counts as what was asked for.",
        lay(0, "3s 3h 4s 4h 5s 5h", "pair_chain 5"),
        say(1, "7s 7h 8s 8h Bj Rj", "pair_chain K", "pair_chain 9"),
    ),
    _begins(
        "players-have-no-say",
        "Where the highest reading counts, a lower one is declared.",
        say(0, _SIXES_UP, "pair_chain 7", "triple_chain 7"),
        house=but(wild_reading="max_only"),
    ),
)
"""Declared readings that the cards do not have, or the table does not allow."""

# What is not greater

NOT_GREATER = (
    _begins(
        "equal-bomb",
        "Three 3 and a joker on four 3.",
        lay(0, "3s 3h 3c 3d", "bomb 3"),
        lay(1, "3s 3h 3c Bj", "bomb 3"),
    ),
    _begins(
        "seven-with-a-joker",
        "A bomb of eight cards with a joker on 7喜.",
        lay(0, "3s 3s 3h 3h 3c 3c 3d", "xi7 3"),
        lay(1, "9s 9s 9h 9h 9c 9c 9d Rj", "bomb 9"),
    ),
    _begins(
        "joker-on-a-four",
        "大王 alone is a 3, and is laid on a 4.",
        lay(0, "4s", "single 4"),
        lay(1, "Rj", "single 3"),
    ),
    _begins(
        "pair-on-single",
        "A card and a joker, a pair, on a single card.",
        lay(0, "4s", "single 4"),
        lay(1, "9s Rj", "pair 9"),
    ),
    _begins(
        "mixed-on-mixed",
        "杂五十K on 杂五十K.",
        lay(0, "5s Th Bj", "wsk_mixed"),
        lay(1, "5c Td Ks", "wsk_mixed"),
    ),
    _begins(
        "longer-chain",
        "连对 of three pairs on one of two.",
        lay(0, "3s 3h 4s 4h", "pair_chain 4"),
        lay(1, "6c 6d 7c 7d 8c 8h", "pair_chain 8"),
    ),
    _begins(
        "declared-too-low",
        "A chain is declared equal to the one on the table; it could be higher.",
        lay(0, "6c 6d 7c 7d 8c 8h", "pair_chain 8"),
        say(1, "7s 7h 8s 8h Bj Rj", "pair_chain 8"),
    ),
    _begins(
        "chain-on-declared-chain",
        "Read as 飞机 the cards on the table would be beaten; declared 连对 they are not.",
        say(0, _SIXES_UP, "pair_chain 8"),
        lay(1, "8s 8h 8c 9s 9h 9c", "triple_chain 9"),
    ),
    _begins(
        "yaobai-on-xi8",
        "摇摆 of ten cards on 8喜.",
        lay(0, "3d 3d 3c 3c 3h 3h 3s 3s", "xi8 3"),
        lay(1, "Js Js Jh Jh Jc Qs Qs Qh Qh Qc", "yaobai Q"),
    ),
    _begins(
        "larger-yaobai-of-eight",
        "摇摆 of eight cards on a lower one of nine.",
        lay(0, "3s 3s 3h 3h 3c 4s 4h 4c 4d", "yaobai 3"),
        lay(1, "Js Jh Jc Jd Qs Qh Qc Qd", "yaobai Q"),
    ),
)
"""Follows that do not beat the table."""

# The end


def _ended_solo(state: ClimbingState, fact: Fact) -> Fact | None:
    if type(state) is Playing and state.soloist >= 0 and state.trick == 3:
        return HandEnded(DT)
    return None


def _aborted_at_the_end(events: list[Event]) -> list[Event]:
    return [*events[:-1], HandAborted(DT, AbortReason.PLAYER_LEFT)]


ENDED_SOLO = Way(
    "ended-too-early",
    "A solo hand is ended in its third trick.",
    _ended_solo,
    script=Script(dealer=0, soloist=1),
)
PLAYED_ON_AFTER_EARLY = Way(
    "played-on-after-early-stop",
    "A card is laid after the hand has ended early.",
    played_on("early"),
    house=but(early_stop="public_105"),
)
ABORTED_WHEN_OVER = Way(
    "aborted-when-over",
    "A player leaves when the hand is over, and it is called aborted.",
    edit=_aborted_at_the_end,
)
