"""The distribution: what is in the wheel, that it runs elsewhere, and that nothing is unpinned."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import replay
from tests.served import free_port, served, status_of

ROOT = Path(__file__).parent.parent
CONSTRAINTS = ROOT / ".ci" / "constraints.txt"
PACKAGES = ("replay", "schema", "webviewer")
SAMPLES = ROOT / "sample_logs"


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _pins() -> dict[str, str]:
    pins = re.findall(r"^([^#\s=]+)==(\S+)$", CONSTRAINTS.read_text(), re.MULTILINE)
    return {_canonical(name): version for name, version in pins}


def test_every_line_of_the_constraints_is_an_exact_pin() -> None:
    """No range, no address, no option: a name and a release."""
    lines = [line for line in CONSTRAINTS.read_text().splitlines() if line and line[0] != "#"]
    assert len(lines) == len(_pins())


@pytest.mark.parametrize("name", _pins())
def test_what_is_installed_is_pinned_with_all_it_needs(name: str) -> None:
    """Each pinned release is the installed one, and what it needs here is pinned as well."""
    found = metadata.distribution(name)
    assert found.version == _pins()[name]
    needs = (Requirement(line) for line in found.requires or ())
    here = {
        _canonical(need.name)
        for need in needs
        if need.marker is None or need.marker.evaluate({"extra": ""})
    }
    assert here - set(_pins()) == set()


def test_what_the_project_needs_is_pinned_within_its_bounds() -> None:
    """Every requirement of pyproject.toml allows the pinned release."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"].values()
    needs = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    needs += [need for extra in extras for need in extra]
    for need in map(Requirement, needs):
        assert need.specifier.contains(_pins()[_canonical(need.name)]), need


# The wheel


def _run(command: Sequence[str | Path], cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run in `cwd` as a stranger would: nothing of this process's Python set-up is inherited."""
    ours = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    return subprocess.run(
        command,
        cwd=cwd,
        env={key: value for key, value in os.environ.items() if key not in ours},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built with the tools that are pinned."""
    folder = tmp_path_factory.mktemp("dist")
    build = ["-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = _run([sys.executable, *build], cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("*.whl"))


def test_the_wheel_has_every_file_of_the_packages_and_no_other(wheel: Path) -> None:
    """Rule books, catalogues, queries, templates and static files are shipped; tests are not."""
    here = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name for name in names if not name.startswith("paipu-")} == here


def test_the_wheel_has_the_version_of_the_package(wheel: Path) -> None:
    """The version stands in one place."""
    assert wheel.name == f"paipu-{replay.__version__}-py3-none-any.whl"


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of a clean environment with the wheel and what it needs."""
    folder = tmp_path_factory.mktemp("elsewhere")
    made = _run([sys.executable, "-m", "venv", folder / "env"], cwd=folder)
    assert made.returncode == 0, made.stderr
    programs = folder / "env" / "bin"
    pip = [str(programs / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    done = _run([*pip, "install", "--constraint", CONSTRAINTS, wheel], cwd=folder)
    assert done.returncode == 0, done.stderr
    return programs


@pytest.mark.slow
def test_the_wheel_says_its_version_elsewhere(elsewhere: Path, tmp_path: Path) -> None:
    """`paipu --version` of the installed wheel."""
    done = _run([elsewhere / "paipu", "--version"], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert replay.__version__ in done.stdout


@pytest.mark.slow
def test_the_wheel_verifies_the_samples_elsewhere(elsewhere: Path, tmp_path: Path) -> None:
    """The installed wheel judges the samples: clean, broken, and some that are no logs."""
    folders = [folder for game in SAMPLES.iterdir() if game.is_dir() for folder in game.iterdir()]
    assert {folder.name for folder in folders} == {"clean", "broken"}
    for folder in folders:
        found = _run([elsewhere / "paipu", "verify", folder], cwd=tmp_path)
        assert found.stderr == ""
        assert found.returncode in {"clean": (0,), "broken": (1, 2)}[folder.name]
        assert found.stdout


@pytest.mark.slow
def test_the_wheel_serves_the_samples_elsewhere(elsewhere: Path, tmp_path: Path) -> None:
    """The installed wheel indexes the samples and serves them: templates and queries are there."""
    paipu = str(elsewhere / "paipu")
    done = _run([paipu, "index", "archive", SAMPLES], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with served([paipu, "view", "archive", "--port", str(free_port())], cwd=tmp_path) as address:
        status, page = status_of(address)
    assert status == 200
    assert page.startswith("<!doctype html>")


@pytest.mark.slow
def test_the_recorder_needs_msgspec_alone(elsewhere: Path, tmp_path: Path) -> None:
    """With every other dependency out of reach, a game server can still import the recorder."""
    code = """
import sys
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name in {"click", "duckdb", "flask", "plotly", "pyarrow", "rich"}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Nothing())
import replay.recorder
"""
    done = _run([elsewhere / "python", "-c", code], cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
