"""`paipu convert`, `seal`, `recover`: nothing lost, nothing overwritten, nothing half-written."""

import io
import os
import stat
from pathlib import Path

import pytest

from replay.messages import text
from replay.recorder import Recorder
from schema.events import HandStarted
from schema.items import Hand
from schema.livewriter import LiveWriter
from schema.logfile import open_log
from schema.records import Recovered
from tests.builders import head
from tests.shelled import (
    BROKEN,
    IN_PROGRESS,
    LOWER_SINGLE,
    MATCH,
    NO_LOG,
    TEXT,
    TORN,
    copied,
    paipu,
)

MIDDLE = BROKEN / "format.bad_checksum--one-bit-of-an-event.paipu"


def _form(path: Path) -> str:
    with path.open("rb") as stream:
        return open_log(stream).form


def _leaves(path: Path) -> list[bytes]:
    with path.open("rb") as stream:
        return [item.leaf for item in open_log(stream).items() if isinstance(item, Hand)]


# convert


def test_text_and_live_come_back_byte_for_byte(tmp_path: Path) -> None:
    """text → live → text and live → text → live are the same bytes."""
    live, again, text_again = (tmp_path / n for n in ("a.paipu", "b.paipu", "a.paipu.jsonl"))
    assert paipu("convert", LOWER_SINGLE, live).status == 0
    assert paipu("convert", live, text_again).status == 0
    assert paipu("convert", text_again, again).status == 0
    assert text_again.read_bytes() == LOWER_SINGLE.read_bytes()
    assert again.read_bytes() == live.read_bytes()
    assert _form(live) == "live"


def test_a_sealed_log_is_unsealed(tmp_path: Path) -> None:
    """sealed → text → live → sealed has the same leaves."""
    there, live = tmp_path / "t.paipu.jsonl", tmp_path / "l.paipu"
    assert paipu("convert", MATCH, there).status == 0
    assert paipu("convert", there, live).status == 0
    assert paipu("seal", live).status == 0
    assert _form(live) == "sealed"
    assert _leaves(live) == _leaves(MATCH)


def test_the_result_is_as_private_as_the_log(tmp_path: Path) -> None:
    """A log that others may not read does not become one that they may."""
    (log,) = copied(tmp_path, TEXT)
    for mode in (0o600, 0o644):
        log.chmod(mode)
        out = tmp_path / f"{mode}.paipu"
        assert paipu("convert", log, out).status == 0
        assert stat.S_IMODE(out.stat().st_mode) == mode
    piped = tmp_path / "piped.paipu"
    assert paipu("convert", "-", piped, stdin=TEXT.read_bytes()).status == 0
    assert stat.S_IMODE(piped.stat().st_mode) == 0o600


def test_nothing_is_overwritten_unless_it_is_asked_for(tmp_path: Path) -> None:
    """Without `--force` the file that is there stays, byte for byte."""
    out = tmp_path / "out.paipu"
    out.write_bytes(b"precious")
    done = paipu("convert", TEXT, out)
    assert done.status == 2
    assert done.err == f"paipu: {text('en', 'cli.problem.exists', path=out)}\n"
    assert out.read_bytes() == b"precious"
    assert paipu("convert", TEXT, out, "--force").status == 0
    assert _leaves(out) == _leaves(TEXT)


def test_a_folder_is_never_replaced(tmp_path: Path) -> None:
    """Not even with `--force`."""
    (tmp_path / "out.paipu").mkdir()
    done = paipu("convert", TEXT, tmp_path / "out.paipu", "--force")
    assert done.status == 2
    assert list(tmp_path.iterdir()) == [tmp_path / "out.paipu"]


@pytest.mark.parametrize("log", [TORN, MIDDLE, NO_LOG], ids=lambda log: log.stem)
@pytest.mark.parametrize("ending", [".paipu", ".paipu.jsonl"])
def test_damage_is_refused(log: Path, ending: str, tmp_path: Path) -> None:
    """And nothing is left behind, under no name."""
    done = paipu("convert", log, tmp_path / f"out{ending}")
    assert done.status == 2
    assert done.err.startswith(f"paipu: {log}: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("out", ["out", "out.json", "out.jsonl", "out.paipu.gz"])
def test_the_name_must_say_the_form(out: str, tmp_path: Path) -> None:
    """Any other ending is refused."""
    done = paipu("convert", TEXT, tmp_path / out)
    assert done.status == 2
    assert done.err == f"paipu: {text('en', 'cli.problem.ending', path=tmp_path / out)}\n"


def test_text_can_go_to_standard_output() -> None:
    """`-` writes the text form and nothing else."""
    done = paipu("convert", TEXT, "-")
    assert (done.status, done.err) == (0, "")
    assert done.out.encode() == TEXT.read_bytes()


def test_other_spacing_is_read_when_it_is_asked_for(tmp_path: Path) -> None:
    """`--tolerant` alone accepts it, and writes the canonical text."""
    loose = tmp_path / "loose.paipu.jsonl"
    loose.write_text(TEXT.read_text("utf-8").replace('":', '" : '), "utf-8")
    assert paipu("verify", loose).status == 2
    assert paipu("convert", loose, "-").status == 2
    assert paipu("convert", loose, "-", "--tolerant").out.encode() == TEXT.read_bytes()
    assert paipu("convert", MATCH, tmp_path / "m.paipu", "--tolerant").status == 0


def test_a_hand_in_progress_stays_in_progress(tmp_path: Path) -> None:
    """A live log of a match that goes on converts there and back."""
    there, back = tmp_path / "t.paipu.jsonl", tmp_path / "b.paipu"
    assert paipu("convert", IN_PROGRESS, there).status == 0
    assert paipu("convert", there, back).status == 0
    assert back.read_bytes() == IN_PROGRESS.read_bytes()


# seal


def test_sealing_replaces_the_log_and_changes_no_hash(tmp_path: Path) -> None:
    """The same leaves, fewer bytes, the same mode; sealing it again is refused."""
    log = tmp_path / "log.paipu"
    assert paipu("convert", MATCH, log).status == 0
    log.chmod(0o640)
    size = log.stat().st_size
    done = paipu("seal", log)
    assert (done.status, done.out) == (0, "")
    assert (
        done.err == text("en", "cli.written", path=log, form="sealed", n=log.stat().st_size) + "\n"
    )
    assert log.stat().st_size < size
    assert stat.S_IMODE(log.stat().st_mode) == 0o640
    assert _leaves(log) == _leaves(MATCH)
    assert list(tmp_path.iterdir()) == [log]
    again = paipu("seal", log)
    assert again.err == f"paipu: {text('en', 'cli.problem.sealed_already', path=log)}\n"


def test_a_sealed_copy_leaves_the_log_as_it_is(tmp_path: Path) -> None:
    """`-o` writes another file; text can be sealed in this way only."""
    out = tmp_path / "sealed.paipu"
    assert paipu("seal", TEXT, "-o", out).status == 0
    assert (_form(out), _leaves(out)) == ("sealed", _leaves(TEXT))
    assert paipu("seal", TEXT, "-o", out).status == 2
    assert paipu("seal", TEXT, "-o", tmp_path / "x.paipu.jsonl").status == 2
    (copy,) = copied(tmp_path, TEXT)
    done = paipu("seal", copy)
    assert done.err == f"paipu: {text('en', 'cli.problem.seal_text', path=copy)}\n"
    assert copy.read_bytes() == TEXT.read_bytes()


@pytest.mark.parametrize("log", [IN_PROGRESS, TORN, MIDDLE], ids=lambda log: log.stem)
def test_what_is_not_whole_is_not_sealed(log: Path, tmp_path: Path) -> None:
    """A hand without an end and damage: the log stays as it was."""
    (copy,) = copied(tmp_path, log)
    done = paipu("seal", copy)
    assert done.status == 2
    assert done.err.startswith(f"paipu: {copy}: ")
    assert copy.read_bytes() == log.read_bytes()
    assert list(tmp_path.iterdir()) == [copy]


def test_a_log_that_is_being_written_is_not_sealed(tmp_path: Path) -> None:
    """The recorder would go on in a file that nobody finds."""
    log = tmp_path / "log.paipu"
    with Recorder.create(log, head()):
        done = paipu("seal", log)
        assert done.err == f"paipu: {text('en', 'cli.problem.being_written', path=log)}\n"
    assert _form(log) == "live"
    assert paipu("seal", log).status == 0
    assert _form(log) == "sealed"


def test_a_link_keeps_pointing_at_the_sealed_log(tmp_path: Path) -> None:
    """The file is replaced, not the link to it."""
    log, link = tmp_path / "log.paipu", tmp_path / "link.paipu"
    assert paipu("convert", MATCH, log).status == 0
    link.symlink_to(log)
    assert paipu("seal", link).status == 0
    assert link.is_symlink()
    assert _form(log) == "sealed"


# recover


def test_a_whole_log_is_recovered_without_loss(tmp_path: Path) -> None:
    """Status 0, the same hands, in the live form."""
    out = tmp_path / "out.paipu"
    done = paipu("recover", MATCH, out)
    assert done.status == 0
    assert _leaves(out) == _leaves(MATCH)
    assert text("en", "cli.recover.lost", hands=0, n=0) in done.out


@pytest.mark.parametrize("log", [TORN, MIDDLE], ids=lambda log: log.stem)
def test_what_was_lost_is_said_and_stated(log: Path, tmp_path: Path) -> None:
    """Status 1; the copy can be read, and says itself where the gap is."""
    out = tmp_path / "out.paipu"
    done = paipu("recover", log, out, "--lang", "zh")
    assert done.status == 1
    with out.open("rb") as stream:
        gaps = [item for item in open_log(stream).items() if isinstance(item, Recovered)]
    lost = sum(gap.hands_lost for gap in gaps), sum(gap.bytes_lost for gap in gaps)
    assert text("zh", "cli.recover.lost", hands=lost[0], n=lost[1]) in done.out
    assert lost[1] > 0
    assert paipu("verify", out).status == 1
    assert paipu("convert", out, tmp_path / "copy.paipu.jsonl").status == 0


def test_a_hand_that_lost_its_end_is_aborted(tmp_path: Path) -> None:
    """And that is said."""
    live = LiveWriter(head())
    log = tmp_path / "log.paipu"
    log.write_bytes(live.start() + live.event(HandStarted(bytes(32), 0)))
    done = paipu("recover", log, tmp_path / "out.paipu")
    assert done.status == 0
    assert text("en", "cli.recover.aborted", n=0) in done.out


@pytest.mark.parametrize("log", [NO_LOG, TEXT], ids=lambda log: log.stem)
def test_what_cannot_be_recovered_leaves_nothing(log: Path, tmp_path: Path) -> None:
    """No log at all, and text, which is mended in an editor."""
    done = paipu("recover", log, tmp_path / "out.paipu")
    assert done.status == 2
    assert done.err.startswith(f"paipu: {log}: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("out", ["-", "out.paipu.jsonl", "out"])
def test_what_is_recovered_is_called_a_binary_log(out: str, tmp_path: Path) -> None:
    """It becomes a live log."""
    assert paipu("recover", MATCH, out if out == "-" else tmp_path / out).status == 2
    assert list(tmp_path.iterdir()) == []


def test_standard_input_can_be_recovered(tmp_path: Path) -> None:
    """A damaged log may come out of a pipe."""
    out = tmp_path / "out.paipu"
    assert paipu("recover", "-", out, stdin=TORN.read_bytes()).status == 1
    assert os.path.getsize(out) > 0
    assert isinstance(open_log(io.BytesIO(out.read_bytes())).head.file_id, bytes)
