"""What the web server itself answers, where a request does not come as far as a page."""

from html import escape

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.task import ErrorTask
from waitress.utilities import RequestEntityTooLarge

from replay.messages import LANGS, text

MOST_THROWN_AWAY = 512 << 20
"""Bytes of a body that is too large which are read all the same: browsers that are hung up on while
they send show their own page, not ours. Who announces more is hung up on."""
HEADERS = (
    ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Security-Policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
)
_SAID = {413: "large_body", 431: "large_head", 500: "fault", 501: "foreign"}
"""Word of `view.server.*` for a status; any other request is one that cannot be understood."""
_PAGE = """<!doctype html>
<html lang="zh-Hans">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
</head>
<body>
<main>
<h1>{status}</h1>
<p>{zh}</p>
<p lang="en">{en}</p>
<p><a href="/">{zh_home}</a> · <a href="/?lang=en" lang="en">{en_home}</a></p>
</main>
</body>
</html>
"""


def page(status: int) -> bytes:
    """The page for an error, in both languages: nothing is known of who reads it."""
    word = _SAID.get(status, "bad")
    said = {lang: escape(text(lang, f"view.server.{word}")) for lang in LANGS}
    home = {f"{lang}_home": escape(text(lang, "view.server.home")) for lang in LANGS}
    title = f"{status} · {escape(text('zh', 'view.title'))}"
    return _PAGE.format(title=title, status=status, **said, **home).encode()


class _ErrorPage(ErrorTask):  # type: ignore[misc]  # waitress has no types
    """Answers a request that is none, or one whose answer failed."""

    def execute(self) -> None:
        """Send the page, and hang up."""
        error = self.request.error
        body = page(error.code)
        self.status = f"{error.code} {error.reason}"
        self.response_headers.extend(HEADERS)
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _Request(HTTPRequestParser):  # type: ignore[misc]
    """A request as it arrives; the rest of one that is too large is read and not kept."""

    path = ""
    """Of a request that cannot be understood: asked for when its client hangs up on the answer."""
    _left = 0
    expect_continue: bool = False

    def received(self, data: bytes) -> int:
        """Take what belongs to this request; how many bytes that was."""
        taken: int
        if self._left:
            taken = min(len(data), self._left)
            self._left -= taken
            self.completed = not self._left
            return taken
        taken = super().received(data)
        if isinstance(self.error, RequestEntityTooLarge):
            self._refuse_body()
        return taken

    def _refuse_body(self) -> None:
        """Wait for the body to end, unless nobody knows where or the client waits for a word."""
        is_sent = not self.chunked and not self.expect_continue
        self.expect_continue = False
        if is_sent and self.content_length <= MOST_THROWN_AWAY:
            self._left = self.content_length
            self.completed = False


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection whose errors are pages of ours."""

    error_task_class = _ErrorPage
    parser_class = _Request
