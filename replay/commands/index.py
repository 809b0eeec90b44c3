"""`paipu index`: an archive brought up to date with logs."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from replay.commands import shell
from replay.commands.archive import said
from replay.commands.meter import Meter
from replay.folder import STDIN, Problem, is_archive
from replay.report import builtins, json_text
from replay.wording import Words, plain

if TYPE_CHECKING:
    from replay.archive import Summary
    from replay.archive.indexing import Hire


def indexed(archive: str, paths: Sequence[str], jobs: int, hire: "Hire | None" = None) -> "Summary":
    """Bring an archive up to date with logs; Problem, ArchiveError."""
    from replay.archive import index

    for path in paths:
        if path == STDIN:
            raise Problem("index_stdin")
        if is_archive(path):
            raise Problem("archive", path=path)
    with Meter(1) as meter:
        return index(archive, paths, jobs, lambda done, total, _: meter.reach(done, total), hire)


def scheduled(archive: str, paths: Sequence[str], jobs: int | None, scheduler: str) -> "Summary":
    """The same by the workers of a Dask cluster; ClusterError too."""
    from replay.archive.scheduled import MODULE, Scheduled

    with shell.cluster_at(scheduler, jobs, MODULE) as cluster:
        return indexed(archive, paths, 1, partial(Scheduled, cluster))


@click.command("index")
@click.argument("archive")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@shell.jobs_option
@shell.scheduler_option
@shell.json_option
@shell.lang_option
def command(
    archive: str,
    paths: tuple[str, ...],
    jobs: int | None,
    scheduler: str | None,
    as_json: bool,
    lang: str,
) -> int:
    """Verify logs and add them to an archive.

    ARCHIVE is a folder, made if it is not there; PATH a log or a folder of logs. Logs that are in
    the archive and have not changed are skipped. Exit status 0, also where logs have findings.
    """
    with said():
        if scheduler is not None:
            summary = scheduled(archive, paths, jobs, scheduler)
        else:
            summary = indexed(archive, paths, jobs or shell.jobs_for(_bytes(paths)))
    if as_json:
        click.echo(json_text(builtins(summary)))
        return shell.OK
    words = Words(lang)
    shell.echo(map(plain, summary.problems))
    names = ("added", "grown", "unchanged", "copies", "conflicts", "unreadable")
    counts = {name: getattr(summary, name) for name in names}
    shown = [words(f"cli.index.{name}", n=n) for name, n in counts.items() if n or name == "added"]
    click.echo(words("cli.index.logs", n=summary.files, more=words.join(shown)))
    click.echo(
        words(
            "cli.index.rows",
            hands=summary.hands,
            plays=summary.plays,
            findings=summary.findings,
        )
    )
    return shell.OK


def _bytes(paths: Sequence[str]) -> int:
    """How much there is to read; what cannot be indexed is not touched."""
    from contextlib import ExitStack

    from replay.folder import is_special, located

    readable = [path for path in paths if path != STDIN and not is_special(path)]
    with ExitStack() as stack:
        return sum(file.size for file in located(readable, stack))
