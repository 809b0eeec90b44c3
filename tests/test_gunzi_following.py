"""What may answer a lead in 四副滚子, and who wins a trick, against plain definitions of both."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest
from msgspec.structs import replace

from replay.engine.gunzi.following import broken
from replay.engine.gunzi.game import Gunzi
from replay.engine.gunzi.order import TRUMP, Context, context
from replay.engine.gunzi.playing import played, winner
from replay.engine.gunzi.presets import DEAD, DEFAULT
from replay.engine.gunzi.states import Playing
from replay.engine.mechanics.holding import EMPTY, pack_dealt, with_cards
from replay.engine.mechanics.seats import per_seat
from replay.engine.rule import Breach
from schema.events import By, Played
from schema.options import GunziOptions
from tests.builders_gunzi import later, told
from tests.oracle_gunzi_cards import DECK, JOKERS, LEVELS, SUITS, Face, Table, codes

HOUSES = {
    "live": DEFAULT,
    "dead": DEAD,
    "dead shielded": replace(DEAD, dead_triple="shielded"),
    "live shielded": replace(DEFAULT, dead_triple="shielded"),
}
TABLES = [(level, trump) for level in LEVELS for trump in SUITS]
"""All levels with all trump suits."""
HOLDINGS = 30
"""Holdings at each of them, in each house."""


def both(level: str, trump: str) -> tuple[Context, Table]:
    """A table for the engine and for the oracle."""
    return context(LEVELS.index(level) + 1, SUITS.index(trump)), Table(level, trump)


def some_cards(rng: random.Random, table: Table, n: int) -> list[Face]:
    """So many cards, most of one suit, and many of them two or three times; none is too often."""
    suit = rng.choice(("t", *SUITS))
    own = table.of_suit(DECK, suit)
    pool = rng.sample(sorted(set(own)), min(len(set(own)), rng.randrange(1, 5)))
    pool += rng.sample(sorted(set(DECK)), rng.randrange(1, 4))
    return rng.sample(sorted(set(pool)) * 3, min(n, 3 * len(set(pool))))


def leads(rng: random.Random, table: Table, held: list[Face]) -> Iterator[list[Face]]:
    """A single, a pair and a triple, each of a suit that is held as a rule."""
    for n in (1, 2, 3):
        suit = table.suit(rng.choice(held if rng.random() < 0.9 else DECK))
        like = [card for card in set(table.of_suit(DECK, suit)) if held.count(card) + n <= 3]
        if like:
            yield [rng.choice(sorted(like))] * n


@pytest.mark.parametrize("word", HOUSES)
def test_a_duty_is_owed_by_the_engine_as_it_stands_in_the_text(word: str) -> None:
    """Out of thousands of small holdings every set of cards is an answer for both or for neither.

    gunzi-7.4 to 7.7: what is broken is the same too; something can always be played.
    """
    rng, house = random.Random(word), HOUSES[word]
    seen: Counter[str] = Counter()
    for level, trump in TABLES:
        context_, table = both(level, trump)
        for _ in range(HOLDINGS):
            held = some_cards(rng, table, rng.randrange(1, 10))
            holding = with_cards(EMPTY, pack_dealt(codes(held)))
            for lead in leads(rng, table, held):
                n, suit = len(lead), context_.order.suit[codes(lead)[0]]
                found = set[str | None]()
                for play in set(combinations(sorted(held), n)):
                    packed = pack_dealt(codes(play))
                    owed = broken(house, context_, suit, n, holding, packed)
                    ours = None if owed is None else owed.rule.id.removeprefix("gunzi-")
                    theirs = table.broken(house, lead, held, play)
                    assert ours == theirs, (level, trump, lead, held, play)
                    found.add(theirs)
                assert None in found or len(held) < n
                seen.update(f"{n} {clause}" for clause in found)
    assert min(seen["1 7.4"], seen["2 7.4"], seen["3 7.4"]) > 100, seen
    is_dead = house.follow_mode == "dead"
    assert (seen["2 7.7"] > 100) == (seen["3 7.7"] > 100) == is_dead, seen
    assert bool(seen["2 7.7"]) == bool(seen["3 7.7"]) == is_dead


WRITTEN = [
    # mode, held, led, may be played, clause else
    ("live", "3h3h 5h", "9h9h", "3h5h", None),
    ("dead", "3h3h 5h", "9h9h", "3h5h", "7.7"),
    ("dead", "3h3h3h 5h", "9h9h", "3h5h", None),
    ("dead", "3h3h3h 5h5h", "9h9h", "3h3h", None),
    ("dead", "3h3h3h 5h5h", "9h9h", "3h5h", "7.7"),
    ("dead", "3h3h3h 5h", "9h9h", "5hAc", "7.4"),
    ("dead shielded", "3h3h3h 5h", "9h9h", "5hAc", None),
    ("dead shielded", "3h3h3h 5h", "9h9h", "AcAc", "7.4"),
    ("dead shielded", "3h3h3h", "9h9h", "AcAc", None),
    ("dead shielded", "3h3h3h", "9h9h", "3h3h", None),
    ("dead shielded", "3h3h3h 5h 6h", "9h9h", "5hAc", "7.4"),
    ("dead shielded", "3h3h3h", "9h9h9h", "3hAcAc", "7.4"),
    ("live shielded", "3h3h3h", "9h9h", "AcAc", "7.4"),
    ("dead", "3h3h3h 5h5h", "9h9h9h", "3h3h5h", "7.7"),
    ("dead", "3h3h 5h 6h", "9h9h9h", "3h5h6h", "7.7"),
    ("dead", "3h3h 5h 6h", "9h9h9h", "3h3h6h", None),
    ("dead", "3h 5h", "9h9h9h", "3h5hAc", None),
    ("dead", "3h 5h", "9h9h9h", "3hAcAc", "7.4"),
    ("dead", "KdKd", "9h9h", "AcKd", None),
    ("dead", "2h2s KsKs", "BjBj", "2h2s", "7.7"),
    ("dead", "7h 8h", "9h9h", "8hAc", None),
    ("dead", "7h 8h", "AsAs", "8hAc", "7.4"),
]
"""Spades are trump, 7 is the level; two aces of clubs are always there."""


@pytest.mark.parametrize(("word", "held", "led", "play", "clause"), WRITTEN)
def test_answers_that_the_text_speaks_of(
    word: str, held: str, led: str, play: str, clause: str | None
) -> None:
    """Both definitions answer as the text does where it gives a case."""
    context_, table = both("7", "s")
    hand, lead, cards = [_split(text) for text in (held + "AcAc", led, play)]
    suit = context_.order.suit[codes(lead)[0]]
    holding = with_cards(EMPTY, pack_dealt(codes(hand)))
    owed = broken(HOUSES[word], context_, suit, len(lead), holding, pack_dealt(codes(cards)))
    assert (None if owed is None else owed.rule.id) == (clause and f"gunzi-{clause}")
    assert table.broken(HOUSES[word], lead, hand, cards) == clause


def _split(text: str) -> list[Face]:
    bare = text.replace(" ", "")
    return [bare[at : at + 2] for at in range(0, len(bare), 2)]


def _play(rng: random.Random, table: Table, lead: list[Face], left: list[Face]) -> list[Face]:
    """Anything of the right size: like cards of the suit, trumps, or a mixture."""
    n = len(lead)
    suit = rng.choice((table.suit(lead[0]), "t", rng.choice(SUITS)))
    like = [card for card in set(table.of_suit(left, suit)) if left.count(card) >= n]
    mixed = rng.choice((table.of_suit(left, suit), left))
    if like and rng.random() < 0.6:
        return [rng.choice(sorted(like))] * n
    return rng.sample(mixed if len(mixed) >= n else left, n)


def _without(cards: list[Face], taken: list[Face]) -> list[Face]:
    left = list(cards)
    for card in taken:
        left.remove(card)
    return left


def _pool(rng: random.Random, table: Table) -> list[Face]:
    """Three of each of a few faces, high trumps and equal ones among them."""
    high = [card for card in set(DECK) if table.suit(card) == "t"]
    plain = [card for card in set(DECK) if table.suit(card) != "t"]
    return (rng.sample(sorted(high), 5) + rng.sample(sorted(plain), 9)) * 3


def test_four_plays_are_won_by_the_highest_of_the_type_led() -> None:
    """gunzi-7.8 to 7.10: whatever four plays there are, both see the same one win."""
    rng, seen = random.Random("tricks"), Counter[str]()
    for level, trump in TABLES:
        context_, table = both(level, trump)
        for n in (1, 2, 3):
            for _ in range(30):
                left = _pool(rng, table)
                plays = [[rng.choice(left)] * n]
                left = _without(left, plays[0])
                for _ in range(3):
                    plays.append(_play(rng, table, plays[0], left))
                    left = _without(left, plays[-1])
                place = table.winner(plays)
                packed = tuple(codes(play) for play in plays)
                assert winner(context_, packed) == place, (level, trump, plays)
                heights = [table.height(play[0]) for play in plays if len(set(play)) == 1]
                seen[f"{n} at {place}"] += 1
                seen["equal"] += heights.count(table.height(plays[place][0])) > 1
                is_ruff = table.suit(plays[0][0]) != table.suit(plays[place][0])
                seen["ruffed"] += is_ruff
    assert min(seen.values()) > 30, seen


def _begun(level: str, trump: str) -> Playing:
    """Play is about to begin at this level and trump; nobody has played."""
    carry = later(0, (LEVELS.index(level) + 1, 1))
    for seed in range(200):
        rng = random.Random(f"begun {seed}")
        for _before, _fact, after in told(Gunzi(), DEFAULT, carry, rng):
            if isinstance(after, Playing):
                if after.table.setting.trump == SUITS.index(trump):
                    return after
                break
    raise AssertionError("never this trump")


@pytest.mark.parametrize(("level", "trump"), [("3", "h"), ("5", "s"), ("T", "d")])
def test_tricks_are_played_as_the_definitions_say(level: str, trump: str) -> None:
    """Four seats play anything: the breaches of each, the winner, the points are the same."""
    rng, table, begun = random.Random(level + trump), Table(level, trump), _begun(level, trump)
    seen: Counter[str] = Counter()
    for _ in range(400):
        house = HOUSES[rng.choice(sorted(HOUSES))]
        hands, leader = [_held(rng, table) for _ in range(4)], rng.randrange(4)
        state = _laid_out(begun, house, hands, leader)
        lead = _some_lead(rng, hands[leader])
        plays = [lead]
        after: object = played(state, _fact(leader, lead), [])
        for step in (1, 2, 3):
            seat = (leader + step) % 4
            play = rng.sample(hands[seat], len(lead))
            plays.append(play)
            assert isinstance(after, Playing)
            breaches: list[Breach] = []
            after = played(after, _fact(seat, play), breaches)
            clause = table.broken(house, lead, hands[seat], play)
            expected = [f"gunzi-{clause}"] if clause else []
            assert [breach.rule.id for breach in breaches] == expected, (hands[seat], lead, play)
            seen[clause or "fine"] += 1
        assert isinstance(after, Playing)
        taker = (leader + table.winner(plays)) % 4
        assert after.won == (taker, sum(map(_worth, plays)))
        assert (after.leader, after.turn, after.trick) == (taker, taker, 2)
    assert min(seen["fine"], seen["7.4"]) > 200, seen
    assert seen["7.7"] > 10


def _worth(cards: list[Face]) -> int:
    return sum({"5": 5, "T": 10, "K": 10}.get(card[0], 0) for card in cards)


def _fact(seat: int, cards: list[Face]) -> Played:
    return Played(0, By.PLAYER, seat, codes(cards))


def _held(rng: random.Random, table: Table) -> list[Face]:
    while len(held := some_cards(rng, table, 9)) < 5:
        pass
    return held


def _some_lead(rng: random.Random, held: list[Face]) -> list[Face]:
    """One face as often as it is held, if it can be more than once."""
    most = max(map(held.count, held))
    face = rng.choice([card for card in held if held.count(card) == most])
    return [face] * rng.randint(1, most)


def _laid_out(begun: Playing, house: GunziOptions, hands: list[list[Face]], leader: int) -> Playing:
    setting = begun.table.setting
    here = replace(setting, house=replace(setting.house, options=house))
    packed = per_seat(with_cards(EMPTY, pack_dealt(codes(cards))) for cards in hands)
    table = replace(begun.table, setting=here)
    return replace(begun, table=table, holdings=packed, leader=leader, turn=leader)


def test_trumps_are_one_suit_in_the_order_of_the_text() -> None:
    """gunzi-4.1 to 4.4: at every level with every trump suit, card by card."""
    for level, trump in TABLES:
        context_, table = both(level, trump)
        suits = {**{suit: at for at, suit in enumerate(SUITS)}, "t": TRUMP}
        every = sorted(set(DECK))
        assert len(every) == 54
        assert set(JOKERS) < set(every)
        for card in every:
            assert context_.order.suit[codes([card])[0]] == suits[table.suit(card)]
        by_engine = {card: context_.height[codes([card])[0]] for card in every}
        for one in every:
            for other in every:
                ours = by_engine[one] > by_engine[other]
                assert ours == (table.height(one) > table.height(other)), (one, other)
