"""The viewer over logs that lie, break or vanish, and addresses that mean mischief."""

import io
import os
import random
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from replay.archive import index
from replay.engine.dagong.presets import DEFAULT
from replay.findings import hand_id
from replay.reader import open_reader
from schema.events import Event, HandStarted
from schema.items import Hand
from schema.logfile import open_log
from schema.salvage import salvage
from tests.builders import head, live_log, match
from webviewer import create_app

BEYOND_9999 = 253_402_300_800_000


def played(n: int) -> list[list[Event]]:
    """A legal match."""
    return match(DEFAULT, n, random.Random(3))


def client_of(path: Path) -> FlaskClient:
    """Asks a viewer over this folder or archive, once it has read it."""
    client = create_app(open_reader(path)).test_client()
    while 'id="scanning"' in client.get("/").text:
        pass
    return client


def test_every_hand_behind_a_lost_one_opens_from_the_archive(tmp_path: Path) -> None:
    """A recovered log has fewer hands than its indexes say; each listed hand has its page."""
    damaged = bytearray(live_log(played(5), head()))
    damaged[len(damaged) // 3] ^= 1
    with (tmp_path / "saved.paipu").open("wb") as sink:
        kept = salvage(io.BytesIO(bytes(damaged)), sink, 0)
    assert (kept.hands_kept, kept.hands_lost) == (4, 1)
    index(tmp_path / "archive", [tmp_path / "saved.paipu"])
    with (tmp_path / "saved.paipu").open("rb") as stream:
        hands = [hand_id(item.leaf) for item in open_log(stream).items() if isinstance(item, Hand)]
    client = client_of(tmp_path / "archive")
    assert [client.get(f"/hand/{hand}").status_code for hand in hands] == [200] * 4


@pytest.mark.parametrize("is_archive", [False, True], ids=["folder", "archive"])
def test_a_time_beyond_the_calendar_is_shown_as_it_is(tmp_path: Path, is_archive: bool) -> None:
    """The format allows years past 9999; the pages say the milliseconds."""
    (hand,) = played(1)
    late = [HandStarted(bytes(32), BEYOND_9999), *hand[1:]]
    log = live_log([late], replace(head(), created=BEYOND_9999))
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "late.paipu").write_bytes(log)
    if is_archive:
        index(tmp_path / "archive", [logs])
    client = client_of(tmp_path / "archive" if is_archive else logs)
    (name,) = (hand_id(h.leaf) for h in open_log(io.BytesIO(log)).items() if isinstance(h, Hand))
    for address in ("/", "/logs", f"/hand/{name}"):
        assert client.get(address).status_code == 200, address
    assert f"{BEYOND_9999} ms" in client.get("/").text


@pytest.mark.parametrize(
    "query",
    ["endpoint=x", "_method=X", "_anchor=x&endpoint=x", "_external=1", "_scheme=javascript"],
)
def test_a_query_cannot_bend_the_link_to_the_other_language(tmp_path: Path, query: str) -> None:
    """Names that the framework would take for its own are kept as what they are."""
    (tmp_path / "one.paipu").write_bytes(live_log(played(1), head()))
    client = client_of(tmp_path)
    for address in ("/", "/logs", "/rules/dagong", "/hand/nothing", "/nothing"):
        answer = client.get(f"{address}?{query}&game=x&hand_id=y&log_id=z")
        assert answer.status_code in {200, 404}, address
        assert f'href="{address}?{query}'.replace("&", "&amp;") in answer.text


def test_an_address_of_two_slashes_names_no_other_host(tmp_path: Path) -> None:
    """The link to the other language stays on this server."""
    (tmp_path / "one.paipu").write_bytes(live_log(played(1), head()))
    text = client_of(tmp_path).get("//example.org/x", follow_redirects=True).text
    assert 'href="//' not in text


@pytest.mark.parametrize("is_archive", [False, True], ids=["folder", "archive"])
def test_a_name_that_is_no_text_is_shown_by_its_bytes(tmp_path: Path, is_archive: bool) -> None:
    """A file name need not be UTF-8; its hands open all the same."""
    logs = tmp_path / "logs"
    logs.mkdir()
    file = logs / os.fsdecode(b"\xff\xfe.paipu")
    file.write_bytes(live_log(played(1), head()))
    if is_archive:
        index(tmp_path / "archive", [logs])
    client = client_of(tmp_path / "archive" if is_archive else logs)
    with file.open("rb") as stream:
        (hand,) = (h for h in open_log(stream).items() if isinstance(h, Hand))
    assert client.get(f"/hand/{hand_id(hand.leaf)}").status_code == 200
    for address in ("/", "/logs"):
        answer = client.get(address)
        assert answer.status_code == 200
        assert "\\xff\\xfe.paipu" in answer.text


def test_an_archive_that_vanishes_is_said_to_be_gone(tmp_path: Path) -> None:
    """While it is away every page says so in a sentence; when it is back, all is as before."""
    (tmp_path / "one.paipu").write_bytes(live_log(played(1), head()))
    index(tmp_path / "archive", [tmp_path / "one.paipu"])
    client = client_of(tmp_path / "archive")
    (tmp_path / "archive").rename(tmp_path / "away")
    for address in ("/", "/logs"):
        answer = client.get(address)
        assert (answer.status_code, "archive" in answer.text) == (410, True)
    (tmp_path / "away").rename(tmp_path / "archive")
    assert client.get("/").status_code == 200
