"""Questions in SQL as the viewer sees them: what may be asked, with which fields, and answers."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol

from msgspec import Struct

from schema.cards import parse_cards

Values = Mapping[str, str]
"""What was typed into the fields, by name; empty text stands for NULL."""
Form = Literal["csv", "json", "parquet"]
FORMS: tuple[Form, ...] = ("csv", "json", "parquet")
FieldKind = Literal["text", "integer", "number", "date", "choice"]
ChartKind = Literal["bar", "line", "scatter"]
CHART_KINDS: tuple[ChartKind, ...] = ("bar", "line", "scatter")
CARD_COLUMNS = frozenset(
    {
        "attempted",
        "bottom",
        "buried",
        "called",
        "card",
        "cards",
        "dealt",
        "led",
        "taken",
        "turned",
        "twin",
    }
)
"""What columns are called that hold cards."""


class Field(Struct, frozen=True):
    """A `:name` of a question that is filled in; `default` is what stands there at first."""

    name: str
    kind: FieldKind = "text"
    default: str = ""
    choices: tuple[str, ...] = ()
    zh: str = ""
    en: str = ""


class Drawing(Struct, frozen=True):
    """A chart of an answer: its columns by name, `colour` empty where there is one series."""

    kind: ChartKind
    x: str
    y: str
    colour: str = ""


class ReadyQuestion(Struct, frozen=True):
    """A question that comes with the archive: its sentence, SQL, fields, and a chart if it has."""

    name: str
    zh: str
    en: str
    group: str
    """What it is about: a word of `view.sql.group.*`."""
    sql: str
    fields: tuple[Field, ...]
    drawing: Drawing | None


class TableColumn(Struct, frozen=True):
    """A column of an archive's table and its SQL type."""

    name: str
    type: str


class Table(Struct, frozen=True):
    """A table, or a view over tables."""

    name: str
    columns: tuple[TableColumn, ...]


class Bounds(Struct, frozen=True):
    """What one question may take: seconds, bytes of memory; rows shown, bytes of a download."""

    seconds: float
    memory: int
    rows: int
    download: int


class SqlAnswer(Struct, frozen=True):
    """Rows as JSON values, integers beyond ±2^53 as text; `cut_by` names the limit that cut.

    `logs` has the page of each log (`/log/…`) that a column `log_id` names.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[list[Any]]
    cut_by: str | None
    seconds: float
    logs: Mapping[int, str] = {}


class SqlProblem(Exception):
    """SQL that was not answered: why, in both languages (DuckDB's own words in either).

    `place` is the line and column, from 1, that they point at; `again_after`, in seconds, is there
    where the same question may be answered later.
    """

    def __init__(
        self,
        zh: str,
        en: str,
        place: tuple[int, int] | None = None,
        again_after: int | None = None,
    ) -> None:
        super().__init__(en)
        self.zh = zh
        self.en = en
        self.place = place
        self.again_after = again_after


IsGone = Callable[[], bool]
"""Whether nobody waits for the answer any more: then the question is stopped."""


def nobody_leaves() -> bool:
    """Who asks stays until the answer is there."""
    return False


class Asking(Protocol):
    """What can be asked of an archive. SqlProblem for what is refused, fails or is stopped."""

    @property
    def bounds(self) -> Bounds:
        """The limits of every question."""
        ...

    def ready(self) -> tuple[ReadyQuestion, ...]:
        """The questions that come with the archive, by name."""
        ...

    def tables(self) -> tuple[Table, ...]:
        """The tables and views that may be asked."""
        ...

    def fields(self, sql: str) -> tuple[Field, ...]:
        """The `:name`s of SQL that anybody wrote, each once."""
        ...

    def answer(
        self, sql: str, fields: tuple[Field, ...], values: Values, is_gone: IsGone = nobody_leaves
    ) -> SqlAnswer:
        """The answer as far as it is shown."""
        ...

    def download(
        self,
        sql: str,
        fields: tuple[Field, ...],
        values: Values,
        form: Form,
        is_gone: IsGone = nobody_leaves,
    ) -> AbstractContextManager[Iterator[bytes]]:
        """The whole answer as a file; never a part of it."""
        ...

    def alike(self, hand_id: str, event: int | None, lang: str) -> str:
        """SQL for hands like this one, or for what happened in it at an event (from 0)."""
        ...


def cards_in(column: str, value: object) -> bytes | None:
    """The cards that a cell is, told by its column's name; None if it is anything else."""
    name = column.casefold()
    if not isinstance(value, str) or not value:
        return None
    if name not in CARD_COLUMNS and not name.endswith("_cards"):
        return None
    try:
        return parse_cards(value)
    except ValueError:
        return None
