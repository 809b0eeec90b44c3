"""`paipu index` and `query`: an archive of logs, and what it answers."""

import math
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from replay.commands import shell
from replay.commands.meter import Meter
from replay.folder import STDIN, Problem, is_archive, standard_input
from replay.report import builtins, json_text
from replay.wording import Words, plain

if TYPE_CHECKING:
    from replay.archive import Summary
    from replay.archive.render import Form

_NAME = re.compile(r"\w+")
TABLE_ROWS = 1000
"""Rows that a table shows where `--limit` does not say."""
MOST_SECONDS = 604_800
_LONGEST_SQL = 1 << 20
"""Bytes: more comes from no person, and standard input may have no end."""


def indexed(archive: str, paths: Sequence[str], jobs: int) -> "Summary":
    """Bring an archive up to date with logs; Problem, ArchiveError."""
    from replay.archive import index

    for path in paths:
        if path == STDIN:
            raise Problem("index_stdin")
        if is_archive(path):
            raise Problem("archive", path=path)
    with Meter(1) as meter:
        return index(archive, paths, jobs, lambda done, total, _: meter.reach(done, total))


@click.command("index")
@click.argument("archive")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@shell.jobs_option
@shell.json_option
@shell.lang_option
def index_command(
    archive: str, paths: tuple[str, ...], jobs: int | None, as_json: bool, lang: str
) -> int:
    """Verify logs and add them to an archive.

    ARCHIVE is a folder, made if it is not there; PATH a log or a folder of logs. Logs that are in
    the archive and have not changed are skipped. Exit status 0, also where logs have findings.
    """
    with said():
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


class Seconds(click.FloatRange):
    """A number in a range, NaN in none."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number; usage that is refused otherwise."""
        found: float = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return found


@click.command("query")
@click.argument("archive")
@click.argument("sql", metavar="[SQL|NAME]", required=False)
@click.option("--json", "form", flag_value="json", help="Print a JSON array, an object a row.")
@click.option("--csv", "form", flag_value="csv", help="Print CSV (RFC 4180: lines end with CR LF).")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    show_default=f"{TABLE_ROWS} in a table",
    help="Print at most so many rows.",
)
@click.option(
    "--timeout",
    type=Seconds(min=0, min_open=True, max=MOST_SECONDS),
    metavar="SECONDS",
    help="Stop the query after so long.",
)
@shell.lang_option
def query_command(
    archive: str,
    sql: str | None,
    form: "Form | None",
    limit: int | None,
    timeout: float | None,
    lang: str,
) -> int:
    """Ask an archive.

    SQL is one SELECT; NAME one of the queries that come with paipu; - reads SQL from standard
    input. Without either the named queries are listed.
    """
    if not is_archive(archive):
        raise Problem("no_archive", path=archive)
    if sql is None:
        list_named(form == "json")
        return shell.OK
    most = TABLE_ROWS if limit is None and form is None else limit
    with said():
        is_cut = _print_answer(archive, _sql(sql), form or "table", (timeout, most))
    if is_cut:
        click.echo(Words(lang)("cli.query.cut", n=most), err=True)
    return shell.OK


def _print_answer(
    archive: str, sql: str, form: "Form", limits: tuple[float | None, int | None]
) -> bool:
    """Print what the archive answers; whether there were more rows than the limit."""
    from replay.archive import Answer, Limits, Question, memory_for_one

    with Answer(Question(archive, sql, form, Limits(*limits), memory_for_one())) as answer:
        for piece in answer:
            click.echo(piece, nl=False)
        return answer.is_cut


@contextmanager
def said() -> Iterator[None]:
    """What an archive refuses ends the command, in its words."""
    import duckdb

    from replay.archive import ArchiveError, QueryError

    try:
        yield
    except (ArchiveError, QueryError, duckdb.Error) as error:
        shell.fail(str(error))


def _sql(told: str) -> str:
    """SQL as given, from standard input, or of the named query."""
    from replay.archive import named

    if told != STDIN and _NAME.fullmatch(told):
        return named(told).sql
    data = os.fsencode(told) if told != STDIN else standard_input().read(_LONGEST_SQL + 1)
    if len(data) > _LONGEST_SQL:
        raise Problem("sql_long", n=_LONGEST_SQL)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise Problem("sql_bytes", at=error.start, found=f"{data[error.start]:02x}") from None


def list_named(as_json: bool) -> None:
    """Print the named queries."""
    from replay.archive import named_queries
    from replay.wording import columns

    found = named_queries()
    if as_json:
        click.echo(json_text(builtins(found)))
    else:
        shell.echo(columns([(query.name, query.description) for query in found]))
