"""A lake stands at its place whole or not at all, and takes nothing else away."""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import duckdb
import pytest
from msgspec.structs import replace

from replay.archive import ArchiveError, tables
from replay.archive import manifest as manifests
from replay.archive.lake import (
    check,
    demand_replaceable,
    export,
    place,
)
from replay.archive.lake import manifest as lakes
from replay.archive.segments import seal_file
from replay.messages import text
from tests.archives import hands, indexed, live
from tests.lakes import (
    begun,
    below,
    ended,
    rows_of_archive,
    rows_of_lake,
    small_archive,
)
from tests.shelled import ROOT, command, environment, paipu


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """An archive of one log of two hands."""
    return small_archive(tmp_path)


# Whole or not at all


def test_a_killed_export_leaves_no_lake_and_the_next_one_none_of_it(
    small: Path, tmp_path: Path
) -> None:
    """What it began is beside, hidden and without a manifest; then it is gone."""
    target = tmp_path / "lakes" / "lake"
    with begun(small, target) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
    (left,) = os.listdir(target.parent)
    assert left == ".lake.exporting"
    assert not lakes.is_lake(target.parent / left)
    export(small, target)
    assert os.listdir(target.parent) == ["lake"]
    assert check(target).faults == ()


def test_an_interrupted_export_cleans_up(small: Path, tmp_path: Path) -> None:
    """Ctrl-C: nothing of it is left."""
    target = tmp_path / "lakes" / "lake"
    with begun(small, target) as process:
        process.send_signal(signal.SIGINT)
        process.wait()
    assert os.listdir(target.parent) == []


def test_of_two_exports_to_one_place_the_second_is_refused(small: Path, tmp_path: Path) -> None:
    """While the first goes on, and comes to its end."""
    target = tmp_path / "lakes" / "lake"
    with begun(small, target) as process:
        with pytest.raises(ArchiveError, match="another process is exporting to"):
            export(small, target)
        assert ended(process) == str(len(list(tables.TABLES)))
    assert os.listdir(target.parent) == ["lake"]
    assert check(target).faults == ()


def test_a_place_that_is_filled_meanwhile_is_left_alone(small: Path, tmp_path: Path) -> None:
    """Whatever came there during the export is not ours."""
    target = tmp_path / "lakes" / "lake"
    with begun(small, target) as process:
        target.mkdir()
        (target / "mine").write_text("x")
        assert ended(process).startswith("ArchiveError: ")
    assert below(target.parent) == ["lake", "lake/mine"]


def test_an_export_shows_one_state_of_the_archive(small: Path, tmp_path: Path) -> None:
    """Logs that are indexed meanwhile are not in it, not even in part."""
    before = rows_of_archive(small, "plays")
    digest = lakes.digest((small / manifests.NAME).read_bytes())
    with begun(small, tmp_path / "lake") as process:
        indexed(small, live(tmp_path / "two.paipu", hands(2, seed=9), 9))
        assert ended(process).isdigit()
    assert rows_of_lake(tmp_path / "lake", "plays") == before
    assert lakes.read(tmp_path / "lake")[0].archive_sha256 == digest


def test_a_full_disk_is_said_and_leaves_nothing(small: Path, tmp_path: Path) -> None:
    """Files may have 1024 bytes here: the sentence says what the system said."""
    target = tmp_path / "lakes" / "lake"
    limited = ["bash", "-c", "ulimit -f 1; trap '' XFSZ; exec \"$@\"", "-"]
    done = subprocess.run(
        [*limited, *command("export", small, target)],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    reason = text("en", "cli.os.EFBIG")
    assert done.returncode == 2
    assert done.stderr == f"paipu: {target}: nothing was exported: {reason}\n"
    assert os.listdir(target.parent) == []


# Where it may stand


def test_an_empty_folder_becomes_the_lake(small: Path, tmp_path: Path) -> None:
    """Nothing is lost with it; a link to it stays one."""
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there")
    export(small, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert check(tmp_path / "there").faults == ()


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("filled", "neither a lake nor empty"),
        ("small", "lies in the archive"),
        ("small/lake", "lies in the archive"),
        ("other", "is an archive"),
        ("one.paipu", "is no folder"),
        ("/", "where a file system begins"),
    ],
)
@pytest.mark.parametrize("word", ["", "--force"])
def test_what_is_no_lake_is_never_replaced(
    word: str, target: str, said: str, small: Path, tmp_path: Path
) -> None:
    """Neither with --force nor without: it is said what stands there."""
    (tmp_path / "filled").mkdir()
    (tmp_path / "filled" / "mine").write_text("x")
    shutil.copytree(small, tmp_path / "other")
    before = below(tmp_path)
    done = paipu("export", small, tmp_path / target, *filter(None, [word]))
    assert done.status == 2
    assert said in done.err
    assert below(tmp_path) == before


def test_a_lake_is_replaced_when_asked_to(small: Path, tmp_path: Path) -> None:
    """Without --force it is left; with it the new one takes its place, and the old one is gone."""
    target = tmp_path / "lake"
    export(small, target)
    old = below(target)
    indexed(small, live(tmp_path / "two.paipu", hands(2, seed=9), 9))
    refused = paipu("export", small, target)
    assert (refused.status, below(target)) == (2, old)
    assert "--force replaces it" in refused.err
    assert paipu("export", small, target, "--force").status == 0
    assert rows_of_lake(target, "plays") == rows_of_archive(small, "plays")
    assert check(target).faults == ()
    assert [name for name in os.listdir(tmp_path) if name.startswith(".")] == []


def test_a_lake_is_replaced_where_folders_cannot_change_places(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file system may not know that step (here it is asked in a way that none knows)."""
    target = tmp_path / "lake"
    export(small, target)
    indexed(small, live(tmp_path / "two.paipu", hands(2, seed=9), 9))
    monkeypatch.setattr(place, "_RENAME_EXCHANGE", 1 << 20)
    export(small, target, demand_replaceable)
    assert check(target).faults == ()
    assert rows_of_lake(target, "plays") == rows_of_archive(small, "plays")
    assert [name for name in os.listdir(tmp_path) if name.startswith(".")] == []


def test_a_lake_that_holds_something_else_is_not_replaced(small: Path, tmp_path: Path) -> None:
    """Whoever put a file there may have no other copy."""
    export(small, tmp_path / "lake")
    (tmp_path / "lake" / "plays" / "notes.txt").write_text("x")
    with pytest.raises(ArchiveError, match=r"plays/notes.txt is no part of the lake there"):
        export(small, tmp_path / "lake", demand_replaceable)
    assert (tmp_path / "lake" / "plays" / "notes.txt").exists()


def test_readers_of_a_lake_that_is_replaced_see_the_old_one_until_then(
    small: Path, tmp_path: Path
) -> None:
    """During the export nothing at the place itself changes."""
    target = tmp_path / "lake"
    export(small, target)
    before = rows_of_lake(target, "plays")
    indexed(small, live(tmp_path / "two.paipu", hands(2, seed=9), 9))
    with begun(small, target, "force") as process:
        assert rows_of_lake(target, "plays") == before
        assert ended(process).isdigit()
    assert len(rows_of_lake(target, "plays")) > len(before)


def test_a_name_out_of_data_never_becomes_a_path(small: Path, tmp_path: Path) -> None:
    """An archive that somebody has tampered with names a game like a folder above."""
    _forged(small, "UPDATE hands SET game = '../../out'")
    with pytest.raises(ArchiveError, match="the archive has a game of no such name"):
        export(small, tmp_path / "lakes" / "lake")
    assert os.listdir(tmp_path / "lakes") == []
    assert not (tmp_path / "out").exists()


def _forged(archive: Path, sql: str) -> None:
    """Change the rows of an archive behind its back."""
    (path,) = archive.glob("data-*.duckdb")
    path.chmod(0o600)
    with duckdb.connect(str(path)) as con:
        con.execute(sql)
    size, digest = seal_file(path)
    manifest = manifests.read(archive)
    (segment,) = manifest.segments
    forged = replace(segment, bytes=size, sha256=digest)
    manifests.replace(archive, replace(manifest, segments=(forged,)))


# The command


def test_the_command_says_what_it_wrote(small: Path, tmp_path: Path) -> None:
    """In a sentence, or as JSON; a check of it finds nothing."""
    done = paipu("export", small, tmp_path / "lake", "--parquet")
    assert (done.status, done.err) == (0, "")
    assert re.search(r"lake: 2 hands, \d+ rows in 12 files, \d+ bytes\n", done.out)
    told = paipu("export", small, tmp_path / "other", "--json").json
    assert told["rows"]["hands"] == 2
    sound = paipu("export", "--check", tmp_path / "lake")
    assert (sound.status, sound.err) == (0, "")
    assert "as it was written: 12 files" in sound.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "ARCHIVE and DIR are wanted"),
        (["archive"], "ARCHIVE and DIR are wanted"),
        (["--check", "lake", "archive"], "--check DIR goes with"),
        (["archive", "lake", "--key", "key"], "--key goes with --anonymous"),
        (["logs", "lake"], "logs is no archive"),
    ],
)
def test_wrong_usage_is_told(words: list[str], said: str, tmp_path: Path) -> None:
    """With status 2, before anything is written."""
    done = paipu("export", *words)
    assert done.status == 2
    assert said in done.err


@pytest.mark.parametrize("size", [0, 15, 65537])
def test_a_key_has_some_length(size: int, small: Path, tmp_path: Path) -> None:
    """A short one can be guessed; what never ends is not read."""
    (tmp_path / "key").write_bytes(bytes(size))
    done = paipu("export", small, tmp_path / "lake", "--anonymous", "--key", tmp_path / "key")
    assert done.status == 2
    assert "a key has 16 to 65536 bytes" in done.err
    assert not (tmp_path / "lake").exists()
