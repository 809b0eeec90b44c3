"""What clean samples of 四副滚子 promise of their last hand."""

from collections.abc import Callable, Sequence
from typing import Any

from schema.events import Claim, Event, TrickWon
from schema.gunzi import (
    BottomShown,
    GunziSettled,
    JokersBuried,
    TributePaid,
    TributeReturned,
    TrumpSet,
)
from schema.trumps import Trump
from tests.samples.bends import faces

Shows = Callable[[Sequence[Event]], bool]


def settles(**fields: Any) -> Shows:
    """The hand is settled with these fields; those of what comes next are there too."""

    def shows(events: Sequence[Event]) -> bool:
        settled = next(event for event in events if isinstance(event, GunziSettled))
        both = (
            getattr(settled if hasattr(settled, name) else settled.next, name) == value
            for name, value in fields.items()
        )
        return all(both)

    return shows


def sets(trump: str, dealer: int) -> Shows:
    """Trump suit and dealer, as announced."""
    return lambda events: TrumpSet(Trump("dchs".index(trump)), dealer) in events


def n_of(kind: type[Event], number: int) -> Shows:
    """So many events of a kind."""
    return lambda events: sum(isinstance(event, kind) for event in events) == number


def pays(paid: str, returned: str = "") -> Shows:
    """The tribute, and what came back if that is said."""

    def shows(events: Sequence[Event]) -> bool:
        pay, back = (
            next(bytes(sorted(event.cards)) for event in events if isinstance(event, kind))
            for kind in (TributePaid, TributeReturned)
        )
        is_paid = pay == bytes(sorted(faces(paid)))
        return is_paid and (not returned or back == bytes(sorted(faces(returned))))

    return shows


def picks(*picked: str) -> Shows:
    """What the seats that buried jokers took for them."""
    return lambda events: (
        tuple(event.picked for event in events if isinstance(event, JokersBuried))
        == tuple(map(faces, picked))
    )


def bottoms(*dry: bool) -> Shows:
    """A bottom shown for each of these, dry or not."""
    return lambda events: (
        tuple(event.dry for event in events if isinstance(event, BottomShown)) == dry
    )


def wins(*seats: int) -> Shows:
    """These seats win the first tricks of the hand."""

    def shows(events: Sequence[Event]) -> bool:
        won = [event.seat for event in events if isinstance(event, TrickWon)]
        return tuple(won[: len(seats)]) == seats

    return shows


def every(*all_of: Shows) -> Shows:
    """All of these."""
    return lambda events: all(shows(events) for shows in all_of)


def without(kind: type[Claim]) -> Shows:
    """No claim of this kind."""
    return n_of(kind, 0)
