"""Text twins: an object-mode JSON struct generated from each array-mode struct of the format.

A twin has the same fields in the same order, so a field is written down once, in the struct.
Cards stand as `"5h Td"`, one card as `"5h"`, the members of an IntEnum as lower-case words,
digests and ids as lower-case hexadecimal digits; everything else stands as it is.
"""

import types
from collections.abc import Callable
from enum import IntEnum
from typing import Annotated, Literal, Union, cast, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import astuple

from schema.cards import Card, Cards, card_text, cards_text, parse_card, parse_cards
from schema.chaodipi import BottomCards, ShownCards
from schema.events import DealCards, Digest, PlayCards
from schema.gunzi import DeclaredCards
from schema.records import FileId

Convert = Callable[..., object]
"""A field's value in one form to the same value in the other; ValueError says what is wrong."""

_HEX = r"\A(?:[0-9a-f]{2})*\Z"
_PREVIOUS = Annotated[bytes, Meta(max_length=32)]


class Form(Struct, frozen=True, eq=False):
    """How the values of one annotation stand in text: the twin's annotation, and both ways."""

    annotation: object
    to_text: Convert | None = None
    from_text: Convert | None = None


Converters = tuple[tuple[int, Convert], ...]
"""Number of a field whose two forms differ, and what converts it."""


class Twin(Struct, frozen=True, eq=False):
    """A struct and its text twin; a field without a converter is the same in both."""

    struct: type[Struct]
    text: type[Struct]
    to_text: Converters
    from_text: Converters

    def shown(self, value: Struct) -> Struct:
        """The twin of `value`; ValueError for a card code that is none."""
        return _rebuilt(self.text, self.to_text, value)

    def read(self, text: Struct) -> Struct:
        """The value whose twin `text` is, its bounds not yet checked; ValueError."""
        return _rebuilt(self.struct, self.from_text, text)


def _rebuilt(target: type[Struct], converters: Converters, source: Struct) -> Struct:
    """`target` from the fields of `source`, converted where the forms differ."""
    if not converters:
        return target(*astuple(source))
    values = list(astuple(source))
    for number, convert in converters:
        values[number] = convert(values[number])
    return target(*values)


def make_twin(struct: type[Struct], word: str | None, swaps: dict[object, object]) -> Twin:
    """The twin of `struct`, tagged `{"type": word}` unless None; TypeError for a new field type.

    `swaps` names annotations to be read as another, such as any game's options as this game's.
    """
    hints = get_type_hints(struct, include_extras=True)
    forms = {
        name: _form(swaps.get(hints[name], hints[name]), swaps) for name in struct.__struct_fields__
    }
    fields = [(name, form.annotation) for name, form in forms.items()]
    text = msgspec.defstruct(
        struct.__name__ + "Text",
        cast("list[tuple[str, type]]", fields),
        module=__name__,
        frozen=True,
        gc=False,
        forbid_unknown_fields=True,
        tag=word,
        tag_field=None if word is None else "type",
    )
    return Twin(
        struct=struct,
        text=text,
        to_text=_converters([form.to_text for form in forms.values()]),
        from_text=_converters([form.from_text for form in forms.values()]),
    )


def _converters(fields: list[Convert | None]) -> Converters:
    return tuple((number, convert) for number, convert in enumerate(fields) if convert is not None)


def _cards(text: str) -> Cards:
    """Cards from their one canonical notation: faces separated by one space."""
    cards = parse_cards(text)
    # Faces have two characters, so this length leaves one for each gap and none around.
    if text and (len(text) != 3 * len(cards) - 1 or text.count(" ") != len(cards) - 1):
        raise ValueError(f"{text!r}: cards are separated by one space, without others")
    return cards


def _cards_form(most: int) -> Form:
    """At most so many cards: two characters each, and a space between two."""
    return Form(Annotated[str, Meta(max_length=3 * most - 1)], cards_text, _cards)


def _hex(shortest: int, longest: int) -> Form:
    """Bytes as hexadecimal digits, with bounds in bytes."""
    meta = Meta(min_length=2 * shortest, max_length=2 * longest, pattern=_HEX)
    return Form(Annotated[str, meta], bytes.hex, bytes.fromhex)


_LEAVES: tuple[tuple[object, Form], ...] = (
    (PlayCards, _cards_form(64)),
    (DealCards, _cards_form(216)),
    (ShownCards, _cards_form(4)),
    (BottomCards, _cards_form(33)),
    (DeclaredCards, _cards_form(8)),
    (Card, Form(str, card_text, parse_card)),
    (Digest, _hex(32, 32)),
    (FileId, _hex(16, 16)),
    (_PREVIOUS, _hex(0, 32)),
)
"""The annotations that text writes otherwise. Bytes that stand in no line here have no text form:
whether they are cards or a digest cannot be guessed."""


def _form(annotation: object, swaps: dict[object, object]) -> Form:
    """How an annotation stands in text."""
    for known, form in _LEAVES:
        if annotation == known:
            return form
    if get_origin(annotation) is Annotated:
        inner, *metas = get_args(annotation)
        form = _form(inner, swaps)
        bounded = Annotated[form.annotation, *metas]  # type: ignore[name-defined]
        return Form(bounded, form.to_text, form.from_text)
    if get_origin(annotation) is tuple:
        return _tuple_form(get_args(annotation), swaps)
    if get_origin(annotation) in (Union, types.UnionType):
        return _plain_union(annotation, swaps)
    if annotation in (int, str, bool, types.NoneType) or get_origin(annotation) is Literal:
        return Form(annotation)
    if isinstance(annotation, type) and issubclass(annotation, IntEnum):
        return _enum_form(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        twin = make_twin(annotation, None, swaps)
        return Form(twin.text, twin.shown, twin.read)
    raise TypeError(f"no text form for a field of type {annotation!r}")


def _enum_form(enum: type[IntEnum]) -> Form:
    """The members of an enum as lower-case words."""
    words = {member: member.name.lower() for member in enum}
    members = {word: member for member, word in words.items()}
    return Form(Literal[tuple(members)], words.__getitem__, members.__getitem__)


def _tuple_form(items: tuple[object, ...], swaps: dict[object, object]) -> Form:
    """A tuple of one form, of any or of fixed length."""
    form = _form(items[0], swaps)
    if any(item not in (items[0], ...) for item in items):
        raise TypeError(f"no text form for a tuple of several types: {items!r}")
    tail = items[1:] if items[1:] == (...,) else (form.annotation,) * (len(items) - 1)
    annotation = types.GenericAlias(tuple, (form.annotation, *tail))
    return Form(annotation, _each(form.to_text), _each(form.from_text))


def _each(convert: Convert | None) -> Convert | None:
    """The converter of a tuple whose items are converted by `convert`."""
    return None if convert is None else lambda items: tuple(map(convert, items))


def _plain_union(annotation: object, swaps: dict[object, object]) -> Form:
    """A union whose members text writes as they are, such as `Seat | None`."""
    forms = [_form(member, swaps) for member in get_args(annotation)]
    if any(form.to_text is not None for form in forms):
        raise TypeError(f"no text form for the union {annotation!r}")
    return Form(annotation)
