"""The list of hands is the same law twice: in Python over logs, and in SQL over an archive."""

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from replay.reader import (
    LOG_SORTS,
    SORTS,
    HandList,
    HandQuery,
    HandRow,
    LogQuery,
    Reader,
    open_reader,
)
from tests.archives import indexed

SAMPLES = Path(__file__).parent.parent / "sample_logs"
ALL = HandQuery(size=200)
EPOCH = date(1970, 1, 1)


def whole(path: Path) -> Reader:
    """A reader of logs that has indexed all of them."""
    reader = open_reader(path)
    while (found := reader.hands(ALL)).scanned < found.files:
        pass
    return reader


@pytest.fixture(scope="module")
def logs() -> Reader:
    """The sample logs of every game, as a folder."""
    return whole(SAMPLES)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """An archive of the same logs."""
    path = tmp_path_factory.mktemp("archive") / "a"
    indexed(path, SAMPLES)
    return open_reader(path)


@pytest.fixture(scope="module")
def everything(logs: Reader) -> list[HandRow]:
    """Every hand, as the folder has it."""
    return list(logs.every(ALL))


def alike(row: HandRow) -> HandRow:
    """A row without what the two kinds of reader name differently: an archive knows no folder."""
    return replace(row, log_id="", log_name=row.log_name.rpartition("/")[2])


def counts(found: HandList) -> dict[str, Any]:
    """All numbers of a list."""
    names = ("total", "page", "pages", "with_findings", "without_findings")
    facets = ("games", "results", "players", "modes", "levels")
    return {name: getattr(found, name) for name in (*names, *facets)}


OPTIONAL: dict[str, st.SearchStrategy[Any]] = {
    "game": st.sampled_from(["dagong", "chibi_dagun", "chaodipi", "gunzi", "whist"]),
    "player": st.sampled_from(["jia", "yi", "bing", "ding", "甲", "丁", "' OR 1=1 --"]),
    "result": st.sampled_from(["points", "held", "taken", "solo_won", "aborted", "unverified"]),
    "findings": st.sampled_from(["some", "none"]),
    "text": st.sampled_from(["paipu", "BROKEN", "format", "a", "e1", "%", "é"]),
    "since": st.dates().map(str) | st.sampled_from(["2024-01-01", "2025-03-01", "2025-06-30"]),
    "until": st.dates().map(str) | st.sampled_from(["2024-12-31", "2025-03-01", "2026-01-01"]),
    "mode": st.sampled_from(["friend", "solo", "level", "flag"]),
    "level": st.sampled_from(["2", "3", "T", "A", "F"]),
    "bombs": st.integers(0, 12),
    "longer": st.integers(0, 200),
    "shorter": st.integers(0, 300),
    "fan": st.integers(0, 6),
    "score_from": st.integers(-20, 300),
    "score_to": st.integers(-20, 300),
    "seat": st.integers(0, 3),
    "role": st.sampled_from(["dealer", "partner", "opponent", "attacker", "soloist", "player"]),
    "won": st.sampled_from(["yes", "no"]),
    "decided": st.sampled_from(["yes", "no"]),
    "player_id": st.sampled_from(["jia", "yi", "ding", "甲", "' OR 1=1 --"]),
}
SHOWN = {
    "sort": st.sampled_from(SORTS),
    "page": st.integers(1, 8),
    "size": st.sampled_from([1, 7, 50, 200]),
}
FEW = st.sets(st.sampled_from(sorted(OPTIONAL)), max_size=4)
QUERIES = FEW.flatmap(
    lambda fields: st.builds(HandQuery, **{name: OPTIONAL[name] for name in fields}, **SHOWN)
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(query=QUERIES)
def test_both_readers_obey_every_query_alike(
    logs: Reader, archive: Reader, query: HandQuery
) -> None:
    """Whatever is asked: the same hands in the same order, and the same counts."""
    mine, theirs = logs.hands(query), archive.hands(query)
    assert counts(mine) == counts(theirs)
    assert list(map(alike, mine.rows)) == list(map(alike, theirs.rows))
    assert logs.overview(query) == archive.overview(query)


@pytest.mark.parametrize("sort", SORTS)
def test_all_pages_together_are_the_whole_list(archive: Reader, logs: Reader, sort: Any) -> None:
    """No hand is on two pages or on none, and a table for download has the same order."""
    query = HandQuery(sort=sort, size=200)
    pages = archive.hands(query).pages
    paged = [
        row for page in range(1, pages + 1) for row in archive.hands(replace(query, page=page)).rows
    ]
    assert list(archive.every(query)) == paged
    assert list(map(alike, logs.every(query))) == list(map(alike, paged))


def has(**fields: Any) -> HandQuery:
    """The query for these."""
    return HandQuery(**fields)


LAWS: dict[str, tuple[HandQuery, Callable[[HandRow], bool]]] = {
    "mode": (has(mode="solo"), lambda row: row.mode == "solo"),
    "level": (has(level="T"), lambda row: row.level == "T"),
    "bombs": (has(bombs=2), lambda row: row.bombs >= 2),
    "length": (has(longer=40, shorter=60), lambda row: 40 <= row.events <= 60),
    "fan": (has(fan=2), lambda row: row.fan == 2),
    "score": (
        has(score_from=80, score_to=120),
        lambda row: row.score is not None and 80 <= row.score <= 120,
    ),
    "seat that won": (has(seat=2, won="yes"), lambda row: 2 in row.winners),
    "seat that lost": (
        has(seat=2, won="no"),
        lambda row: bool(row.winners) and 2 not in row.winners,
    ),
    "player by his id, who won": (
        has(player_id="jia", won="yes"),
        lambda row: any(row.players[seat].id == "jia" for seat in row.winners),
    ),
    "decided": (has(decided="yes"), lambda row: bool(row.winners)),
    "undecided": (has(decided="no"), lambda row: not row.winners),
    "role of a seat": (has(seat=1, role="dealer"), lambda row: row.roles[1:2] == ("dealer",)),
    "player who lost as dealer": (
        has(player="甲", role="dealer", won="no"),
        lambda row: any(
            person.name == "甲" and role == "dealer" and row.winners and seat not in row.winners
            for seat, (person, role) in enumerate(zip(row.players, row.roles, strict=False))
        ),
    ),
}


@pytest.mark.parametrize(("query", "law"), LAWS.values(), ids=LAWS.keys())
def test_a_filter_keeps_what_it_says_and_nothing_else(
    archive: Reader, everything: list[HandRow], query: HandQuery, law: Callable[[HandRow], bool]
) -> None:
    """Told from the rows themselves, some are kept and some are not."""
    kept = {row.hand_id for row in everything if law(row)}
    assert 0 < len(kept) < len(everything)
    assert {row.hand_id for row in archive.every(query)} == kept


def test_days_are_whole_days_and_both_are_included(
    archive: Reader, everything: list[HandRow]
) -> None:
    """A hand at the last millisecond of a day is of that day, the next one is not."""
    day = 86_400_000
    first = min(row.at for row in everything if row.at > day) // day
    name = str(EPOCH + timedelta(days=first))
    kept = {row.hand_id for row in everything if row.at // day == first}
    assert kept
    assert {row.hand_id for row in archive.every(HandQuery(since=name, until=name))} == kept


@pytest.mark.parametrize("day", ["2025-13-01", "20250301", "2025-W09-6", "yesterday", "2025-3-1"])
def test_what_is_no_day_is_refused(logs: Reader, archive: Reader, day: str) -> None:
    """Neither reader guesses what was meant."""
    for reader in (logs, archive):
        with pytest.raises(ValueError, match=r"day|isoformat|month|range"):
            reader.hands(HandQuery(since=day))
        with pytest.raises(ValueError, match=r"day|isoformat|month|range"):
            reader.hands(HandQuery(until=day))


def test_bombs_are_those_of_the_archive(archive: Reader, everything: list[HandRow]) -> None:
    """Counted from the walked hand, they are what the archive counted in the tricks."""
    stored = {row.hand_id: row.bombs for row in archive.every(ALL)}
    assert {row.hand_id: row.bombs for row in everything} == stored
    assert max(stored.values()) > 3


def test_every_log_is_there_for_download(logs: Reader, archive: Reader) -> None:
    """All of them, beyond the first page, the unreadable ones too; or those of one game."""
    for reader in (logs, archive):
        rows = list(reader.every_log())
        assert len(rows) == reader.logs(1).total > 100
        assert any(row.problem for row in rows)
        assert {row.game for row in reader.every_log(LogQuery(game="gunzi"))} == {"gunzi"}


def test_what_cannot_be_read_is_told_alike(logs: Reader, archive: Reader) -> None:
    """Why, by the byte, in both languages: an archive has kept no more than a line of English."""
    told = [
        {row.name.rpartition("/")[2]: row.problem for row in reader.every_log() if row.problem}
        for reader in (logs, archive)
    ]
    assert told[0] == told[1]
    assert all(problem.zh != problem.en for problem in told[1].values())


@given(
    query=st.builds(
        LogQuery,
        game=st.sampled_from(["", "dagong", "gunzi", "whist"]),
        text=st.sampled_from(["", "PAIPU", "a", "%"]),
        findings=st.sampled_from(["", "some", "none", "unreadable"]),
        sort=st.sampled_from(LOG_SORTS),
    )
)
@settings(max_examples=60, deadline=None)
def test_both_readers_list_logs_alike(logs: Reader, archive: Reader, query: LogQuery) -> None:
    """The same logs in the same order, whatever is asked; a page begins as the whole does."""
    mine, theirs = [
        [(row.name.rpartition("/")[2], row.findings) for row in reader.every_log(query)]
        for reader in (logs, archive)
    ]
    assert mine == theirs
    shown = archive.logs(1, query)
    assert [(row.name, row.findings) for row in shown.rows] == theirs[:100]
    assert shown.total == len(theirs)
