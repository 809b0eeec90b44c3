"""A command that serves the viewer, started as a process of its own, asked and stopped.

`python -m tests.served COMMAND …` starts it, asks for `/` once and says what came back.
"""

import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 60.0
"""Seconds that a server may take to print its address, or to stop."""
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/?")


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def served(
    command: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Iterator[str]:
    """Run `command` until the block ends; yields the address that it printed, with its `/`.

    AssertionError, with all it printed, if it ends or is silent instead, or if Ctrl-C does not
    end it with status 0.
    """
    server = subprocess.Popen(
        command,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        preexec_fn=_heed_interrupts,
    )
    try:
        yield _printed_address(server)
        server.send_signal(signal.SIGINT)
        status = server.wait(PATIENCE)
        assert status == 0, f"Ctrl-C ended it with status {status}"
    finally:
        if server.poll() is None:
            server.kill()
        server.communicate()


def _heed_interrupts() -> None:
    """A shell's background job ignores Ctrl-C, and so would every process that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _printed_address(server: subprocess.Popen[bytes]) -> str:
    assert server.stdout is not None
    printed = ""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if not select.select([server.stdout], [], [], until - time.monotonic())[0]:
            break
        some = os.read(server.stdout.fileno(), 1 << 16)
        if not some:
            break
        printed += some.decode(errors="replace")
        # The address counts when its line is complete, or a port could be cut short.
        for line in printed.splitlines(keepends=True):
            if line.endswith("\n") and (address := _ADDRESS.search(line)):
                return address.group().rstrip("/") + "/"
    raise AssertionError(f"no line with an address of 127.0.0.1 printed, but: {printed!r}")


def status_of(address: str) -> tuple[int, str]:
    """HTTP status and body of a GET; the first connections may be refused while it starts."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()
        except urllib.error.URLError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def main(command: Sequence[str]) -> int:
    """Serve with `command`, ask for `/` once; 1 if the answer is not 200."""
    with served(command) as address:
        status, body = status_of(address)
    print(f"{address} answered {status}, {len(body)} characters")
    return 0 if status == 200 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
