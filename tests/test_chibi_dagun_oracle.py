"""The engine against a second, slow 赤壁打滚 that was written from the source text alone."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args, get_origin, get_type_hints

import pytest
from msgspec.structs import replace

from replay.engine.chibi_dagun.game import ChibiDagun
from replay.engine.chibi_dagun.presets import DEFAULT, FIRST_CARRY, PUBLIC_SERVER
from replay.engine.chibi_dagun.rules import R
from replay.engine.chibi_dagun.settlement import settle
from replay.engine.chibi_dagun.types import Types, choose
from replay.engine.climbing.states import ClimbingState, Ended, Over, Playing
from replay.engine.mechanics.holding import EMPTY, pack_dealt, unpack, with_cards
from replay.engine.mechanics.plays import Play
from replay.engine.mechanics.plays import beats as engine_beats
from replay.engine.mechanics.seats import per_seat
from replay.engine.rule import Breach, Rule, RuleViolation
from schema.cards import SUITS, parse_cards
from schema.events import (
    By,
    CallDrawn,
    ClimbingCarry,
    ClimbingResult,
    ClimbingSettled,
    Dealt,
    Fact,
    HandEnded,
    Passed,
    Played,
    PlayedAs,
    PlayKind,
    PlayRank,
    SoloAnswered,
    TurnedUp,
)
from schema.options import ChibiDagunOptions
from tests.builders import DECK, shuffled
from tests.oracle_chibi_dagun import Hand, singles
from tests.oracle_chibi_log import declared_by, heard, tell
from tests.oracle_chibi_moves import move, some_cards
from tests.oracle_chibi_types import FACES, JOKERS, RANKS, Reading, beats, chosen, readings, worth
from tests.oracle_log import carry_of, claim_of, faces

CHUNKS = 10
HANDS = 150
"""Hands in each chunk: 1,500 hands in all."""
FANS = [name for name in ChibiDagunOptions.__struct_fields__ if name.endswith(("_fan", "_each"))]
WORDS = {
    name: get_args(hint)
    for name, hint in get_type_hints(ChibiDagunOptions).items()
    if get_origin(hint) is Literal
}
"""The options that are one of several words."""


def _house(rng: random.Random) -> ChibiDagunOptions:
    """A table whose house rules are a preset's, but for some drawn at random."""
    share = rng.choice((0.2, 0.5, 1.0))
    drawn: dict[str, object] = {name: rng.randrange(6) for name in FANS}
    drawn |= {name: rng.choice(words) for name, words in WORDS.items()}
    drawn["base"] = rng.choice((1, 7, 100))
    drawn["min_naturals_in_bomb"] = rng.choice((1, 1, 2, 3, 8))
    drawn["wild_bomb_max_cards"] = rng.choice((12, 12, 9, 5, 3))
    drawn["yaobai_max_ranks"] = rng.choice((0, 0, 2, 3, 1))
    kept = {name: value for name, value in drawn.items() if rng.random() < share}
    return replace(rng.choice((DEFAULT, PUBLIC_SERVER)), **kept)


def _carry(rng: random.Random) -> ClimbingCarry:
    dealer = rng.choice((None, 0, 1, 2, 3))
    if dealer is None:
        return FIRST_CARRY
    return ClimbingCarry(rng.randrange(2, 9), dealer, (5, -5, 0, 0))


class Told(NamedTuple):
    """A fact, the state before and after it, and the oracle's hand, which has not heard it yet."""

    before: ClimbingState
    fact: Fact
    after: ClimbingState
    hand: Hand


def _told(rng: random.Random, game: ChibiDagun, house: ChibiDagunOptions) -> Iterator[Told]:
    """A legal hand, fact by fact; the oracle must be told each one by the caller."""
    carry = _carry(rng)
    state: ClimbingState = game.open(house, carry)
    hand = Hand(house, carry_of(carry))
    deck = shuffled(rng, rng.choice((0, 0.3, 0.6, 0.85)))
    meek = [rng.choice((0.0, 0.0, 0.3, 0.95)) for _ in range(4)]
    fact: Fact | None = None
    while not isinstance(fact, HandEnded):
        fact = _next_fact(rng, game, state, hand, deck, meek)
        breaches: list[Breach] = []
        after = game.apply(state, fact, breaches)
        assert not breaches, (house, hand.table, fact, breaches)
        yield Told(state, fact, after, hand)
        state = after


def _next_fact(
    rng: random.Random,
    game: ChibiDagun,
    state: ClimbingState,
    hand: Hand,
    deck: bytes,
    meek: list[float],
) -> Fact:
    """What may come next, as the oracle sees it; some plays are taken from the engine's list."""
    if hand.phase == "deal":
        return Dealt(0, rng.randrange(4) if hand.dealer is None else hand.dealer, deck)
    if hand.phase == "turn up":
        return TurnedUp(0, rng.randrange(len(DECK)))
    if hand.phase == "draw":
        assert hand.dealer is not None
        (card,) = parse_cards(rng.choice(singles(hand.dealt[hand.dealer])))
        return CallDrawn(0, card)
    if hand.phase == "ask":
        assert hand.dealer is not None
        seat = (hand.dealer + hand.answers) % 4
        return SoloAnswered(0, By.PLAYER, seat, rng.random() < 0.04)
    if hand.phase == "over":
        return HandEnded(0)
    if hand.table is not None and rng.random() < meek[hand.turn]:
        return Passed(0, By.PLAYER, hand.turn)
    return rng.choice(list(game.plays(state))) if rng.random() < 0.2 else move(rng, hand)


def _seated(state: ClimbingState, seat: int) -> object:
    """What both sides must agree on while tricks are played, the engine's view of it."""
    play = state.play if isinstance(state, Over) else state
    if not isinstance(play, Playing):
        return type(state).__name__
    places = state.places if isinstance(state, Over) else play.places
    held = sorted(faces(unpack(play.holdings[seat])))
    moving = None if isinstance(state, Over) else (play.turn, play.table and _named(play.table))
    return (moving, held, play.left, play.captured, places, play.is_revealed)


def _oracle_seated(hand: Hand, seat: int) -> object:
    if hand.phase not in ("play", "over"):
        words = {"draw": "AwaitingDraw", "turn up": "AwaitingTurnUp", "ask": "Asking"}
        return words.get(hand.phase, "AwaitingDeal")
    left = tuple(map(len, hand.hands))
    moving = None if hand.phase == "over" else (hand.turn, hand.table and _as_named(hand.table))
    shown = (tuple(hand.captured), tuple(hand.places), hand.revealed)
    return (moving, sorted(hand.hands[seat]), left, *shown)


def _named(play: Play) -> tuple[str, int, int]:
    return play.kind, play.size, play.rank


def _as_named(what: Reading) -> tuple[str, int, int]:
    """A reading of the oracle's as the engine names it."""
    width = {"pair_chain": 2, "triple_chain": 3, "single": 1, "pair": 2, "triple": 3}
    size = what.n // width.get(what.kind, 1)
    if what.kind == "tianzha":
        return "tianzha", size, len(RANKS)
    if what.kind.startswith("wsk"):
        return what.kind, size, SUITS.index(what.suit) if what.suit else 0
    return what.kind, size, RANKS.index(what.rank)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_engine_and_oracle_tell_the_same_hand(chunk: int) -> None:
    """Under any options, states and claims of a legal hand agree after every single fact."""
    rng = random.Random(f"agree {chunk}")
    ends: Counter[str] = Counter()
    for _ in range(HANDS):
        game, house = ChibiDagun(), _house(rng)
        for before, fact, after, hand in _told(rng, game, house):
            tell(hand, fact)
            assert [*map(claim_of, game.due(before, fact, after))] == hand.due, (house, fact)
            seat = getattr(fact, "seat", 0)
            assert _seated(after, seat) == _oracle_seated(hand, seat), (house, fact)
        assert carry_of(game.next_carry(after)) == hand.carry
        assert isinstance(after, Over)
        assert after.end == hand.decided
        ends[after.end] += 1
    assert ends.keys() == {"normal", "bang", "solo", "early"}


def _tried(
    game: ChibiDagun, state: ClimbingState, fact: Fact
) -> tuple[ClimbingState | None, list[Rule]]:
    """The engine's state after a fact, None if it blocks, and the rules that it breaks."""
    breaches: list[Breach] = []
    try:
        after = game.apply(state, fact, breaches)
    except RuleViolation as violation:
        return None, [violation.breach.rule]
    return after, [breach.rule for breach in breaches]


def _attempt(rng: random.Random, hand: Hand) -> Fact:
    """Any fact whatever; plays are mostly of cards that the seat holds and that look alike."""
    seat = hand.turn if hand.phase == "play" and rng.random() < 0.9 else rng.randrange(4)
    others: tuple[Fact, ...] = (
        Dealt(0, seat, DECK),
        TurnedUp(0, rng.randrange(len(DECK))),
        CallDrawn(0, rng.randrange(54)),
        SoloAnswered(0, By.PLAYER, rng.randrange(4), rng.random() < 0.5),
        HandEnded(0),
        Passed(0, By.PLAYER, seat),
    )
    if rng.random() < 0.3:
        return rng.choice(others)
    held = hand.hands[seat] or faces(DECK)
    cards = parse_cards(" ".join(some_cards(rng, held)))
    if rng.random() < 0.05:
        cards += bytes([rng.randrange(54)])
    if rng.random() < 0.5:
        return Played(0, By.PLAYER, seat, cards)
    kind, rank = rng.choice(list(PlayKind)), rng.choice(list(PlayRank))
    found = readings(faces(cards), hand.house)
    if found and rng.random() < 0.8:
        what = rng.choice(found)
        kind = PlayKind[what.kind.upper()]
        rank = PlayRank(RANKS.index(what.rank)) if what.rank else PlayRank.NONE
        if rng.random() < 0.3:
            rank = rng.choice(list(PlayRank))
    return PlayedAs(0, By.PLAYER, seat, cards, kind, rank)


def _has_wilds(hand: Hand) -> bool:
    return sum(card in JOKERS for card in hand.hands[hand.turn]) > 1


def test_engine_and_oracle_refuse_the_same_attempts() -> None:
    """Whatever is tried whenever, both find fault with the same; a false reading does not count."""
    rng = random.Random("attempts")
    tried: Counter[str] = Counter()
    for _ in range(70):
        game, house = ChibiDagun(), _house(rng)
        for before, fact, _after, hand in _told(rng, game, house):
            # most sets of cards that can be several things are only good as a lead
            many = hand.phase == "play" and hand.table is None and _has_wilds(hand)
            for _ in range(12 if many else 3):
                attempt = _attempt(rng, hand)
                after, broken = _tried(game, before, attempt)
                heard_so = heard(hand, attempt)
                assert (heard_so is None) == bool(broken), (house, hand.table, attempt, broken)
                tried["refused" if broken else "allowed"] += 1
                if broken == [R.READING]:
                    assert isinstance(attempt, PlayedAs)
                    seat, cards = attempt.seat, attempt.cards
                    plain = heard(hand, Played(0, By.PLAYER, seat, cards))
                    assert plain is not None, (house, hand.table, attempt)
                    assert after is not None
                    assert _seated(after, seat) == _oracle_seated(plain, seat), (house, attempt)
                    tried["misread"] += 1
            tell(hand, fact)
    assert min(tried["refused"], tried["allowed"]) > 2000
    assert tried["misread"] > 50


def _meant(hand: Hand, fact: Fact) -> tuple[int, Reading, list[str]]:
    """A play but for the choice of cards: its jokers and what it counts as; of 摇摆 the ranks."""
    assert isinstance(fact, Played | PlayedAs)
    cards = faces(fact.cards)
    what = hand.read(fact.seat, cards, declared_by(fact) if isinstance(fact, PlayedAs) else None)
    ranks = sorted(card[0] for card in cards) if what.kind == "yaobai" else []
    return sum(card in JOKERS for card in cards), what, ranks


def test_engine_lists_every_play_that_the_oracle_allows() -> None:
    """What is drawn at random among legal plays is, but for suits, one of those that are listed."""
    rng = random.Random("listed")
    found: Counter[str] = Counter()
    for _ in range(40):
        game, house = ChibiDagun(), _house(rng)
        for before, fact, _after, hand in _told(rng, game, house):
            ours = move(rng, hand) if isinstance(before, Playing) else None
            if isinstance(ours, Played | PlayedAs):
                plays = [play for play in game.plays(before) if not isinstance(play, Passed)]
                listed = [_meant(hand, play) for play in plays]
                assert all(listed.count(one) == 1 for one in listed), (house, hand.table, plays)
                meant = _meant(hand, ours)
                assert meant in listed, (house, hand.table, ours)
                found["wild" if meant[0] else "natural"] += 1
            tell(hand, fact)
    assert found["wild"] > 50
    assert found["natural"] > 500


def test_engine_and_oracle_read_the_same_cards() -> None:
    """Any cards have the same types for both, in the same order, alone and on any table."""
    rng = random.Random("readings")
    kinds: Counter[str] = Counter()
    for _ in range(120):
        house = _house(rng)
        types = Types(house)
        tables: list[tuple[Play, Reading]] = []
        near = rng.randrange(len(RANKS))
        pool = [face for face in 2 * FACES if face[0] in RANKS[near : near + 4]]
        held = [*rng.choice((pool, faces(shuffled(rng, 0.85)[::4]))), *JOKERS, *JOKERS]
        for _ in range(80):
            cards = some_cards(rng, held)
            plays, found = types.readings(parse_cards(" ".join(cards))), readings(cards, house)
            assert [*map(_named, plays)] == [*map(_as_named, found)], (house, cards)
            if not found:
                continue
            tables += zip(plays, found, strict=True)
            kinds[found[0].kind] += 1
            for table, lying in rng.sample(tables, min(len(tables), 12)):
                counts = choose(plays, table), chosen(found, lying)
                assert _named(counts[0]) == _as_named(counts[1]), (house, table, cards)
                for play, what in zip(plays, found, strict=True):
                    does = beats(what, lying, house)
                    assert engine_beats(play, table) == does, (house, table, cards)
    assert len(kinds) == len(PlayKind)


def _begun(rng: random.Random, house: ChibiDagunOptions) -> tuple[Playing, Hand]:
    """A hand that is about to be played, for both."""
    for _before, fact, after, hand in _told(rng, ChibiDagun(), house):
        tell(hand, fact)
        if isinstance(after, Playing):
            return after, hand
    raise AssertionError("a hand that was never played")


def _places(rng: random.Random, hand: Hand) -> tuple[str, list[int]]:
    """Some end, and the seats that are out by then."""
    order = rng.sample(range(4), 4)
    if hand.soloist is not None:
        return "solo", order[:1]
    ours = {hand.dealer, hand.partner}
    if (order[0] in ours) == (order[1] in ours):
        return "bang", order[:2]
    return ("early", order[:2]) if rng.random() < 0.3 else ("normal", order[:3])


def _shares(rng: random.Random, total: int) -> tuple[int, int, int, int]:
    """Points per seat, all or half of them one seat's as often as not."""
    shares = [0, 0, 0, 0]
    takers = rng.choices(range(4), k=rng.randrange(1, 5))
    if rng.random() < 0.3 and total > 100:
        shares[takers[0]], total = 100, total - 100
        takers = takers[1:] or [rng.randrange(4)]
    for _ in range(total // 5):
        shares[rng.choice(takers)] += 5
    return per_seat(shares)


def _ended(rng: random.Random, play: Playing, hand: Hand) -> ClimbingSettled:
    """The same end of a hand, with any points, for both: the engine's settlement of it."""
    word, out = _places(rng, hand)
    order, total = out, rng.choice((200, rng.randrange(0, 205, 5)))
    if word == "normal":
        (last,) = (seat for seat in range(4) if seat not in out)
        hand.hands[last] = rng.sample(hand.dealt[last], rng.randrange(1, 6))
        order, total = [*out, last], 200 - worth(hand.hands[last])
    holdings = [pack_dealt(parse_cards(" ".join(cards))) for cards in hand.hands]
    shares = _shares(rng, total)
    play = replace(
        play,
        holdings=per_seat(with_cards(EMPTY, packed) for packed in holdings),
        captured=shares,
        places=tuple(out),
    )
    hand.captured, hand.places, hand.decided = list(shares), out, word
    if word == "early" and not hand.is_safe():
        return _ended(rng, play, hand)
    hand.finish()
    settled = settle(hand.house, Ended(play, word, tuple(order)))
    assert claim_of(settled) == hand.due[-1], (hand.house, word, order, shares)
    return settled


def test_engine_and_oracle_settle_alike() -> None:
    """Any captured points and any last cards give the same result, winners, points and coins."""
    rng = random.Random("settle")
    results: Counter[str] = Counter()
    for _ in range(2_000):
        settled = _ended(rng, *_begun(rng, _house(rng)))
        points = sum(settled.final[seat] for seat in settled.winners)
        is_tie = len(settled.places) == 4 and points == 100
        results["tie" if is_tie else settled.result.name] += 1
    assert results.keys() == {"tie", *ClimbingResult.__members__}
    assert min(results.values()) > 10
