"""One hand's page out of an open log: walked, looked at, its settlement laid open."""

from datetime import UTC, datetime

from msgspec.structs import asdict

from replay import __version__
from replay.engine.registry import game_named
from replay.findings import Finding
from replay.position import Act, Position, position
from replay.reader.moments import moments, unverified_from
from replay.reader.pages import HandPage, HandRow, NotFound, People, Person
from replay.reader.sheet import sheet
from replay.reader.sight import seen_by
from replay.verify import HandResult
from replay.walk import HandWalk
from schema.items import Hand, Log
from schema.records import Head


def people(head: Head) -> People:
    """Who sits where."""
    a, b, c, d = (Person(player.id, player.name) for player in head.players)
    return (a, b, c, d)


def walked(log: Log, hand: Hand) -> HandResult:
    """One hand judged by itself, from its own opening; findings are not made again here."""
    game = game_named(log.schema.game)
    walk = HandWalk(game, log.head.options, log.head.claims, None)
    steps = [walk.step(event) for event in hand.events]
    return HandResult(game, hand, steps, (), not walk.is_blocked, False, None)


def hand_page(
    log: Log,
    result: HandResult,
    row: HandRow,
    findings: tuple[Finding, ...],
    eye: int | None,
    neighbours: tuple[str | None, str | None],
) -> HandPage:
    """The page of a walked hand; `findings` are the log's report on this hand."""
    return HandPage(
        row=row,
        eye=eye,
        direction=result.game.direction,
        moments=moments(result, findings, eye),
        findings=seen_by(eye, result, findings),
        sheet=sheet(result, log.schema, log.head.options),
        unverified_from=unverified_from(result),
        previous=neighbours[0],
        next=neighbours[1],
        options=options_of(log.head),
        about=(("hand_id", row.hand_id), ("started", when(row.at)), *about_log(log, row.log_name)),
    )


def position_in(result: HandResult, event: int, eye: int | None, cards: bytes | None) -> Position:
    """The position before an event of a walked hand; NotFound if it has no such place."""
    if not 0 <= event <= len(result.steps):
        raise NotFound("event", event)
    return position(result, event, None if cards is None else Act(cards), eye)


def options_of(head: Head) -> tuple[tuple[str, str], ...]:
    """The table's house rules by name."""
    return tuple((name, str(value)) for name, value in asdict(head.options).items())


def about_log(log: Log, name: str) -> tuple[tuple[str, str], ...]:
    """What HEAD says, for people; the words are the catalogue's `view.about.*`."""
    head = log.head
    return (
        ("log", name),
        ("file_id", head.file_id.hex()),
        ("form", log.form),
        ("created", when(head.created)),
        ("players", " ".join(player.id for player in head.players)),
        ("claims", head.claims),
        ("producer", head.producer),
        ("rules_version", head.rules_version),
        ("engine", __version__),
    )


def when(millis: int) -> str:
    """Wall time, UTC, to the second; in milliseconds where the calendar has no such year."""
    try:
        return datetime.fromtimestamp(millis / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (ValueError, OverflowError, OSError):
        return f"{millis} ms"
