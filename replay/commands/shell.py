"""What all commands share: the group, its options, and how anything that goes wrong is said."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeVar

import click

from replay.cluster.errors import ClusterError
from replay.commands import signals, usage
from replay.damages import damage_text
from replay.folder import LogFile, Problem
from replay.messages import LANGS, text
from replay.messages.system import reason
from replay.wording import plain
from schema.damage import LogError

if TYPE_CHECKING:
    from replay.cluster.client import Cluster

F = TypeVar("F", bound=Callable[..., Any])

TRACEBACK = "PAIPU_TRACEBACK"
"""An environment variable: with it an error of paipu itself shows where it happened."""
_KEPT = "\n\t"
_LINES = re.compile(f"([{_KEPT}])")
"""Some sentences have several lines: DuckDB's, with the place in SQL."""
OK, FINDINGS, NO_VERDICT = 0, 1, 2
"""Exit statuses. An error of ours ends with 2 too: Python's own 1 would mean findings."""
_PIPE_CLOSED = 141
"""What a shell reports of a process that SIGPIPE ended."""


class Paipu(click.Group):
    """A group whose commands return their exit status; no error of theirs shows a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which they were added, not by the alphabet."""
        return list(self.commands)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run, writing UTF-8 whatever the locale says; status 1 comes from findings alone."""
        _fill_standard_files()
        for stream in (sys.stdout, sys.stderr):
            _write_utf8(stream)
        with signals.heeded():
            try:
                return super().main(*args, **kwargs)
            except OSError:  # not even what is wrong can be said
                _give_up(sys.stderr)
                sys.exit(NO_VERDICT)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the arguments; help and version are printed meanwhile."""
        with _well_ended(None):
            return super().make_context(*args, **kwargs)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Note the language first: what is wrong with the arguments is to be said in it."""
        usage.note_language(ctx, args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command and end with its status."""
        with _well_ended(ctx):
            status = super().invoke(ctx)
            if sys.stdout is not None:
                sys.stdout.flush()
        ctx.exit(status or OK)


@contextmanager
def _well_ended(ctx: click.Context | None) -> Iterator[None]:
    """Whatever goes wrong is said in a sentence, and gives the status that it should."""
    try:
        yield
    except BrokenPipeError:
        _give_up(sys.stdout)
        raise click.exceptions.Exit(_PIPE_CLOSED) from None
    except KeyboardInterrupt:
        raise click.exceptions.Exit(signals.INTERRUPTED) from None
    except click.UsageError as error:
        raise usage.in_words(error, ctx, default_lang()) from None
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as error:
        if (status := signals.status()) is not None:  # DuckDB makes a RuntimeError of them
            raise click.exceptions.Exit(status) from None
        if isinstance(error, OSError) and error.filename is None:
            _give_up(sys.stdout)  # it may be the output that failed: a full disk
        fail(_sentence(error, default_lang() if ctx is None else _lang_of(ctx)))


def _sentence(error: Exception, lang: str) -> str:
    """What went wrong, in one sentence; raises it again if its place was asked for."""
    match error:
        case Problem() | Unusable():
            return error.said(lang)
        case ClusterError():
            return plain(error.said(lang))
        case LogError() | OSError():
            return said(error, lang)
        case _ if os.environ.get(TRACEBACK):
            raise error
        case _:
            told = f"{type(error).__name__}: {error}".rstrip(": ")
            return text(lang, "cli.bug", error=told)


class Unusable(Exception):
    """A log that cannot be read, or is damaged where it must not be."""

    def __init__(self, file: LogFile, error: LogError) -> None:
        """Which one, and what is wrong with it."""
        super().__init__(f"{file.name}: {error}")
        self._name = file.name
        self._damage = error.damage

    def said(self, lang: str) -> str:
        """The same in one sentence."""
        return f"{plain(self._name)}: {damage_text(self._damage, lang)}"


@contextmanager
def about(file: LogFile) -> Iterator[None]:
    """Whatever is wrong with the bytes of this log is said with its name."""
    try:
        yield
    except LogError as error:
        raise Unusable(file, error) from None


def fail(sentence: str) -> NoReturn:
    """Say what is wrong on stderr and end with status 2; what it quotes cannot move the cursor."""
    told = "".join(each if each in _KEPT else plain(each) for each in _LINES.split(sentence))
    click.echo(f"paipu: {told}", err=True)
    raise click.exceptions.Exit(NO_VERDICT)


def said(error: OSError | LogError, lang: str) -> str:
    """What is wrong with a file, in one sentence."""
    if isinstance(error, LogError):
        return damage_text(error.damage, lang)
    told = reason(error, lang)
    return told if error.filename is None else f"{plain(os.fsdecode(error.filename))}: {told}"


def pass_over(path: str) -> None:
    """Say of something in a folder that it is named like a log and is not read."""
    click.echo(f"paipu: {Problem('passed_over', path=path).said(spoken())}", err=True)


def spoken() -> str:
    """The language of the command that is running."""
    ctx = click.get_current_context(silent=True)
    return default_lang() if ctx is None else _lang_of(ctx)


def lang_option(command: F) -> F:
    """`--lang`: of whatever is said, errors included."""
    return click.option(
        "--lang",
        type=click.Choice(LANGS),
        default=spoken,
        is_eager=True,
        expose_value=True,
        callback=_remember_lang,
        show_default="from LC_ALL, LC_MESSAGES or LANG, else en",
        help="Language of what is printed.",
    )(command)


def group_lang_option(group: F) -> F:
    """`--lang` before the command: passed down to it, which may say otherwise."""
    return click.option(
        "--lang",
        type=click.Choice(LANGS),
        is_eager=True,
        expose_value=False,
        callback=_remember_lang,
        help="The same as --lang behind a command.",
    )(group)


def json_option(command: F) -> F:
    """`--json`: the result for programs."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def jobs_option(command: F) -> F:
    """`--jobs`: how many processes work; None leaves it to `jobs_for`."""
    return click.option(
        "--jobs",
        type=click.IntRange(min=1),
        show_default="as many as pay off",
        help="How many processes work at once.",
    )(command)


def scheduler_option(command: F) -> F:
    """`--scheduler`: a Dask cluster that does the work instead of processes of this machine."""
    return click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Give the work to the Dask cluster at HOST:PORT, tcp:// or tls:// before it.",
    )(command)


@contextmanager
def cluster_at(address: str, jobs: int | None, module: str) -> Iterator["Cluster"]:
    """The cluster of `--scheduler`, whose workers load `module`; ClusterError."""
    from replay.cluster.client import joined

    if jobs is not None:
        raise ClusterError("jobs")
    with joined(address, (module,), _warn) as cluster:
        yield cluster


def _warn(error: ClusterError) -> None:
    click.echo(f"paipu: {plain(error.said(spoken()))}", err=True)


_BYTES_A_JOB = 1 << 22
"""Less than this is read sooner than another process has started."""


def jobs_for(n_bytes: int) -> int:
    """How many processes pay off for so many bytes of logs, at most the processors there are."""
    return min(_available_cpus(), 1 + n_bytes // _BYTES_A_JOB)


def _available_cpus() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def default_lang() -> str:
    """zh where the environment asks for Chinese, else en."""
    asked = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next(filter(None, asked), "").lower().startswith("zh") else "en"


def echo(lines: str | Iterable[str]) -> None:
    """Print a text, or lines one after the other."""
    for line in [lines] if isinstance(lines, str) else lines:
        click.echo(line)


def _remember_lang(ctx: click.Context, _: click.Parameter, lang: str | None) -> str | None:
    ctx.meta["lang"] = lang
    return lang


def _lang_of(ctx: click.Context) -> str:
    lang: str = ctx.meta.get("lang") or default_lang()
    return lang


def _write_utf8(stream: TextIO) -> None:
    """A file name that is no UTF-8 is shown escaped, rather than ending the program."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="backslashreplace")


def _fill_standard_files() -> None:
    """Where a standard file is closed, the next one opened would get its number: a log, say."""
    for fd in range(3):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free


def _give_up(stream: TextIO | None) -> None:
    """Nobody reads what is printed any more: keep Python from complaining when it flushes."""
    if stream is not None:
        with suppress(OSError, ValueError):  # no file behind it
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
