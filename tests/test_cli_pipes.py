"""A pipe that nobody writes into, where a log is wanted: every command says so, and ends."""

import os
import threading
from pathlib import Path

import pytest

from replay import folder, regular
from replay.folder import LogFile, opened
from replay.messages import LANGS, text
from replay.messages.system import reason
from tests.shelled import MATCH, paipu

COMMANDS = [
    ["verify"],
    ["show"],
    ["info"],
    ["seal"],
    ["explain", "--hand", "0", "--event", "0"],
    ["view", "--port", "0"],
]


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """It has a name like a log."""
    os.mkfifo(tmp_path / "pipe.paipu")
    return tmp_path / "pipe.paipu"


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_pipe_without_a_writer_is_not_waited_for(
    pipe: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], lang: str
) -> None:
    """It may stand there since a crash."""
    monkeypatch.setattr(folder, "WRITER_WITHIN", 0.0)
    done = paipu(*words, "--lang", lang, pipe)
    sentence = text(lang, "cli.problem.no_writer", path=pipe)
    assert (done.status, done.out, done.err) == (2, "", f"paipu: {sentence}\n")


def test_a_writer_that_takes_its_time_is_waited_for(
    pipe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has the pipe open will write: how long that takes is his own."""
    monkeypatch.setattr(folder, "WRITER_WITHIN", 0.0)
    is_asked = threading.Event()
    really = folder._first_byte

    def asked(path: str, fd: int) -> bytes:
        with open(os.open(path, os.O_WRONLY), "wb") as sink:
            start = really(path, fd)
            writer.start()
            is_asked.wait()
            sink.flush()
        return start

    def write() -> None:
        with pipe.open("wb") as sink:
            is_asked.set()
            sink.write(MATCH.read_bytes())

    writer = threading.Thread(target=write)
    monkeypatch.setattr(folder, "_first_byte", asked)
    done = paipu("verify", pipe)
    writer.join()
    assert done.status == 0
    assert done.out.startswith(f"{pipe}: no findings")


@pytest.mark.parametrize("told", [None, lambda _: None], ids=["plain", "watched"])
def test_a_log_that_has_become_a_pipe_is_not_waited_for(
    pipe: Path, told: folder.Told | None
) -> None:
    """Between the search and the reading."""
    with pytest.raises(regular.NotRegular) as error, opened(LogFile("-", str(pipe), 9), told):
        pass
    assert [reason(error.value, lang) for lang in LANGS] == [
        text(lang, "cli.os.NotRegular") for lang in LANGS
    ]


def test_a_folder_is_called_a_folder(tmp_path: Path) -> None:
    """Not what it is not."""
    with pytest.raises(IsADirectoryError), regular.opened(str(tmp_path)):
        pass
