"""Dask clusters of real processes on this machine, for the tests of `--scheduler`."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import replay
from replay import __version__
from replay.cluster.errors import ClusterError
from replay.cluster.link import linked
from tests.shelled import ROOT, environment

PATIENCE = 60.0
"""Seconds that a process may take to come up."""


class Cluster:
    """A scheduler and the workers that were started for it; their files are in `folder`."""

    def __init__(self, folder: Path, env: Mapping[str, str]) -> None:
        """`env` is added to what its processes get; nothing runs yet."""
        self.folder = folder
        self._env = env
        self._processes: list[subprocess.Popen[bytes]] = []
        self.address = ""
        self.scheduler: subprocess.Popen[bytes]

    def schedule(self, path: Path) -> None:
        """Start the scheduler, which finds its paipu in `path`."""
        file = self.folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--scheduler-file", str(file), path=path)
        self._wait(lambda: file.exists() and file.read_bytes().endswith(b"}"), "no scheduler")
        self.address = json.loads(file.read_text())["address"]

    def work(
        self, *options: str, path: Path = ROOT, cwd: Path | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a worker with one thread that finds its paipu in `path`."""
        limits = ("--nthreads", "1", "--memory-limit", "0")
        return self._start("worker", self.address, *limits, *options, path=path, cwd=cwd)

    def await_workers(self, count: int) -> None:
        """Wait until the scheduler has so many."""
        with linked(self.address) as client:
            client.wait_for_workers(count, timeout=PATIENCE)
            self._wait(lambda: len(client.nthreads()) == count, f"not {count} workers")

    def pids(self) -> list[int]:
        """The process numbers of the workers themselves, not of the nannies that restart them."""
        with linked(self.address) as client:
            return list(client.run(os.getpid).values())

    def await_tasks(self, count: int) -> None:
        """Wait until the scheduler knows no task, if `count` is 0, else at least so many."""
        with linked(self.address) as client:
            known = partial(client.run_on_scheduler, _n_tasks)
            self._wait(lambda: min(known(), count) == count and (count or not known()), "no tasks")

    def _start(
        self, what: str, *options: str, path: Path = ROOT, cwd: Path | None = None
    ) -> subprocess.Popen[bytes]:
        here = ("--host", "127.0.0.1", "--no-dashboard")
        ports = ("--port", "0") if what == "scheduler" else ()
        module = f"distributed.cli.dask_{what}"
        with open(self.folder / f"{what}-{len(self._processes)}.log", "wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *here, *ports, *options],
                cwd=cwd or self.folder,
                env=environment(**self._env) | {"PYTHONPATH": str(path)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._processes.append(process)
        return process

    def _wait(self, is_so: Any, otherwise: str) -> None:
        until = time.monotonic() + PATIENCE
        while not is_so():
            ended = [process.args for process in self._processes if process.poll() is not None]
            assert not ended, f"{otherwise}: {ended}\n{self.said()}"
            assert time.monotonic() < until, f"{otherwise}\n{self.said()}"
            time.sleep(0.05)

    def said(self) -> str:
        """What its processes have logged."""
        return "\n".join(path.read_text() for path in sorted(self.folder.glob("*.log")))

    def end(self) -> None:
        """Kill everything, restarted workers too."""
        for process in self._processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def cluster(
    folder: Path,
    n_workers: int = 0,
    options: tuple[str, ...] = (),
    env: Mapping[str, str] | None = None,
    path: Path = ROOT,
) -> Iterator[Cluster]:
    """A cluster whose workers take these options, until the block ends."""
    folder.mkdir(parents=True, exist_ok=True)
    made = Cluster(folder, env or {})
    try:
        made.schedule(path)
        for _ in range(n_workers):
            made.work(*options)
        if n_workers:
            made.await_workers(n_workers)
        yield made
    finally:
        made.end()


def unwarned(error: ClusterError) -> None:
    """Where nothing is to be warned of."""
    raise error


def other_paipu(folder: Path, version: str) -> Path:
    """A folder with this project as it is, but for its version."""
    for package in ("replay", "schema"):
        shutil.copytree(
            ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    module = folder / "replay" / "__init__.py"
    text = module.read_text()
    assert f'__version__ = "{__version__}"' in text
    module.write_text(text.replace(f'"{__version__}"', f'"{version}"'))
    return folder


def whose(_: None, __: tuple[str, ...]) -> str:
    """A task that takes a moment: whose paipu its worker runs."""
    time.sleep(0.05)
    return str(Path(replay.__file__).parent)


def _n_tasks(dask_scheduler: Any) -> int:
    return len(dask_scheduler.tasks)
