"""Plays of 赤壁打滚 to try, made from shapes: anything that might be legal, whoever holds what.

Nothing here says what is legal; the oracle does.
"""

import random
from collections.abc import Iterator

from schema.cards import parse_cards
from schema.events import By, Fact, Passed, Played
from tests.oracle_chibi_dagun import Hand, Illegal
from tests.oracle_chibi_log import declaring
from tests.oracle_chibi_types import JOKERS, LADDER, RANKS, Declared, Reading, readings

Shape = dict[str, int]
"""How many cards of which rank a set of cards stands for."""

_RUNS = [LADDER[a:b] for a in range(12) for b in range(a + 2, 13)]
_SAME = {n: [{rank: n} for rank in RANKS] for n in range(1, 13)}
_CHAINS = [dict.fromkeys(run, 2) for run in _RUNS] + [dict.fromkeys(run, 3) for run in _RUNS]
_BOMBS = [shape for n in range(4, 13) for shape in _SAME[n]] + [dict.fromkeys("5TK", 1)] * 8
_SMALL = {"single": 1, "pair": 2, "triple": 3}


def move(rng: random.Random, hand: Hand) -> Fact:
    """A legal act of the seat in turn, drawn at random: its pass if no play was found."""
    seat, held = hand.turn, hand.hands[hand.turn]
    for cards in _tries(rng, held, hand.table):
        found = readings(cards, hand.house)
        says: list[Declared | None] = [None, *((what.kind, what.rank) for what in found)]
        for declared in rng.sample(says, len(says)):
            if _may_lay(hand, cards, declared):
                plain = Played(0, By.PLAYER, seat, parse_cards(" ".join(cards)))
                return declaring(plain, declared) if declared else plain
    return Passed(0, By.PLAYER, seat)


def _may_lay(hand: Hand, cards: list[str], declared: Declared | None) -> bool:
    try:
        hand.read(hand.turn, cards, declared)
    except Illegal:
        return False
    return True


def _tries(rng: random.Random, held: list[str], table: Reading | None) -> Iterator[list[str]]:
    """Held cards that look like an answer to the table, or like a lead."""
    own, jokers = _sorted(held)
    for group in _shapes(rng, table):
        shapes = _fitting(own, jokers, group)
        for shape in rng.sample(shapes, len(shapes)):
            yield _filled(rng, own, jokers, shape)
    yield from _others(rng, own, jokers)
    if table is None:
        yield [rng.choice(held)]


def _sorted(held: list[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Natural cards by rank, and jokers."""
    own: dict[str, list[str]] = {rank: [] for rank in RANKS}
    jokers = [card for card in held if card in JOKERS]
    for card in held:
        if card not in JOKERS:
            own[card[0]].append(card)
    return own, jokers


def _fitting(own: dict[str, list[str]], jokers: list[str], group: list[Shape]) -> list[Shape]:
    """The shapes that these cards can make."""
    counts = {rank: len(cards) for rank, cards in own.items()}
    return [shape for shape in group if _missing(counts, shape) <= len(jokers)]


def _missing(counts: dict[str, int], shape: Shape) -> int:
    missing = 0
    for rank, n in shape.items():
        if n > counts[rank]:
            missing += n - counts[rank]
    return missing


def _shapes(rng: random.Random, table: Reading | None) -> list[list[Shape]]:
    """What to try, one group after the other."""
    if table is None:
        return rng.sample([_SAME[1], _SAME[2], _SAME[3], _CHAINS, _BOMBS], 5)
    alike = _like(table)
    return [alike + _BOMBS] if rng.random() < 0.3 else [alike, _BOMBS]


def _like(table: Reading) -> list[Shape]:
    """The shapes of the table's type and size that are no bombs; of few cards only higher ones."""
    if table.kind in _SMALL:
        return _SAME[_SMALL[table.kind]][RANKS.index(table.rank) + 1 :]
    width = {"pair_chain": 2, "triple_chain": 3}.get(table.kind, 0)
    return [
        shape for shape in _CHAINS if {*shape.values()} == {width} and width * len(shape) == table.n
    ]


def _filled(
    rng: random.Random, own: dict[str, list[str]], jokers: list[str], shape: Shape
) -> list[str]:
    """Cards of the shape, jokers standing for what is missing and sometimes for more."""
    spare = len(jokers) - _missing({rank: len(own[rank]) for rank in shape}, shape)
    cards: list[str] = []
    for rank, n in shape.items():
        used = min(n, len(own[rank]))
        if spare > 0 and used > 1 and rng.random() < 0.2:
            used, spare = used - 1, spare - 1
        cards += rng.sample(own[rank], used)
    return cards + rng.sample(jokers, sum(shape.values()) - len(cards))


def _others(
    rng: random.Random, own: dict[str, list[str]], jokers: list[str]
) -> Iterator[list[str]]:
    """Jokers by themselves, and 摇摆."""
    for n in range(len(jokers), 0, -1):
        yield rng.sample(jokers, n)
    for a in range(len(RANKS) - 1):
        cards: list[str] = []
        for rank in RANKS[a:]:
            if len(own[rank]) < 4:
                break
            cards += rng.sample(own[rank], rng.randrange(4, len(own[rank]) + 1))
            if len(cards) > 7:
                yield list(cards)


def some_cards(rng: random.Random, held: list[str]) -> list[str]:
    """Cards of the held ones, mostly of ranks that stand side by side, legal or not."""
    own, jokers = _sorted(held)
    found: list[list[str]] = []
    if rng.random() < 0.1:
        found = list(_others(rng, own, jokers))
    elif rng.random() < 0.5:
        (group, *_) = _shapes(rng, None)
        shapes = _fitting(own, jokers, group)
        found = [_filled(rng, own, jokers, rng.choice(shapes))] if shapes else []
    if found:
        return rng.choice(found)
    near = RANKS.index(rng.choice([card for card in held if card not in JOKERS] or ["3"])[0])
    ranks = RANKS[near : near + rng.randrange(1, 5)]
    alike = [card for card in held if card[0] in ranks or card in JOKERS]
    return rng.sample(alike, min(len(alike), rng.randrange(10)))
