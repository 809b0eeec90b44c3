"""Verdicts as text and JSON: what is written of findings, gaps, notes and totals."""

import io
import json
import random
import tracemalloc
from pathlib import Path

import pytest
from msgspec.structs import replace

from replay.findings import Finding
from replay.folder import Note
from replay.messages import text
from replay.report import (
    Failure,
    Verdict,
    about_text,
    builtins,
    json_text,
    totals_text,
    verdict_text,
    verdicts_json,
)
from replay.verify import MOST_FINDINGS, Report, verify
from schema.damage import HandSeen
from schema.logfile import open_log
from tests.builders import head, live_log
from tests.format_logs import Forge
from tests.games import GAMES
from tests.shelled import LOWER_SINGLE, MATCH, TEXT

NAMES = ("甲", "乙", "丙", "丁")
CONFLICT = Note("conflict", "b.paipu", 1, "两份不同", "two copies differ")
MISSING = Note("previous_missing", None, None, "没有前一份", "the one before is missing")
FAILURE = Failure("io", None, None, "", "permission denied", "没有权限", "permission denied")


def _report(log: Path) -> Report:
    with log.open("rb") as stream:
        return verify(open_log(stream))


@pytest.fixture(scope="module", params=GAMES)
def clean(request: pytest.FixtureRequest) -> Report:
    """The report of a log without findings, of each game."""
    options = GAMES[request.param].default
    hands = GAMES[request.param].match(options, 2, random.Random("clean"))
    return verify(open_log(io.BytesIO(live_log(hands, head(options)))))


@pytest.fixture(scope="module")
def faulty() -> Report:
    """The report of a log with one finding, here at seat 0."""
    report = _report(LOWER_SINGLE)
    (finding,) = report.findings
    return replace(report, findings=(replace(finding, seat=0),))


def test_the_verdict_is_clean_findings_or_none(clean: Report, faulty: Report) -> None:
    """A conflict with another file counts as a finding, a missing file before does not."""
    verdicts = (
        (Verdict("a", clean), "clean", 0),
        (Verdict("a", clean, notes=(MISSING,)), "clean", 0),
        (Verdict("a", clean, notes=(CONFLICT,)), "findings", 1),
        (Verdict("a", faulty), "findings", 1),
        (Verdict("a", failure=FAILURE), "none", 2),
        (Verdict("a", failure=FAILURE, notes=(CONFLICT,)), "none", 2),
    )
    assert [(v.word, v.status) for v, _, _ in verdicts] == [(w, s) for _, w, s in verdicts]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_clean_log_takes_one_line(clean: Report, lang: str) -> None:
    """Its path and the verdict."""
    assert verdict_text(Verdict("a", clean), lang) == f"a: {text(lang, 'verdict.clean')}"


def test_findings_are_numbered_in_log_order(faulty: Report) -> None:
    """Two findings stand under one another as the report has them."""
    (finding,) = faulty.findings
    later = replace(finding, event=99, rule="dagong-6.3")
    said = verdict_text(Verdict("a", replace(faulty, findings=(finding, later))), "en")
    assert "a: findings: 2\n  1. hand 0" in said
    assert said.index("dagong-5.1") < said.index("  2. hand 0")
    assert "event 99" in said


@pytest.mark.parametrize("more", [0, 1, 3000])
def test_findings_beyond_the_most_are_counted_and_not_listed(more: int) -> None:
    """The report keeps the first in log order; verdict, status and total count them all."""
    forge = Forge()
    for _ in range(MOST_FINDINGS + more):
        forge.gap(0)
    report = verify(open_log(io.BytesIO(forge.data)))
    assert (len(report.findings), report.unlisted) == (MOST_FINDINGS, more)
    verdict = Verdict("a", report)
    assert (verdict.n_findings, verdict.word, verdict.status) == (
        MOST_FINDINGS + more,
        "findings",
        1,
    )
    for lang in ("zh", "en"):
        lines = verdict_text(verdict, lang).splitlines()
        assert text(lang, "verdict.findings", n=MOST_FINDINGS + more) in lines[0]
        assert sum("[" in line for line in lines) == MOST_FINDINGS
        told = f"  {text(lang, 'verdict.unlisted', n=more)}" in lines
        assert told == (more > 0)
    assert json.loads(verdicts_json([verdict]))[0]["report"]["unlisted"] == more


def test_what_is_said_of_the_whole_file_is_always_listed() -> None:
    """A leaf that is not in the log is a finding of its own, however many stand before it."""
    forge = Forge()
    for _ in range(MOST_FINDINGS + 7):
        forge.gap(0)
    report = verify(open_log(io.BytesIO(forge.data)), head=bytes(32))
    assert (report.findings[-1].rule, report.unlisted) == ("format.head_leaf", 7)


def test_a_run_of_millions_of_bad_lines_costs_one_finding() -> None:
    """However long the log, memory stays what one hand takes."""
    line = TEXT.read_bytes().split(b"\n")[0] + b"\n"
    data = line + b"\n" * 300_000
    tracemalloc.start()
    report = verify(open_log(io.BytesIO(data)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    (finding,) = report.findings
    assert (finding.rule, report.unlisted) == ("format.not_json", 0)
    assert "299999 more lines" in finding.logged
    assert peak < 8_000_000


def test_a_seat_is_named_where_names_are_known(faulty: Report) -> None:
    """With players the number and the name, without them the number."""
    assert "seat 0 (甲): dagong-5.1" in verdict_text(Verdict("a", faulty, players=NAMES), "en")
    assert "seat 0: dagong-5.1" in verdict_text(Verdict("a", faulty), "en")
    assert "0号位（甲）: dagong-5.1" in verdict_text(Verdict("a", faulty, players=NAMES), "zh")


def test_a_name_cannot_turn_the_line_around(faulty: Report) -> None:
    """Marks that change the writing direction are written out."""
    said = verdict_text(Verdict("a", faulty, players=("\u202eevil", *NAMES[1:])), "en")
    assert "\u202e" not in said
    assert "(\\u202eevil)" in said


def test_a_path_cannot_add_lines(clean: Report) -> None:
    """A line feed in a file's name does not make a verdict of its own."""
    said = verdict_text(Verdict("a: no findings\nb", clean), "en")
    assert said == "a: no findings\\u000ab: no findings"


def test_what_a_sentence_says_is_not_said_again() -> None:
    """Expected and logged stand on lines of their own only where the sentence lacks them."""
    finding = Finding(
        kind="breach",
        hand=0,
        hand_id=None,
        trick=None,
        event=None,
        offset=None,
        seat=None,
        rule="dagong-5.1",
        zh="应为 5h",
        en="expected 5h",
        expected="5h",
        logged="Kd",
        proof="",
    )
    said = verdict_text(Verdict("a", replace(_report(TEXT), findings=(finding,))), "zh")
    assert f"{text('zh', 'cli.logged')}: Kd" in said
    assert f"{text('zh', 'cli.expected')}: 5h" not in said


def test_what_was_not_checked_stands_with_the_file(clean: Report) -> None:
    """Unverified facts, openings, skipped frames and a hand in progress, each if there are any."""
    gaps = {"unverified": 3, "openings_unchecked": 2, "skipped": 1}
    said = verdict_text(Verdict("a", replace(clean, in_progress=True, **gaps)), "en")
    lines = [text("en", f"verdict.{word}", n=n) for word, n in gaps.items()]
    assert said.splitlines()[1:] == [f"  {x}" for x in (*lines, text("en", "verdict.in_progress"))]


def test_notes_stand_with_the_file(clean: Report) -> None:
    """In the language that was asked for."""
    verdict = Verdict("a", clean, notes=(CONFLICT, MISSING))
    assert verdict_text(verdict, "zh").splitlines()[1:] == ["  * 两份不同", "  * 没有前一份"]
    assert "  * two copies differ" in verdict_text(verdict, "en")


def test_hands_of_a_file_with_a_bad_head_are_listed() -> None:
    """With byte, sizes, id, and whether their bytes are those that were hashed."""
    seen = tuple(HandSeen(k, 100 + k, 7, 300, bytes([k]) * 32, k == 0) for k in range(2))
    said = verdict_text(Verdict("a", failure=replace(FAILURE, hands_seen=seen)), "en")
    _, title, first, second = said.splitlines()
    assert "2" in title
    assert "hand 0: byte 100, 7 events, 300 bytes, id 0000000000000000, undamaged" in first
    assert "id 0101010101010101, its bytes do not match" in second


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_totals_add_up(clean: Report, faulty: Report, lang: str) -> None:
    """Counts are sums over all files, and what cannot be checked stands once."""
    verdicts = [Verdict("a", clean), Verdict("b", faulty), Verdict("c", failure=FAILURE)]
    first, counts, *unchecked = totals_text(verdicts, lang).splitlines()
    said = text(lang, "cli.verify.files", n=3, clean=1, findings=1, none=1)
    assert first == said
    assert text(lang, "verdict.hands", n=clean.hands + faulty.hands) in counts
    assert text(lang, "verdict.facts", n=clean.facts + faulty.facts) in counts
    assert len(unchecked) == 1 + len(clean.unchecked)
    assert totals_text([Verdict("c", failure=FAILURE)], lang) == ""


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_log_is_named_by_what_identifies_it(clean: Report, lang: str) -> None:
    """File id, last leaf, claims level, and the rule book and version it was judged by."""
    said = about_text(clean, lang)
    for value in (clean.file_id, clean.last_leaf, clean.rules_version, clean.engine):
        assert value in said
    assert text(lang, "cli.claims_level.full") in said


def test_json_has_no_bytes_and_keeps_the_order(clean: Report) -> None:
    """Structs become objects in field order, bytes hex, tuples arrays."""
    assert builtins((b"\x01\xff", {"a": MISSING})) == ["01ff", {"a": builtins(MISSING)}]
    assert list(builtins(clean)) == [*Report.__struct_fields__]
    assert json_text({"名": "甲"}) == '{\n  "名": "甲"\n}'


def test_json_is_one_array_of_files(clean: Report) -> None:
    """Each with its path and verdict, and a report or an error."""
    found = json.loads(
        verdicts_json([Verdict("a", clean), Verdict("b", failure=FAILURE, notes=(MISSING,))])
    )
    assert [list(one) for one in found] == [
        ["path", "verdict", "report", "notes"],
        ["path", "verdict", "error", "notes"],
    ]
    assert found[1]["notes"][0]["kind"] == "previous_missing"


def test_a_report_is_the_same_every_time() -> None:
    """Byte for byte, text and JSON."""
    once, again = Verdict("a", _report(MATCH)), Verdict("a", _report(MATCH))
    assert verdicts_json([once]) == verdicts_json([again])
    assert totals_text([once], "zh") == totals_text([again], "zh")
