"""How a hand of 炒地皮 is told: history, explain, boards, settlement sheet, chart."""

from pathlib import Path
from typing import Any

import pytest

from replay.engine.board import Board, Phrase
from replay.engine.chaodipi.states import Over
from replay.explain import explained
from replay.position import Act, position
from replay.reader import HandQuery, open_reader
from replay.reader.handpage import walked
from replay.reader.moments import moments
from replay.reader.sheet import sheet
from replay.verify import HandResult
from replay.wording import Words
from schema.cards import cards_text, parse_cards
from schema.chaodipi import Buried, ChaodipiSettled, Declared, Stirred
from schema.events import Played
from schema.schemas import SCHEMAS
from tests import chaodipi_hand, chaodipi_logs
from tests.shelled import paipu
from webviewer import create_app
from webviewer.charts import by_trick
from webviewer.words import Words as PageWords

SHOWN = """\
  → 甲亮出 2♦，主：方片
  → 亮主结束
  → 定主：方片，1级
  → 甲取走底牌：小王 3♦ 3♦ 4♦ 4♦ 6♦ 6♦ 7♦
  → 甲扣下 小王 3♦ 3♦ 4♦ 4♦ 6♦ 6♦ 5♦
  → 乙用 2♠ 2♠ 抄底牌，主：黑桃
  → 定主：黑桃，5级
  → 乙取走底牌：小王 3♦ 3♦ 4♦ 4♦ 6♦ 6♦ 5♦
  → 乙扣下 小王 3♦ 3♦ 4♦ 4♦ 6♦ 5♦ 8♦
  → 丙不抄底牌
  → 丁不抄底牌
  → 甲不抄底牌

第 1 轮
  乙: 梅花甩牌（3张）  8♣ 8♣ K♣
  → 甩牌不成立，甲、丙、丁大得过：出 8♣ 8♣
  丙: 梅花对子  9♣ 9♣
  丁: 梅花2张  3♣ 4♣
  甲: 梅花对子  5♣ 5♣
  → 丙赢得这一轮，10 分
"""
"""What `paipu show` prints of the hand from its first show to its first trick."""


@pytest.fixture(scope="module")
def hand() -> HandResult:
    """The hand whose deck is known."""
    return chaodipi_hand.walked()


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The logs of a few matches."""
    return chaodipi_logs.matches(tmp_path_factory.mktemp("matches"))


def boards(result: HandResult, eye: int | None = None) -> list[Board]:
    """The board after every event."""
    return [moment.board for moment in moments(result, (), eye) if moment.board is not None]


def after(result: HandResult, kind: type[Any], number: int = 0, eye: int | None = None) -> Board:
    """The board after an event of a kind."""
    board = moments(result, (), eye)[chaodipi_hand.event_of(result, kind, number)].board
    assert board is not None
    return board


def test_the_history_of_a_hand(tmp_path: Path) -> None:
    """Levels, shows with the trump that they make, burials, a throw that fails, answers."""
    path = tmp_path / "hand.paipu"
    path.write_bytes(chaodipi_hand.log())
    out = paipu("show", path, "--hand", "0", "--lang", "zh").out
    assert SHOWN in out
    assert "打 2（甲、丙：2，乙、丁：2）" in out


def test_the_history_tells_the_settlement(logs: list[Path]) -> None:
    """Every line of the sheet, the levels before and after."""
    out = paipu("show", logs[0], "--hand", "0", "--lang", "zh").out
    (settled,) = (
        e for e in chaodipi_logs.hands(logs[0])[0].events if isinstance(e, ChaodipiSettled)
    )
    said = out[out.index("结果：") :]
    for name, value in (("上台所需", 80), ("抓分方总分", settled.score)):
        assert any(name in line and line.endswith(f" {value}") for line in said.splitlines())
    assert said.count(" → ") == 4


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_what_a_holding_owes_is_told_with_its_cards(hand: HandResult, lang: str) -> None:
    """A pair of hearts is led: seat 3 owes one, out of kings and aces; and only seat 3 is told."""
    answer = chaodipi_hand.event_of(hand, Played, 5)
    words = Words(lang, ["甲", "乙", "丙", "丁"])
    found = explained(hand, answer, words)
    assert "A♥ A♥ K♥ K♥" in found.obligations[1]
    for eye in range(4):
        board = position(hand, answer, None, eye).board
        assert board is not None
        assert len(board.prompt.obligations) == (2 if eye == 3 else 1)


def test_a_sample_of_the_answers_says_that_it_is_one(hand: HandResult) -> None:
    """Answers with two cards are a sample, those to a single card are all there are."""
    words = Words("en", ["甲", "乙", "丙", "丁"])
    assert explained(hand, chaodipi_hand.event_of(hand, Played, 5), words).is_sample
    to_single = len(hand.steps) - 1
    found = explained(hand, to_single, words)
    assert not found.is_sample
    assert {each.cards for group in found.plays for each in group.sets} == {"4h"}


def test_a_holding_is_told_by_suits_with_the_trumps_first(hand: HandResult) -> None:
    """In the game's order: 红桃5, jokers and level cards lead, each suit stands apart."""
    found = explained(hand, chaodipi_hand.event_of(hand, Played, 5), Words("en", list("abcd")))
    held = found.holding.split()
    assert held[:5] == ["5h", "Rj", "Rj", "Bj", "2h"]
    assert sum(found.groups) == len(held) == 23
    trumps = found.groups[0]
    assert {card for card in held if card[0] in "2jR" or card == "5h"} < set(held[:trumps])
    assert {card[1] for card in held[trumps:]} == set("hcd")


@pytest.mark.parametrize(
    ("cards", "rule"),
    [
        ("Kh Kh", None),
        ("Jh Kh", "8.4"),
        ("3c 4c", "1.7"),
        ("Ad Ad", "8.2"),
    ],
)
def test_cards_that_are_asked_about(hand: HandResult, cards: str, rule: str | None) -> None:
    """A pair is owed, out of the suit that was led."""
    event = chaodipi_hand.event_of(hand, Played, 5)
    asked = position(hand, event, Act(parse_cards(cards))).asked
    assert asked is not None
    found = [finding.rule for finding in asked.findings]
    assert found == ([] if rule is None else [f"chaodipi-{rule}"])


def test_a_burial_and_a_stir_can_be_asked_about(hand: HandResult) -> None:
    """Eight cards are buried; who stirs shows a pair of a higher rung, or passes."""
    burial = chaodipi_hand.event_of(hand, Buried)
    good = position(hand, burial, Act(parse_cards(chaodipi_hand.BURIED))).asked
    short = position(hand, burial, Act(parse_cards("3d 3d"))).asked
    assert good is not None
    assert short is not None
    assert (good.label, good.findings) == (Phrase("act.bury"), ())
    assert [finding.rule for finding in short.findings] == ["chaodipi-5.1"]
    stir = chaodipi_hand.event_of(hand, Stirred)
    shown = position(hand, stir, Act(parse_cards("2s 2s"))).asked
    passed = position(hand, stir, Act(b"")).asked
    assert shown is not None
    assert passed is not None
    assert (shown.label, shown.findings) == (Phrase("act.show_spades"), ())
    assert (passed.label, passed.findings) == (Phrase("act.stir_pass"), ())


def test_every_listed_act_is_legal(logs: list[Path]) -> None:
    """Whatever is listed at any step of a hand can be done there."""
    result = chaodipi_logs.found(logs, chaodipi_logs.stirred_twice)
    for event, step in enumerate(result.steps):
        if step.before is None:
            continue
        for fact in list(result.game.plays(step.before))[:3]:
            breaches: list[Any] = []
            result.game.apply(step.before, fact, breaches)
            assert breaches == [], event


def test_the_board_tells_shows_levels_and_goal(hand: HandResult) -> None:
    """Two shows, both sides on 2, trump spades, and what the attackers have of their 80 points."""
    board = boards(hand)[-1]
    assert [(show.seat, cards_text(show.cards)) for show in board.shows] == [
        (0, "2d"),
        (1, "2s 2s"),
    ]
    assert board.trump == Phrase("trump.spades", (("suit", "s"),))
    assert [(track.at, track.team) for track in board.tracks] == [(0, 1), (0, 0)]
    assert board.goal is not None
    assert (board.goal.value, board.goal.target) == (10, 80)


def test_a_failed_throw_stands_on_the_board(hand: HandResult) -> None:
    """What was laid and who beats it, as long as the trick lasts; what is led lies on the table."""
    board = after(hand, Played)
    assert board.attempt is not None
    assert board.attempt.cards == parse_cards(chaodipi_hand.THROWN)
    assert board.attempt.beaten_by == (0, 2, 3)
    assert [laid.cards for laid in board.table] == [parse_cards(chaodipi_hand.LED)]
    assert board.leading == 1
    assert after(hand, Played, 1).leading == 2
    assert after(hand, Played, 4).attempt is None


def test_groups_are_told_with_the_cards_alone(hand: HandResult) -> None:
    """Who does not see a holding does not see how many trumps are in it."""
    for board in boards(hand, eye=2):
        for seat in board.seats:
            assert (seat.cards is None) == (seat.seat != 2)
            if seat.cards is None:
                assert seat.groups == ()
            elif seat.cards:
                assert sum(seat.groups) == len(seat.cards)


def test_the_sheet_adds_up(logs: list[Path]) -> None:
    """Points in tricks, bottom by its factor and failed throws make the score, in every hand."""
    schema = SCHEMAS["chaodipi/1"]
    for path in logs:
        head = chaodipi_logs.log(path).head
        for hand in chaodipi_logs.hands(path):
            result = walked(chaodipi_logs.log(path), hand)
            state = result.steps[-1].state
            assert isinstance(state, Over)
            lines = {line.name: line for line in sheet(result, schema, head.options)}

            def number(name: str, lines: dict[str, Any] = lines) -> Any:
                return lines[name].cells[0].value

            assert number("view.sheet.bottom_counts") == number("field.bottom") * number(
                "field.factor"
            )
            parts = ("field.tricks", "view.sheet.bottom_counts", "field.penalty")
            assert sum(map(number, parts)) == number("field.score")
            taken = number("field.result") == Phrase("result.taken")
            needs_points = number("field.effect") != Phrase("effect.last_wsk")
            if needs_points:
                assert taken == (number("field.score") >= number("view.sheet.needed"))
            for cell in lines["field.tricks"].cells:
                assert all(result.steps[event].due for event in cell.events)
            assert len(lines["view.sheet.levels"].cells) == 4


def test_the_chart_has_the_points_and_the_line_to_reach(logs: list[Path]) -> None:
    """The attackers' points as they grow, and 80, or 100 in 扛旗."""
    reader = open_reader(logs[0])
    for row in reader.hands(HandQuery(size=200)).rows:
        found = reader.hand(row.hand_id, None)
        figure = by_trick(found, PageWords("zh"))
        assert figure is not None
        *seats, goal = figure["data"]
        assert len(seats) == 4
        last = found.moments[-1].board
        assert last is not None
        assert last.goal is not None
        assert goal["y"][-1] == last.goal.value
        assert figure["layout"]["shapes"][0]["y0"] == last.goal.target


def test_the_panel_tells_whose_shows_are_listed(tmp_path: Path) -> None:
    """While declaring several seats may act: each set of cards has its seat, for its own eye."""
    path = tmp_path / "hand.paipu"
    path.write_bytes(chaodipi_hand.log())
    reader = open_reader(path)
    (row,) = reader.hands(HandQuery()).rows
    client = create_app(reader).test_client()
    event = chaodipi_hand.event_of(chaodipi_hand.walked(), Declared)
    for eye, seats in (("", {0, 1, 3}), ("3", {3}), ("2", set())):
        found = client.get(f"/hand/{row.hand_id}/explain.json?event={event}&eye={eye}").json
        assert found is not None
        assert {each["s"] for group in found["plays"] for each in group["sets"]} == seats
        assert found["hidden"] == (eye == "2")


def test_a_passed_flag_hand_leaves_its_level_on_the_ladder(logs: list[Path]) -> None:
    """The match is over: the ladder shows 扛旗, not where the next match begins."""
    result = chaodipi_logs.found(logs, chaodipi_logs.match_won)
    state = result.steps[-1].state
    assert state is not None
    facts, board = result.game.summary(state), result.game.view(state, None)
    winners = facts.winners[0] % 2
    track = board.tracks[winners]
    assert track.steps[track.at] == "track.level_F"
    assert board.bottom is None
