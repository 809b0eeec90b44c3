"""The command line as a whole: help, languages, exit statuses, pipes and interrupts."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import replay
from replay.cli import main
from replay.commands.meter import Meter
from replay.commands.shell import Paipu
from tests.shelled import (
    BAD_HEAD,
    CLEAN,
    LOWER_SINGLE,
    MATCH,
    NO_LOG,
    TEXT,
    TORN,
    command,
    environment,
    paipu,
    process,
)

ABSENT = "absent.paipu"
COMMANDS = list(main.commands)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example_of_its_arguments(name: str) -> None:
    """`--help` says how the command is called, and ends well."""
    done = paipu(name, "--help")
    assert done.status == 0
    assert done.out.startswith(f"Usage: main {name} [OPTIONS]")


def test_commands_are_listed_in_the_order_of_a_log_s_life() -> None:
    """Not by the alphabet: what one does first stands first."""
    out = paipu("--help").out
    listed = [line.split()[0] for line in out.partition("Commands:\n")[2].splitlines()]
    assert listed == COMMANDS
    assert COMMANDS[0] == "simulate"
    assert COMMANDS[-1] == "view"


def test_the_version_is_that_of_the_package() -> None:
    """`--version` prints name and version."""
    assert paipu("--version").out.split()[-1] == replay.__version__


@pytest.mark.parametrize(
    ("variables", "lang"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LC_ALL": "zh_TW", "LANG": "en_US.UTF-8"}, "zh"),
        ({"LC_ALL": "C.UTF-8", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"LC_MESSAGES": "zh_CN", "LANG": "de_DE"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({}, "en"),
    ],
    ids=str,
)
def test_the_language_is_that_of_the_environment(variables: dict[str, str], lang: str) -> None:
    """LC_ALL goes before LC_MESSAGES and LANG; what is not Chinese is English."""
    env = {"LC_ALL": "", "LC_MESSAGES": "", "LANG": ""} | variables
    asked = paipu("verify", TEXT, "--lang", lang)
    other = paipu("verify", TEXT, "--lang", {"zh": "en", "en": "zh"}[lang])
    assert paipu("verify", TEXT, env=env).out == asked.out != other.out


def test_the_language_may_stand_before_the_command() -> None:
    """There it holds for whatever the command says, unless the command says otherwise."""
    chinese = paipu("verify", TEXT, "--lang", "zh")
    assert paipu("--lang", "zh", "verify", TEXT) == chinese != paipu("verify", TEXT)
    assert paipu("--lang", "en", "verify", TEXT, "--lang", "zh") == chinese
    assert "没有这个文件" in paipu("--lang", "zh", "show", ABSENT).err
    assert paipu("--lang", "zh", "verify", TEXT, env={"LC_ALL": "en_US.UTF-8"}) == chinese


def test_chinese_comes_out_as_utf_8_in_any_locale(tmp_path: Path) -> None:
    """A terminal of another century gets the same bytes as a new one."""
    plain = environment(
        LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="latin-1"
    )
    done = subprocess.run(
        command("verify", TEXT, "--lang", "zh"), env=plain, capture_output=True, check=False
    )
    assert done.stderr == b""
    assert done.stdout.decode("utf-8") == paipu("verify", TEXT, "--lang", "zh").out


def test_a_name_that_is_no_utf_8_is_shown_escaped(tmp_path: Path) -> None:
    """Such a file is verified like any other, and its name cannot end the program."""
    odd = os.fsencode(tmp_path) + b"/odd\xff\x1b[31m.paipu"
    Path(os.fsdecode(odd)).write_bytes(MATCH.read_bytes())
    done = paipu("verify", os.fsdecode(odd))
    assert done.status == 0
    assert "odd\\udcff\\u001b[31m.paipu: no findings" in done.out


# Progress


def _drawn(terminal: int) -> bytes:
    return os.read(terminal, 1 << 16) if select.select([terminal], [], [], 0)[0] else b""


def test_progress_is_drawn_on_a_terminal_and_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bar with a percentage on stderr; at the end its line is empty and the cursor is back."""
    terminal, ours = pty.openpty()
    with os.fdopen(ours, "w") as stderr, monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", stderr)
        drawn = b""
        with Meter(10**9) as meter:
            while b"%" not in drawn:
                meter.add(1)
                drawn += _drawn(terminal)
    with suppress(OSError):  # a terminal that nobody writes to any more ends so
        while True:
            drawn += os.read(terminal, 1 << 16)
    os.close(terminal)
    assert drawn.endswith(b"\x1b[2K")
    assert drawn.rindex(b"\x1b[?25h") > drawn.rindex(b"%")


def test_no_progress_is_drawn_into_a_file(capfd: pytest.CaptureFixture[str]) -> None:
    """Results and logs of a program stay clean."""
    with Meter(2) as meter:
        time.sleep(0.11)  # longer than it waits before it draws
        meter.add(1)
    assert capfd.readouterr() == ("", "")


# What goes wrong


@pytest.mark.parametrize(
    "words",
    [
        ["no-such-command"],
        ["verify"],
        ["verify", MATCH, "--lang", "fr"],
        ["verify", MATCH, "--jobs", "0"],
        ["explain", MATCH],
        ["simulate", "dagong", "--hands", "0", "--seed", "1", "-o", "x"],
        ["view", MATCH, "--port", "70000"],
    ],
    ids=str,
)
def test_wrong_usage_ends_with_status_2(words: list[object]) -> None:
    """And says how it is used."""
    done = paipu(*words)
    assert done.status == 2
    assert "Usage:" in done.err


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize(
    "words",
    [
        ["info"],
        ["show"],
        ["explain", "--hand", 0, "--event", 0],
        ["convert", "out.paipu"],
        ["seal", "-o", "out.paipu"],
        ["recover", "out.paipu"],
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize("log", [ABSENT, NO_LOG, BAD_HEAD, CLEAN], ids=lambda log: Path(log).stem)
def test_a_log_that_cannot_be_read_is_named(
    words: list[object], log: object, lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence on stderr with the file's name, status 2, and no file is left behind."""
    monkeypatch.chdir(tmp_path)
    done = paipu(words[0], log, *words[1:], "--lang", lang)
    assert done.status == 2
    assert done.err.startswith(f"paipu: {log}")
    assert done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_closed_pipe_ends_quietly() -> None:
    """`paipu … | head`: nothing on stderr, and the status that a shell knows from SIGPIPE."""
    with process(["rules", "dagong"]) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 141


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk_is_no_clean_verdict() -> None:
    """A report that could not be written must not end with status 0."""
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command("verify", MATCH),
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"paipu: the disk is full\n"


def test_an_interrupt_ends_with_status_130() -> None:
    """Ctrl-C while a log is read: no traceback, no verdict."""
    with process(["verify", "-"]) as running:
        assert running.stdin is not None
        running.stdin.write(b"{" * (1 << 23))  # more than a pipe holds: it reads when this returns
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
    assert (running.returncode, out, err) == (130, b"", b"")


def test_an_error_of_ours_is_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python would end with status 1, which means findings; where it happened can be asked for."""

    @click.group(cls=Paipu)
    def group() -> None:
        """A group with a command that fails."""

    @group.command()
    def fails() -> None:
        """Fail."""
        raise AssertionError("an invariant")

    done = CliRunner().invoke(group, ["fails"], env={"LC_ALL": "C"})
    assert done.exit_code == 2
    assert done.stderr.startswith("paipu: a fault in paipu itself")
    assert "AssertionError: an invariant" in done.stderr
    shown = CliRunner().invoke(group, ["fails"], env={"PAIPU_TRACEBACK": "1"})
    assert isinstance(shown.exception, AssertionError)


@pytest.mark.parametrize(
    "words",
    [["--help"], ["verify", LOWER_SINGLE], ["show", TEXT], ["info", TORN], ["rules", "dagong"]],
    ids=lambda words: words[0],
)
def test_a_command_loads_no_more_than_it_needs(words: list[object]) -> None:
    """Neither DuckDB nor the viewer slows down whoever does not use them."""
    code = (
        "import sys, atexit\n"
        "atexit.register(lambda: print(*sorted(sys.modules), file=sys.stderr))\n"
        "from replay.cli import main\n"
        f"main({list(map(str, words))!r})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=False
    )
    loaded = set(done.stderr.split())
    assert "replay.commands.view" in loaded
    heavy = {"duckdb", "flask", "jinja2", "plotly", "pyarrow", "rich", "webviewer", "werkzeug"}
    assert loaded & heavy == set()
