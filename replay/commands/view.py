"""`paipu view`: the viewer, served from this machine until Ctrl-C."""

import ipaddress
import os
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import Any

import click

from replay.commands import archive, shell
from replay.folder import STDIN, Problem, is_archive, located_one
from replay.messages import system
from replay.wording import Words

MakeApplication = Callable[[Path, tuple[str, ...]], AbstractContextManager[Any]]
"""The WSGI application that shows the log, folder or archive at a path, as long as it is open; the
names are those that it may be asked by besides its own."""
_BACKLOG = 128


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens at an address, port 0 at any that is free; Problem if it cannot."""
    if not host:  # to the system that would be every address of this machine
        raise Problem("host_empty")
    try:
        return _bound(host, port)
    except OSError as error:
        raise NotServed(host, port, error) from None


class NotServed(Problem):
    """An address that cannot be served on, and what the system said of it."""

    def __init__(self, host: str, port: int, error: OSError) -> None:
        self.error = error
        super().__init__("listen", host=host, port=port, reason=system.reason(error, "en"))

    def said(self, lang: str) -> str:
        """The sentence, the system's words too in its language."""
        self.slots["reason"] = system.reason(self.error, lang)
        return super().said(lang)


def _bound(host: str, port: int) -> socket.socket:
    """A socket that listens; OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    server = socket.socket(family, socket.SOCK_STREAM)
    try:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            server.bind((host, port))
        except (TypeError, UnicodeError):  # so Python says that no name is written like this
            raise socket.gaierror(socket.EAI_NONAME, "no such name") from None
        server.listen(_BACKLOG)
    except BaseException:
        server.close()
        raise
    return server


def address_of(server: socket.socket) -> str:
    """The address for a browser on this machine."""
    host, port = server.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def is_private(server: socket.socket) -> bool:
    """Whether only this machine can reach it."""
    return ipaddress.ip_address(server.getsockname()[0]).is_loopback


def command_for(make: MakeApplication) -> click.Command:
    """The command; the viewer's application comes from whoever puts the commands together."""

    @click.command("view")
    @click.argument("path")
    @click.option("--host", default="127.0.0.1", show_default=True, help="The address to serve on.")
    @click.option(
        "--port",
        type=click.IntRange(0, 65535),
        default=8000,
        show_default=True,
        help="The port; 0 takes any that is free.",
    )
    @click.option(
        "--allow-host",
        "names",
        multiple=True,
        metavar="NAME[:PORT]",
        help="Another name that browsers may ask for, such as that of a proxy.",
    )
    @click.option("--open", "is_opened", is_flag=True, help="Open it in the browser.")
    @shell.lang_option
    def command(
        path: str, host: str, port: int, names: tuple[str, ...], is_opened: bool, lang: str
    ) -> int:
        """Show hands in the browser.

        PATH is a log, a folder of logs, or an archive. Prints the address and serves it until
        Ctrl-C; nothing is fetched from the network.
        """
        _view(make, path, (host, port), names, Words(lang), is_opened=is_opened)
        return shell.OK

    return command


def _view(
    make: MakeApplication,
    path: str,
    place: tuple[str, int],
    names: tuple[str, ...],
    words: Words,
    *,
    is_opened: bool,
) -> None:
    """Listen, open what is shown, say the address, and serve."""
    # Here, not above: the other commands need no web server.
    from replay.commands.serving import serve

    host, port = place
    with ExitStack() as stack, listening(host, port) as server:
        own = f"{host}:{server.getsockname()[1]}"
        shown = _shown(path, stack)
        with archive.said() if is_archive(path) else nullcontext():
            application = stack.enter_context(make(shown, (own, *names)))
        if not is_private(server):
            click.echo(f"paipu: {words('cli.view.open_to_others', host=host)}", err=True)
        address = address_of(server)
        click.echo(address)
        if is_opened:
            click.launch(address)
        serve(application, server, stack.close)


def _shown(path: str, stack: ExitStack) -> Path:
    if path != STDIN and not os.path.exists(path):
        raise Problem("missing", path=path)
    return Path(path if os.path.isdir(path) else located_one(path, stack).path)
