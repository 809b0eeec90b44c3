"""`paipu index`: an archive brought up to date with logs, once or for as long as it runs."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from replay.commands import shell, signals
from replay.commands.archive import said, words_of
from replay.commands.meter import Meter
from replay.damages import damage_text
from replay.folder import STDIN, Problem, is_archive
from replay.report import builtins, json_text
from replay.wording import Words, plain

if TYPE_CHECKING:
    from replay.archive import ArchiveError, Change, Manner, Progress, Summary
    from replay.archive.indexing import HireFor

_COUNTS = (
    "added",
    "grown",
    "rewritten",
    "shrunk",
    "returned",
    "unchanged",
    "copies",
    "moved",
    "vanished",
    "forgotten",
    "conflicts",
    "damaged",
    "unreadable",
)
_BEFORE = frozenset({"still_unreadable"})
"""Changes that are none: said of a run, not by a watch whenever it finds something else."""


@click.command("index")
@click.argument("archive")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--rehash", is_flag=True, help="Read every file, also where size and times agree.")
@click.option("--prune", is_flag=True, help="Take out of the archive what has vanished.")
@click.option("--watch", "is_watched", is_flag=True, help="Go on until Ctrl-C, as logs grow.")
@click.option(
    "--every",
    type=click.FloatRange(min=0.1),
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="How often --watch looks.",
)
@click.option(
    "--wait",
    type=click.FloatRange(min=0),
    default=0.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait while another process is writing the archive.",
)
@shell.jobs_option
@shell.scheduler_option
@shell.json_option
@shell.lang_option
def command(
    archive: str,
    paths: tuple[str, ...],
    rehash: bool,
    prune: bool,
    is_watched: bool,
    every: float,
    wait: float,
    jobs: int | None,
    scheduler: str | None,
    as_json: bool,
    lang: str,
) -> int:
    """Verify logs and add them to an archive.

    ARCHIVE is a folder, made if it is not there; PATH a log or a folder of logs. Logs that are in
    the archive and have not changed are skipped. Exit status 0, also where logs have findings.
    """
    from replay.archive import Manner

    if is_watched and prune:
        raise click.UsageError("--watch takes nothing out: --prune is for a run of its own")
    _demand_logs(paths)
    saying = _Saying(Words(lang), as_json)
    manner = Manner(rehash, prune, wait, saying.waiting, saying.heard, saying.committed)
    with said(lang), hired(jobs, scheduler) as hire_for, _stopped(saying, is_watched):
        if is_watched:
            _watch(archive, paths, every, hire_for, manner, saying)
        else:
            _once(archive, paths, hire_for, manner, saying)
    return shell.OK


@contextmanager
def hired(jobs: int | None, scheduler: str | None) -> "Iterator[HireFor]":
    """Who does the work, given how much there is: processes, or the workers of a Dask cluster."""
    if scheduler is None:
        from replay.archive.indexing import crew

        yield lambda size: crew(jobs or shell.jobs_for(size))
        return
    from replay.archive.scheduled import MODULE, hiring

    with shell.cluster_at(scheduler, jobs, MODULE) as cluster:
        yield hiring(cluster)


def _demand_logs(paths: Sequence[str]) -> None:
    for path in paths:
        if path == STDIN:
            raise Problem("index_stdin")
        if is_archive(path):
            raise Problem("archive", path=path)


def _once(
    archive: str, paths: Sequence[str], hire_for: "HireFor", manner: "Manner", saying: "_Saying"
) -> None:
    from replay.archive.indexing import index_found
    from replay.archive.survey import survey

    began = time.monotonic()
    found = survey(paths)
    if not (found.files or found.passed or found.unlisted or is_archive(archive)):
        raise Problem("no_logs", path=", ".join(paths))
    with saying.whatever_happens(), Meter(1) as meter:
        drawn = _drawn(meter, saying.words, began)
        summary = index_found(archive, found, hire_for, drawn, manner)
    saying.summary(summary, time.monotonic() - began)


def _watch(
    archive: str,
    paths: Sequence[str],
    every: float,
    hire_for: "HireFor",
    manner: "Manner",
    saying: "_Saying",
) -> None:
    from replay.archive.watch import Watcher, watch

    watcher = Watcher(archive, paths, every, manner)
    with saying.whatever_happens(), Meter(1) as meter:

        def looked(summary: "Summary", seconds: float) -> None:
            meter.clear()
            saying.looked(summary, seconds)

        def trouble(error: "ArchiveError") -> None:
            if signals.status() is not None:  # DuckDB makes an error of its own of Ctrl-C
                raise SystemExit(signals.status()) from error
            meter.clear()
            saying.trouble(error)

        drawn = _drawn(meter, saying.words, time.monotonic())
        watch(watcher, every, hire_for, looked, trouble, drawn)


@contextmanager
def _stopped(saying: "_Saying", is_watched: bool) -> Iterator[None]:
    """Ctrl-C ends a watch as one wishes; of a run it is said that nothing is spoilt."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, RuntimeError):  # DuckDB makes the last of the others
        if signals.status() is None:
            raise
        saying.stopped()
        if not (is_watched and signals.status() == signals.INTERRUPTED):
            raise


def _drawn(meter: Meter, words: Words, began: float) -> "Callable[[Progress], None]":
    """Draws how far a run is, by bytes, and how fast."""

    def drawn(told: "Progress") -> None:
        seconds = max(time.monotonic() - began, 0.001)
        hands, rows = round(told.hands / seconds), round(told.plays / seconds)
        meter.reach(
            told.bytes, max(told.n_bytes, 1), words("cli.index.speed", hands=hands, rows=rows)
        )

    return drawn


class _Saying:
    """What is printed of a run: sentences, or JSON."""

    def __init__(self, words: Words, as_json: bool) -> None:
        self.words = words
        self._as_json = as_json
        self._heard: list[Change] = []
        self._sums: Summary | None = None
        self._is_first = True

    @contextmanager
    def whatever_happens(self) -> Iterator[None]:
        """What stands in the archive is said before the error that ends the block."""
        began = time.monotonic()
        try:
            yield
        except BaseException:
            self._say_committed(time.monotonic() - began)
            raise

    def _say_committed(self, seconds: float) -> None:
        """What was committed and is not said yet."""
        if self._sums is None or not (self._heard or self._sums.problems):
            return
        if self._is_first:
            self.summary(self._sums, seconds)
        else:
            self._lines()

    def committed(self, summary: "Summary") -> None:
        """The sums of what stands in the archive by now."""
        self._sums = summary

    def summary(self, summary: "Summary", seconds: float) -> None:
        """All of it."""
        self._is_first, self._sums = False, None
        self._heard.clear()
        if self._as_json:
            click.echo(json_text({**builtins(summary), "seconds": round(seconds, 3)}))
            return
        shell.echo(map(self._sentence, summary.changes))
        counts = {name: getattr(summary, name) for name in _COUNTS}
        shown = [
            self.words(f"cli.index.{name}", n=n)
            for name, n in counts.items()
            if n or name == "added"
        ]
        click.echo(self.words("cli.index.logs", n=summary.files, more=self.words.join(shown)))
        sums = {name: getattr(summary, name) for name in ("hands", "plays", "findings")}
        click.echo(self.words("cli.index.rows", **sums))
        speed = {
            "hands": round(summary.hands / max(seconds, 0.001)),
            "rows": round(summary.plays / max(seconds, 0.001)),
        }
        click.echo(
            self.words(
                "cli.index.took",
                seconds=f"{seconds:.1f}",
                more=self.words("cli.index.speed", **speed),
            )
        )

    def heard(self, change: "Change") -> None:
        """A change that stands in the archive."""
        self._heard.append(change)

    def looked(self, summary: "Summary", seconds: float) -> None:
        """What a look found: the first one as a run says it, then a line a change."""
        if self._is_first:
            self.summary(summary, seconds)
        else:
            self._lines()

    def _lines(self) -> None:
        """A line for every change that was heard of and not said."""
        changes, self._heard, self._sums = self._heard, [], None
        for change in changes:
            if change.kind in _BEFORE:
                continue
            if self._as_json:
                click.echo(json_text(builtins(change)))
            else:
                click.echo(f"{time.strftime('%H:%M:%S')} {self._sentence(change)}")

    def trouble(self, error: "ArchiveError") -> None:
        """What will be tried again; what was committed all the same comes first."""
        self._say_committed(0.0)
        click.echo(f"paipu: {words_of(error, self.words.lang)}", err=True)

    def waiting(self, holder: str) -> None:
        """Another process has the archive."""
        click.echo(f"paipu: {self.words('cli.index.waiting', n=holder)}", err=True)

    def stopped(self) -> None:
        """It was asked to end."""
        click.echo(f"paipu: {self.words('cli.index.stopped')}", err=True)

    def _sentence(self, change: "Change") -> str:
        from replay.archive.errors import translated

        other = translated(change.other or "", self.words.lang)
        if change.damage is not None:
            other = damage_text(change.damage, self.words.lang)
        if change.trouble is not None:
            other = getattr(change.trouble, self.words.lang)
        word = "vanished_copy" if change.kind == "vanished" and other else change.kind
        slots = {"path": plain(change.path), "other": plain(other), "hands": change.hands}
        slots["n"] = change.places
        return self.words(f"cli.index.change.{word}", **slots)
