"""One line of text: the one spelling, what `tolerant` takes besides, and what nothing takes."""

import json
from collections.abc import Callable

import pytest
from msgspec.structs import asdict, replace

from schema import gunzi
from schema.damage import Fault
from schema.events import (
    By,
    ClimbingCarry,
    ClimbingOpening,
    Event,
    Played,
)
from schema.records import Head, Player
from schema.schemas import SCHEMAS
from schema.strict import Misfit
from schema.textlines import Layout, TextCodec, codec_named, read_head
from schema.trumps import Trump
from tests.builders import head
from tests.format_logs import HEADS, PLAYED_AS

CODEC = codec_named("dagong/1")
CHIBI_CODEC = codec_named("chibi_dagun/1")
CHAODIPI_CODEC = codec_named("chaodipi/1")
GUNZI_CODEC = codec_named("gunzi/1")
PLAYED = Played(5, By.PLAYER, 2, b"\x0a\x1c")
LINE = b'{"type":"played","dt":5,"by":"player","seat":2,"cards":"5h Td"}'
OPENING = ClimbingOpening(ClimbingCarry(1, None, (0, 0, 0, 0)))
OPENING_LINE = b'{"type":"opening","carry":{"hand_no":1,"dealer":null,"balances":[0,0,0,0]}}'
assert CODEC.line(PLAYED) == LINE + b"\n"
assert CODEC.line(OPENING) == OPENING_LINE + b"\n"


def _misfit(line: bytes, layout: Layout) -> Misfit:
    with pytest.raises(Misfit) as caught:
        CODEC.read(line, layout)
    return caught.value


OTHER_SPELLINGS: list[tuple[str, Event, bytes, int]] = [
    ("space after a colon", PLAYED, LINE.replace(b":5", b": 5"), 22),
    ("spaces around", PLAYED, b" " + LINE + b"\t", 0),
    ("carriage return", PLAYED, LINE + b"\r", len(LINE)),
    ("other key order", PLAYED, b'{"dt":5,"type":"played"' + LINE[23:], 2),
    ("inner key order", OPENING, OPENING_LINE.replace(b'"hand_no":1,', b"")[:-2]
     + b',"hand_no":1}}', 28),
    ("escaped letter", PLAYED, LINE.replace(b'"5h', b'"\\u0035h'), 56),
    ("minus zero", replace(PLAYED, seat=0), LINE.replace(b'"seat":2', b'"seat":-0'), 45),
]  # fmt: skip


@pytest.mark.parametrize(
    ("record", "line", "at"),
    [case[1:] for case in OTHER_SPELLINGS],
    ids=[case[0] for case in OTHER_SPELLINGS],
)
def test_another_spelling_is_taken_by_tolerant_alone(record: Event, line: bytes, at: int) -> None:
    """Canonical reading says at which byte the spelling parts; tolerant reads the same record."""
    misfit = _misfit(line, "canonical")
    assert (misfit.fault, misfit.at) == (Fault.NOT_CANONICAL, at)
    assert CODEC.read(line, "tolerant")[0] == record


def _played(old: bytes, new: bytes) -> bytes:
    """The line of a play with something else in one place."""
    assert LINE.count(old) == 1
    return LINE.replace(old, new)


NEVER: list[tuple[str, bytes, Fault, str, str]] = [
    ("key twice", LINE[:-1] + b',"seat":2}', Fault.NOT_CANONICAL, "every key once", "'seat' again"),
    ("escaped key twice", LINE[:-1] + b',"\\u0073eat":2}', Fault.NOT_CANONICAL, "every key once",
     "'seat' again"),
    ("inner key twice", OPENING_LINE[:-2] + b',"dealer":1}}', Fault.NOT_CANONICAL, "every key once",
     "'dealer' again"),
    ("type twice", LINE[:-1] + b',"type":"played"}', Fault.NOT_CANONICAL, "every key once",
     "'type' again"),
    ("unknown key", LINE[:-1] + b',"note":"x"}', Fault.BAD_EVENT, "unknown field `note`", "played"),
    ("missing key", _played(b'"dt":5,', b""), Fault.BAD_EVENT, "missing required field `dt`",
     "played"),
    ("seat 4", _played(b":2", b":4"), Fault.BAD_EVENT, "Expected `int` <= 3", '"seat":4'),
    ("real number", _played(b":2", b":2.0"), Fault.BAD_EVENT, "seat: Expected `int`", "seat"),
    ("number as text", _played(b":2", b':"2"'), Fault.BAD_EVENT, "seat: Exp", '"seat":"2"'),
    ("too great", _played(b":5", b":1099511627777"), Fault.BAD_EVENT, "dt: Exp", "dt"),
    ("true for 1", _played(b":5", b":true"), Fault.BAD_EVENT, "dt: Exp", '"dt":true'),
    ("unknown word", _played(b'"player"', b'"cat"'), Fault.BAD_EVENT, "by: Invalid enum", "cat"),
    ("upper case", _played(b'"player"', b'"PLAYER"'), Fault.BAD_EVENT, "by: Inv", "by"),
    ("enum by number", _played(b'"player"', b"0"), Fault.BAD_EVENT, "by: Expected `str`", ":0"),
    ("inner bound", OPENING_LINE.replace(b"[0", b"[0.5"), Fault.BAD_EVENT, "balances[0]", "[0.5"),
    ("no card", _played(b"5h", b"1h"), Fault.BAD_CARD, "in Played", "'1h' is not a card"),
    ("two spaces", _played(b"h T", b"h  T"), Fault.BAD_CARD, "in Played", "one space"),
    ("space before", _played(b'"5h', b'" 5h'), Fault.BAD_CARD, "in Played", "one space"),
    ("65 cards", _played(b"5h Td", b" ".join([b"5h"] * 65)), Fault.BAD_EVENT, "cards", "5h"),
    ("unknown type", b'{"type":"dreamt","dt":5}', Fault.UNKNOWN_TAG, "dagong/1", "'dreamt'"),
    ("type of no text", b'{"type":5}', Fault.BAD_EVENT, "type: Expected `str`", "type"),
    ("HEAD again", b'{"type":"head"}', Fault.MISPLACED_FRAME, "line 1", "head"),
    ("no type", b'{"dt":5}', Fault.BAD_EVENT, "missing required field `type`", "dt"),
    ("array", b"[1,2]", Fault.BAD_EVENT, "Expected `object`, got `array`", "[1,2]"),
    ("nothing but null", b"null", Fault.BAD_EVENT, "Expected `object`", "null"),
    ("cut", LINE[:-1], Fault.NOT_JSON, "truncated", "played"),
    ("two objects", LINE + LINE, Fault.NOT_JSON, "trailing characters", "played"),
    ("comment", LINE + b"// yes", Fault.NOT_JSON, "trailing characters", "played"),
    ("not UTF-8", _played(b"5h", b"\xff"), Fault.NOT_UTF8, "UTF-8", "played"),
    ("BOM", b"\xef\xbb\xbf" + LINE, Fault.NOT_JSON, "malformed", "played"),
    ("nesting", b"[" * 60_000, Fault.BAD_EVENT, "Expected `object`", "bytes)"),
    ("nested value", b'{"type":"passed","dt":' + b"[" * 60_000, Fault.BAD_EVENT, "dt", "dt"),
]  # fmt: skip


@pytest.mark.parametrize("layout", ["canonical", "tolerant"])
@pytest.mark.parametrize(
    ("line", "fault", "expected", "found"),
    [case[1:] for case in NEVER],
    ids=[case[0] for case in NEVER],
)
def test_what_no_layout_takes(
    line: bytes, fault: Fault, expected: str, found: str, layout: Layout
) -> None:
    """Every such line has its fault, and the message says what was expected and found."""
    misfit = _misfit(line, layout)
    assert misfit.fault is fault, misfit
    assert expected in misfit.expected
    assert found in misfit.found
    assert len(misfit.found) < 200


READING = CHIBI_CODEC.line(PLAYED_AS)[:-1]
BAD_READINGS: list[tuple[str, bytes, Fault, str, str]] = [
    ("unknown type", READING.replace(b"pair_chain", b"straight"), Fault.BAD_EVENT, "kind: Inv",
     '"kind":"straight"'),
    ("type by number", READING.replace(b'"pair_chain"', b"3"), Fault.BAD_EVENT, "kind: Exp", ":3"),
    ("rank in notation", READING.replace(b'"four"', b'"4"'), Fault.BAD_EVENT, "rank: Inv", '"4"'),
    ("no rank", READING.replace(b',"rank":"four"', b""), Fault.BAD_EVENT,
     "missing required field `rank`", "played_as"),
    ("null for no rank", READING.replace(b'"four"', b"null"), Fault.BAD_EVENT, "rank: Exp", "null"),
    ("no card", READING.replace(b"Bj", b"Xj"), Fault.BAD_CARD, "in PlayedAs", "'Xj' is not a card"),
]  # fmt: skip


@pytest.mark.parametrize("layout", ["canonical", "tolerant"])
@pytest.mark.parametrize(
    ("line", "fault", "expected", "found"),
    [case[1:] for case in BAD_READINGS],
    ids=[case[0] for case in BAD_READINGS],
)
def test_a_reading_that_is_none(
    line: bytes, fault: Fault, expected: str, found: str, layout: Layout
) -> None:
    """Type and rank are words of the format, whatever the cards are."""
    assert CHIBI_CODEC.read(READING, layout)[0] == PLAYED_AS
    with pytest.raises(Misfit) as caught:
        CHIBI_CODEC.read(line, layout)
    assert caught.value.fault is fault, caught.value
    assert expected in caught.value.expected
    assert found in caught.value.found


@pytest.mark.parametrize("layout", ["canonical", "tolerant"])
def test_a_line_of_another_game_is_named_with_its_owner(layout: Layout) -> None:
    """Whatever else is in it: the word alone tells whose it is."""
    for line in (READING, b'{"type":"played_as"}'):
        misfit = _misfit(line, layout)
        assert misfit.fault is Fault.FOREIGN_EVENT
        assert misfit.expected == "an event of dagong/1"
        assert misfit.found == "'played_as', an event of chibi_dagun/1"


@pytest.mark.parametrize("layout", ["canonical", "tolerant"])
def test_a_line_that_several_games_have_is_named_as_theirs(layout: Layout) -> None:
    """Two climbing games have passes and turned-up cards; a log of 炒地皮 has neither."""
    for word in ("passed", "turned_up"):
        with pytest.raises(Misfit) as caught:
            CHAODIPI_CODEC.read(f'{{"type":"{word}"}}'.encode(), layout)
        misfit = caught.value
        assert misfit.fault is Fault.FOREIGN_EVENT
        assert misfit.expected == "an event of chaodipi/1"
        assert misfit.found == f"{word!r}, an event of the climbing games"


OWNERS_OF_A_WORD: list[tuple[TextCodec, str, str]] = [
    (CODEC, "flipped", "gunzi/1"),
    (CODEC, "stirred", "chaodipi/1"),
    (CODEC, "declared", "chaodipi/1 and gunzi/1"),
    (CHIBI_CODEC, "declaring_closed", "chaodipi/1 and gunzi/1"),
    (CHIBI_CODEC, "buried", "chaodipi/1 and gunzi/1"),
    (CODEC, "trump_set", "chaodipi/1 and gunzi/1"),
    (CODEC, "bottom_shown", "chaodipi/1 and gunzi/1"),
    (CHAODIPI_CODEC, "tribute_paid", "gunzi/1"),
    (GUNZI_CODEC, "stir_passed", "chaodipi/1"),
    (GUNZI_CODEC, "played_as", "chibi_dagun/1"),
    (GUNZI_CODEC, "passed", "the climbing games"),
]


@pytest.mark.parametrize("layout", ["canonical", "tolerant"])
@pytest.mark.parametrize(("codec", "word", "owners"), OWNERS_OF_A_WORD)
def test_a_word_that_two_games_have_is_named_as_that_of_both(
    codec: TextCodec, word: str, owners: str, layout: Layout
) -> None:
    """Events of one name are two events, with fields of their own: any of them may be meant."""
    with pytest.raises(Misfit) as caught:
        codec.read(f'{{"type":"{word}","dt":5}}'.encode(), layout)
    misfit = caught.value
    assert misfit.fault is Fault.FOREIGN_EVENT
    assert misfit.expected == f"an event of {codec.schema.id}"
    assert misfit.found == f"{word!r}, an event of {owners}"


def test_one_word_has_the_fields_of_its_game() -> None:
    """A line of one game is no line of the other, though both have the word."""
    line = b'{"type":"trump_set","trump":"hearts","dealer":3}'
    assert GUNZI_CODEC.read(line, "canonical")[0] == gunzi.TrumpSet(Trump.HEARTS, 3)
    with pytest.raises(Misfit) as caught:
        CHAODIPI_CODEC.read(line, "tolerant")
    assert caught.value.fault is Fault.BAD_EVENT
    with pytest.raises(Misfit) as caught:
        GUNZI_CODEC.read(line.replace(b'"dealer":3', b'"rung":3'), "tolerant")
    assert caught.value.fault is Fault.BAD_EVENT


def test_an_empty_line_is_no_record() -> None:
    """Canonical text has no empty lines."""
    assert _misfit(b"", "canonical").fault is Fault.NOT_JSON


# HEAD

HEAD = replace(head(), previous=bytes(range(32)), created=7)
HEAD_LINE = CODEC.head_line(HEAD)[:-1]


@pytest.mark.parametrize("schema_id", SCHEMAS)
def test_head_comes_back(schema_id: str) -> None:
    """HEAD's line gives HEAD, its schema and the payload of a binary log."""
    given = replace(HEADS[schema_id], previous=bytes(range(32)))
    read, schema, payload = read_head(codec_named(schema_id).head_line(given)[:-1], "canonical")
    assert (read, schema.id) == (given, schema_id)
    assert payload[1:3] == b"\x00\x01"


def test_head_looks_like_this() -> None:
    """Options and players are objects, ids hexadecimal, names as they are."""
    said = json.loads(HEAD_LINE)
    assert list(said) == ["type", *Head.__struct_fields__]
    assert said["file_id"] == bytes(range(16)).hex()
    assert said["previous"] == bytes(range(32)).hex()
    assert said["players"][0] == {"id": "jia", "name": "甲"}
    assert said["options"] == asdict(HEAD.options)
    assert '"甲"'.encode() in HEAD_LINE


def _with(**changes: object) -> bytes:
    """HEAD's line with other values, or without a key (None)."""
    said = json.loads(HEAD_LINE) | changes
    said = {key: value for key, value in said.items() if value is not None}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()


CHIBI_OPTIONS = asdict(HEADS["chibi_dagun/1"].options)


def _options(**changes: object) -> dict[str, object]:
    said = json.loads(HEAD_LINE)["options"] | changes
    return {key: value for key, value in said.items() if value is not None}


def _names(name: str) -> list[dict[str, str]]:
    return [{"id": "jia", "name": name}, *json.loads(HEAD_LINE)["players"][1:]]


BAD_HEADS: list[tuple[str, Callable[[], bytes], Fault, str]] = [
    ("newer", lambda: _with(format_major=9, extra=1), Fault.UNKNOWN_VERSION, "format version 0"),
    ("other game", lambda: _with(schema_id="chess/1"), Fault.UNKNOWN_SCHEMA, "dagong/1"),
    ("newer events", lambda: _with(schema_id="dagong/2"), Fault.UNKNOWN_SCHEMA, "dagong/1"),
    ("no options", lambda: _with(options=None), Fault.BAD_HEAD, "missing required field `options`"),
    ("one option less", lambda: _with(options=_options(base=None)), Fault.BAD_OPTIONS, "`base`"),
    ("one more", lambda: _with(options=_options(x=1)), Fault.BAD_OPTIONS, "unknown field `x`"),
    ("bad option", lambda: _with(options=_options(pass_binds="week")), Fault.BAD_OPTIONS, "pass_b"),
    ("three players", lambda: _with(players=_names("甲")[:3]), Fault.BAD_HEAD, "players"),
    ("no name", lambda: _with(players=_names("")), Fault.BAD_HEAD, "players[0].name"),
    ("other game's options", lambda: _with(options=CHIBI_OPTIONS), Fault.BAD_OPTIONS, "later_call"),
    ("other game's HEAD", lambda: _with(schema_id="chibi_dagun/1"), Fault.BAD_OPTIONS, "call_rule"),
    ("control", lambda: _with(players=_names("a\n")), Fault.BAD_PLAYER, "seat 0"),
    ("not NFC", lambda: _with(players=_names("e\u0301")), Fault.BAD_PLAYER, "NFC"),
    ("surrogate", lambda: _with().replace("甲".encode(), b"\\ud800"), Fault.NOT_JSON, "JSON"),
    ("odd digits", lambda: _with(previous="abc"), Fault.BAD_HEAD, "previous"),
    ("short leaf", lambda: _with(previous="ab"), Fault.BAD_HEAD, "32-byte leaf"),
    ("capitals", lambda: _with(file_id="AB" * 16), Fault.BAD_HEAD, "file_id"),
    ("short id", lambda: _with(file_id="ab" * 15), Fault.BAD_HEAD, "file_id"),
    ("key twice", lambda: _with()[:-1] + b',"created":7}', Fault.NOT_CANONICAL, "every key once"),
]


@pytest.mark.parametrize("layout", ["canonical", "tolerant"])
@pytest.mark.parametrize(
    ("line", "fault", "expected"),
    [case[1:] for case in BAD_HEADS],
    ids=[case[0] for case in BAD_HEADS],
)
def test_a_bad_head_is_named(
    line: Callable[[], bytes], fault: Fault, expected: str, layout: Layout
) -> None:
    """What is wrong with HEAD is the same in text as in binary."""
    with pytest.raises(Misfit) as caught:
        read_head(line(), layout)
    assert caught.value.fault is fault, caught.value
    assert expected in caught.value.expected


def test_a_player_of_any_script_comes_back() -> None:
    """Names are text of any script, quotes and backslashes included."""
    for name in ('"', "\\", "a b", "\u05d0\u200f", "🀄", "\u2060x", "é"):
        jia, *others = HEAD.players
        given = replace(HEAD, players=(Player(jia.id, name), *others))
        line = CODEC.head_line(given)[:-1]
        assert read_head(line, "canonical")[0] == given
