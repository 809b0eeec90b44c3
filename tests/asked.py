"""Named queries asked of an archive: whatever is not given is left out, as for anybody else."""

from pathlib import Path
from typing import Any

from replay.archive import Archive, named


def answer(folder: Path, name: str, **given: str | int | float | None) -> list[dict[str, Any]]:
    """The rows of a named query, with these parameters and the defaults of the others."""
    query = named(name)
    parameters = {parameter.name: parameter.default for parameter in query.parameters}
    assert given.keys() <= parameters.keys()
    with Archive.open(folder) as archive:
        result = archive.query(query.sql, parameters | given)
        return [dict(zip(result.columns, row, strict=True)) for row in result]
