"""The SQL page as tests ask and read it: an archive behind it, and the cells of its answers."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from replay.archive import index
from replay.reader import Reader, open_reader
from tests.viewer_logs import folder_of_logs
from webviewer import create_app


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs behind the archive."""
    return folder_of_logs(tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="module")
def reader(folder: Path) -> Iterator[Reader]:
    """An archive of them, ended with the tests."""
    index(folder.parent / "archive", [folder])
    reader = open_reader(folder.parent / "archive")
    yield reader
    reader.close()


@pytest.fixture(scope="module")
def client(reader: Reader) -> FlaskClient:
    """Asks the viewer over the archive."""
    return create_app(reader).test_client()


def ask(client: FlaskClient, sql: str, **more: str) -> str:
    """The page of some SQL, in English; it has an answer."""
    answer = client.get("/sql", query_string={"sql": sql, "lang": "en"} | more)
    assert answer.status_code == 200, re.findall('said">(.*?)<', answer.text, re.DOTALL)
    assert 'id="answer"' in answer.text
    return answer.text


def cells(page: str) -> list[list[str]]:
    """The cells of an answer's table, row by row, as markup."""
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    return [re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL) for row in rows]


def plain(markup: str) -> str:
    """What is read of some markup."""
    return unescape(re.sub("<[^>]*>", "", markup))


def column(page: str, at: int) -> list[str]:
    """One column as it is read."""
    return [plain(row[at]) for row in cells(page)]
