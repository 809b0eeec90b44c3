"""Who may have what run: a fair share of the questions for each, and nothing for other sites."""

import ipaddress
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from flask import Request, current_app

MOST_AT_ONCE = 2
"""Questions of one client that run at once: half of what the archive answers at once."""
MOST_WAITING = 4
"""Questions of one client that wait for those; more are sent away."""
_NAME = "PLACES"


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


def is_for_others(request: Request) -> bool:
    """Whether a server that only this machine reaches is asked by a name that is not this machine.

    Such a name was bent to this machine by whoever owns it, and the page that asks is theirs.
    """
    return _is_local(request.environ.get("SERVER_NAME", "")) and not _is_local(_host(request))


def is_of_another_site(request: Request) -> bool:
    """Whether a page of another site asks without leading its reader here; old browsers say not."""
    headers = request.headers
    if headers.get("Sec-Fetch-Site") != "cross-site":
        return False
    is_led_here = headers.get("Sec-Fetch-Mode") == "navigate"
    return not is_led_here or headers.get("Sec-Fetch-Dest", "document") != "document"


def _host(request: Request) -> str:
    """The Host without its port."""
    host: str = request.environ.get("HTTP_HOST", "")
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def _is_local(name: str) -> bool:
    return name.lower().rstrip(".") == "localhost" or _is_loopback(name)


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
