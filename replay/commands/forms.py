"""`paipu convert`, `seal` and `recover`: the forms of a log, and what can be saved of one."""

import os
import shutil
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import click
from msgspec import Struct

from replay.commands import shell
from replay.commands.files import demand_other, replacement, whole
from replay.damages import damage_text
from replay.folder import STDIN, LogFile, Problem, located_one, opened, standard_output
from replay.wording import Words
from schema.items import Hand, Log
from schema.salvage import Salvaged

_TEXT, _BINARY = ".paipu.jsonl", ".paipu"


class Written(Struct, frozen=True):
    """A file that was written: its name, form and size in bytes."""

    path: str
    form: str
    size: int


def form_of(path: str) -> str:
    """The form that a name asks for: `text` or `live`; Problem for any other ending."""
    if path == STDIN or path.endswith(_TEXT):
        return "text"
    if path.endswith(_BINARY):
        return "live"
    raise Problem("ending", path=path)


def convert(file: LogFile, out: str, tolerant: bool, force: bool) -> Written:
    """Write a log in the form that the name `out` asks for; LogError for damage."""
    form = form_of(out)
    if out == STDIN:
        output = standard_output()
        with tempfile.TemporaryFile() as sink:
            size = _converted(file, sink, form, tolerant)
            sink.seek(0)
            shutil.copyfileobj(sink, output)
            return Written(out, form, size)
    demand_other(file.path, out, file.name)
    with whole(out, _like(file), force) as sink:
        return Written(out, form, _converted(file, sink, form, tolerant))


def _converted(file: LogFile, sink: BinaryIO, form: str, tolerant: bool) -> int:
    from schema.seal import write_live
    from schema.textform import write_text

    with open(file.path, "rb") as stream:
        log = _open(stream, tolerant)
        if form == "text":
            write_text(log, sink)
        else:
            write_live(log, sink)
    return sink.tell()


def _open(stream: BinaryIO, tolerant: bool) -> Log:
    from schema.logfile import open_log
    from schema.textform import is_text, open_text

    if tolerant and is_text(stream.read(64)):
        return open_text(stream, "tolerant")
    return open_log(stream)


def _like(file: LogFile) -> str | None:
    """Whose mode the copy takes: that of the log, unless it came out of a pipe."""
    return None if file.is_copy else file.path


def seal(file: LogFile, out: str | None, force: bool) -> Written:
    """Write the sealed form, by default in place of the live one; LogError for an open hand."""
    if out is not None:
        if form_of(out) != "live":
            raise Problem("seal_ending", path=out)
        demand_other(file.path, out, file.name)
        with whole(out, _like(file), force) as sink, opened(file) as log:
            return _sealed(log, sink, out)
    if file.is_copy:
        raise Problem("seal_stdin", path=file.name)
    with opened(file) as log:
        if log.form == "sealed":
            raise Problem("sealed_already", path=file.name)
        if log.form == "text":
            raise Problem("seal_text", path=file.name)
    return _seal_in_place(file)


def _seal_in_place(file: LogFile) -> Written:
    """Under the writer's lock, so that no hand is lost that a recorder is just writing."""
    from replay.recorder import durable

    path = os.path.realpath(file.path)
    with open(path, "rb") as stream:
        if not durable.try_lock(stream.fileno(), Path(path)):
            raise Problem("being_written", path=file.name)
        from schema.logfile import open_log

        with replacement(path, path, force=True) as sink:
            log = open_log(stream)
            written = _sealed(log, sink, file.name)
            sink.flush()
            _demand_same(log, open_log(sink), file.name)
            return written


def _sealed(log: Log, sink: BinaryIO, name: str) -> Written:
    from schema.seal import seal as seal_log

    seal_log(log, sink)
    return Written(name, "sealed", sink.tell())


def _demand_same(log: Log, sealed: Log, name: str) -> None:
    """The sealed file is to replace the evidence: read again, it must have every hand."""
    if _last_leaf(log) != _last_leaf(sealed):
        raise Problem("seal_differs", path=name)


def _last_leaf(log: Log) -> bytes:
    leaf = log.head_leaf
    for item in log.items():
        leaf = item.leaf if isinstance(item, Hand) else leaf
    return leaf


def recover(file: LogFile, out: str, force: bool) -> Salvaged:
    """Copy what is provably whole, every gap stated; LogError if HEAD is unreadable."""
    from schema.salvage import salvage

    if form_of(out) != "live" or out == STDIN:
        raise Problem("recover_ending", path=out)
    demand_other(file.path, out, file.name)
    at = time.time_ns() // 1_000_000
    with open(file.path, "rb") as stream, whole(out, _like(file), force) as sink:
        return salvage(stream, sink, at)


def _force_option(command: shell.F) -> shell.F:
    return click.option("--force", is_flag=True, help="Replace OUT if it is there.")(command)


def _say_written(written: Written, words: Words) -> None:
    form = words(f"cli.form.{written.form}")
    click.echo(words("cli.written", path=written.path, form=form, n=written.size), err=True)


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("out", metavar="OUT")
@click.option(
    "--tolerant",
    is_flag=True,
    help="Accept text with other spacing and key order; canonical text is written.",
)
@_force_option
@shell.lang_option
def convert_command(source: str, out: str, tolerant: bool, force: bool, lang: str) -> int:
    """Write a log in another form, without losing anything.

    The name of OUT says which: *.paipu.jsonl is text, *.paipu the live binary form; - writes text
    to standard output. A damaged log is refused: recover it first.
    """
    with ExitStack() as stack:
        file = located_one(source, stack)
        with shell.about(file):
            written = convert(file, out, tolerant, force)
    if out != STDIN:
        _say_written(written, Words(lang))
    return shell.OK


@click.command("seal")
@click.argument("log")
@click.option("-o", "--out", metavar="OUT", help="Write OUT, and leave LOG as it is.")
@_force_option
@shell.lang_option
def seal_command(log: str, out: str | None, force: bool, lang: str) -> int:
    """Seal a log: compressed, with an end and an index, and no hash changed.

    LOG is replaced by its sealed form, whole or not at all. A hand without an end and a damaged
    log are refused.
    """
    with ExitStack() as stack:
        file = located_one(log, stack)
        with shell.about(file):
            written = seal(file, out, force)
    _say_written(written, Words(lang))
    return shell.OK


@click.command("recover")
@click.argument("source", metavar="IN")
@click.argument("out", metavar="OUT")
@_force_option
@shell.lang_option
def recover_command(source: str, out: str, force: bool, lang: str) -> int:
    """Copy what can still be read of a damaged log.

    OUT is a live log that states what was lost where. Exit status: 0 nothing was lost, 1 something
    was, 2 nothing could be read.
    """
    with ExitStack() as stack:
        file = located_one(source, stack)
        with shell.about(file):
            found = recover(file, out, force)
    words = Words(lang)
    shell.echo(recovered_text(found, out, words))
    return shell.FINDINGS if found.hands_lost or found.bytes_lost else shell.OK


def recovered_text(found: Salvaged, out: str, words: Words) -> list[str]:
    """What a salvage kept and lost, as lines."""
    lines = [words("cli.recover.kept", path=out, hands=found.hands_kept, n=found.size)]
    lines.append(words("cli.recover.lost", hands=found.hands_lost, n=found.bytes_lost))
    if found.aborted is not None:
        lines.append(words("cli.recover.aborted", n=found.aborted))
    lines += (f"  {damage_text(damage, words.lang)}" for damage in found.damage)
    return lines
