"""Readings as they are told: of the act that was, of the act that is asked about, of both."""

from functools import partial
from pathlib import Path

import pytest

from replay.engine.chibi_dagun.game import ChibiDagun
from replay.engine.chibi_dagun.presets import DEFAULT
from replay.engine.climbing.states import Playing
from replay.engine.mechanics.seats import per_seat
from replay.engine.rule import Breach
from replay.explain import explained
from replay.findings import breach_text
from replay.position import Act
from replay.verify import HandResult, verified_hands
from replay.wording import Words
from schema.cards import parse_cards
from schema.events import By, Passed, Played, PlayedAs, PlayKind, PlayRank
from schema.logfile import open_log
from tests.builders import Table, playing

SAMPLES = Path(__file__).parent.parent / "sample_logs"
TWICE = "4s 4h 5s 5h Rj Bj"
HOLDINGS = (f"{TWICE} {TWICE} 9s", "Ks Kh", "Qs Qh", "As Ah")


def test_the_same_faces_asked_about_again_are_read_anew() -> None:
    """A seat that led six faces as 连对 has them once more: undeclared they are 飞机."""
    game = ChibiDagun()
    state = playing(game, DEFAULT, Table(per_seat(map(parse_cards, HOLDINGS))))
    cards = parse_cards(TWICE)
    first = PlayedAs(0, By.PLAYER, 0, cards, PlayKind.PAIR_CHAIN, PlayRank.FIVE)
    apply = partial(game.apply, breaches=[])
    led = apply(state, first)
    again = led
    for seat in (1, 2, 3):
        again = apply(again, Passed(0, By.PLAYER, seat))
    played = Played(0, By.PLAYER, 0, cards)
    assert game.label(led, first).key == "declared.pair_chain"
    assert game.label(game.asked(again), played).key == "play.triple_chain"
    assert game.label(apply(again, played), played).key == "play.triple_chain"


@pytest.mark.parametrize(
    ("kind", "rank", "cards", "zh", "en"),
    [
        (PlayKind.TIANZHA, PlayRank.THREE, "Bj Bj Rj Rj", "却报牌点 3", "of rank 3"),
        (PlayKind.WSK_PURE, PlayRank.TEN, "5s Ts Ks", "正五十K，却报牌点 10", "of rank 10"),
        (PlayKind.PAIR_CHAIN, PlayRank.NONE, "4s 4h 5s 5h", "未报牌点", "without a rank"),
        (PlayKind.XI7, PlayRank.FOUR, "4s 4h 4c 4s 4h 4c Bj", "7喜", "7喜"),
    ],
)
def test_a_finding_names_what_is_wrong_with_a_declaration(
    kind: PlayKind, rank: PlayRank, cards: str, zh: str, en: str
) -> None:
    """A rank where there is none, none where there is one, or a type that the cards have not."""
    game = ChibiDagun()
    laid = parse_cards(cards)
    state = playing(game, DEFAULT, Table(per_seat([laid + b"\0", *map(parse_cards, HOLDINGS[1:])])))
    breaches: list[Breach] = []
    game.apply(state, PlayedAs(0, By.PLAYER, 0, laid, kind, rank), breaches)
    (breach,) = breaches
    assert zh in breach_text("zh", breach)
    assert en in breach_text("en", breach)


def test_explain_tells_every_reading_of_cards_it_is_asked_about() -> None:
    """What counts undeclared, and what the cards can be declared to be instead."""
    path = SAMPLES / "chibi_dagun/clean/reading-declared.paipu.jsonl"
    with path.open("rb") as file:
        result = next(iter(verified_hands(open_log(file))))
    assert isinstance(result, HandResult)
    act = Act(parse_cards("6s 6h 7s 7h Bj Rj"))
    asked = explained(result, 10, Words("en"), act).asked
    assert asked is not None
    assert asked.play == "2 triples in a chain, up to 7"
    told = [(other.play, other.wilds, other.is_legal) for other in asked.others]
    assert told == [
        ("declared: 3 pairs in a chain, up to 8", "Bj=8 Rj=8", True),
        ("declared: 3 pairs in a chain, up to 7", "Bj=5 Rj=5", True),
    ]


def test_leaders_who_pass_and_pass_make_no_long_trick() -> None:
    """It is conduct each time, and a log of thousands stays as quick to judge as one of plays."""
    game = ChibiDagun()
    state = playing(game, DEFAULT, Table(per_seat(map(parse_cards, HOLDINGS))))
    for turn in range(400):
        after = game.apply(state, Passed(0, By.PLAYER, turn % 4), [])
        assert isinstance(after, Playing)
        state = after
    assert [seat for seat, _ in state.laid] == [0, 1, 2, 3]
