"""paipu (牌谱) records, re-verifies, archives, queries and replays hands of Chinese card games.

Re-exports nothing: a game server that imports `replay.recorder` loads neither engine nor DuckDB.
"""

__version__ = "0.1.0"


def _demand_own_schema() -> None:
    """ImportError, in one sentence, if `schema` is not the package that paipu brings along.

    The package index has another distribution of that name; in one environment whichever was
    installed last silently wins.
    """
    try:
        import schema
    except ImportError as error:
        raise ImportError(_clash(f"importing it failed ({error})")) from error
    found = getattr(schema, "FORMAT", None)
    if found != "paipu":
        where = schema.__file__ or ", ".join(schema.__path__)
        raise ImportError(_clash(f'{where} is another one (FORMAT is {found!r}, not "paipu")'))


def _clash(what: str) -> str:
    return (
        f'paipu needs the package "schema" that comes with it, but {what}: '
        "install paipu into a virtual environment of its own, without any other distribution "
        'that brings a package "schema"'
    )


_demand_own_schema()
