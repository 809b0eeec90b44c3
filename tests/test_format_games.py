"""What belongs to one game alone: its events and options in its own logs, and in another game's."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from schema.chunks import chunk_record, packed_hand
from schema.damage import Fault, LogError
from schema.events import (
    By,
    Event,
    HandEnded,
    HandStarted,
    Passed,
    Played,
    PlayedAs,
    PlayKind,
    PlayRank,
)
from schema.frames import Kind, leaf
from schema.head import decode_head
from schema.livewriter import LiveWriter
from schema.schemas import SCHEMAS, Schema
from schema.strict import ENCODER, Misfit, decode_event, decode_hand
from schema.textform import write_text
from tests.format_logs import (
    CHIBI_HEAD,
    HEAD,
    HEADS,
    PLAYED_AS,
    START,
    Forge,
    damage,
    every_event,
    faults,
    hands,
    short_hand,
    written,
)
from tests.text_logs import as_form

DAGONG = SCHEMAS["dagong/1"]
CHIBI = SCHEMAS["chibi_dagun/1"]

# A play with its reading

PLAY_BYTES = bytes.fromhex("9727 cd09c4 00 02 c404 04050234 03 01")


def test_these_are_the_bytes_of_a_play_with_its_reading() -> None:
    """Tag, time, who, seat and cards as of any play, then type and rank."""
    assert ENCODER.encode(PLAYED_AS) == PLAY_BYTES
    assert decode_event(CHIBI, PLAY_BYTES) == PLAYED_AS
    plain = Played(PLAYED_AS.dt, PLAYED_AS.by, PLAYED_AS.seat, PLAYED_AS.cards)
    assert PLAY_BYTES[2:-2] == ENCODER.encode(plain)[2:]


@pytest.mark.parametrize("kind", PlayKind)
def test_any_rank_may_stand_beside_any_type(kind: PlayKind) -> None:
    """A reading that the cards do not have is a player's choice, judged by the rules."""
    for rank in PlayRank:
        event = replace(PLAYED_AS, kind=kind, rank=rank)
        assert decode_event(CHIBI, ENCODER.encode(event)) == event


BAD_READINGS: dict[str, tuple[str, Fault, int, str, str]] = {
    "no reading": ("9527000001c40105", Fault.BAD_EVENT, 0, "PlayedAs of 7 items", "5 items"),
    "no rank": ("9627000001c4010500", Fault.BAD_EVENT, 0, "PlayedAs of 7 items", "6 items"),
    "nil for a rank": ("9727000001c4010500c0", Fault.BAD_EVENT, 9, "PlayedAs.rank: int", "c0"),
    "an unknown type": ("9727000001c401050c00", Fault.BAD_EVENT, 8, "PlayedAs.kind: one", "12"),
    "an unknown rank": ("9727000001c40105000e", Fault.BAD_EVENT, 9, "PlayedAs.rank: one", "14"),
    "a word for a type": ("9727000001c40105a13500", Fault.BAD_EVENT, 8, "PlayedAs.kind", "a1 35"),
    "a card above 53": ("9727000001c401360000", Fault.BAD_CARD, 7, "PlayedAs.cards", "byte 54"),
    "a long type": ("9727000001c40105cc0000", Fault.NOT_CANONICAL, 8, "shortest form", "cc 00"),
}


@pytest.mark.parametrize("case", BAD_READINGS)
def test_each_way_of_being_no_reading_has_its_word_and_its_byte(case: str) -> None:
    """Two enums more than a play has."""
    payload, fault, at, expected, found = BAD_READINGS[case]
    with pytest.raises(Misfit) as caught:
        decode_event(CHIBI, bytes.fromhex(payload))
    misfit = caught.value
    assert (misfit.fault, misfit.at) == (fault, at)
    assert expected in misfit.expected
    assert found in misfit.found


# Events of another game

STRANGERS = [
    (schema, kind, owner)
    for schema in SCHEMAS.values()
    for owner in SCHEMAS.values()
    for kind in owner.kinds
    if kind not in schema.kinds
]
CLIMBING = {"dagong/1", "chibi_dagun/1"}


def owner_word(kind: type[Event]) -> str:
    """Whose an event is: of the one schema that has it, or of the climbing games."""
    ids = {schema.id for schema in SCHEMAS.values() if kind in schema.kinds}
    return "the climbing games" if ids == CLIMBING else ids.pop()


def _id(value: object) -> str:
    return value.id if isinstance(value, Schema) else getattr(value, "__name__", "")


def test_a_play_with_its_reading_is_a_stranger_to_one_climbing_game() -> None:
    """Its tag is one of the climbing games', yet only one of them has the event."""
    assert (DAGONG, PlayedAs, CHIBI) in STRANGERS
    assert owner_word(PlayedAs) == "chibi_dagun/1"


def test_what_several_games_have_is_named_as_theirs() -> None:
    """A pass is of both climbing games, and of neither alone."""
    assert (SCHEMAS["chaodipi/1"], Passed, DAGONG) in STRANGERS
    assert owner_word(Passed) == "the climbing games"
    assert {len(schema.kinds) for schema in SCHEMAS.values() if Passed in schema.kinds} == {17, 18}


@pytest.mark.parametrize(("schema", "kind", "owner"), STRANGERS, ids=_id)
def test_an_event_of_another_schema_is_named_with_its_owner(
    schema: Schema, kind: type[Event], owner: Schema
) -> None:
    """Bytes that are good in another log: whose they are is said, whatever else is wrong."""
    tag = kind.__struct_config__.tag
    good = next(event for event in every_event(owner.id) if type(event) is kind)
    for payload in (ENCODER.encode(good), ENCODER.encode([tag]), ENCODER.encode([tag, "x"])):
        assert decode_hand(schema, b"\x91" + payload) is None
        with pytest.raises(Misfit) as caught:
            decode_event(schema, payload)
        assert (caught.value.fault, caught.value.at) == (Fault.FOREIGN_EVENT, 1)
        assert caught.value.expected == f"an event of {schema.id}"
        assert caught.value.found == f"tag {tag}, {kind.__name__} of {owner_word(kind)}"


STRAY = (START, Played(1, By.PLAYER, 0, b"\x05"), PLAYED_AS, HandEnded(1))
"""A hand of 赤壁打滚, which stands in a log of 打拱 here."""


def live() -> bytes:
    """A stray hand, then a good one, with checksums and leaves that fit."""
    return Forge().hand(*STRAY).hand(*short_hand(1)).data


def sealed() -> bytes:
    """The same in one chunk, and no INDEX or TRAILER."""
    stray: list[Event] = [HandStarted(Forge().last_leaf, START.at), *STRAY[1:]]
    body = b"".join(map(ENCODER.encode, stray))
    good = [HandStarted(leaf(body), START.at), *short_hand(1)[1:]]
    record = chunk_record(0, [packed_hand(stray), packed_hand(good)])
    return Forge().put(Kind.CHUNK, ENCODER.encode(record)).data


def text() -> bytes:
    """The same as text."""
    lines = as_form(write_text, Forge(CHIBI_HEAD).hand(*STRAY).hand(*short_hand(1)).data)
    head = as_form(write_text, Forge().data)
    return head + lines.partition(b"\n")[2]


FORMS: dict[str, Callable[[], bytes]] = {"live": live, "sealed": sealed, "text": text}


@pytest.mark.parametrize("form", FORMS)
def test_an_event_of_another_game_costs_its_hand_and_is_told_once(form: str) -> None:
    """Damage of the third event of hand 0; the hand behind it is read, in every form."""
    log = FORMS[form]()
    first = damage(log)[0]
    assert (first.fault, first.hand, first.event) == (Fault.FOREIGN_EVENT, 0, 2)
    assert first.expected == "an event of dagong/1"
    word = {"text": "'played_as', an event"}.get(form, "tag 39, PlayedAs")
    assert first.found.startswith(f"{word} of chibi_dagun/1")
    assert faults(log).count(Fault.FOREIGN_EVENT) == 1
    assert [(hand.index, hand.events[1:]) for hand in hands(log)] == [(1, short_hand(1)[1:])]


def test_a_writer_refuses_an_event_of_another_game_and_says_whose_it_is() -> None:
    """In a log of its own game the same hand is written."""
    writer = LiveWriter(HEAD)
    data = writer.start() + writer.event(START)
    with pytest.raises(LogError) as caught:
        writer.event(PLAYED_AS)
    assert caught.value.damage.fault is Fault.FOREIGN_EVENT
    assert caught.value.damage.found == "tag 39, PlayedAs of chibi_dagun/1"
    data += writer.event(HandEnded(1))
    assert faults(data) == []
    (hand,) = hands(written([STRAY], CHIBI_HEAD))
    assert hand.events[1:] == list(STRAY[1:])


# Options of another game


@pytest.mark.parametrize("schema_id", HEADS)
def test_the_options_of_another_game_are_refused(schema_id: str) -> None:
    """By the writer, and by the reader of bytes that say so."""
    for other in HEADS.values():
        if other.schema_id == schema_id:
            continue
        head = replace(HEADS[schema_id], options=other.options)
        with pytest.raises(LogError) as caught:
            LiveWriter(head)
        damage = caught.value.damage
        assert damage.fault is Fault.BAD_OPTIONS
        assert damage.found == type(other.options).__name__
        with pytest.raises(LogError) as caught:
            decode_head(ENCODER.encode(head))
        assert caught.value.damage.fault is Fault.BAD_OPTIONS
        assert f"the options of {schema_id}" in caught.value.damage.expected
