"""The logs that the hands come from."""

from flask import render_template, request

from webviewer.views.here import pages, reader

MOST_FINDINGS = 500
"""How many findings the page of a log lists; the hands have pages of their own."""


@pages.get("/logs")
def logs() -> str:
    """The logs that the hands come from, those that cannot be read included."""
    page = max(1, request.args.get("page", 1, type=int))
    game = request.args.get("game", "")[:64]
    found = reader().logs(page, game)
    return render_template("logs.html", found=found, game=game)


@pages.get("/log/<log_id>")
def log(log_id: str) -> str:
    """The report of one log."""
    page = reader().log(log_id)
    return render_template("log.html", page=page, most_findings=MOST_FINDINGS)
