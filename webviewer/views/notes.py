"""All notes of one browser: one page for everybody, for the notes never leave the browser."""

from flask import render_template

from webviewer.views.hand import SCRIPT_WORDS
from webviewer.views.here import link, pages, words

ANY_HAND = "0" * 16
"""Stands in the address of a hand where the page's script puts the hand's own id."""


@pages.get("/notes")
def notes() -> str:
    """The frame of the notes; the page's script fills it."""
    js = {key: words().open(f"view.js.{key}") for key in SCRIPT_WORDS if key.startswith("notes_")}
    data = {"words": js, "hand": link("pages.hand", hand_id=ANY_HAND)}
    return render_template("notes.html", data=data)
