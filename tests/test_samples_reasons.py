"""What is said of sample hands where the reason is easily mistaken: passes, shows, a sheet."""

import pytest

from replay.position import Act, Position, position
from replay.reader import HandPage, HandQuery, Reader, open_reader
from replay.reader.pages import SheetLine
from replay.verify import HandResult, verified_hands
from schema import gunzi
from schema.cards import parse_cards
from schema.chaodipi import Declared
from schema.logfile import open_log
from tests.shelled import ROOT

SAMPLES = ROOT / "sample_logs"


def reader_of(sample: str) -> Reader:
    """The reader of one sample log."""
    return open_reader(SAMPLES / sample)


def hand_of(sample: str, number: int = 0) -> HandPage:
    """A hand of it."""
    reader = reader_of(sample)
    rows = sorted(reader.hands(HandQuery()).rows, key=lambda row: row.index)
    return reader.hand(rows[number].hand_id, None)


def walked(sample: str, number: int = 0) -> HandResult:
    """The same hand, walked."""
    with (SAMPLES / sample).open("rb") as stream:
        hands = [item for item in verified_hands(open_log(stream)) if isinstance(item, HandResult)]
    return hands[number]


def kinds(page: HandPage, *words: str) -> list[int]:
    """The events of a hand with these words."""
    return [moment.index for moment in page.moments if moment.kind in words]


def line_of(page: HandPage, name: str) -> SheetLine:
    """The line of the sheet with this name."""
    (line,) = (line for line in page.sheet if line.name == name)
    return line


def rules_of(found: Position) -> list[str]:
    """What forbids what was asked about."""
    assert found.asked is not None
    return [finding.rule for finding in found.asked.findings]


@pytest.mark.parametrize(
    ("sample", "number", "lead", "answer"),
    [
        ("chaodipi/clean/match-random.paipu", 3, "chaodipi-7.2", "chaodipi-8.1"),
        ("gunzi/clean/match-random.paipu", 2, "gunzi-6.2", "gunzi-7.3"),
    ],
)
def test_nobody_passes_where_every_seat_plays(
    sample: str, number: int, lead: str, answer: str
) -> None:
    """A pass is no cards: too few for a lead, and not as many as were led for an answer."""
    result = walked(sample, number)
    plays = [step.index for step in result.steps if type(step.event).__name__ == "Played"]
    asked = [rules_of(position(result, event, Act(b""), None)) for event in plays[:4]]
    assert asked == [[lead], [answer], [answer], [answer]]


def test_a_show_can_be_asked_about_by_who_could_make_it() -> None:
    """While declaring is open: what is no show, what is too weak; of a seat that looks."""
    result = walked("chaodipi/clean/overturned.paipu.jsonl")
    shows = [step for step in result.steps if type(step.event).__name__ == "Declared"]
    event, second = shows[1].index, shows[1].event
    assert isinstance(second, Declared)
    before = position(result, event, None, second.seat)
    assert before.player == second.seat
    assert before.board is not None
    own = before.board.seats[second.seat].cards
    assert own is not None
    assert rules_of(position(result, event, Act(second.cards), second.seat)) == []
    assert rules_of(position(result, event, Act(own[:1]), second.seat)) == ["chaodipi-4.2"]


def test_a_first_joker_that_must_not_be_late_is_listed() -> None:
    """gunzi-3.18: it may be shown as soon as it is dealt, though not after the last card."""
    result = walked("gunzi/clean/option-no-late-first-show.paipu.jsonl")
    found = position(result, 3, None, None)
    sets = [each for group in found.plays for each in group.sets]
    joker = parse_cards("Rj")
    assert {each.cards for each in sets} == {joker}
    shown = result.steps[3].event
    assert isinstance(shown, gunzi.Declared)
    assert shown.seat in {each.seat for each in sets}


def test_jokers_of_a_bottom_lead_to_the_burials() -> None:
    """Of the dealer, and of the others who laid theirs away."""
    page = hand_of("gunzi/clean/jokers-of-others.paipu.jsonl")
    cell = line_of(page, "view.sheet.jokers").cells[0]
    assert list(cell.events) == kinds(page, "buried", "jokers_buried")
    assert len(cell.events) == 3


def test_a_bottom_leads_to_its_last_burial() -> None:
    """What was taken up again and laid away anew is another bottom."""
    page = hand_of("chaodipi/clean/bottom-stirred.paipu.jsonl", -1)
    buried = kinds(page, "buried")
    assert len(buried) > 1
    assert line_of(page, "field.bottom").cells[0].events == (buried[-1],)


def test_levels_set_by_red_fives_lead_to_their_show() -> None:
    """Not to the last play."""
    page = hand_of("chaodipi/clean/red-fives-lost.paipu.jsonl")
    shown = line_of(page, "field.effect").cells[0].events
    assert len(shown) == 1
    (moment,) = (moment for moment in page.moments if moment.index == shown[0])
    assert moment.kind in ("declared", "stirred")
    assert moment.board is not None
    assert ("n", 8) in moment.board.shows[-1].label.slots


@pytest.mark.parametrize(
    "sample", ["bang.paipu.jsonl", "solo-won.paipu.jsonl", "solo-lost.paipu.jsonl"]
)
def test_points_are_handed_over_only_where_there_is_a_last(sample: str) -> None:
    """dagong-13.7, 13.8, chibi_dagun-8.7: no line of transfers where nobody is 末游."""
    names = {line.name for line in hand_of(f"chibi_dagun/clean/{sample}").sheet}
    assert names.isdisjoint({"field.left", "field.final"})
    assert {"field.captured", "field.deltas"} <= names
    reader = reader_of("chibi_dagun/clean/match-random.paipu")
    by_points = [row for row in reader.hands(HandQuery()).rows if row.result in ("points", "qing")]
    assert by_points
    for row in by_points:
        played = {line.name for line in reader.hand(row.hand_id, None).sheet}
        assert {"field.left", "field.final"} <= played


@pytest.mark.parametrize(
    ("sample", "sides"),
    [
        ("chaodipi-4.12--named-with-jokers", ("nothing", "hearts")),
        ("chaodipi-4.1--after-the-bottom-is-taken", ("before declaring is closed", "too late")),
        ("dagong-2.3--opening-missing", ("an opening", "nothing")),
        (
            "gunzi-3.18--no-suited-card-to-come",
            ("a suited card still to be dealt to the seat", "156"),
        ),
    ],
)
def test_both_sides_of_a_finding_say_something(sample: str, sides: tuple[str, str]) -> None:
    """What was to be, and what the log has instead."""
    reader = reader_of(f"{sample.partition('-')[0]}/broken/{sample}.paipu.jsonl")
    pages = (reader.hand(row.hand_id, None) for row in reader.hands(HandQuery()).rows)
    (finding,) = (finding for page in pages for finding in page.findings)
    assert (finding.expected, finding.logged) == sides
