"""The connection to a scheduler: made within seconds or refused in one sentence, and quiet."""

import asyncio
import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

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
        client = Client(address, timeout=_SECONDS, set_as_default=False, name="paipu")
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
    try:
        asyncio.run(_hello(address))
    except Exception as error:
        raise ClusterError("no_scheduler", address=address, reason=_reason(error)) from None


async def _hello(address: str) -> None:
    from distributed.comm import connect
    from distributed.security import Security

    arguments = Security().get_connection_args("client")
    greeting = connect(address, timeout=_SECONDS / 2, **arguments)
    comm = await asyncio.wait_for(greeting, _SECONDS)
    try:
        await comm.write({"op": "identity", "reply": True})
        found = await asyncio.wait_for(comm.read(), _SECONDS)
        if not isinstance(found, dict) or found.get("type") != "Scheduler":
            raise ValueError(f"{type(found).__name__}, and no scheduler")
    finally:
        comm.abort()


def _reason(error: BaseException) -> str:
    """What the system said at last, without the objects of Dask it went through."""
    while error.__cause__ is not None:
        error = error.__cause__
    said = re.sub(r"^in <[^>]*>: ", "", str(error))
    return said or type(error).__name__
