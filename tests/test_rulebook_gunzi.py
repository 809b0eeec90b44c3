"""The tables of the rule book of 四副滚子 are what the engine computes."""

import re

import pytest
from msgspec.structs import replace

from replay.engine.gunzi.bottom import is_dry, pick_table, pickable, smallest_picks
from replay.engine.gunzi.following import broken
from replay.engine.gunzi.levels import due_for_score, rise
from replay.engine.gunzi.order import LEVELS, Context, context
from replay.engine.gunzi.playing import is_one_type
from replay.engine.gunzi.presets import DEAD, DEFAULT, FIRST_CARRY
from replay.engine.gunzi.rules import R
from replay.engine.gunzi.settlement import settled
from replay.engine.gunzi.showing import rung, trump_of
from replay.engine.gunzi.states import UNKNOWN, Deal, House, Setting
from replay.engine.gunzi.summary import TYPES
from replay.engine.gunzi.titles import title
from replay.engine.mechanics.holding import pack_dealt
from schema.cards import SUITS, card_text, parse_cards
from schema.events import Claim, Fact
from schema.gunzi import GunziEnding, GunziResult, GunziSettled
from schema.options import GunziOptions
from schema.schemas import type_word
from schema.trumps import Named, Trump
from tests.rulebooks import GUNZI

TRUMPS = ("diamonds", "clubs", "hearts", "spades")
SHOWS = "3. Trump suit and dealer (亮主与定庄)"
ORDER = "4. Trumps and the order of the cards (主牌与牌的大小)"
BOTTOMS = "5. The bottom (底牌)"
SETS = "6. What cards form (牌型)"
ANSWERS = "7. Play (出牌)"
WORTH = "8. What a hand comes to (得分与升级)"
DUE = "9. Tribute (喝血与还贡)"
ENDS = "10. The end of a match (一场的结束)"
TITLES = "11. Titles (游戏级别)"


def _rows(heading: str, cells: int) -> list[tuple[str, ...]]:
    """The rows of the table under a heading that has so many columns."""
    found = [row for row in GUNZI.rows(heading) if len(row) == cells]
    assert found
    return found


def _context(level: str, trump: str) -> Context:
    """The context that a row of the book speaks of."""
    return context(LEVELS.index(level), TRUMPS.index(trump))


def _tiers(table: Context, suit: int) -> str:
    """An effective suit as the book writes it: from the top, `=` between equals."""
    tiers: dict[int, list[str]] = {}
    for code in range(54):
        if table.order.suit[code] == suit:
            tiers.setdefault(table.order.strength[code], []).append(card_text(code))
    return " ".join("=".join(tiers[height]) for height in sorted(tiers, reverse=True)) or "–"


@pytest.mark.parametrize("row", _rows(ORDER, 5), ids=lambda row: f"{row[0]} {row[1]}")
def test_the_order_of_cards_in_the_book_is_that_of_the_engine(row: tuple[str, ...]) -> None:
    """gunzi-4: trumps and two side suits in a context of level and trump suit."""
    level, trump, *suits = row
    table = _context(level, trump)
    assert suits == [_tiers(table, suit) for suit in (4, *(SUITS.index(s) for s in "hc"))]


SHOWN = {
    "one level card": "7c",
    "two like level cards": "7c 7c",
    "three like level cards": "7c 7c 7c",
    "three 小王": "Bj Bj Bj",
    "three 大王": "Rj Rj Rj",
    "in a first hand, one 大王": "Rj",
}
"""The shows of the book, at level 7."""
MADE = {
    "its suit": [1, 1, 1, 1, 1, 1],
    "their suit": [1, 1, 1, 1, 1, 1],
    "what is named": [0, 1, 2, 3, None, None],
    "the suit of the next suited card": [UNKNOWN] * 6,
}
"""What a show makes trump, by what is named with it: a suit, no trump, nothing."""


def test_the_rungs_in_the_book_are_those_of_the_engine() -> None:
    """gunzi-3.10 to 3.12: every show, how high it is, and what it makes trump."""
    rows = _rows(SHOWS, 3)
    assert [row[1] for row in rows] == list(SHOWN)
    for number, words, makes in rows:
        cards = parse_cards(SHOWN[words])
        height = rung("first" if "first" in words else "later", LEVELS.index("7"), cards)
        assert str(height) == number
        assert height is not None
        named = [*(Named(int(trump)) for trump in Trump), Named.NOTHING]
        assert [trump_of(cards, height, name) for name in named] == MADE[makes]


@pytest.mark.parametrize("row", _rows(BOTTOMS, 5), ids=lambda row: " ".join(row[:3]))
def test_the_bottoms_in_the_book_are_dry_or_not_as_the_engine_has_them(
    row: tuple[str, ...],
) -> None:
    """gunzi-5.4, 5.12: what is dry, and how many cards can be picked."""
    level, trump, notation, dry, most = row
    cards, table = parse_cards(notation), _context(level, trump)
    assert dry == ("yes" if is_dry(DEFAULT, table, cards) else "no")
    assert most == str(len(pickable(cards)))


def _picks(table: bytes, bottom: bytes, n: int) -> set[tuple[int, ...]]:
    """Every set of `n` cards of the bottom that is as small as the smallest."""
    best = smallest_picks(table, bottom, n)
    height = sorted(table[code] for code in best)
    least = [tuple(sorted(best))]
    for at, code in enumerate(best):
        for other in pickable(bottom):
            swapped = [*best[:at], other, *best[at + 1 :]]
            is_there = all(swapped.count(face) <= bottom.count(face) for face in swapped)
            if other != code and is_there and sorted(table[c] for c in swapped) == height:
                least.append(tuple(sorted(swapped)))
    return set(least)


@pytest.mark.parametrize("row", _rows(BOTTOMS, 4), ids=lambda row: f"{row[0]} {row[1]}")
def test_the_picks_in_the_book_are_those_of_the_engine(row: tuple[str, ...]) -> None:
    """gunzi-5.11: the smallest cards, by each word of the option."""
    notation, n, *picked = row
    bottom, table = parse_cards(notation), _context("4", "hearts")
    for word, said in zip(("rank", "strength"), picked, strict=True):
        heights = pick_table(replace(DEFAULT, pick_tie=word), table)
        listed = {tuple(sorted(parse_cards(cards))) for cards in said.split(" or ")}
        assert _picks(heights, bottom, int(n)) == listed, word


@pytest.mark.parametrize("row", _rows(SETS, 2), ids=lambda row: row[0])
def test_the_examples_of_leads_are_what_the_engine_takes_them_for(row: tuple[str, ...]) -> None:
    """gunzi-6: single, pair, triple, or no lead."""
    cards = parse_cards(row[0])
    assert row[1] == (TYPES[len(cards) - 1] if is_one_type(cards) else "no lead")


def _judged(options: GunziOptions, lead: bytes, holding: bytes, answer: bytes) -> str:
    table = _context("4", "hearts")
    suit, (held, packed) = table.order.suit[lead[0]], map(pack_dealt, (holding, answer))
    owed = broken(options, table, suit, len(lead), held, packed)
    if owed is None:
        return "yes"
    if owed.rule is R.SUIT:
        return "no"
    return f"no {TYPES[owed.cards.count(owed.cards[0]) - 1]}"


@pytest.mark.parametrize("row", _rows(ANSWERS, 5), ids=lambda row: ", ".join(row[:3]))
def test_the_answers_in_the_book_are_judged_so_by_the_engine(row: tuple[str, ...]) -> None:
    """gunzi-7.4, 7.7: in 活棒 and in 死棒."""
    cards = tuple(map(parse_cards, row[:3]))
    assert [_judged(options, *cards) for options in (DEFAULT, DEAD)] == list(row[3:])


def _settled(bottom: str, score: int, jokers: str) -> GunziSettled:
    """A hand of dealer 0 at level 3 that comes to this; a captured bottom has no points."""
    house = House(DEFAULT, context)
    six = parse_cards(jokers) + parse_cards("3d 4d 6d 7d 8d 9d")
    deal = Deal(0, (b"", b"", b"", b""), (0, 0, 0, 0), six[:6])
    carry = replace(FIRST_CARRY, dealer=0)
    setting = Setting(house, carry, deal, LEVELS.index("3"), 3, 0, (), (), b"", b"", ())
    return settled(setting, score, six[:6], {"held": 2, "captured": 1}[bottom], False)


@pytest.mark.parametrize("row", _rows(WORTH, 7), ids=lambda row: " ".join(row[:3]))
def test_what_hands_are_worth_in_the_book_is_what_the_engine_settles(row: tuple[str, ...]) -> None:
    """gunzi-8.5 to 8.8, 8.13, 9.2 to 9.4: by bottom, score and jokers, in a hand of seat 0."""
    bottom, score, jokers, side, levels, dealer, due = row
    found = _settled(bottom, int(score), jokers)
    at = found.next.levels
    sides = {"dealer side": at[0] > at[1], "attackers": at[1] > at[0], "nobody": at[0] == at[1]}
    assert [word for word, is_it in sides.items() if is_it] == [side]
    assert levels == str(found.risen)
    assert dealer == {2: "partner", 1: "next seat"}[found.next.dealer or 0]
    assert due == f"{found.next.due_for_score} + {found.next.due_for_jokers}"


@pytest.mark.parametrize("row", _rows(WORTH, 4), ids=lambda row: f"{row[0]} by {row[1]}")
def test_where_promotions_lead_in_the_book_they_lead_in_the_engine(row: tuple[str, ...]) -> None:
    """gunzi-8.10, 8.11: as dealer side and as attackers."""
    level, by = LEVELS.index(row[0].replace("10", "T")), int(row[1])
    led = [rise(DEFAULT, level, by, "dealers"), rise(DEFAULT, level, by, "attackers")]
    words = ["match won" if to is None else LEVELS[to].replace("T", "10") for to in led]
    assert words == list(row[2:])


def test_the_tribute_for_scores_in_the_book_is_that_of_the_engine() -> None:
    """gunzi-9.2, 9.3: cards by score."""
    rows = _rows(DUE, 2)
    assert [str(due_for_score(int(score))) for score, _ in rows] == [cards for _, cards in rows]


@pytest.mark.parametrize("row", _rows(ENDS, 5), ids=lambda row: " ".join(row[:3]))
def test_the_ends_of_matches_in_the_book_are_those_of_the_engine(row: tuple[str, ...]) -> None:
    """gunzi-10.2 to 10.4: who wins the match, and the first reason for it."""
    bottom, score, jokers, winner, reason = row
    found = _settled(bottom, int(score), jokers)
    winners = {
        GunziResult.MATCH_TO_DEALERS: "dealer side",
        GunziResult.MATCH_TO_ATTACKERS: "attackers",
    }
    reasons = {
        GunziEnding.NONE: "",
        GunziEnding.ZERO: "10.2",
        GunziEnding.FULL: "10.3",
        GunziEnding.THREE_JOKERS: "10.4",
    }
    assert (winners.get(found.result, "nobody"), reasons[found.ending]) == (winner, reason)


def test_the_titles_in_the_book_are_those_of_the_engine() -> None:
    """gunzi-11.1: each from its number on, and not below it."""
    rows = _rows(TITLES, 2)
    words = [word for word, _ in rows]
    numbers = [int(number) for _, number in rows]
    assert [title(number) for number in numbers] == words
    assert [title(number - 1) for number in numbers] == [None, *words[:-1]]


def test_what_makes_a_claim_due_is_a_fact_of_the_game() -> None:
    """The column `due` of the table of claims names them by their words."""
    kinds = {type_word(GUNZI.schema, kind): kind for kind in GUNZI.schema.kinds}
    named: set[str] = set()
    for word, _, due in _rows("Events", 3):
        if issubclass(kinds.get(word.strip("`"), Fact), Claim):
            named |= set(re.findall(r"`(\w+)`", due))
    facts = {word for word in named if issubclass(kinds[word], Fact)}
    assert named - facts == {"trump_set"}
    assert {"declaring_closed", "flipped", "drawn", "tribute_returned", "buried"} <= facts
