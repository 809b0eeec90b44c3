"""Lake: an archive as Parquet files in folders by game and month, with sums. See LAKE.md."""

from replay.archive.lake.check import Check, Fault, check
from replay.archive.lake.export import Exported, export
from replay.archive.lake.place import demand_free, demand_replaceable
from replay.archive.lake.pseudonyms import Pseudonyms

__all__ = [
    "Check",
    "Exported",
    "Fault",
    "Pseudonyms",
    "check",
    "demand_free",
    "demand_replaceable",
    "export",
]
