"""How a legal hand is changed in what its plays are declared to be, one change each."""

from msgspec.structs import replace

from schema.cards import BLACK_JOKER
from schema.events import AnyPlay, Played, PlayedAs, PlayKind, PlayRank
from tests.mutants import Change, Events, Mutant, Rng, another, field, where, with_event

_CHAINS = (PlayKind.PAIR_CHAIN, PlayKind.TRIPLE_CHAIN)
_OF_ONE_RANK = {1: PlayKind.SINGLE, 2: PlayKind.PAIR, 3: PlayKind.TRIPLE, 7: PlayKind.XI7}


def _has_joker(play: AnyPlay) -> bool:
    return max(play.cards) >= BLACK_JOKER


def _declared(events: Events) -> list[tuple[int, PlayedAs]]:
    """The plays with a reading, and where they stand."""
    found = [(index, events[index]) for index in where(events, PlayedAs)]
    return [(index, event) for index, event in found if isinstance(event, PlayedAs)]


def _wild_chains(events: Events) -> list[tuple[int, PlayedAs]]:
    """Those that might be read as another chain."""
    return [at for at in _declared(events) if at[1].kind in _CHAINS and _has_joker(at[1])]


def _plain(rng: Rng, events: Events) -> tuple[int, Played] | None:
    """A play without reading and where it stands; mostly one with jokers, if there are any."""
    found = [(index, events[index]) for index in where(events, Played)]
    plays = [(index, event) for index, event in found if isinstance(event, Played)]
    wild = [at for at in plays if _has_joker(at[1])]
    return rng.choice(wild if wild and rng.random() < 0.7 else plays) if plays else None


def said_no_more(rng: Rng, events: Events) -> Mutant | None:
    """A play with its reading becomes one without, a chain with jokers if there is one."""
    found = _wild_chains(events) or _declared(events)
    if not found:
        return None
    index, event = rng.choice(found)
    return with_event(events, index, Played(event.dt, event.by, event.seat, event.cards))


def said_as_it_looks(rng: Rng, events: Events) -> Mutant | None:
    """A play without reading gets the one that its number of cards and a natural suggest."""
    found = _plain(rng, events)
    if found is None:
        return None
    index, event = found
    kind = _OF_ONE_RANK.get(len(event.cards), PlayKind.BOMB)
    rank = PlayRank(min(event.cards) >> 2) if min(event.cards) < BLACK_JOKER else PlayRank.THREE
    return with_event(events, index, _saying(event, kind, rank))


def said_as_anything(rng: Rng, events: Events) -> Mutant | None:
    """A play without reading gets any."""
    found = _plain(rng, events)
    if found is None:
        return None
    index, event = found
    reading = rng.choice(list(PlayKind)), rng.choice(list(PlayRank))
    return with_event(events, index, _saying(event, *reading))


def _saying(event: Played, kind: PlayKind, rank: PlayRank) -> PlayedAs:
    return PlayedAs(event.dt, event.by, event.seat, event.cards, kind, rank)


def another_window(rng: Rng, events: Events) -> Mutant | None:
    """A chain with jokers is said to end one or two ranks higher or lower."""
    found = _wild_chains(events)
    if not found:
        return None
    index, event = rng.choice(found)
    ranks = [event.rank + shift for shift in (-2, -1, 1, 2)]
    rank = PlayRank(rng.choice([rank for rank in ranks if 0 <= rank <= PlayRank.ACE]))
    return with_event(events, index, replace(event, rank=rank))


DECLARED: dict[str, Change] = {
    "declared: kind": field(PlayedAs, "kind", another(PlayKind)),
    "declared: rank": field(PlayedAs, "rank", another(PlayRank)),
    "declared: window": another_window,
    "declared: no more": said_no_more,
    "declared: as it looks": said_as_it_looks,
    "declared: as anything": said_as_anything,
}
"""Every way to change what a play is declared to be, by name."""
