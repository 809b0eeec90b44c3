"""The web server under `paipu view`: waitress, on a socket that listens already."""

import logging
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any, NoReturn

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer

from replay.commands.refusing import Channel

PATIENCE = 60
"""Seconds: a connection that neither sends nor takes anything for so long is given up."""
THREADS = 64
"""Answers that are worked on at once. An archive lets at most 20 questions in SQL run or wait, so
that those who ask for pages always find a thread."""
_LOOK_EVERY = 10
"""Seconds between two looks for connections to give up."""
_MOST_CONNECTIONS = 800
"""Below the 1024 files that a process may commonly have open."""
_MOST_BODY = 64 << 20
"""Bytes that may come with a request; pages that take any have limits of their own below it."""
_AHEAD = 1 << 20
"""Bytes of an answer that wait for a slow client: more is made when it has taken those."""

_LAST = 5.0
"""Seconds that the answers that were being made have to come to their end."""
_A_MOMENT = 0.02


class Server(TcpWSGIServer):  # type: ignore[misc]  # waitress has no types
    """Answers requests for `application` on `server` until it is stopped or interrupted."""

    channel_class = Channel

    def __init__(self, application: Any, server: socket.socket) -> None:
        """The application sees the address it is served on as SERVER_NAME and SERVER_PORT."""
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # waiting is no fault
        self._is_stopped = False
        self._hung_up: list[Any] = []
        name = server.getsockname()
        adjustments = Adjustments(
            sockets=[server],
            threads=THREADS,
            ident="",  # nobody needs to know what serves, and in which version
            server_name=name[0],
            backlog=128,
            connection_limit=_MOST_CONNECTIONS,
            channel_timeout=PATIENCE,
            cleanup_interval=_LOOK_EVERY,
            outbuf_high_watermark=_AHEAD,
            outbuf_overflow=1 << 30,  # answers too wait in memory: never more than one ahead
            max_request_body_size=_MOST_BODY,
            inbuf_overflow=_MOST_BODY,  # a dropped log is in memory alone, never in a file
            asyncore_use_poll=True,
            # Whether a client has left is seen only while its connection is read.
            channel_request_lookahead=1,
        )
        super().__init__(
            application,
            {},
            True,
            server,
            adj=adjustments,
            bind_socket=False,
            sockinfo=(server.family, server.type, server.proto, name),
        )

    def maintenance(self, now: float) -> None:
        """Give up connections that do nothing, those too that do not take their answer."""
        super().maintenance(now)
        for channel in list(self.active_channels.values()):
            if channel.total_outbufs_len and channel.last_activity < now - PATIENCE:
                # At once: a full connection would never be found ready for the end.
                channel.handle_close()

    def run(self) -> None:
        """Answer until stopped."""
        while not self._is_stopped:
            wasyncore.loop(timeout=1, use_poll=True, map=self._map, count=1)

    def stop(self) -> None:
        """End `run`, from another thread."""
        self._is_stopped = True
        self.pull_trigger()

    def hang_up(self) -> None:
        """Close every connection, once `run` has ended: no answer waits for its client any more."""
        self._hung_up = list(self.active_channels.values())
        for channel in self._hung_up:
            channel.handle_close()
        wasyncore.close_all(self._map)
        self.task_dispatcher.set_thread_count(0)

    def are_over(self, seconds: float) -> bool:
        """Whether the threads that were making answers come to their end in so many seconds."""
        until = time.monotonic() + seconds
        while self.task_dispatcher.threads and time.monotonic() < until:
            for channel in self._hung_up:  # it may begin to wait after it was hung up on
                with channel.outbuf_lock:
                    channel.outbuf_lock.notify_all()
            time.sleep(_A_MOMENT)
        return not self.task_dispatcher.threads


def serve(application: Any, server: socket.socket, let_go: Callable[[], None]) -> None:
    """Answer requests until interrupted, or told to exit; then at once no more.

    `let_go` ends what answers read from. No thread of ours is left when this returns or raises: one
    that comes back from C++ when Python has ended would abort the process.
    """
    web = Server(application, server)
    # The loop is never in this thread, which signals interrupt anywhere, with any lock in hand.
    thread = Thread(target=web.run, daemon=True)
    thread.start()
    status = 1
    try:
        thread.join()  # ends by itself for a fault alone, and has said which
    except KeyboardInterrupt:
        status = 0
    except SystemExit as told:
        status = int(told.code or 0)
    finally:
        logging.disable()  # answers that are cut off now would complain, to nobody
        if not _is_ended(web, thread, let_go):
            _leave_at_once(status)
    if status:
        raise SystemExit(status)


def _is_ended(web: Server, thread: Thread, let_go: Callable[[], None]) -> bool:
    """Whether all has come to its end; not if that takes long, or a signal comes again."""
    try:
        web.stop()
        thread.join(_LAST)
        if thread.is_alive():
            return False
        web.hang_up()
        let_go()
        return web.are_over(_LAST)
    except (KeyboardInterrupt, SystemExit):
        return False


def _leave_at_once(status: int) -> NoReturn:
    """End the process whatever its threads do."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(status)


@contextmanager
def served(application: Any, server: socket.socket) -> Iterator[Server]:
    """The application answers in a thread of its own as long as the block lasts."""
    web = Server(application, server)
    thread = Thread(target=web.run, daemon=True)
    thread.start()
    try:
        yield web
    finally:
        web.stop()
        thread.join()
        web.hang_up()
        web.are_over(_LAST)
