"""Logs that come, go and are replaced under a viewer that runs: copies step in, ghosts go."""

import os
import shutil
import socket
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from replay.messages import LANGS, text
from replay.reader import HandQuery, open_reader
from replay.reader.logs import LogsReader
from tests.archives import hands, head
from tests.viewer_logs import dated, ids_in, live_bytes, sealed_bytes
from webviewer import create_app

ALL = HandQuery(size=200)
PLAYED = dated(hands(4, seed=5), 0)
OTHERS = dated(hands(4, seed=9), 0)
COPIES = ("a.paipu", "b.paipu", "c.paipu")


@pytest.fixture(autouse=True)
def always_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each page looks at the folder."""
    monkeypatch.setattr("replay.reader.logs.STAT_EVERY", -1.0)


def never_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    """As within the two seconds after a look."""
    monkeypatch.setattr("replay.reader.logs.STAT_EVERY", 1e9)


def copies(folder: Path, *names: str) -> Path:
    """A folder with the same match under several names; the first is sealed."""
    folder.mkdir()
    (folder / names[0]).write_bytes(sealed_bytes(PLAYED, head(1)))
    for name in names[1:]:
        (folder / name).write_bytes(live_bytes(PLAYED, head(1)))
    return folder


def client_of(path: Path) -> FlaskClient:
    """The viewer, which has shown its first page."""
    client = create_app(open_reader(path)).test_client()
    assert client.get("/").status_code == 200
    return client


def listed(client: FlaskClient) -> dict[str, str]:
    """The log of each hand that the list shows, when all is indexed."""
    assert client.get("/hands.csv").status_code == 200
    return {row["hand_id"]: row["log_id"] for row in rows_now(client)}


def rows_now(client: FlaskClient) -> list[dict[str, str]]:
    """The rows of the list as far as it is indexed."""
    answer = client.get("/hands.json").json
    assert answer is not None
    return list(answer["rows"])


def cut(log: Path) -> None:
    """The last hand is torn."""
    os.truncate(log, log.stat().st_size - 20)


def overwritten(log: Path) -> None:
    """No log any more."""
    log.write_bytes(b"hello\n")


def replaced(log: Path) -> None:
    """Another match of the same name."""
    other = log.with_name("new")
    other.write_bytes(live_bytes(OTHERS, head(2)))
    other.replace(log)


def piped(log: Path) -> None:
    """A pipe that nobody writes into."""
    log.unlink()
    os.mkfifo(log)


def plugged(log: Path) -> None:
    """A socket."""
    log.unlink()
    with socket.socket(socket.AF_UNIX) as plug:
        plug.bind(str(log))


BECOMES: list[Callable[[Path], None]] = [Path.unlink, overwritten, replaced, piped, plugged]


# Copies


@pytest.mark.parametrize("becomes", [*BECOMES, cut], ids=lambda case: case.__name__)
@pytest.mark.parametrize(("count", "gone"), [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)])
def test_hands_come_from_the_copy_that_remains(
    tmp_path: Path, becomes: Callable[[Path], None], count: int, gone: int
) -> None:
    """Whichever of two or three goes, is damaged or becomes another: what a new viewer shows."""
    names = COPIES[:count]
    folder = copies(tmp_path / "logs", *names)
    client = client_of(folder)
    before = listed(client)
    logs = [row.log_id for row in open_reader(folder).logs(1).rows]
    becomes(folder / names[gone])
    after = listed(client)
    assert after.keys() == listed(client_of(folder)).keys()
    assert before.keys() <= after.keys()
    for page in [f"/hand/{hand}" for hand in after] + [f"/log/{id}" for id in after.values()]:
        assert client.get(page).status_code == 200
    for number, log in enumerate(logs):
        if number != gone:
            answer = client.get(f"/log/{log}")
            assert answer.status_code == 200
            assert all(hand in answer.text for hand in ids_in(folder / names[number]))


@pytest.mark.parametrize("order", [*permutations(range(3))], ids=str)
def test_copies_that_go_one_after_another(tmp_path: Path, order: tuple[int, ...]) -> None:
    """The list is whole until the last is gone, and names the first that is left."""
    folder = copies(tmp_path / "logs", *COPIES)
    reader = LogsReader(folder)
    left = list(COPIES)
    for number in order:
        rows = list(reader.every(ALL))
        assert len(rows) == len(PLAYED)
        assert {row.log_name for row in rows} == {left[0]}
        assert {reader.log(row.log_id).row.name for row in rows} == {left[0]}
        (folder / COPIES[number]).unlink()
        left.remove(COPIES[number])
    assert list(reader.every(ALL)) == []


def test_a_copy_that_grows_keeps_what_the_other_holds(tmp_path: Path) -> None:
    """The shorter one goes later, and nothing is lost with it."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in COPIES[:2]:
        (folder / name).write_bytes(live_bytes(PLAYED[:2], head(1)))
    client = client_of(folder)
    assert len(listed(client)) == 2
    (folder / "b.paipu").write_bytes(live_bytes(PLAYED, head(1)))
    assert len(listed(client)) == 4
    (folder / "a.paipu").unlink()
    assert listed(client).keys() == set(ids_in(folder / "b.paipu"))


@pytest.mark.parametrize("becomes", BECOMES, ids=lambda case: case.__name__)
def test_a_hand_is_shown_out_of_a_copy_before_the_next_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, becomes: Callable[[Path], None]
) -> None:
    """The list may be two seconds old; the hand is there, and is the one that was asked for."""
    folder = copies(tmp_path / "logs", *COPIES[:2])
    reader = LogsReader(folder)
    wanted = [row.hand_id for row in reader.every(ALL)]
    never_looking(monkeypatch)
    becomes(folder / "a.paipu")
    for hand in wanted:
        assert reader.hand(hand, None).row.log_name == "b.paipu"
        assert reader.position(hand, 0, None, None) is not None


# Ghosts


@pytest.mark.parametrize("becomes", BECOMES, ids=lambda case: case.__name__)
def test_a_log_that_goes_while_it_is_indexed_leaves_no_hands(
    tmp_path: Path, becomes: Callable[[Path], None]
) -> None:
    """One hand a page is indexed when it goes: not one more is listed, and none is left."""
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.paipu").write_bytes(live_bytes(OTHERS, head(3)))
    long = folder / "b.paipu"
    long.write_bytes(live_bytes(PLAYED, head(1)))
    reader = LogsReader(folder, patience=0.0)
    client = create_app(reader).test_client()
    gone = ids_in(long)
    assert client.get(f"/hand/{gone[1]}").status_code == 200
    becomes(long)
    for _ in range(3):
        assert not {row["hand_id"] for row in rows_now(client)} & set(gone)
    assert not listed(client).keys() & set(gone)
    assert {client.get(f"/hand/{hand}").status_code for hand in gone} == {404}
    assert listed(client).keys() == listed(client_of(folder)).keys()


def test_a_log_that_grows_while_it_is_indexed_is_read_on(tmp_path: Path) -> None:
    """A match that is played has changed at every look: it would never be read to its end."""
    log = tmp_path / "live.paipu"
    log.write_bytes(live_bytes(PLAYED, head(1)))
    reader = LogsReader(tmp_path, patience=0.0)
    reader.hand(ids_in(log)[1], None)
    whole = live_bytes([*PLAYED, *OTHERS], head(1))
    with log.open("ab") as stream:
        stream.write(whole[stream.tell() :][:100])
    assert reader.hands(ALL).total == 2
    assert reader.hand(ids_in(log)[2], None).row.index == 2


# What is no regular file


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("becomes", [piped, plugged], ids=lambda case: case.__name__)
def test_the_log_that_is_shown_becomes_a_pipe(
    tmp_path: Path, becomes: Callable[[Path], None], lang: str
) -> None:
    """Each page answers, and says so; it shows the log again when that is back."""
    log = tmp_path / "one.paipu"
    log.write_bytes(live_bytes(PLAYED, head(1)))
    client = client_of(log)
    hand, own = next(iter(listed(client).items()))
    kept = shutil.copy(log, tmp_path / "kept")
    becomes(log)
    for page in ("/", "/logs", "/hands.csv", f"/hand/{hand}", f"/log/{own}"):
        answer = client.get(page, headers={"Accept-Language": lang})
        assert answer.status_code == 410
        assert is_said(answer, lang, log.name)
    Path(kept).replace(log)
    assert client.get(f"/hand/{hand}").status_code == 200


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("becomes", [piped, plugged], ids=lambda case: case.__name__)
@pytest.mark.parametrize("shown", [".", "one.paipu"])
def test_a_log_becomes_a_pipe_before_the_next_look(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    becomes: Callable[[Path], None],
    lang: str,
    shown: str,
) -> None:
    """Nobody waits for it: the hand and the report say what stands there."""
    log = tmp_path / "one.paipu"
    log.write_bytes(live_bytes(PLAYED, head(1)))
    client = client_of(tmp_path / shown)
    hand, own = next(iter(listed(client).items()))
    never_looking(monkeypatch)
    becomes(log)
    answer = client.get(f"/hand/{hand}", headers={"Accept-Language": lang})
    assert answer.status_code == 410
    assert is_said(answer, lang, log.name)
    assert is_said(client.get(f"/log/{own}", headers={"Accept-Language": lang}), lang, log.name)


def is_said(answer: TestResponse, lang: str, name: str) -> bool:
    """Whether a page says that no regular file stands there."""
    reason = text(lang, "cli.os.NotRegular")
    return text(lang, "view.error.io", path=name, reason=reason) in answer.text
