"""Events and records: one canonical encoding, every value in bounds, every fault by name."""

import types
from enum import IntEnum
from typing import Annotated, Literal, Union, get_args, get_origin

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct

from schema.cards import N_FACES
from schema.damage import Fault
from schema.events import (
    TAG_OWNERS,
    By,
    Digest,
    Event,
    HandStarted,
)
from schema.frames import LIMITS, Kind
from schema.records import CHUNK_DECODER, HAND_DECODER, INDEX_DECODER, RECOVERED_DECODER
from schema.schemas import SCHEMAS, Schema, owners
from schema.strict import (
    CARD_FIELDS,
    ENCODER,
    Misfit,
    array_header,
    decode_event,
    decode_hand,
    decode_payloads,
    decode_record,
)
from tests.format_logs import CARRY, every_event
from tests.format_tables import CARDS

DAGONG = SCHEMAS["dagong/1"]
EVERY_SCHEMA = pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
Draw = st.DataObject
KINDS = [(schema, kind) for schema in SCHEMAS.values() for kind in schema.kinds]


def _id(value: object) -> str:
    return value.id if isinstance(value, Schema) else getattr(value, "__name__", "")


# Any event there is


def values(annotation: object) -> st.SearchStrategy[object]:
    """All values that an annotation of an event's field allows."""
    if annotation in CARDS:
        most = get_args(annotation)[1].max_length
        return st.lists(st.integers(0, N_FACES - 1), max_size=most).map(bytes)
    if isinstance(annotation, types.UnionType) or get_origin(annotation) is Union:
        return st.one_of(*map(values, get_args(annotation)))
    if get_origin(annotation) is Annotated:
        base, meta = get_args(annotation)
        return bounded(base, meta)
    if get_origin(annotation) is tuple:
        return st.tuples(*map(values, get_args(annotation)))
    if get_origin(annotation) is Literal:
        return st.sampled_from(get_args(annotation))
    assert isinstance(annotation, type)
    return of_type(annotation)


def bounded(base: object, meta: Meta) -> st.SearchStrategy[object]:
    """Values of an annotated type, within its bounds."""
    if base is int:
        assert isinstance(meta.ge, int)
        most = meta.le if meta.lt is None else meta.lt - 1
        assert isinstance(most, int)
        return st.integers(meta.ge, most)
    least, longest = meta.min_length or 0, meta.max_length
    if base is bytes:
        return st.binary(min_size=least, max_size=longest)
    item, dots = get_args(base)
    assert dots is ...
    return st.lists(values(item), min_size=least, max_size=longest).map(tuple)


def of_type(base: type) -> st.SearchStrategy[object]:
    """Values of a plain type, of an enum, or of a struct."""
    if base in (bool, type(None)):
        return st.booleans() if base is bool else st.none()
    if issubclass(base, IntEnum):
        return st.sampled_from(list(base))
    assert issubclass(base, Struct)
    fields = {field.name: values(field.type) for field in msgspec.structs.fields(base)}
    return st.builds(base, **fields)


def events(schema: Schema) -> st.SearchStrategy[object]:
    """Any event of a schema."""
    return st.sampled_from(schema.kinds).flatmap(of_type)


ANY_EVENT = st.one_of([events(schema) for schema in SCHEMAS.values()])


@EVERY_SCHEMA
@given(st.data())
def test_encoding_then_decoding_an_event_is_the_identity(schema: Schema, data: Draw) -> None:
    """For every event that the types allow, in bytes no longer than a frame's limit."""
    event = data.draw(events(schema))
    payload = ENCODER.encode(event)
    assert decode_event(schema, payload) == event
    assert len(payload) <= LIMITS[Kind.EVENT]


@EVERY_SCHEMA
@given(st.data())
def test_a_hand_decodes_as_a_whole_as_its_events_do(schema: Schema, data: Draw) -> None:
    """The fast path and the path that names faults agree on good bytes."""
    hand = data.draw(st.lists(events(schema), min_size=1, max_size=40))
    payloads = [ENCODER.encode(event) for event in hand]
    array = array_header(len(hand)) + b"".join(payloads)
    assert array == ENCODER.encode(hand)
    one_by_one = [decode_event(schema, payload) for payload in payloads]
    assert decode_hand(schema, array) == decode_payloads(schema, payloads) == one_by_one


@EVERY_SCHEMA
@given(st.lists(st.one_of(ANY_EVENT.map(ENCODER.encode), st.binary(max_size=30)), max_size=6))
def test_a_hand_is_refused_as_a_whole_where_one_of_its_events_is(
    schema: Schema, payloads: list[bytes]
) -> None:
    """The fast path lets nothing through that the slow one would name, nor another game's."""
    good = all(is_good(schema, payload) for payload in payloads)
    assert (decode_payloads(schema, payloads) is not None) == good


def test_an_event_cut_in_two_is_not_made_whole_by_its_neighbour() -> None:
    """A frame holds one event: joined the bytes would decode, with the same leaf."""
    assert decode_payloads(DAGONG, [PLAYED, PLAYED]) is not None
    assert decode_payloads(DAGONG, [PLAYED[:4], PLAYED[4:] + PLAYED]) is None


def is_good(schema: Schema, payload: bytes) -> bool:
    """The strict decoder takes it."""
    try:
        decode_event(schema, payload)
    except Misfit:
        return False
    return True


@EVERY_SCHEMA
@given(st.binary(max_size=200))
def test_random_bytes_are_refused_with_a_word_and_a_place(schema: Schema, payload: bytes) -> None:
    """Or they are an event in its one canonical form."""
    if is_good(schema, payload):
        assert ENCODER.encode(decode_event(schema, payload)) == payload
        return
    with pytest.raises(Misfit) as caught:
        decode_event(schema, payload)
    assert caught.value.expected
    assert caught.value.found
    assert 0 <= caught.value.at <= len(payload)


# One clear fault for each way of being wrong

PLAYED = bytes.fromhex("9505000001c40105")
BAD_EVENTS: dict[str, tuple[str, Fault, int, str, str]] = {
    "no bytes": ("", Fault.BAD_EVENT, 0, "an event: a short array", "no bytes"),
    "no array": ("05", Fault.BAD_EVENT, 0, "an event: a short array", "05"),
    "an empty array": ("90", Fault.BAD_EVENT, 0, "an event: a short array", "90"),
    "a map": ("8105c0", Fault.BAD_EVENT, 0, "an event: a short array", "81 05 c0"),
    "a tag that is no event's": ("923f00", Fault.UNKNOWN_TAG, 1, "a tag of dagong/1", "tag 63"),
    "a tag kept for another game": (
        "926e00",
        Fault.FOREIGN_EVENT,
        1,
        "an event of dagong/1",
        "tag 110, reserved for gunzi",
    ),
    "an event of another game": (
        "924000",
        Fault.FOREIGN_EVENT,
        1,
        "an event of dagong/1",
        "tag 64, Declared of chaodipi/1",
    ),
    "one item too few": ("9405000001", Fault.BAD_EVENT, 0, "Played of 5 items", "4 items"),
    "one item too many": ("9605000001c40005", Fault.BAD_EVENT, 0, "Played of 5 items", "6 items"),
    "a wrong seat": ("9505000004c40105", Fault.BAD_EVENT, 4, "Played.seat: int <= 3", "4"),
    "a negative time": ("9505ff0001c40105", Fault.BAD_EVENT, 2, "Played.dt: int >= 0", "ff"),
    "an unknown by": ("9505000501c40105", Fault.BAD_EVENT, 3, "Played.by: one of its values", "5"),
    "a float": ("9505ca0000000000" + "01c40105", Fault.BAD_EVENT, 2, "Played.dt: int", "ca"),
    "a truth value for a number": (
        "95050000c3c40105",
        Fault.BAD_EVENT,
        4,
        "Played.seat: int",
        "c3",
    ),
    "nil": ("9505000001c0", Fault.BAD_EVENT, 5, "Played.cards: bytes", "c0"),
    "text for cards": ("9505000001a13f", Fault.BAD_EVENT, 5, "Played.cards: bytes", "a1 3f"),
    "a cut": ("9505000001c402", Fault.BAD_EVENT, 0, "Played", "95 05"),
    "a card above 53": ("9505000001c40136", Fault.BAD_CARD, 7, "card codes 0..53", "the byte 54"),
    "bytes after the end": ("9505000001c4010500", Fault.TRAILING_BYTES, 8, "nothing after", "00"),
    "a long integer": ("9505cc000001c40105", Fault.NOT_CANONICAL, 2, "shortest form", "cc 00"),
    "a long tag": ("95cc05000001c40105", Fault.NOT_CANONICAL, 1, "shortest form", "cc 05"),
    "a long array header": ("dc000505000001c40105", Fault.NOT_CANONICAL, 0, "shortest form", "dc"),
    "long cards": ("9505000001c5000105", Fault.NOT_CANONICAL, 5, "shortest form", "c5 00"),
}


@pytest.mark.parametrize("case", BAD_EVENTS)
def test_each_way_of_being_wrong_has_its_word_and_its_byte(case: str) -> None:
    """Expected and found say what a reader needs to look at."""
    payload, fault, at, expected, found = BAD_EVENTS[case]
    with pytest.raises(Misfit) as caught:
        decode_event(DAGONG, bytes.fromhex(payload))
    misfit = caught.value
    assert (misfit.fault, misfit.at) == (fault, at)
    assert expected in misfit.expected
    assert found in misfit.found


def test_the_good_neighbour_of_the_bad_ones_is_good() -> None:
    """The table above changes one thing at a time."""
    assert ENCODER.encode(decode_event(DAGONG, PLAYED)) == PLAYED


@pytest.mark.parametrize("depth", [10, 1000, 100_000])
def test_hostile_nesting_is_refused(depth: int) -> None:
    """Arrays in arrays in arrays are an event at no depth, nor a record."""
    nested = b"\x91" * depth
    with pytest.raises(Misfit):
        decode_event(DAGONG, nested)
    with pytest.raises(Misfit):
        decode_event(DAGONG, b"\x92\x05" + nested)
    assert decode_hand(DAGONG, nested) is None
    with pytest.raises(Misfit):
        decode_record(HAND_DECODER, nested, "HAND")
    with pytest.raises(Misfit):
        decode_record(CHUNK_DECODER, nested, "CHUNK")
    with pytest.raises(Misfit):
        decode_record(INDEX_DECODER, nested, "INDEX")
    with pytest.raises(Misfit):
        decode_record(RECOVERED_DECODER, nested, "RECOVERED")


@pytest.mark.parametrize("header", ["ddffffffff", "dcffff", "dfffffffff", "c6ffffffff"])
def test_a_length_far_beyond_the_bytes_is_refused(header: str) -> None:
    """No decoder allocates what a length claims."""
    huge = bytes.fromhex(header)
    for payload in (huge, b"\x92\x05" + huge, bytes.fromhex("9505000001") + huge):
        with pytest.raises(Misfit):
            decode_event(DAGONG, payload)
    assert decode_hand(DAGONG, huge) is None


def test_a_tag_kept_for_other_games_is_told_as_theirs() -> None:
    """Of a range that the log's game shares it is unknown, of any other it is somebody's."""
    found = {}
    for schema in SCHEMAS.values():
        with pytest.raises(Misfit) as caught:
            decode_event(schema, bytes.fromhex("923f00"))
        found[schema.id] = (caught.value.fault, caught.value.found)
    assert found == {
        "dagong/1": (Fault.UNKNOWN_TAG, "tag 63"),
        "chibi_dagun/1": (Fault.UNKNOWN_TAG, "tag 63"),
        "chaodipi/1": (Fault.FOREIGN_EVENT, "tag 63, reserved for the climbing games"),
        "gunzi/1": (Fault.FOREIGN_EVENT, "tag 63, reserved for the climbing games"),
    }


# The structs themselves


@pytest.mark.parametrize(("schema", "kind"), KINDS, ids=_id)
def test_the_tags_of_a_schema_lie_where_they_may(schema: Schema, kind: type[Event]) -> None:
    """One byte, in a range of every game, of its family, or of its own."""
    tag = kind.__struct_config__.tag
    assert isinstance(tag, int)
    owner = next(owner for tags, owner in TAG_OWNERS if tag in tags)
    families = {"dagong": "the climbing games", "chibi_dagun": "the climbing games"}
    assert owner in ("every game", schema.game, families.get(schema.game))
    assert owner in owners(schema)


def test_a_tag_means_one_event_in_all_schemas() -> None:
    """Unique over all games: an event of another game can be named."""
    owners: dict[object, set[type[Event]]] = {}
    for _, kind in KINDS:
        owners.setdefault(kind.__struct_config__.tag, set()).add(kind)
    assert [kinds for kinds in owners.values() if len(kinds) > 1] == []


@pytest.mark.parametrize(("schema", "kind"), KINDS, ids=_id)
def test_an_event_has_no_default_no_float_and_no_open_length(
    schema: Schema, kind: type[Event]
) -> None:
    """Every field is written, bounded, and of a type with one encoding."""
    assert schema.game
    config = kind.__struct_config__
    assert (config.array_like, config.frozen, config.forbid_unknown_fields) == (True, True, True)
    for field in msgspec.structs.fields(kind):
        assert field.required, f"{kind.__name__}.{field.name} has a default"
        check_bounded(field.type)


def check_bounded(annotation: object) -> None:
    """No float, no unbounded int, bytes, text or list, at any depth."""
    if get_origin(annotation) is Annotated:
        base, meta = get_args(annotation)
        if base is int:
            assert meta.ge is not None
            assert meta.le is not None or meta.lt is not None
        else:
            assert meta.max_length is not None, f"{annotation} has no greatest length"
            for item in get_args(base):
                check_bounded(item) if item is not ... else None
    elif get_args(annotation):
        for item in get_args(annotation):
            check_bounded(item)
    elif isinstance(annotation, type) and issubclass(annotation, Struct):
        for field in msgspec.structs.fields(annotation):
            check_bounded(field.type)
    else:
        assert annotation in (bool, type(None)) or isinstance(annotation, type(By))


def test_every_bytes_field_of_an_event_is_a_digest_or_checked_for_cards() -> None:
    """Cards that nobody looks at would be any bytes."""
    checked = {(kind, name) for name, kinds in CARD_FIELDS for kind in kinds}
    for _, kind in KINDS:
        for name, annotation in bytes_fields(kind):
            is_digest = annotation == Digest and kind is HandStarted
            assert is_digest != ((kind, name) in checked), f"{kind.__name__}.{name}"


def bytes_fields(struct: type[Struct]) -> list[tuple[str, object]]:
    """All bytes that a struct holds, at any depth, under the name of its own field."""
    found = []
    for field in msgspec.structs.fields(struct):
        stack: list[object] = [field.type]
        while stack:
            annotation = stack.pop()
            base = get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
            if base is bytes:
                found.append((field.name, annotation))
            elif isinstance(base, type) and issubclass(base, Struct):
                stack += [inner.type for inner in msgspec.structs.fields(base)]
            else:
                stack += get_args(base)
    return found


def test_facts_carry_dt_first_and_claims_none() -> None:
    """A claim is written with the fact that makes it due, and compared by equality."""
    for schema, kind in KINDS:
        names = kind.__struct_fields__
        is_claim = kind.__bases__[0].__name__ == "Claim"
        first = "prev" if kind is HandStarted else "dt"
        assert ("dt" not in names) if is_claim else (names[0] == first), (schema.id, kind)


def test_the_made_up_hand_holds_every_kind_of_event_but_the_abort() -> None:
    """Golden files and forms are tried with all of them."""
    for schema in SCHEMAS.values():
        made = every_event(schema.id)
        missing = set(schema.kinds) - set(map(type, made))
        assert {kind.__name__ for kind in missing} == {"HandAborted"}
        assert len(made) == len(schema.kinds) - 1
    assert CARRY.dealer is None
