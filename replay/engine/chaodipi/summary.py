"""What the archive keeps of a 炒地皮 hand, derived from any of its states."""

from msgspec.structs import replace

from replay.engine.chaodipi.order import LEVELS, NO_TRUMP
from replay.engine.chaodipi.shapes import Shape, shape
from replay.engine.chaodipi.states import (
    UNKNOWN,
    AwaitingDeal,
    Burying,
    ChaodipiState,
    Declaring,
    Over,
    PerSeat,
    Playing,
    Show,
    Stirring,
    carry_in,
    setting_of,
    side,
)
from replay.engine.facts import (
    BurialFacts,
    HandFacts,
    Note,
    PlayFacts,
    SeatFacts,
    ShowFacts,
    ThrowFacts,
    TrumpFacts,
)
from replay.engine.mechanics.holding import size, unpack
from replay.engine.mechanics.seats import side_role
from schema.cards import RANKS, SUITS
from schema.chaodipi import (
    Buried,
    ChaodipiResult,
    ChaodipiSettled,
    Declared,
    Stirred,
    ThrowJudged,
)
from schema.events import Event, Played
from schema.trumps import Named

NO_TYPE = PlayFacts("none", 1, None, False, "", False)


def play_facts(lead: Shape | None, cards: bytes, several: str) -> PlayFacts:
    """A play as the archive names it; `several` parts are a throw or, as an answer, mixed."""
    kind = "mixed" if lead is None else kind_word(lead)
    if lead is None or (kind == "throw" and several != kind):
        return PlayFacts("mixed", len(cards), None, False, "", False)
    rank = RANKS[cards[0] >> 2] if kind in ("single", "pair") and cards[0] < 52 else None
    size_of = lead.parts[0].pairs if kind == "tractor" else len(cards) if kind == "throw" else 1
    return PlayFacts(kind, size_of, rank, False, "", False)


def kind_word(lead: Shape) -> str:
    """single, pair, tractor, wsk or throw."""
    if lead.is_wsk:
        return "wsk"
    if len(lead.parts) > 1:
        return "throw"
    return ("single", "pair")[lead.parts[0].pairs] if lead.parts[0].pairs < 2 else "tractor"


def is_answer(state: ChaodipiState, seat: int, cards: bytes) -> bool:
    """Whether cards answer a lead: in the state after them, or before them where that is none."""
    play = play_of(state)
    if play is None:
        return False
    if len(play.plays) == 1 and play.leader == seat:
        return False
    return play.lead is not None or play.latest == (seat, cards)


def shape_in(state: ChaodipiState, cards: bytes) -> Shape | None:
    """The shape of cards in the context of a state; None before play, and of mixed cards."""
    play = play_of(state)
    return shape(play.context, cards) if play and cards else None


def play_of(state: ChaodipiState) -> Playing | None:
    """The table, once play has begun."""
    if isinstance(state, Over):
        return play_of(state.before)
    return state if isinstance(state, Playing) else None


def holdings_of(state: ChaodipiState) -> PerSeat | None:
    """What the seats hold; None before the deal."""
    match state:
        case AwaitingDeal():
            return None
        case Over():
            return holdings_of(state.before)
        case Burying() | Stirring() | Playing():
            return state.holdings
        case _:
            return state.setting.deal.holdings


def settled_of(state: ChaodipiState) -> ChaodipiSettled | None:
    """The settlement as derived, once the hand is over."""
    return state.settled if isinstance(state, Over) else None


def hand_facts(state: ChaodipiState) -> HandFacts:
    """The hand as derived up to this state."""
    setting, settled = setting_of(state), settled_of(state)
    dealer = setting.dealer if setting and setting.dealer != UNKNOWN else None
    return HandFacts(
        hand_no=carry_in(state).hand_no,
        dealer=dealer,
        called=None,
        partner=None if dealer is None else (dealer + 2) % 4,
        mode=None if setting is None else "flag" if setting.is_flag else "level",
        soloist=None,
        result=settled.result.name.lower() if settled else None,
        fan=None,
        winners=_winners(dealer, settled),
        seats=(
            _seat(state, 0, dealer),
            _seat(state, 1, dealer),
            _seat(state, 2, dealer),
            _seat(state, 3, dealer),
        ),
        trump=_trump_facts(state),
    )


def _trump_facts(state: ChaodipiState) -> TrumpFacts | None:
    setting, settled = setting_of(state), settled_of(state)
    if setting is None:
        return None
    known = TrumpFacts(
        level=level_word(setting.level),
        trump=None if setting.trump == UNKNOWN else trump_word(setting.trump),
        rung=setting.rung,
        declarer=None if setting.declarer == UNKNOWN else setting.declarer,
        dealer_side=None if setting.dealer == UNKNOWN else side(setting.dealer),
    )
    if settled is None or settled.result is ChaodipiResult.ESCAPED:
        return known
    return replace(
        known,
        score=settled.score,
        trick_points=settled.tricks,
        bottom_points=settled.bottom,
        factor=settled.factor,
        penalty=settled.penalty,
        effect=settled.effect.name.lower(),
        risen=settled.risen,
    )


def trump_word(trump: int) -> str:
    """A trump suit in notation: d c h s, or none."""
    return "none" if trump == NO_TRUMP else SUITS[trump]


def notes(before: ChaodipiState | None, event: Event, after: ChaodipiState) -> tuple[Note, ...]:
    """The show, the burial or the throw that an event is; none in most events."""
    match event, after:
        case Declared() | Stirred(), Declaring() | Burying():
            return (_show(event, after.shows[-1]),)
        case Buried(), Stirring() | Playing() if isinstance(before, Burying):
            return (BurialFacts(event.seat, before.taken, event.cards),)
        case Played() | ThrowJudged(), Playing() if after.attempted and after.lead:
            led, beaten_by = after.lead.cards, after.beaten_by
            return (ThrowFacts(after.leader, after.attempted, led, beaten_by),)
        case _:
            return ()


def _show(event: Declared | Stirred, show: Show) -> ShowFacts:
    return ShowFacts(
        kind="declared" if isinstance(event, Declared) else "stirred",
        seat=show.seat,
        cards=show.cards,
        rung=show.rung,
        named=None if event.named is Named.NOTHING else trump_word(int(event.named)),
        trump=trump_word(show.trump),
        after=event.after if isinstance(event, Declared) else None,
    )


def _winners(dealer: int | None, settled: ChaodipiSettled | None) -> tuple[int, ...]:
    if settled is None or dealer is None or settled.result is ChaodipiResult.ESCAPED:
        return ()
    team = side(dealer) if settled.result is not ChaodipiResult.TAKEN else 1 - side(dealer)
    return tuple(seat for seat in range(4) if side(seat) == team)


def _seat(state: ChaodipiState, seat: int, dealer: int | None) -> SeatFacts:
    setting, settled, play = setting_of(state), settled_of(state), play_of(state)
    holdings, carry = holdings_of(state), carry_in(state)
    winners = _winners(dealer, settled)
    return SeatFacts(
        role=side_role(seat, dealer),
        side=None if dealer is None else (side(seat) - side(dealer)) % 2,
        dealt=setting.deal.hands[seat] if setting else b"",
        left=size(holdings[seat]) if holdings else 0,
        place=None,
        captured=play.captured[seat] if play else None,
        final=None,
        bonus=None,
        delta=settled.deltas[seat] if settled else None,
        balance_before=carry.scores[seat],
        balance_after=settled.next.scores[seat] if settled else None,
        won=seat in winners if winners else None,
        level_before=level_word(carry.levels[side(seat)]),
        level_after=level_word(settled.next.levels[side(seat)]) if settled else None,
    )


def level_word(level: int) -> str:
    """A level as the log of a table shows it: 2 … A, F for 扛旗."""
    return LEVELS[level]


def cards_of(state: ChaodipiState, seat: int) -> bytes:
    """What a seat holds; nothing before the deal."""
    holdings = holdings_of(state)
    return unpack(holdings[seat]) if holdings else b""
