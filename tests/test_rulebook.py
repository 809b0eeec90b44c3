"""The rule book of 打拱 says what the code does: ids, classes, options, events, tables."""

import re
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from msgspec import Struct
from msgspec.structs import asdict

from replay.engine.dagong.presets import DEFAULT, PRESETS, RULES_VERSION
from replay.engine.dagong.rules import R
from replay.engine.dagong.settlement import bonus_coins, stakes
from replay.engine.dagong.types import Types
from replay.engine.rule import RuleClass
from replay.messages import LANGS, has, keys, text
from schema.cards import parse_cards
from schema.events import SCHEMAS, ClimbingBonus, ClimbingBonusKind, Fact, type_word
from schema.options import DagongOptions

BOOK = (Path(__file__).parent.parent / "replay/engine/dagong/RULES.md").read_text()
SCHEMA = SCHEMAS["dagong/1"]
BROKEN = tuple(rule for rule in R if rule.kind is not RuleClass.DEFINITION)


class Entry(Struct, frozen=True):
    """One rule of the book: its class, its sentence, the source's words, its notes."""

    kind: str
    sentence: str
    source: str
    notes: str


def _entries() -> dict[str, Entry]:
    parts = re.split(r"^### (dagong-\d+\.\d+) — (\w+)\n", BOOK, flags=re.MULTILINE)
    return {
        id: _entry(kind, re.split(r"^#|^\|", body, maxsplit=1, flags=re.MULTILINE)[0])
        for id, kind, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
    }


def _entry(kind: str, body: str) -> Entry:
    sentence, source, *notes = body.strip().split("\n\n")
    assert source.startswith("> ")
    return Entry(kind, " ".join(sentence.split()), source[2:], " ".join(notes))


def _rows(heading: str) -> list[tuple[str, ...]]:
    """The cells of all tables under a heading, head rows left out."""
    found = re.search(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", BOOK, re.MULTILINE | re.DOTALL)
    assert found, f"the book has no heading {heading!r}"
    lines = re.findall(r"^\|(.*)\|\n(?!\|---)", found.group(1), re.MULTILINE)
    return [tuple(cell.strip() for cell in line.split("|")) for line in lines if line[:3] != "---"]


ENTRIES = _entries()


# Rules


def test_book_and_code_have_the_same_rules_of_the_same_class_in_the_same_order() -> None:
    """Every id of the code is in the book and every rule of the book in the code."""
    in_book = [(id, entry.kind) for id, entry in ENTRIES.items()]
    assert in_book == [(rule.id, rule.kind.value) for rule in R]


@pytest.mark.parametrize("rule", R, ids=lambda rule: rule.id)
def test_book_and_catalogue_say_the_same_words(rule: R) -> None:
    """The English sentence and the source's words stand in both, the Chinese in the catalogue."""
    entry = ENTRIES[rule.id]
    assert text("en", f"rule.{rule.id}") == entry.sentence
    assert {text(lang, f"source.{rule.id}") for lang in LANGS} == {entry.source}
    assert re.search(r"[\u4e00-\u9fff]", text("zh", f"rule.{rule.id}"))


@pytest.mark.parametrize("rule", R, ids=lambda rule: rule.id)
def test_a_rule_cites_the_source_or_says_what_it_derives_from(rule: R) -> None:
    """Its words stand in 「」; what the text does not settle says so."""
    source = ENTRIES[rule.id].source
    assert re.search("「[^「」]+」", source) or "条文未定" in source
    assert source.count("「") == source.count("」")


@pytest.mark.parametrize("lang", LANGS)
def test_the_rules_that_can_be_broken_and_no_others_have_a_sentence_for_it(lang: str) -> None:
    """One `breach.` sentence for each rule that blocks, is conduct, or judges a claim."""
    of_breaches = {key for key in keys(lang) if key.startswith("breach.dagong-")}
    assert of_breaches == {f"breach.{rule.id}" for rule in BROKEN}


def test_every_section_of_the_book_has_its_name_in_the_catalogue() -> None:
    """The headings, numbered as the rules are, in both languages."""
    numbers = {rule.id.split(".")[0] for rule in R}
    headings = dict(re.findall(r"^## (\d+)\. (.*)$", BOOK, re.MULTILINE))
    assert {f"dagong-{number}" for number in headings} == numbers
    for number, heading in headings.items():
        assert heading.startswith(text("en", f"section.dagong-{number}"))
        assert has("zh", f"section.dagong-{number}")


def test_every_rule_that_the_book_refers_to_exists() -> None:
    """Numbers such as 8.6 in notes and tables are rules."""
    numbers = {f"dagong-{number}" for number in re.findall(r"(?<![\d.])\d+\.\d+(?![\d.])", BOOK)}
    assert numbers - {rule.id for rule in R} == set()


def test_the_book_names_its_version() -> None:
    """The version is the one that the head of a new log names."""
    assert f"`{RULES_VERSION}`" in BOOK


def test_the_table_of_what_blocks_agrees_with_the_classes() -> None:
    """Every rule that blocks or is conduct stands there once, with its class."""
    listed = {
        f"dagong-{number}": kind
        for _, numbers, kind in _rows("What blocks, what is conduct")
        for number in re.findall(r"\d+\.\d+", numbers)
    }
    classes = (RuleClass.BLOCKS, RuleClass.CONDUCT)
    assert listed == {rule.id: rule.kind.value for rule in R if rule.kind in classes}


# What the text leaves open


def test_open_points_are_numbered_without_a_gap_and_those_cited_exist() -> None:
    """A1, A2, A3 … and every A-number in the book is one of them."""
    numbers = [row[0] for row in _rows("What the text leaves open")]
    assert numbers == [f"A{n}" for n in range(1, len(numbers) + 1)]
    assert set(re.findall(r"\bA\d+\b", BOOK)) == set(numbers)


def test_every_option_answers_an_open_point() -> None:
    """Each option but the base stands beside the question it settles, and no other word does."""
    answers = " ".join(row[3] for row in _rows("What the text leaves open"))
    named = set(re.findall(r"`(\w+)`", answers))
    assert named == set(DagongOptions.__struct_fields__) - {"base"}


def test_a_note_names_an_option_only_beside_its_open_point() -> None:
    """`A27 (`pass_binds`)` in a note is what the table has in the row of A27."""
    rows = {
        row[0]: set(re.findall(r"`(\w+)`", row[3])) for row in _rows("What the text leaves open")
    }
    for id, entry in ENTRIES.items():
        for point, options in re.findall(r"(A\d+) \(([^)]*`)\)", entry.notes):
            assert set(re.findall(r"`(\w+)`", options)) <= rows[point], id


# Options


def _words_of(name: str) -> tuple[str, ...]:
    """The words that an option can be; none for a number."""
    hint = get_type_hints(DagongOptions)[name]
    return get_args(hint) if get_origin(hint) is Literal else ()


def test_every_option_and_each_of_its_words_is_in_the_book_with_its_default() -> None:
    """In the order of the struct; the default is that of the preset for new matches."""
    defaults = asdict(DEFAULT)
    expected = []
    for name in DagongOptions.__struct_fields__:
        if not _words_of(name):
            expected.append((name, str(defaults[name])))
        for word in _words_of(name):
            expected.append((f"{name}.{word}", "✓" if word == defaults[name] else ""))
    found, name = [], ""
    for first, value, default, _ in _rows("Options"):
        name = first.strip("`") or name
        found.append((f"{name}.{value.strip('`')}" if "`" in value else name, default))
    assert found == expected


def test_the_book_says_what_the_other_preset_differs_in() -> None:
    """`faq` is `default` but for `call_rule`."""
    assert set(PRESETS) == {"default", "faq"}
    faq, default = asdict(PRESETS["faq"]), asdict(DEFAULT)
    differing = {name: word for name, word in faq.items() if word != default[name]}
    assert differing == {"call_rule": "random_single"}
    assert "`faq` differs from it in `call_rule` = `random_single`" in " ".join(BOOK.split())


# Events, tables


def test_every_kind_of_event_is_in_the_book_as_fact_or_claim() -> None:
    """The two tables hold all kinds of the event schema, each where it belongs."""
    rows = [row for row in _rows("Events") if len(row) == 3 and row[0].startswith("`")]
    listed = [row[0].strip("`") for row in rows]
    facts = {type_word(SCHEMA, kind) for kind in SCHEMA.kinds if issubclass(kind, Fact)}
    claims = {type_word(SCHEMA, kind) for kind in SCHEMA.kinds} - facts
    assert set(listed[: len(facts)]) == facts
    assert set(listed[len(facts) :]) == claims
    assert len(listed) == len(SCHEMA.kinds)


BOMBS = (
    *("3s 3h 3c", "3s 3h 3c 3d", "5s Th Kc", "3s 3s 3h 3h 3c", "5d Td Kd", "5c Tc Kc"),
    *("5h Th Kh", "5s Ts Ks", "3s 3s 3h 3h 3c 3c", "Bj Rj", "3s 3s 3h 3h 3c 3c 3d"),
    *("Bj Bj Rj", "3s 3s 3h 3h 3c 3c 3d 3d", "Bj Bj Rj Rj"),
)
"""One bomb of each level, in the order of the book."""


def test_the_order_of_bombs_in_the_book_is_that_of_the_engine() -> None:
    """One bomb of each level: sizes as the table has them, powers rising."""
    rows = [row for row in _rows("5. Which play beats which (大小)") if row[0].isdigit()]
    plays = [Types(DEFAULT).readings(parse_cards(bomb))[0] for bomb in BOMBS]
    assert [row[2] for row in rows] == [str(len(play.cards)) for play in plays]
    assert [play.power[0] for play in plays] == [int(row[0]) for row in rows]


def test_the_coins_in_the_book_are_those_of_the_engine() -> None:
    """For a base of 1 and the default options: what each winner and each loser of a hand gets."""
    rows = {
        row[0]: row[1:] for row in _rows("11. Coins and the sequence of hands (结算与局的次序)")
    }
    fans = {
        "by points, or 100 to 100 decided by 末游": 1,
        "清": DEFAULT.qing_fan,
        "绑": DEFAULT.bang_fan,
        "光头": DEFAULT.guangtou_fan,
    }
    won, lost = stakes(1, DEFAULT.solo_fan, 1), stakes(1, DEFAULT.solo_fan, 3)
    expected = {hand: tuple(_signed(*stakes(1, fan, 2))) for hand, fan in fans.items()}
    expected["硬牌 won"] = (f"soloist +{won[0]}", f"−{won[1]}")
    expected["硬牌 lost"] = (f"+{lost[0]}", f"soloist −{lost[1]}")
    assert {hand: rows[hand] for hand in expected} == expected


def _signed(gain: int, loss: int) -> tuple[str, str]:
    return f"+{gain}", f"−{loss}"


@pytest.mark.parametrize(
    ("dealt", "kinds"),
    [
        ("天炸, 7喜", (ClimbingBonusKind.TIANZHA, ClimbingBonusKind.XI7)),
        ("8喜", (ClimbingBonusKind.XI8,)),
    ],
)
def test_the_bonuses_in_the_book_are_those_of_the_engine(
    dealt: str, kinds: tuple[ClimbingBonusKind, ...]
) -> None:
    """For a base of 1: what the seat gets to which it was dealt, and what each other pays."""
    rows = {
        row[0]: row[1:] for row in _rows("11. Coins and the sequence of hands (结算与局的次序)")
    }
    for kind in kinds:
        holder, *others = bonus_coins(DEFAULT, 1, (ClimbingBonus(0, kind),))
        assert len(set(others)) == 1
        assert rows[dealt] == _signed(holder, -others[0])


# Words


@pytest.mark.parametrize("word", ["round", "rounds", "banker", "kitty", "cheat", "作弊"])
def test_the_book_uses_the_words_of_the_glossary(word: str) -> None:
    """A hand is a hand, a trick a trick, the dealer the dealer; a broken rule is just that."""
    assert re.findall(rf"\b{word}", BOOK, re.IGNORECASE) == []
