"""What one seat may read: positions through either reader, and findings without foreign cards."""

from pathlib import Path

import pytest

from replay.findings import Finding
from replay.messages import text
from replay.reader import HandPage, HandQuery, NobodyPlays, NotFound, Reader, open_reader
from tests.archives import indexed
from tests.shelled import BROKEN, LOWER_SINGLE
from tests.viewer_logs import FAULTY, folder_of_logs, ids_in

DRAWN = BROKEN / "dagong-3.1--doubled-card-drawn.paipu.jsonl"
REFUSED = BROKEN / "dagong-6.4--good-play-refused.paipu.jsonl"


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> tuple[Reader, Reader, str]:
    """The same logs read as files and through an archive; the first hand of FAULTY."""
    folder = folder_of_logs(tmp_path_factory.mktemp("logs"))
    path = tmp_path_factory.mktemp("archive") / "a"
    indexed(path, folder)
    return open_reader(folder), open_reader(path), ids_in(folder / FAULTY)[0]


def page_of(log: Path, eye: int | None) -> HandPage:
    """The page of a log's hand that has a finding."""
    reader = open_reader(log)
    (row,) = (row for row in reader.hands(HandQuery()).rows if row.findings)
    return reader.hand(row.hand_id, eye)


def finding_of(log: Path, eye: int | None) -> Finding:
    """The one finding of a log as an eye reads it."""
    (finding,) = page_of(log, eye).findings
    return finding


def test_both_readers_tell_the_same_positions(readers: tuple[Reader, Reader, str]) -> None:
    """With and without an eye, with and without a question."""
    logs, archive, hand = readers
    events = len(logs.hand(hand, None).moments)
    for event in range(8, events - 4, 9):
        for eye, cards in ((None, None), (2, None), (None, b"\x00"), (1, b"")):
            asked = hand, event, eye, cards
            assert logs.position(*asked) == archive.position(*asked)


def test_places_that_are_not_there_are_said(readers: tuple[Reader, Reader, str]) -> None:
    """An unknown hand, an event behind the last, cards where nobody plays."""
    logs, archive, hand = readers
    events = len(logs.hand(hand, None).moments)
    for reader in (logs, archive):
        with pytest.raises(NotFound) as hand_missing:
            reader.position("nothing", 0, None, None)
        assert hand_missing.value.args == ("hand", "nothing")
        for event in (-1, events + 1):
            with pytest.raises(NotFound) as event_missing:
                reader.position(hand, event, None, None)
            assert event_missing.value.args == ("event", event)
        with pytest.raises(NobodyPlays) as nobody:
            reader.position(hand, events, None, b"\x00")
        assert nobody.value.ask == "ask.end"


def test_a_proof_is_for_its_own_seat(readers: tuple[Reader, Reader, str]) -> None:
    """What was on the table stays in the finding, the holding does not."""
    full = finding_of(LOWER_SINGLE, None)
    assert full.proof
    for eye in range(4):
        seen = finding_of(LOWER_SINGLE, eye)
        assert (seen.zh, seen.en, seen.expected, seen.logged) == (
            full.zh,
            full.en,
            full.expected,
            full.logged,
        )
        assert seen.proof == (full.proof if eye == full.seat else "")


@pytest.mark.parametrize("log", [DRAWN, REFUSED], ids=["of a holding", "of a refused play"])
def test_cards_that_were_not_laid_are_for_their_own_seat(log: Path) -> None:
    """Whoever else looks reads which rule it is about, and no card."""
    full = finding_of(log, None)
    assert full.seat is not None
    assert finding_of(log, full.seat) == full
    for eye in {0, 1, 2, 3} - {full.seat}:
        seen = finding_of(log, eye)
        assert (seen.expected, seen.logged, seen.proof) == ("", "", "")
        assert seen.zh == text("zh", f"rule.{full.rule}")
        assert seen.en == text("en", f"rule.{full.rule}")
        assert (seen.kind, seen.event, seen.seat) == (full.kind, full.event, full.seat)
