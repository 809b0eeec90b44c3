"""What a hand of 四副滚子 comes to: a table from the text, and a plain second reckoning of it."""

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from replay.engine.gunzi.order import context
from replay.engine.gunzi.presets import DEFAULT
from replay.engine.gunzi.settlement import settled
from replay.engine.gunzi.states import Deal, House, Setting
from schema.gunzi import GunziCarry, GunziSettled
from schema.options import GunziOptions
from tests.builders import any_options
from tests.oracle_gunzi_cards import DECK, LEVELS, Face, codes
from tests.oracle_gunzi_log import claim_of
from tests.oracle_gunzi_score import End
from tests.oracle_gunzi_score import settled as reckoned

PLAIN = ["3c", "4c", "6d", "7d", "8h", "9h"]
"""A bottom without points."""
DEALER = 1
"""The dealer side are seats 1 and 3, at level 4; the attackers are at level 5."""
HELD, CAPTURED = 3, 2
"""Who wins the last trick: the dealer's partner, or an attacker."""


def come_to(house: GunziOptions, end: End) -> GunziSettled:
    """What the engine makes of it."""
    number, dealer, levels, _, _, _ = end.carry
    one, other = (LEVELS.index(level) + 1 for level in levels)
    carry = GunziCarry(number, dealer, (one, other), 0, 0, False)
    deal = Deal(0, (b"", b"", b"", b""), (0, 0, 0, 0), b"")
    table = House(house, context)
    level = carry.levels[end.dealer % 2]
    setting = Setting(table, carry, deal, level, 0, end.dealer, (), (), b"", b"", ())
    return settled(setting, end.tricks, codes(end.bottom), end.last, end.dry)


def ended(
    tricks: int,
    last: int,
    bottom: list[Face],
    dry: bool = False,
    levels: tuple[str, str] = ("5", "4"),
) -> End:
    """A hand that seat 1 has dealt."""
    return End((7, DEALER, levels, 0, 0, False), DEALER, tricks, bottom, last, dry)


# The score decides who deals on, who rises, and what is owed for it.

SCORES = [
    # score, last trick, who deals next, who rises, jokers count for tribute, cards for the score
    (5, HELD, "dealers", "dealers", True, 8),
    (10, HELD, "dealers", "dealers", True, 7),
    (15, HELD, "dealers", "dealers", True, 7),
    (40, HELD, "dealers", "dealers", True, 4),
    (70, HELD, "dealers", "dealers", True, 1),
    (75, HELD, "dealers", "dealers", True, 1),
    (80, HELD, "dealers", "dealers", True, 0),
    (115, HELD, "dealers", "dealers", True, 0),
    (5, CAPTURED, "dealers", None, False, 8),
    (65, CAPTURED, "dealers", None, False, 2),
    (75, CAPTURED, "dealers", None, False, 1),
    (80, CAPTURED, "dealers", None, False, 0),
    (115, CAPTURED, "dealers", None, False, 0),
    (120, HELD, "attackers", None, True, 0),
    (150, HELD, "attackers", None, True, 0),
    (155, HELD, "attackers", None, True, 0),
    (160, HELD, "attackers", None, True, 1),
    (165, HELD, "attackers", None, True, 1),
    (295, HELD, "attackers", None, True, 14),
    (120, CAPTURED, "attackers", "attackers", True, 0),
    (150, CAPTURED, "attackers", "attackers", True, 0),
    (155, CAPTURED, "attackers", "attackers", True, 0),
    (160, CAPTURED, "attackers", "attackers", True, 1),
    (200, CAPTURED, "attackers", "attackers", True, 5),
    (295, CAPTURED, "attackers", "attackers", True, 14),
]
JOKERS = [
    # jokers in the bottom, levels more, cards of tribute for them, three alike
    ("", 0, 0, False),
    ("Bj", 1, 1, False),
    ("Rj", 2, 2, False),
    ("Bj Bj", 2, 2, False),
    ("Bj Rj", 3, 3, False),
    ("Rj Rj", 4, 4, False),
    ("Bj Bj Rj", 4, 4, False),
    ("Bj Bj Bj", 3, 3, True),
    ("Rj Rj Rj", 6, 6, True),
]


def _level(level: str, by: int) -> str:
    """So many levels higher, but not past 10."""
    return LEVELS[min(LEVELS.index(level) + by, 7)]


@pytest.mark.parametrize("jokers", JOKERS)
@pytest.mark.parametrize("row", SCORES)
def test_every_score_with_every_bottom(
    row: tuple[int, int, str, str | None, bool, int], jokers: tuple[str, int, int, bool]
) -> None:
    """gunzi-8.3 to 8.8, 9.2 to 9.4, 10.4: who rises how far, who deals next, what is owed.

    In 干锅 the jokers bring neither levels nor tribute, and win no match (5.5).
    """
    score, last, deals, rises, pays, for_score = row
    words, levels, cards, are_three = jokers
    bottom = [*words.split(), *PLAIN][:6]
    for dry in (False, True):
        found = come_to(DEFAULT, ended(score, last, bottom, dry))
        is_match = are_three and rises is not None and not dry
        up = 0 if rises is None else 1 + (0 if dry else levels)
        assert (found.tricks, found.score, found.risen) == (score, score, up)
        assert found.fate.name == ("HELD" if last == HELD else "CAPTURED")
        assert (found.bottom, found.factor) == (0, 0 if last == HELD else 2)
        if is_match:
            assert found.ending.name == "THREE_JOKERS"
            assert found.result.name == f"MATCH_TO_{str(rises).upper()}"
            assert found.next == GunziCarry(8, None, (1, 1), 0, 0, True)
            continue
        assert found.ending.name == "NONE"
        assert found.result.name == ("HELD" if deals == "dealers" else "TAKEN")
        attackers = _level("5", up) if rises == "attackers" else "5"
        dealers = _level("4", up) if rises == "dealers" else "4"
        after = LEVELS.index(attackers) + 1, LEVELS.index(dealers) + 1
        for_jokers = cards if pays and not dry else 0
        next_dealer = 3 if deals == "dealers" else 2
        assert found.next == GunziCarry(8, next_dealer, after, for_score, for_jokers, False)


# What else the score comes from, and where it ends a match.

BOTTOM = ["Kc", "5c", "6d", "7d", "8h", "9h"]
"""15 points."""
WHOLE = ["Kc", "Kd", "Tc", "Td", "Kh", "Ks"]
"""60 points."""
ENDS = [
    # tricks, last trick, bottom, dry, score, result, ending
    (0, HELD, PLAIN, False, 0, "MATCH_TO_DEALERS", "ZERO"),
    (0, HELD, WHOLE, False, 0, "MATCH_TO_DEALERS", "ZERO"),
    (0, CAPTURED, PLAIN, False, 0, "MATCH_TO_DEALERS", "ZERO"),
    (0, CAPTURED, PLAIN, True, 0, "MATCH_TO_DEALERS", "ZERO"),
    (0, CAPTURED, BOTTOM, False, 30, "HELD", "NONE"),
    (90, CAPTURED, BOTTOM, False, 120, "TAKEN", "NONE"),
    (85, CAPTURED, BOTTOM, False, 115, "HELD", "NONE"),
    (115, HELD, BOTTOM, False, 115, "HELD", "NONE"),
    (120, HELD, WHOLE, False, 120, "TAKEN", "NONE"),
    (90, CAPTURED, BOTTOM, True, 120, "TAKEN", "NONE"),
    (180, CAPTURED, WHOLE, False, 300, "MATCH_TO_ATTACKERS", "FULL"),
    (175, CAPTURED, WHOLE, False, 295, "TAKEN", "NONE"),
    (240, CAPTURED, WHOLE, False, 360, "MATCH_TO_ATTACKERS", "FULL"),
    (240, HELD, WHOLE, False, 240, "TAKEN", "NONE"),
    (300, HELD, PLAIN, False, 300, "MATCH_TO_ATTACKERS", "FULL"),
    (300, CAPTURED, PLAIN, True, 300, "MATCH_TO_ATTACKERS", "FULL"),
    (0, HELD, ["Rj"] * 3 + PLAIN[:3], False, 0, "MATCH_TO_DEALERS", "ZERO"),
    (300, HELD, ["Rj"] * 3 + PLAIN[:3], False, 300, "MATCH_TO_ATTACKERS", "FULL"),
]


@pytest.mark.parametrize(("tricks", "last", "bottom", "dry", "score", "result", "ending"), ENDS)
def test_the_score_and_where_it_ends_a_match(
    tricks: int, last: int, bottom: list[Face], dry: bool, score: int, result: str, ending: str
) -> None:
    """gunzi-8.2, 10.2, 10.3, 10.5: the bottom counts twice, and only if it is captured."""
    found = come_to(DEFAULT, ended(tricks, last, bottom, dry))
    assert (found.score, found.result.name, found.ending.name) == (score, result, ending)


LADDER = [
    # house, level of the risers, do they deal, jokers, level after: X = the match is won
    ({}, "3", True, "", "4"),
    ({}, "3", False, "", "4"),
    ({}, "8", True, "Bj", "T"),
    ({}, "8", True, "Rj Rj", "T"),
    ({}, "9", False, "Rj Rj", "T"),
    ({}, "9", True, "", "T"),
    ({}, "T", True, "", "X"),
    ({}, "T", False, "", "T"),
    ({}, "T", False, "Rj Rj", "T"),
    ({"skipping_ten": "allowed"}, "9", True, "", "T"),
    ({"skipping_ten": "allowed"}, "9", True, "Bj", "X"),
    ({"skipping_ten": "allowed"}, "9", False, "Bj", "T"),
    ({"skipping_ten": "allowed"}, "T", True, "", "X"),
    ({"skipping_ten": "allowed"}, "T", False, "", "T"),
    ({"skipping_ten": "allowed", "must_deal": "none"}, "9", False, "Bj", "X"),
    ({"skipping_ten": "allowed", "must_deal": "none"}, "9", False, "", "T"),
    ({"skipping_ten": "allowed", "must_deal": "three_and_ten"}, "9", False, "Bj", "T"),
    ({"must_deal": "none"}, "T", False, "", "X"),
    ({"must_deal": "none"}, "T", True, "", "X"),
    ({"must_deal": "none"}, "9", False, "Rj Rj", "T"),
    ({"must_deal": "none"}, "3", False, "", "4"),
    ({"must_deal": "three_and_ten"}, "3", False, "", "3"),
    ({"must_deal": "three_and_ten"}, "3", False, "Rj Rj", "3"),
    ({"must_deal": "three_and_ten"}, "3", True, "", "4"),
    ({"must_deal": "three_and_ten"}, "T", False, "", "T"),
    ({"must_deal": "three_and_ten"}, "T", True, "", "X"),
    ({"match_end": "ten_reached"}, "9", True, "", "X"),
    ({"match_end": "ten_reached"}, "9", False, "", "X"),
    ({"match_end": "ten_reached"}, "7", False, "Rj", "X"),
    ({"match_end": "ten_reached"}, "7", True, "Bj", "9"),
    ({"match_end": "ten_reached", "must_deal": "three_and_ten"}, "3", False, "Rj Rj", "3"),
    ({"red_joker_levels": 0}, "3", True, "Rj", "4"),
    ({"red_joker_levels": 5}, "3", True, "Rj", "9"),
    ({"black_joker_levels": 0}, "3", False, "Bj Bj", "4"),
    ({"black_joker_levels": 3}, "3", False, "Bj Bj", "T"),
]


@pytest.mark.parametrize(("house", "level", "deals", "jokers", "after"), LADDER)
def test_the_ladder(
    house: dict[str, object], level: str, deals: bool, jokers: str, after: str
) -> None:
    """gunzi-8.9 to 8.11, 10.1: how far a promotion leads, and when it ends the match.

    What is owed for the jokers does not depend on what they are worth in levels.
    """
    bottom = [*jokers.split(), *PLAIN][:6]
    levels = ("6", level) if deals else (level, "6")
    score, last = (80, HELD) if deals else (150, CAPTURED)
    options = replace(DEFAULT, **house)
    found = come_to(options, ended(score, last, bottom, levels=levels))
    if after == "X":
        assert found.result.name == f"MATCH_TO_{'DEALERS' if deals else 'ATTACKERS'}"
        assert (
            found.ending.name
            == {"ten_passed": "TEN_PASSED", "ten_reached": "TEN_REACHED"}[options.match_end]
        )
        assert found.next == GunziCarry(8, None, (1, 1), 0, 0, True)
        return
    assert found.ending.name == "NONE"
    side = 1 if deals else 0
    assert LEVELS[found.next.levels[side] - 1] == after
    assert LEVELS[found.next.levels[1 - side] - 1] == "6"
    owed = 2 * jokers.count("Rj") + jokers.count("Bj")
    assert (found.next.due_for_score, found.next.due_for_jokers) == (0, owed)


THREE_RED, THREE_BLACK = ["Rj"] * 3 + PLAIN[:3], ["Bj"] * 3 + PLAIN[:3]
HOUSES = [
    # house, tricks, last trick, bottom, dry, score, result, ending, next dealer
    ({"bottom_factor": 1}, 90, CAPTURED, BOTTOM, False, 105, "HELD", "NONE", 3),
    ({"bottom_factor": 4}, 60, CAPTURED, BOTTOM, False, 120, "TAKEN", "NONE", 2),
    ({"bottom_factor": 4}, 60, HELD, BOTTOM, False, 60, "HELD", "NONE", 3),
    ({"dealer_after_hold": "same"}, 60, HELD, PLAIN, False, 60, "HELD", "NONE", 1),
    ({"dealer_after_hold": "same"}, 60, CAPTURED, PLAIN, False, 60, "HELD", "NONE", 1),
    ({"dealer_after_hold": "same"}, 130, HELD, PLAIN, False, 130, "TAKEN", "NONE", 2),
    ({"dealer_after_swap": "previous"}, 130, HELD, PLAIN, False, 130, "TAKEN", "NONE", 0),
    ({"dealer_after_swap": "previous"}, 130, CAPTURED, PLAIN, False, 130, "TAKEN", "NONE", 0),
    ({"dealer_after_swap": "previous"}, 60, HELD, PLAIN, False, 60, "HELD", "NONE", 3),
    ({"full_score": "all_points"}, 200, CAPTURED, WHOLE, False, 320, "TAKEN", "NONE", 2),
    *(
        ({"full_score": "all_points"}, *row, "MATCH_TO_ATTACKERS", "FULL", None)
        for row in ((240, CAPTURED, WHOLE, False, 360), (300, HELD, PLAIN, False, 300))
    ),
    ({"full_score": "all_points"}, 240, HELD, WHOLE, False, 240, "TAKEN", "NONE", 2),
    ({"full_score": "all_points"}, 0, HELD, WHOLE, False, 0, "MATCH_TO_DEALERS", "ZERO", None),
    ({"three_jokers": "red_only"}, 80, HELD, THREE_BLACK, False, 80, "HELD", "NONE", 3),
    *(
        ({"three_jokers": "red_only"}, *row, "THREE_JOKERS", None)
        for row in (
            (80, HELD, THREE_RED, False, 80, "MATCH_TO_DEALERS"),
            (120, CAPTURED, THREE_RED, False, 120, "MATCH_TO_ATTACKERS"),
        )
    ),
    ({"three_jokers": "red_only"}, 120, HELD, THREE_RED, False, 120, "TAKEN", "NONE", 2),
    *(
        ({"dry_three_jokers": "match"}, *row, "THREE_JOKERS", None)
        for row in (
            (80, HELD, THREE_BLACK, True, 80, "MATCH_TO_DEALERS"),
            (120, CAPTURED, THREE_RED, True, 120, "MATCH_TO_ATTACKERS"),
        )
    ),
    ({"dry_three_jokers": "match"}, 80, CAPTURED, THREE_RED, True, 80, "HELD", "NONE", 3),
]


@pytest.mark.parametrize(
    ("house", "tricks", "last", "bottom", "dry", "score", "result", "ending", "dealer"), HOUSES
)
def test_what_a_table_may_settle_otherwise(
    house: dict[str, object],
    tricks: int,
    last: int,
    bottom: list[Face],
    dry: bool,
    score: int,
    result: str,
    ending: str,
    dealer: int | None,
) -> None:
    """Every other word of the options that a settlement asks; with the jokers void in 干锅."""
    found = come_to(replace(DEFAULT, **house), ended(tricks, last, bottom, dry))
    assert (found.score, found.result.name, found.ending.name) == (score, result, ending)
    assert found.next.dealer == dealer
    if dry:
        assert (found.next.due_for_jokers, found.risen) == (
            0,
            0 if last != HELD and score < 120 else 1,
        )


def _some_end(rng: random.Random) -> End:
    """Any hand: of a first one the dealer is not known before."""
    dealer, number = rng.randrange(4), rng.randrange(1, 9)
    one, other = (rng.choice(("3", "9", "T", *LEVELS)) for _ in "12")
    is_first = rng.random() < 0.2
    levels = ("3", "3") if is_first else (one, other)
    carry = (number, None if is_first else dealer, levels, 0, 0, False)
    jokers = rng.choice(([], ["Rj"] * 3, ["Bj"] * 3, rng.choices(["Rj", "Bj"], k=3)))
    pool = DECK if rng.random() < 0.5 else ["3c", "4c", "6d", "7d", "8h", "9h"]
    bottom = [*jokers, *rng.sample([card for card in pool if card not in ("Rj", "Bj")], 6)][:6]
    tricks = rng.choice((0, 5 * rng.randrange(61), 5 * rng.randrange(14, 34), 300))
    return End(carry, dealer, tricks, bottom, rng.randrange(4), rng.random() < 0.25)


def test_engine_and_oracle_settle_alike() -> None:
    """Any end of a hand at any table says the same in both."""
    rng, seen = random.Random("settle"), Counter[str]()
    for _ in range(3_000):
        house, end = any_options(rng, DEFAULT), _some_end(rng)
        found = come_to(house, end)
        theirs = ("settled", *reckoned(house, end))
        assert claim_of(found) == theirs, (house, end)
        seen.update((found.result.name, found.ending.name))
    assert len(seen) == 10
    assert min(seen.values()) > 20, seen
