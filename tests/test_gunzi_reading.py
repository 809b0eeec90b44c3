"""How a hand of 四副滚子 is told: history, explain, boards, settlement sheet, chart, JSON."""

import random
import re
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from replay.engine.board import Board, Moved, Phrase
from replay.engine.gunzi.presets import DEFAULT, FIRST_CARRY
from replay.explain import explained, explained_text
from replay.messages import text
from replay.position import Act, NobodyPlays, position
from replay.reader import HandQuery, open_reader
from replay.reader.moments import moments
from replay.verify import HandResult
from replay.wording import Words
from schema.cards import cards_text, parse_cards
from schema.events import By, Event, Played
from schema.gunzi import (
    BottomShown,
    Buried,
    Declared,
    Drawn,
    Flipped,
    JokersBuried,
    TributePaid,
    TributeReturned,
    TrumpSet,
)
from tests import builders, builders_gunzi, gunzi_hand
from tests.gunzi_hand import event_of
from tests.shelled import paipu
from webviewer import create_app
from webviewer.charts import by_trick
from webviewer.words import Words as PageWords

NAMES = ["甲", "乙", "丙", "丁"]
SHOWN = {
    "jokers": """\
  → 丙亮出 5♣，主：梅花
  → 甲亮出 5♥ 5♥，主：红桃
  → 亮主结束
  → 定主：红桃，甲坐庄
  → 丁进贡 大王 2♥ 2♥
  → 甲还贡 2♥ 3♦ 3♦
  → 底牌是 3♥ 7♣ K♦ 9♦ 4♠ 小王
  → 甲扣下 大王 4♦ 4♦ 6♦ K♦ 10♦
  → 有王扣下，公开底牌 4♦ 4♦ 6♦ 10♦ K♦ 大王
  → 乙扣下 大王，捡走 4♦
  → 有王扣下，公开底牌 4♦ 6♦ 10♦ K♦ 大王 大王
  → 丙不扣王
  → 丁不扣王

第 1 轮
  甲: 主牌棒子  5♥ 5♥
  乙: 主牌棒子  小王 小王
  丙: 主牌2张  大王 5♣
""",
    "dry": "  → 公开底牌 5♦ 2♠ 小王 K♣ 9♦ 9♠：干锅\n",
    "flipped": """\
  → 甲翻开 7♣
  → 乙翻开 小王
  → 乙翻开 3♥
  → 丙翻开 K♦
  → 丁翻开 4♠
  → 定主：红桃，乙坐庄
""",
    "drawn": """\
  → 从底牌中抽出 小王
  → 从底牌中抽出 K♦
  → 定主：方片，甲坐庄
""",
}
"""What `paipu show` prints of each hand."""


@cache
def hand(name: str) -> HandResult:
    """One of the hands whose deck is known."""
    return gunzi_hand.walked(name)


def board_after(name: str, kind: type[Event], number: int = 0, eye: int | None = None) -> Board:
    """The board after an event of a kind."""
    result = hand(name)
    board = moments(result, (), eye)[event_of(result, kind, number)].board
    assert board is not None
    return board


def path_of(folder: Path, name: str) -> Path:
    """The log of one of the hands."""
    path = folder / f"{name}.paipu"
    path.write_bytes(gunzi_hand.log(name))
    return path


@pytest.mark.parametrize("name", SHOWN)
def test_the_history_of_a_hand(tmp_path: Path, name: str) -> None:
    """Shows, cards turned up, tribute both ways, bottoms, burials, picks, plays."""
    out = paipu("show", path_of(tmp_path, name), "--lang", "zh").out
    assert SHOWN[name] in out


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_history_says_what_is_owed(tmp_path: Path, lang: str) -> None:
    """Above the holdings: so many for the score, so many for jokers; nothing where nothing is."""
    told = text(lang, "cli.history.owed", n=3, score=2, jokers=1)
    assert told in paipu("show", path_of(tmp_path, "jokers"), "--lang", lang).out
    owed = text(lang, "cli.history.owed", n=0, score=0, jokers=0)
    assert owed not in paipu("show", path_of(tmp_path, "drawn"), "--lang", lang).out


def test_six_jokers_are_told_and_the_hand_is_dealt_anew() -> None:
    """Five flips have their card; the sixth is a joker as the new deal says."""
    rest = [c for c in gunzi_hand.deck() if c < 52]
    deck = bytes(rest) + b"444555"
    facts = [
        replace(gunzi_hand.FACTS["flipped"][1][0], cards=deck),
        gunzi_hand.FACTS["flipped"][1][1],
        *(Flipped(0, By.PLAYER, 0, place) for place in range(6)),
    ]
    result = gunzi_hand.walk(gunzi_hand.events_of(FIRST_CARRY, facts))
    keys = [moment.label.key for moment in moments(result, (), None)][-7:]
    assert keys == ["event.flipped_card"] * 5 + ["event.flipped", "event.redealt"]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_position_can_be_told(lang: str) -> None:
    """Before every event of every hand there is a text, without a key for want of a sentence."""
    words = Words(lang, NAMES)
    for name in gunzi_hand.FACTS:
        result = hand(name)
        for event in range(len(result.steps) + 1):
            told = explained_text(explained(result, event, words), words)
            assert not re.search(r"\b(ask|obligation|act|event|trump|play|phase)\.[a-z]", told)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_tribute_is_explained(lang: str) -> None:
    """How many, what for, and the largest cards that the payer has; all right payments."""
    words = Words(lang, NAMES)
    found = explained(hand("jokers"), event_of(hand("jokers"), TributePaid), words)
    assert found.obligations == (
        text(lang, "obligation.tribute", n=3, score=2, jokers=1),
        text(lang, "obligation.largest", cards=words.cards(parse_cards("Rj 2h 2h"))),
    )
    (group,) = found.plays
    assert (group.name, [each.cards for each in group.sets]) == (
        text(lang, "act.tribute"),
        ["2h 2h Rj"],
    )
    assert not found.is_sample


def test_fewer_cards_than_are_due_are_told() -> None:
    """gunzi-9.8: the payer is told what lapses; nobody else is told how many he can pay."""
    carry = replace(gunzi_hand.OWED, due_for_score=20, due_for_jokers=20)
    facts = gunzi_hand.FACTS["jokers"][1][:4]
    result = gunzi_hand.walk([*gunzi_hand.events_of(carry, facts)])
    for eye in (None, 0, 1, 2, 3):
        board = position(result, len(result.steps), None, eye).board
        assert board is not None
        asked, *own = board.prompt.obligations
        assert dict(asked.slots)["n"] == 40
        keys = [each.key for each in own]
        assert keys == (["obligation.largest", "obligation.lapses"] if eye in (None, 3) else [])


@pytest.mark.parametrize(
    ("kind", "cards", "label", "rules"),
    [
        (TributePaid, "Rj 2h 2h", "act.tribute", []),
        (TributePaid, "2s 2h 2h", "act.tribute", ["9.5"]),
        (TributePaid, "Rj", "act.tribute", ["9.8"]),
        (TributeReturned, "3d 3d Td", "act.tribute_return", []),
        (TributeReturned, "3d 3d", "act.tribute_return", ["9.11"]),
        (Buried, gunzi_hand.BURIED, "act.bury", []),
        (Buried, "Bj 4d 4d 6d Kd Td", "act.bury", ["5.8"]),
        (Buried, "4d", "act.bury", ["5.6"]),
        (JokersBuried, "Rj Bj", "act.bury_jokers", []),
        (JokersBuried, "Bj", "act.bury_jokers", ["5.8"]),
        (JokersBuried, "9d", "act.bury_jokers", ["5.14"]),
        (JokersBuried, "", "act.bury_no_jokers", []),
    ],
)
def test_cards_can_be_asked_about_in_every_phase(
    kind: type[Event], cards: str, label: str, rules: list[str]
) -> None:
    """Tribute, return, burial and jokers, legal or with the clause that forbids them."""
    act = Act(parse_cards(cards))
    asked = position(hand("jokers"), event_of(hand("jokers"), kind), act).asked
    assert asked is not None
    assert asked.label == Phrase(label)
    assert [finding.rule.partition("-")[2] for finding in asked.findings] == rules


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_jokers_are_listed_with_what_is_picked_for_them(lang: str) -> None:
    """Jokers and picks stand together, and so they do in an answer."""
    words = Words(lang, NAMES)
    result = hand("jokers")
    found = explained(result, event_of(result, JokersBuried), words, Act(parse_cards("Rj Bj")))
    *_, group = found.plays
    assert [(each.cards, each.picked) for each in group.sets] == [
        ("Rj", "4d"),
        ("Rj Bj", "4d 4d"),
        ("Rj Bj Bj", "4d 4d 6d"),
    ]
    assert found.asked is not None
    assert (found.asked.is_legal, found.asked.picked) == (True, "4d 4d")
    told = explained_text(found, words)
    picks = text(lang, "cli.picked", cards=words.cards(parse_cards("4d 4d")))
    assert (
        told.count(text(lang, "cli.with", what=words.cards(parse_cards("Rj Bj")), more=picks)) == 2
    )


def test_too_many_jokers_are_told_by_what_can_be_picked() -> None:
    """Four cards can be picked of six: one is points for each joker that has none."""
    facts = gunzi_hand.FACTS["jokers"][1][:6]
    points = Buried(0, By.PLAYER, 0, parse_cards("Td Kd 5d 5d 5d 4d"))
    result = gunzi_hand.walk(gunzi_hand.events_of(gunzi_hand.OWED, [*facts, points]))
    asked = position(result, len(result.steps), Act(parse_cards("Rj Bj"))).asked
    assert asked is not None
    assert [finding.rule for finding in asked.findings] == ["gunzi-5.12"]


def test_where_nobody_plays_cards_cannot_be_asked_about() -> None:
    """A bottom card is drawn by nobody in particular; it is listed as an act without cards."""
    result = hand("drawn")
    event = event_of(result, Drawn)
    for eye in (None, 2):
        (group,) = position(result, event, None, eye).plays
        assert (group.type, group.sets) == ("act.draw_trump", ())
    with pytest.raises(NobodyPlays):
        position(result, event, Act(parse_cards("3d")))


def moved(source: int | None, target: int | None, cards: str, word: str) -> Moved:
    """Cards on their way, as the board has them."""
    codes = parse_cards(cards)
    return Moved(source, target, codes, len(codes), Phrase(f"move.{word}"))


def test_the_board_tells_what_has_changed_hands() -> None:
    """Tribute at its step, the return behind it; jokers into the bottom and picks out of it."""
    paid = moved(3, 0, gunzi_hand.PAID, "tribute")
    returned = moved(0, 3, gunzi_hand.RETURNED, "tribute_return")
    jokers, picked = moved(1, None, "Rj", "jokers"), moved(None, 1, "4d", "picked")
    assert board_after("jokers", TrumpSet).moves == ()
    assert board_after("jokers", TributePaid).moves == (paid,)
    assert board_after("jokers", Buried).moves == (paid, returned)
    assert board_after("jokers", Played, 4).moves == (paid, returned, jokers, picked)


def test_the_ladder_tells_what_is_due_until_it_is_paid() -> None:
    """So many in all, for the score, for jokers; gone once the dealer has returned."""
    names = ["hand_no", "tribute_due", "due_for_score", "due_for_jokers"]
    for kind, shown in ((Declared, 4), (TributePaid, 4), (TributeReturned, 1), (Played, 1)):
        ladder = board_after("jokers", kind).ladder
        assert [named.name.key for named in ladder] == [f"ladder.{n}" for n in names[:shown]]
        assert [named.value for named in ladder] == [5, 3, 2, 1][:shown]
    assert len(board_after("flipped", TrumpSet).ladder) == 1


def test_a_dry_bottom_is_labelled_and_stays() -> None:
    """It lies open, and nobody is asked to bury."""
    board = board_after("dry", BottomShown, eye=2)
    assert board.bottom is not None
    assert board.bottom.label == Phrase("bottom.dry")
    assert board.bottom.cards == parse_cards(gunzi_hand.DRY)
    assert (board.phase, board.prompt.seat) == ("phase.play", 0)


def test_turned_cards_of_a_hidden_bottom_stand_there() -> None:
    """In the order of turning; of flips also who made them, and which one won."""
    for number, turned in enumerate(("7c", "7c Bj", "7c Bj 3h")):
        bottom = board_after("flipped", Flipped, number, eye=3).bottom
        assert bottom is not None
        assert (bottom.cards, cards_text(bottom.turned)) == (None, turned)
    shows = board_after("flipped", TrumpSet).shows
    flips = [(show.seat, cards_text(show.cards), show.label.key) for show in shows]
    assert flips == [
        (0, "7c", "shown.flipped"),
        (1, "Bj", "shown.flipped"),
        (1, "3h", "shown.trump"),
        (2, "Kd", "shown.flipped"),
        (3, "4s", "shown.flipped"),
    ]


def test_the_tracks_of_both_sides_go_from_3_to_10() -> None:
    """Eight steps each, the dealer side at 5, the others at 3."""
    tracks = board_after("jokers", TrumpSet).tracks
    steps = tuple(f"track.level_{level}" for level in "3456789T")
    assert [(track.steps, track.at, track.team) for track in tracks] == [
        (steps, 2, 0),
        (steps, 0, 1),
    ]


def test_pages_of_whole_matches_have_every_word(tmp_path: Path) -> None:
    """Hand, steps, chart and positions of matches, in both languages, and nothing is missing."""
    for seed in (0, 1):
        style = builders_gunzi.Style(clump=0.3, below=0.2, buries=0.8)
        match = builders_gunzi.match(DEFAULT, 3, random.Random(seed), style)
        made = builders.live_log(match, replace(gunzi_hand.head(), file_id=bytes([seed] * 16)))
        (tmp_path / f"{seed}.paipu").write_bytes(made)
    reader = open_reader(tmp_path)
    client = create_app(reader).test_client()
    for row in reader.hands(HandQuery()).rows:
        for lang in ("zh", "en"):
            for page in ("", "/steps.json", "/steps.json?eye=1", "/explain.json?event=5"):
                join = "&" if "?" in page else "?"
                told = client.get(f"/hand/{row.hand_id}{page}{join}lang={lang}").text
                assert "⟨" not in told, (page, lang)


def test_the_chart_has_the_points_and_the_line_to_reach(tmp_path: Path) -> None:
    """The attackers' points as they grow, and 120."""
    match = builders_gunzi.match(DEFAULT, 2, random.Random(3))
    (tmp_path / "match.paipu").write_bytes(builders.live_log(match, gunzi_hand.head()))
    reader = open_reader(tmp_path)
    for row in reader.hands(HandQuery()).rows:
        found = reader.hand(row.hand_id, None)
        figure = by_trick(found, PageWords("zh"))
        assert figure is not None
        last = found.moments[-1].board
        assert last is not None
        assert last.goal is not None
        assert figure["data"][-1]["y"][-1] == last.goal.value
        assert figure["layout"]["shapes"][0]["y0"] == last.goal.target == 120
