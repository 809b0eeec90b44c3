"""The command line as tests call it: in this process, or as a process of its own."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from click.testing import CliRunner

from replay.cli import main

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "sample_logs" / "dagong"
CLEAN, BROKEN = SAMPLES / "clean", SAMPLES / "broken"
MATCH = CLEAN / "match-greedy.paipu"
PARTS = CLEAN / "first-match.paipu", CLEAN / "second-match.paipu"
IN_PROGRESS = CLEAN / "in-progress.paipu"
TEXT = CLEAN / "points.paipu.jsonl"
LOWER_SINGLE = BROKEN / "dagong-5.1--lower-single.paipu.jsonl"
TORN = BROKEN / "format.torn_tail--cut-in-an-event.paipu"
BAD_HEAD = BROKEN / "format.bad_head--one-bit-flipped.paipu"
NO_LOG = BROKEN / "format.not_a_log--a-picture.paipu"
_ENGLISH = {"LC_ALL": "C.UTF-8", "LC_MESSAGES": "", "LANG": ""}


class Ran(NamedTuple):
    """What a command did: exit status, and what it printed where."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed, as JSON."""
        return msgspec.json.decode(self.out)


def paipu(*words: object, stdin: bytes = b"", env: Mapping[str, str] = _ENGLISH) -> Ran:
    """Run a command in this process; an exception that gets out of it is raised."""
    done = CliRunner().invoke(main, [str(word) for word in words], input=stdin, env=env)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Ran(done.exit_code, done.stdout_bytes.decode(), done.stderr_bytes.decode())


def command(*words: object) -> list[str]:
    """The command as another process runs it."""
    return [sys.executable, "-m", "replay.cli", *map(str, words)]


def environment(**more: str) -> dict[str, str]:
    """What a process of ours needs to find this project, and nothing of the locale here."""
    kept = {name: value for name, value in os.environ.items() if name not in _ENGLISH}
    return kept | {"PYTHONPATH": str(ROOT)} | _ENGLISH | more


def process(words: Sequence[object], **more: Any) -> "subprocess.Popen[bytes]":
    """Start a command as a process with pipes to it."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    settings: dict[str, Any] = {"env": environment(), "preexec_fn": heed_interrupts}
    return subprocess.Popen(command(*words), **(settings | pipes | more))


def heed_interrupts() -> None:
    """A shell's background job ignores Ctrl-C, and so would every process that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def copied(folder: Path, *logs: Path) -> list[Path]:
    """Copies of logs in a folder, under their own names."""
    folder.mkdir(parents=True, exist_ok=True)
    return [Path(shutil.copy(log, folder / log.name)) for log in logs]
