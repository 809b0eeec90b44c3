"""A position told in words: whose turn it was, what was asked, and which plays were legal."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from replay.engine.board import Board
from replay.findings import Finding, hand_id
from replay.folder import Problem
from replay.history import said
from replay.position import Act as Act
from replay.position import Asked as AskedAbout
from replay.position import CardSet as LegalSet
from replay.position import NobodyPlays, Position, position
from replay.verify import HandResult
from replay.wilds import stand_for, wild_cards, wilds_text
from replay.wording import Words
from schema.cards import cards_text, parse_card, parse_cards


class Laid(Struct, frozen=True):
    """A play or pass on the table: cards in notation, and what they are in words."""

    seat: int
    cards: str
    wilds: str
    play: str


class CardSet(Struct, frozen=True):
    """Cards in notation; `wilds` says what their wild jokers stand for, such as `Rj=3`.

    `seat` is whose they are where several seats may act, `picked` what is taken out of the bottom
    for them.
    """

    cards: str
    wilds: str
    seat: int | None = None
    picked: str = ""


class Group(Struct, frozen=True):
    """The legal acts of one type; `sets` are the sets of cards, none for a pass.

    Cards that can be read in several ways stand there once for each of them.
    """

    type: str
    name: str
    sets: tuple[CardSet, ...]


class Ruled(Struct, frozen=True):
    """What a rule says about an act: the sentence about the act, the rule's, the source's.

    `sentence` is empty where the rule's own says it all.
    """

    rule: str
    sentence: str
    rule_sentence: str
    source: str
    proof: str


class Declared(Struct, frozen=True):
    """What cards can be declared to be instead, and by which rules they may not."""

    wilds: str
    play: str
    is_legal: bool
    rules: tuple[str, ...]


class Asked(Struct, frozen=True):
    """An act that was asked about: `play` says what it is, `rules` what forbids it.

    `others` are the readings that would have to be declared; `picked` is what the act takes out
    of the bottom, where nothing forbids it.
    """

    act: str
    wilds: str
    play: str
    is_legal: bool
    rules: tuple[Ruled, ...]
    others: tuple[Declared, ...]
    picked: str = ""


class Logged(Struct, frozen=True):
    """The event that the log has at this place."""

    event: str
    findings: tuple[Ruled, ...]


class Explained(Struct, frozen=True):
    """A position: that before event `event` of the hand, which has `events` of them.

    `blocked_by` is the event that leaves the state undefined here; then nothing else is known.
    `seat` is None where nobody in particular is to act. `holding` is that of the seat, high cards
    first, and `groups` the sizes of what it holds apart. `is_sample`: of the legal acts `plays`
    are only some.
    """

    hand: int
    hand_id: str
    event: int
    events: int
    blocked_by: int | None
    phase: str
    trick: int
    seat: int | None
    name: str
    ask: str
    obligations: tuple[str, ...]
    table: tuple[Laid, ...]
    holding: str
    groups: tuple[int, ...]
    plays: tuple[Group, ...]
    is_sample: bool
    asked: Asked | None
    logged: Logged | None


def explained(result: HandResult, event: int, words: Words, act: Act | None = None) -> Explained:
    """The position before event number `event` (0 to the number of events) of a walked hand."""
    try:
        found = position(result, event, act)
    except NobodyPlays as nobody:
        raise Problem("nobody_plays", ask=words(nobody.ask)) from None
    board = found.board
    seat = None if board is None else board.prompt.seat
    return Explained(
        hand=result.hand.index,
        hand_id=hand_id(result.hand.leaf),
        event=event,
        events=found.events,
        blocked_by=found.blocked_by,
        phase="" if board is None else words(board.phase),
        trick=0 if board is None else board.trick,
        seat=seat,
        name="" if seat is None else words.seat(seat),
        ask=words("cli.explain.unopened" if board is None else board.prompt.ask),
        obligations=() if board is None else tuple(_obligations(board, words)),
        table=() if board is None else _table(board, words),
        holding=_held(board, seat),
        groups=() if board is None or seat is None else board.seats[seat].groups[::-1],
        plays=tuple(
            Group(group.type, words(group.type), tuple(map(_card_set, group.sets)))
            for group in found.plays
        ),
        is_sample=found.is_sample,
        asked=None if found.asked is None else _asked(found, found.asked, words),
        logged=_logged(result, event, words),
    )


def _card_set(each: LegalSet) -> CardSet:
    wilds, picked = wilds_text(each.cards, each.wilds), cards_text(each.picked)
    return CardSet(cards_text(each.cards), wilds, each.seat, picked)


def _table(board: Board, words: Words) -> tuple[Laid, ...]:
    return tuple(
        Laid(
            seat=laid.seat,
            cards=cards_text(laid.cards),
            wilds=wilds_text(laid.cards, laid.wilds),
            play=words.phrase(laid.label),
        )
        for laid in board.table
    )


def _obligations(board: Board, words: Words) -> Iterator[str]:
    """What binds the answer; behind the play to beat, what its wild jokers stand for."""
    beat = board.to_beat
    for obligation in map(words.phrase, board.prompt.obligations):
        if beat is not None and beat.wilds:
            laid = words.laid(beat.cards, wild_cards(beat.cards, beat.wilds))
            obligation = obligation.replace(words.cards(beat.cards), laid)
        yield obligation


def _held(board: Board | None, seat: int | None) -> str:
    if board is None or seat is None:
        return ""
    held = board.seats[seat].cards
    if held is None:
        return ""
    is_own = (
        board.order is not None
    )  # then the cards stand in the game's order, not in that of codes
    return cards_text(held[::-1] if is_own else bytes(sorted(held, reverse=True)))


def _asked(found: Position, asked: AskedAbout, words: Words) -> Asked:
    """The answer. A finding's own sentence tells what was done; here nothing was."""
    rules = tuple(
        _ruled(finding, _objection(found, asked, finding, words), words)
        for finding in asked.findings
    )
    return Asked(
        act=cards_text(asked.cards),
        wilds=wilds_text(asked.cards, asked.wilds),
        play=words.phrase(asked.label),
        is_legal=not rules,
        rules=rules,
        others=tuple(
            Declared(
                wilds=wilds_text(asked.cards, other.wilds),
                play=words.phrase(other.label),
                is_legal=not other.findings,
                rules=tuple(finding.rule for finding in other.findings),
            )
            for other in asked.others
        ),
        picked="" if rules else cards_text(asked.picked),
    )


def _objection(found: Position, asked: AskedAbout, finding: Finding, words: Words) -> str:
    """What the act lacks: the cards that are not held, or a play that beats the one to beat."""
    board, player = found.board, found.player
    if board is None or player is None:
        return ""
    missing = Counter(asked.cards) - Counter(board.seats[player].cards or b"")
    lacking = bytes(sorted(missing.elements(), reverse=True))
    if lacking and sorted(finding.logged.split()) == sorted(cards_text(lacking).split()):
        return words("cli.explain.lacking", cards=words.cards(lacking))
    beat = board.to_beat
    if beat is not None and cards_text(beat.cards) in finding.expected:
        laid = words.laid(beat.cards, wild_cards(beat.cards, beat.wilds))
        return words("cli.explain.to_beat", cards=laid)
    return ""


def _ruled(finding: Finding, sentence: str, words: Words) -> Ruled:
    return Ruled(finding.rule, sentence, *words.rule(finding.rule), finding.proof)


def _logged(result: HandResult, event: int, words: Words) -> Logged | None:
    if event == len(result.steps):
        return None
    here = tuple(
        _ruled(found, found.zh if words.lang == "zh" else found.en, words)
        for found in result.findings
        if found.event == event
    )
    step = result.steps[event]
    wilds = words.wilds(stand_for(result.game, step))
    told = said(words, result.game, step)
    return Logged(words("cli.with", what=told, more=wilds) if wilds else told, here)


def explained_text(found: Explained, words: Words) -> str:
    """A position as text."""
    return "\n".join(_lines(found, words))


def _lines(found: Explained, words: Words) -> Iterator[str]:
    at = [words("cli.hand", n=found.hand)]
    if found.trick:
        at.append(words("cli.trick", n=found.trick))
    yield words.join([*at, words("cli.explain.before", n=found.event, events=found.events)])
    if found.blocked_by is not None:
        yield "  " + words("cli.explain.blocked", n=found.blocked_by)
    else:
        yield from _position(found, words)
    if found.asked is not None:
        yield from _answer(found.asked, words)
    if found.logged is not None:
        yield "  " + words("cli.explain.logged", event=found.logged.event)
        yield from _ruled_lines(found.logged.findings, words)


def _position(found: Explained, words: Words) -> Iterator[str]:
    if found.seat is not None:
        yield "  " + words("cli.turn", seat=found.name) + f" ({found.ask})"
    else:
        yield f"  {found.ask}"
    for obligation in found.obligations:
        yield f"  {words('cli.obligations')}: {obligation}"
    for laid in found.table:
        cards = f"  {_shown(laid.cards, words, laid.wilds)}" if laid.cards else ""
        yield f"  {words('cli.explain.table')}: {words.seat(laid.seat)}: {laid.play}{cards}"
    if found.holding:
        yield f"  {words('cli.explain.holding')}: {_apart(found, words)}"
    if found.plays:
        yield from _groups(found.plays, words)
    if found.is_sample:
        yield "    " + words("cli.explain.sample")


def _apart(found: Explained, words: Words) -> str:
    """The holding, a bar between what is held apart."""
    cards, at, parts = found.holding.split(), 0, []
    for size in found.groups or (len(cards),):
        parts.append(_shown(" ".join(cards[at : at + size]), words))
        at += size
    return " | ".join(parts)


def _set(each: CardSet, words: Words) -> str:
    shown = _with_picks(_shown(each.cards, words, each.wilds), each.picked, words)
    return shown if each.seat is None else f"{words.seat(each.seat)} {shown}"


def _with_picks(told: str, picked: str, words: Words) -> str:
    """What is laid, and in brackets what is picked for it."""
    if not picked:
        return told
    return words("cli.with", what=told, more=words("cli.picked", cards=_shown(picked, words)))


def _groups(groups: Sequence[Group], words: Words) -> Iterator[str]:
    """The legal acts, a line per type."""
    if [group.type for group in groups] == ["type.pass"]:
        yield "  " + words("cli.no_legal_play")
        return
    yield f"  {words('cli.legal_plays')}:"
    for group in groups:
        sets = " | ".join(_set(each, words) for each in group.sets)
        count = f" ({len(group.sets)}): {sets}" if group.sets else ""
        yield f"    {group.name}{count}"


def _answer(asked: Asked, words: Words) -> Iterator[str]:
    cards = _shown(asked.act, words) or words("play.pass")
    wilds = words.wilds(_jokers(asked.wilds))
    play = words.join([asked.play, wilds]) if wilds else asked.play
    if asked.is_legal:
        cards = _with_picks(cards, asked.picked, words)
        yield "  " + words("cli.allowed", cards=cards, play=play)
    else:
        if asked.act:
            cards = words("cli.with", what=cards, more=play)
        yield "  " + words("cli.explain.not_legal", cards=cards)
        yield from _ruled_lines(asked.rules, words)
    for other in asked.others:
        wilds = words.wilds(_jokers(other.wilds))
        play = words.join([other.play, wilds]) if wilds else other.play
        key = "cli.explain.may_declare" if other.is_legal else "cli.explain.may_not_declare"
        yield "  " + words(key, play=play, rules=", ".join(other.rules))


def _ruled_lines(rules: Sequence[Ruled], words: Words) -> Iterator[str]:
    for ruled in rules:
        yield f"    !! {ruled.rule}" + (f": {ruled.sentence}" if ruled.sentence else "")
        told: tuple[tuple[str, Any], ...] = (
            ("rule", ruled.rule_sentence),
            ("source", ruled.source),
            ("proof", ruled.proof),
        )
        for word, value in told:
            if value:
                yield f"       {words(f'cli.{word}')}: {value}"


def _shown(cards: str, words: Words, wilds: str = "") -> str:
    """Cards in notation as people write them, and what their wild jokers stand for."""
    return words.laid(parse_cards(cards), _jokers(wilds))


def _jokers(wilds: str) -> list[tuple[int, str]]:
    """What stands in notation as codes and ranks."""
    each = (wild.partition("=") for wild in wilds.split())
    return [(parse_card(joker), rank) for joker, _, rank in each]
