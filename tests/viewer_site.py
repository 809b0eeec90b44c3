"""The viewer on a port of this machine, served as `paipu view` serves it."""

from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask

from replay.commands.serving import served
from replay.commands.view import listening


@contextmanager
def on_a_port(app: Flask) -> Iterator[int]:
    """The port of 127.0.0.1 on which `app` answers as long as the block lasts."""
    with listening("127.0.0.1", 0) as server:
        port: int = server.getsockname()[1]
        with served(app, server):
            yield port
