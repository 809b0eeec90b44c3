"""Hand histories: a hand as text that a player would paste, in Chinese or English."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from msgspec.structs import asdict, fields, replace

from replay.engine.board import Phrase
from replay.engine.facts import HandFacts, SeatFacts
from replay.engine.game import Game, State
from replay.findings import Finding, hand_id
from replay.players.player import KITS
from replay.reader.pages import CellValue
from replay.reader.sheet import sheet
from replay.verify import HandResult
from replay.walk import Step, carry_of, event_word, told_in
from replay.wilds import stand_for
from replay.wording import CARD_SLOTS, SEAT_SLOTS, Words, columns, plain
from schema.cards import RANKS
from schema.events import (
    AnyPlay,
    By,
    Claim,
    Dealt,
    Event,
    Fact,
    HandStarted,
    Passed,
    Played,
    PlayedAs,
    PlayKind,
    PlayRank,
    WentOut,
)
from schema.items import Log
from schema.options import Options


def history(log: Log, name: str, result: HandResult, lang: str) -> str:
    """One hand of a log called `name`: who sat where, the cards, every trick, the settlement.

    Findings stand under the event that they are about. What the log's claims level leaves out,
    such as who won a trick, is added as derived.
    """
    words = Words(lang, [player.name for player in log.head.players])
    return "\n".join(_History(log, name, result, words).lines())


class _History:
    """The parts of one hand's history, in order."""

    def __init__(self, log: Log, name: str, result: HandResult, words: Words) -> None:
        self._log = log
        self._name = name
        self._result = result
        self._words = words
        states = (step.state for step in reversed(result.steps))
        self._end: State | None = next((state for state in states if state is not None), None)
        self._facts = None if self._end is None else result.game.summary(self._end)
        self._findings: dict[int, list[Finding]] = {}
        for finding in result.findings:
            self._findings.setdefault(finding.event or 0, []).append(finding)

    def lines(self) -> Iterator[str]:
        """The whole hand."""
        yield from self._title()
        yield from self._seats()
        trick = 0
        for number, step in enumerate(self._result.steps):
            if step.trick != trick and isinstance(step.event, AnyPlay | Passed):
                trick = step.trick
                yield ""
                yield self._words("cli.trick", n=trick)
            yield from self._event(step, self._result.steps[number + 1 :])
        if not self._result.is_verified:
            yield ""
            yield self._words("cli.history.unverified")
        elif self._facts is not None:
            yield from self._settlement(self._facts)

    def _title(self) -> Iterator[str]:
        words, hand, head = self._words, self._result.hand, self._log.head
        game = words(f"game.{self._log.schema.game}")
        yield words.join([game, words("cli.hand", n=hand.index), *self._started()])
        where = (
            words("cli.history.file", file=plain(self._name)),
            words("cli.history.hand_id", hand_id=hand_id(hand.leaf)),
        )
        yield words.join(where)
        yield words("cli.history.options", options=words.join(self._options(head.options)))

    def _started(self) -> list[str]:
        first = self._result.hand.events[0]
        return [utc(first.at)] if isinstance(first, HandStarted) else []

    def _options(self, options: Options) -> list[str]:
        """The house rules that differ from the preset `default`, and the base always."""
        told, default = asdict(options), self._default()
        shown = [name for name in told if name == "base" or told[name] != default.get(name)]
        rest = [] if len(shown) == len(told) else [self._words("cli.history.rest_default")]
        return [option_text(self._words, name, told[name]) for name in shown] + rest

    def _default(self) -> dict[str, Any]:
        kit = KITS.get(self._log.schema.game)
        return {} if kit is None else asdict(kit.presets["default"])

    def _seats(self) -> Iterator[str]:
        """Who sits where with what, and what the hand takes from the one before."""
        words, facts = self._words, self._facts
        if facts is None:
            return
        yield words("cli.history.hand_no", n=facts.hand_no)
        if facts.called is not None:
            yield words("event.called", card=words.card(facts.called))
        yield from self._levels(facts)
        yield ""
        yield from columns([self._seat(seat, facts) for seat in range(4)], "  ")

    def _levels(self, facts: HandFacts) -> Iterator[str]:
        """The level of the hand and of either side, where there are levels; what is owed."""
        words, trump = self._words, facts.trump
        if trump is None:
            return
        sides = [
            words("cli.history.side", seat=words.seat(k), partner=words.seat(k + 2), level=level)
            for k in (0, 1)
            if (level := self._level(facts.seats[k].level_before))
        ]
        yield words("cli.history.level", level=self._level(trump.level), sides=words.join(sides))
        score, jokers = trump.due_for_score or 0, trump.due_for_jokers or 0
        if score or jokers:
            yield words("cli.history.owed", n=score + jokers, score=score, jokers=jokers)

    def _level(self, level: str | None) -> str:
        return "" if level is None else self._words(f"track.level_{level}")

    def _seat(self, seat: int, facts: HandFacts) -> tuple[str, ...]:
        words, known = self._words, facts.seats[seat]
        number = words("seat.number", seat=seat)
        role = words(f"role.{known.role}")
        return number, words.seat(seat), role, words.sorted_cards(known.dealt)

    def _event(self, step: Step, later: Sequence[Step]) -> Iterator[str]:
        match step.event:
            case HandStarted() | Dealt():
                pass
            case Played() | PlayedAs() | Passed():
                yield "  " + self._act(step, step.event)
            case Claim() if carry_of(step.event) is not None or hasattr(step.event, "next"):
                pass  # the opening stands above, the settlement below
            case _:
                yield "  " + f"→ {said(self._words, self._result.game, step)}"
        for finding in self._findings.get(step.index, ()):
            yield from _finding_lines(finding, self._words)
        for claim in _unlogged(step, later):
            derived = replace(step, event=claim)
            yield "  " + f"→ {said(self._words, self._result.game, derived)}"

    def _act(self, step: Step, event: AnyPlay | Passed) -> str:
        """`甲: 对K  K♠ K♥`, and who played if it was not the player."""
        words = self._words
        state = told_in(self._result.game, step)
        label = None if state is None else self._result.game.label(state, event)
        kind = words("cli.history.unknown") if label is None else words.phrase(label)
        by = "" if event.by is By.PLAYER else f" [{words(f'by.{event.by.name.lower()}')}]"
        # The words for a joker name it already.
        is_named = label is not None and any(name == "cards" for name, _ in label.slots)
        laid = ""
        if isinstance(event, AnyPlay) and not is_named:
            laid = f"  {words.laid(event.cards, stand_for(self._result.game, step))}"
        return f"{words.seat(event.seat)}: {kind}{laid}{by}"

    def _settlement(self, facts: HandFacts) -> Iterator[str]:
        """The result and what every seat won and lost, as derived."""
        words = self._words
        yield ""
        if facts.result is None:
            yield words("end.aborted")
            return
        parts = [words(f"result.{facts.result}")]
        if facts.fan is not None:
            base = getattr(self._log.head.options, "base", 1)
            parts.append(words("cli.history.share", base=base, fan=facts.fan, n=base * facts.fan))
        if facts.trump is not None:
            yield words("cli.history.result", result=parts[0])
            yield from self._sheet()
            return
        winners = words.join([words.seat(seat) for seat in facts.winners])
        parts.append(words("cli.history.winners", winners=winners))
        yield words("cli.history.result", result=words.join(parts))
        names = [name for name in _COLUMNS if any(_has(seat, name) for seat in facts.seats)]
        head = ["", *(words(f"cli.history.column.{name}") for name in names)]
        rows = [
            [words.seat(k), *(_cell(words, seat, name) for name in names)]
            for k, seat in enumerate(facts.seats)
        ]
        yield from columns([head, *rows], "  ", right=range(1, len(head)))

    def _sheet(self) -> Iterator[str]:
        """The settlement line by line, as its game tells it: of the hand, then of the seats."""
        words = self._words
        lines = sheet(self._result, self._log.schema, self._log.head.options)
        rows = [(line, [self._value(cell.value) for cell in line.cells]) for line in lines]
        whole = [[words(line.name), words.join(c)] for line, c in rows if not line.is_per_seat]
        yield from columns(whole, "  ")
        seats = ["", *(words.seat(seat) for seat in range(4))]
        told = [[words(line.name), *cells] for line, cells in rows if line.is_per_seat]
        if told:
            yield ""
            yield from columns([seats, *told], "  ", right=range(1, 5))

    def _value(self, value: CellValue) -> str:
        match value:
            case Phrase():
                return self._words.phrase(value)
            case tuple():
                return self._words.join([self._words.seat(seat) for seat in value]) or "-"
            case _:
                return str(value)


_COLUMNS = ("place", "captured", "final", "bonus", "delta", "balance_after")
_SIGNED = frozenset({"bonus", "delta"})


def _has(seat: SeatFacts, name: str) -> bool:
    value = getattr(seat, name)
    return value is not None and (name != "bonus" or value != 0)


def _cell(words: Words, seat: SeatFacts, name: str) -> str:
    value = getattr(seat, name)
    if value is None:
        return "-"
    if name == "place":
        return words(f"place.{value}")
    return f"{value:+}" if name in _SIGNED else str(value)


def _finding_lines(finding: Finding, words: Words) -> Iterator[str]:
    sentence = finding.zh if words.lang == "zh" else finding.en
    kind = words(f"finding.{finding.kind}")
    yield f"    !! {finding.rule} [{kind}] {sentence}"


def _unlogged(step: Step, later: Iterable[Step]) -> list[Claim]:
    """Claims that the step makes due and that are not logged before the next fact."""
    if not step.due:
        return []
    logged = set()
    for after in later:
        if isinstance(after.event, Fact):
            break
        logged.add(type(after.event))
    return [claim for claim in step.due if type(claim) not in logged and not hasattr(claim, "next")]


def said(words: Words, game: Game, step: Step) -> str:
    """A walked event in the players' words, the game's own where it has any."""
    state = told_in(game, step)
    label = None if state is None else game.label(state, step.event)
    if label is not None and label.table == "event":
        return words.phrase(label)
    return event_text(words, step.event)


def event_text(words: Words, event: Event) -> str:
    """Any event in the players' words."""
    # A declared type without a rank leaves its slot empty, which is the last one.
    slots = {f.name: _slot(words, event, f.name) for f in fields(event)}
    return words(f"event.{event_word(event)}", **slots).rstrip()


def _slot(words: Words, event: Event, name: str) -> str:
    match value := getattr(event, name):
        case PlayKind():
            return words(f"type.{value.name.lower()}")
        case PlayRank():
            return "" if value is PlayRank.NONE else RANKS[value]
        case Enum():
            return words(f"{_TABLES.get(name, name)}.{value.name.lower()}")
        case bool():
            return words("value.yes" if value else "value.no")
        case bytes() if name in CARD_SLOTS:
            return words.cards(value)
        case int() if name == "card":
            return words.card(value)
        case int() if name in SEAT_SLOTS:
            return words.seat(value)
        case int() if name == "place" and isinstance(event, WentOut):
            return words(f"place.{value}")
        case _:
            return str(value)


_TABLES = {"reason": "abort"}
"""Where the words of a field stand, if not under its own name."""


def option_text(words: Words, name: str, value: Any) -> str:
    """A house rule and what its value means."""
    told = words.either(f"option.{name}.{value}", str(value))
    return words("cli.history.option", name=words.either(f"option.{name}", name), value=told)


def utc(millis: int) -> str:
    """Wall time for people: `2026-01-01 00:00:00 UTC`."""
    try:
        return datetime.fromtimestamp(millis / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (ValueError, OverflowError):
        return f"{millis} ms"
