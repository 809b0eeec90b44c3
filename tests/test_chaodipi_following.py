"""What may answer a lead in 炒地皮: the engine against every set of cards there is."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from replay.engine.chaodipi.following import broken
from replay.engine.chaodipi.rules import R
from replay.engine.chaodipi.shapes import shape
from replay.engine.mechanics.runs import Lengths, fills, profile
from tests import follow_oracle
from tests.follow_oracle import best, fulfilled, legal_answers
from tests.oracle_chaodipi_cards import (
    SLOTS,
    Both,
    any_suit,
    codes,
    led_with,
    near,
    some,
    tables,
    wsk,
)
from tests.trick_oracle import DECK, RANKS, SUITS, Face

RULES = {
    "": None,
    "suit": R.SUIT,
    "pairs": R.PAIRS,
    "tractors": R.TRACTORS,
    "wsk": R.WSK_FOLLOWED,
    "trump wsk": R.TRUMP_WSK_FOLLOWED,
}
"""The rule that is broken where a duty is not fulfilled."""


def _pairs_led(rng: random.Random, both: Both) -> tuple[list[Face], list[Face]]:
    """A lead of pairs and tractors, and a holding with many pairs of its suit."""
    table, suit = both.oracle, rng.choice(SUITS)
    printed = [rank + suit for rank in RANKS]
    lead = led_with(rng, table, suit, rng.choice(SLOTS))
    led = table.suit(lead[0])
    left = [card for card in printed if card not in lead and table.suit(card) == led]
    chosen = rng.sample(left, min(len(left), rng.randrange(2, 7)))
    held = chosen * 2 + [card for card in left if card not in chosen][: rng.randrange(3)]
    others = [card for card in DECK if table.suit(card) != led]
    return lead, held + rng.sample(others, max(0, len(lead) - len(held)))


def _dealt(rng: random.Random, both: Both) -> tuple[list[Face], list[Face]]:
    """A lead and what a follower holds, from two decks."""
    table = both.oracle
    if rng.random() < 0.4:
        return _pairs_led(rng, both)
    suit = any_suit(rng, table)
    pool = near(rng, table, suit)
    three = wsk(rng, table)
    if three and rng.random() < 0.15:
        suit = table.suit(three[0])
        lead, pool = three, near(rng, table, suit) + three
        for card in three:
            pool.remove(card)
    else:
        lead = some(rng, pool, rng.randrange(4), rng.randrange(3)) or pool[:1]
    held = three if three and lead == three and rng.random() < 0.5 else []
    held = held + some(rng, pool, rng.randrange(5), rng.randrange(4))
    held = held[:10]
    others = [card for card in DECK if table.suit(card) != suit]
    return lead, held + rng.sample(others, max(rng.randrange(3), len(lead) - len(held)))


@pytest.mark.parametrize("chunk", range(4))
def test_legal_answers_are_those_of_the_definition(chunk: int) -> None:
    """Of every answer both say whether it may be played, and which duty it breaks first."""
    rng = random.Random(f"answers {chunk}")
    seen: Counter[str] = Counter()
    for both in tables(rng, 8):
        lead, held = _dealt(rng, both)
        led = shape(both.engine, codes(lead))
        assert led is not None
        answers = legal_answers(both.oracle, held, lead)
        good = next(answer for answer, duty in answers.items() if not duty)
        assert best(both.oracle, held, lead) == fulfilled(both.oracle, held, lead, good)
        for answer, duty in answers.items():
            cards = codes(answer)
            owed = broken(both.engine, both.house.second_trump_wsk, codes(held), led, cards)
            where = (both.house, both.oracle.level, both.oracle.trump, lead, held, answer)
            assert (owed and owed.rule) == RULES[duty], where
            seen[duty] += 1
    assert seen.keys() == RULES.keys()
    assert min(seen.values()) >= 40


def _partitions(n: int, most: int) -> Iterator[Lengths]:
    if n == 0:
        yield ()
    for first in range(min(n, most), 0, -1):
        for rest in _partitions(n - first, first):
            yield (first, *rest)


SMALL = [lengths for n in range(8) for lengths in _partitions(n, n)]
"""All runs, or slots, of up to seven pairs."""


def test_profiles_are_those_of_every_fill() -> None:
    """The greatest list of segments is the greatest of all that there are."""
    for runs in SMALL:
        for slots in SMALL:
            assert profile(runs, slots) == follow_oracle.profile(runs, slots), (runs, slots)


def test_runs_fill_slots_if_some_cut_does() -> None:
    """Whether every slot can be one segment is what trying every cut finds."""
    found = Counter(fills(runs, slots) for runs in SMALL for slots in SMALL)
    assert min(found.values()) > 100
    for runs in SMALL:
        for slots in SMALL:
            expected = follow_oracle.can_fill(runs, slots)
            assert fills(runs, slots) == expected, (runs, slots)
