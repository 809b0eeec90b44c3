"""`--scheduler` where something is wrong: one sentence that names it, and no wrong result."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from replay import __version__
from replay.cluster import parcels, workers
from replay.cluster.client import joined
from replay.cluster.errors import ClusterError
from replay.cluster.versions import differing, own, told
from replay.cluster.work import Task
from replay.messages import text
from tests.archives import hands, live, rows
from tests.clusters import cluster, other_paipu, unwarned, whose
from tests.served import free_port
from tests.shelled import MATCH, ROOT, command, environment, paipu

KILLER = """
import os, sys
sys.addaudithook(
    lambda event, about: os._exit(9)
    if event == "open" and str(about[0]).endswith("killer.paipu") else None
)
"""
"""A worker that loads this dies when it opens a log of that name."""


def refused(tmp_path: Path, address: str) -> str:
    """What both commands say of a scheduler; there is no verdict, and no archive is made."""
    archive = tmp_path / "archive"
    ran = paipu("verify", MATCH, "--scheduler", address)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("paipu: ")
    assert ran.err.count("\n") == 1
    assert paipu("index", archive, MATCH, "--scheduler", address) == ran
    assert not archive.exists()
    return ran.err


# Addresses


@pytest.mark.parametrize(
    "address", ["", "host", "127.0.0.1", "http://127.0.0.1:8786", "tcp://:8786", "tcp://a b:1"]
)
def test_what_is_no_address_is_shown_one(tmp_path: Path, address: str) -> None:
    """The sentence has what was given, and what an address looks like."""
    said = refused(tmp_path, address)
    assert f"{address} is no address" in said
    assert "HOST:PORT" in said


@pytest.mark.parametrize("scheme", ["", "tcp://"])
def test_where_nobody_listens_is_said(tmp_path: Path, scheme: str) -> None:
    """The address, and the system's reason."""
    address = f"{scheme}127.0.0.1:{free_port()}"
    assert f"answers at {address}: Connection refused" in refused(tmp_path, address)


def test_who_listens_and_is_no_scheduler_is_not_waited_for(tmp_path: Path) -> None:
    """Another server takes the connection and says nothing that Dask understands."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"tcp://127.0.0.1:{other.getsockname()[1]}"
        ran = paipu("verify", MATCH, "--scheduler", address)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"paipu: {text('en', 'cluster.silent', address=address)}\n"


# The extra


def test_without_the_extra_the_option_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One sentence, whatever is at the address."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install distributed" in refused(tmp_path, "127.0.0.1:8786")


def test_without_the_option_no_dask_is_loaded(tmp_path: Path) -> None:
    """verify and index work where Dask cannot be had."""
    code = f"""
import sys
sys.modules["dask"] = sys.modules["distributed"] = None
from replay.cli import main
sys.argv[1:] = {["index", str(tmp_path / "archive"), str(MATCH)]!r}
try:
    main()
except SystemExit as ended:
    assert not ended.code
sys.argv[1:] = {["verify", str(MATCH)]!r}
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


# Versions


def test_versions_that_differ_are_named() -> None:
    """Numbers first; other code is told of where every number is equal."""
    ours = own()
    assert ours["paipu"] == __version__
    assert differing(dict(ours), ours) == ()
    older = ours | {"Python": "3.9", "rules": "x/1", "code": "0"}
    assert differing(older, ours) == ("Python", "rules")
    assert told(older, ("Python", "rules")) == "Python 3.9, rules x/1"
    assert differing(ours | {"code": "0"}, ours) == ("code",)


def test_workers_of_other_versions_get_no_work(tmp_path: Path) -> None:
    """One that comes later is told of by name and passed by; at the beginning it ends the run."""
    older = tmp_path / "older" / "replay"
    older.mkdir(parents=True)
    (older / "__init__.py").touch()
    warned: list[ClusterError] = []
    with cluster(tmp_path / "cluster", path=older.parent) as found:
        found.work("--no-nanny")
        with joined(found.address, ("tests.clusters",), warned.append) as there:
            answers = there.answers(Task(whose, None, (str(MATCH),)) for _ in range(40))
            first = next(answers)
            found.work("--no-nanny", "--name", "new", path=other_paipu(tmp_path / "new", "9.9"))
            found.work("--no-nanny", "--name", "old", path=older.parent)
            found.await_workers(3)
            rest = list(answers)
        assert sorted(number for number, _ in [first, *rest]) == list(range(40))
        assert {place for _, place in [first, *rest]} == {str(ROOT / "replay")}
        said = sorted(error.said("en") for error in warned)
        assert len(said) == 2
        assert re.match(r"worker new \(tcp://\S+\) has paipu 9\.9, and here it is paipu", said[0])
        assert re.match(r"worker old \(tcp://\S+\) has no paipu that can be used", said[1])
        assert refused(tmp_path, found.address)[len("paipu: ") :].strip() in said


# Workers


def test_a_scheduler_without_workers_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence says what is missing."""
    monkeypatch.setattr(workers, "_FIRST_PATIENCE", 0.0)
    with cluster(tmp_path / "cluster") as found:
        assert text("en", "cluster.no_workers") in refused(tmp_path, found.address)


def test_when_the_last_worker_is_gone_the_run_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for another only so long."""
    monkeypatch.setattr(workers, "_PATIENCE", 0.0)
    with cluster(tmp_path, n_workers=1, options=("--no-nanny",)) as found:
        asked = (Task(whose, None, (str(MATCH),)) for _ in range(40))
        with joined(found.address, ("tests.clusters",), unwarned) as there:
            answers = there.answers(asked)
            next(answers)
            for pid in found.pids():
                os.kill(pid, signal.SIGKILL)
            with pytest.raises(ClusterError) as caught:
                list(answers)
    assert caught.value.word == "workers_gone"


def test_a_log_that_kills_its_workers_is_named_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has no verdict and no row; whatever its workers had besides is judged after all."""
    monkeypatch.setattr(parcels, "LARGEST", 0)
    preload = tmp_path / "deadly.py"
    preload.write_text(KILLER)
    logs = tmp_path / "logs"
    logs.mkdir()
    for name in ("a", "killer", "z"):
        live(logs / f"{name}.paipu", hands(2), ord(name[0]))
    allowed = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    with cluster(tmp_path, n_workers=2, options=("--preload", str(preload)), env=allowed) as found:
        ran = paipu("verify", logs, "--json", "--scheduler", found.address)
        assert [verdict["verdict"] for verdict in ran.json] == ["clean", "none", "clean"]
        error = ran.json[1]["error"]
        assert (ran.status, ran.err, error["fault"]) == (2, "", "killed")
        assert "every worker died" in error["en"]
        ran = paipu("index", tmp_path / "archive", logs, "--scheduler", found.address)
        assert ran.status == 0
        assert f"killer.paipu: not taken in: {error['en'].rpartition('tcp')[0]}" in ran.out
    assert rows(tmp_path / "archive", "SELECT count(*), min(hands) FROM logs") == [(2, 2)]


# TLS


def certificates(folder: Path) -> dict[str, str]:
    """A certificate that is its own authority, as Dask is told of it by its environment."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl to make certificates with")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=paipu"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([openssl, *made, *files], capture_output=True, check=True)
    name = "DASK_DISTRIBUTED__COMM__"
    found = {f"{name}REQUIRE_ENCRYPTION": "true", f"{name}TLS__CA_FILE": str(certificate)}
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        found[f"{name}TLS__{role}__CERT"] = str(certificate)
        found[f"{name}TLS__{role}__KEY"] = str(key)
    return found


def test_over_tls_the_same_is_said(tmp_path: Path) -> None:
    """With Dask's own certificates; without them, or without tls://, nobody is let in."""
    tls = certificates(tmp_path)
    with cluster(tmp_path, env=tls) as found:
        assert found.address.startswith("tls://")
        found.work("--no-nanny")
        words = ["verify", MATCH, "--json", "--scheduler", found.address]
        done = subprocess.run(
            command(*words), env=environment(**tls), capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode() == paipu("verify", MATCH, "--json").out
        assert "TLS" in refused(tmp_path, found.address)
        refused(tmp_path, found.address.replace("tls://", "tcp://"))
