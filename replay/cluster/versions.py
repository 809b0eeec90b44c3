"""What must be the same here and on a worker, or the two would not say the same of a log."""

import hashlib
import sys
from importlib import import_module
from pathlib import Path

from replay import __version__
from replay.engine.registry import game_names

_ROOT = Path(__file__).parents[2]
_PACKAGES = ("replay", "schema")
_SUFFIXES = (".py", ".toml")
_DIGITS = 12


def _code() -> str:
    """Digits that stand for the code as it is on disk."""
    digest = hashlib.sha256()
    for package in _PACKAGES:
        for path in sorted((_ROOT / package).rglob("*")):
            if path.suffix in _SUFFIXES:
                data = path.read_bytes()
                digest.update(f"{path.relative_to(_ROOT).as_posix()}\0{len(data)}\0".encode())
                digest.update(data)
    return digest.hexdigest()[:_DIGITS]


_CODE = _code()
"""Of when this process began: what it runs is what it loaded, whatever is installed since."""


def own() -> dict[str, str]:
    """The versions of this process by name, in the order in which people ask for them.

    `code` also tells two states of one version apart.
    """
    books = (import_module(f"replay.engine.{game}.presets").RULES_VERSION for game in game_names())
    return {
        "paipu": __version__,
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "rules": " ".join(books),
        "code": _CODE,
    }


def differing(theirs: dict[str, str], ours: dict[str, str]) -> tuple[str, ...]:
    """The names of what they have otherwise than we; other code only if nothing else differs."""
    names = [name for name, value in ours.items() if theirs.get(name) != value]
    return tuple(name for name in names if name != "code" or len(names) == 1)


def told(versions: dict[str, str], names: tuple[str, ...]) -> str:
    """These versions, for people."""
    return ", ".join(f"{name} {versions.get(name, '?')}" for name in names)
