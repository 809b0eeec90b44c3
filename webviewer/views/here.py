"""What every page has at hand: the reader, the words, links, filters of templates."""

from datetime import UTC, datetime
from typing import Any, cast

from flask import Blueprint, current_app, g, url_for

from replay.reader import Reader, Unreadable
from webviewer.words import Words

pages = Blueprint("pages", __name__)
"""All pages but those for SQL; each module of this folder adds its own."""


def reader() -> Reader:
    """The source of hands that the application shows."""
    return cast(Reader, current_app.config["READER"])


def words() -> Words:
    """The catalogue in the language of the request."""
    return cast(Words, g.words)


def link(endpoint: str, **values: Any) -> str:
    """The address of a page, which keeps the language if it was chosen by hand."""
    return url_for(endpoint, lang=g.asked_lang, **values)


@pages.app_template_filter()
def when(millis: int) -> str:
    """Wall time as `2025-03-01 20:15`, UTC; milliseconds where the calendar has no such year."""
    try:
        return datetime.fromtimestamp(millis / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return f"{millis} ms"


@pages.app_template_filter()
def add(number: int, more: int) -> int:
    """A sum, for lists of numbers."""
    return number + more


@pages.app_template_filter()
def signed(coins: int) -> str:
    """Coins with their sign; a real minus, so that columns line up."""
    return f"+{coins:,}" if coins > 0 else f"{coins:,}".replace("-", "−")


@pages.app_context_processor
def _games() -> dict[str, Any]:
    source = reader()
    return {
        "games": _games_there,
        "collection": source.title,
        "has_tables": source.asking is not None,
    }


def _games_there() -> tuple[str, ...]:
    """The games of the logs, for the links to their rules; none on the page that says why."""
    try:
        return reader().games()
    except Unreadable:
        return ()
