"""Sets of cards to hold the types of 赤壁打滚 and the slow classifier against.

All small ones, and likely large ones; tables with any house rule; a play in its words.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from msgspec.structs import replace

from replay.engine.chibi_dagun.presets import DEFAULT
from replay.engine.mechanics.plays import Play
from schema.cards import BLACK_JOKER, RANKS, RED_JOKER, SUITS, card_text, cards_text, parse_cards
from schema.options import ChibiDagunOptions
from tests.wild_classifier import JOKERS, Laid, Reading, ascending

DECK = bytes(range(54)) * 2
JOKER_SETS = [
    [bytes(jokers) for jokers in combinations_with_replacement((BLACK_JOKER, RED_JOKER), n)]
    for n in range(5)
]
"""Every set of 0, 1, 2, 3 and 4 jokers, more than two copies of one too."""


def faces(cards: bytes) -> list[str]:
    """The cards as the slow classifier writes them."""
    return [card_text(code) for code in cards]


def cards_of(text: str) -> bytes:
    """Cards of `AAKK w`: ranks with the suits of two decks in turn, `w` for a joker; or faces."""
    if any(char in SUITS + "j" for char in text):
        return parse_cards(text)
    ranks = text.replace(" ", "")
    jokers = iter(("Bj", "Rj", "Bj", "Rj"))
    dealt: Counter[str] = Counter()
    found = []
    for rank in ranks:
        if rank == "w":
            found.append(next(jokers))
        else:
            found.append(rank + "shcd"[dealt[rank] % 4])
            dealt[rank] += 1
    return parse_cards(" ".join(found))


def words(play: Play) -> Reading:
    """A play as the slow classifier writes it."""
    n = len(play.cards)
    match play.kind:
        case "wsk_mixed" | "tianzha":
            return (play.kind, n, "", 0)
        case "wsk_pure":
            return (play.kind, n, SUITS[play.rank], 0)
        case "yaobai":
            most = max(Counter(ascending(faces(play.cards))).values())
            return (play.kind, n, RANKS[play.rank], most)
        case _:
            return (play.kind, n, RANKS[play.rank], 0)


def laid(play: Play) -> Laid:
    """A play as the slow classifier compares it."""
    is_wild = any(face in JOKERS for face in faces(play.cards)) and play.kind != "tianzha"
    return words(play), is_wild


def house_of(rng: random.Random) -> ChibiDagunOptions:
    """A table whose house rules about types are drawn at random."""
    return replace(
        DEFAULT,
        jokers_alone=rng.choice(("as_three", "single_only")),
        min_naturals_in_bomb=rng.choice((1, 1, 2, 3, 5)),
        wild_bomb_max_cards=rng.choice((12, 12, 3, 4, 6, 9)),
        wild_reading=rng.choice(("declared_or_max", "max_only")),
        one_rank_sets=rng.choice(("bomb", "bomb_or_chain")),
        bomb_ties=rng.choice(("equal", "natural_first")),
        yaobai_max_ranks=rng.choice((0, 0, 1, 2, 3)),
        yaobai_top=rng.choice(("A", "2")),
        yaobai_order=rng.choice(
            ("largest_bomb", "total_cards", "largest_bomb_no_tiebreak", "largest_bomb_all")
        ),
    )


# All small sets


def rank_sets(size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """The ranks of every set of `size` cards, and how many jokers are in it."""
    for n_jokers in range(min(size, 4) + 1):
        for ranks in combinations_with_replacement(range(len(RANKS)), size - n_jokers):
            yield ranks, n_jokers


def suited(ranks: Sequence[int], done: bytes = b"", used: int = 0) -> Iterator[bytes]:
    """Every way to suit the ranks up to renaming the suits: a new suit is the next unused."""
    if not ranks:
        yield done
        return
    rank, n = ranks[0], ranks.count(ranks[0])
    for suits in combinations_with_replacement(range(4), n):
        fresh = sorted({suit for suit in suits if suit >= used})
        if fresh == list(range(used, used + len(fresh))):
            cards = bytes(rank * 4 + suit for suit in suits)
            yield from suited(ranks[n:], done + cards, used + len(fresh))


def suited_at_random(rng: random.Random, ranks: Sequence[int]) -> bytes:
    """One way to suit the ranks with the cards of two decks; ValueError for nine of a rank."""
    cards = b""
    for rank in sorted(set(ranks)):
        eight = [rank * 4 + suit for suit in range(4)] * 2
        cards += bytes(rng.sample(eight, ranks.count(rank)))
    return cards


# Likely large sets


def likely(rng: random.Random, size: int) -> bytes:
    """Cards of two decks that are likely to be a type, jokers in many of them, in any order."""
    n_jokers = rng.choice((0, 0, 1, 1, 2, 2, 3, 3, 4))
    ranks = rng.choice((_chain, _chain, _chain, _chain, _few, _bombs, _one))(rng, size)
    rng.shuffle(ranks)
    naturals = suited_at_random(rng, _at_most_eight(ranks[: max(size - n_jokers, 0)]))
    cards = list(naturals + bytes(rng.sample((52, 52, 53, 53), min(n_jokers, size))))
    rng.shuffle(cards)
    return bytes(cards)


def _at_most_eight(ranks: list[int]) -> list[int]:
    return [rank for i, rank in enumerate(ranks) if ranks[:i].count(rank) < 8]


def _chain(rng: random.Random, size: int) -> list[int]:
    """A chain of pairs or triples, now and then with one card that does not belong."""
    width = rng.choice([width for width in (2, 3) if size % width == 0] or [2])
    length = max(size // width, 1)
    low = rng.randrange(max(13 - length, 1))
    ranks = [min(rank, 12) for rank in range(low, low + length) for _ in range(width)]
    if rng.random() < 0.15:
        ranks[0] = rng.randrange(13)
    return ranks


def _few(rng: random.Random, size: int) -> list[int]:
    """Two to four neighbouring ranks, as it comes."""
    low = rng.randrange(10)
    return [low + rng.randrange(rng.randrange(2, 5)) for _ in range(size)]


def _bombs(rng: random.Random, size: int) -> list[int]:
    """Neighbouring bombs."""
    low, n_ranks = rng.randrange(13), max(1, rng.randrange(size // 4 + 1))
    ranks = [low + i % n_ranks for i in range(size)]
    return [min(rank, 12) for rank in ranks]


def _one(rng: random.Random, size: int) -> list[int]:
    """One rank."""
    return [rng.randrange(13)] * size


def shown(cards: bytes, house: ChibiDagunOptions) -> str:
    """A set and its table, for the message of a failed test."""
    return f"{cards_text(cards)} {house}"
