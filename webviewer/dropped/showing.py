"""The process of one dropped log: it verifies it, and answers for its pages until it is ended.

The pages are the viewer's own, made by the viewer's application over this one log.
"""

import os
import resource
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import Flask
from msgspec import Struct
from werkzeug.test import create_environ, run_wsgi_app

from replay.confined import address_space, end_with, lower, yield_to_others
from replay.reader import Reader
from replay.reader.onelog import OneLog
from webviewer.app import create_app
from webviewer.dropped.limits import Limits
from webviewer.dropped.wire import (
    MOST_ASKED,
    Answer,
    Ask,
    Bad,
    Begin,
    Failed,
    NoMemory,
    Progress,
    Ready,
    TooLong,
    Wire,
)

SHARED = ("static", "pages.plotly_js", "sql.page", "dropped.page", "dropped.take")
"""Pages and files that are the same for every log: they keep the server's own address."""
_LIFELINE = 0
"""Standard input: a pipe that the server holds open, and never writes to."""
_GRACE = 5
"""Seconds for which a process that the server does not end lives on."""
_FILES = 64
"""How many files may be open: the log, templates and catalogues, one at a time."""
_LOOK_EVERY = 0.2
"""Seconds of verifying between two words about it."""


def serve(handle: int, limits: Limits) -> None:
    """Show the log that the first frame on the socket `handle` names, until nobody asks."""
    end_with(_LIFELINE)
    confine(limits)
    wire = Wire(socket.socket(fileno=handle), MOST_ASKED)
    try:
        begin = wire.begun()
        reader = OneLog(Path(f"/dev/fd/{begin.file}"), begin.name, _LOOK_EVERY)
        _alarm(limits.verifying)
        _verify(reader, wire)
        app = application(reader, begin)
        while True:
            _alarm(limits.idle)
            ask = wire.asked()
            _alarm(limits.answering)
            wire.say(answer(app, begin, ask, limits.answer))
    except MemoryError:
        reader = app = None  # type: ignore[assignment]  # room for the last word
        wire.say(NoMemory())
    except EOFError:
        pass
    os._exit(0)


def confine(limits: Limits) -> None:
    """Give up memory beyond the limit, writing, processes, more files, and time."""
    yield_to_others()
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_FSIZE, 0)
    lower(resource.RLIMIT_NPROC, 0)
    lower(resource.RLIMIT_NOFILE, _FILES)
    # The signal at the soft limit tells that it was this one; at the hard limit is any end's.
    lower(resource.RLIMIT_CPU, limits.cpu + 1)
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu, limits.cpu + 1))
    if sys.platform == "linux":
        lower(resource.RLIMIT_AS, address_space(limits.memory))


def _alarm(seconds: float) -> None:
    """The system ends this process then, should the server not do it."""
    signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE)


def _verify(reader: OneLog, wire: Wire) -> None:
    """Read and judge the whole log, say how far that is, and in the end what came of it."""
    for found in reader.verifying():
        if isinstance(found, int):
            wire.say(Progress(found))
        elif found.problem is not None:
            wire.say(Bad(found.problem.zh, found.problem.en))
            raise EOFError
        else:
            wire.say(Ready(found.log_id))


def application(reader: Reader, begin: Begin) -> Flask:
    """The viewer over one dropped log; what all logs share stands where it always stands."""
    app = create_app(reader)
    app.config["DROPPED"] = begin
    app.config["PROPAGATE_EXCEPTIONS"] = True
    app.url_for = _partly_shared(app.url_for, begin.prefix)  # type: ignore[method-assign]
    app.jinja_env.globals["url_for"] = app.url_for
    return app


def _partly_shared(below: Callable[..., str], prefix: str) -> Callable[..., str]:
    def url_for(endpoint: str, **values: Any) -> str:
        """The address: below the prefix, but for what is shared."""
        address = below(endpoint, **values)
        return address.removeprefix(prefix) if endpoint in SHARED else address

    return url_for


def answer(app: Flask, begin: Begin, ask: Ask, most: int) -> Struct:
    """What the application answers; MemoryError passes through."""
    environ = create_environ()
    environ["SCRIPT_NAME"] = begin.prefix
    environ["PATH_INFO"] = ask.path
    environ["QUERY_STRING"] = ask.query
    environ["HTTP_ACCEPT_LANGUAGE"] = ask.languages
    try:
        pieces, status, headers = run_wsgi_app(app, environ)
        body = bytearray()
        for piece in pieces:
            body += piece
            if len(body) > most:
                return TooLong()
        return Answer(int(status[:3]), tuple(headers), bytes(body))
    except MemoryError:
        raise
    except Exception:
        return Failed()
