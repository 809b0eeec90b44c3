"""create_app: the Flask application over one reader; headers, languages and error pages."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urlencode

from flask import Flask, Response, current_app, g, jsonify, render_template, request
from jinja2 import StrictUndefined
from werkzeug.exceptions import HTTPException

from replay.reader import NotFound, Reader, Unreadable
from webviewer.assets import pack, plotly_version, static, static_version
from webviewer.findings import told
from webviewer.places import OurHost, asked_host, for_others, is_of_another_site
from webviewer.sqlpage import sql_pages
from webviewer.views import dropped, pages
from webviewer.views.here import link
from webviewer.words import LANGS, Words, codes

SECURITY_HEADERS = {
    # Scripts and styles come from our own files alone. Plotly makes an empty <style> and fills it
    # by script: the first hash is that of nothing. When it loads it brings the styles of its maps,
    # which nothing here uses: the second is theirs, for what is refused is told in every console.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; connect-src 'self'; "
    "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' "
    "'sha256-ji27qzEtxXZW+7dun6UwjHXJ18e6WAin1VvNtkzIE/o='; "
    "img-src 'self' data:; font-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
Answered = tuple[str | Response, int]
_LONGEST_HOST = 100
"""Characters of a name that is not ours, as far as it is repeated."""
_NO_SECRETS = ("static", "pages.plotly_js")
"""Files of our own, that anybody has."""
_TITLES = {
    400: "view.status.not_understood",
    403: "view.status.refused",
    404: "view.error.not_found",
    405: "view.error.method",
    410: "view.error.unreadable",
    411: "view.status.refused",
    413: "view.status.refused",
    414: "view.status.refused",
    503: "view.status.busy",
}


def create_app(reader: Reader, names: Sequence[str] = ()) -> Flask:
    """The viewer's application over `reader`. It sets no cookie, and answers GET and dropped logs.

    `names` are hosts that it may be asked by besides addresses, each with its port or for any.
    """
    app = Flask("webviewer", static_folder=None)
    # Scripts import one another by relative names: with the version in the path it is theirs too.
    versioned = f"/static/<any('{static_version()}'):version>/<path:filename>"
    app.add_url_rule(versioned, "static", static)
    app.add_url_rule("/static/<path:filename>", "static", static)
    app.url_defaults(_versions)
    app.config["NAMES"] = frozenset(name.lower() for name in names)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.json.compact = True  # type: ignore[attr-defined]
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.tests["cards"] = lambda value: isinstance(value, bytes)
    app.jinja_env.tests["seats"] = lambda value: isinstance(value, tuple)
    app.jinja_env.globals["codes"] = codes
    app.jinja_env.filters["told"] = lambda finding: told(finding, g.words)
    app.config["READER"] = reader
    app.register_blueprint(pages)
    app.register_blueprint(sql_pages)
    app.register_blueprint(dropped.dropped)
    app.before_request(_choose_language)
    app.before_request(_only_get)
    app.before_request(_only_ours)
    app.after_request(_secure)
    app.context_processor(_template_words)
    app.register_error_handler(NotFound, _not_found)
    app.register_error_handler(Unreadable, _unreadable)
    app.register_error_handler(HTTPException, _http_error)
    app.wsgi_app = OurHost(app.wsgi_app)  # type: ignore[assignment, method-assign]
    return app


def _versions(endpoint: str, values: dict[str, Any]) -> None:
    """Addresses of files name their version."""
    if endpoint == "static":
        values.setdefault("version", static_version())
    elif endpoint == "pages.plotly_js":
        values.setdefault("version", plotly_version())


def _choose_language() -> None:
    asked = request.args.get("lang", "")
    accepted = request.accept_languages.best_match([*LANGS, "zh-CN", "zh-TW", "zh-HK", "zh-Hans"])
    g.asked_lang = asked if asked in LANGS else None
    g.words = Words(g.asked_lang or (accepted or LANGS[0])[:2])


def _only_get() -> Answered | None:
    if request.method in {"GET", "HEAD"}:
        return None
    if request.method == "POST" and request.endpoint in dropped.POSTED:
        return None
    return _error_page(405, request.method, "")


def _only_ours() -> Answered | None:
    """A page of any site may send a browser here: what it asks is not answered."""
    others = for_others(request)
    if others and request.endpoint not in _NO_SECRETS:
        host = asked_host(request)
        host = host if len(host) <= _LONGEST_HOST else f"{host[:_LONGEST_HOST]}…"
        port = request.environ.get("SERVER_PORT", "")
        return _error_page(403, g.words(f"view.error.{others}", host=host, port=port), "")
    if request.blueprint == sql_pages.name and is_of_another_site(request):
        return _error_page(403, g.words("view.error.cross_site"), "")
    return None


def _secure(response: Response) -> Response:
    response.headers.update(SECURITY_HEADERS)
    if response.status_code == 405 and "Allow" not in response.headers:
        response.headers["Allow"] = ", ".join(_allowed())
    if "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "no-cache"
        response.vary.add("Accept-Language")
        pack(response)
    return response


def _allowed() -> list[str]:
    """What this address answers, as a 405 has to say; an address without a page answers GET too."""
    addresses = current_app.create_url_adapter(request)
    known = set() if addresses is None else set(addresses.allowed_methods())
    return sorted(known & {"GET", "HEAD", "POST"}) or ["GET", "HEAD"]


def _template_words() -> dict[str, Any]:
    def other_language() -> str:
        """This very address in the other language, whatever else stands in its query."""
        other = LANGS[1 - LANGS.index(g.words.lang)]
        kept = [(k, v) for k, v in request.args.items(multi=True) if k != "lang"]
        # What is posted to shows its refusal, and its address has no other page than the form.
        own = "/drop" if request.endpoint in dropped.POSTED else request.path
        # one slash: two would name another host
        path = "/" + quote((request.script_root + own).lstrip("/"))
        return f"{path}?{urlencode([*kept, ('lang', other)])}"

    return {
        "t": g.words,
        "lang": g.words.lang,
        "link": link,
        "other_language": other_language,
    }


def _not_found(error: NotFound) -> Answered:
    what, name = error.args
    return _error_page(404, g.words(f"view.error.no_{what}"), str(name))


def _unreadable(error: Unreadable) -> Answered:
    return _error_page(410, getattr(error.problem, g.words.lang), "")


def _http_error(error: HTTPException) -> Answered:
    """Our own sentence where the exception brings none of ours; 500 for what has no status."""
    status = error.code or 500
    said = error.description
    if said is None or said == type(error).description:
        said = g.words.first(f"view.status.{status}", "view.status.other")
    return _error_page(status, said, request.path)


def _error_page(status: int, sentence: str, name: str) -> Answered:
    """A page that says what is wrong; its sentence alone for a script."""
    if request.path.endswith(".json") and not (request.view_args or {}).keys() & {"form"}:
        return jsonify(error=f"{sentence} {name}".rstrip()), status
    title = g.words(_TITLES.get(status, "view.error.other"))
    page = render_template("error.html", title=title, sentence=sentence, name=name, status=status)
    return page, status
