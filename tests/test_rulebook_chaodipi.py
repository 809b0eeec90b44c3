"""The tables of the rule book of 炒地皮 are what the engine computes."""

import re

import pytest
from msgspec.structs import replace

from replay.engine.chaodipi.levels import Played, outcome
from replay.engine.chaodipi.order import LEVELS, Context, context
from replay.engine.chaodipi.presets import DEFAULT
from replay.engine.chaodipi.settlement import factor
from replay.engine.chaodipi.shapes import pair_cards, shape
from replay.engine.chaodipi.showing import rung, trump_of
from replay.engine.chaodipi.summary import kind_word
from schema.cards import RANKS, SUITS, card_text, parse_cards
from schema.chaodipi import ChaodipiResult
from schema.events import Claim, Fact
from schema.schemas import type_word
from schema.trumps import Named, Trump
from tests.rulebooks import CHAODIPI

TRUMPS = ("diamonds", "clubs", "hearts", "spades", "none")
ORDER = "3. Trump and the order of the cards (主牌与牌的大小)"
SHOWS = "4. Declaring and overturning (亮主与反主)"
SETS = "6. What cards form (牌型)"
FACTORS = "10. The last trick and the bottom (最后一轮与抠底)"
RISES = "11. What a hand does to the levels (升级与坐庄)"


def _context(level: str, trump: str) -> Context:
    """The context that a row of the book speaks of."""
    number = LEVELS.index("F" if level == "扛旗" else level)
    return context(DEFAULT, number, TRUMPS.index(trump))


def _tiers(table: Context, suit: int) -> str:
    """An effective suit as the book writes it: from the top, `=` between equals."""
    tiers: dict[int, list[str]] = {}
    for code in range(54):
        if table.order.suit[code] == suit:
            tiers.setdefault(table.order.strength[code], []).append(card_text(code))
    return " ".join("=".join(tiers[height]) for height in sorted(tiers, reverse=True)) or "–"


@pytest.mark.parametrize("row", CHAODIPI.rows(ORDER), ids=lambda row: f"{row[0]} {row[1]}")
def test_the_order_of_cards_in_the_book_is_that_of_the_engine(row: tuple[str, ...]) -> None:
    """chaodipi-3: trumps and two side suits in a context of level and trump suit."""
    level, trump, *suits = row
    table = _context(level, trump)
    sides = [SUITS.index(suit) for suit in "hc"]
    assert suits == [_tiers(table, suit) for suit in (4, *sides)]


def _show(words: str) -> tuple[str, str]:
    """The cards that a row of the table of shows speaks of, at level 7; and of which suit."""
    jokers = {"two 小王": "Bj Bj", "two 大王": "Rj Rj", "two 红桃5": "5h 5h"}
    if words in jokers:
        return jokers[words], ""
    found = re.match(r"(one|two) level cards?(?: of (\w+))?", words)
    assert found, words
    suit = found[2] or "clubs"
    face = f"7{suit[0]}"
    return (face if found[1] == "one" else f"{face} {face}"), suit


def test_the_rungs_in_the_book_are_those_of_the_engine() -> None:
    """chaodipi-4.2, 4.3: every show, how high it is, and what it makes trump."""
    rows = CHAODIPI.rows(SHOWS)
    assert [row[0] for row in rows] == [str(height) for height in range(9)]
    for height, words, makes in rows[1:]:
        notation, suit = _show(words)
        cards = parse_cards(notation)
        assert rung(cards, LEVELS.index("7")) == int(height), words
        named = [trump_of(cards, Named(int(trump))) for trump in Trump]
        if makes == "what is named":
            assert (named, trump_of(cards, Named.NOTHING)) == (list(range(5)), None)
        else:
            assert makes == ("its suit" if height == "1" else suit or "none")
            assert set(named) == {TRUMPS.index(suit or "none")}
    assert rung(parse_cards("5h 5h"), LEVELS.index("5")) == 8


@pytest.mark.parametrize("row", CHAODIPI.rows(SETS), ids=lambda row: " ".join(row[:3]))
def test_the_examples_of_sets_are_what_the_engine_takes_them_for(row: tuple[str, ...]) -> None:
    """chaodipi-6: what cards are as a lead, or that they are none."""
    level, trump, cards, kind = row
    found = shape(_context(level, trump), parse_cards(cards))
    assert kind == ("no lead" if found is None else kind_word(found).replace("wsk", "五十K"))


LEADS = {
    "single, 五十K": ("3c", "5c Tc Kc"),
    "pair": ("3c 3c", "3c 3c 9c"),
    **{
        f"tractor of {n} pairs": (
            " ".join(map(card_text, pair_cards(bytes(RANKS.index(r) * 4 + 1 for r in "789T"[:n])))),
        )
        for n in (2, 3, 4)
    },
}
"""Leads, by their largest part."""


def test_the_factors_in_the_book_are_those_of_the_engine() -> None:
    """chaodipi-10.3: by the largest part of the last lead, for each word of the option."""
    table = _context("6", "spades")
    rows = CHAODIPI.rows(FACTORS)
    assert [row[0] for row in rows] == list(LEADS)
    for part, *factors in rows:
        for cards in LEADS[part]:
            lead = shape(table, parse_cards(cards))
            assert lead is not None
            words = ("doubling", "two_per_card", "cap8")
            found = [factor(replace(DEFAULT, bottom_factor=word), lead) for word in words]
            assert [str(n) for n in found] == factors, cards


def _played(level: str, score: int) -> Played:
    """A hand of two sides at level 2, or of a dealer side at 扛旗 for the first time."""
    return Played(LEVELS.index(level), 0, 0, score, False, False)


def test_the_rises_in_the_book_are_those_of_the_engine() -> None:
    """chaodipi-11.2 to 11.5: what the points of an ordinary hand give either side."""
    rows = [
        row for row in CHAODIPI.rows(RISES) if "match won" not in row and "failed" not in row[1]
    ]
    assert rows[0] == ("0", "to A", "")
    assert outcome(DEFAULT, _played("2", 0)).dealer_level == LEVELS.index("A")
    for points, dealer_side, attackers in rows[1:]:
        for score in map(int, points.split(", ")):
            found = outcome(DEFAULT, _played("2", score))
            is_held = found.result is ChaodipiResult.HELD
            expected = (str(found.risen), "") if is_held else ("", str(found.risen))
            assert (dealer_side, attackers) == expected, score


def test_the_rises_after_the_last_level_are_those_of_the_engine() -> None:
    """chaodipi-11.8, 11.9: what the points of 扛旗 give."""
    rows = [row for row in CHAODIPI.rows(RISES) if "match won" in row or "failed" in row[1]]
    assert len(rows) == 4
    for points, dealer_side, attackers in rows:
        for score in map(int, points.split(", ")):
            found = outcome(DEFAULT, _played("F", score))
            is_won = found.result is ChaodipiResult.MATCH_WON
            assert dealer_side == ("match won" if is_won else "failed once more"), score
            assert attackers == ("" if is_won else str(found.risen)), score
            assert found.failures == (0 if is_won else 1)


def test_what_makes_a_claim_due_is_a_fact_of_the_game() -> None:
    """The column `due` of the table of claims names them by their words."""
    kinds = {type_word(CHAODIPI.schema, kind): kind for kind in CHAODIPI.schema.kinds}
    named: set[str] = set()
    for word, _, due in CHAODIPI.rows("Events"):
        if issubclass(kinds.get(word.strip("`"), Fact), Claim):
            named |= set(re.findall(r"`(\w+)`", due))
    assert {word for word in named if not issubclass(kinds[word], Fact)} == set()
    assert {"bottom_turned", "declaring_closed", "stirred", "declared", "escaped"} <= named
