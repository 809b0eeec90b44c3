"""What is shown goes away or is damaged while the viewer runs: each page says which."""

import errno
import os
import re
import shutil
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import duckdb
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from replay.archive import index
from replay.messages import LANGS, text
from replay.messages.matched import matched
from replay.reader import Reader, Unreadable, open_reader
from replay.reader.asked import ArchiveAsking
from replay.reader.files import io_problem
from tests.viewer_logs import CLEAN, folder_of_logs
from webviewer import create_app

SQL = "/sql?sql=SELECT+1"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder of logs."""
    return folder_of_logs(tmp_path / "logs")


@pytest.fixture
def archive(logs: Path) -> Path:
    """An archive of them, whose files the tests may damage."""
    index(logs.parent / "archive", [logs])
    for path in (logs.parent / "archive").iterdir():
        path.chmod(0o600)
    return logs.parent / "archive"


@pytest.fixture
def reader(archive: Path) -> Iterator[Reader]:
    """Reads the archive."""
    reader = open_reader(archive)
    yield reader
    reader.close()


@pytest.fixture
def client(reader: Reader) -> FlaskClient:
    """Has asked once, while all was well."""
    client = create_app(reader).test_client()
    assert client.get("/").status_code == 200
    return client


def said(answer: TestResponse) -> str:
    """The sentence of an error page."""
    found = re.findall(r"<h1>.*?</h1>\s*<p>(.*?)</p>", answer.text, re.DOTALL)
    assert len(found) == 1
    return unescape(found[0])


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    "path", ["/", "/logs", "/players", "/statistics/figures.json?part=fan", SQL]
)
def test_a_manifest_that_is_damaged_is_not_called_gone(
    client: FlaskClient, archive: Path, lang: str, path: str
) -> None:
    """The archive's own sentence says what to do."""
    manifest = archive / "MANIFEST"
    manifest.write_text('{"format":7,"x":1}')
    answer = client.get(path, headers={"Accept-Language": lang})
    sentence = answer.json["error"] if answer.json else said(answer)
    what = matched(lang, "cli.contents", "Object contains unknown field `x`")
    reason = text(lang, "cli.json.content", what=what)
    assert answer.status_code == 410
    assert sentence == text(lang, "cli.archive.manifest", path="archive/MANIFEST", reason=reason)


@pytest.mark.parametrize("lang", LANGS)
def test_a_segment_that_is_cut_is_named(archive: Path, lang: str) -> None:
    """Met when it is opened or while it is read: it is not gone, and no fault of ours."""
    segment = next(archive.glob("data-*.duckdb"))
    size = segment.stat().st_size
    reader = open_reader(archive)
    client = create_app(reader).test_client()
    os.truncate(segment, 100_000)
    shown = f"archive/{segment.name}"
    sentence = text(lang, "cli.archive.size", path=shown, found=100_000, expected=size)
    answers = [client.get(path, headers={"Accept-Language": lang}) for path in ("/", "/players")]
    reader.close()
    assert {answer.status_code for answer in answers} <= {200, 410}
    assert [said(answer) for answer in answers if answer.status_code == 410] in (
        [sentence],
        [sentence] * 2,
    )


@pytest.mark.parametrize("lang", LANGS)
def test_an_archive_that_is_gone_is_called_so(
    client: FlaskClient, archive: Path, lang: str
) -> None:
    """It may come back."""
    assert client.get(SQL).status_code == 200
    away = archive.rename(archive.parent / "elsewhere")
    for path in ("/", SQL):
        answer = client.get(path, headers={"Accept-Language": lang})
        assert answer.status_code == 410
        assert said(answer) == text(lang, "view.error.no_archive", path=archive.name)
    away.rename(archive)
    for path in ("/", SQL):
        assert client.get(path).status_code == 200


@pytest.mark.parametrize("lang", LANGS)
def test_a_segment_that_is_lost_is_named_by_sql(
    client: FlaskClient, archive: Path, lang: str
) -> None:
    """In the language of the page, and without where the archive stands."""
    segment = next(archive.glob("data-*.duckdb"))
    segment.unlink()
    answer = client.get(SQL, headers={"Accept-Language": lang})
    name = f"archive/{segment.name}"
    assert answer.status_code == 410
    assert said(answer) == text(lang, "cli.archive.missing", path="archive", name=name)


@pytest.mark.parametrize("lang", LANGS)
def test_a_segment_is_damaged_under_a_process_that_has_it_open(archive: Path, lang: str) -> None:
    """What DuckDB then meets is no fault of the SQL: the file is named, and what is wrong."""
    segment = next(archive.glob("data-*.duckdb"))
    size = segment.stat().st_size
    asking = ArchiveAsking(archive, duckdb.connect)
    question = "SELECT sum(hash(plays)) FROM plays"
    answer = asking.answer("SELECT 1", (), {})
    assert answer.rows == [[1]]
    worker, _ = asking._ready_asker()._ready[0]
    assert worker._link.poll(60.0), "it has opened the archive, and waits for a question"
    os.truncate(segment, 100_000)
    with pytest.raises(Unreadable) as caught:
        asking.answer(question, (), {})
    asking.close()
    told = {"path": f"archive/{segment.name}", "found": 100_000, "expected": size}
    assert getattr(caught.value.problem, lang) == text(lang, "cli.archive.size", **told)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("shown", [".", CLEAN])
def test_logs_that_are_gone_are_no_empty_list(
    logs: Path, monkeypatch: pytest.MonkeyPatch, lang: str, shown: str
) -> None:
    """The folder or the one log; pages come again when it is back."""
    monkeypatch.setattr("replay.reader.logs.STAT_EVERY", -1.0)
    client = create_app(open_reader(logs / shown)).test_client()
    assert client.get("/").status_code == 200
    away = logs.rename(logs.parent / "elsewhere")
    reason = text(lang, "cli.os.FileNotFoundError")
    sentence = text(lang, "view.server.no_root", path=(logs / shown).name, reason=reason)
    for path in ("/", "/logs", "/hands.csv", "/charts.json"):
        answer = client.get(path, headers={"Accept-Language": lang})
        assert answer.status_code == 410
        assert (answer.json["error"] if answer.json else said(answer)) == sentence
    away.rename(logs)
    assert client.get("/").status_code == 200


def test_a_folder_that_becomes_a_file_is_no_collection(
    logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands in its place is looked at as what it is."""
    monkeypatch.setattr("replay.reader.logs.STAT_EVERY", -1.0)
    client = create_app(open_reader(logs)).test_client()
    assert client.get("/logs").status_code == 200
    shutil.rmtree(logs)
    logs.write_bytes(b"no log")
    assert client.get("/logs").status_code == 200
    assert "no log" not in client.get("/").text


SYSTEM = [errno.ENOENT, errno.EACCES, errno.EISDIR, errno.ENOTDIR, errno.EIO, errno.ELOOP]


@pytest.mark.parametrize("number", SYSTEM, ids=lambda number: errno.errorcode[number])
def test_what_the_system_says_is_said_in_the_language_of_the_page(number: int) -> None:
    """Its own words are English; they stay where the catalogue has none."""
    problem = io_problem(Path("a.paipu"), OSError(number, os.strerror(number)))
    assert os.strerror(number) not in problem.zh
    assert problem.zh.startswith("a.paipu：")
    rare = io_problem(Path("a.paipu"), OSError(errno.EXDEV, os.strerror(errno.EXDEV)))
    assert rare.zh.endswith(os.strerror(errno.EXDEV))
