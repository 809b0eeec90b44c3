"""Damage to an archive itself: it is named, nothing is removed, and no number is quietly wrong."""

import errno
import os
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from replay.archive import Archive, ArchiveError, check, errors
from replay.archive import manifest as manifests
from replay.archive.manifest import Manifest, Segment
from replay.archive.writer import Writer
from replay.messages import text
from tests.archives import contents, hands, indexed, live, rows
from tests.shelled import paipu

LANGS = ("zh", "en")


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with four logs of two hands each."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for number in range(4):
        live(folder / f"{number}.paipu", hands(2, seed=number), number)
    return folder


@pytest.fixture
def archive(tmp_path: Path, logs: Path) -> Path:
    """An archive of three of them, in two segments."""
    folder = tmp_path / "archive"
    indexed(folder, logs / "0.paipu", logs / "1.paipu")
    indexed(folder, logs / "2.paipu")
    return folder


def refusals(archive: Path) -> list[str]:
    """What readers, writers and the check say of it."""
    found = []
    for opened in (lambda: Archive.open(archive), lambda: Writer(archive), lambda: check(archive)):
        with pytest.raises(ArchiveError) as caught:
            opened()
        found.append(str(caught.value))
    return found


def spoilt(path: Path, change: Callable[[bytearray], bytearray]) -> None:
    """Other bytes in a segment."""
    path.chmod(0o600)
    path.write_bytes(change(bytearray(path.read_bytes())))


# MANIFEST


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("data-000001", "data-000005"),
        ('"retired": []', '"retired": [1]'),
        ('"next_log": 4', '"next_log": 3'),
        ('"hands": 4', '"hands": 5'),
        ('"sha256": "', '"sha256": "0'),
    ],
)
def test_one_wrong_character_in_manifest_is_noticed(archive: Path, old: str, new: str) -> None:
    """Its contents have a sum: nobody reads on, and a writer removes nothing."""
    told = (archive / "MANIFEST").read_text()
    assert old in told
    (archive / "MANIFEST").write_text(told.replace(old, new, 1))
    before = contents(archive)
    for refusal in refusals(archive):
        assert str(archive / "MANIFEST") in refusal
        assert "is damaged" in refusal
    assert contents(archive) == before


def test_a_writer_removes_nothing_while_a_listed_file_is_missing(archive: Path, logs: Path) -> None:
    """Of what is not listed some may be what is missed: the sentence is that of a reader."""
    found = manifests.read(archive)
    first, *rest = found.segments
    elsewhere = replace(first, name="data-000009.duckdb")
    manifests.replace(archive, replace(found, segments=(elsewhere, *rest), next_file=10))
    before = contents(archive)
    with pytest.raises(ArchiveError, match=r"MANIFEST lists .*data-000009.*, which is not there"):
        indexed(archive, logs)
    assert contents(archive) == before
    manifests.replace(archive, found)
    assert indexed(archive, logs).added == 1
    assert rows(archive, "SELECT count(*) FROM hands") == [(8,)]


def _first(manifest: Manifest, change: Callable[[Segment], Segment]) -> Manifest:
    first, *rest = manifest.segments
    return replace(manifest, segments=(change(first), *rest))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda m: _first(m, lambda s: replace(s, retired=[2])), "2 hands of logs stand in no"),
        (lambda m: _first(m, lambda s: replace(s, retired=[3])), r"none of the logs \[3\]"),
        (lambda m: _first(m, lambda s: replace(s, logs=[(1, 1)])), r"hands of logs \[2\] that"),
        (
            lambda m: _first(m, lambda s: replace(s, rows=s.rows | {"hands": 9})),
            "has 4 rows of hands, MANIFEST says 9",
        ),
        (lambda m: replace(m, next_log=3), "the next log is to be 3, 3 is there already"),
        (lambda m: replace(m, next_file=2), "the next file is to be 2, "),
        (lambda m: replace(m, segments=m.segments[:1]), "2 hands of logs stand in no"),
    ],
)
def test_the_check_compares_manifest_with_what_is_there(
    archive: Path, change: Callable[[Manifest], Manifest], told: str
) -> None:
    """Rows, logs and next numbers: whoever wrote a wrong MANIFEST may have sealed it too."""
    assert check(archive).faults == ()
    manifests.replace(archive, change(manifests.read(archive)))
    faults = check(archive).faults
    assert any(re.search(told, fault) for fault in faults), faults
    assert paipu("info", archive).status == 1


# Segments


@pytest.mark.parametrize("cut", [1, 4096, 10**9])
@pytest.mark.parametrize("kind", ["data", "logs"])
def test_a_segment_that_was_cut_is_named(archive: Path, kind: str, cut: int) -> None:
    """Readers and writers compare its size, which costs nothing."""
    segment = max(archive.glob(f"{kind}-*"))
    spoilt(segment, lambda data: data[:-cut])
    before = contents(archive)
    for lang in LANGS:
        for words in (["query", archive, "SELECT 1"], ["index", archive, archive.parent / "logs"]):
            done = paipu(*words, "--lang", lang)
            size = segment.stat().st_size
            (listed,) = (s for s in manifests.read(archive).files() if s.name == segment.name)
            slots = {"path": segment, "found": size, "expected": listed.bytes}
            assert done.status == 2
            assert text(lang, "cli.archive.size", **slots) in done.err
    assert contents(archive) == before


@pytest.mark.parametrize("kind", ["data", "logs"])
def test_a_flipped_bit_ends_with_the_name_of_the_segment(
    archive: Path, logs: Path, kind: str, tmp_path: Path
) -> None:
    """Whatever DuckDB meets: the file is named and that it is damaged, or nothing is wrong."""
    segment = max(archive.glob(f"{kind}-*"))
    whole = segment.read_bytes()
    live(logs / "2.paipu", hands(3, seed=2), 2)
    rng = random.Random(3)
    met = 0
    for turn in range(10):
        place = rng.randrange(len(whole))
        damaged = _flipped(whole, place)
        segment.chmod(0o600)
        segment.write_bytes(damaged)
        asked = paipu("query", archive, "SELECT * FROM logs, plays ORDER BY ALL", "--csv")
        lake = paipu("export", archive, tmp_path / f"lake{turn}", "--parquet")
        filled = paipu("index", archive, logs / "2.paipu", "--rehash")
        for done in (asked, lake, filled):
            if done.status:
                met += 1
                assert f"{segment} is damaged: SHA-256 " in done.err
                assert "rebuild the archive" in done.err
        if filled.status == 0:
            break
    assert met > 0


def _flipped(data: bytes, place: int) -> bytearray:
    found = bytearray(data)
    found[place] ^= 8
    return found


# A full disk


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_called_so(number: int, tmp_path: Path) -> None:
    """Whether the system says it to us or to DuckDB, in both languages."""
    words = os.strerror(number)
    for error in (OSError(number, words), Exception(f'IO Error: Could not write "x": {words}')):
        found = errors.failed(tmp_path, error)
        for lang in LANGS:
            reason = text(lang, f"cli.os.{errno.errorcode[number]}")
            told = text(lang, "cli.archive.failed", path=tmp_path, reason=reason)
            assert found.said(lang) == told
