"""The rule books."""

from flask import render_template

from webviewer.views.here import pages, reader


@pages.get("/rules/<game>")
def rules(game: str) -> str:
    """The rules of one game, an anchor for each."""
    return render_template("rules.html", game=game, rules=reader().rules(game))
