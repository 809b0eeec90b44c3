"""What a log of 炒地皮 says, told to the oracle; a state of the engine in the oracle's words."""

from replay.engine.chaodipi.states import (
    AwaitingDeal,
    Burying,
    ChaodipiState,
    Declaring,
    Over,
    Playing,
    Stirring,
    setting_of,
)
from replay.engine.mechanics.holding import unpack
from schema.chaodipi import (
    BottomShown,
    BottomTaken,
    BottomTurned,
    Buried,
    ChaodipiCarry,
    ChaodipiSettled,
    Declared,
    DeclaringClosed,
    Escaped,
    StirPassed,
    Stirred,
    ThrowJudged,
    TrumpSet,
)
from schema.events import Dealt, Event, Fact, HandEnded, Played, TrickWon
from schema.trumps import Named
from tests.oracle_chaodipi import Blocked, Carry, Claim, Hand, copied
from tests.oracle_chaodipi_cards import TRUMPS, faces
from tests.oracle_chaodipi_score import LADDER


def carry_of(carry: ChaodipiCarry) -> Carry:
    """What a hand opens with, as the oracle writes it."""
    levels = LADDER[carry.levels[0]], LADDER[carry.levels[1]]
    return carry.hand_no, carry.dealer, levels, carry.failures, tuple(carry.scores), carry.is_over


def claim_of(claim: Event) -> Claim:
    """A claim as the oracle writes it."""
    match claim:
        case TrumpSet():
            return ("trump", TRUMPS[claim.trump], claim.rung)
        case BottomShown():
            return ("bottom", tuple(faces(claim.cards)))
        case BottomTaken():
            return ("taken", claim.seat, tuple(faces(claim.cards)))
        case ThrowJudged():
            return ("throw", tuple(sorted(faces(claim.led))), claim.beaten_by)
        case TrickWon():
            return ("trick", claim.seat, claim.points)
        case ChaodipiSettled():
            return (
                "settled",
                *(claim.tricks, claim.bottom, claim.factor, claim.penalty, claim.score),
                *(claim.result.name, claim.effect.name, claim.risen, tuple(claim.deltas)),
                carry_of(claim.next),
            )
        case _:
            raise AssertionError(f"no claim of the oracle's: {claim}")


def _named(named: Named) -> str | None:
    return None if named is Named.NOTHING else TRUMPS[named]


def tell(hand: Hand, fact: Fact) -> set[str]:
    """Tell the oracle a fact: the clauses it breaks; Blocked."""
    match fact:
        case Played():
            return hand.play(fact.seat, faces(fact.cards))
        case Dealt():
            return hand.deal(fact.start, faces(fact.cards))
        case Escaped():
            return hand.escape(fact.seat)
        case HandEnded():
            return hand.end()
        case _:
            return _tell_before_play(hand, fact)


def _tell_before_play(hand: Hand, fact: Fact) -> set[str]:
    match fact:
        case Declared():
            return hand.declare(fact.seat, faces(fact.cards), _named(fact.named), fact.after)
        case BottomTurned():
            return hand.turn_bottom()
        case DeclaringClosed():
            return hand.close()
        case Buried():
            return hand.bury(fact.seat, faces(fact.cards))
        case StirPassed():
            return hand.pass_stir(fact.seat)
        case Stirred():
            return hand.stir(fact.seat, faces(fact.cards), _named(fact.named))
        case _:
            raise AssertionError(f"no fact of the oracle's: {fact}")


def heard(hand: Hand, fact: Fact) -> tuple[Hand | None, set[str]]:
    """The hand after the fact and what that breaks; None and the clause if it blocks."""
    twin = copied(hand)
    try:
        return twin, tell(twin, fact)
    except Blocked as blocked:
        return None, {blocked.clause}


def seen_by_oracle(hand: Hand) -> object:
    """All that both must agree on between two facts."""
    words: dict[str, object] = {"asked": (), "buried": None, "play": None}
    if hand.phase == "stir":
        words |= {"asked": tuple(hand.asked), "buried": hand.buried_by}
    if hand.phase == "bury":
        words |= {"asked": (hand.taker,)}
    if hand.phase == "play":
        on_table = tuple(tuple(sorted(cards)) for cards in hand.plays)
        rest = (tuple(hand.captured), hand.penalty, hand.trick)
        words |= {"buried": hand.buried_by, "play": (hand.turn, hand.leader, on_table, *rest)}
    known = (hand.dealer, hand.trump, hand.rung, hand.is_turned, hand.red_fives)
    cards = [sorted(held) for held in hand.hands]
    is_dealt = hand.phase not in ("deal", "over")
    return (hand.phase, (known, cards, tuple(hand.bottom), words) if is_dealt else None)


def _hands(state: Declaring | Burying | Stirring | Playing) -> list[list[str]]:
    packed = state.setting.deal.holdings if isinstance(state, Declaring) else state.holdings
    return [sorted(faces(unpack(held))) for held in packed]


def seen_by_engine(state: ChaodipiState) -> object:
    """The same of a state of the engine."""
    if isinstance(state, AwaitingDeal | Over):
        return ("deal" if isinstance(state, AwaitingDeal) else "over", None)
    setting = setting_of(state)
    assert setting is not None
    words: dict[str, object] = {"asked": (), "buried": None, "play": None}
    match state:
        case Declaring():
            phase, bottom = "declare", setting.deal.bottom
        case Burying():
            phase, bottom, words["asked"] = "bury", state.taken, (state.seat,)
        case Stirring():
            phase, bottom = "stir", state.bottom
            words |= {"asked": state.asked, "buried": state.burier}
        case Playing():
            phase, bottom = "play", state.bottom
            on_table = tuple(tuple(sorted(faces(cards))) for cards in state.plays)
            rest = (state.captured, state.penalty, state.trick)
            words["buried"] = None if state.burier < 0 else state.burier
            words["play"] = (state.turn, state.leader, on_table, *rest)
    dealer = None if setting.dealer < 0 else setting.dealer
    trump = "" if setting.trump < 0 else TRUMPS[setting.trump]
    known = (dealer, trump, setting.rung, setting.is_turned, setting.has_red_fives)
    return (phase, (known, _hands(state), tuple(faces(bottom)), words))
