"""Every legal play of a 赤壁打滚 holding, as the reading that it is played as.

Left open are only the choice among equal-ranked cards and which ranks of a chain or a 五十K the
jokers complete: of one type, strength and number of jokers there is one play, and the fewest
jokers come first. 摇摆 have no jokers: each choice of ranks and lengths is a play.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from replay.engine.chibi_dagun.bombs import WSK_RANKS
from replay.engine.chibi_dagun.types import Types, choose
from replay.engine.chibi_dagun.wilds import ACE, CHAINS
from replay.engine.mechanics.plays import Play, beats
from schema.cards import BLACK_JOKER, RANKS

_Candidate = tuple[bytes, str, int]
"""Cards, and the type and rank that they are meant to be; a rank of -1 is whichever they have."""


def plays(types: Types, cards: bytes, table: Play | None) -> Iterator[Play]:
    """The readings that `cards` (a holding) can be played as, on a table if they beat it.

    Those that do not count undeclared (`choose`) have to be declared.
    """
    for candidate, kind, rank in _candidates(cards):
        play = _meant(types, candidate, kind, rank, table)
        if play is not None and (table is None or beats(play, table)):
            yield play


def _meant(types: Types, cards: bytes, kind: str, rank: int, table: Play | None) -> Play | None:
    """The reading of that type and rank, None if the cards cannot be played as it."""
    readings = types.readings(cards)
    if readings and types.options.wild_reading == "max_only":
        readings = (choose(readings, table),)
    for play in readings:
        if play.kind == kind and rank in (play.rank, -1):
            return play
    return None


def _candidates(cards: bytes) -> Iterator[_Candidate]:
    held: list[bytes] = [b""] * len(RANKS)
    for code in sorted(cards):
        if code < BLACK_JOKER:
            held[code >> 2] += bytes([code])
    jokers = bytes(code for code in sorted(cards) if code >= BLACK_JOKER)
    yield from _same(held, jokers)
    for kind, width in CHAINS[::-1]:
        for low in range(ACE + 1):
            yield from _chains(held, jokers, kind, width, low)
    yield from _wsks(held, jokers)
    yield from _yaobais(held)


def _same(held: Sequence[bytes], jokers: bytes) -> Iterator[_Candidate]:
    """单张, 对, 三条 and bombs of one rank; jokers alone, which are 3 or 天炸."""
    for rank, naturals in enumerate(held):
        most = len(naturals) + len(jokers) if naturals else 0
        for n in range(1, most + 1):
            for n_jokers in range(max(0, n - len(naturals)), min(len(jokers), n - 1) + 1):
                kind = _kind_of_same(n, n_jokers)
                yield naturals[: n - n_jokers] + jokers[:n_jokers], kind, rank
    for n in range(1, len(jokers) + 1):
        yield jokers[:n], "tianzha" if n == 4 else _kind_of_same(n, n), -1


def _kind_of_same(n: int, n_jokers: int) -> str:
    natural = {1: "single", 2: "pair", 3: "triple", 7: "xi7", 8: "xi8"}.get(n, "bomb")
    return "bomb" if n > 3 and n_jokers else natural


def _chains(
    held: Sequence[bytes], jokers: bytes, kind: str, width: int, low: int
) -> Iterator[_Candidate]:
    """The chains from `low` on: as many jokers as places are free, then one more at a time."""
    there: list[bytes] = []
    for high in range(low, ACE + 1):
        there.append(held[high][:width])
        n, naturals = width * len(there), _ends_first(there)
        if n - len(naturals) > len(jokers):
            return
        for n_jokers in range(n - len(naturals), len(jokers) + 1 if len(there) > 1 else 0):
            yield naturals[: n - n_jokers] + jokers[:n_jokers], kind, high


def _ends_first(there: Sequence[bytes]) -> bytes:
    """The naturals of a window in the order in which they are kept: first one from either end.

    Naturals far apart leave the fewest other readings, so what can be played as this window
    undeclared is; and where two ranks are needed there are two.
    """
    ranks = [cards for cards in there if cards]
    if len(ranks) < 2:
        return b"".join(ranks)
    first, *between, last = ranks
    return first[:1] + last[:1] + first[1:] + b"".join(between) + last[1:]


def _wsks(held: Sequence[bytes], jokers: bytes) -> Iterator[_Candidate]:
    """正五十K of each suit held and one 杂五十K, first natural, then with a joker."""
    found: dict[tuple[str, int, int], bytes] = {}
    for cards in product(*([*sorted({*held[rank]}), *jokers[:1]] for rank in WSK_RANKS)):
        naturals = [code for code in cards if code < BLACK_JOKER]
        n_jokers = 3 - len(naturals)
        if n_jokers > 1:
            continue
        suits = {code & 3 for code in naturals}
        kind, rank = ("wsk_pure", min(suits)) if len(suits) == 1 else ("wsk_mixed", 0)
        found.setdefault((kind, rank, n_jokers), bytes(cards))
    for (kind, rank, _), chosen in sorted(found.items()):
        yield chosen, kind, rank


def _yaobais(held: Sequence[bytes]) -> Iterator[_Candidate]:
    """Every 摇摆: neighbours with four or more each, as many of each as one likes."""
    for low in range(len(RANKS)):
        found = [b""]
        for naturals in held[low:]:
            found = [chain + naturals[:n] for chain in found for n in range(4, len(naturals) + 1)]
            for chain in found:
                yield chain, "yaobai", -1
