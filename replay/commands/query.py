"""`paipu query`: what an archive answers."""

import math
import os
import re
from typing import TYPE_CHECKING, Any

import click

from replay.commands import shell
from replay.commands.archive import said
from replay.folder import STDIN, Problem, is_archive, standard_input
from replay.report import builtins, json_text
from replay.wording import Words

if TYPE_CHECKING:
    from replay.archive.render import Form

_NAME = re.compile(r"\w+")
TABLE_ROWS = 1000
"""Rows that a table shows where `--limit` does not say."""
MOST_SECONDS = 604_800
_LONGEST_SQL = 1 << 20
"""Bytes: more comes from no person, and standard input may have no end."""


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
def command(
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
