"""The logs that the hands come from, their reports, and both as files."""

from collections.abc import Iterator
from typing import Any, cast

from flask import Response, render_template, request

from replay.reader import LOG_SORTS, Finding, LogQuery, LogRow, Unreadable
from webviewer.views.hands import moment
from webviewer.views.here import pages, reader
from webviewer.views.tables import Row, download

FLAWS = ("some", "none", "unreadable")
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


def asked() -> LogQuery:
    """The list that the address asks for; words that mean nothing count as absent."""
    args = request.args
    sort, findings = args.get("sort", LOG_SORTS[0]), args.get("findings", "")
    return LogQuery(
        game=args.get("game", "")[:64],
        text=args.get("q", "").strip()[:128],
        findings=cast(Any, findings if findings in FLAWS else ""),
        sort=cast(Any, sort if sort in LOG_SORTS else LOG_SORTS[0]),
    )


@pages.get("/logs")
def logs() -> str:
    """The logs that the hands come from, those that cannot be read included."""
    page, query = max(1, request.args.get("page", 1, type=int)), asked()
    kept = {"game": query.game, "q": query.text, "findings": query.findings}
    kept |= {"sort": query.sort if query.sort != LOG_SORTS[0] else ""}
    return render_template(
        "logs.html", found=reader().logs(page, query), query=query, sorts=LOG_SORTS, flaws=FLAWS,
        kept={name: value for name, value in kept.items() if value},
    )  # fmt: skip


@pages.get("/logs.<form>")
def logs_table(form: str) -> Response:
    """All logs of the list, as CSV or JSON."""
    columns = [*_OF_LOG, *(f"seat{seat}_{name}" for seat in range(4) for name in ("id", "name"))]
    return download(form, "logs", columns, _log_rows(reader().every_log(asked())))


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
