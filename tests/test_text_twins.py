"""Text twins: one field, written down once, and every value of it there and back."""

from enum import IntEnum
from types import NoneType, UnionType
from typing import Annotated, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct
from msgspec.structs import replace

from schema.cards import Card, cards_text
from schema.chaodipi import (
    BottomTaken,
    ChaodipiCarry,
    ThrowJudged,
    TrumpSet,
)
from schema.events import (
    AbortReason,
    By,
    CallDrawn,
    ClimbingBonus,
    ClimbingBonusKind,
    ClimbingCarry,
    ClimbingOpening,
    ClimbingResult,
    ClimbingSettled,
    Dealt,
    Event,
    HandAborted,
    HandEnded,
    HandStarted,
    Passed,
    Played,
    PlayedAs,
    PlayKind,
    PlayRank,
    Refused,
    SoloAnswered,
    TrickWon,
    TurnedUp,
)
from schema.gunzi import GunziCarry, JokersBuried
from schema.records import Recovered
from schema.schemas import SCHEMAS, type_word
from schema.strict import ENCODER
from schema.textlines import codec_named
from schema.texttwins import make_twin
from schema.trumps import Trump
from tests import format_chaodipi as chaodipi
from tests import format_gunzi as gunzi
from tests.format_chaodipi import DECLARED
from tests.format_tables import CARDS

CODECS = {schema_id: codec_named(schema_id) for schema_id in SCHEMAS}
CODEC = CODECS["dagong/1"]
KINDS: list[tuple[str, type[Struct]]] = [
    *((schema.id, kind) for schema in SCHEMAS.values() for kind in schema.kinds),
    *((schema_id, Recovered) for schema_id in SCHEMAS),
]
STRUCTS: set[type[Struct]] = {
    *(kind for _, kind in KINDS),
    *(schema.options for schema in SCHEMAS.values()),
    ClimbingCarry,
    ClimbingBonus,
    ChaodipiCarry,
    GunziCarry,
}


def _values(annotation: object) -> st.SearchStrategy[object]:
    """Any value that the annotation allows, bounds included."""
    if annotation in CARDS:
        return st.binary(max_size=_bounds(annotation).max_length).map(_as_cards)
    if get_origin(annotation) is Annotated:
        return _bounded(get_args(annotation)[0], _bounds(annotation))
    if get_origin(annotation) in (Union, UnionType):
        return st.one_of([_values(member) for member in get_args(annotation)])
    if get_origin(annotation) is tuple:
        return st.tuples(*[_values(item) for item in get_args(annotation)])
    if annotation is bool:
        return st.booleans()
    if annotation is NoneType:
        return st.none()
    if isinstance(annotation, type) and issubclass(annotation, IntEnum):
        return st.sampled_from(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return _structs(annotation)
    raise AssertionError(f"no values for {annotation!r}")


def _bounds(annotation: object) -> Meta:
    meta = get_args(annotation)[1]
    assert isinstance(meta, Meta)
    return meta


def _as_cards(data: bytes) -> bytes:
    return bytes(byte % 54 for byte in data)


def _bounded(inner: object, meta: Meta) -> st.SearchStrategy[object]:
    least, most = meta.min_length or 0, meta.max_length
    if inner is int:
        assert isinstance(meta.ge, int)
        return st.integers(meta.ge, meta.le if isinstance(meta.le, int) else int(meta.lt or 0) - 1)
    if inner is bytes:
        return st.binary(min_size=least, max_size=most)
    if inner is str:
        return st.text(st.characters(exclude_categories=["Cs"]), min_size=least, max_size=most)
    item, dots = get_args(inner)
    assert dots is ...
    return st.lists(_values(item), min_size=least, max_size=most).map(tuple)


def _structs(struct: type[Struct]) -> st.SearchStrategy[Struct]:
    hints = get_type_hints(struct, include_extras=True)
    return st.builds(struct, *[_values(hints[name]) for name in struct.__struct_fields__])


@pytest.mark.parametrize(("schema_id", "kind"), KINDS)
def test_every_value_of_every_record_comes_back(schema_id: str, kind: type[Struct]) -> None:
    """Text and back is the same record with the same bytes, and the line is one line."""
    codec = CODECS[schema_id]

    @given(_structs(kind))
    def comes_back(record: Struct) -> None:
        assert isinstance(record, Event | Recovered)
        line = codec.line(record)
        assert line.count(b"\n") == 1
        assert b"\r" not in line
        for layout in ("canonical", "tolerant"):
            assert codec.read(line[:-1], layout) == (record, ENCODER.encode(record))

    comes_back()


CARRY = ClimbingCarry(12, 3, (5, 0, -2, -3))
BONUS = ClimbingBonus(2, ClimbingBonusKind.XI8)
SETTLED = ClimbingSettled(
    *(ClimbingResult.SOLO_WON, 4, (1,), (1, 2), (0, 95, 5, 0), 10, (0, 95, 0, 5)),
    *((BONUS,), (-5, 10, 0, -5), ClimbingCarry(13, None, (0, 0, 0, 0))),
)
SETTLED_LINE = (
    '{"type":"settled","result":"solo_won","fan":4,"winners":[1],"places":[1,2],'
    '"captured":[0,95,5,0],"left":10,"final":[0,95,0,5],"bonuses":[{"seat":2,"kind":"xi8"}],'
    '"deltas":[-5,10,0,-5],"next":{"hand_no":13,"dealer":null,"balances":[0,0,0,0]}}'
)
FIRST_LINE = (
    '{"type":"opening","carry":{"hand_no":1,"dealer":null,"levels":[0,0],"failures":[0,0],'
    '"scores":[0,0,0,0],"is_over":false}}'
)
CHAODIPI_SETTLED_LINE = (
    '{"type":"settled","tricks":95,"bottom":25,"factor":4,"penalty":-10,"score":185,'
    '"result":"taken","effect":"red_five","risen":3,"deltas":[-3,3,-3,3],"next":{"hand_no":8,'
    '"dealer":2,"levels":[13,12],"failures":[1,0],"scores":[-3,3,12,3],"is_over":false}}'
)
GUNZI_FIRST_LINE = (
    '{"type":"opening","carry":{"hand_no":1,"dealer":null,"levels":[1,1],"due_for_score":0,'
    '"due_for_jokers":0,"is_over":false}}'
)
GUNZI_SETTLED_LINE = (
    '{"type":"settled","tricks":115,"fate":"captured","bottom":25,"factor":2,"score":165,'
    '"result":"match_to_attackers","ending":"three_jokers","risen":7,"next":{"hand_no":8,'
    '"dealer":2,"levels":[8,3],"due_for_score":1,"due_for_jokers":6,"is_over":false}}'
)
GUNZI_LINES = (
    '{"type":"declared","dt":300,"by":"player","seat":1,"cards":"Bj Bj Bj","named":"spades",'
    '"after":155}',
    '{"type":"declaring_closed","dt":20}',
    '{"type":"flipped","dt":1500,"by":"player","seat":2,"place":5}',
    '{"type":"drawn","dt":0,"by":"server","place":0}',
    '{"type":"redealt"}',
    '{"type":"trump_set","trump":"hearts","dealer":3}',
    '{"type":"tribute_paid","dt":3000,"by":"player","seat":2,"cards":"Rj 2d 3s"}',
    '{"type":"tribute_returned","dt":3500,"by":"trustee","seat":3,"cards":"3d 3c 3h"}',
    '{"type":"bottom_shown","cards":"3h 4h 5h 6h Th Bj","dry":true}',
    '{"type":"buried","dt":40000,"by":"player","seat":3,"cards":"Bj Th 6h 5h 4h 3h"}',
    '{"type":"jokers_buried","dt":2500,"by":"player","seat":1,"jokers":"Rj Rj","picked":"3h 4h"}',
    '{"type":"jokers_passed","dt":900,"by":"timeout","seat":0}',
)
"""What stands between deal and play of a hand of 四副滚子, as `format_gunzi.BEFORE_PLAY`."""
GAP_LINE = (
    f'{{"type":"recovered","hand":3,"events":0,"hands_lost":2,"bytes_lost":70,'
    f'"digest":"{"0f" * 32}","at":9,"reason":"\\"断电\\"\\n"}}'
)
LINES: list[tuple[Event | Recovered, str]] = [
    (
        HandStarted(bytes(range(32)), 7),
        f'{{"type":"hand_started","prev":"{bytes(range(32)).hex()}","at":7}}',
    ),
    (HandEnded(3), '{"type":"hand_ended","dt":3}'),
    (
        HandAborted(0, AbortReason.PLAYER_LEFT),
        '{"type":"hand_aborted","dt":0,"reason":"player_left"}',
    ),
    (Dealt(1, 2, b"\x00\x35\x34"), '{"type":"dealt","dt":1,"start":2,"cards":"3d Rj Bj"}'),
    (
        Played(5, By.PLAYER, 2, b"\x0a\x1c"),
        '{"type":"played","dt":5,"by":"player","seat":2,"cards":"5h Td"}',
    ),
    (
        PlayedAs(5, By.PLAYER, 2, bytes((4, 5, 2, 52)), PlayKind.PAIR_CHAIN, PlayRank.FOUR),
        '{"type":"played_as","dt":5,"by":"player","seat":2,"cards":"4d 4c 3h Bj",'
        '"kind":"pair_chain","rank":"four"}',
    ),
    (Passed(5, By.TRUSTEE, 0), '{"type":"passed","dt":5,"by":"trustee","seat":0}'),
    (TrickWon(1, 25), '{"type":"trick_won","seat":1,"points":25}'),
    (Refused(1, b""), '{"type":"refused","seat":1,"cards":""}'),
    (TurnedUp(5, 107), '{"type":"turned_up","dt":5,"index":107}'),
    (CallDrawn(5, 10), '{"type":"call_drawn","dt":5,"card":"5h"}'),
    (
        SoloAnswered(5, By.BOT, 3, True),
        '{"type":"solo_answered","dt":5,"by":"bot","seat":3,"yes":true}',
    ),
    (
        ClimbingOpening(CARRY),
        '{"type":"opening","carry":{"hand_no":12,"dealer":3,"balances":[5,0,-2,-3]}}',
    ),
    (SETTLED, SETTLED_LINE),
    (
        DECLARED,
        '{"type":"declared","dt":300,"by":"player","seat":1,"cards":"5h 5h","named":"spades",'
        '"after":99}',
    ),
    (TrumpSet(Trump.NO_TRUMP, 6), '{"type":"trump_set","trump":"no_trump","rung":6}'),
    (BottomTaken(3, b"\x35\x0a"), '{"type":"bottom_taken","seat":3,"cards":"Rj 5h"}'),
    (ThrowJudged(b"\x04\x04", (0, 2)), '{"type":"throw_judged","led":"4d 4d","beaten_by":[0,2]}'),
    (ThrowJudged(b"\x04", ()), '{"type":"throw_judged","led":"4d","beaten_by":[]}'),
    (chaodipi.FIRST, FIRST_LINE),
    (chaodipi.SETTLED, CHAODIPI_SETTLED_LINE),
    (gunzi.FIRST, GUNZI_FIRST_LINE),
    (gunzi.SETTLED, GUNZI_SETTLED_LINE),
    *zip(gunzi.BEFORE_PLAY, GUNZI_LINES, strict=True),
    (
        JokersBuried(1, By.BOT, 2, b"", b""),
        '{"type":"jokers_buried","dt":1,"by":"bot","seat":2,"jokers":"","picked":""}',
    ),
    (Recovered(3, 0, 2, 70, b"\x0f" * 32, 9, '"断电"\n'), GAP_LINE),
]


@pytest.mark.parametrize(("record", "line"), LINES, ids=[type(r).__name__ for r, _ in LINES])
def test_a_line_looks_like_this(record: Event | Recovered, line: str) -> None:
    """The spelling is part of the format, the same in every schema that has the record."""
    codecs = [CODECS[schema_id] for schema_id, kind in KINDS if kind is type(record)]
    assert codecs
    for codec in codecs:
        assert codec.line(record).decode() == line + "\n"
        assert codec.read(line.encode(), "canonical")[0] == record


def test_the_words_of_all_events() -> None:
    """An event's word is its name in snake_case without its game's or its family's."""
    every = [
        *("hand_started", "hand_ended", "hand_aborted", "dealt", "played", "trick_won", "refused"),
        *("opening", "settled"),
    ]
    climbing = [
        *(*every, "passed", "turned_up", "call_drawn", "solo_answered", "called", "revealed"),
        *("went_out", "wind_taken"),
    ]
    chaodipi = [
        *(*every, "declared", "bottom_turned", "declaring_closed", "buried", "stir_passed"),
        *("stirred", "escaped", "trump_set", "bottom_shown", "bottom_taken", "throw_judged"),
    ]
    gunzi_words = [
        *(*every, "declared", "declaring_closed", "flipped", "drawn", "tribute_paid"),
        *("tribute_returned", "buried", "jokers_buried", "jokers_passed", "trump_set"),
        *("bottom_shown", "redealt"),
    ]
    assert {s.id: sorted(type_word(s, kind) for kind in s.kinds) for s in SCHEMAS.values()} == {
        "dagong/1": sorted(climbing),
        "chibi_dagun/1": sorted([*climbing, "played_as"]),
        "chaodipi/1": sorted(chaodipi),
        "gunzi/1": sorted(gunzi_words),
    }


@pytest.mark.parametrize("word", [*PlayKind, *PlayRank], ids=lambda member: member.name)
def test_every_word_of_a_reading_is_its_name_in_lower_case(word: PlayKind | PlayRank) -> None:
    """There and back: the numbers stand in binary logs alone."""
    field = "kind" if isinstance(word, PlayKind) else "rank"
    play = PlayedAs(0, By.BOT, 0, b"", PlayKind.PAIR, PlayRank.ACE)
    codec = CODECS["chibi_dagun/1"]
    line = codec.line(replace(play, **{field: word}))
    assert f'"{field}":"{word.name.lower()}"'.encode() in line
    read, _ = codec.read(line[:-1], "canonical")
    assert getattr(read, field) is word


@pytest.mark.parametrize("kind", sorted(STRUCTS, key=str))
def test_a_twin_has_the_fields_of_its_struct(kind: type[Struct]) -> None:
    """Same fields, same order, no defaults."""
    text = make_twin(kind, "word", {}).text
    assert text.__struct_fields__ == kind.__struct_fields__
    assert text.__struct_defaults__ == ()
    assert text.__struct_config__.forbid_unknown_fields


class _Odd(Struct, array_like=True, frozen=True):
    data: Annotated[bytes, Meta(max_length=7)]


class _Float(Struct, array_like=True, frozen=True):
    data: float


class _Mixed(Struct, array_like=True, frozen=True):
    data: tuple[int, str]


class _Perhaps(Struct, array_like=True, frozen=True):
    data: Card | None


@pytest.mark.parametrize("struct", [_Odd, _Float, _Mixed, _Perhaps])
def test_a_field_whose_text_form_nobody_decided_has_none(struct: type[Struct]) -> None:
    """Bytes that may be cards or a digest, floats and the like are refused, not guessed."""
    with pytest.raises(TypeError, match="no text form"):
        make_twin(struct, None, {})


class _Inner(Struct, array_like=True, frozen=True):
    card: Card
    by: tuple[By, ...]


class _Outer(Struct, array_like=True, frozen=True):
    inner: tuple[_Inner, _Inner]
    word: Literal["a", "b"]


def test_twins_reach_into_nested_structs() -> None:
    """Cards and enums are words at any depth."""
    twin = make_twin(_Outer, "outer", {})
    value = _Outer((_Inner(0, (By.BOT, By.SERVER)), _Inner(53, ())), "b")
    line = msgspec.json.encode(twin.shown(value))
    assert line == (
        b'{"type":"outer","inner":[{"card":"3d","by":["bot","server"]},{"card":"Rj","by":[]}],'
        b'"word":"b"}'
    )
    assert twin.read(msgspec.json.decode(line, type=twin.text)) == value


def test_cards_keep_their_order() -> None:
    """The order in which cards were logged is data."""
    cards = bytes((53, 0, 0, 52, 10))
    assert f'"cards":"{cards_text(cards)}"'.encode() in CODEC.line(Refused(0, cards))
    assert cards_text(cards) == "Rj 3d 3d Bj 5h"
