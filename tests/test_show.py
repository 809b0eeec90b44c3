"""`paipu show`: hand histories that players read, in Chinese and English."""

import io
import re
from pathlib import Path

import pytest

from replay.commands.show import histories
from replay.messages import text
from replay.verify import HandResult, verified_hands
from replay.wording import Words, columns, plain, width
from schema.events import Played, TrickWon
from schema.logfile import open_log
from schema.seal import write_live
from tests.shelled import BROKEN, CLEAN, IN_PROGRESS, LOWER_SINGLE, MATCH, SAMPLES, TEXT, paipu

SOLO = CLEAN / "solo-lost.paipu.jsonl"
BANG = CLEAN / "bang.paipu.jsonl"
BONUS = CLEAN / "tianzha.paipu.jsonl"
TRUSTEE = CLEAN / "trustee.paipu.jsonl"
BLOCKED = BROKEN / "dagong-1.4--card-of-another-seat.paipu.jsonl"
NO_CLAIMS = CLEAN / "claims-none.paipu.jsonl"


def _results(log: Path) -> list[HandResult]:
    with log.open("rb") as stream:
        return [item for item in verified_hands(open_log(stream)) if isinstance(item, HandResult)]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_play_stands_under_its_trick(lang: str) -> None:
    """The tricks are numbered from 1, and each holds the plays that belong to it, in order."""
    out = paipu("show", TEXT, "--lang", lang).out
    words = Words(lang, "甲乙丙丁")
    (result,) = _results(TEXT)
    numbers = sorted({step.trick for step in result.steps} - {0})
    titles = [text(lang, "cli.trick", n=n) for n in numbers]
    parts = re.split(f"^(?:{'|'.join(titles)})$", out, flags=re.MULTILINE)[1:]
    assert len(parts) == len(numbers)
    for number, part in zip(numbers, parts, strict=True):
        wanted = [
            (words.seat(step.event.seat), words.cards(step.event.cards))
            for step in result.steps
            if step.trick == number and isinstance(step.event, Played)
        ]
        shown = re.findall(r"^  (.): (.*)$", part, re.MULTILINE)
        plays = [(name, said) for name, said in shown if said != text(lang, "play.pass")]
        assert [name for name, _ in plays] == [name for name, _ in wanted]
        assert all(
            said.endswith(cards) for (_, said), (_, cards) in zip(plays, wanted, strict=True)
        )


def test_a_chinese_history_speaks_as_players_do() -> None:
    """Players by name, plays by their types, cards with suits and 10, places and 分."""
    out = paipu("show", BANG, "--lang", "zh").out
    for said in ("打拱，第 0 局，", "庄家的对家", "叫牌 ", "不出", "一游", "二游", "结果：绑"):
        assert said in out
    assert re.search(r"^  [甲乙丙丁]: 对\S+  \S+ \S+$", out, re.MULTILINE)
    assert re.search(r"^  → .赢得这一轮，\d+ 分$", out, re.MULTILINE)
    assert "10♥" in out
    assert not re.search(r"\bT[dchs]\b|[{}]", out)


def test_holdings_are_sorted_from_big_to_small() -> None:
    """Jokers first, then 2 A K … 3, as dealt: 27 cards a seat."""
    lines = re.findall(r"^  \d号位  .*?((?:\S*[♠♥♣♦王]\S* ?){27})$", _zh(TEXT), re.MULTILINE)
    order = ["大王", "小王", "2", *"AKQJ", "10", *"9876543"]
    assert len(lines) == 4
    for line in lines:
        ranks = [order.index(card.strip("♠♥♣♦")) for card in line.split()]
        assert len(ranks) == 27
        assert ranks == sorted(ranks)


def _zh(log: Path) -> str:
    return paipu("show", log, "--lang", "zh").out


def test_the_settlement_is_told_seat_by_seat() -> None:
    """Base times fan, who won, and every seat's place, points, coins and balance."""
    out = paipu("show", TEXT, "--lang", "en").out
    (result,) = _results(TEXT)
    state = result.steps[-1].state
    assert state is not None
    facts = result.game.summary(state)
    assert f"base 1 × fan {facts.fan} = {facts.fan}" in out
    for seat, name in enumerate("甲乙丙丁"):
        known = facts.seats[seat]
        cells = (known.captured, known.final, f"{known.delta:+}", known.balance_after)
        values = r"\s+".join(re.escape(str(cell)) for cell in cells)
        assert re.search(rf"^  {name}  .*{values}$", out, re.MULTILINE)


def test_a_bonus_has_its_column() -> None:
    """Only where somebody was dealt one."""
    assert text("en", "cli.history.column.bonus") in paipu("show", BONUS).out
    assert text("en", "cli.history.column.bonus") not in paipu("show", TEXT).out


def test_a_solo_hand_has_a_soloist_and_no_points() -> None:
    """硬牌: one against three, and nobody captures anything."""
    out = _zh(SOLO)
    assert "是否硬牌：要" in out
    assert "结果：硬牌负" in out
    assert text("zh", "cli.history.column.captured") not in out


def test_who_played_for_a_player_is_said() -> None:
    """托管 and time-outs stand behind the play."""
    assert re.search(r"^  .: .* \[托管\]$", _zh(TRUSTEE), re.MULTILINE)


def test_findings_stand_under_their_event() -> None:
    """The line of the play, then the finding on it."""
    out = paipu("show", LOWER_SINGLE).out
    lines = out.splitlines()
    (place,) = (k for k, line in enumerate(lines) if line.startswith("    !! dagong-5.1 "))
    (result,) = _results(LOWER_SINGLE)
    (finding,) = result.findings
    played = result.steps[finding.event or 0].event
    assert isinstance(played, Played)
    assert finding.en in lines[place]
    assert lines[place - 1].startswith(f"  {'甲乙丙丁'[played.seat]}: ")
    assert lines[place - 1].endswith(Words("en").cards(played.cards))


def test_a_hand_that_blocks_has_no_settlement() -> None:
    """What follows is shown as logged, and said not to be verified."""
    out = paipu("show", BLOCKED).out
    assert "!! dagong-1.4" in out
    assert out.rstrip().endswith(text("en", "cli.history.unverified"))
    assert "Result" not in out


def test_what_a_log_leaves_out_is_derived() -> None:
    """A log that claims nothing tells its tricks and its result like one that claims all."""
    (result,) = _results(NO_CLAIMS)
    assert not any(isinstance(step.event, TrickWon) for step in result.steps)
    out = _zh(NO_CLAIMS)
    assert "赢得这一轮" in out
    assert "结果：" in out


def test_house_rules_that_differ_are_told() -> None:
    """The base always; of the others those that are not the preset's."""
    plain_table = paipu("show", TEXT).out.splitlines()[2]
    free = paipu("show", CLEAN / "option-free-solo.paipu.jsonl").out.splitlines()[2]
    assert text("en", "option.base") in plain_table
    assert text("en", "option.solo_order") not in plain_table
    assert text("en", "option.solo_order.free") in free


def test_all_hands_or_the_one_that_is_asked_for() -> None:
    """One of the hands of a match is the same as among all of them."""
    with MATCH.open("rb") as stream:
        every = list(histories(open_log(stream), str(MATCH), "zh"))
    assert len(every) > 1
    for index, told in enumerate(every):
        assert paipu("show", MATCH, "--hand", index, "--lang", "zh").out == told + "\n"
    assert _zh(MATCH) == "\n\n".join(every) + "\n"


def test_a_hand_that_is_not_there_is_said() -> None:
    """With the number of hands that are."""
    done = paipu("show", TEXT, "--hand", 7)
    assert done.status == 2
    assert done.err == f"paipu: {text('en', 'cli.problem.no_hand', hand=7, path=TEXT, last=0)}\n"


def test_a_hand_in_progress_is_not_shown() -> None:
    """A live log holds every card of it."""
    out = paipu("show", IN_PROGRESS).out
    assert out.rstrip().splitlines()[-1].startswith("hand 1 is in progress")
    assert out.count(text("en", "cli.history.result", result="")) == 1


def test_forms_of_a_log_tell_the_same() -> None:
    """Sealed and live, from a file and from standard input."""
    live = io.BytesIO()
    with MATCH.open("rb") as stream:
        write_live(open_log(stream), live)
    piped = paipu("show", "-", stdin=live.getvalue())
    assert piped.out.replace("file -", f"file {MATCH}") == paipu("show", MATCH).out


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_sample_can_be_shown(lang: str) -> None:
    """Broken hands too: no sentence is missing and no slot is left open."""
    for log in sorted(SAMPLES.rglob("*.paipu*")):
        done = paipu("show", log, "--lang", lang)
        assert done.status == (2 if done.err else 0), log
        told = [line for line in done.out.splitlines() if "!! format." not in line]
        assert not re.search(r"[{}]|\bNone\b", "\n".join(told)), log


# Columns


def test_columns_count_wide_characters_twice() -> None:
    """What stands below one another does so in a terminal."""
    assert [width("牌"), width("e\u0301"), width("♠")] == [2, 1, 1]
    assert columns([("牌", "1"), ("ab", "22"), ("", "3")], right=(1,)) == [
        "牌   1",
        "ab  22",
        "     3",
    ]


def test_only_what_moves_text_is_written_out() -> None:
    """Names keep everything that people write."""
    assert plain("José 👩‍👩‍👧 名") == "José 👩‍👩‍👧 名"
    assert plain("a\u2067b\x1bc\u2028") == "a\\u2067b\\u001bc\\u2028"
