"""The commands against a hostile machine: pipes, devices, full disks, kills, closed files."""

import os
import resource
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from replay import folder
from replay.commands import files
from replay.folder import may_be_log
from replay.messages import text
from replay.recorder import Recorder
from tests.builders import head
from tests.shelled import CLEAN, MATCH, TEXT, TORN, command, copied, environment, paipu, process

HERE_FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
ENDLESS = pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no /dev/zero here")


def ran(*words: object, **more: Any) -> "subprocess.CompletedProcess[bytes]":
    """A command as a process of its own, to its end."""
    pipes: dict[str, Any] = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
    pipes["stdin"] = subprocess.DEVNULL
    return subprocess.run(command(*words), env=environment(), check=False, **(pipes | more))


def said(word: str, **slots: object) -> str:
    """What a command says on stderr where it refuses something."""
    return f"paipu: {text('en', f'cli.problem.{word}', **slots)}\n"


# Pipes, devices and sockets


def _special(place: Path) -> list[Path]:
    pipe, plug = place / "pipe.paipu", place / "plug.paipu.jsonl"
    os.mkfifo(pipe)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(plug))
    return [pipe, plug]


def test_a_pipe_in_a_folder_is_passed_over(tmp_path: Path) -> None:
    """Nobody will ever write into it: `verify` and `index` say so and go on."""
    (log,) = copied(tmp_path / "logs", TEXT)
    special = _special(tmp_path / "logs")
    checked = paipu("verify", tmp_path / "logs", "--json")
    assert checked.status == 0
    assert [one["path"] for one in checked.json] == [str(log)]
    assert sorted(checked.err.splitlines(keepends=True)) == sorted(
        said("passed_over", path=path) for path in special
    )
    summary = paipu("index", tmp_path / "archive", tmp_path / "logs", "--json").json
    assert (summary["added"], summary["unreadable"]) == (1, 0)
    assert sorted(line.partition(": passed over, ")[0] for line in summary["problems"]) == sorted(
        map(str, special)
    )


def test_a_pipe_is_no_log_of_an_archive(tmp_path: Path) -> None:
    """Its bytes are gone when they are read: nothing is waited for."""
    pipe, _ = _special(tmp_path)
    done = paipu("index", tmp_path / "archive", pipe)
    assert done.status == 2
    assert f"{pipe} is no regular file" in done.err
    assert not (tmp_path / "archive").exists()


@ENDLESS
@pytest.mark.parametrize("words", [["verify"], ["info"], ["show"], ["convert", "-"]], ids=str)
def test_what_has_no_end_is_refused_by_its_first_bytes(words: list[object]) -> None:
    """/dev/zero by name and as standard input: it is no log, and is not copied."""
    command_, *more = words
    for source in ("/dev/zero", "-"):
        with open("/dev/zero", "rb") as zero:
            done = ran(command_, source, *more, stdin=zero)
        assert done.returncode == 2
        assert b"not a paipu log" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("start", "may_be"),
    [
        (MATCH.read_bytes()[:64], True),
        (TEXT.read_bytes()[:64], True),
        ('{"a":"牌'.encode()[:-1], True),
        (b"{" + bytes(63), False),
        (b"{\xff", False),
        (b"", False),
        (b"\x89PNG", False),
    ],
    ids=str,
)
def test_the_first_bytes_of_a_log(start: bytes, may_be: bool) -> None:
    """A binary one by its magic, a text by a brace and UTF-8, a character cut in two included."""
    assert may_be_log(start) is may_be


def test_a_pipe_is_read_whole_and_its_copy_has_no_name(tmp_path: Path) -> None:
    """The verdict is that on the file; nothing is left where temporary files go."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    writer = threading.Thread(target=lambda: pipe.write_bytes(MATCH.read_bytes()))
    writer.start()
    with process(["verify", pipe], env=environment(TMPDIR=str(temporary))) as running:
        out, _ = running.communicate()
    writer.join()
    assert running.returncode == 0
    assert out.startswith(f"{pipe}: no findings".encode())
    assert list(temporary.iterdir()) == []


def test_a_copy_has_a_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    """What looks like a log and does not stop is refused."""
    monkeypatch.setattr(folder, "LONGEST_COPY", 1000)
    done = paipu("verify", "-", stdin=MATCH.read_bytes())
    assert (done.status, done.err) == (2, said("endless", path="-", n=1000))


def test_no_copy_is_left_by_a_kill(tmp_path: Path) -> None:
    """SIGTERM while standard input is copied: status 143, an empty folder for temporary files."""
    with process(["verify", "-"], env=environment(TMPDIR=str(tmp_path))) as running:
        assert running.stdin is not None
        running.stdin.write(b"{" * (1 << 23))
        running.terminate()
        out, err = running.communicate()
    assert (running.returncode, out, err) == (143, b"", b"")
    assert list(tmp_path.iterdir()) == []


# Written whole, or not at all

SLOW = """
import sys
import schema.seal
from replay.cli import main
def slow(log, sink):
    sink.write(b"half")
    sink.flush()
    print("half", flush=True)
    sys.stdin.read()
schema.seal.write_live = slow
main(sys.argv[1:])
"""


def _half_written(out: Path) -> "subprocess.Popen[bytes]":
    """A process that has begun to write `out` and waits."""
    running = subprocess.Popen(
        [sys.executable, "-c", SLOW, "convert", str(TEXT), str(out)],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert running.stdout is not None
    assert running.stdout.readline() == b"half\n"
    return running


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_process_that_is_ended_cleans_up(number: int, tmp_path: Path) -> None:
    """What it was writing is gone, and its status says which signal it was."""
    with _half_written(tmp_path / "out.paipu") as running:
        (part,) = tmp_path.iterdir()
        assert stat.S_IMODE(part.stat().st_mode) == 0o600
        running.send_signal(number)
        assert running.communicate() == (b"", b"")
    assert running.returncode == 128 + number
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_swept_away(tmp_path: Path) -> None:
    """By the next one that writes this file; what the living write, and other files, stay."""
    out = tmp_path / "out.paipu"
    with _half_written(out) as running:
        running.kill()
    (left,) = tmp_path.iterdir()
    with _half_written(tmp_path / "other.paipu") as other, _half_written(out) as alive:
        assert not left.exists()
        assert len(list(tmp_path.iterdir())) == 2
        assert paipu("convert", TEXT, out).status == 0
        assert len(list(tmp_path.iterdir())) == 3
        other.terminate()
        alive.terminate()
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("length", [240, 255])
def test_the_longest_name_can_be_written(length: int, tmp_path: Path) -> None:
    """A name of 255 bytes is legal: the hidden file beside it has a short one."""
    out = tmp_path / ("x" * (length - len(".paipu")) + ".paipu")
    assert paipu("convert", TEXT, out).status == 0
    assert paipu("recover", TORN, out, "--force").status == 1
    assert paipu("seal", out).status == 0
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize(
    "words", [["convert"], ["recover"], ["seal", "-o"]], ids=lambda words: words[0]
)
def test_the_evidence_is_never_replaced(words: Sequence[str], tmp_path: Path) -> None:
    """IN and OUT are one file, by its own name or by a link: refused, also with `--force`."""
    log = tmp_path / "log.paipu"
    log.write_bytes(MATCH.read_bytes())
    soft, hard = tmp_path / "soft.paipu", tmp_path / "hard.paipu"
    soft.symlink_to(log)
    hard.hardlink_to(log)
    for out in (log, soft, hard):
        done = paipu(words[0], log, *words[1:], out, "--force")
        assert (done.status, done.err) == (2, said("same_file", path=out, source=log))
    assert log.read_bytes() == MATCH.read_bytes()
    assert sorted(tmp_path.iterdir()) == sorted([log, soft, hard])


@pytest.mark.parametrize(
    "words", [["convert"], ["recover"], ["seal", "-o"]], ids=lambda words: words[0]
)
def test_a_file_that_is_being_recorded_is_never_replaced(
    words: Sequence[str], tmp_path: Path
) -> None:
    """`--force` replaces a file that is there, but not under a recorder that writes it."""
    out = tmp_path / "out.paipu"
    with Recorder.create(out, head()):
        before = out.read_bytes()
        done = paipu(words[0], MATCH, *words[1:], out, "--force")
        assert (done.status, done.err) == (2, said("being_written", path=out))
        assert out.read_bytes() == before
    assert list(tmp_path.iterdir()) == [out]
    assert paipu(words[0], MATCH, *words[1:], out, "--force").status == 0


def test_a_pipe_is_not_replaced(tmp_path: Path) -> None:
    """`--force` is for files."""
    pipe, _ = _special(tmp_path)
    done = paipu("convert", MATCH, pipe, "--force")
    assert (done.status, done.err) == (2, said("not_regular", path=pipe))


def test_a_hidden_file_that_was_swept_before_its_lock_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another writer of the same target comes between making and locking."""
    first = True

    def swept(fd: int, temporary: str) -> bool:
        nonlocal first
        if first:
            files._sweep(str(tmp_path), "out.paipu")
        first = False
        return locked(fd, temporary)

    locked = files._is_locked
    monkeypatch.setattr(files, "_is_locked", swept)
    assert paipu("convert", TEXT, tmp_path / "out.paipu").status == 0
    assert list(tmp_path.iterdir()) == [tmp_path / "out.paipu"]


# Output that fails, files that are closed


@HERE_FULL
@pytest.mark.parametrize("words", [["--help"], ["--version"], ["verify", "--help"]], ids=str)
def test_help_that_cannot_be_printed_is_no_finding(words: list[str]) -> None:
    """A full disk: one sentence and status 2."""
    with open("/dev/full", "wb") as full:
        done = ran(*words, stdout=full)
    assert (done.returncode, done.stderr) == (2, b"paipu: the disk is full\n")


@HERE_FULL
@pytest.mark.parametrize("words", [["nonsense"], ["verify"], ["verify", "absent"]], ids=str)
def test_an_error_that_cannot_be_said_is_no_finding(words: list[str]) -> None:
    """Standard error is full too: status 2 is all that is left."""
    with open("/dev/full", "wb") as full:
        assert ran(*words, stdout=full, stderr=full).returncode == 2


def test_help_into_a_closed_pipe_ends_quietly() -> None:
    """`paipu --help | true` is no finding."""
    with process(["--help"]) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 141


@pytest.mark.parametrize(
    ("words", "closed", "word"),
    [
        (["convert", MATCH, "-"], 1, "no_stdout"),
        (["verify", "-"], 0, "no_stdin"),
        (["recover", "-", "out.paipu"], 0, "no_stdin"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else str(value),
)
def test_a_standard_file_that_is_closed(
    words: list[object], closed: int, word: str, tmp_path: Path
) -> None:
    """One sentence, status 2."""
    kept: dict[str, Any] = {"stdin": None} if closed == 0 else {"stdout": None}
    done = ran(*words, preexec_fn=lambda: os.close(closed), cwd=tmp_path, **kept)
    assert (done.returncode, done.stderr.decode()) == (2, said(word))
    assert list(tmp_path.iterdir()) == []


def test_no_log_gets_the_number_of_a_closed_standard_file(tmp_path: Path) -> None:
    """What is complained on stderr must not end up in the file that is being written."""
    out = tmp_path / "out.paipu.jsonl"
    done = ran("convert", TEXT, out, preexec_fn=lambda: os.close(2), stderr=None)
    assert done.returncode == 0
    assert out.read_bytes() == TEXT.read_bytes()


# simulate


def _small_files() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


@pytest.mark.parametrize("form", [[], ["--live"]], ids=["sealed", "live"])
def test_a_disk_that_takes_no_more_is_said(form: list[str], tmp_path: Path) -> None:
    """The log, the system's reason, status 2: no fault of paipu itself."""
    done = ran(
        *["simulate", "dagong", "--hands", 9, "--seed", 1, "-o", tmp_path, *form],
        preexec_fn=_small_files,
    )
    path = tmp_path / "dagong-1-0001.paipu"
    assert done.returncode == 2
    assert done.stderr.decode() == said(
        "recording", path=path, reason="a file may not become so large"
    )


@pytest.mark.parametrize("seed", [-1, 10**31, 10**300], ids=["negative", "long", "very-long"])
def test_any_whole_number_is_a_seed(seed: int, tmp_path: Path) -> None:
    """Each makes a clean log of its own, and the same one again."""
    logs = []
    for place in (tmp_path / "a", tmp_path / "b"):
        done = paipu("simulate", "dagong", "--hands", 1, "--seed", seed, "-o", place)
        assert done.status == 0, done.err
        logs.append(Path(done.out.strip()))
    other = paipu("simulate", "dagong", "--hands", 1, "--seed", seed + 1, "-o", tmp_path)
    assert logs[0].read_bytes() == logs[1].read_bytes() != Path(other.out.strip()).read_bytes()
    assert paipu("verify", tmp_path / "a").status == 0


def test_more_hands_than_a_plan_may_have_are_refused(tmp_path: Path) -> None:
    """In a sentence, before anything is written."""
    asked = ["simulate", "dagong", "--seed", 1, "-o", tmp_path / "new", "--hands"]
    for more, says in (
        ([10**20], "at most 10000000 hands, not 100000000000000000000"),
        ([10**6, "--hands-per-file", 1], "at most 100000 files, not 1000000"),
    ):
        done = paipu(*asked, *more)
        assert (done.status, done.err) == (2, said("plan", reason=says))
    assert not (tmp_path / "new").exists()


def test_the_samples_are_still_found_in_a_folder() -> None:
    """Nothing that is a log is passed over."""
    done = paipu("verify", CLEAN, "--json")
    assert done.err == ""
    assert len(done.json) == sum(path.name.endswith(folder.SUFFIXES) for path in CLEAN.iterdir())
