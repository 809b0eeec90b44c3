"""The settlement sheet of 四副滚子: it adds up, and says who pays whom next and what for."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from replay.engine.board import Phrase
from replay.engine.gunzi.presets import DEAD, DEFAULT
from replay.engine.gunzi.states import Over
from replay.reader.sheet import sheet
from replay.verify import HandResult
from schema.cards import BLACK_JOKER
from schema.gunzi import GunziEnding
from schema.schemas import SCHEMAS
from tests import builders_gunzi, gunzi_hand


@cache
def matches() -> tuple[HandResult, ...]:
    """The hands of a few matches, played to their ends."""
    found: list[HandResult] = []
    for seed in range(6):
        options = DEAD if seed % 2 else DEFAULT
        style = builders_gunzi.Style(clump=0.3, below=0.2, shows=0.7, buries=0.8)
        match = builders_gunzi.match(options, 6, random.Random(seed), style)
        found += [gunzi_hand.walk(events, options) for events in match]
    return tuple(found)


def settled() -> Iterator[tuple[HandResult, Over, dict[str, Any]]]:
    """Every hand that is over, with its sheet by the names of the lines."""
    schema = SCHEMAS["gunzi/1"]
    for result in matches():
        state = result.steps[-1].state
        assert isinstance(state, Over)
        options = state.before.table.setting.house.options
        yield result, state, {line.name: line for line in sheet(result, schema, options)}


def test_the_sheet_adds_up() -> None:
    """Points in tricks and the bottom by its factor make the score, in every hand."""
    for result, state, lines in settled():

        def number(name: str, lines: dict[str, Any] = lines) -> Any:
            return lines[name].cells[0].value

        counts = number("field.bottom") * number("field.factor")
        assert number("view.sheet.bottom_counts") == counts
        assert number("field.tricks") + counts == number("field.score") == state.settled.score
        for cell in lines["field.tricks"].cells:
            assert all(result.steps[event].due for event in cell.events)
        is_match = state.settled.ending is not GunziEnding.NONE
        assert ("view.sheet.levels" in lines) != is_match
        assert is_match or len(lines["view.sheet.levels"].cells) == 4


def test_the_sheet_says_when_jokers_of_the_bottom_do_not_count() -> None:
    """In a dry bottom, and in one that is captured with less than 120 points; else they do."""
    found = set()
    for _, state, lines in settled():
        bottom, risen = state.before.table.bottom, state.settled.risen
        if "view.sheet.jokers" not in lines:
            assert not any(code >= BLACK_JOKER for code in bottom)
            continue
        key = lines["view.sheet.jokers"].cells[0].value.key
        found.add(key.removeprefix("view.sheet."))
        due = state.settled.next.due_for_jokers
        counts = key == "view.sheet.jokers_there" and not state.settled.next.is_over
        assert (due > 0) == counts
        assert counts or risen <= 1 or state.settled.next.is_over
    assert found == {"jokers_there", "dry_jokers_there", "void_jokers_there"}


def test_the_sheet_says_who_pays_whom_next_and_what_for() -> None:
    """The seat before the next dealer, so many for the score, so many for jokers."""
    n_due = n_over = 0
    for _, state, lines in settled():
        carry = state.settled.next
        if carry.dealer is None:
            n_over += 1
            assert lines["view.sheet.next_dealer"].cells[0].value == Phrase("view.sheet.match_over")
            assert state.settled.ending is not GunziEnding.NONE
            assert "view.sheet.due" not in lines
            continue
        assert lines["view.sheet.next_dealer"].cells[0].value == (carry.dealer,)
        due = carry.due_for_score + carry.due_for_jokers
        said = lines["view.sheet.due"].cells[0].value
        if not due:
            assert (said, "view.sheet.payer" in lines) == (0, False)
            continue
        n_due += 1
        assert lines["view.sheet.payer"].cells[0].value == ((carry.dealer + 3) % 4,)
        slots = {"n": due, "score": carry.due_for_score, "jokers": carry.due_for_jokers}
        assert dict(said.slots) == slots
    assert n_due > 0
