"""A lake that is not what was written is found out, and what is wrong with it is named."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from replay.archive.lake import Fault, check, export
from replay.archive.lake import manifest as lakes
from tests.lakes import small_archive
from tests.shelled import paipu

HANDS = "hands/game=dagong/month=1970-01/part-00000.parquet"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of two hands that no test changes."""
    base = tmp_path_factory.mktemp("to-check")
    export(small_archive(base), base / "lake")
    return base / "lake"


@pytest.fixture
def lake(sound: Path, tmp_path: Path) -> Path:
    """A copy of it that may be changed."""
    shutil.copytree(sound, tmp_path / "lake")
    for path in (tmp_path / "lake").rglob("*"):
        path.chmod(0o700)
    return tmp_path / "lake"


def rewritten(lake: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Write MANIFEST.json anew, changed, and SHA256SUMS to go with it."""
    said = msgspec.json.decode((lake / lakes.NAME).read_bytes())
    change(said)
    (lake / lakes.NAME).write_bytes(msgspec.json.encode(said))
    manifest, data = lakes.read(lake)
    (lake / lakes.SUMS).write_bytes(lakes.sums(manifest, lakes.digest(data)))


def hands_part(said: dict[str, Any]) -> dict[str, Any]:
    """What MANIFEST.json says of the file of hands."""
    (part,) = next(table for table in said["tables"] if table["name"] == "hands")["files"]
    assert isinstance(part, dict)
    return part


def flip(lake: Path, at: int) -> None:
    """Change one bit of the file of hands."""
    data = bytearray((lake / HANDS).read_bytes())
    data[at] ^= 1
    (lake / HANDS).write_bytes(data)


def kinds(lake: Path) -> list[tuple[str, str]]:
    """What a check says: kinds and paths."""
    return [(fault.kind, fault.path) for fault in check(lake).faults]


def test_a_lake_as_it_was_written_has_no_faults(lake: Path) -> None:
    """Every file and row was looked at; a copy is as good as the lake itself."""
    found = check(lake)
    assert found.faults == ()
    assert found.rows == sum(
        pq.ParquetFile(path).metadata.num_rows for path in lake.rglob("*.parquet")
    )
    assert found.files == len(list(lake.rglob("*.parquet")))


@pytest.mark.parametrize("at", [4, 100, 1000, -5, -9])
def test_one_bit_is_found(at: int, lake: Path) -> None:
    """Wherever it is: in the data, in the footer, in its length."""
    flip(lake, at)
    assert kinds(lake) == [("sha256", HANDS)]


def test_most_flipped_bits_are_read_without_an_error(lake: Path) -> None:
    """Why there are sums at all: a plain reader takes damaged values for values."""
    path = lake / HANDS
    whole, silent = path.read_bytes(), 0
    for at in range(4, len(whole) - 8, 97):
        flip(lake, at)
        try:
            pq.ParquetFile(path).read()
            silent += 1
        except (OSError, pa.ArrowException, UnicodeDecodeError):
            pass
        assert kinds(lake) == [("sha256", HANDS)]
        path.write_bytes(whole)
    assert silent


def cut(path: Path) -> None:
    """Leave the beginning of a file."""
    os.truncate(path, 100)


def renamed(path: Path) -> None:
    """Give a file another name that it could have."""
    path.rename(path.with_name("part-00001.parquet"))


def folder(path: Path) -> None:
    """A folder in place of a file."""
    path.unlink()
    path.mkdir()


def pipe(path: Path) -> None:
    """A pipe in place of a file."""
    path.unlink()
    os.mkfifo(path)


def link(path: Path) -> None:
    """A link to what has no end in place of a file."""
    path.unlink()
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize(
    ("damage", "kind"),
    [
        (cut, "bytes"),
        (os.unlink, "missing"),
        (renamed, "missing"),
        (folder, "not_regular"),
        (pipe, "not_regular"),
        (link, "not_regular"),
    ],
)
def test_a_file_that_is_not_what_it_was_is_named(
    damage: Callable[[Path], None], kind: str, lake: Path
) -> None:
    """And what has no end is not read."""
    damage(lake / HANDS)
    assert (kind, HANDS) in kinds(lake)


@pytest.mark.parametrize(
    "path", ["notes.txt", "plays/game=dagong/x", "more/part-00000.parquet", HANDS[:-7] + "0"]
)
def test_a_file_too_many_is_named(path: str, lake: Path) -> None:
    """A reader that goes by patterns of names would read it too; links to folders included."""
    (lake / path).parent.mkdir(exist_ok=True)
    (lake / path).write_bytes(b"x")
    (lake / "linked").symlink_to(lake.parent)
    assert kinds(lake) == sorted([("extra", "linked"), ("extra", path)])


def test_sums_that_say_something_else_are_named(lake: Path) -> None:
    """With the line that is wanted and the line that stands there; or if they are gone."""
    text = (lake / lakes.SUMS).read_text()
    (lake / lakes.SUMS).write_text(text.replace(HANDS, HANDS + "x"))
    (fault,) = check(lake).faults
    assert (fault.kind, fault.path) == ("sums", lakes.SUMS)
    assert fault.expected.endswith(HANDS)
    assert fault.found.endswith(HANDS + "x")
    (lake / lakes.SUMS).unlink()
    assert kinds(lake) == [("missing", lakes.SUMS)]


def test_a_manifest_that_was_changed_does_not_fit_its_sum(lake: Path) -> None:
    """SHA256SUMS has the sum of MANIFEST.json too."""
    text = (lake / lakes.NAME).read_text()
    (lake / lakes.NAME).write_text(text.replace('"paipu": "', '"paipu": "9.'))
    assert kinds(lake) == [("sums", lakes.SUMS)]


def test_rows_are_counted(lake: Path) -> None:
    """A file whose sum is right and whose number of rows is not; and sums of such numbers."""

    def change(said: dict[str, Any]) -> None:
        hands_part(said)["rows"] += 1

    rewritten(lake, change)
    assert check(lake).faults == (
        Fault("counts", lakes.NAME, "hands.rows 3", "hands.rows 2"),
        Fault("rows", HANDS, "3", "2"),
    )


def test_columns_are_compared(lake: Path) -> None:
    """Another table's file in place of this one is not this one."""
    path = lake / HANDS
    pq.write_table(pa.table({"hand_id": ["a", "b"]}), path)

    def change(said: dict[str, Any]) -> None:
        part = hands_part(said)
        part["sha256"] = lakes.digest(path.read_bytes())
        said["bytes"] += path.stat().st_size - part["bytes"]
        table = next(table for table in said["tables"] if table["name"] == "hands")
        part["bytes"] = table["bytes"] = path.stat().st_size

    rewritten(lake, change)
    (fault,) = check(lake).faults
    assert (fault.kind, fault.path, fault.found) == ("columns", HANDS, "hand_id string")


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "hands/../../x.parquet", "hands/x"])
def test_a_manifest_leads_nowhere_else(path: str, lake: Path) -> None:
    """A path that no export writes makes it no manifest: nothing is read."""
    said = msgspec.json.decode((lake / lakes.NAME).read_bytes())
    hands_part(said)["path"] = path
    (lake / lakes.NAME).write_bytes(msgspec.json.encode(said))
    done = paipu("export", "--check", lake)
    assert done.status == 2
    assert "MANIFEST.json is damaged" in done.err


# The command


def test_faults_are_told_in_both_languages(lake: Path) -> None:
    """One line each with what was expected and found; exit status 1."""
    (lake / HANDS).unlink()
    flipped = next((lake / "plays").rglob("*.parquet"))
    os.truncate(flipped, 10)
    english = paipu("export", "--check", lake)
    assert english.status == 1
    assert f"{HANDS}: missing\n" in english.out
    assert f"{flipped.relative_to(lake)}: 10 bytes, expected " in english.out
    assert "faults found: 2" in english.out
    chinese = paipu("export", "--check", lake, "--lang", "zh")
    assert chinese.status == 1
    assert f"{HANDS}：缺失\n" in chinese.out
    told = paipu("export", "--check", lake, "--json")
    assert told.status == 1
    assert [fault["kind"] for fault in told.json["faults"]] == ["missing", "bytes"]


@pytest.mark.parametrize(
    ("content", "said", "zh"),
    [
        (
            None,
            "is no lake: MANIFEST.json: no such file or folder",
            "不是数据湖：MANIFEST.json：没有这个文件或文件夹\n",
        ),
        (b"{", "MANIFEST.json is damaged", "已损坏：JSON 不完整：没写完就结束了\n"),
        (
            b'{"kind": "paipu lake", "format": 2}',
            "expected 'paipu lake' of 1",
            "应为 'paipu lake' 格式 1\n",
        ),
        (b'{"kind": "lake", "format": 1}', "'lake' of format 1, expected", "'lake' 格式 1，应为"),
    ],
)
def test_what_is_no_lake_has_no_verdict(
    content: bytes | None, said: str, zh: str, tmp_path: Path
) -> None:
    """Exit status 2, and what it is instead."""
    if content is not None:
        (tmp_path / lakes.NAME).write_bytes(content)
    done = paipu("export", "--check", tmp_path)
    assert done.status == 2
    assert said in done.err
    assert zh in paipu("export", "--check", tmp_path, "--lang", "zh").err
