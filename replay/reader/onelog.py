"""One log that does not change, under a name of its own: judged once, and reported from that."""

from collections.abc import Iterator
from pathlib import Path

from replay.findings import Finding
from replay.reader.logs import LogsReader
from replay.reader.pages import HandQuery, LogRow
from replay.verify import HandResult, Report, Tally, judged
from schema.items import Log

_NOTHING = HandQuery(size=1)


class OneLog(LogsReader):
    """The hands of one log; `look_every` are the seconds between two words of `verifying`."""

    def __init__(self, path: Path, name: str, look_every: float) -> None:
        super().__init__(path, look_every, name)
        self._tally: Tally | None = None

    def verifying(self) -> Iterator[int | LogRow]:
        """How many hands are verified, now and then; the log itself when all are."""
        while not (found := self.logs(1).rows):
            yield self.hands(_NOTHING).total
        yield found[0]

    def _results(self, log: Log) -> Iterator[HandResult | Finding]:
        tally = self._tally = Tally(log)
        for item in judged(log):
            tally.add(item)
            if isinstance(item, HandResult | Finding):
                yield item

    def _report(self, log: Log) -> Report:
        assert self._tally is not None, "a log is indexed before its report is asked for"
        return self._tally.report()
