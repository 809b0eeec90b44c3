"""The one door of the viewer: hands, rules, reports and charts out of logs or an archive."""

from pathlib import Path

from replay.engine.board import (
    Attempt,
    Board,
    Bottom,
    Goal,
    Laid,
    Moved,
    Named,
    Phrase,
    Prompt,
    SeatView,
    Shown,
    Track,
)
from replay.engine.registry import game_names
from replay.findings import Finding
from replay.position import NobodyPlays, Position
from replay.reader.door import Reader
from replay.reader.logs import LogsReader
from replay.reader.out import face_down, trump_faces
from replay.reader.pages import (
    LOG_SORTS,
    SORTS,
    Cell,
    CellValue,
    Count,
    HandList,
    HandPage,
    HandQuery,
    HandRow,
    LogList,
    LogPage,
    LogQuery,
    LogRow,
    LogSort,
    Moment,
    NotFound,
    Overview,
    Person,
    Problem,
    RuleEntry,
    SeatTally,
    SheetLine,
    Sort,
    Unreadable,
)
from replay.reader.questions import (
    CHART_KINDS,
    FORMS,
    Asking,
    Drawing,
    Field,
    ReadyQuestion,
    SqlAnswer,
    SqlProblem,
    Table,
    cards_in,
)
from replay.wilds import Wilds, wilds_said
from schema.cards import FACES as CARD_FACES

__all__ = [
    "CARD_FACES",
    "CHART_KINDS",
    "FORMS",
    "LOG_SORTS",
    "SORTS",
    "Asking",
    "Attempt",
    "Board",
    "Bottom",
    "Cell",
    "CellValue",
    "Count",
    "Drawing",
    "Field",
    "Finding",
    "Goal",
    "HandList",
    "HandPage",
    "HandQuery",
    "HandRow",
    "Laid",
    "LogList",
    "LogPage",
    "LogQuery",
    "LogRow",
    "LogSort",
    "Moment",
    "Moved",
    "Named",
    "NobodyPlays",
    "NotFound",
    "Overview",
    "Person",
    "Phrase",
    "Position",
    "Problem",
    "Prompt",
    "Reader",
    "ReadyQuestion",
    "RuleEntry",
    "SeatTally",
    "SeatView",
    "SheetLine",
    "Shown",
    "Sort",
    "SqlAnswer",
    "SqlProblem",
    "Table",
    "Track",
    "Unreadable",
    "Wilds",
    "cards_in",
    "face_down",
    "game_names",
    "open_reader",
    "trump_faces",
    "wilds_said",
]


def open_reader(path: Path) -> Reader:
    """The reader of a log, of a folder of logs, or of an archive (a folder with a MANIFEST).

    FileNotFoundError if there is nothing; ArchiveError for an archive that cannot be opened.
    """
    if (path / "MANIFEST").is_file():
        # Here, not above: whoever looks at one log need not wait for DuckDB and Arrow to load.
        from replay.reader.archived import ArchiveReader

        return ArchiveReader(path)
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file or folder")
    return LogsReader(path)
