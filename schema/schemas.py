"""The event schemas that this version reads: which events and options the logs of a game hold."""

import re
from collections.abc import Iterable
from functools import reduce
from operator import or_

import msgspec
from msgspec import Struct

from schema import chaodipi as cd
from schema import gunzi as gz
from schema.events import (
    CallDrawn,
    Called,
    ClimbingOpening,
    ClimbingSettled,
    Dealt,
    Event,
    HandAborted,
    HandEnded,
    HandStarted,
    Passed,
    Played,
    PlayedAs,
    Refused,
    Revealed,
    SoloAnswered,
    TrickWon,
    TurnedUp,
    WentOut,
    WindTaken,
)
from schema.options import (
    ChaodipiOptions,
    ChibiDagunOptions,
    DagongOptions,
    GunziOptions,
    Options,
)

Kinds = tuple[type[Event], ...]

_EVERY_GAME: Kinds = (HandStarted, HandEnded, HandAborted, Dealt, Played, TrickWon, Refused)
_CLIMBING: Kinds = (
    *(HandStarted, HandEnded, HandAborted, Dealt, Played, Passed, TrickWon, Refused),
    *(TurnedUp, CallDrawn, SoloAnswered, Called, Revealed, WentOut, WindTaken),
    *(ClimbingOpening, ClimbingSettled),
)
_CHAODIPI: Kinds = (
    *(cd.Declared, cd.BottomTurned, cd.DeclaringClosed, cd.Buried, cd.StirPassed, cd.Stirred),
    *(cd.Escaped, cd.TrumpSet, cd.BottomShown, cd.BottomTaken, cd.ThrowJudged),
    *(cd.ChaodipiOpening, cd.ChaodipiSettled),
)
_GUNZI: Kinds = (
    *(gz.Declared, gz.DeclaringClosed, gz.Flipped, gz.Drawn, gz.TributePaid, gz.TributeReturned),
    *(gz.Buried, gz.JokersBuried, gz.JokersPassed, gz.TrumpSet, gz.BottomShown, gz.Redealt),
    *(gz.GunziOpening, gz.GunziSettled),
)


class Schema(Struct, frozen=True, eq=False):
    """One event schema: its id in HEAD, its game, and the types that its logs hold."""

    id: str
    game: str
    kinds: Kinds
    options: type[Options]
    opening: type[Event]
    settled: type[Event]
    event_decoder: msgspec.msgpack.Decoder[Event]
    hand_decoder: msgspec.msgpack.Decoder[list[Event]]


def _schema(
    game: str,
    kinds: Iterable[type[Event]],
    options: type[Options],
    opening: type[Event],
    settled: type[Event],
) -> Schema:
    members = tuple(kinds)
    union = reduce(or_, members)
    return Schema(
        id=f"{game}/1",
        game=game,
        kinds=members,
        options=options,
        opening=opening,
        settled=settled,
        event_decoder=msgspec.msgpack.Decoder(union),
        hand_decoder=msgspec.msgpack.Decoder(list[union]),  # type: ignore[valid-type]
    )


_ALL = (
    _schema("dagong", _CLIMBING, DagongOptions, ClimbingOpening, ClimbingSettled),
    _schema(
        "chibi_dagun",
        (*_CLIMBING, PlayedAs),
        ChibiDagunOptions,
        ClimbingOpening,
        ClimbingSettled,
    ),
    _schema(
        "chaodipi",
        (*_EVERY_GAME, *_CHAODIPI),
        ChaodipiOptions,
        cd.ChaodipiOpening,
        cd.ChaodipiSettled,
    ),
    _schema("gunzi", (*_EVERY_GAME, *_GUNZI), GunziOptions, gz.GunziOpening, gz.GunziSettled),
)
SCHEMAS: dict[str, Schema] = {schema.id: schema for schema in _ALL}
"""Every schema this version reads, by the id that HEAD names."""
FAMILIES: dict[str, frozenset[str]] = {
    "the climbing games": frozenset(("dagong/1", "chibi_dagun/1")),
}
"""What several schemas that share events are called together."""


def owners(schema: Schema) -> frozenset[str]:
    """Whose tags a schema may use: every game's, those of its families, its own."""
    families = [name for name, ids in FAMILIES.items() if schema.id in ids]
    return frozenset(("every game", *families, schema.game))


def owner_of(kind: type[Event]) -> str:
    """Whose an event type is: the id of its schema, or of several their family's name."""
    ids = [schema.id for schema in SCHEMAS.values() if kind in schema.kinds]
    families = [name for name, members in FAMILIES.items() if members == set(ids)]
    return families[0] if families else " and ".join(ids)


def type_word(schema: Schema, kind: type[Event]) -> str:
    """The word of an event type, in text and in the catalogue: its name without game or family."""
    game = "".join(map(str.capitalize, schema.game.split("_")))
    name = kind.__name__.removeprefix(game).removeprefix("Climbing")
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


EVENT_WORDS: dict[type[Event], str] = {
    kind: type_word(schema, kind) for schema in SCHEMAS.values() for kind in schema.kinds
}
"""The word of every event type of every schema."""
