"""Verdicts written out: a report as text in Chinese or English, and as JSON; always the same."""

import json
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

import msgspec
from msgspec import Struct

from replay.findings import Finding
from replay.folder import Note
from replay.messages import text
from replay.verify import Report
from replay.wording import Words, plain
from schema.damage import HandSeen

_INDENT = "    "
COUNTS = ("hands", "aborted", "facts", "claims", "unverified", "openings_unchecked", "skipped")


class Failure(Struct, frozen=True):
    """Why there is no verdict: a fault of the format, or `io`; places are None for `io`.

    `hands_seen` are the hands of a file whose HEAD is bad: framed and hashed, not judged.
    """

    fault: str
    record: int | None
    offset: int | None
    expected: str
    found: str
    zh: str
    en: str
    hands_seen: tuple[HandSeen, ...] = ()


class Verdict(Struct, frozen=True):
    """What is to be said of one file: its report, or why there is none; and the players' names."""

    path: str
    report: Report | None = None
    failure: Failure | None = None
    players: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def word(self) -> str:
        """`clean`, `findings` or `none`."""
        if self.report is None:
            return "none"
        return "findings" if self.n_findings else "clean"

    @property
    def n_findings(self) -> int:
        """Findings in the log, and conflicts with other files."""
        report = self.report
        own = 0 if report is None else len(report.findings) + report.unlisted
        return own + sum(note.kind == "conflict" for note in self.notes)

    @property
    def status(self) -> int:
        """Exit status: 0 clean, 1 findings, 2 no verdict."""
        return {"clean": 0, "findings": 1, "none": 2}[self.word]


def verdict_text(verdict: Verdict, lang: str) -> str:
    """One file: the verdict in one line, then every finding, then what was not checked in it."""
    words = Words(lang, verdict.players)
    lines = [f"{plain(verdict.path)}: {_headline(verdict, words)}"]
    if verdict.failure is not None:
        lines += seen_lines(verdict.failure.hands_seen, words)
    if verdict.report is not None:
        for number, finding in enumerate(verdict.report.findings, 1):
            lines += _finding(number, finding, words)
        if verdict.report.unlisted:
            lines.append("  " + words("verdict.unlisted", n=verdict.report.unlisted))
    lines += (f"  * {note.zh if lang == 'zh' else note.en}" for note in verdict.notes)
    if verdict.report is not None:
        lines += _gaps(verdict.report, words)
    return "\n".join(lines)


def _headline(verdict: Verdict, words: Words) -> str:
    if verdict.failure is not None:
        failure = verdict.failure
        return words("verdict.none", reason=failure.zh if words.lang == "zh" else failure.en)
    return words(f"verdict.{verdict.word}", n=verdict.n_findings)


def seen_lines(hands: Sequence[HandSeen], words: Words) -> Iterator[str]:
    """The hands of a file whose HEAD is bad: all that can be said of it."""
    if hands:
        yield "  " + words("cli.seen.title", n=len(hands))
    for hand in hands:
        yield _INDENT + words(
            "cli.seen.whole" if hand.whole else "cli.seen.damaged",
            n=hand.index,
            offset=hand.offset,
            events=hand.n_events,
            bytes=hand.n_bytes,
            hand_id=hand.leaf.hex()[:16],
        )


def _finding(number: int, finding: Finding, words: Words) -> Iterator[str]:
    """One finding: where and who, the sentence, the rule in its own and the source's words."""
    kind = words(f"finding.{finding.kind}")
    where = ": ".join(filter(None, (place(finding, words), _who(finding, words))))
    yield f"  {number}. " + (f"{where}: " if where else "") + f"{finding.rule} [{kind}]"
    yield _INDENT + (finding.zh if words.lang == "zh" else finding.en)
    sentence, source = words.rule(finding.rule)
    details = (
        ("rule", sentence),
        ("source", source),
        ("expected", _unsaid(finding, finding.expected)),
        ("logged", _unsaid(finding, finding.logged)),
        ("proof", finding.proof),
    )
    for word, value in details:
        if value:
            yield f"{_INDENT}{words(f'cli.{word}')}: {value}"


def _unsaid(finding: Finding, value: str) -> str:
    """A value that the sentence does not say already (both languages say the same)."""
    return (
        ""
        if value in finding.en or value in (text("en", "value.none"), text("en", "value.nothing"))
        else value
    )


def place(finding: Finding, words: Words) -> str:
    """Where a finding stands: hand, trick, event and byte, as far as it has them."""
    parts = (
        ("hand", finding.hand),
        ("trick", finding.trick),
        ("event", finding.event),
        ("offset", finding.offset),
    )
    return words.join([words(f"cli.{word}", n=n) for word, n in parts if n is not None])


def _who(finding: Finding, words: Words) -> str:
    if finding.seat is None:
        return ""
    number = words("seat.number", seat=finding.seat)
    name = words.seat(finding.seat)
    return number if name == number else words("cli.with", what=number, more=name)


def _gaps(report: Report, words: Words) -> Iterator[str]:
    """What keeps a report from speaking of the whole log."""
    for word in ("unverified", "openings_unchecked", "skipped"):
        if n := getattr(report, word):
            yield "  " + words(f"verdict.{word}", n=n)
    if report.in_progress:
        yield "  " + words("verdict.in_progress")


def about_text(report: Report, lang: str) -> str:
    """Which log it was and by what it was judged."""
    words = Words(lang)
    rows = (
        ("game", words(f"game.{report.game}")),
        ("form", words(f"cli.form.{report.form}")),
        ("file_id", report.file_id),
        ("last_leaf", report.last_leaf),
        ("claims_level", words(f"cli.claims_level.{report.claims_level}")),
        ("judged_by", f"{report.rules_version}, paipu {report.engine}"),
    )
    return "\n".join(f"  {words(f'cli.head.{word}')}: {value}" for word, value in rows)


def totals_text(verdicts: Sequence[Verdict], lang: str) -> str:
    """The counts over all files, and what no log can show."""
    words = Words(lang)
    reports = [verdict.report for verdict in verdicts if verdict.report is not None]
    lines = []
    if len(verdicts) > 1:
        counts = {w: sum(v.word == w for v in verdicts) for w in ("clean", "findings", "none")}
        lines.append(words("cli.verify.files", n=len(verdicts), **counts))
    if not reports:
        return "\n".join(lines)
    sums = {word: sum(getattr(report, word) for report in reports) for word in COUNTS}
    shown = [words(f"verdict.{word}", n=n) for word, n in sums.items() if n or word in _ALWAYS]
    exercised = {rule for report in reports for rule in report.exercised}
    shown.append(words("verdict.exercised", n=len(exercised)))
    lines.append(words.join(shown))
    lines.append(words("verdict.unchecked") + words("cli.colon"))
    unchecked = dict.fromkeys(item for report in reports for item in report.unchecked)
    lines += (f"  - {words(f'unchecked.{item}')}" for item in unchecked)
    return "\n".join(lines)


_ALWAYS = ("hands", "facts", "claims")


def verdicts_json(verdicts: Sequence[Verdict]) -> str:
    """All files as one JSON array: `path`, `verdict`, and `report` or `error`; then `notes`."""
    return json_text([_plain(verdict) for verdict in verdicts])


def _plain(verdict: Verdict) -> dict[str, Any]:
    found: dict[str, Any] = {"path": verdict.path, "verdict": verdict.word}
    if verdict.report is not None:
        found["report"] = builtins(verdict.report)
    if verdict.failure is not None:
        found["error"] = builtins(verdict.failure)
    return found | {"notes": builtins(verdict.notes)}


def builtins(value: Any) -> Any:
    """A value of ours as JSON has it: structs as objects, bytes as hex, enums by value."""
    match value:
        case bytes():
            return value.hex()
        case Enum():
            return value.value
        case Struct():
            names = (field.name for field in msgspec.structs.fields(value))
            return {name: builtins(getattr(value, name)) for name in names}
        case dict():
            return {key: builtins(item) for key, item in value.items()}
        case tuple() | list():
            return [builtins(item) for item in value]
        case _:
            return value


def json_text(value: Any) -> str:
    """JSON for people and programs: two spaces, nothing escaped that need not be."""
    return json.dumps(value, ensure_ascii=False, indent=2)
