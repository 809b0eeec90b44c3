"""The door of the viewer: rows, hands, tables, settlements, out of logs and out of archives."""

import shutil
from pathlib import Path

import pytest
from msgspec.structs import asdict, replace

from replay.engine.board import Phrase
from replay.reader import (
    HandPage,
    HandQuery,
    HandRow,
    NotFound,
    Reader,
    Unreadable,
    open_reader,
)
from replay.verify import HandResult, verified_hands, verify
from schema.events import ClimbingSettled, Dealt, Fact, HandAborted, Played, TrickWon
from schema.logfile import open_log
from tests.archives import hands, head, indexed
from tests.viewer_logs import (
    BLOCKED,
    CLEAN,
    FALSE_SETTLEMENT,
    FALSE_TRICK,
    FAULTY,
    HOSTILE,
    JUNK,
    dated,
    folder_of_logs,
    ids_in,
    live_bytes,
)

SAMPLES = Path(__file__).parent.parent / "sample_logs"

ALL = HandQuery(size=200)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs that all these tests look at."""
    return folder_of_logs(tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="module")
def logs(folder: Path) -> Reader:
    """A reader of the folder, indexed to the end."""
    return whole(folder)


@pytest.fixture(scope="module")
def archive(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """A reader of an archive of the same logs."""
    path = tmp_path_factory.mktemp("archive") / "a"
    indexed(path, folder)
    return open_reader(path)


def whole(path: Path) -> Reader:
    """A reader of logs that has indexed all of them."""
    reader = open_reader(path)
    for _ in range(1000):
        found = reader.hands(ALL)
        if found.scanned == found.files:
            return reader
    raise AssertionError("a few small logs are indexed in a thousand pages")


def walked(path: Path) -> list[HandResult]:
    """The hands of a log as the verifier walks them."""
    with open(path, "rb") as stream:
        found = list(verified_hands(open_log(stream)))
    return [item for item in found if isinstance(item, HandResult)]


def hand_of(reader: Reader, folder: Path, index: int, eye: int | None = None) -> HandPage:
    """The page of a hand of FAULTY."""
    return reader.hand(ids_in(folder / FAULTY)[index], eye)


def test_rows_say_what_the_engine_derives(logs: Reader, folder: Path) -> None:
    """Result, winners and coins come from the rules, also where the log claims others."""
    rows = {row.hand_id: row for row in logs.hands(ALL).rows}
    for name in (CLEAN, FAULTY):
        for hand, result in zip(ids_in(folder / name), walked(folder / name), strict=True):
            due = [claim for step in result.steps for claim in step.due]
            settled = next((claim for claim in due if isinstance(claim, ClimbingSettled)), None)
            row = rows[hand]
            assert (row.index, row.log_name) == (result.hand.index, name)
            if settled is None:
                ended = isinstance(result.hand.events[-1], HandAborted) and result.is_verified
                word = "aborted" if ended else "unverified"
                assert (row.result, row.winners, row.deltas) == (word, (), ())
            else:
                assert row.result == settled.result.name.lower()
                assert (row.winners, row.deltas) == (settled.winners, settled.deltas)


def test_a_file_that_is_no_log_is_listed_with_its_reason(logs: Reader) -> None:
    """It hides nothing else, and its own page says what was found instead."""
    (row,) = (row for row in logs.logs(1).rows if row.name == JUNK)
    assert row.problem is not None
    assert "68 65 6c 6c 6f" in row.problem.en
    page = logs.log(row.log_id)
    assert page.report is None
    assert page.row.problem == row.problem
    assert len(logs.hands(ALL).rows) == 7


def by_path(row: HandRow) -> HandRow:
    """A row without what the two kinds of reader may name differently."""
    return replace(row, log_id="")


QUERIES = {
    "all": ALL,
    "oldest": replace(ALL, sort="oldest"),
    "findings first": replace(ALL, sort="findings"),
    "longest": replace(ALL, sort="longest"),
    "with findings": replace(ALL, findings="some"),
    "clean": replace(ALL, findings="none"),
    "unverified": replace(ALL, result="unverified"),
    "a player by id": replace(ALL, player="bing"),
    "a player by name": replace(ALL, player=HOSTILE),
    "file name": replace(ALL, text="FAULTY"),
    "game": replace(ALL, game="dagong"),
    "no such game": replace(ALL, game="whist"),
    "second page": HandQuery(size=3, page=2),
    "a page too far": HandQuery(size=3, page=99),
    "two filters": replace(ALL, findings="some", text="faulty"),
    "quotes": replace(ALL, player="' OR 1=1 --"),
}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_logs_and_archive_answer_alike(query: HandQuery, logs: Reader, archive: Reader) -> None:
    """The same logs give the same rows, counts and facets, by Python and by SQL."""
    mine, theirs = logs.hands(query), archive.hands(query)
    assert list(map(by_path, mine.rows)) == list(map(by_path, theirs.rows))
    counts = ("total", "page", "pages", "with_findings")
    assert [getattr(mine, name) for name in counts] == [getattr(theirs, name) for name in counts]
    for facet in ("games", "results", "players"):
        assert set(getattr(mine, facet)) == set(getattr(theirs, facet))
    assert set(logs.overview(query).results) == set(archive.overview(query).results)
    assert logs.overview(query).seats == archive.overview(query).seats


def test_a_query_finds_exactly_what_it_asks_for(logs: Reader) -> None:
    """Each filter keeps some hands and drops others, and all that it keeps match."""
    everything = logs.hands(ALL).rows
    flawed = logs.hands(QUERIES["with findings"]).rows
    assert {row.hand_id for row in flawed} == {r.hand_id for r in everything if r.findings}
    assert 0 < len(flawed) < len(everything)
    named = logs.hands(QUERIES["a player by name"]).rows
    assert {row.log_name for row in named} == {FAULTY}
    assert [row.at for row in everything] == sorted((r.at for r in everything), reverse=True)


def test_both_readers_give_the_same_hand(logs: Reader, archive: Reader, folder: Path) -> None:
    """Events, tables, settlement and findings are those of the log, wherever it was found."""
    for index in range(4):
        mine, theirs = hand_of(logs, folder, index), hand_of(archive, folder, index)
        assert mine.moments == theirs.moments
        assert (mine.sheet, mine.findings) == (theirs.sheet, theirs.findings)
        assert (mine.previous, mine.next) == (theirs.previous, theirs.next)


def test_neighbours_are_the_hands_beside_it_in_its_log(logs: Reader, folder: Path) -> None:
    """The first hand has none before it, the last none after it."""
    ids = ids_in(folder / FAULTY)
    pages = [logs.hand(hand, None) for hand in ids]
    assert [page.previous for page in pages] == [None, *ids[:-1]]
    assert [page.next for page in pages] == [*ids[1:], None]


def test_each_event_has_the_table_after_it(logs: Reader, folder: Path) -> None:
    """The board of every event is the game's own view of the state there; a claim keeps it."""
    page = hand_of(logs, folder, 0)
    result = walked(folder / FAULTY)[0]
    assert len(page.moments) == len(result.hand.events)
    for moment, step in zip(page.moments, result.steps, strict=True):
        view = None if step.state is None else result.game.view(step.state, None)
        assert moment.board == view
        assert moment.standing == ("fact" if isinstance(step.event, Fact) else "claim")


@pytest.mark.parametrize("eye", range(4))
def test_an_eye_sees_its_own_cards_and_no_others(logs: Reader, folder: Path, eye: int) -> None:
    """Seen with one eye, no board shows another seat's cards, and no event names them."""
    page = hand_of(logs, folder, 0, eye)
    boards = [moment.board for moment in page.moments if moment.board is not None]
    assert boards
    for board in boards:
        shown = [seat.seat for seat in board.seats if seat.cards is not None]
        assert shown == [eye]
    dealt = next(moment for moment in page.moments if moment.kind == "dealt")
    assert (dealt.cards, dealt.label) == (b"", Phrase("event.dealt", dealt.label.slots))
    assert all(not isinstance(value, bytes) for _, value in dealt.label.slots)


def test_what_comes_before_the_first_play_belongs_to_no_trick(logs: Reader, folder: Path) -> None:
    """The last answer opens the first trick but is not part of it."""
    moments = hand_of(logs, folder, 0).moments
    first = next(moment.index for moment in moments if moment.kind == "played")
    assert {moment.trick for moment in moments[:first]} == {0}
    assert moments[first].trick == 1


def test_findings_stand_at_their_events(logs: Reader, folder: Path) -> None:
    """A hand's findings are the verifier's, and the event of each points back to it."""
    page = hand_of(logs, folder, FALSE_TRICK)
    with open(folder / FAULTY, "rb") as stream:
        report = verify(open_log(stream))
    assert page.findings == tuple(f for f in report.findings if f.hand == FALSE_TRICK)
    (finding,) = page.findings
    flawed = {moment.index: moment.findings for moment in page.moments if moment.findings}
    assert finding.event is not None
    assert flawed == {finding.event: (0,)}
    assert page.moments[finding.event].kind == "trick_won"


def test_behind_a_blocking_fault_nothing_is_defined(logs: Reader, folder: Path) -> None:
    """The event of the fault is the first without a table; all after it have none either."""
    page = hand_of(logs, folder, BLOCKED)
    (finding,) = page.findings
    assert page.unverified_from == finding.event
    assert finding.event is not None
    boards = [moment.board is None for moment in page.moments]
    assert not boards[finding.event - 1]
    assert all(boards[finding.event :])
    assert page.sheet == ()
    assert hand_of(logs, folder, 0).unverified_from is None


def test_the_settlement_shows_what_is_due_and_what_was_claimed(logs: Reader, folder: Path) -> None:
    """Derived values stand in the sheet; a false claim beside the cells that differ, only there."""
    page = hand_of(logs, folder, FALSE_SETTLEMENT)
    lines = {line.name: line for line in page.sheet}
    result = walked(folder / FAULTY)[FALSE_SETTLEMENT]
    due = [claim for step in result.steps for claim in step.due]
    (derived,) = (claim for claim in due if isinstance(claim, ClimbingSettled))
    (claimed,) = (e for e in result.hand.events if isinstance(e, ClimbingSettled))
    deltas = lines["field.deltas"]
    assert tuple(cell.value for cell in deltas.cells) == derived.deltas
    assert [cell.logged for cell in deltas.cells] == [*claimed.deltas[:2], None, None]
    others = [line for name, line in lines.items() if name != "field.deltas"]
    assert all(cell.logged is None for line in others for cell in line.cells)
    assert tuple(cell.value for cell in lines["field.captured"].cells) == derived.captured
    assert lines["field.result"].cells[0].value == Phrase(f"result.{derived.result.name.lower()}")


def test_captured_points_come_from_the_tricks_that_brought_them(logs: Reader, folder: Path) -> None:
    """The events of a seat's captured points are followed by the claims that add up to them.

    Who has captured none is led to the settlement.
    """
    pages = [logs.hand(hand, None) for hand in ids_in(folder / CLEAN)]
    page = next(page for page in pages if page.sheet)
    events = walked(folder / CLEAN)[page.row.index].hand.events
    captured = next(line for line in page.sheet if line.name == "field.captured")
    for seat, cell in enumerate(captured.cells):
        points = 0
        assert cell.events
        if not cell.value:
            assert [type(events[at]) for at in cell.events] == [ClimbingSettled]
            continue
        for at in cell.events:
            assert isinstance(events[at], Fact)
            won = next(event for event in events[at:] if isinstance(event, TrickWon))
            assert won.seat == seat
            points += won.points
        assert points == cell.value


@pytest.mark.parametrize("game", ["dagong", "chibi_dagun", "chaodipi", "gunzi"])
def test_every_value_of_a_settlement_leads_to_an_event(game: str, tmp_path: Path) -> None:
    """In the hands of a match: nothing that can be read there comes from nowhere."""
    sample = SAMPLES / game / "clean" / "match-random.paipu"
    shutil.copy(sample, tmp_path)
    reader = open_reader(tmp_path)
    pages = [reader.hand(hand, None) for hand in ids_in(sample)[:6]]
    lines = [line for page in pages for line in page.sheet]
    assert len(lines) > 10
    assert [line.name for line in lines for cell in line.cells if not cell.events] == []


def test_a_log_that_grows_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand that is added appears, and one that is gone with its file disappears."""
    monkeypatch.setattr("replay.reader.logs.STAT_EVERY", 0.0)
    played = dated(hands(3, seed=5), 0)
    log = tmp_path / CLEAN
    log.write_bytes(live_bytes(played[:2], head(1)))
    reader = whole(tmp_path)
    assert len(reader.hands(ALL).rows) == 2
    log.write_bytes(live_bytes(played, head(1)))
    assert len(reader.hands(ALL).rows) == 3
    log.unlink()
    assert reader.hands(ALL).rows == ()


def test_a_hand_in_progress_is_not_listed(tmp_path: Path) -> None:
    """Readers of live files see committed hands only; the log page says that one is open."""
    first, second, *_ = dated(hands(2, seed=5), 0)
    log = tmp_path / CLEAN
    log.write_bytes(live_bytes([first, second[:-1]], head(1)))
    reader = whole(log)
    (row,) = reader.hands(ALL).rows
    report = reader.log(row.log_id).report
    assert report is not None
    assert report.in_progress


def test_two_copies_of_one_log_have_pages_of_their_own(folder: Path, tmp_path: Path) -> None:
    """Hands that both hold are listed once; each file keeps its report."""
    shutil.copy(folder / CLEAN, tmp_path / "a.paipu")
    shutil.copy(folder / CLEAN, tmp_path / "b.paipu")
    reader = whole(tmp_path)
    assert len(reader.hands(ALL).rows) == 3
    rows = reader.logs(1).rows
    assert len({row.log_id for row in rows}) == 2
    assert {reader.log(row.log_id).row.name for row in rows} == {"a.paipu", "b.paipu"}


@pytest.mark.parametrize("source", ["logs", "archive"])
def test_an_unknown_name_is_not_found(source: str, request: pytest.FixtureRequest) -> None:
    """Hands, logs and games that are not here are said to be not here."""
    reader: Reader = request.getfixturevalue(source)
    with pytest.raises(NotFound, match="hand"):
        reader.hand("0" * 16, None)
    with pytest.raises(NotFound, match="log"):
        reader.log("nothing")
    with pytest.raises(NotFound, match="game"):
        reader.rules("whist")


def test_an_archive_says_when_a_log_is_gone_or_another(tmp_path: Path) -> None:
    """A list outlives its logs; a hand whose bytes are gone or different is not shown."""
    log = tmp_path / "logs" / CLEAN
    log.parent.mkdir()
    log.write_bytes(live_bytes(dated(hands(2, seed=5), 0), head(1)))
    indexed(tmp_path / "archive", log.parent)
    wanted = ids_in(log)[1]
    reader = open_reader(tmp_path / "archive")
    assert reader.hand(wanted, None).row.index == 1
    log.write_bytes(live_bytes(dated(hands(2, seed=7), 0), head(1)))
    with pytest.raises(Unreadable, match="not in it any more"):
        reader.hand(wanted, None)
    log.unlink()
    with pytest.raises(Unreadable, match="no such file"):
        reader.hand(wanted, None)
    assert len(reader.hands(ALL).rows) == 2
    (row,) = reader.logs(1).rows
    page = reader.log(row.log_id)
    assert page.report is None
    assert page.row.problem is not None


def test_an_archive_shows_what_is_indexed_later(tmp_path: Path) -> None:
    """A reader that is open sees the next commit without being opened again."""
    log = tmp_path / CLEAN
    log.write_bytes(live_bytes(dated(hands(1, seed=5), 0), head(1)))
    indexed(tmp_path / "archive", log)
    reader = open_reader(tmp_path / "archive")
    assert len(reader.hands(ALL).rows) == 1
    log.write_bytes(live_bytes(dated(hands(2, seed=5), 0), head(1)))
    indexed(tmp_path / "archive", log)
    assert len(reader.hands(ALL).rows) == 2


def test_a_path_where_nothing_is_cannot_be_opened(tmp_path: Path) -> None:
    """Better said at once than as an empty list."""
    with pytest.raises(FileNotFoundError, match="missing"):
        open_reader(tmp_path / "missing")


def test_rules_are_those_of_the_book_in_its_order(logs: Reader) -> None:
    """Every rule of the game has an entry, sections in ascending order."""
    entries = logs.rules("dagong")
    sections = [int(entry.section.removeprefix("dagong-")) for entry in entries]
    assert sections == sorted(sections)
    assert len({entry.id for entry in entries}) == len(entries)


def test_plays_and_deals_name_themselves(logs: Reader, folder: Path) -> None:
    """A play is labelled by its type and carries its cards; slots of other events are words."""
    moments = hand_of(logs, folder, 0).moments
    events = walked(folder / FAULTY)[0].hand.events
    for moment, event in zip(moments, events, strict=True):
        assert moment.cards == (event.cards if isinstance(event, Played) else b"")
        if isinstance(event, Dealt):
            assert asdict(moment.label)["slots"] == (("start", event.start),)
        if isinstance(event, Played):
            assert moment.label.key.startswith("play.")
            assert moment.by == "player"
