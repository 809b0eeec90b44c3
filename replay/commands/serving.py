"""The web server under `paipu view`: waitress, on a socket that listens already."""

import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer

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


class Server(TcpWSGIServer):  # type: ignore[misc]  # waitress has no types
    """Answers requests for `application` on `server` until it is stopped or interrupted."""

    def __init__(self, application: Any, server: socket.socket) -> None:
        """The application sees the address it is served on as SERVER_NAME and SERVER_PORT."""
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # waiting is no fault
        self._is_stopped = False
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
        """Answer until stopped. KeyboardInterrupt passes through; what runs then is not awaited."""
        while not self._is_stopped:
            wasyncore.loop(timeout=1, use_poll=True, map=self._map, count=1)

    def stop(self) -> None:
        """End `run`, from another thread."""
        self._is_stopped = True
        self.pull_trigger()

    def hang_up(self) -> None:
        """Close every connection, and wait a little for the answers that were being made."""
        wasyncore.close_all(self._map)
        self.task_dispatcher.shutdown(timeout=5)


def serve(application: Any, server: socket.socket) -> None:
    """Answer requests until interrupted; then at once no more."""
    web = Server(application, server)
    try:
        web.run()
    except KeyboardInterrupt:
        logging.disable()  # answers that are cut off now would complain, to nobody


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
