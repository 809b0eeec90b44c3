"""Who may have what run: a fair share of the questions for each, and nothing for other sites."""

import ipaddress
import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from flask import Request, current_app

MOST_AT_ONCE = 2
"""Questions of one client that run at once: half of what the archive answers at once."""
MOST_WAITING = 4
"""Questions of one client that wait for those; more are sent away."""
_NAME = "PLACES"
_ASKED = "paipu.asked_host"
"""Where in a request a Host stands that cannot be one."""
_LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST = re.compile(
    rf"(?=.{{1,260}}\Z)(?:{_LABEL}(?:\.{_LABEL})*\.?|\[[0-9a-f:.]+\])(?::[0-9:]*)?",
    re.IGNORECASE | re.ASCII,
)


class Places:
    """Counts the questions of each client; whoever has its share waits for itself alone."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def place(self, client: str, seconds: float) -> Iterator[bool]:
        """One of the client's places; False if none became free in so many seconds."""
        if _is_loopback(client):  # ourselves, or a proxy that stands for everybody
            yield True
            return
        has_place = self._taken(client, seconds)
        try:
            yield has_place
        finally:
            if has_place:
                self._give_back(client)

    def _taken(self, client: str, seconds: float) -> bool:
        with self._changed:
            if self._waiting[client] >= MOST_WAITING:
                return False
            self._waiting[client] += 1
            try:
                found = self._changed.wait_for(
                    lambda: self._running[client] < MOST_AT_ONCE, timeout=seconds
                )
                self._running[client] += found
            finally:
                self._waiting[client] -= 1
                self._forget(client)
            return found

    def _give_back(self, client: str) -> None:
        with self._changed:
            self._running[client] -= 1
            self._forget(client)
            self._changed.notify_all()

    def _forget(self, client: str) -> None:
        for counts in (self._running, self._waiting):
            if not counts[client]:
                del counts[client]


def places() -> Places:
    """Those of the application that answers."""
    return cast(Places, current_app.config.setdefault(_NAME, Places()))


class OurHost:
    """WSGI: a Host that no browser sends is kept aside, and our own put in its place.

    Addresses cannot be made with such a name: looking at it would end in an exception.
    """

    def __init__(self, application: Any) -> None:
        self._application = application

    def __call__(self, environ: dict[str, Any], start: Any) -> Any:
        """Pass the request on."""
        host = environ.get("HTTP_HOST", "")
        if host and not _HOST.fullmatch(host):
            environ[_ASKED] = host
            own = environ["SERVER_NAME"]
            own = f"[{own}]" if ":" in own else own
            environ["HTTP_HOST"] = f"{own}:{environ['SERVER_PORT']}"
        return self._application(environ, start)


def asked_host(request: Request) -> str:
    """The Host as it was sent."""
    return cast(str, request.environ.get(_ASKED, request.environ.get("HTTP_HOST", "")))


def for_others(request: Request) -> str:
    """Whether we are asked by a name that is not ours, and the word for it; empty if it is.

    `host`, `host_port`: only this machine reaches us, and the name or the port is another.
    `host_name`: others reach us, by addresses and by the names that were allowed.
    Such a name was bent to this machine by whoever owns it, and the page that asks is theirs.
    """
    host, port = _host(request)
    if _ASKED in request.environ:
        return "host" if _is_local(request.environ["SERVER_NAME"]) else "host_name"
    if {host, f"{host}:{port}"} & current_app.config["NAMES"]:
        return ""
    if not _is_local(request.environ.get("SERVER_NAME", "")):
        return "" if _is_local(host) or _is_address(host) else "host_name"
    if not _is_local(host):
        return "host"
    return "" if port == request.environ.get("SERVER_PORT") else "host_port"


def is_of_another_site(request: Request) -> bool:
    """Whether a page of another site asks without leading its reader here; old browsers say not."""
    headers = request.headers
    # A page on another port or of a neighbouring name is `same-site`, and no page of ours.
    if headers.get("Sec-Fetch-Site", "none") in {"same-origin", "none"}:
        return False
    is_led_here = headers.get("Sec-Fetch-Mode") == "navigate"
    return not is_led_here or headers.get("Sec-Fetch-Dest", "document") != "document"


def _host(request: Request) -> tuple[str, str]:
    """Name and port of the Host; without a port it is the one of HTTP."""
    asked = asked_host(request).lower()
    if asked.startswith("["):
        name, _, rest = asked[1:].partition("]")
        return name, rest.removeprefix(":") or "80"
    name, _, port = asked.partition(":")
    return name.rstrip("."), port or "80"


def _is_local(name: str) -> bool:
    return name == "localhost" or _is_loopback(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
