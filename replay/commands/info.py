"""`paipu info`: what a log is and holds, without judging it; and whether an archive is whole."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import asdict

from replay.commands import shell
from replay.damages import damage_text
from replay.folder import LogFile, is_archive, located_one, opened
from replay.report import builtins, json_text, seen_lines
from replay.wording import Words, columns, plain
from schema.damage import Damage, LogError
from schema.events import HandAborted, HandStarted
from schema.items import Hand, Log, Skipped
from schema.records import Player, Recovered


class Info(Struct, frozen=True):
    """A log as it stands. Times are ms, UTC; `in_progress` is the index of an open hand.

    `unproven`: what a log of this form cannot show. `hands` are whole ones, `events` theirs.
    """

    path: str
    size: int
    form: str
    format: str
    schema_id: str
    game: str
    file_id: str
    created: int
    rules_version: str
    producer: str
    claims: str
    previous: str
    players: tuple[Player, ...]
    options: dict[str, Any]
    head_leaf: str
    last_leaf: str
    hands: int
    aborted: int
    events: int
    first_at: int | None
    last_at: int | None
    in_progress: int | None
    skipped: int
    gaps: tuple[Recovered, ...]
    damage: tuple[Damage, ...]
    unproven: tuple[str, ...]


class _Count:
    """What is counted while a log is read."""

    def __init__(self, log: Log) -> None:
        self.last_leaf = log.head_leaf
        self.hands = self.aborted = self.events = self.skipped = 0
        self.first_at: int | None = None
        self.last_at: int | None = None
        self.in_progress: int | None = None
        self.gaps: list[Recovered] = []
        self.damage: list[Damage] = []
        for item in log.items():
            match item:
                case Hand(committed=True):
                    self._hand(item)
                case Hand():
                    self.in_progress = item.index
                case Damage():
                    self.damage.append(item)
                case Recovered():
                    self.gaps.append(item)
                case Skipped():
                    self.skipped += 1

    def _hand(self, hand: Hand) -> None:
        self.hands += 1
        self.events += len(hand.events)
        self.aborted += isinstance(hand.events[-1], HandAborted)
        self.last_leaf = hand.leaf
        first = hand.events[0]
        if isinstance(first, HandStarted):
            self.first_at = first.at if self.first_at is None else self.first_at
            self.last_at = first.at


def info(file: LogFile) -> Info:
    """Read a log from end to end; OSError, or LogError where HEAD cannot be read."""
    with opened(file) as log:
        head, count = log.head, _Count(log)
        return Info(
            path=file.name,
            size=file.size,
            form=log.form,
            format=f"{head.format_major}.{head.format_minor}",
            schema_id=head.schema_id,
            game=log.schema.game,
            file_id=head.file_id.hex(),
            created=head.created,
            rules_version=head.rules_version,
            producer=head.producer,
            claims=head.claims,
            previous=head.previous.hex(),
            players=head.players,
            options=asdict(head.options),
            head_leaf=log.head_leaf.hex(),
            last_leaf=count.last_leaf.hex(),
            hands=count.hands,
            aborted=count.aborted,
            events=count.events,
            first_at=count.first_at,
            last_at=count.last_at,
            in_progress=count.in_progress,
            skipped=count.skipped,
            gaps=tuple(count.gaps),
            damage=tuple(count.damage),
            unproven=() if log.form == "sealed" else ("cut_at_hand_border",),
        )


def info_text(found: Info, words: Words) -> Iterator[str]:
    """The same for people."""
    yield plain(found.path)
    rows = [(words(f"cli.head.{word}"), value) for word, value in _about(found, words)]
    yield from columns(rows, "  ")
    yield words("cli.info.players")
    yield from columns(
        [(words("seat.number", seat=k), plain(p.name), p.id) for k, p in enumerate(found.players)],
        "  ",
    )
    yield words("cli.info.options")
    yield from columns([_option(words, *item) for item in found.options.items()], "  ")
    yield from _trouble(found, words)


def _about(found: Info, words: Words) -> Iterator[tuple[str, str]]:
    from replay.history import utc

    each = f" ({found.size / found.hands:.0f} / {words('cli.info.hand')})" if found.hands else ""
    yield "game", f"{words(f'game.{found.game}')}, {found.schema_id}"
    yield "form", f"{words(f'cli.form.{found.form}')}, {found.format}"
    yield "size", f"{found.size}{each}"
    yield "file_id", found.file_id
    yield "created", utc(found.created)
    yield "producer", found.producer
    yield "rules_version", found.rules_version
    yield "claims_level", words(f"cli.claims_level.{found.claims}")
    yield "previous", found.previous or words("value.none")
    yield "head_leaf", found.head_leaf
    yield "last_leaf", found.last_leaf
    yield "hands", str(found.hands)
    yield "aborted", str(found.aborted)
    yield "events", str(found.events)
    if found.first_at is not None and found.last_at is not None:
        yield "played", f"{utc(found.first_at)} – {utc(found.last_at)}"


def _option(words: Words, name: str, value: Any) -> tuple[str, str, str]:
    """Name and value as HEAD has them, and what they mean."""
    meaning = words.either(f"option.{name}.{value}", "")
    about = words.either(f"option.{name}", "")
    return name, str(value), words("cli.with", what=about, more=meaning) if meaning else about


def _trouble(found: Info, words: Words) -> Iterator[str]:
    """What keeps the log from being whole, and what it cannot prove."""
    if found.in_progress is not None:
        yield words("cli.info.in_progress", n=found.in_progress)
    if found.skipped:
        yield words("verdict.skipped", n=found.skipped)
    for gap in found.gaps:
        yield words(
            "finding.recovered",
            hand=gap.hand,
            events=gap.events,
            hands_lost=gap.hands_lost,
            bytes_lost=gap.bytes_lost,
            reason=gap.reason,
        )
    if found.damage:
        yield words("cli.info.damage", n=len(found.damage))
    yield from (f"  {damage_text(damage, words.lang)}" for damage in found.damage)
    if found.unproven:
        yield words("verdict.unchecked") + words("cli.colon")
    yield from (f"  - {words(f'unchecked.{word}')}" for word in found.unproven)


def _archive(path: str, as_json: bool, words: Words) -> int:
    """Whether an archive is what its writer left, and its logs are still where they were."""
    from replay.archive import check

    found = check(path)
    if as_json:
        click.echo(json_text({"path": path, **builtins(found)}))
    else:
        click.echo(words("cli.info.archive", path=path, logs=found.logs, files=found.files))
        shell.echo(f"  {fault}" for fault in found.faults)
        shell.echo("  " + words("cli.info.missing", path=plain(path)) for path in found.missing)
    return shell.FINDINGS if found.faults else shell.OK


@click.command("info")
@click.argument("log")
@shell.json_option
@shell.lang_option
def command(log: str, as_json: bool, lang: str) -> int:
    """Describe a log, without judging it.

    Form, head, players, house rules, number of hands, last leaf, damage, and what a log of its
    form cannot prove. Of an archive: whether its files are whole and its logs still there.
    """
    words = Words(lang)
    if is_archive(log):
        return _archive(log, as_json, words)
    with ExitStack() as stack:
        file = located_one(log, stack)
        with shell.about(file):
            try:
                found = info(file)
            except LogError as error:
                shell.echo(seen_lines(error.hands_seen, words))
                raise
    shell.echo(json_text(builtins(found)) if as_json else info_text(found, words))
    return shell.OK
