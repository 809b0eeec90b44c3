"""FORMAT.md says of the text form what the code does."""

import re

import pytest

from schema.schemas import SCHEMAS, type_word
from schema.seal import seal, write_live
from schema.textform import write_text
from schema.textlines import LINE_LIMIT, codec_named
from tests.format_tables import TEXT, table
from tests.golden.format.make import golden
from tests.text_logs import as_form, hands

_, _, SECTION = TEXT.partition("\n## Text twin\n")


@pytest.mark.parametrize("schema_id", SCHEMAS)
def test_the_word_of_every_event_is_in_the_table(schema_id: str) -> None:
    """Every event of every schema, under the name that its section has."""
    schema = SCHEMAS[schema_id]
    words = {row[0]: row[1] for row in table("Text twin")}
    assert {
        kind.__name__: type_word(schema, kind) for kind in schema.kinds
    }.items() <= words.items()
    own = {words[kind.__name__] for kind in schema.kinds}
    assert codec_named(schema_id).words == {*own, "recovered"}


def test_no_word_is_of_an_event_that_no_schema_has() -> None:
    """Nor has an event two lines."""
    names = [row[0] for row in table("Text twin")]
    kinds = {kind.__name__ for schema in SCHEMAS.values() for kind in schema.kinds}
    assert sorted(names) == sorted(kinds)


def test_the_limit_of_a_line_is_stated() -> None:
    """In bytes, the line feed included."""
    assert re.findall(r"at most (\d+) bytes with its line feed", SECTION) == [str(LINE_LIMIT)]


def test_the_text_example_is_what_the_code_writes() -> None:
    """Byte for byte, and it comes back as the binary example."""
    live = golden()["aborted.live.paipu"]
    text = as_form(write_text, live)
    block = re.search(r"```jsonl\n(.*?)```", SECTION, re.DOTALL)
    assert block is not None
    assert text.decode() == block[1]
    assert as_form(write_live, text) == live


@pytest.mark.parametrize("name", golden())
def test_every_golden_log_goes_through_text(name: str) -> None:
    """The golden files hold every kind of record: none is lost on the way."""
    data = golden()[name]
    text = as_form(write_text, data)
    assert hands(text) == hands(data)
    if ".live." in name:
        assert as_form(write_live, text) == data
    else:
        assert hands(as_form(seal, text)) == hands(data)
