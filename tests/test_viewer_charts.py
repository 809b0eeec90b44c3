"""The charts beside the table: what the boards have, and with an eye no more than it could know."""

from pathlib import Path
from typing import Any

import pytest

from replay.engine.registry import game_names
from replay.messages import LANGS, text
from replay.reader import HandPage, HandQuery, open_reader, trump_faces
from webviewer.charts import steppers
from webviewer.words import Words

SAMPLES = Path(__file__).parent.parent / "sample_logs"
LEVEL_GAMES = {"chaodipi", "gunzi"}


def hands(game: str, eye: int | None, n: int = 2) -> list[HandPage]:
    """The first hands of a sample match as an eye sees them."""
    reader = open_reader(SAMPLES / game / "clean" / "match-greedy.paipu")
    rows = reader.hands(HandQuery(sort="oldest")).rows[:n]
    return [reader.hand(row.hand_id, eye) for row in rows]


def lines(page: HandPage, word: str) -> dict[str, list[Any]]:
    """The lines of one chart by name; empty where the hand has no such chart."""
    found = steppers(page, Words("zh"))
    assert found is not None
    titles = [note["text"] for note in found["figure"]["layout"]["annotations"]]
    title = text("zh", f"view.chart.{word}")
    if title not in titles:
        return {}
    axis = "y" if titles.index(title) == 0 else f"y{titles.index(title) + 1}"
    return {line["name"]: line["y"] for line in found["figure"]["data"] if line["yaxis"] == axis}


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("eye", [None, 2])
def test_a_chart_is_there_where_the_boards_have_what_it_shows(game: str, eye: int | None) -> None:
    """Trumps in games that have trumps, bombs in games that have bombs, cards left in all."""
    for page in hands(game, eye):
        assert bool(lines(page, "trumps_left")) == (game in LEVEL_GAMES)
        assert bool(lines(page, "bombs")) == any(moment.is_bomb for moment in page.moments)
        left = lines(page, "cards_left")
        for seat, person in enumerate(page.row.players):
            boards = [moment.board for moment in page.moments]
            assert left[person.name] == [b and b.seats[seat].count for b in boards]


@pytest.mark.parametrize("game", game_names())
def test_what_is_public_is_the_same_for_every_eye(game: str) -> None:
    """Points, cards left and bombs lie open on the table."""
    for word in ("points", "cards_left", "bombs"):
        all_cards = [lines(page, word) for page in hands(game, None)]
        for eye in range(4):
            assert [lines(page, word) for page in hands(game, eye)] == all_cards


@pytest.mark.parametrize("game", sorted(LEVEL_GAMES))
def test_a_seat_is_told_of_trumps_what_it_can_count(game: str) -> None:
    """Its own, and all that are out: never who of the others holds them."""
    for eye in range(4):
        for page in hands(game, eye, 1):
            told = lines(page, "trumps_left")
            own, out = told[page.row.players[eye].name], told[text("zh", "view.chart.trumps_out")]
            assert len(told) == 2
            for moment, mine, others in zip(page.moments, own, out, strict=True):
                if moment.board is None or moment.board.trump is None:
                    assert (mine, others) == (None, None)
                    continue
                trumps = trump_faces(moment.board.order, moment.board.trump)
                assert mine == sum(c in trumps for c in moment.board.seats[eye].cards or b"")
                assert others == sum((moment.out or b"")[code] for code in trumps)


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("lang", LANGS)
def test_the_tables_say_what_the_charts_draw(game: str, lang: str) -> None:
    """A table for each chart, a row for each trick, with the value at its last event."""
    for page in hands(game, None):
        found = steppers(page, Words(lang))
        assert found is not None
        notes = found["figure"]["layout"]["annotations"]
        assert [table["title"] for table in found["tables"]] == [note["text"] for note in notes]
        drawn = iter(found["figure"]["data"])
        for table in found["tables"]:
            for at, _ in enumerate(table["names"]):
                values = next(drawn)["y"]
                for _, step, row in table["rows"]:
                    assert row[at] == values[step - 1]
        assert next(drawn, None) is None


def test_bombs_are_counted_by_seat_in_their_order() -> None:
    """Every bomb lifts the line of its seat by one, at its event."""
    (page,) = hands("dagong", None, 1)
    laid = [moment for moment in page.moments if moment.is_bomb]
    counts = lines(page, "bombs")
    assert laid
    for moment in laid:
        assert moment.seat is not None
        line = counts[page.row.players[moment.seat].name]
        assert line[moment.index] == line[moment.index - 1] + 1
    assert sum(line[-1] for line in counts.values()) == len(laid)
