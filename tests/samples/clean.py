"""What clean samples of the climbing games show, and the hands that a seed gives them."""

from replay.engine.climbing.states import Asking, AwaitingDraw, Over, Playing
from schema.cards import BLACK_JOKER
from schema.events import (
    AnyPlay,
    ClimbingBonusKind,
    ClimbingResult,
    ClimbingSettled,
    WindTaken,
)
from tests.samples.forge import HandLog, Table
from tests.samples.scripts import is_played, steering
from tests.samples.sorts import Clean, Shows, but


def clean_hands(game: str, sample: Clean, seed: int) -> list[HandLog]:
    """The hands that a seed gives."""
    table = Table(game, seed, sample.house.options(game), sample.player)
    hands = [table.hand() for _ in range(sample.n_hands - 1)]
    return [*hands, table.hand(lie=sample.lie, steer=steering(sample.script))]


def is_shown(sample: Clean, hand: HandLog) -> bool:
    """Whether the last hand is the kind of hand that the name promises."""
    return is_played(sample.script, hand) and sample.shows(hand)


def settled(hand: HandLog) -> ClimbingSettled:
    """The settlement of a hand that was played out."""
    over = hand.moves[-1].after
    assert isinstance(over, Over)
    assert isinstance(over.settled, ClimbingSettled)
    return over.settled


def ends(result: ClimbingResult) -> Shows:
    """A result, and no bonus beside it."""
    return lambda hand: settled(hand).result is result and not settled(hand).bonuses


def pays(*kinds: ClimbingBonusKind) -> Shows:
    """Just these bonuses, by seat."""
    return lambda hand: tuple(bonus.kind for bonus in settled(hand).bonuses) == kinds


def calls_joker(hand: HandLog) -> bool:
    """A joker is the called card."""
    return any(
        isinstance(move.after, Playing) and move.after.called >= BLACK_JOKER for move in hand.moves
    )


def recalls(hand: HandLog) -> bool:
    """The first card dealt to the dealer was doubled, a later one became the call."""
    after = hand.moves[0].after
    return isinstance(after, Asking) and after.deal.hands[after.dealer][0] != after.called


def calls_first(hand: HandLog) -> bool:
    """The first card dealt to the dealer is the call."""
    after = hand.moves[0].after
    return isinstance(after, Asking) and after.deal.hands[after.dealer][0] == after.called


def leads_solo(hand: HandLog) -> bool:
    """The soloist, not the dealer, leads the first trick."""
    lead = next(move for move in hand.moves if isinstance(move.fact, AnyPlay))
    return isinstance(lead.before, Playing) and lead.before.turn == lead.before.soloist != (
        lead.before.dealer
    )


def runs_off(hand: HandLog) -> bool:
    """The deal gives no call."""
    return isinstance(hand.moves[0].after, AwaitingDraw)


def takes_wind(revealed: bool) -> Shows:
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


def ties(hand: HandLog) -> bool:
    """100 points to each side."""
    won = settled(hand)
    return (
        won.result is ClimbingResult.POINTS and sum(won.final[seat] for seat in won.winners) == 100
    )


def is_contested(hand: HandLog) -> bool:
    """Under a contested last trick: it was beaten after the hand was decided."""
    return any(
        isinstance(move.before, Playing) and move.before.decided and isinstance(move.fact, AnyPlay)
        for move in hand.moves
    )


R, K = ClimbingResult, ClimbingBonusKind
RESULTS: tuple[Clean, ...] = (
    Clean("points", "Decided by points.", ends(R.POINTS)),
    Clean("points-tie", "100 points each: the side that has 末游 loses.", ties),
    Clean("qing", "清: one side has all 200 points.", ends(R.QING)),
    Clean("bang", "绑: 一游 and 二游 on one side.", ends(R.BANG)),
    Clean("guangtou", "光头: 绑 while the others have captured nothing.", ends(R.GUANGTOU)),
)
SOLO: tuple[Clean, ...] = (
    Clean("solo-won", "硬牌, won.", ends(R.SOLO_WON)),
    Clean("solo-lost", "硬牌, lost.", ends(R.SOLO_LOST)),
)
TIANZHA = Clean("tianzha", "天炸: all four jokers dealt to one seat.", pays(K.TIANZHA))
XI8 = Clean("xi8", "8喜: eight of a rank dealt to one seat.", pays(K.XI8))
XI7 = Clean("xi7", "7喜: seven of a rank dealt to one seat.", pays(K.XI7))
CALLED_JOKER = Clean("called-joker", "A joker is the called card.", calls_joker)
CALLS: tuple[Clean, ...] = (
    Clean("called-first-card", "Second hand: the dealer's first card is the call.", calls_first, 2),
    Clean(
        "called-again",
        "Second hand: the dealer's first card is doubled, a later one is called.",
        recalls,
        2,
    ),
)
CALLED_BY_DRAW = Clean(
    "called-by-draw",
    "Second hand: every card that could be called is doubled; one is drawn.",
    runs_off,
    2,
)
WIND: tuple[Clean, ...] = (
    Clean("wind-to-partner", "接风 after 明鸡: the partner of the winner leads.", takes_wind(True)),
    Clean(
        "wind-to-next-seat",
        "接风 before 明鸡: the next seat leads, an opponent.",
        takes_wind(False),
    ),
)
SOLOIST_LEADS = Clean(
    "option-soloist-leads", "The soloist leads.", leads_solo, 1, but(solo_leader="soloist")
)
CONTESTED = Clean(
    "option-contested-end",
    "The last trick is played out, and beaten.",
    is_contested,
    1,
    but(final_trick="contest"),
)
PASS_BINDS = Clean(
    "option-pass-binds", "Who passes is out of the trick.", house=but(pass_binds="trick")
)
RANDOM_PLAYERS = Clean("random-players", "Players who lay anything they may.", player="random")
