"""The clean samples: which hand shows what, and the seed that a search found for it."""

from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from replay.engine.climbing.states import Asking, AwaitingDraw, Over, Playing
from replay.engine.dagong.presets import DEFAULT, FAQ
from schema.cards import BLACK_JOKER
from schema.events import (
    ClimbingBonusKind,
    ClimbingResult,
    ClimbingSettled,
    Played,
    SoloAnswered,
    WindTaken,
)
from schema.options import DagongOptions
from tests.samples.forge import HandLog, Table

Shows = Callable[[HandLog], bool]


class Clean(NamedTuple):
    """A sample of `n_hands` hands, the last of which `shows` what the name says."""

    name: str
    says: str
    shows: Shows
    n_hands: int = 1
    options: DagongOptions = DEFAULT
    player: str = "greedy"


def clean_hands(sample: Clean, seed: int) -> list[HandLog]:
    """The hands that a seed gives."""
    table = Table(seed, sample.options, sample.player)
    return [table.hand() for _ in range(sample.n_hands)]


def settled(hand: HandLog) -> ClimbingSettled:
    """The settlement of a hand that was played out."""
    over = hand.moves[-1].after
    assert isinstance(over, Over)
    assert isinstance(over.settled, ClimbingSettled)
    return over.settled


def _ends(result: ClimbingResult) -> Shows:
    return lambda hand: settled(hand).result is result and not settled(hand).bonuses


def _pays(kind: ClimbingBonusKind) -> Shows:
    return lambda hand: [bonus.kind for bonus in settled(hand).bonuses] == [kind]


def _calls_joker(hand: HandLog) -> bool:
    return any(
        isinstance(move.after, Playing) and move.after.called >= BLACK_JOKER for move in hand.moves
    )


def _recalls(hand: HandLog) -> bool:
    """The first card dealt to the dealer was doubled, a later one became the call."""
    after = hand.moves[0].after
    return isinstance(after, Asking) and after.deal.hands[after.dealer][0] != after.called


def _calls_first(hand: HandLog) -> bool:
    after = hand.moves[0].after
    return isinstance(after, Asking) and after.deal.hands[after.dealer][0] == after.called


def _leads_solo(hand: HandLog) -> bool:
    """The soloist, not the dealer, leads the first trick."""
    lead = next(move for move in hand.moves if isinstance(move.fact, Played))
    return isinstance(lead.before, Playing) and lead.before.turn == lead.before.soloist != (
        lead.before.dealer
    )


def _runs_off(hand: HandLog) -> bool:
    return isinstance(hand.moves[0].after, AwaitingDraw)


def _takes_wind(revealed: bool) -> Shows:
    """接风 by the winner's partner once he is known, by the next seat before."""

    def shows(hand: HandLog) -> bool:
        return any(
            isinstance(claim, WindTaken)
            and isinstance(move.after, Playing)
            and move.after.is_revealed is revealed
            and (revealed or move.after.teams[claim.seat] != move.after.teams[move.after.places[0]])
            for move in hand.moves
            for claim in move.claims
        )

    return shows


def _ties(hand: HandLog) -> bool:
    won = settled(hand)
    return (
        won.result is ClimbingResult.POINTS and sum(won.final[seat] for seat in won.winners) == 100
    )


def _speaks_freely(hand: HandLog) -> bool:
    """Under free solo order: a seat goes solo before its turn would have come."""
    return any(
        isinstance(move.fact, SoloAnswered)
        and isinstance(move.before, Asking)
        and move.fact.seat != move.before.dealer
        for move in hand.moves
    )


def _is_contested(hand: HandLog) -> bool:
    """Under a contested last trick: it was beaten after the hand was decided."""
    return any(
        isinstance(move.before, Playing) and move.before.decided and isinstance(move.fact, Played)
        for move in hand.moves
    )


R, K = ClimbingResult, ClimbingBonusKind
CLEAN: tuple[Clean, ...] = (
    Clean("points", "Decided by points.", _ends(R.POINTS)),
    Clean("points-tie", "100 points each: the side that has 末游 loses.", _ties),
    Clean("qing", "清: one side has all 200 points.", _ends(R.QING)),
    Clean("bang", "绑: 一游 and 二游 on one side.", _ends(R.BANG)),
    Clean("guangtou", "光头: 绑 while the others have captured nothing.", _ends(R.GUANGTOU)),
    Clean("solo-won", "硬牌, won.", _ends(R.SOLO_WON)),
    Clean("solo-lost", "硬牌, lost.", _ends(R.SOLO_LOST)),
    Clean("tianzha", "天炸: all four jokers dealt to one seat.", _pays(K.TIANZHA)),
    Clean("xi8", "8喜: eight of a rank dealt to one seat.", _pays(K.XI8)),
    Clean("xi7", "7喜: seven of a rank dealt to one seat.", _pays(K.XI7)),
    Clean("called-joker", "A joker is the called card.", _calls_joker),
    Clean(
        "called-first-card", "Second hand: the dealer's first card is the call.", _calls_first, 2
    ),
    Clean(
        "called-again",
        "Second hand: the dealer's first card is doubled, a later one is called.",
        _recalls,
        2,
    ),
    Clean(
        "called-by-draw",
        "Second hand: every card that could be called is doubled; one is drawn.",
        _runs_off,
        2,
    ),
    Clean(
        "wind-to-partner", "接风 after 明鸡: the partner of the winner leads.", _takes_wind(True)
    ),
    Clean(
        "wind-to-next-seat",
        "接风 before 明鸡: the next seat leads, an opponent.",
        _takes_wind(False),
    ),
    Clean("option-faq", "Preset faq: every call is drawn.", lambda hand: True, 2, FAQ),
    Clean(
        "option-free-solo",
        "Any seat may go solo at any time, and one does.",
        _speaks_freely,
        1,
        replace(DEFAULT, solo_order="free"),
    ),
    Clean(
        "option-soloist-leads",
        "The soloist leads.",
        _leads_solo,
        1,
        replace(DEFAULT, solo_leader="soloist"),
    ),
    Clean(
        "option-contested-end",
        "The last trick is played out, and beaten.",
        _is_contested,
        1,
        replace(DEFAULT, final_trick="contest"),
    ),
    Clean(
        "option-pass-binds",
        "Who passes is out of the trick.",
        lambda hand: True,
        1,
        replace(DEFAULT, pass_binds="trick"),
    ),
    Clean(
        "random-players",
        "Players who lay anything they may.",
        lambda hand: True,
        1,
        DEFAULT,
        "random",
    ),
)
"""One log for every result, bonus, way of calling and taking wind, and some house rules."""
