"""The connection to a scheduler: made within seconds or refused in one sentence, and quiet."""

import asyncio
import logging
import re
import socket
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from replay.cluster.errors import ClusterError

if TYPE_CHECKING:
    from distributed import Client

_ADDRESS = re.compile(r"(?:(?:tcp|tls)://)?(?:\[[^\]\s]+\]|[^\[\]\s:/]+):\d{1,5}")
_SECONDS = 4.0
"""Within these a scheduler must answer."""


@contextmanager
def linked(address: str) -> Iterator["Client"]:
    """A client of the scheduler at HOST:PORT, tcp:// or tls:// before it; ClusterError.

    Certificates and all else come from Dask's own configuration.
    """
    if not _ADDRESS.fullmatch(address):
        raise ClusterError("address", found=address)
    try:
        from distributed import Client
    except ImportError as error:
        raise ClusterError("no_dask", reason=str(error)) from None
    with _quiet():
        _demand_answer(address)
        try:
            client = Client(address, timeout=_SECONDS, set_as_default=False, name="paipu")
        except (OSError, ImportError) as error:  # it went away, or its Dask is another
            raise ClusterError("no_scheduler", address=address, reason=_reason(error)) from None
        # Tasks of Dask's own that nobody waits for any more are collected when we are long done.
        client.loop.asyncio_loop.set_exception_handler(lambda *_: None)
        try:
            yield client
        finally:
            with suppress(OSError):  # TimeoutError too: the scheduler is gone
                client.close(timeout=_SECONDS)


@contextmanager
def _quiet() -> Iterator[None]:
    """Everything that goes wrong is said by us: Dask logs it too, once a thread or a retry.

    Whatever versions have to be equal we compare ourselves.
    """
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Mismatched versions found")
            yield
    finally:
        logging.disable(before)


def _demand_answer(address: str) -> None:
    """A scheduler answers, or ClusterError: where another does, Dask's client waits for ever."""
    host, _, port = address.rpartition("//")[2].rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _SECONDS).close()
        with ThreadPoolExecutor(1) as thread:  # in this one a loop may run, as in notebooks
            found = thread.submit(asyncio.run, _identity(address)).result()
    except TimeoutError:
        raise ClusterError("silent", address=address) from None
    except Exception as error:
        raise ClusterError("no_scheduler", address=address, reason=_reason(error)) from None
    if not isinstance(found, dict) or found.get("type") != "Scheduler":
        raise ClusterError("silent", address=address)


async def _identity(address: str) -> Any:
    """What is there, in its own words."""
    from distributed.comm import connect
    from distributed.security import Security

    arguments = Security().get_connection_args("client")
    async with asyncio.timeout(_SECONDS):
        comm = await connect(address, timeout=_SECONDS, **arguments)
        try:
            await comm.write({"op": "identity", "reply": True})
            return await comm.read()
        finally:
            comm.abort()


def _reason(error: BaseException) -> str:
    """What the system said, without the objects of Dask that it went through."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return re.sub(r"^in <[^>]*>: ", "", str(error)) or type(error).__name__
