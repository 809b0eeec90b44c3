"""The logs that the hands come from, their reports, and both as files."""

from collections.abc import Iterator
from typing import Any

from flask import Response, render_template, request

from replay.reader import Finding, LogRow, Unreadable
from webviewer.views.hands import moment
from webviewer.views.here import pages, reader
from webviewer.views.tables import Row, download

MOST_FINDINGS = 500
"""How many findings the page of a log lists; the hands have pages of their own."""
_OF_LOG = ["log_id", "log", "game", "form", "created", "hands", "findings", "problem"]
_OF_FINDING = [
    "kind",
    "rule",
    "hand",
    "hand_id",
    "trick",
    "event",
    "byte_offset",
    "seat",
    "zh",
    "en",
    "expected",
    "logged",
    "proof",
]


def _game() -> str:
    return request.args.get("game", "")[:64]


@pages.get("/logs")
def logs() -> str:
    """The logs that the hands come from, those that cannot be read included."""
    page = max(1, request.args.get("page", 1, type=int))
    game = _game()
    found = reader().logs(page, game)
    return render_template("logs.html", found=found, game=game)


@pages.get("/logs.<form>")
def logs_table(form: str) -> Response:
    """All logs of the list, as CSV or JSON."""
    columns = [*_OF_LOG, *(f"seat{seat}_{name}" for seat in range(4) for name in ("id", "name"))]
    return download(form, "logs", columns, _log_rows(reader().every_log(_game())))


def _log_rows(logs: Iterator[LogRow]) -> Iterator[Row]:
    for row in logs:
        players: list[Any] = [value for who in row.players for value in (who.id, who.name)]
        yield (
            row.log_id,
            row.name,
            row.game or None,
            row.form or None,
            moment(row.at) if row.problem is None else None,
            row.hands,
            row.findings,
            row.problem.en if row.problem else None,
            *(players or [None] * 8),
        )


@pages.get("/log/<log_id>")
def log(log_id: str) -> str:
    """The report of one log."""
    page = reader().log(log_id)
    return render_template("log.html", page=page, most_findings=MOST_FINDINGS)


@pages.get("/log/<log_id>/findings.<form>")
def findings_table(log_id: str, form: str) -> Response:
    """The findings of a log's report, as CSV or JSON; Unreadable where there is no report."""
    page = reader().log(log_id)
    if page.report is None:
        assert page.row.problem is not None
        raise Unreadable(page.row.problem)
    rows = map(_finding, page.report.findings)
    return download(form, f"findings-{log_id}", _OF_FINDING, rows, page.report.unlisted)


def _finding(found: Finding) -> Row:
    return (
        found.kind,
        found.rule,
        found.hand,
        found.hand_id,
        found.trick,
        found.event,
        found.offset,
        found.seat,
        found.zh,
        found.en,
        found.expected,
        found.logged,
        found.proof,
    )
