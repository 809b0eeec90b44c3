"""Where the jokers of a 赤壁打滚 holding go: the bomb or the run that saves most plays, one by one.

What saves too little is left undone: a joker in reserve can still complete whatever the table
asks for.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from replay.players.climbing_groups import ACE, TWO, WSK_RANKS, Group, of_rank
from schema.cards import RANKS

_QUEEN = RANKS.index("Q")
_WIDTHS = (("triple_chain", 3), ("pair_chain", 2))
_CHAINS = frozenset(kind for kind, _ in _WIDTHS)
_WSK, _PURE_WSK, _FOUR = 1.2, 1.4, 1.8
"""What a bomb is worth, in plays that lose the lead."""
_LONGER = 0.3
"""What one more card is worth in a bomb of four or more."""
_LEAST = 0.5
"""What a joker has to save with many plays to go; at the end it is better than a 3 anywhere."""
_FEW = 4
"""So few plays are the end."""


class _Use(Struct, frozen=True, gc=False):
    """Jokers put to use: groups that go, groups that come, the bomb they make (or `b""`).

    `gain` is what is saved for each joker; the new play has `n_jokers` of them.
    """

    gain: float
    n_jokers: int
    gone: tuple[Group, ...]
    come: tuple[Group, ...]
    bomb: bytes
    enlarged: bytes


def with_jokers(
    groups: Sequence[Group], bombs: Sequence[bytes], jokers: bytes
) -> tuple[list[Group], list[bytes], bytes]:
    """Groups and bombs with the jokers put to use, and those in reserve."""
    laid, kept = list(groups), list(bombs)
    while jokers:
        best = max(_uses(laid, kept, jokers), key=_gain, default=None)
        is_end = len(laid) + len(kept) <= _FEW
        if best is None or (best.gain < _LEAST and not is_end):
            break
        jokers = jokers[best.n_jokers :]
        laid = [group for group in laid if group not in best.gone] + list(best.come)
        if best.enlarged:
            kept.remove(best.enlarged)
        if best.bomb:
            kept.append(best.bomb)
    return laid, kept, jokers


def _gain(use: _Use) -> float:
    return use.gain


def _uses(groups: Sequence[Group], bombs: Sequence[bytes], jokers: bytes) -> Iterator[_Use]:
    loose = {group.rank: group for group in groups if group.kind not in _CHAINS}
    yield from _wsks(loose, jokers)
    yield from _sets(loose, jokers)
    for kind, width in _WIDTHS:
        yield from _chains(groups, jokers, kind, width)
    for bomb in bombs:
        if _can_grow(bomb):
            yield _Use(_LONGER, 1, (), (), bomb + jokers[:1], bomb)


def _can_grow(bomb: bytes) -> bool:
    """7喜 and 8喜 are less with a joker; 五十K and 天炸 take none."""
    return is_of_one_rank(bomb) and not (len(bomb) >= 7 and natural(bomb) == bomb)


def is_of_one_rank(bomb: bytes) -> bool:
    """Whether it is an ordinary bomb, 7喜 or 8喜."""
    return len(bomb) > 3 and len({code >> 2 for code in natural(bomb)}) == 1


def natural(cards: bytes) -> bytes:
    """The cards that are no jokers."""
    return cards.rstrip(b"\x34\x35")


def _cost(group: Group) -> float:
    """What it costs to lead a group, in plays that lose the lead: high ones often hold it."""
    if group.rank == TWO:
        return 0.3
    if group.kind in _CHAINS:
        return 0.8
    return 0.6 if group.rank >= _QUEEN else 1.0


def _wsks(loose: dict[int, Group], jokers: bytes) -> Iterator[_Use]:
    """Two of 5 10 K and a joker, if that costs no triple."""
    held = [loose[rank] for rank in WSK_RANKS if rank in loose]
    held = [g for g in held if len(g.cards) < 3 and natural(g.cards) == g.cards]
    for i, low in enumerate(held):
        for high in held[i + 1 :]:
            yield _wsk(low, high, jokers)


def _wsk(low: Group, high: Group, jokers: bytes) -> _Use:
    pairs = [(a, b) for a in low.cards for b in high.cards]
    chosen = next((pair for pair in pairs if pair[0] & 3 == pair[1] & 3), pairs[0])
    worth = _PURE_WSK if chosen[0] & 3 == chosen[1] & 3 else _WSK
    come = tuple(
        of_rank(group.rank, group.cards.replace(bytes((code,)), b"", 1))
        for group, code in zip((low, high), chosen, strict=True)
        if len(group.cards) > 1
    )
    gain = _cost(low) + _cost(high) - sum(map(_cost, come)) + worth
    return _Use(gain, 1, (low, high), come, bytes(chosen) + jokers[:1], b"")


def _sets(loose: dict[int, Group], jokers: bytes) -> Iterator[_Use]:
    """Triples and pairs made bombs, singles pairs, pairs triples."""
    for group in loose.values():
        n, cost = len(group.cards), _cost(group)
        lacking = 4 - n
        if n >= 2 and lacking <= len(jokers):
            bomb = group.cards + jokers[:lacking]
            yield _Use((cost + _FOUR) / lacking, lacking, (group,), (), bomb, b"")
        if n < 3 and group.cards == natural(group.cards):
            more = of_rank(group.rank, group.cards + jokers[:1])
            yield _Use(0.02 * group.rank, 1, (group,), (more,), b"", b"")


def _chains(groups: Sequence[Group], jokers: bytes, kind: str, width: int) -> Iterator[_Use]:
    """Runs that the jokers complete, of cards that are in no other run, or of all of a run."""
    held: list[Group | None] = [None] * len(RANKS)
    for group in groups:
        span = group.size if group.kind in _CHAINS else 1
        for rank in range(group.rank - span + 1, group.rank + 1):
            held[rank] = group
    for low in range(ACE):
        lacking = 0
        for high in range(low, ACE + 1):
            there = held[high]
            lacking += width - (0 if there is None else min(width, _at(there, high)))
            if lacking > len(jokers):
                break
            if high > low and lacking:
                use = _chain(held, kind, width, low, high, jokers[:lacking])
                if use is not None:
                    yield use


def _at(group: Group, rank: int) -> int:
    """How many cards of a rank a group has."""
    return sum(code >> 2 == rank for code in group.cards)


def _chain(
    held: Sequence[Group | None], kind: str, width: int, low: int, high: int, jokers: bytes
) -> _Use | None:
    """The run from `low` to `high`; None if it would cut another one, or be of one rank."""
    gone = {group.rank: group for group in held[low : high + 1] if group is not None}
    cards, come = b"", []
    for group in gone.values():
        if group.kind in _CHAINS and not (
            low <= group.rank - group.size + 1 and group.rank <= high
        ):
            return None
        if natural(group.cards) != group.cards:
            return None
        for rank in sorted({code >> 2 for code in group.cards}):
            of = bytes(code for code in group.cards if code >> 2 == rank)
            cards += of[:width]
            if of[width:]:
                come.append(of_rank(rank, of[width:]))
    if len({code >> 2 for code in cards}) < 2:
        return None
    made = Group(kind, high - low + 1, high, cards + jokers)
    gain = sum(map(_cost, gone.values())) - sum(map(_cost, come)) - _cost(made)
    return _Use(gain / len(jokers), len(jokers), tuple(gone.values()), (*come, made), b"", b"")
