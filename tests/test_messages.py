"""The catalogue: both languages say the same things, and everything that has a name is in it."""

import ast
import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from msgspec import Struct

from replay.engine.chaodipi.order import LEVELS
from replay.messages import LANGS, has, keys, merged, slots_of, text
from schema.cards import RANKS, SUITS
from schema.chaodipi import (
    ChaodipiEffect,
    ChaodipiResult,
)
from schema.damage import Fault
from schema.events import (
    AbortReason,
    By,
    Claim,
    ClimbingBonusKind,
    ClimbingResult,
    Event,
    PlayKind,
)
from schema.gunzi import BottomFate, GunziEnding, GunziResult
from schema.schemas import SCHEMAS, Schema, type_word
from schema.trumps import Named, Trump

ROOT = Path(__file__).parent.parent
EVENTS: list[tuple[Schema, type[Event]]] = [
    (schema, kind) for schema in SCHEMAS.values() for kind in schema.kinds
]


# Both languages


def test_both_languages_have_the_same_keys() -> None:
    """Nothing is said in one language alone."""
    zh, en = keys("zh"), keys("en")
    assert (sorted(zh - en), sorted(en - zh)) == ([], [])


def test_both_languages_have_the_same_slots() -> None:
    """A sentence tells as much in Chinese as in English."""
    differing = {
        key: (slots_of("zh", key), slots_of("en", key))
        for key in keys("zh") & keys("en")
        if slots_of("zh", key) != slots_of("en", key)
    }
    assert differing == {}


@pytest.mark.parametrize("lang", LANGS)
def test_no_sentence_is_empty_or_has_spaces_about_it(lang: str) -> None:
    """Whoever shows a sentence sets the space about it."""
    filled = {key: text(lang, key, **dict.fromkeys(slots_of(lang, key), "x")) for key in keys(lang)}
    assert [key for key, sentence in filled.items() if sentence != (sentence.strip() or None)] == []


@pytest.mark.parametrize("word", ["round", "rounds", "banker", "kitty", "cheat", "作弊"])
def test_the_catalogue_uses_the_words_of_the_glossary(word: str) -> None:
    """A hand is a hand, a trick a trick, the dealer the dealer; a broken rule is just that."""
    sentences = [
        text(lang, key, **dict.fromkeys(slots_of(lang, key), "x"))
        for lang in LANGS
        for key in keys(lang)
    ]
    assert [said for said in sentences if re.search(rf"\b{word}", said, re.IGNORECASE)] == []


# Asking


def test_a_sentence_has_its_slots_filled() -> None:
    """Slots that it does not name are ignored, so a caller may give all it has."""
    said = text("en", "breach.dagong-5.1", seat=1, cards="5h", expected="> 7c", found="5h")
    assert said == "seat 1 played 5h, which had to be > 7c; it lies on the table now"


def test_ranks_and_suits_are_taken_in_notation() -> None:
    """`T` is read as 10 and `s` as 黑桃; a word that is no notation stays as it is."""
    assert text("zh", "play.pair", rank="T") == "对10"
    assert text("zh", "play.wsk_pure", suit="s") == "黑桃正五十K"
    assert text("en", "play.pair", rank="?") == "pair of ?s"


def test_a_value_that_looks_like_a_slot_is_not_filled() -> None:
    """What a player wrote is never read as a template."""
    assert text("en", "event.passed", seat="{cards}") == "{cards} passes"


@pytest.mark.parametrize(
    ("lang", "key", "says"),
    [
        ("en", "play.no_such", ("'play.no_such'", "'en'")),
        ("fr", "play.pass", ("'fr'", "zh, en")),
        ("zh", "event.played", ("'event.played'", "'zh'", "'seat' is missing", "cards, seat")),
    ],
)
def test_a_key_or_slot_that_is_not_there_is_named(
    lang: str, key: str, says: tuple[str, ...]
) -> None:
    """The error says which language, which key and which slot."""
    with pytest.raises(KeyError) as caught:
        text(lang, key, cards="5h")
    assert [part for part in says if part not in caught.value.args[0]] == []


def test_has_tells_what_text_would_say() -> None:
    """A key that is there, and one that is not."""
    assert has("zh", "play.pass")
    assert not has("zh", "play.no_such")


def test_a_key_in_two_files_is_an_error() -> None:
    """Neither of two sentences wins silently."""
    with pytest.raises(ValueError, match=r"'play\.pass' stands in a\.toml and again in b\.toml"):
        merged({"a.toml": '[play]\npass = "pass"', "b.toml": '"play.pass" = "no"'})


def test_a_value_that_is_no_sentence_is_an_error() -> None:
    """Numbers and lists have no place in a catalogue."""
    with pytest.raises(ValueError, match=r"a\.toml: 'play\.pass' is 3, not a sentence"):
        merged({"a.toml": "[play]\npass = 3"})


# Everything that has a name


@pytest.mark.parametrize("fault", Fault, ids=lambda fault: fault.value)
def test_every_fault_of_the_bytes_has_its_sentence(fault: Fault) -> None:
    """It says what was expected and found, and needs nothing else but the place."""
    slots = slots_of("en", f"format.{fault.value}")
    assert {"expected", "found"} <= slots <= {"record", "offset", "expected", "found"}


def test_no_fault_has_a_sentence_that_does_not_exist() -> None:
    """What is gone from the format is gone from the catalogue; a stated gap is told likewise."""
    said = {key.removeprefix("format.") for key in keys("en") if key.startswith("format.")}
    assert said == {fault.value for fault in Fault} | {"recovered"}


def test_a_finding_about_a_rule_needs_no_slot_that_a_breach_has_not() -> None:
    """Seat, cards, expected and found: that is all the engine tells."""
    foreign = {
        key: slots_of("en", key) - {"seat", "cards", "expected", "found"}
        for key in keys("en")
        if key.startswith("breach.")
    }
    assert {key for key, slots in foreign.items() if slots} == set()


@pytest.mark.parametrize(
    ("schema", "kind"), EVENTS, ids=lambda value: getattr(value, "__name__", "")
)
def test_every_kind_of_event_has_a_name_and_a_line(schema: Schema, kind: type[Event]) -> None:
    """The line has only slots that are fields of the event."""
    word = type_word(schema, kind)
    assert has("en", f"kind.{word}")
    assert slots_of("en", f"event.{word}") <= set(kind.__struct_fields__)
    if issubclass(kind, Claim):
        assert text("en", f"claim.{word}") == text("en", f"kind.{word}")


def _fields(struct: type[Struct]) -> Iterator[str]:
    """The fields of a struct and of the structs in it."""
    for name, hint in get_type_hints(struct).items():
        if name in struct.__struct_fields__:
            yield name
            for inner in (hint, *get_args(hint)):
                if isinstance(inner, type) and issubclass(inner, Struct):
                    yield from _fields(inner)


def test_every_field_of_a_claim_has_a_name() -> None:
    """A finding about a claim names the fields that differ."""
    names = {name for _, kind in EVENTS if issubclass(kind, Claim) for name in _fields(kind)}
    assert {"deltas", "balances", "kind"} <= names
    assert [name for name in sorted(names) if not has("en", f"field.{name}")] == []


@pytest.mark.parametrize(
    ("prefix", "enums"),
    [
        ("result", (ClimbingResult, ChaodipiResult, GunziResult)),
        ("effect", (ChaodipiEffect, GunziEnding)),
        ("ending", (GunziEnding,)),
        ("fate", (BottomFate,)),
        ("trump", (Trump,)),
        ("named", (Named,)),
        ("bonus", (ClimbingBonusKind,)),
        ("by", (By,)),
        ("abort", (AbortReason,)),
    ],
)
def test_every_word_of_an_enum_has_a_name(prefix: str, enums: tuple[type[Enum], ...]) -> None:
    """And there is no name for a word that no enum has."""
    named = {key for key in keys("en") if key.startswith(f"{prefix}.")}
    assert named == {f"{prefix}.{member.name.lower()}" for enum in enums for member in enum}


def test_every_level_has_a_name() -> None:
    """A claim states levels as numbers; people read 2 to A, and 扛旗."""
    named = {key for key in keys("en") if key.startswith("level.")}
    assert named == {f"level.{level}" for level in range(len(LEVELS))}
    ranks = [text("zh", f"level.{level}") for level in range(13)]
    assert ranks == [rank.replace("T", "10") for rank in LEVELS[:-1]]


def test_every_option_and_each_of_its_words_has_a_name() -> None:
    """And there is no name for an option or word that a table cannot have."""
    expected = set()
    hints = [item for s in SCHEMAS.values() for item in get_type_hints(s.options).items()]
    for name, hint in hints:
        expected.add(f"option.{name}")
        expected |= {f"option.{name}.{word}" for word in get_args(hint) if isinstance(word, str)}
    assert {key for key in keys("en") if key.startswith("option.")} == expected


def test_every_card_has_a_name() -> None:
    """Ranks, suits, and both jokers."""
    parts = [*(f"rank.{rank}" for rank in (*RANKS, "Bj", "Rj")), *(f"suit.{s}" for s in SUITS)]
    assert [part for part in (*parts, "Bj", "Rj") if not has("zh", f"card.{part}")] == []


def test_plays_with_a_line_and_plays_with_a_name_are_the_same() -> None:
    """`play.` says what lies on the table, `type.` names the type alone, without slots."""
    lines = {key.removeprefix("play.") for key in keys("en") if key.startswith("play.")}
    names = {key.removeprefix("type.") for key in keys("en") if key.startswith("type.")}
    assert lines - {"single_joker", "yaobai_bombs"} == names
    assert [name for name in names if slots_of("en", f"type.{name}")] == []


def test_every_type_that_can_be_declared_has_a_name() -> None:
    """A play with a declared reading names its type."""
    assert [kind for kind in PlayKind if not has("zh", f"type.{kind.name.lower()}")] == []


def test_every_game_has_a_name() -> None:
    """And there is no name for a game that has no log."""
    named = {key for key in keys("en") if key.startswith("game.")}
    assert named == {f"game.{schema.game}" for schema in SCHEMAS.values()}


# What the code asks for


def _asked(path: Path) -> Iterator[tuple[str, bool]]:
    """Every string of a module that can only be a key; or, of an f-string, the beginning of one."""
    prefixes = "|".join({key.split(".")[0] for key in keys("en")} - {"view"})
    key = re.compile(rf"({prefixes})\.[a-z0-9_]*")
    tree = ast.parse(path.read_text())
    parts = [node.values for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    begins = {id(values[0]) for values in parts}
    others = {id(value) for values in parts for value in values} - begins
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in others:
            continue
        if isinstance(node.value, str) and key.fullmatch(node.value):
            yield node.value, id(node) in begins


def test_keys_are_found_in_code() -> None:
    """Both ways in which the board of a climbing hand names its keys."""
    asked = set(_asked(ROOT / "replay/engine/climbing/view.py"))
    assert {("ask.lead", False), ("mark.place_", True)} <= asked


MODULES = [*sorted((ROOT / "replay/engine").rglob("*.py")), *sorted((ROOT / "replay").glob("*.py"))]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_key_that_the_code_names_is_there(path: Path) -> None:
    """The engine speaks in keys; what an f-string begins with is the beginning of one at least."""
    known = keys("en")
    missing = [
        asked
        for asked, begins in _asked(path)
        if not (any(key.startswith(asked) for key in known) if begins else asked in known)
    ]
    assert missing == []


def test_one_is_no_plural() -> None:
    """In English one card is no cards; what is left open for a script stays open."""
    key = "obligation.follow"
    assert text("en", key, n=1, suit="♠").startswith("must play 1 card,")
    assert text("en", key, n="12", suit="♠").startswith("must play 12 cards,")
    assert "{n} card{n:+s}" in text("en", key, n="{n}", suit="♠")
    assert slots_of("en", key) == slots_of("zh", key)
