"""Findings: one fault, said so that it can be looked up: where, which rule, expected, found."""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from msgspec import Struct
from msgspec.structs import fields

from replay.damages import damage_text
from replay.engine.board import Phrase
from replay.engine.game import Game
from replay.engine.rule import Breach, Value
from replay.messages import LANGS, has, text
from replay.walk import Fault, Step, carry_of, event_word
from replay.wilds import Wilds, wilds_in, wilds_text
from schema.cards import card_text, cards_text
from schema.damage import Damage
from schema.events import AnyPlay, Claim
from schema.items import Hand
from schema.records import Recovered


class Finding(Struct, frozen=True):
    """One fault of a log.

    `kind`: format (bytes that say nothing), integrity (bytes changed or lost), violation (a rule
    that blocks), breach (conduct), claim. `hand` and `event` count from 0, `trick` from 1;
    `hand_id` is the first 16 hex digits of the hand's leaf; `offset` is in the file. `rule` is
    a rule id, or `format.<fault>`. `zh` and `en` are the sentence; `expected`, `logged` and
    `proof` (cards) are language-neutral. Behind the cards of a play stands in brackets what its
    wild jokers stand for, `4s 4h 3d Rj (Rj=3)`.
    """

    kind: str
    hand: int | None
    hand_id: str | None
    trick: int | None
    event: int | None
    offset: int | None
    seat: int | None
    rule: str
    zh: str
    en: str
    expected: str
    logged: str
    proof: str


_FORMAT_FAULTS = frozenset(("torn_tail", "chain_broken", "wrong_leaf", "moved_frame"))


def hand_id(leaf: bytes) -> str:
    """The first 16 hex digits of a hand's leaf: how archive, links and findings name it."""
    return leaf.hex()[:16]


def of_damage(damage: Damage) -> Finding:
    """What is wrong with the bytes of the log."""
    word = damage.fault.value
    zh, en = (damage_text(damage, lang) for lang in LANGS)
    return Finding(
        kind="integrity" if word in _FORMAT_FAULTS or "checksum" in word else "format",
        hand=damage.hand,
        hand_id=None,
        trick=None,
        event=damage.event,
        offset=damage.offset,
        seat=None,
        rule=f"format.{word}",
        zh=zh,
        en=en,
        expected=damage.expected,
        logged=damage.found,
        proof="",
    )


def of_gap(gap: Recovered) -> Finding:
    """A gap that the log itself states."""
    slots = {
        "hand": gap.hand,
        "events": gap.events,
        "hands_lost": gap.hands_lost,
        "bytes_lost": gap.bytes_lost,
        "reason": gap.reason,
    }
    zh, en = (text(lang, "finding.recovered", **slots) for lang in LANGS)
    return Finding(
        kind="integrity",
        hand=gap.hand,
        hand_id=None,
        trick=None,
        event=None,
        offset=None,
        seat=None,
        rule="format.recovered",
        zh=zh,
        en=en,
        expected="0 bytes lost",
        logged=f"{gap.bytes_lost} bytes lost, sha256 {gap.digest.hex()}",
        proof="",
    )


def of_file(word: str, kind: str, expected: str, found: str) -> Finding:
    """A finding about the file as a whole: `finding.<word>` of the catalogue."""
    zh, en = (text(lang, f"finding.{word}", expected=expected, found=found) for lang in LANGS)
    return Finding(
        kind=kind,
        hand=None,
        hand_id=None,
        trick=None,
        event=None,
        offset=None,
        seat=None,
        rule=f"format.{word}",
        zh=zh,
        en=en,
        expected=expected,
        logged=found,
        proof="",
    )


def of_fault(game: Game, hand: Hand, step: Step, fault: Fault) -> Finding:
    """A broken rule or a false claim at one event."""
    breach = fault.breach
    plays = _plays(game, step, breach)
    zh, en = (_sentence(lang, fault, plays) for lang in LANGS)
    expected, logged = _sides("en", fault, plays)
    return Finding(
        kind=fault.kind,
        hand=hand.index,
        hand_id=hand_id(hand.leaf),
        trick=step.trick or None,
        event=step.index,
        offset=hand.offset(step.index),
        seat=breach.seat,
        rule=breach.rule.id,
        zh=zh,
        en=en,
        expected=expected,
        logged=logged,
        proof=_proof(game, step, fault),
    )


class _Plays(Struct, frozen=True):
    """What wild jokers stand for, by the cards of a play: the one laid, the one to be beaten."""

    laid: Mapping[bytes, str] = {}
    to_beat: Mapping[bytes, str] = {}


_NO_PLAYS = _Plays()


def _plays(game: Game, step: Step, breach: Breach) -> _Plays:
    """The wild jokers of the play that the event is, and of what lay there.

    Nothing is said of a play that does not stand, or whose reading is what is wrong.
    """
    if not isinstance(step.event, AnyPlay) or step.before is None:
        return _NO_PLAYS
    is_read = step.state is not None and not isinstance(breach.found, Phrase)
    beaten = game.view(step.before, None).to_beat
    return _Plays(
        laid=_noted(step.event.cards, wilds_in(game, step) if is_read else ()),
        to_beat={} if beaten is None else _noted(beaten.cards, beaten.wilds),
    )


def _noted(cards: bytes, wilds: Wilds) -> dict[bytes, str]:
    return {cards: wilds_text(cards, wilds)} if wilds else {}


def breach_text(lang: str, breach: Breach, plays: _Plays = _NO_PLAYS) -> str:
    """The sentence of a broken rule, for a finding or for a server that turns a move down."""
    return text(
        lang,
        f"breach.{breach.rule.id}",
        seat=breach.seat,
        cards=render(lang, breach.cards, plays.laid),
        expected=render(lang, breach.expected, plays.to_beat),
        found=render(lang, breach.found, plays.laid),
    )


def _sentence(lang: str, fault: Fault, plays: _Plays) -> str:
    if fault.says:
        return text(lang, fault.says)
    if fault.kind != "claim":
        return breach_text(lang, fault.breach, plays)
    expected, found = _sides(lang, fault, plays)
    claim = _claim_name(lang, fault)
    return text(lang, _claim_key(fault), claim=claim, expected=expected, found=found)


def _claim_key(fault: Fault) -> str:
    if fault.logged is None:
        return "finding.claim_missing"
    if fault.expected is None:
        undue_play = event_word(fault.logged) == "refused"
        return "finding.refused_good" if undue_play else "finding.claim_undue"
    return "finding.chain" if event_word(fault.logged) == "opening" else "finding.claim_false"


def _claim_name(lang: str, fault: Fault) -> str:
    claim = fault.logged or fault.expected
    assert claim is not None
    return text(lang, f"claim.{event_word(claim)}")


def _sides(lang: str, fault: Fault, plays: _Plays) -> tuple[str, str]:
    """What was expected and what was found; of two claims only the fields that differ."""
    if fault.kind != "claim":
        expected = render(lang, fault.breach.expected, plays.to_beat)
        return expected, render(lang, fault.breach.found, plays.laid)
    if fault.expected is None or fault.logged is None:
        return _claim_text(lang, fault.expected), _claim_text(lang, fault.logged)
    names = [
        f.name
        for f in fields(fault.expected)
        if getattr(fault.expected, f.name) != getattr(fault.logged, f.name)
    ]
    if names == ["carry"]:  # an opening is nothing else: of it, too, only what differs
        return _sides_of(lang, carry_of(fault.expected), carry_of(fault.logged))
    return _fields(lang, fault.expected, names), _fields(lang, fault.logged, names)


def _sides_of(lang: str, expected: Struct, logged: Struct) -> tuple[str, str]:
    """The fields in which two structs differ."""
    names = [
        f.name for f in fields(expected) if getattr(expected, f.name) != getattr(logged, f.name)
    ]
    return _fields(lang, expected, names), _fields(lang, logged, names)


def _claim_text(lang: str, claim: Claim | None) -> str:
    if claim is None:
        return text(lang, "value.nothing")
    # A claim that states nothing but itself has no fields.
    told = _fields(lang, claim, [f.name for f in fields(claim)])
    return told or text(lang, f"claim.{event_word(claim)}")


def _fields(lang: str, struct: Struct, names: list[str]) -> str:
    return ", ".join(
        f"{text(lang, f'field.{name}')} {_field(lang, name, getattr(struct, name))}"
        for name in names
    )


def _field(lang: str, name: str, value: Any) -> str:
    """A field of a claim: cards in notation, seats and numbers as digits, words translated."""
    if isinstance(value, Struct):
        inner = [f.name for f in fields(value)]
        return f"({_fields(lang, value, inner)})"
    if isinstance(value, Enum):
        key = f"{'bonus' if name == 'kind' else name}.{value.name.lower()}"
        return text(lang, key) if has(lang, key) else value.name.lower()
    if isinstance(value, bool):
        return text(lang, "value.true" if value else "value.false")
    if name == "card":
        return card_text(value)
    if name == "levels" and isinstance(value, int):
        return text(lang, f"level.{value}")
    if isinstance(value, tuple):
        return f"[{' '.join(_field(lang, name, item) for item in value)}]"
    if name == "dealer" and value is None:
        return text(lang, "value.first_hand")
    return render(lang, value)


def render(lang: str, value: Value, wilds: Mapping[bytes, str] = _NO_PLAYS.laid) -> str:
    """A value of the engine for people: cards in notation, catalogue keys as their words.

    `wilds` says of cards what their wild jokers stand for.
    """
    match value:
        case None | b"":
            return text(lang, "value.none")
        case bytes():
            shown = cards_text(value) if max(value) < 54 else value.hex(" ")
            return f"{shown} ({wilds[value]})" if value in wilds else shown
        case str():
            return text(lang, value) if has(lang, value) else value
        case Phrase():
            return text(lang, value.key, **{name: _slot(lang, slot) for name, slot in value.slots})
        case tuple() if value and isinstance(value[0], str):
            cards = render(lang, value[1], wilds)
            return text(lang, value[0], seat=value[1], n=value[1], cards=cards)
        case tuple():
            between = " / " if any(isinstance(item, Phrase) for item in value) else " "
            return between.join(render(lang, item, wilds) for item in value)
        case _:
            return str(value)


def _slot(lang: str, slot: int | str | bytes) -> str:
    """A slot of a phrase; a catalogue key is its words."""
    return text(lang, slot) if isinstance(slot, str) and has(lang, slot) else str(slot)


def _proof(game: Game, step: Step, fault: Fault) -> str:
    """The cards that show it: what the seat held before the event."""
    seat = fault.breach.seat
    if fault.kind == "claim" or seat is None or step.before is None:
        return ""
    held = game.view(step.before, None).seats[seat].cards
    return cards_text(held) if held else ""
