"""The settlement line by line, as derived: each value with the events that it comes from."""

from collections.abc import Iterator
from enum import Enum
from typing import Any, get_args, get_type_hints

from msgspec import Struct
from msgspec.structs import fields

from replay.engine.board import Phrase
from replay.engine.facts import HandFacts
from replay.reader.pages import Cell, CellValue, SheetLine
from replay.verify import HandResult
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
    lines = {line.name: line for line in _claim_lines(derived, logged, sources)}
    coins = lines.pop("field.deltas", None)
    state = next(step.state for step in reversed(result.steps) if step.state is not None)
    return (
        *lines.values(),
        *_share(derived, options),
        *_parts(result.game.summary(state), sources),
        *(() if coins is None else (coins,)),
        *_next(derived),
    )


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
    for step in result.steps:
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
    return _Sources(end, deal, tricks, tuple(places), settled)


def _claim_lines(derived: Any, logged: Any, sources: _Sources) -> Iterator[SheetLine]:
    """A line per field of the settlement but `next`, which the opening of the next hand states."""
    hints = get_type_hints(type(derived))
    for field in fields(derived):
        if field.name == "next":
            continue
        value = getattr(derived, field.name)
        claimed = value if logged is None else getattr(logged, field.name)
        name = f"field.{field.name}"
        if _is_per_seat(hints[field.name]):
            cells = _per_seat(field.name, value, claimed, sources)
            yield SheetLine(name, True, cells)
        else:
            yield SheetLine(name, False, _whole(field.name, value, claimed, sources))


def _is_per_seat(hint: Any) -> bool:
    """Four values, always: one a seat. A tuple of any length lists seats or bonuses."""
    return get_args(hint) == (int, int, int, int)


def _per_seat(
    name: str, value: tuple[int, ...], claimed: tuple[int, ...], sources: _Sources
) -> tuple[Cell, ...]:
    return tuple(
        Cell(
            value[seat],
            sources.tricks[seat] if name == "captured" else sources.settled or sources.end,
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


def _share(derived: Any, options: Any) -> tuple[SheetLine, ...]:
    """What the fan multiplies: base coins, and one share of base × fan."""
    base, fan = getattr(options, "base", None), getattr(derived, "fan", None)
    if base is None or fan is None:
        return ()
    return (
        SheetLine("view.sheet.base", False, (Cell(base),)),
        SheetLine("view.sheet.share", False, (Cell(base * fan),)),
    )


def _parts(facts: HandFacts, sources: _Sources) -> Iterator[SheetLine]:
    """What the coins are the sum of, if there are bonuses: of the hand, of the bonuses."""
    deltas = [seat.delta or 0 for seat in facts.seats]
    bonus = [seat.bonus or 0 for seat in facts.seats]
    if any(bonus):
        hand = tuple(Cell(deltas[seat] - bonus[seat], sources.end) for seat in _SEATS)
        yield SheetLine("view.sheet.of_hand", True, hand)
        yield SheetLine("view.sheet.of_bonuses", True, tuple(Cell(b, sources.deal) for b in bonus))


def _next(derived: Any) -> Iterator[SheetLine]:
    """What the next hand opens with."""
    carry = derived.next
    for field in fields(carry):
        value = getattr(carry, field.name)
        if field.name == "dealer":
            yield SheetLine("view.sheet.next_dealer", False, (Cell((value,)),))
        elif field.name == "balances":
            yield SheetLine("view.sheet.balances", True, tuple(Cell(coins) for coins in value))
