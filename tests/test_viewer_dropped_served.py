"""Dropped logs on a server that is killed: their processes are gone with it."""

import http.client
import os
import subprocess
import sys
from pathlib import Path

from tests.dropping import eventually, is_running
from tests.viewer_logs import CLEAN, folder_of_logs


def started_by(pid: int) -> set[int]:
    """The processes that any thread of a process has started."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return {int(child) for task in tasks for child in (task / "children").read_text().split()}


def test_processes_do_not_outlive_a_server_that_is_killed(tmp_path: Path) -> None:
    """Nobody tells them: the system ends them when the pipe to the server closes."""
    log = (folder_of_logs(tmp_path / "logs") / CLEAN).read_bytes()
    head = b'--x\r\nContent-Disposition: form-data; name="log"; filename="a"\r\n\r\n'
    command = [sys.executable, "-m", "replay.cli", "view", str(tmp_path / "logs"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip().removeprefix("http://").strip("/")
        asking = http.client.HTTPConnection(address)
        kind = {"Content-Type": "multipart/form-data; boundary=x"}
        asking.request("POST", "/dropped", head + log + b"\r\n--x--\r\n", kind)
        assert asking.getresponse().status == 303
        asking.close()
        workers = started_by(server.pid)
        assert len(workers) == 1
        server.kill()
        server.wait()
    assert eventually(lambda: not any(map(is_running, workers)))
    assert not any(os.path.exists(f"/proc/{pid}/fd/0") for pid in workers)
