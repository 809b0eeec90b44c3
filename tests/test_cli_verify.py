"""`paipu verify`: verdicts and exit statuses, of one file and of many."""

import io
import shutil
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from replay.messages import text
from replay.report import builtins
from replay.verify import verify
from schema.damage import LogError
from schema.events import ClimbingCarry, ClimbingOpening, ClimbingSettled, Event
from schema.items import Hand
from schema.logfile import open_log
from schema.seal import write_live
from tests.builders import live_log
from tests.shelled import (
    BAD_HEAD,
    BROKEN,
    CLEAN,
    IN_PROGRESS,
    LOWER_SINGLE,
    MATCH,
    NO_LOG,
    PARTS,
    SAMPLES,
    TEXT,
    TORN,
    copied,
    paipu,
)

FUTURE = BROKEN / "format.unknown_version--of-the-future.paipu.jsonl"


@pytest.mark.parametrize(
    ("logs", "status"),
    [
        ([TEXT], 0),
        ([MATCH], 0),
        ([IN_PROGRESS], 0),
        ([LOWER_SINGLE], 1),
        ([TORN], 1),
        ([BAD_HEAD], 2),
        ([NO_LOG], 2),
        ([FUTURE], 2),
        ([SAMPLES / "absent.paipu"], 2),
        ([TEXT, LOWER_SINGLE], 1),
        ([NO_LOG, LOWER_SINGLE, TEXT], 2),
        ([CLEAN], 0),
        ([SAMPLES], 2),
    ],
    ids=lambda value: str(value) if isinstance(value, int) else " ".join(p.stem for p in value),
)
def test_the_exit_status_says_the_verdict(logs: list[Path], status: int) -> None:
    """0 clean, 1 findings, 2 no verdict; of several files the highest."""
    assert paipu("verify", *logs).status == status
    assert paipu("verify", *logs, "--json").status == status


def _lower_single() -> dict[str, str]:
    """The one finding of LOWER_SINGLE, as the engine gives it."""
    with LOWER_SINGLE.open("rb") as stream:
        (finding,) = verify(open_log(stream)).findings
    return msgspec.structs.asdict(finding)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_finding_says_where_who_what_and_by_which_words(lang: str) -> None:
    """Place, seat with name, rule id, sentence, the rule's sentence, the source, the proof."""
    out = paipu("verify", LOWER_SINGLE, "--lang", lang).out
    found = _lower_single()
    first, _, rest = out.partition("\n")
    assert first == f"{LOWER_SINGLE}: " + text(lang, "verdict.findings", n=1)
    place = [
        text(lang, f"cli.{word}", n=found[key])
        for word, key in (("hand", "hand"), ("trick", "trick"), ("event", "event"))
    ]
    line = rest.splitlines()[0]
    assert [word for word in place if word not in line] == []
    assert text(lang, "cli.offset", n=found["offset"]) in line
    assert "甲乙丙丁"[int(found["seat"])] in line
    assert "dagong-5.1" in line
    for said in (found[lang], text(lang, "rule.dagong-5.1"), text("zh", "source.dagong-5.1")):
        assert said in rest
    assert f": {found['proof']}\n" in rest


def test_the_counts_and_what_no_log_shows_come_last() -> None:
    """The reader of a verdict learns how much was checked, and what was not."""
    live, sealed = paipu("verify", IN_PROGRESS).out, paipu("verify", MATCH).out
    border = text("en", "unchecked.cut_at_hand_border")
    assert text("en", "verdict.in_progress") in live
    assert "not judged" in text("en", "cli.verify.in_progress")
    for lang in ("zh", "en"):
        said = f"  {text(lang, 'cli.verify.in_progress')}\n"
        assert said in paipu("verify", IN_PROGRESS, "--lang", lang).out
        assert said not in paipu("verify", MATCH, "--lang", lang).out
    assert live.splitlines()[-1] == f"  - {border}"
    assert border not in sealed
    assert text("en", "unchecked.collusion") in sealed
    assert text("en", "verdict.hands", n=_n_hands(MATCH)) in sealed


def _n_hands(path: Path) -> int:
    with path.open("rb") as stream:
        return sum(isinstance(item, Hand) for item in open_log(stream).items())


def test_the_word_for_a_broken_rule_is_the_rule() -> None:
    """No report on any sample calls anybody a cheat."""
    said = "".join(paipu("verify", SAMPLES, "--lang", lang).out for lang in ("zh", "en"))
    assert len(said) > 50_000
    for word in ("cheat", "作弊", "Traceback"):
        assert word not in said


# JSON


def test_json_holds_the_report_as_it_is() -> None:
    """One document: path, verdict, and the very report that `verify` makes."""
    (found,) = paipu("verify", LOWER_SINGLE, "--json").json
    with LOWER_SINGLE.open("rb") as stream:
        report = verify(open_log(stream))
    assert found == {
        "path": str(LOWER_SINGLE),
        "verdict": "findings",
        "report": builtins(report),
        "notes": [],
    }


def test_json_says_why_there_is_no_verdict() -> None:
    """The fault and its place, and the hands that a file with a bad HEAD still shows."""
    head, absent = paipu("verify", BAD_HEAD, SAMPLES / "absent.paipu", "--json").json
    assert (head["verdict"], head["error"]["fault"]) == ("none", "bad_head")
    assert [hand["index"] for hand in head["error"]["hands_seen"]] == [0, 1]
    assert head["error"]["hands_seen"][0]["whole"] is True
    assert absent["error"]["fault"] == "io"
    assert absent["error"]["en"] == "no such file or folder"
    assert "report" not in absent


def test_the_same_logs_give_the_same_bytes_however_many_processes_work() -> None:
    """JSON and text are equal with one process and with three."""
    for form in (["--json"], ["--lang", "zh"]):
        alone = paipu("verify", SAMPLES, "--jobs", 1, *form)
        assert paipu("verify", SAMPLES, "--jobs", 3, *form) == alone


# Where logs are


def test_standard_input_is_a_log_like_any_other() -> None:
    """`-` gives the report of the file, sealed or text."""
    for log in (MATCH, LOWER_SINGLE):
        (piped,) = paipu("verify", "-", "--json", stdin=log.read_bytes()).json
        (read,) = paipu("verify", log, "--json").json
        assert piped == read | {"path": "-"}


def test_a_folder_is_searched_for_logs(tmp_path: Path) -> None:
    """All below it, in the order of their names, each once; other files and archives are left."""
    shutil.copy(TEXT, tmp_path / "b.paipu.jsonl")
    copied(tmp_path / "a", MATCH)
    copied(tmp_path / "archive", LOWER_SINGLE)
    (tmp_path / "archive" / "MANIFEST").touch()
    for other in ("notes.txt", ".hidden.paipu", "c.paipu.torn-1", "d.jsonl"):
        (tmp_path / other).write_text("no log")
    found = paipu("verify", tmp_path, tmp_path / "b.paipu.jsonl", "--json")
    assert found.status == 0
    names = [Path(one["path"]).relative_to(tmp_path).as_posix() for one in found.json]
    assert names == [f"a/{MATCH.name}", "b.paipu.jsonl"]


@pytest.mark.parametrize("is_archive", [True, False])
def test_a_folder_without_logs_is_no_clean_verdict(tmp_path: Path, is_archive: bool) -> None:
    """Whoever mistook the folder, or gave an archive, learns it."""
    if is_archive:
        (tmp_path / "MANIFEST").touch()
    done = paipu("verify", tmp_path)
    assert (done.status, done.out) == (2, "")
    word = "archive" if is_archive else "no_logs"
    assert done.err == f"paipu: {text('en', f'cli.problem.{word}', path=tmp_path)}\n"


# A leaf kept elsewhere, and the file before


def test_a_leaf_kept_elsewhere_shows_what_was_cut_off(tmp_path: Path) -> None:
    """The last leaf of a whole log is not in a copy that lost its last hand."""
    whole = tmp_path / "whole.paipu"
    assert paipu("convert", MATCH, whole).status == 0
    (report,) = paipu("verify", whole, "--json").json
    leaf = report["report"]["last_leaf"]
    cut = tmp_path / "cut.paipu"
    cut.write_bytes(_without_last_hand(whole.read_bytes()))
    assert paipu("verify", cut).status == 0
    assert paipu("verify", whole, "--head", leaf.upper()).status == 0
    done = paipu("verify", cut, "--head", leaf)
    assert done.status == 1
    assert "format.head_leaf" in done.out
    assert leaf in done.out


def _without_last_hand(live: bytes) -> bytes:
    hands = [item for item in open_log(io.BytesIO(live)).items() if isinstance(item, Hand)]
    return live[: hands[-1].offset(0)]


@pytest.mark.parametrize("leaf", ["", "12", "g" * 64, "0" * 63])
def test_what_is_no_leaf_is_refused(leaf: str) -> None:
    """A leaf has 64 hex digits."""
    done = paipu("verify", MATCH, "--head", leaf)
    assert done.status == 2
    assert done.err == f"paipu: {text('en', 'cli.problem.leaf', found=leaf)}\n"


@pytest.mark.parametrize("option", [["--head", "0" * 64], ["--previous", str(TEXT)]])
def test_what_is_about_one_log_goes_with_one(option: list[str]) -> None:
    """A leaf or a previous file given for two logs is wrong usage."""
    done = paipu("verify", MATCH, TEXT, *option)
    assert done.status == 2
    assert option[0] in done.err


def test_the_file_before_checks_the_first_opening(tmp_path: Path) -> None:
    """Alone, a second part has one opening unchecked; with the first part, none."""
    first, second = PARTS
    (alone,) = paipu("verify", second, "--json").json
    (after,) = paipu("verify", second, "--previous", first, "--json").json
    assert [one["report"]["openings_unchecked"] for one in (alone, after)] == [1, 0]
    other = paipu("verify", second, "--previous", MATCH)
    assert other.status == 1
    assert "format.previous_differs" in other.out
    unreadable = paipu("verify", second, "--previous", NO_LOG)
    assert unreadable.status == 2
    assert unreadable.err.startswith(f"paipu: {NO_LOG}: ")


# Across files


def _with_other_coins(log: Path) -> bytes:
    """The log with coins moved in its first opening: nothing inside it is wrong for that."""
    with log.open("rb") as stream:
        opened = open_log(stream)
        hands = [item.events for item in opened.items() if isinstance(item, Hand)]
        return live_log([_moved(events) for events in hands], opened.head)


def _moved(events: list[Event]) -> list[Event]:
    return [_moved_coins(event) for event in events]


def _moved_coins(event: Event) -> Event:
    if isinstance(event, ClimbingOpening):
        return replace(event, carry=_richer(event.carry))
    if isinstance(event, ClimbingSettled):
        return replace(event, next=_richer(event.next))
    return event


def _richer(carry: ClimbingCarry) -> ClimbingCarry:
    a, b, c, d = carry.balances
    return replace(carry, balances=(a + 50, b - 50, c, d))


def test_logs_of_a_folder_are_judged_after_those_they_continue(tmp_path: Path) -> None:
    """Coins that changed between two files are a finding once both files are there."""
    first, second = copied(tmp_path, *PARTS)
    done = paipu("verify", tmp_path, "--json")
    assert [one["report"]["openings_unchecked"] for one in done.json] == [0, 0]
    second.write_bytes(_with_other_coins(second))
    assert paipu("verify", second).status == 0
    found = paipu("verify", first, second)
    assert found.status == 1
    assert "dagong-11.1" in found.out


def test_a_file_before_that_is_missing_is_said(tmp_path: Path) -> None:
    """It is no finding: the opening could not be checked."""
    copied(tmp_path, PARTS[1], MATCH)
    done = paipu("verify", tmp_path, "--json")
    assert done.status == 0
    notes = {Path(one["path"]).name: [n["kind"] for n in one["notes"]] for one in done.json}
    assert notes == {PARTS[1].name: ["previous_missing"], MATCH.name: []}
    assert text("zh", "finding.previous_missing") in paipu("verify", tmp_path, "--lang", "zh").out


def test_what_simulate_continues_in_further_files_is_clean(tmp_path: Path) -> None:
    """Every file but the first is judged after the one before."""
    made = paipu(
        "simulate", "dagong", "--hands", 4, "--seed", 3, "--hands-per-file", 1, "-o", tmp_path
    )
    assert made.status == 0
    found = paipu("verify", tmp_path, "--json")
    assert found.status == 0
    assert [one["report"]["openings_unchecked"] for one in found.json] == [0, 0, 0, 0]
    assert [one["notes"] for one in found.json] == [[], [], [], []]


def test_copies_that_agree_are_no_conflict(tmp_path: Path) -> None:
    """Another form, and a copy made before the last hand was played."""
    copied(tmp_path, MATCH)
    live = tmp_path / "live.paipu"
    assert paipu("convert", MATCH, live).status == 0
    assert paipu("convert", MATCH, tmp_path / "text.paipu.jsonl").status == 0
    (tmp_path / "earlier.paipu").write_bytes(_without_last_hand(live.read_bytes()))
    found = paipu("verify", tmp_path, "--json")
    assert found.status == 0
    assert [one["notes"] for one in found.json] == [[], [], [], []]


def test_copies_of_one_file_that_differ_are_a_conflict(tmp_path: Path) -> None:
    """Both are clean alone; together each is told of the other, with the hand that differs."""
    (log,) = copied(tmp_path, MATCH)
    other = tmp_path / "other.paipu"
    other.write_bytes(_slower_in_hand(1, log))
    assert paipu("verify", other).status == 0
    done = paipu("verify", tmp_path, "--json")
    assert done.status == 1
    notes = [(Path(one["path"]).name, one["verdict"], one["notes"]) for one in done.json]
    for (name, verdict, (note,)), another in zip(notes, reversed(notes), strict=True):
        assert verdict == "findings"
        assert (note["kind"], note["hand"]) == ("conflict", 1)
        assert Path(note["other"]).name == another[0] != name
    assert f"{log}: hand 1 " in paipu("verify", tmp_path).out


def _slower_in_hand(index: int, log: Path) -> bytes:
    """The log as a live one in which one hand ended a moment later."""
    with log.open("rb") as stream:
        opened = open_log(stream)
        hands = [list(item.events) for item in opened.items() if isinstance(item, Hand)]
        last = hands[index][-1]
        hands[index][-1] = replace(last, dt=last.dt + 1)  # type: ignore[attr-defined]
        return live_log(hands, opened.head)


def test_a_copy_under_another_head_is_a_conflict(tmp_path: Path) -> None:
    """One file id, but other house rules: HEAD itself differs."""
    (log,) = copied(tmp_path, TEXT)
    said = log.read_text("utf-8")
    assert '"base":1,' in said
    with log.open("rb") as stream:
        opened = open_log(stream)
        options = replace(opened.head.options, bang_fan=3)
        hands = [item.events for item in opened.items() if isinstance(item, Hand)]
        (tmp_path / "other.paipu").write_bytes(
            live_log(hands, replace(opened.head, options=options))
        )
    found = paipu("verify", tmp_path, "--json").json
    assert [note["hand"] for one in found for note in one["notes"]] == [None, None]
    assert "HEAD" in found[0]["notes"][0]["zh"]


def test_a_copy_that_lacks_a_damaged_hand_is_no_conflict(tmp_path: Path) -> None:
    """What both still have is the same; the damage is a finding of its own."""
    live = io.BytesIO()
    with MATCH.open("rb") as stream:
        write_live(open_log(stream), live)
    data = bytearray(live.getvalue())
    (tmp_path / "whole.paipu").write_bytes(data)
    hands = [i for i in open_log(io.BytesIO(bytes(data))).items() if isinstance(i, Hand)]
    data[hands[1].offset(3) + 12] ^= 1
    (tmp_path / "hurt.paipu").write_bytes(data)
    found = paipu("verify", tmp_path, "--json").json
    assert [one["verdict"] for one in found] == ["findings", "clean"]
    assert [one["notes"] for one in found] == [[], []]


def test_every_sample_is_what_open_log_says() -> None:
    """The verdict `none` is given exactly where a log cannot be opened."""
    for one in paipu("verify", SAMPLES, "--json").json:
        with Path(one["path"]).open("rb") as stream:
            try:
                open_log(stream)
                can_be_opened = True
            except LogError:
                can_be_opened = False
        assert (one["verdict"] != "none") is can_be_opened, one["path"]
