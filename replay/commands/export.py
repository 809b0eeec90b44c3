"""`paipu export`: an archive as a lake of Parquet files, and whether one is still sound."""

from typing import TYPE_CHECKING

import click

from replay.commands import shell
from replay.commands.archive import said
from replay.commands.meter import Meter
from replay.folder import Problem, is_archive
from replay.report import builtins, json_text
from replay.wording import Words, plain

if TYPE_CHECKING:
    from replay.archive.lake import Check, Exported, Pseudonyms

_KEY_BYTES = 16, 1 << 16
"""The least that a key has, and the most that is read."""


def exported(archive: str, folder: str, force: bool, pseudonyms: "Pseudonyms | None") -> "Exported":
    """Write the archive into a new folder, with `force` in place of a lake; ArchiveError."""
    from replay.archive.lake import demand_free, demand_replaceable, export

    free = demand_replaceable if force else demand_free
    with Meter(1) as meter:
        return export(archive, folder, free, pseudonyms, meter.reach)


def checked(folder: str) -> "Check":
    """Compare a lake with its manifest; ArchiveError if there is none."""
    from replay.archive.lake import check

    with Meter(1) as meter:
        return check(folder, meter.reach)


@click.command("export")
@click.argument("archive", required=False)
@click.argument("folder", metavar="[DIR]", required=False)
@click.option("--parquet", is_flag=True, help="As Parquet files: the one form that there is.")
@click.option("--force", is_flag=True, help="Replace DIR if it is a lake, and nothing else.")
@click.option("--anonymous", is_flag=True, help="Write pseudonyms in place of ids and names.")
@click.option(
    "--key",
    metavar="FILE",
    help="With --anonymous: a file of secret bytes; one key makes one pseudonym of one player.",
)
@click.option("--check", "lake", metavar="DIR", help="Write nothing: check the lake DIR.")
@shell.json_option
@shell.lang_option
def command(
    archive: str | None,
    folder: str | None,
    parquet: bool,
    force: bool,
    anonymous: bool,
    key: str | None,
    lake: str | None,
    as_json: bool,
    lang: str,
) -> int:
    """Write an archive as Parquet files, for any other engine.

    ARCHIVE is a folder that paipu index made, DIR the folder for the files; it is made. With
    --check DIR every sum, row count and column of such a folder is compared with its manifest;
    exit status 1 if anything is damaged, missing or too much.
    """
    if lake is not None:
        if archive is not None or parquet or force or anonymous or key is not None:
            raise click.UsageError("--check DIR goes with --json and --lang alone")
        return _told(lake, as_json, lang)
    if archive is None or folder is None:
        raise click.UsageError("ARCHIVE and DIR are wanted, or --check DIR")
    if key is not None and not anonymous:
        raise click.UsageError("--key goes with --anonymous")
    if not is_archive(archive):
        raise Problem("no_archive", path=archive)
    with said():
        done = exported(archive, folder, force, _pseudonyms(key) if anonymous else None)
    click.echo(json_text(builtins(done)) if as_json else _sentence(done, lang))
    return shell.OK


def _sentence(done: "Exported", lang: str) -> str:
    rows = sum(done.rows.values())
    n = {"files": done.files, "bytes": done.bytes, "rows": rows, "hands": done.rows["hands"]}
    return Words(lang)("cli.export.done", path=plain(done.folder), **n)


def _pseudonyms(path: str | None) -> "Pseudonyms":
    """By the key in a file, or by one that nobody will know."""
    import secrets

    from replay.archive.lake import Pseudonyms

    least, most = _KEY_BYTES
    if path is None:
        return Pseudonyms(secrets.token_bytes(2 * least))
    with open(path, "rb") as file:
        key = file.read(most + 1)
    if not least <= len(key) <= most:
        raise Problem("key", path=path, n=len(key), least=least, most=most)
    return Pseudonyms(key)


def _told(lake: str, as_json: bool, lang: str) -> int:
    """Print what is wrong with a lake; exit status 1 if anything is."""
    from replay.archive.errors import translated

    with said():
        found = checked(lake)
    status = shell.FINDINGS if found.faults else shell.OK
    if as_json:
        click.echo(json_text(builtins(found)))
        return status
    words = Words(lang)
    for fault in found.faults:
        found_here = translated(fault.found, lang)
        told = {"expected": plain(fault.expected), "found": plain(found_here)}
        click.echo(words(f"cli.export.fault.{fault.kind}", path=plain(fault.path), **told))
    n = {"files": found.files, "rows": found.rows, "n": len(found.faults)}
    click.echo(words(f"cli.export.{'faulty' if found.faults else 'sound'}", path=plain(lake), **n))
    return status
