"""`paipu query`: what an archive answers."""

import codecs
import math
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import click
from msgspec import Struct

from replay.commands import shell
from replay.commands.archive import said
from replay.commands.files import whole
from replay.commands.parameters import as_told, given
from replay.folder import STDIN, Problem, is_archive, standard_input, standard_output
from replay.report import builtins, json_text
from replay.wording import Words, plain

if TYPE_CHECKING:
    from replay.archive.asking import Question
    from replay.archive.question import Form, Value

_NAME = re.compile(r"\w+")
TABLE_ROWS = 1000
"""Rows that a table shows where `--limit` does not say."""
MOST_SECONDS = 604_800
_LONGEST_SQL = 1 << 20
"""Bytes: more comes from no person, and standard input may have no end."""
_ENDINGS: "dict[str, Form]" = {
    "": "table",
    ".txt": "table",
    ".csv": "csv",
    ".json": "json",
    ".parquet": "parquet",
}
_MEMORY = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*([MG])(?:i?B)?", re.IGNORECASE)
_UNITS = {"M": 1 << 20, "G": 1 << 30}
_LEAST_MEMORY, _MOST_MEMORY = 128 << 20, 1 << 46
_MOST_ROWS = (1 << 63) - 1


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


class Memory(click.ParamType[int]):
    """An amount of memory such as 512MB or 1GB, in bytes; 1 MB is 1024 * 1024 of them."""

    name = "memory"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The bytes; usage that is refused otherwise."""
        if isinstance(value, int):
            return value
        found = _MEMORY.fullmatch(value.strip())
        if found is None:
            self.fail(f"{value!r} is no amount of memory such as 512MB or 1GB.", param, ctx)
        n_bytes = int(float(found[1]) * _UNITS[found[2].upper()])
        if not _LEAST_MEMORY <= n_bytes <= _MOST_MEMORY:
            self.fail(f"{value} is less than 128MB, or more than there can be.", param, ctx)
        return n_bytes


class Wanted(Struct, frozen=True):
    """In which form an answer is wanted, and in which file: None is standard output."""

    form: "Form"
    out: str | None
    force: bool


@click.command("query")
@click.argument("archive", required=False)
@click.argument("sql", metavar="[SQL|NAME]", required=False)
@click.option("--table", "form", flag_value="table", help="Print a table: the default.")
@click.option("--json", "form", flag_value="json", help="Print a JSON array, an object a row.")
@click.option(
    "--csv",
    "form",
    flag_value="csv",
    help="Print CSV (RFC 4180: lines end with CR LF); escaped on a terminal alone.",
)
@click.option(
    "--parquet",
    "form",
    flag_value="parquet",
    help="Write Parquet, not to a terminal; types it has not are text.",
)
@click.option(
    "-o",
    "--out",
    metavar="FILE",
    help="Write FILE, whole or not at all; its ending says the form if no option does.",
)
@click.option("--force", is_flag=True, help="Replace FILE if it is there.")
@click.option(
    "--param",
    "params",
    metavar="NAME=VALUE",
    multiple=True,
    help="What :NAME stands for; once for each parameter.",
)
@click.option("--list", "is_list", is_flag=True, help="List the queries that come with paipu.")
@click.option(
    "--limit",
    type=click.IntRange(min=0, max=_MOST_ROWS),
    show_default=f"{TABLE_ROWS} in a table",
    help="Give at most so many rows.",
)
@click.option(
    "--timeout",
    type=Seconds(min=0, min_open=True, max=MOST_SECONDS),
    metavar="SECONDS",
    default=10,
    show_default=True,
    help="Stop the query, and the reading of its answer, after so long.",
)
@click.option(
    "--memory",
    type=Memory(),
    metavar="AMOUNT",
    default="512MB",
    show_default=True,
    help="The most memory that the query may use.",
)
@shell.lang_option
def command(
    archive: str | None,
    sql: str | None,
    form: "Form | None",
    out: str | None,
    force: bool,
    params: tuple[str, ...],
    is_list: bool,
    limit: int | None,
    timeout: float,
    memory: int,
    lang: str,
) -> int:
    """Ask an archive.

    SQL is one SELECT; NAME one of the queries that come with paipu; - reads SQL from standard
    input. Without either the named queries are listed. In SQL :NAME is a parameter; what --param
    says of it is text, and a number or date where one is needed. Exit status: 0 there is an answer,
    even if it was cut; 2 there is none: SQL was refused, it failed, or a limit stopped it.
    """
    if archive is not None and not is_archive(archive):
        raise Problem("no_archive", path=archive)
    if archive is None or sql is None or is_list:
        if archive is None and not is_list:
            raise click.UsageError("Missing argument 'ARCHIVE'.")
        list_named(form == "json", lang)
        return shell.OK
    wanted = _wanted(form, out, force)
    most = TABLE_ROWS if limit is None and wanted.form == "table" else limit
    with said(lang, archive):
        from replay.archive.asking import Limits, Question

        limits = Limits(seconds=timeout, memory=memory, rows=most)
        text, values = _asked(sql, params)
        is_cut = _answered(archive, Question(text, values, wanted.form, limits), wanted)
    if is_cut:
        click.echo(Words(lang)("cli.query.cut", n=most), err=True)
    return shell.OK


def _wanted(form: "Form | None", out: str | None, force: bool) -> Wanted:
    """The form that was asked for, or that the ending of the file says."""
    if out == STDIN:
        out = None
    ending = "" if out is None else os.path.splitext(out)[1].lower()
    found = form or _ENDINGS.get(ending)
    if found is None:
        raise Problem(
            "query_ending", path=out, found=ending, endings=" ".join(filter(None, _ENDINGS))
        )
    wanted = Wanted(found, out, force)
    if wanted.form == "parquet" and out is None and standard_output().isatty():
        raise Problem("parquet_terminal")
    return wanted


def _asked(told: str, params: Sequence[str]) -> "tuple[str, dict[str, Value]]":
    """The SQL, and what its parameters stand for; Problem for a parameter that it has not."""
    from replay.archive.named import named
    from replay.archive.statement import placeholders

    if told != STDIN and _NAME.fullmatch(told):
        query = named(told)
        return query.sql, given(query, params)
    sql = _sql(told)
    names = placeholders(sql)
    values = as_told(names, params)
    if missing := sorted(names - values.keys()):
        raise Problem("param_missing", name=missing[0], names=", ".join(missing))
    return sql, values


def _answered(archive: str, question: "Question", wanted: Wanted) -> bool:
    """Write what the archive answers; whether there were more rows than the limit."""
    from replay.archive.asking import Asker

    with Asker(archive) as asker, asker.ask(question) as answer, _sink(wanted) as sink:
        for piece in answer:
            sink.write(piece)
        return answer.is_cut


class Terminal:
    """Text on a terminal, where no value may move the cursor: escaped as in a table.

    Lines end as they did; bytes come in pieces that may end within a character or a CR LF.
    """

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def write(self, data: bytes) -> int:
        """Write what is whole of it."""
        text = self._rest + self._decoder.decode(data)
        self._rest = "\r" if text.endswith("\r") else ""
        self._put(text.removesuffix(self._rest))
        return len(data)

    def flush(self) -> None:
        """Write the rest too."""
        self._put(self._rest + self._decoder.decode(b"", final=True))
        self._rest = ""
        self._out.flush()

    def _put(self, text: str) -> None:
        lines = text.split("\n")
        ends = [line.endswith("\r") for line in lines[:-1]] + [False]
        shown = [
            plain(line[:-1] if ended else line) + "\r" * ended
            for line, ended in zip(lines, ends, strict=True)
        ]
        self._out.write("\n".join(shown).encode())


@contextmanager
def _sink(wanted: Wanted) -> Iterator[BinaryIO]:
    """Where the answer goes: a file has its name when the answer is whole."""
    if wanted.out is None:
        sys.stdout.flush()
        out = standard_output()
        if wanted.form == "csv" and out.isatty():
            out = cast(BinaryIO, Terminal(out))
        yield out
        out.flush()
    else:
        with whole(wanted.out, None, wanted.force) as sink:
            yield sink


def _sql(told: str) -> str:
    """SQL as given, or from standard input."""
    data = os.fsencode(told) if told != STDIN else standard_input().read(_LONGEST_SQL + 1)
    if len(data) > _LONGEST_SQL:
        raise Problem("sql_long", n=_LONGEST_SQL)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise Problem("sql_bytes", at=error.start, found=f"{data[error.start]:02x}") from None


def list_named(as_json: bool, lang: str) -> None:
    """Print the named queries: what each answers, and what it takes."""
    from replay.archive.named import named_queries
    from replay.wording import columns

    found = named_queries()
    if as_json:
        click.echo(json_text(builtins(found)))
        return
    lines = []
    for query in found:
        lines.append((query.name, getattr(query, lang)))
        for parameter in query.parameters:
            default = "" if parameter.default is None else f" = {parameter.default}"
            choices = f" ({' '.join(parameter.choices)})" if parameter.choices else ""
            told = f"{getattr(parameter, lang)}{choices}"
            lines.append((f"  :{parameter.name}{default}", f"  {told}"))
    shell.echo(columns(lines))
