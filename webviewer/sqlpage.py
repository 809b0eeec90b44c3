"""The SQL page: an editor, questions that stand ready, the answer, its chart and downloads."""

import os
import shlex
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import groupby
from typing import Any, cast

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.exceptions import NotFound as NoPage
from werkzeug.wrappers import Response as AnyResponse

from replay.messages import LANGS, text
from replay.reader import (
    CHART_KINDS,
    FORMS,
    Asking,
    Drawing,
    NotFound,
    SqlAnswer,
    SqlProblem,
    Table,
)
from replay.reader.questions import nobody_leaves
from webviewer.places import MOST_AT_ONCE, places
from webviewer.sqlasked import Asked, asked_in, strangers
from webviewer.sqlcells import heads, in_order, is_number, is_whole, lines, titles, values
from webviewer.views.here import link, reader, words

sql_pages = Blueprint("sql", __name__)

_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}
MOST_EVENTS = 0xFFFF
"""The last event of which an archive has a column."""
LONGEST = 40_000
"""Characters of SQL that fit into an address with all that browsers and servers make of them."""
_AGAIN_AFTER = 5
"""Seconds after which whoever has all places of a client taken may ask again."""


def _asking() -> Asking:
    asking = reader().asking
    if asking is None:
        raise NotFound("sql", "")
    return asking


@sql_pages.get("/sql")
def page() -> AnyResponse | str:
    """The page, with the answer if its address asks for one."""
    source = reader()
    if source.asking is None:
        path = os.fsencode(source.path).decode("utf-8", "backslashreplace")
        return render_template("sql_none.html", title=source.title, path=shlex.quote(path))
    asked = asked_in(request, source.asking)
    problem, answer = None, None
    ready = source.asking.ready()
    try:
        _refuse_strangers(asked)
        if asked.is_run:
            with _place(asked, source.asking):
                answer = source.asking.answer(asked.sql, asked.fields, asked.typed, _is_gone())
    except SqlProblem as error:
        problem = error
    shown = render_template(
        "sql.html",
        asked=asked,
        ready=ready,
        groups=[(about, list(found)) for about, found in groupby(ready, lambda each: each.group)],
        tables=[(table, _meanings(table)) for table in source.asking.tables()],
        bounds=source.asking.bounds,
        problem=problem,
        marked=problem and problem.place and _marked(asked.sql, problem.place),
        answer=answer,
        forms=FORMS,
        kinds=CHART_KINDS,
        longest=LONGEST,
        **({} if answer is None else _result(asked, answer)),
    )
    return _unanswered(problem, shown) if problem else shown


def _refuse_strangers(asked: Asked) -> None:
    """What an address says beyond what is understood would change the answer: it is named."""
    names = strangers(request, asked)
    if names:
        found = ", ".join(name[:40] for name in names[:4])
        fields = ", ".join(f"p.{field.name}" for field in asked.fields) or "–"
        raise SqlProblem(*_in_both("view.sql.stranger", found=found, fields=fields))


@contextmanager
def _place(asked: Asked, asking: Asking) -> Iterator[None]:
    """A place to run in for whoever asks; SqlProblem if the SQL is too long, or none is free."""
    if len(asked.sql) > LONGEST:
        raise SqlProblem(*_in_both("view.sql.stopped_length", value=f"{LONGEST:,}"))
    with places().place(request.remote_addr or "", asking.bounds.seconds) as has_place:
        if not has_place:
            said = _in_both("view.sql.stopped_workers", value=MOST_AT_ONCE)
            raise SqlProblem(*said, again_after=_AGAIN_AFTER)
        yield


def _in_both(key: str, **slots: object) -> tuple[str, str]:
    zh, en = (text(lang, key, **slots) for lang in LANGS)
    return zh, en


def _unanswered(problem: SqlProblem, shown: str) -> AnyResponse:
    """A page that says why: 503 where asking again helps, else 400."""
    if problem.again_after is None:
        return Response(shown, 400, content_type="text/html; charset=utf-8")
    answer = Response(shown, 503, content_type="text/html; charset=utf-8")
    answer.headers["Retry-After"] = str(problem.again_after)
    return answer


def _result(asked: Asked, answer: SqlAnswer) -> dict[str, Any]:
    """What the template needs of an answer."""
    rows = in_order(answer, asked.sort, asked.is_descending)
    drawing = _fitting(asked.drawing, answer)
    # A question of anybody keeps its names: they are what its SQL says.
    called = titles(answer, words()) if asked.question else []
    said = values(answer, words()) if asked.question else []
    data = {
        "columns": answer.columns,
        "titles": called or answer.columns,
        "said": said,
        "numbers": [is_number(kind) for kind in answer.types],
        "whole": [is_whole(kind) for kind in answer.types],
        "rows": rows,
        "drawing": drawing and [drawing.kind, drawing.x, drawing.y, drawing.colour],
        "plotly": url_for("pages.plotly_js"),
        "failed": words()("view.js.chart_failed"),
        "nothing": words()("view.sql.chart_nothing"),
        "many": words().open("view.sql.chart_many"),
        "added": words().open("view.sql.chart_added"),
        "apart": words().open("view.sql.chart_apart"),
    }
    written = lines(answer, rows, words(), link, said)
    return {
        "heads": heads(answer, asked.sort, asked.is_descending, called),
        "lines": written,
        "has_board": any(line.board for line in written),
        "drawing": drawing,
        "data": data,
    }


def _fitting(drawing: Drawing | None, answer: SqlAnswer) -> Drawing | None:
    """A drawing whose columns the answer has."""
    if drawing is None or not {drawing.x, drawing.y} <= set(answer.columns):
        return None
    if drawing.colour in answer.columns:
        return drawing
    return Drawing(drawing.kind, drawing.x, drawing.y)


def _meanings(table: Table) -> list[tuple[str, str, str]]:
    """Name, type and meaning of each column; a meaning that nobody wrote is empty."""
    say = words()
    return [
        (
            column.name,
            column.type,
            say.first(f"column.of_{table.name}.{column.name}", f"column.{column.name}"),
        )
        for column in table.columns
    ]


def _marked(sql: str, place: tuple[int, int]) -> tuple[int, int, str, str, str]:
    """Line, column, and the line cut at the word that is meant."""
    number, column = place
    line = sql.split("\n")[number - 1]
    end = column - 1
    while end < len(line) and (line[end].isalnum() or line[end] == "_"):
        end += 1
    end = max(end, min(column, len(line)))
    return number, column, line[: column - 1], line[column - 1 : end], line[end:]


@sql_pages.get("/sql/answer.<form>")
def download(form: str) -> AnyResponse:
    """The whole answer as a file; a page that says why not if it cannot be had whole."""
    asking = _asking()
    if form not in FORMS:
        raise NoPage
    asked = asked_in(request, asking)
    stack = ExitStack()
    try:
        _refuse_strangers(asked)
        with _place(asked, asking):
            pieces = stack.enter_context(
                asking.download(asked.sql, asked.fields, asked.typed, cast(Any, form), _is_gone())
            )
    except SqlProblem as error:
        title = words()("view.sql.no_answer")
        sentence = getattr(error, words().lang)
        status = 400 if error.again_after is None else 503
        shown = render_template(
            "error.html", title=title, sentence=sentence, name="", status=status
        )
        return _unanswered(error, shown)
    answer = Response(_closing(pieces, stack), content_type=_TYPES[form])
    answer.call_on_close(stack.close)
    name = asked.question.name if asked.question else "answer"
    answer.headers.set("Content-Disposition", "attachment", filename=f"{name}.{form}")
    return answer


def _closing(pieces: Iterator[bytes], stack: ExitStack) -> Iterator[bytes]:
    with stack:
        yield from pieces


@sql_pages.get("/hand/<hand_id>/alike")
def alike(hand_id: str) -> AnyResponse:
    """To the SQL for hands like this one, or for what happened in it at `event` (from 0)."""
    event = request.args.get("event", type=int)
    event = event if event is not None and 0 <= event <= MOST_EVENTS else None
    sql = _asking().alike(hand_id, event, words().lang)
    return redirect(link("sql.page", sql=sql))


def _is_gone() -> Any:
    """Tells whether whoever asked has hung up; where the server does not say, nobody has."""
    return request.environ.get("waitress.client_disconnected", nobody_leaves)
