"""Every legal play of a 打拱 holding, up to the choice among equal-ranked suits."""

from collections.abc import Iterator
from itertools import combinations, product

from replay.engine.dagong.types import ACE, Types
from replay.engine.mechanics.plays import Play, beats
from schema.cards import BLACK_JOKER, RANKS

_WSK = tuple(RANKS.index(r) for r in "5TK")
_SHORTEST = {1: 3, 2: 2}
"""Shortest chain by copies of each rank: a straight of 3, a chain of 2 pairs."""


def plays(types: Types, cards: bytes, table: Play | None) -> Iterator[Play]:
    """The types that `cards` (a holding) can lay, and on a table only those that beat it."""
    for candidate in _sets(cards):
        for play in types.readings(candidate):
            if table is None or beats(play, table):
                yield play


def _sets(cards: bytes) -> Iterator[bytes]:
    """One set of cards per type, size and rank; every suit of 五十K, every set of jokers."""
    by_rank: dict[int, bytes] = {}
    for code in sorted(cards):
        if code < BLACK_JOKER:
            by_rank[code >> 2] = by_rank.get(code >> 2, b"") + bytes([code])
    for held in by_rank.values():
        for n in range(1, len(held) + 1):
            yield held[:n]
    jokers = bytes(code for code in sorted(cards) if code >= BLACK_JOKER)
    for n in range(1, len(jokers) + 1):
        yield from map(bytes, sorted(set(combinations(jokers, n))))
    for copies in (1, 2):
        yield from _chains(by_rank, copies)
    yield from _wsks(by_rank)


def _chains(by_rank: dict[int, bytes], copies: int) -> Iterator[bytes]:
    """Straights (one copy a rank) or chains of pairs (two), within 3…A."""
    for low in range(ACE + 1):
        chain = b""
        for high in range(low, ACE + 1):
            held = by_rank.get(high, b"")
            if len(held) < copies:
                break
            chain += held[:copies]
            if high - low + 1 >= _SHORTEST[copies]:
                yield chain


def _wsks(by_rank: dict[int, bytes]) -> Iterator[bytes]:
    """正五十K of each suit held, and one 杂五十K if there is one."""
    ranks = [sorted(set(by_rank.get(r, b""))) for r in _WSK]
    mixed = None
    for cards in product(*ranks):
        if len({code & 3 for code in cards}) == 1:
            yield bytes(cards)
        else:
            mixed = bytes(cards)
    if mixed is not None:
        yield mixed
