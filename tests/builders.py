"""Hands, tables and logs for tests, built from as little as a test wants to say."""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from replay.engine.chaodipi import presets as chaodipi
from replay.engine.chibi_dagun import presets as chibi_dagun
from replay.engine.chibi_dagun.types import as_declared
from replay.engine.climbing.deal import friend_play, singles, solo_play
from replay.engine.climbing.game import ClimbingGame
from replay.engine.climbing.states import (
    Asking,
    AwaitingDeal,
    AwaitingDraw,
    AwaitingTurnUp,
    ClimbingState,
    Deal,
    Over,
    Playing,
)
from replay.engine.dagong import presets as dagong
from replay.engine.dagong.presets import DEFAULT
from replay.engine.gunzi import presets as gunzi
from replay.engine.mechanics.holding import EMPTY, pack, with_cards
from replay.engine.mechanics.seats import per_seat
from replay.engine.registry import game_named
from replay.engine.rule import Breach
from schema import FORMAT_MAJOR, FORMAT_MINOR
from schema.cards import ALL_CODES, N_FACES
from schema.events import (
    AbortReason,
    CallDrawn,
    ClimbingCarry,
    ClimbingOpening,
    Dealt,
    Event,
    Fact,
    HandAborted,
    HandEnded,
    HandStarted,
    Passed,
    Played,
    PlayedAs,
    SoloAnswered,
    TurnedUp,
)
from schema.livewriter import LiveWriter
from schema.options import DagongOptions, Options
from schema.records import ClaimsLevel, Head, Player
from schema.schemas import SCHEMAS, Schema

DECK = ALL_CODES * 2
FIRST = ClimbingCarry(1, None, (0, 0, 0, 0))
"""What a match opens with: no dealer, nobody has won anything."""
PLAYERS = (Player("jia", "甲"), Player("yi", "乙"), Player("bing", "丙"), Player("ding", "丁"))
RULES_VERSIONS = {
    "dagong": dagong.RULES_VERSION,
    "chibi_dagun": chibi_dagun.RULES_VERSION,
    "chaodipi": chaodipi.RULES_VERSION,
    "gunzi": gunzi.RULES_VERSION,
}
House = TypeVar("House", bound=Options)


def schema_of(options: Options) -> Schema:
    """The schema of the logs whose tables have such options."""
    return next(schema for schema in SCHEMAS.values() if isinstance(options, schema.options))


def game_for(options: Options) -> ClimbingGame:
    """A new game that is played by such options."""
    game = game_named(schema_of(options).game)
    assert isinstance(game, ClimbingGame)
    return game


def later(dealer: int, hand_no: int = 2) -> ClimbingCarry:
    """The carry of a hand that is not the first."""
    return ClimbingCarry(hand_no, dealer, (0, 0, 0, 0))


class Table(NamedTuple):
    """A partial hand in play: cards by seat, and who is who (seats, -1 = nobody)."""

    hands: tuple[bytes, bytes, bytes, bytes]
    dealer: int = 0
    partner: int = -1
    called: int = -1
    soloist: int = -1
    leader: int = 0
    places: tuple[int, ...] = ()
    captured: tuple[int, int, int, int] = (0, 0, 0, 0)
    is_revealed: bool = False


def playing(game: ClimbingGame, options: Options, table: Table) -> Playing:
    """The state in which `table.leader` leads a trick with these cards in the seats."""
    start = game.open(options, later(table.dealer))
    holdings = per_seat(with_cards(EMPTY, pack(cards, 2)) for cards in table.hands)
    deal = Deal(table.dealer, table.hands, holdings)
    asked = Asking(start.flow, start.carry, deal, table.dealer, table.called, table.partner, 0, ())
    state = friend_play(asked) if table.soloist < 0 else solo_play(asked, table.soloist)
    return replace(
        state,
        active=sum(1 << seat for seat in range(4) if seat not in table.places),
        turn=table.leader,
        captured=table.captured,
        places=table.places,
        is_revealed=table.is_revealed,
    )


def asking(game: ClimbingGame, options: Options, dealer: int, deck: bytes = DECK) -> Asking:
    """A later hand dealt and called: the seats are about to be asked for 硬牌.

    Where the system draws the call it draws the lowest face that the dealer holds once.
    """
    state: ClimbingState = game.open(options, later(dealer))
    breaches: list[Breach] = []
    state = game.apply(state, Dealt(0, dealer, deck), breaches)
    if isinstance(state, AwaitingDraw):
        state = game.apply(state, CallDrawn(0, singles(state.deal.hands[dealer])[0]), breaches)
    assert isinstance(state, Asking)
    assert not breaches
    return state


def shuffled(rng: random.Random, clump: float = 0.0) -> bytes:
    """A deck; the higher `clump` (0…1), the more of a rank, and of all jokers, one seat gets."""
    deck = list(DECK)
    rng.shuffle(deck)
    if clump:
        seat_of_rank = [rng.randrange(4) for _ in range(N_FACES // 4 + 1)]
        piles: list[list[int]] = [[], [], [], []]
        for card in deck:
            drift = rng.random() >= clump
            piles[rng.randrange(4) if drift else seat_of_rank[card >> 2]].append(card)
        _level(piles, rng)
        deck = [card for cards in zip(*piles, strict=True) for card in cards]
    return bytes(deck)


def _level(piles: list[list[int]], rng: random.Random) -> None:
    """27 cards a pile: what one has too many goes where there are too few."""
    spare = [card for pile in piles for card in pile[27:]]
    rng.shuffle(spare)
    for pile in piles:
        del pile[27:]
        while len(pile) < 27:
            pile.append(spare.pop())
        rng.shuffle(pile)


def chance(state: ClimbingState, rng: random.Random, deck: bytes) -> Fact | None:
    """The server's next fact where no player is to act; None where one is."""
    match state:
        case AwaitingDeal():
            start = state.carry.dealer
            return Dealt(0, rng.randrange(4) if start is None else start, deck)
        case AwaitingTurnUp():
            return TurnedUp(0, rng.randrange(len(DECK)))
        case AwaitingDraw():
            return CallDrawn(0, rng.choice(singles(state.deal.hands[state.dealer])))
        case Over():
            return HandEnded(0)
        case _:
            return None


class Style(NamedTuple):
    """How a hand is dealt and played: see `shuffled` for `clump`; `solo` is the probability that
    a seat goes solo when asked, `meek` each seat's of passing wherever it may, `said` that of a
    play to come with its reading, `aborted` that of a hand of a match to be aborted somewhere.
    """

    clump: float = 0.0
    solo: float = 0.1
    meek: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    said: float = 0.1
    aborted: float = 0.0


ANYHOW = Style()


def any_style(rng: random.Random) -> Style:
    """A style drawn so that rare results come up: one-sided hands, many equal cards, few solos."""
    meek = [rng.choice((0.0, 0.0, 0.3, 0.95)) for _ in range(4)]
    said = rng.choice((0.05, 0.3))
    return Style(rng.choice((0, 0.3, 0.6, 0.85)), 0.04, tuple(meek), said, aborted=0.05)


def choice(game: ClimbingGame, state: Asking | Playing, rng: random.Random, style: Style) -> Fact:
    """A legal fact of the seat in turn."""
    facts = list(game.plays(state))
    if isinstance(state, Asking):
        yes = [f for f in facts if isinstance(f, SoloAnswered) and f.yes]
        others = [f for f in facts if f not in yes]
        return rng.choice(yes if rng.random() < style.solo else others)
    if isinstance(facts[-1], Passed) and rng.random() < style.meek[state.turn]:
        return facts[-1]
    if PlayedAs not in SCHEMAS[game.schema_id].kinds or rng.random() >= style.said:
        return rng.choice(facts)
    fact = rng.choice([fact for fact in facts if isinstance(fact, PlayedAs)] or facts)
    return said_as_read(state, fact) if isinstance(fact, Played) else fact


def said_as_read(state: Playing, fact: Played) -> PlayedAs:
    """The play with the reading said that counts anyway."""
    play = state.flow.choose(state.flow.readings(fact.cards), state.table)
    return PlayedAs(fact.dt, fact.by, fact.seat, fact.cards, *as_declared(play))


class Told(NamedTuple):
    """One fact of a hand and the states around it."""

    before: ClimbingState
    fact: Fact
    after: ClimbingState


def told(
    game: ClimbingGame,
    options: Options,
    carry: ClimbingCarry,
    rng: random.Random,
    style: Style = ANYHOW,
) -> Iterator[Told]:
    """A legal hand by players who lay anything they may, fact by fact, HandEnded included."""
    state: ClimbingState = game.open(options, carry)
    deck = shuffled(rng, style.clump)
    fact: Fact | None = None
    while not isinstance(fact, HandEnded):
        fact = chance(state, rng, deck)
        if fact is None:
            assert isinstance(state, Asking | Playing)
            fact = choice(game, state, rng, style)
        breaches: list[Breach] = []
        after = game.apply(state, fact, breaches)
        assert not breaches
        yield Told(state, fact, after)
        state = after


def hand_events(
    game: ClimbingGame,
    options: Options,
    carry: ClimbingCarry,
    rng: random.Random,
    style: Style = ANYHOW,
) -> tuple[list[Event], ClimbingCarry]:
    """A legal hand with all its claims, and what the next one opens with."""
    events: list[Event] = [HandStarted(bytes(32), 0), ClimbingOpening(carry)]
    for before, fact, after in told(game, options, carry, rng, style):
        events += [fact, *game.due(before, fact, after)]
    return events, game.next_carry(after)


def match(
    options: Options, n_hands: int, rng: random.Random, style: Style = ANYHOW
) -> list[list[Event]]:
    """The events of a legal match's hands."""
    game, carry, hands = game_for(options), FIRST, []
    for _ in range(n_hands):
        events, after = hand_events(game, options, carry, rng, style)
        if rng.random() < style.aborted:
            events = aborted(rng, events)
        else:
            carry = after
        hands.append(events)
    return hands


def aborted(rng: random.Random, events: list[Event]) -> list[Event]:
    """The hand broken off before one of its facts; one that is over cannot be aborted."""
    facts = [i for i, event in enumerate(events[:-1]) if i > 1 and isinstance(event, Fact)]
    reason = rng.choice([reason for reason in AbortReason if reason != AbortReason.RECOVERED])
    return [*events[: rng.choice(facts)], HandAborted(0, reason)]


def head(options: Options = DEFAULT, claims: ClaimsLevel = "full") -> Head:
    """HEAD of a log of ours."""
    schema = schema_of(options)
    return Head(
        format_major=FORMAT_MAJOR,
        format_minor=FORMAT_MINOR,
        schema_id=schema.id,
        file_id=bytes(range(16)),
        created=0,
        rules_version=RULES_VERSIONS[schema.game],
        options=options,
        players=PLAYERS,
        claims=claims,
        producer="tests",
        previous=b"",
    )


def live_log(hands: Sequence[Sequence[Event]], head: Head) -> bytes:
    """The live log of these hands, chained and framed as a server writes it."""
    writer = LiveWriter(head)
    return writer.start() + b"".join(writer.event(event) for hand in hands for event in hand)


def random_options(rng: random.Random) -> DagongOptions:
    """A table of 打拱 with every house rule drawn at random."""
    return any_options(rng, DEFAULT)


def any_options(rng: random.Random, preset: House) -> House:
    """The preset with every house rule drawn at random; but none limits a match's hands."""
    fields = msgspec.inspect.type_info(type(preset))
    assert isinstance(fields, msgspec.inspect.StructType)
    drawn = {field.name: _any_value(rng, field.type) for field in fields.fields}
    endless = {"hands_per_match": 0} if "hands_per_match" in drawn else {}
    return replace(preset, **drawn | endless)


def _any_value(rng: random.Random, kind: msgspec.inspect.Type) -> str | int:
    """Any of the words; any number, but a large one seldom and an enormous one never."""
    if isinstance(kind, msgspec.inspect.LiteralType):
        word = rng.choice(kind.values)
        assert word is not None
        return word
    assert isinstance(kind, msgspec.inspect.IntType)
    assert kind.ge is not None
    assert kind.le is not None
    most = min(kind.le, kind.ge + rng.choice((3, 3, 12, 99)))
    return rng.randint(kind.ge, most)
