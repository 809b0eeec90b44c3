"""What the frames of a log hold besides events: HEAD, HAND, CHUNK, INDEX, RECOVERED."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, msgpack

from schema.events import Digest, WallMillis
from schema.options import Options

PlayerId = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9._:@-]{1,64}\Z")]
ClaimsLevel = Literal["full", "settlement", "none"]
FileId = Annotated[bytes, Meta(min_length=16, max_length=16)]
Version = Annotated[int, Meta(ge=0, le=2**16 - 1)]
Count = Annotated[int, Meta(ge=0, le=2**48)]
MOST_HANDS = 2**48
"""The index of every hand is below this, so that whatever follows a hand can still be counted."""
HandIndex = Annotated[int, Meta(ge=0, le=MOST_HANDS - 1)]


class Player(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """One seat's player: statistics hang on `id`; `name` is NFC, no control characters."""

    id: PlayerId
    name: Annotated[str, Meta(min_length=1, max_length=64)]


class Head(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """First frame of a log: all that its hands have in common, bound by leaf 0.

    `options` is the options struct of the schema's game; `previous` is the leaf that HEAD of the
    file before this one has (leaf 0 of it), or empty.
    """

    format_major: Version
    format_minor: Version
    schema_id: Annotated[str, Meta(max_length=32)]
    file_id: FileId
    created: WallMillis
    rules_version: Annotated[str, Meta(max_length=32)]
    options: Options
    players: tuple[Player, Player, Player, Player]
    claims: ClaimsLevel
    producer: Annotated[str, Meta(max_length=128)]
    previous: Annotated[bytes, Meta(max_length=32)]


class HandRecord(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """Commit point of a hand: sizes and leaf of the events before it."""

    index: HandIndex
    n_events: Count
    n_bytes: Count
    leaf: Digest


class ChunkRecord(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """Some whole hands, compressed; codec 0 none, 1 zlib."""

    first_index: HandIndex
    n_hands: Count
    raw_len: Count
    codec: Annotated[int, Meta(ge=0, le=1)]
    data: bytes


class IndexEntry(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """Where the CHUNK frame of these hands stands, and its length with its header."""

    first_index: HandIndex
    n_hands: Count
    offset: Count
    length: Count


class Recovered(Struct, array_like=True, frozen=True, forbid_unknown_fields=True):
    """A gap, stated: what was lost here, and the SHA-256 of the bytes dropped."""

    hand: Count
    events: Count
    hands_lost: Count
    bytes_lost: Count
    digest: Digest
    at: WallMillis
    reason: Annotated[str, Meta(max_length=200)]


HAND_DECODER = msgpack.Decoder(HandRecord)
CHUNK_DECODER = msgpack.Decoder(ChunkRecord)
INDEX_DECODER = msgpack.Decoder(tuple[IndexEntry, ...])
RECOVERED_DECODER = msgpack.Decoder(Recovered)
