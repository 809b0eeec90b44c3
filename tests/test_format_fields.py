"""Every field of every schema at the bounds that FORMAT.md states: taken, and refused beyond."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from schema.damage import Fault, LogError
from schema.frames import LIMITS, Kind
from schema.gunzi import Redealt
from schema.head import decode_head
from schema.schemas import SCHEMAS, Schema
from schema.strict import ENCODER, Misfit, decode_event, decode_hand
from tests.format_edges import Edge, edges, field_types, least_and_most
from tests.format_logs import HEADS, plain_head
from tests.format_tables import headings, table, tags_of


class Field(NamedTuple):
    """A field of an event or of the options, by its place."""

    schema: Schema
    struct: str
    heading: str
    tag: int
    number: int
    name: str
    kind: str


def event_fields() -> Iterator[Field]:
    """Every field of every event of every schema, read off the page."""
    events = {int(row[0]): row[1] for row in table("Tags")}
    for schema_id, tags in tags_of().items():
        for tag in tags:
            heading = headings()[tag]
            for number, (name, kind) in enumerate(field_types(heading)):
                yield Field(SCHEMAS[schema_id], events[tag], heading, tag, number, name, kind)


def option_fields() -> Iterator[Field]:
    """Every option of every schema, read off the page."""
    for row in table("Schemas"):
        for number, (name, kind) in enumerate(field_types(row[2])):
            yield Field(SCHEMAS[row[0]], row[2], row[2], 0, number, name, kind)


def _id(field: Field) -> str:
    return f"{field.schema.id}-{field.struct}.{field.name}"


def with_value(field: Field, value: object) -> list[object]:
    """The values of a struct, all least but one."""
    low = [least_and_most(kind)[0] for _, kind in field_types(field.heading)]
    return [*low[: field.number], value, *low[field.number + 1 :]]


def test_the_page_has_the_events_and_options_of_every_schema() -> None:
    """None is left out of what is tried below."""
    tried = {(field.schema.id, field.struct) for field in (*event_fields(), *option_fields())}
    kinds = {(s.id, kind.__name__) for s in SCHEMAS.values() for kind in s.kinds}
    kinds.remove(("gunzi/1", "Redealt"))
    assert tried == kinds | {(s.id, s.options.__name__) for s in SCHEMAS.values()}


@pytest.mark.parametrize("field", [*event_fields()], ids=_id)
def test_a_field_of_an_event_is_taken_at_its_bounds_and_refused_beyond(field: Field) -> None:
    """Whatever is refused is named; what is taken keeps its bytes and fits into a frame."""
    tried = edges(field.kind)
    assert {edge.is_good for edge in tried} == {True, False}
    for edge in tried:
        check_event(field, edge)


def test_an_event_without_fields_is_its_tag_alone() -> None:
    """Whatever else stands in its array is refused."""
    assert field_types("Redealt") == []
    schema = SCHEMAS["gunzi/1"]
    assert decode_event(schema, ENCODER.encode([107])) == Redealt()
    for more in ([107, 0], [107, None], [107, []]):
        with pytest.raises(Misfit) as caught:
            decode_event(schema, ENCODER.encode(more))
        assert caught.value.fault is Fault.BAD_EVENT
        assert caught.value.expected == "Redealt of 1 items"


def check_event(field: Field, edge: Edge) -> None:
    """One value in one field of an event that is otherwise good."""
    payload = ENCODER.encode([field.tag, *with_value(field, edge.value)])
    if edge.is_good:
        event = decode_event(field.schema, payload)
        assert (type(event).__name__, ENCODER.encode(event)) == (field.struct, payload)
        assert len(payload) <= LIMITS[Kind.EVENT]
        return
    assert decode_hand(field.schema, b"\x91" + payload) is None
    with pytest.raises(Misfit) as caught:
        decode_event(field.schema, payload)
    assert caught.value.fault is Fault.BAD_EVENT
    assert caught.value.expected.startswith(f"{field.struct}.{field.name}"), caught.value


@pytest.mark.parametrize("field", [*option_fields()], ids=_id)
def test_an_option_is_taken_at_its_bounds_and_refused_beyond(field: Field) -> None:
    """House rules are of the game that HEAD names, complete, and each within its words."""
    for edge in edges(field.kind):
        fields = plain_head(HEADS[field.schema.id], options=with_value(field, edge.value))
        payload = ENCODER.encode(fields)
        if edge.is_good:
            head, schema = decode_head(payload)
            assert schema is field.schema
            assert getattr(head.options, field.name) == edge.value
            continue
        with pytest.raises(LogError) as caught:
            decode_head(payload)
        damage = caught.value.damage
        assert damage.fault is Fault.BAD_OPTIONS
        assert f"the options of {field.schema.id}" in damage.expected
        assert f"$[{field.number}]" in damage.expected, damage
