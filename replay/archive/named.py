"""Named queries: examples of what an archive can be asked, one .sql file each."""

from importlib.resources import files

from msgspec import Struct

from replay.archive.query import QueryError

_FOLDER = files("replay.archive") / "queries"


class NamedQuery(Struct, frozen=True):
    """The name, what it answers (its first line, a comment) and its SQL."""

    name: str
    description: str
    sql: str


def named_queries() -> tuple[NamedQuery, ...]:
    """All of them, by name."""
    names = (entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(".sql"))
    return tuple(_read(name.removesuffix(".sql")) for name in sorted(names))


def named(name: str) -> NamedQuery:
    """The query of this name; QueryError lists the names there are."""
    known = {query.name: query for query in named_queries()}
    if name not in known:
        raise QueryError(f"no query is called {name!r}; there are {', '.join(known)}")
    return known[name]


def _read(name: str) -> NamedQuery:
    sql = (_FOLDER / f"{name}.sql").read_text(encoding="utf-8")
    first = sql.partition("\n")[0]
    return NamedQuery(name, first.removeprefix("--").strip(), sql)
