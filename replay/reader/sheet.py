"""The settlement line by line, as derived: each value with the events that it comes from.

What no event alone has brought about comes from the settlement itself.
"""

from enum import Enum
from typing import Any, get_args, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from replay.engine.board import Nth, Phrase, Stated, Told
from replay.reader.pages import Cell, CellValue, SheetLine
from replay.verify import HandResult
from replay.walk import event_word
from schema.events import Claim, Dealt, TrickWon, WentOut
from schema.schemas import Schema

_SEATS = range(4)


class _Sources(Struct, frozen=True):
    """Which events (from 0) decided what."""

    end: tuple[int, ...]
    deal: tuple[int, ...]
    tricks: dict[int, tuple[int, ...]]
    """Per seat: the events that closed the tricks with points which it won."""
    places: tuple[tuple[int, ...], ...]
    """Per place, 一游 first."""
    settled: tuple[int, ...]
    words: dict[str, tuple[int, ...]]
    """The events by their word, those at which a claim with the word is due included."""

    @property
    def last(self) -> tuple[int, ...]:
        """The settlement, or the event behind which it is due where the log has none."""
        return self.settled or self.end


def sheet(result: HandResult, schema: Schema, options: Any) -> tuple[SheetLine, ...]:
    """The settlement of a hand that was played out; empty where the rules settle nothing."""
    derived = _derived(result, schema)
    if derived is None:
        return ()
    logged = next(
        (step.event for step in reversed(result.steps) if isinstance(step.event, schema.settled)),
        None,
    )
    sources = _sources(result, schema)
    state = next(step.state for step in reversed(result.steps) if step.state is not None)
    lines = result.game.sheet(state, options)
    return tuple(
        _line(line, derived, logged, sources)
        for line in lines
        if isinstance(line, Told) or not line.is_idle or _differs(line.field, derived, logged)
    )


def _differs(field: str, derived: Claim, logged: Any) -> bool:
    return logged is not None and getattr(derived, field) != getattr(logged, field)


def _line(line: Stated | Told, derived: Claim, logged: Any, sources: _Sources) -> SheetLine:
    events = tuple(sorted(event for of in line.sources for event in _events(of, sources)))
    match line:
        case Told(name, values, is_per_seat):
            cells = tuple(Cell(value, events or sources.last) for value in values)
            return SheetLine(name, is_per_seat, cells)
        case Stated(field, _, name, _):
            stated = _stated(field, derived, logged, sources)
            stated = replace(stated, name=name or stated.name)
            cells = tuple(
                replace(cell, events=events or cell.events or sources.last) for cell in stated.cells
            )
            return replace(stated, cells=cells)


def _events(of: int | str | Nth, sources: _Sources) -> tuple[int, ...]:
    """The events that a source is: a seat's tricks, `end`, those with a word, or one of these."""
    match of:
        case int():
            return sources.tricks[of]
        case Nth(words, at):
            found = sorted(event for word in words for event in sources.words.get(word, ()))
            return (found[at],) if found else ()
        case _:
            return sources.end if of == "end" else sources.words.get(of, ())


def _derived(result: HandResult, schema: Schema) -> Claim | None:
    for step in reversed(result.steps):
        for claim in step.due:
            if isinstance(claim, schema.settled):
                return claim
    return None


def _sources(result: HandResult, schema: Schema) -> _Sources:
    end: tuple[int, ...] = ()
    deal: tuple[int, ...] = ()
    tricks: dict[int, tuple[int, ...]] = dict.fromkeys(_SEATS, ())
    places: list[tuple[int, ...]] = []
    settled: tuple[int, ...] = ()
    words: dict[str, tuple[int, ...]] = {}
    for step in result.steps:
        for word in {event_word(step.event), *map(event_word, step.due)}:
            words[word] = (*words.get(word, ()), step.index)
        if isinstance(step.event, Dealt):
            deal = (step.index,)
        if isinstance(step.event, schema.settled):
            settled = (step.index,)
        for claim in step.due:
            match claim:
                case TrickWon(seat, points) if points:
                    tricks[seat] = (*tricks[seat], step.index)
                case WentOut():
                    places.append((step.index,))
                case _:
                    end = (step.index,) if isinstance(claim, schema.settled) else end
    return _Sources(end, deal, tricks, tuple(places), settled, words)


def _stated(name: str, derived: Any, logged: Any, sources: _Sources) -> SheetLine:
    """A field of the settlement as derived, and as the log says it where that differs."""
    value = getattr(derived, name)
    claimed = value if logged is None else getattr(logged, name)
    if _is_per_seat(get_type_hints(type(derived))[name]):
        return SheetLine(f"field.{name}", True, _per_seat(name, value, claimed, sources))
    return SheetLine(f"field.{name}", False, _whole(name, value, claimed, sources))


def _is_per_seat(hint: Any) -> bool:
    """Four values, always: one a seat. A tuple of any length lists seats or bonuses."""
    return get_args(hint) == (int, int, int, int)


def _per_seat(
    name: str, value: tuple[int, ...], claimed: tuple[int, ...], sources: _Sources
) -> tuple[Cell, ...]:
    return tuple(
        Cell(
            value[seat],
            sources.tricks[seat] if name == "captured" else sources.last,
            None if claimed[seat] == value[seat] else claimed[seat],
        )
        for seat in _SEATS
    )


def _whole(name: str, value: Any, claimed: Any, sources: _Sources) -> tuple[Cell, ...]:
    """Cells of a value about the whole hand; a list is compared as a whole, in its first cell."""
    values, said = _values(name, value), _values(name, claimed)
    if name == "places":
        events = [*sources.places, *[sources.end] * len(values)]
    else:
        events = [sources.deal if name == "bonuses" else sources.end] * len(values)
    differs = values != said
    cells = [Cell(one, events[k]) for k, one in enumerate(values)]
    if not differs:
        return tuple(cells)
    wrong = _as_one(value, said)
    if not cells:
        return (Cell(Phrase("value.none"), sources.deal, wrong),)
    return (*cells[:-1], Cell(cells[-1].value, cells[-1].events, wrong))


def _as_one(value: Any, said: list[CellValue]) -> CellValue:
    """What the log says instead, as one value."""
    if not said:
        return Phrase("value.none")
    if isinstance(value, tuple) and all(isinstance(one, tuple) for one in said):
        return tuple(seat for one in said if isinstance(one, tuple) for seat in one)
    return said[0]


def _values(name: str, value: Any) -> list[CellValue]:
    match value:
        case Enum():
            return [Phrase(f"{name}.{value.name.lower()}")]
        case tuple() if name == "winners":
            return [value]
        case tuple():
            return [_item(item) for item in value]
        case _:
            return [int(value)]


def _item(item: Any) -> CellValue:
    if isinstance(item, Struct):
        kind = f"bonus.{item.kind.name.lower()}"  # type: ignore[attr-defined]
        seat: int = item.seat  # type: ignore[attr-defined]
        return Phrase("view.sheet.bonus_of", (("seat", seat), ("bonus", kind)))
    return (int(item),)
