"""What a run says: all that is committed, whatever ends it; damage, growth, what is not read."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from replay.archive import Change, Manner, Summary, index
from replay.archive.manifest import FORMAT
from replay.archive.writer import Writer
from replay.messages import text
from tests import archives
from tests.archives import hands, indexed, live, rows
from tests.shelled import paipu

ROOT = Path(__file__).parent.parent
LANGS = ("zh", "en")
STOPPED = """
import os, signal, sys
from replay.archive import run, survey, workers
from replay.cli import main
run.COMMIT_SECONDS = 0
survey.GROUP_FILES = 1
look = workers.glance
def stopped(path):
    if path.endswith("b.paipu"):
        os.kill(os.getpid(), signal.SIGINT)
    return look(path)
workers.glance = stopped
main()
"""
"""Ctrl-C comes when the second group of files is looked at: the first one is committed."""
LOADING = """
import signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "replay.commands.view":
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder())
from replay.cli import main
main()
"""
"""Ctrl-C comes while paipu is still being loaded."""


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder for logs."""
    folder = tmp_path / "logs"
    folder.mkdir()
    return folder


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Where the archive is to be."""
    return tmp_path / "archive"


def kinds(summary: Summary) -> list[tuple[str, str]]:
    """What was said of which file."""
    return [(change.kind, Path(change.path).name) for change in summary.changes]


def script(text: str, *words: object) -> subprocess.CompletedProcess[str]:
    """A script of the project in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", text, *map(str, words)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


# Committed, and said


@pytest.mark.parametrize("lang", LANGS)
def test_a_refused_prune_marks_nothing_and_says_what_was_added(
    logs: Path, archive: Path, tmp_path: Path, lang: str
) -> None:
    """An empty folder beside one that has grown: the growth is said, then why nothing is taken."""
    away = tmp_path / "away"
    away.mkdir()
    grown = live(logs / "a.paipu", hands(2)[:1])
    lost = live(away / "b.paipu", hands(1, seed=2), 2)
    indexed(archive, logs, away)
    lost.unlink()
    live(grown, hands(2))
    done = paipu("index", archive, logs, away, "--prune", "--lang", lang)
    assert done.status == 2
    assert text(lang, "cli.index.change.grown", path=grown, hands=1) in done.out
    assert text(lang, "cli.archive.unmounted", path=f"{away}/", n=1) in done.err
    assert rows(archive, "SELECT count(*) FROM files WHERE gone_at IS NOT NULL") == [(0,)]
    assert [c.kind for c in indexed(archive, logs, away).changes] == ["vanished"]


@pytest.mark.parametrize("words", [[], ["--json"], ["--watch"]])
def test_ctrl_c_after_a_commit_names_what_was_committed(
    logs: Path, archive: Path, words: list[str]
) -> None:
    """The next run will say nothing of it: this one is the last that can."""
    live(logs / "a.paipu", hands(2)[:1])
    live(logs / "b.paipu", hands(2, seed=2)[:1], 2)
    indexed(archive, logs)
    for name, seed in (("a", 1), ("b", 2)):
        live(logs / f"{name}.paipu", hands(2, seed=seed), seed - 1 and seed)
    done = script(STOPPED, "index", archive, logs, "--jobs", "1", "--lang", "en", *words)
    assert done.returncode == (0 if words == ["--watch"] else 130), done.stderr
    assert done.stderr == f"paipu: {text('en', 'cli.index.stopped')}\n"
    assert "a.paipu" in done.stdout
    assert "b.paipu" not in done.stdout
    assert kinds(indexed(archive, logs)) == [("grown", "b.paipu")]


def test_an_error_after_a_commit_comes_behind_what_was_committed(logs: Path, archive: Path) -> None:
    """A log that has grown, and a disk that is full when segments are merged."""
    log = live(logs / "a.paipu", hands(2)[:1])
    indexed(archive, logs)
    live(log, hands(2))
    full = STOPPED.replace(
        "def stopped", "from replay.archive.writer import Writer\ndef stopped"
    ).replace(
        "main()", "Writer.compact = lambda *_: open('/dev/full', 'wb', 0).write(b'x')\nmain()"
    )
    done = script(full, "index", archive, logs, "--jobs", "1", "--lang", "en")
    assert done.returncode == 2
    assert text("en", "cli.index.change.grown", path=log, hands=1) in done.stdout
    assert "the disk is full" in done.stderr


def test_changes_are_told_only_when_they_are_committed(logs: Path, archive: Path) -> None:
    """Whoever listens to a run that fails has heard of nothing that is not there."""
    live(logs / "a.paipu", hands(1))
    heard: list[Change] = []
    sums: list[int] = []

    def told(change: Change) -> None:
        heard.append(change)
        sums.extend(rows(archive, "SELECT count(*) FROM logs")[0])

    index(archive, [logs], manner=Manner(told=told))
    assert ([change.kind for change in heard], sums) == (["added"], [1])


# Damage


def _damaged(path: Path, number: int = 0) -> Path:
    """A log of three hands with a wrong byte in the last but one."""
    live(path, hands(3), number)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("lang", LANGS)
def test_a_damaged_log_is_called_damaged(logs: Path, archive: Path, lang: str) -> None:
    """A new one, and one that was whole: with the number of places, counted, a problem."""
    log = _damaged(logs / "a.paipu")
    done = paipu("index", archive, logs, "--lang", lang)
    (places,) = rows(archive, "SELECT damaged FROM logs")[0]
    assert places > 0
    told = text(lang, "cli.index.change.damaged", path=log, n=places)
    assert told in done.out
    assert text(lang, "cli.index.damaged", n=1) in done.out
    live(log, hands(3))
    indexed(archive, logs)
    _damaged(log)
    summary = indexed(archive, logs)
    assert kinds(summary) == [("shrunk", "a.paipu"), ("damaged", "a.paipu")]
    assert (summary.shrunk, summary.damaged, summary.copies) == (1, 1, 0)
    assert any("damaged" in problem for problem in summary.problems)
    assert rows(archive, "SELECT count(*) FROM hands") == [(3,)]


def test_a_log_that_was_spoilt_or_cut_and_is_whole_again_has_returned(
    logs: Path, archive: Path
) -> None:
    """It is no copy of itself."""
    log = live(logs / "a.paipu", hands(2))
    indexed(archive, logs)
    whole = log.read_bytes()
    for other in (b"spoilt", archives.live(logs / "part", hands(2)[:1]).read_bytes()):
        log.write_bytes(other)
        indexed(archive, logs)
        log.write_bytes(whole)
        summary = indexed(archive, logs)
        assert kinds(summary) == [("returned", "a.paipu")]
        assert (summary.returned, summary.copies, summary.hands) == (1, 0, 0)
        assert rows(archive, "SELECT standing FROM files") == [("indexed",)]


@pytest.mark.parametrize("lang", LANGS)
def test_what_still_cannot_be_read_is_said_again(logs: Path, archive: Path, lang: str) -> None:
    """Neither unchanged nor silently passed over: with its reason, run after run."""
    bad = logs / "a.paipu"
    bad.write_bytes(b"no log")
    (logs / "b.paipu").symlink_to(logs / "nothing")
    for _ in range(2):
        indexed(archive, logs)
    done = paipu("index", archive, logs, "--lang", lang)
    reason = text(lang, "cli.os.FileNotFoundError")
    for path, why in ((bad, ""), (logs / "b.paipu", reason)):
        assert text(lang, "cli.index.change.still_unreadable", path=path, other=why) in done.out
    assert text(lang, "cli.index.unreadable", n=2) in done.out
    assert indexed(archive, logs).unchanged == 0


# Sums


def test_the_sums_of_a_grown_log_are_what_is_new(logs: Path, archive: Path) -> None:
    """Hands, plays and findings that stood in the archive are not new, though stored anew."""
    sql = (
        "SELECT (SELECT count(*) FROM hands), (SELECT count(*) FROM plays), count(*) FROM findings"
    )
    bad = archives.with_false_trick(hands(3)[0])
    log = live(logs / "a.paipu", [bad])
    first = indexed(archive, logs)
    assert [(first.hands, first.plays, first.findings)] == rows(archive, sql)
    before = rows(archive, sql)[0]
    live(log, [bad, *hands(3)[1:]])
    summary = indexed(archive, logs)
    after = rows(archive, sql)[0]
    new = (summary.hands, summary.plays, summary.findings)
    assert new == tuple(a - b for a, b in zip(after, before, strict=True))
    assert summary.changes[0].hands == 2
    sealed = archives.sealed(log, [bad, *hands(3)[1:]])
    assert (indexed(archive, sealed).hands, rows(archive, sql)[0]) == (0, after)


# Folders


def test_links_to_folders_are_followed_once(logs: Path, archive: Path, tmp_path: Path) -> None:
    """Elsewhere, in a circle, and to what is looked through anyway: each log once, where it is."""
    there = tmp_path / "there"
    (there / "inner").mkdir(parents=True)
    (logs / "sub").mkdir()
    live(there / "inner" / "a.paipu", hands(1))
    live(logs / "sub" / "b.paipu", hands(1, seed=2), 2)
    (logs / "link").symlink_to(there)
    (logs / "again").symlink_to(logs / "sub")
    (there / "back").symlink_to(logs)
    summary = indexed(archive, logs)
    assert (summary.files, summary.added, summary.copies) == (2, 2, 0)
    paths = [str(logs / "link" / "inner" / "a.paipu"), str(logs / "sub" / "b.paipu")]
    assert rows(archive, "SELECT path FROM files ORDER BY path") == [(path,) for path in paths]


def test_overlapping_paths_say_things_once(
    logs: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe and a folder that cannot be read, below two of the paths that were named."""
    inner = logs / "inner"
    (inner / "shut").mkdir(parents=True)
    os.mkfifo(inner / "pipe.paipu")
    really = os.scandir

    def refused(path: str) -> object:
        if str(path) == str(inner / "shut"):
            raise PermissionError(13, "Permission denied", str(path))
        return really(path)

    monkeypatch.setattr(os, "scandir", refused)
    for paths in ((logs, inner), (inner, logs), (inner / "shut", logs, logs)):
        assert sorted(kinds(indexed(archive, *paths))) == [
            ("passed", "pipe.paipu"),
            ("unlisted", "shut"),
        ]


# Words


def test_refusals_speak_the_language_that_was_asked_for(logs: Path, archive: Path) -> None:
    """What is busy, not there, no archive, of another format."""
    live(logs / "a.paipu", hands(1))
    indexed(archive, logs)
    for lang in LANGS:
        with Writer(archive):
            busy = paipu("index", archive, logs, "--lang", lang)
        assert busy.err == _said(lang, "busy", path=archive, n=os.getpid())
        absent = paipu("index", archive, logs / "nothing", "--lang", lang)
        assert absent.err == _said(lang, "absent", path=logs / "nothing")
        full = paipu("index", logs, logs / "a.paipu", "--lang", lang)
        assert full.err == _said(lang, "not_empty", path=logs)
    found = (archive / "MANIFEST").read_text()
    (archive / "MANIFEST").write_text(found.replace(f'"format": {FORMAT}', '"format": 5'))
    for lang in LANGS:
        old = paipu("index", archive, logs, "--lang", lang)
        slots = {"path": archive / "MANIFEST", "found": 5, "expected": FORMAT}
        assert old.err == _said(lang, "format", **slots)


def _said(lang: str, word: str, **slots: object) -> str:
    return f"paipu: {text(lang, f'cli.archive.{word}', **slots)}\n"


def test_ctrl_c_while_paipu_is_loaded_shows_no_traceback() -> None:
    """The status of an interrupted command, and not a word."""
    done = script(LOADING, "--version")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
