"""The `:name`s of SQL that anybody wrote, and what is typed for them as values."""

from collections.abc import Sequence

from replay.archive.named import chosen
from replay.archive.statement import placeholders
from replay.messages import LANGS, text
from replay.reader.questions import Field, FieldKind, SqlProblem, Values

Value = str | int | float | None
MOST_FIELDS = 40


def fields_in(sql: str) -> tuple[Field, ...]:
    """A field for each `:name` outside of strings, names and comments, in their order."""
    names = sorted(placeholders(sql), key=lambda name: (sql.find(f":{name}"), name))
    return tuple(Field(name) for name in names[:MOST_FIELDS])


def values_of(fields: Sequence[Field], typed: Values) -> dict[str, Value]:
    """What was typed, as values; SqlProblem names a field that has something else in it.

    A field that is empty has its default, and is NULL where it has none. Text where
    the kind is not known: DuckDB reads a number or date in it where one is needed.
    """
    told = {field.name: typed.get(field.name, "").strip() for field in fields}
    return {field.name: _value(field, told[field.name] or field.default) for field in fields}


def _value(field: Field, typed: str) -> Value:
    if not typed:
        return None
    try:
        match field.kind:
            case "integer":
                number = int(typed)
                if not 0 <= number < 1 << 63:
                    raise ValueError
                return number
            case "number":
                return float(typed)
            case "choice":
                return chosen(field.choices, typed)
            case _:
                return typed
    except ValueError:
        raise _wrong(field, typed) from None


_EXPECTED: dict[FieldKind, str] = {
    "integer": "view.sql.no_integer",
    "number": "view.sql.no_number",
    "choice": "view.sql.no_choice",
}


def _wrong(field: Field, typed: str) -> SqlProblem:
    key, found = _EXPECTED[field.kind], typed[:40]
    choices = ", ".join(field.choices)
    zh, en = (text(lang, key, field=field.name, found=found, choices=choices) for lang in LANGS)
    return SqlProblem(zh, en)
