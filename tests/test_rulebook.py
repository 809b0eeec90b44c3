"""The rule book of a game says what its code does: ids, classes, options, events, tables."""

import re
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from msgspec.structs import asdict

from replay.engine.climbing.settlement import stakes
from replay.engine.mechanics.plays import beats
from replay.engine.registry import game_names
from replay.engine.rule import Rule, RuleClass
from replay.messages import LANGS, has, keys, text
from schema.cards import parse_cards
from schema.events import ClimbingBonus, ClimbingBonusKind, Fact
from schema.schemas import type_word
from tests.rulebooks import BOOKS, CHIBI_DAGUN, CLIMBING, DAGONG, THREES, Book, ClimbingBook

RULES = [(book, rule) for book in BOOKS for rule in book.rules]

of_every_book = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.game)
of_every_climbing_book = pytest.mark.parametrize("book", CLIMBING, ids=lambda book: book.game)
of_every_rule = pytest.mark.parametrize(("book", "rule"), RULES, ids=[rule.id for _, rule in RULES])


def test_every_game_has_a_book() -> None:
    """What is judged is judged by a book that stands here."""
    assert [book.game for book in BOOKS] == list(game_names())


# Rules


@of_every_book
def test_book_and_code_have_the_same_rules_of_the_same_class_in_the_same_order(book: Book) -> None:
    """Every id of the code is in the book and every rule of the book in the code."""
    in_book = [(id, entry.kind) for id, entry in book.entries.items()]
    assert in_book == [(rule.id, rule.kind.value) for rule in book.rules]


@of_every_rule
def test_book_and_catalogue_say_the_same_words(book: Book, rule: Rule) -> None:
    """The English sentence and the source's words stand in both, the Chinese in the catalogue."""
    entry = book.entries[rule.id]
    assert text("en", f"rule.{rule.id}") == entry.sentence
    assert {text(lang, f"source.{rule.id}") for lang in LANGS} == {entry.source}
    assert re.search(r"[\u4e00-\u9fff]", text("zh", f"rule.{rule.id}"))


@of_every_rule
def test_a_rule_cites_the_source_or_says_what_it_derives_from(book: Book, rule: Rule) -> None:
    """Its words stand in 「」; what the text does not settle says so."""
    source = book.entries[rule.id].source
    assert re.search("「[^「」]+」", source) or "条文未定" in source
    assert source.count("「") == source.count("」")


@of_every_book
@pytest.mark.parametrize("lang", LANGS)
def test_the_rules_that_can_be_broken_and_no_others_have_a_sentence_for_it(
    lang: str, book: Book
) -> None:
    """One `breach.` sentence for each rule that blocks, is conduct, or judges a claim."""
    of_breaches = {key for key in keys(lang) if key.startswith(f"breach.{book.game}-")}
    broken = [rule for rule in book.rules if rule.kind is not RuleClass.DEFINITION]
    assert of_breaches == {f"breach.{rule.id}" for rule in broken}


@of_every_book
def test_every_section_of_the_book_has_its_name_in_the_catalogue(book: Book) -> None:
    """The headings, numbered as the rules are, in both languages."""
    numbers = {rule.id.split(".")[0] for rule in book.rules}
    headings = dict(re.findall(r"^## (\d+)\. (.*)$", book.text, re.MULTILINE))
    assert {f"{book.game}-{number}" for number in headings} == numbers
    for number, heading in headings.items():
        assert heading.startswith(text("en", f"section.{book.game}-{number}"))
        assert has("zh", f"section.{book.game}-{number}")


@of_every_book
def test_every_rule_that_the_book_refers_to_exists(book: Book) -> None:
    """Numbers such as 8.6 in notes and tables are rules."""
    assert set(book.numbered(book.text)) - {rule.id for rule in book.rules} == set()


@of_every_book
def test_the_book_names_its_version(book: Book) -> None:
    """The version is the one that the head of a new log names."""
    assert f"`{book.version}`" in book.text


@of_every_book
def test_the_table_of_what_blocks_agrees_with_the_classes(book: Book) -> None:
    """Every rule that blocks or is conduct stands there, always with its class."""
    listed = {
        (id, kind)
        for _, numbers, kind in book.rows("What blocks, what is conduct")
        for id in book.numbered(numbers)
    }
    classes = (RuleClass.BLOCKS, RuleClass.CONDUCT)
    assert listed == {(rule.id, rule.kind.value) for rule in book.rules if rule.kind in classes}


# What the text leaves open


@of_every_book
def test_open_points_are_numbered_without_a_gap_and_those_cited_exist(book: Book) -> None:
    """A1, A2, A3 … and every A-number in the book is one of them."""
    numbers = [row[0] for row in book.rows("What the text leaves open")]
    assert numbers == [f"A{n}" for n in range(1, len(numbers) + 1)]
    assert set(re.findall(r"\bA\d+\b", book.text)) == set(numbers)


@of_every_book
def test_every_option_answers_an_open_point(book: Book) -> None:
    """Each option but the base stands beside the question it settles, and no other word does."""
    answers = " ".join(row[3] for row in book.rows("What the text leaves open"))
    named = set(re.findall(r"`(\w+)`", answers))
    assert named == set(book.default.__struct_fields__) - {"base"}


@of_every_book
def test_a_note_names_an_option_only_beside_its_open_point(book: Book) -> None:
    """`A27 (`pass_binds`)` in a note is what the table has in the row of A27."""
    rows = {
        row[0]: set(re.findall(r"`(\w+)`", row[3]))
        for row in book.rows("What the text leaves open")
    }
    for id, entry in book.entries.items():
        for point, options in re.findall(r"(A\d+) \(([^)]*`)\)", entry.notes):
            assert set(re.findall(r"`(\w+)`", options)) <= rows[point], id


# Options


def _words_of(book: Book, name: str) -> tuple[str, ...]:
    """The words that an option can be; none for a number."""
    hint = get_type_hints(book.schema.options)[name]
    return get_args(hint) if get_origin(hint) is Literal else ()


@of_every_book
def test_every_option_and_each_of_its_words_is_in_the_book_with_its_default(book: Book) -> None:
    """In the order of the struct; the default is that of the preset for new matches."""
    defaults = asdict(book.default)
    expected = []
    for name in book.schema.options.__struct_fields__:
        if not _words_of(book, name):
            expected.append((name, str(defaults[name])))
        for word in _words_of(book, name):
            expected.append((f"{name}.{word}", "✓" if word == defaults[name] else ""))
    found, name = [], ""
    for first, value, default, _ in book.rows("Options"):
        name = first.strip("`") or name
        found.append((f"{name}.{value.strip('`')}" if "`" in value else name, default))
    assert found == expected


@of_every_book
def test_the_book_says_what_the_other_preset_differs_in(book: Book) -> None:
    """The one that is not `default`, option by option."""
    (other,) = set(book.presets) - {"default"}
    default = asdict(book.default)
    differing = {
        name: word for name, word in asdict(book.presets[other]).items() if word != default[name]
    }
    said = re.search(
        rf"preset `{other}` differs from it in ((?:`\w+` = `\w+`(?:, )?)+)",
        " ".join(book.text.split()),
    )
    assert said
    assert dict(re.findall(r"`(\w+)` = `(\w+)`", said.group(1))) == differing


# Events, tables


@of_every_book
def test_every_kind_of_event_is_in_the_book_as_fact_or_claim(book: Book) -> None:
    """The two tables hold all kinds of the event schema, each where it belongs."""
    schema = book.schema
    rows = [row for row in book.rows("Events") if len(row) == 3 and row[0].startswith("`")]
    listed = [row[0].strip("`") for row in rows]
    facts = {type_word(schema, kind) for kind in schema.kinds if issubclass(kind, Fact)}
    claims = {type_word(schema, kind) for kind in schema.kinds} - facts
    assert set(listed[: len(facts)]) == facts
    assert set(listed[len(facts) :]) == claims
    assert len(listed) == len(schema.kinds)


def _levels(book: ClimbingBook) -> list[tuple[str, ...]]:
    return [row for row in book.rows(book.levels) if row[0].isdigit()]


@of_every_climbing_book
def test_the_order_of_bombs_in_the_book_is_that_of_the_engine(book: ClimbingBook) -> None:
    """One bomb of each level: sizes as the table has them, each beating all before it."""
    rows = _levels(book)
    plays = [book.classify(parse_cards(bomb))[0] for bomb in book.bombs]
    assert [row[0] for row in rows] == [str(n) for n in range(1, len(plays) + 1)]
    assert [row[2] for row in rows] == [str(len(play.cards)) for play in plays]
    for n, higher in enumerate(plays):
        assert higher.power
        assert all(beats(higher, lower) and not beats(lower, higher) for lower in plays[:n])


def test_the_engine_numbers_the_bombs_of_dagong_as_the_book_does() -> None:
    """A level of the book is what bombs of 打拱 are compared by first."""
    plays = [DAGONG.classify(parse_cards(bomb))[0] for bomb in DAGONG.bombs]
    assert [play.power[0] for play in plays] == [int(row[0]) for row in _levels(DAGONG)]


@pytest.mark.parametrize("n", range(4, 13))
def test_bombs_with_jokers_stand_on_the_level_of_their_number(n: int) -> None:
    """chibi_dagun-5.7, 8.5: two jokers and more cards of a rank; one card more is a level more."""
    rows = _levels(CHIBI_DAGUN)
    (level,) = [int(row[0]) for row in rows if re.match(rf"{n}炸弹", row[1])]
    jokers = ["Bj", "Bj", "Rj", "Rj"][: max(2, n - 8)]
    cards = [*THREES.split()[: n - len(jokers)], *jokers]
    play = CHIBI_DAGUN.classify(parse_cards(" ".join(cards)))[0]
    same = CHIBI_DAGUN.classify(parse_cards(CHIBI_DAGUN.bombs[level - 1]))[0]
    assert play.power == same.power


@of_every_climbing_book
def test_the_coins_in_the_book_are_those_of_the_engine(book: ClimbingBook) -> None:
    """For a base of 1 and the default options: what each winner and each loser of a hand gets."""
    rows = {row[0]: row[1:] for row in book.rows(book.coins)}
    won, lost = stakes(1, book.solo_fan, 1), stakes(1, book.solo_fan, 3)
    expected = {hand: tuple(_signed(*stakes(1, fan, 2))) for hand, fan in book.fans.items()}
    expected["硬牌 won"] = (f"soloist +{won[0]}", f"−{won[1]}")
    expected["硬牌 lost"] = (f"+{lost[0]}", f"soloist −{lost[1]}")
    assert {hand: rows[hand] for hand in expected} == expected


def _signed(gain: int, loss: int) -> tuple[str, str]:
    return f"+{gain}", f"−{loss}"


@of_every_climbing_book
@pytest.mark.parametrize(
    ("dealt", "kinds"),
    [
        ("天炸, 7喜", (ClimbingBonusKind.TIANZHA, ClimbingBonusKind.XI7)),
        ("8喜", (ClimbingBonusKind.XI8,)),
    ],
)
def test_the_bonuses_in_the_book_are_those_of_the_engine(
    dealt: str, kinds: tuple[ClimbingBonusKind, ...], book: ClimbingBook
) -> None:
    """For a base of 1: what the seat gets to which it was dealt, and what each other pays."""
    rows = {row[0]: row[1:] for row in book.rows(book.coins)}
    for kind in kinds:
        holder, *others = book.bonus(ClimbingBonus(0, kind))
        assert len(set(others)) == 1
        assert rows[dealt] == _signed(holder, -others[0])


# Words


@of_every_book
@pytest.mark.parametrize("word", ["round", "rounds", "banker", "kitty", "cheat", "作弊"])
def test_the_book_uses_the_words_of_the_glossary(word: str, book: Book) -> None:
    """A hand is a hand, a trick a trick, the dealer the dealer; a broken rule is just that."""
    assert re.findall(rf"\b{word}", book.text, re.IGNORECASE) == []
