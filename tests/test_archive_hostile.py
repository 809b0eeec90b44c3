"""An archive among odd names, odd files, odd SQL, and folders that vanish."""

import json
import os
import shutil
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.archive import Archive, ArchiveError, QueryError, check
from replay.archive import manifest as manifests
from replay.archive.ingest import glance
from replay.archive.paths import kept, on_disk
from replay.archive.writer import Writer
from tests.archives import hands, indexed, live, rows
from tests.shelled import paipu


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive of one log."""
    log = live(tmp_path / "log.paipu", hands(1))
    indexed(tmp_path / "archive", log)
    return tmp_path / "archive"


# Names


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (b"plain \xe7\x89\x8c", "plain 牌"),
        (b"\xff\xfe", r"\xff\xfe"),
        (b"\\xff", r"\x5cxff"),
        (b"\\\xff", r"\\xff"),
        (b"\\x5c", r"\x5cx5c"),
        (b"\\x41 \\n", r"\x41 \n"),
        (b"\xed\xb3\xbf", r"\xed\xb3\xbf"),
    ],
    ids=str,
)
def test_a_path_is_kept_as_text(name: bytes, text: str) -> None:
    """Undecodable bytes escaped, and what would read as such an escape; nothing else."""
    assert kept(os.fsdecode(name)) == text
    assert os.fsencode(on_disk(text)) == name


@given(st.lists(st.sampled_from([b"\\", b"x", b"f", b"5", b"c", b"\xff", b"\xe7\x89\x8c", b"a"])))
def test_no_path_is_lost_in_its_text(pieces: list[bytes]) -> None:
    """There and back: so no two paths have one text."""
    name = b"".join(pieces)
    text = kept(os.fsdecode(name))
    assert text.encode().decode() == text
    assert os.fsencode(on_disk(text)) == name


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_name_that_is_no_utf_8_is_indexed(tmp_path: Path, jobs: int) -> None:
    """With all others in its folder; it is found again, unchanged, grown and gone."""
    logs = tmp_path / "logs"
    logs.mkdir()
    odd = Path(os.fsdecode(os.fsencode(logs) + b"/\xff\xfe.paipu"))
    live(odd, hands(2)[:1], 1)
    live(logs / r"\xff\xfe.paipu", hands(1, seed=2), 2)
    live(logs / "plain.paipu", hands(1, seed=3), 3)
    archive = tmp_path / "archive"
    assert indexed(archive, logs, jobs=jobs).added == 3
    paths = [r"\x5cxff\x5cxfe.paipu", r"\xff\xfe.paipu", "plain.paipu"]
    assert rows(archive, "SELECT path FROM files ORDER BY path") == [
        (f"{logs}/{name}",) for name in sorted(paths)
    ]
    assert indexed(archive, logs, jobs=jobs).unchanged == 3
    assert check(archive).missing == ()
    live(odd, hands(2), 1)
    assert indexed(archive, logs, jobs=jobs).grown == 1
    odd.unlink()
    assert check(archive).missing == (kept(str(odd)),)


def test_an_archive_s_own_path_must_be_utf_8(tmp_path: Path) -> None:
    """DuckDB takes no other: said in a sentence, and no folder is made."""
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    with pytest.raises(ArchiveError, match="an archive's path must be UTF-8"):
        indexed(odd, live(tmp_path / "log.paipu", hands(1)))
    assert not odd.exists()
    odd.mkdir()
    with pytest.raises(ArchiveError, match="an archive's path must be UTF-8"):
        Archive.open(odd)


def test_a_pipe_in_place_of_a_log_is_not_waited_for(tmp_path: Path) -> None:
    """Between the search and the reading a file may become one."""
    os.mkfifo(tmp_path / "log.paipu")
    assert glance(str(tmp_path / "log.paipu")).error == "no regular file"


# Who may read


@pytest.mark.parametrize("made_before", [False, True])
def test_an_archive_is_its_owner_s_alone(tmp_path: Path, made_before: bool) -> None:
    """It holds whole decks: folder 0700 where we make it, segments 0400, the rest 0600."""
    folder = tmp_path / "archive"
    if made_before:
        folder.mkdir(mode=0o750)
    log = live(tmp_path / "log.paipu", hands(1))
    before = os.umask(0o022)
    try:
        with Writer(folder) as writer:
            writer._begin("data-000001.duckdb")
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
        assert modes.pop("data-000001.duckdb.tmp") == 0o600
        indexed(folder, log)
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == (0o750 if made_before else 0o700)
    found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert {mode for name, mode in found.items() if name.endswith(".duckdb")} == {0o400}
    assert {mode for name, mode in found.items() if not name.endswith(".duckdb")} == {0o600}


# What vanishes


@pytest.mark.parametrize("what", ["folder", "MANIFEST"])
def test_an_archive_that_vanishes_while_it_is_open(archive: Path, what: str) -> None:
    """What is open reads on; whatever looks at the folder raises ArchiveError with a sentence."""
    with Archive.open(archive) as opened:
        if what == "folder":
            shutil.rmtree(archive)
        else:
            (archive / what).unlink()
        says = f"{archive} is not an archive: MANIFEST: no such file or folder"
        for ask in (opened.is_current, lambda: Archive.open(archive), lambda: check(archive)):
            with pytest.raises(ArchiveError) as raised:
                ask()
            assert str(raised.value) == says
        assert list(opened.query("SELECT count(*) FROM logs")) == [(1,)]


def test_a_segment_that_vanishes(archive: Path) -> None:
    """Named, with who says that it should be there."""
    segment = min(archive.glob("data-*.duckdb"))
    segment.unlink()
    with pytest.raises(ArchiveError, match=f"MANIFEST lists {segment}, which is not there"):
        Archive.open(archive)


def test_a_folder_that_may_not_be_searched(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rights were taken away between two looks at it."""

    def forbidden(path: Path) -> os.stat_result:
        if path.parent == archive:
            raise PermissionError(13, "Permission denied", str(path))
        return os.stat(path)

    monkeypatch.setattr(Path, "stat", forbidden)
    with pytest.raises(ArchiveError, match=f"{archive} cannot be read: "):
        Archive.open(archive)


def test_a_folder_that_vanishes_under_its_writer(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run ends with ArchiveError, not with the error of whichever file was missed first."""
    log = live(tmp_path / "more.paipu", hands(1, seed=2), 2)

    def gone(folder: Path, manifest: manifests.Manifest) -> None:
        shutil.rmtree(folder)
        replace(folder, manifest)

    replace = manifests.replace
    monkeypatch.setattr(manifests, "replace", gone)
    with pytest.raises(ArchiveError, match=f"{archive}: .*no such file or folder"):
        indexed(archive, log)


# SQL and answers beyond what is usual


def test_sql_that_is_no_text_is_said(archive: Path) -> None:
    """On standard input, as an argument, in Python; and SQL without an end."""
    for sql, stdin in (("-", b"SELECT \xff"), ("SELECT \udcff", b"")):
        done = paipu("query", archive, sql, stdin=stdin)
        assert done.status == 2
        assert done.err == "paipu: SQL is UTF-8 text; at byte 7 stands ff\n"
    with (
        Archive.open(archive) as opened,
        pytest.raises(QueryError, match="SQL is UTF-8 text; character 7 of this is none"),
    ):
        opened.query("SELECT \udcff")
    done = paipu("query", archive, "-", stdin=bytes((1 << 20) + 1))
    assert (done.status, done.err) == (2, "paipu: SQL of more than 1048576 bytes is not read\n")


def test_a_value_beyond_python_s_range_is_told_exactly(archive: Path) -> None:
    """DuckDB has longer intervals, and tells them itself."""
    done = paipu("query", archive, "SELECT INTERVAL '100000000 years' AS v", "--json")
    assert done.json == [{"v": "100000000 years"}]


@pytest.mark.parametrize(
    ("told", "value"),
    [
        ('{"a":NaN}', {"a": None}),
        ("[nan, -NaN, inf, -Infinity, 1]", [None, None, None, None, 1]),
        ('{"NaN": "inf, ]", "b\\"nan": Infinity}', {"NaN": "inf, ]", 'b"nan': None}),
        ('{"a": [1, 2,],}', {"a": [1, 2]}),
        ("12345678901234567890123456789", 12345678901234567890123456789),
        ('",]"', ",]"),
        ("null", None),
    ],
    ids=str,
)
def test_json_is_valid_json(archive: Path, told: str, value: object) -> None:
    """DuckDB's documents may hold more than JSON has; what there is no word for is null."""
    done = paipu("query", archive, f"SELECT '{told}'::JSON AS a, NULL::JSON AS b", "--json")
    assert done.status == 0, done.err

    def refused(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    assert json.loads(done.out, parse_constant=refused) == [{"a": value, "b": None}]
