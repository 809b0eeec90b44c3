"""Rows of the list of hands: made from walked hands, filtered, sorted, counted, paged."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import date
from typing import Any

from msgspec.structs import replace

from replay.findings import hand_id
from replay.reader.facets import FIELDS, Values, facets, most_first
from replay.reader.pages import (
    Count,
    HandList,
    HandQuery,
    HandRow,
    LogQuery,
    LogRow,
    LogSort,
    Overview,
    People,
    SeatTally,
    Sort,
)
from replay.verify import HandResult
from schema.events import HandAborted, HandStarted, Played, PlayedAs

TOP_PLAYERS = 200
"""How many players the list of hands offers to choose from."""


_DAY_MS = 86_400_000
_EPOCH = date(1970, 1, 1)
Bombs = dict[Hashable, bool]
"""Whether plays of one key are bombs, as far as it was asked."""


def row_of(
    result: HandResult, log_id: str, log_name: str, players: People, known: Bombs
) -> HandRow:
    """The row of one walked hand; `known` is kept from hand to hand of a log."""
    hand = result.hand
    state = next((step.state for step in reversed(result.steps) if step.state is not None), None)
    facts = None if state is None else result.game.summary(state)
    word = facts.result if facts else None
    deltas = tuple(seat.delta for seat in facts.seats if seat.delta is not None) if facts else ()
    started = hand.events[0]
    return HandRow(
        hand_id=hand_id(hand.leaf),
        log_id=log_id,
        log_name=log_name,
        index=hand.index,
        game=result.game.name,
        players=players,
        result=word or _unsettled(result),
        winners=facts.winners if facts else (),
        dealer=facts.dealer if facts else None,
        deltas=deltas if len(deltas) == 4 else (),
        findings=len(result.findings),
        events=len(hand.events),
        at=started.at if isinstance(started, HandStarted) else 0,
        mode=facts.mode if facts else None,
        level=facts.trump.level if facts and facts.trump else None,
        bombs=_bombs(result, known),
        fan=facts.fan if facts else None,
        score=facts.trump.score if facts and facts.trump else None,
        roles=tuple(seat.role for seat in facts.seats) if facts else (),
    )


def _bombs(result: HandResult, known: Bombs) -> int:
    """How many bombs were laid, as far as every play was judged."""
    bombs = 0
    for step in result.steps:
        if not isinstance(step.event, Played | PlayedAs):
            continue
        if step.state is None:
            break
        key = result.game.play_key(step.state, step.event)
        if key not in known:
            known[key] = result.game.played(step.state, step.event).is_bomb
        bombs += known[key]
    return bombs


def _unsettled(result: HandResult) -> str:
    if isinstance(result.hand.events[-1], HandAborted) and result.is_verified:
        return "aborted"
    return "unverified"


_ORDERS: dict[Sort, Callable[[HandRow], Any]] = {
    "newest": lambda row: -row.at,
    "oldest": lambda row: row.at,
    "findings": lambda row: (-row.findings, -row.at),
    "longest": lambda row: (-row.events, -row.at),
    "bombs": lambda row: (-row.bombs, -row.at),
    "swing": lambda row: (not row.deltas, -max(row.deltas, default=0)),
    "log": lambda row: 0,
}


def ordered(rows: Iterable[HandRow], query: HandQuery) -> list[HandRow]:
    """The hands that match, in the order asked for; equals in that of their logs."""
    found = matching(rows, query)
    found.sort(key=lambda row: (row.log_name, row.index), reverse=query.sort == "newest")
    found.sort(key=_ORDERS[query.sort])
    return found


def listed(rows: Sequence[HandRow], query: HandQuery, scanned: int, files: int) -> HandList:
    """One page of the hands that match; facets count what the other filters leave."""
    found = ordered(rows, query)
    page, pages = page_of(len(found), query.page, query.size)
    free = matching(rows, replace(query, **dict.fromkeys(FIELDS, "")))
    counts = facets(Counter(map(_values, free)).items(), query)
    return HandList(
        rows=tuple(found[(page - 1) * query.size : page * query.size]),
        total=len(found),
        page=page,
        pages=pages,
        games=counts.games,
        results=counts.results,
        players=_players(found),
        with_findings=counts.flawed,
        scanned=scanned,
        files=files,
        modes=counts.modes,
        levels=counts.levels,
        without_findings=counts.flawless,
        has_bombs=any(row.bombs and query.game in ("", row.game) for row in rows),
    )


def _values(row: HandRow) -> Values:
    return row.game, row.result, "some" if row.findings else "none", row.mode, row.level


def page_of(total: int, page: int, size: int) -> tuple[int, int]:
    """The page that there is nearest to the one asked for, and how many there are."""
    pages = max(1, -(-total // size))
    return min(page, pages), pages


def counted(values: Iterable[str]) -> tuple[Count, ...]:
    """How often each value comes, the most frequent first."""
    return most_first(Counter(values))


def _players(found: Iterable[HandRow]) -> tuple[Count, ...]:
    """Players by id; one who changed his name is shown by the first of them in order."""
    hands = Counter(person for row in found for person in row.players)
    names: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for person, n in hands.items():
        counts[person.id] += n
        names[person.id] = min(names.get(person.id, person.name), person.name)
    most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:TOP_PLAYERS]
    return tuple(Count(id, names[id], n) for id, n in most)


def start_of(day: str) -> int:
    """The first millisecond of a day such as `2025-03-01`, UTC; ValueError if there is none."""
    found = date.fromisoformat(day)
    if found.isoformat() != day:  # weeks and days without dashes are ISO too
        raise ValueError(f"a day such as 2025-03-01 expected, found {day!r}")
    return (found - _EPOCH).days * _DAY_MS


def end_of(day: str) -> int:
    """The first millisecond after a day, UTC."""
    return start_of(day) + _DAY_MS


def matching(rows: Iterable[HandRow], query: HandQuery) -> list[HandRow]:
    """The rows that a query asks for, in their order."""
    tests = _tests(query)
    return [row for row in rows if all(test(row) for test in tests)]


def _file(row: HandRow) -> str:
    """The name of the log's file, without its folders."""
    return row.log_name.rpartition("/")[2]


Test = Callable[[HandRow], bool]


def _tests(query: HandQuery) -> list[Test]:
    tests = [*_word_tests(query), *_number_tests(query)]
    if query.findings:
        tests.append(lambda row: (row.findings > 0) == (query.findings == "some"))
    if query.decided:
        tests.append(lambda row: bool(row.winners) == (query.decided == "yes"))
    if query.seat is not None or any((query.player, query.player_id, query.role, query.won)):
        tests.append(lambda row: any(_is_seat(row, seat, query) for seat in range(4)))
    if query.text:
        text = query.text.lower()
        tests.append(lambda row: text in row.hand_id or text in _file(row).lower())
    return tests


def _word_tests(query: HandQuery) -> list[Test]:
    """Tests of fields that are as asked for, or not."""

    def test(field: str, wanted: object) -> Test:
        return lambda row: bool(getattr(row, field) == wanted)

    fields = ("game", "result", "log_id", "mode", "level", "fan")
    asked = [(field, getattr(query, field)) for field in fields]
    return [test(field, wanted) for field, wanted in asked if wanted not in ("", None)]


def _number_tests(query: HandQuery) -> list[Test]:
    """Tests of numbers that are within bounds; what has no number is within none."""

    def test(field: str, least: int | None, most: int | None) -> Test:
        def is_within(row: HandRow) -> bool:
            number = getattr(row, field)
            if number is None or (least is not None and number < least):
                return False
            return most is None or bool(number <= most)

        return is_within

    since = start_of(query.since) if query.since else None
    until = end_of(query.until) - 1 if query.until else None
    bounds = (
        ("at", since, until),
        ("bombs", query.bombs, None),
        ("events", query.longer, query.shorter),
        ("score", query.score_from, query.score_to),
    )
    return [test(*bound) for bound in bounds if bound[1:] != (None, None)]


def _is_seat(row: HandRow, seat: int, query: HandQuery) -> bool:
    """Whether this seat is all that a query asks of one."""
    person = row.players[seat]
    if query.player and query.player not in (person.id, person.name):
        return False
    if query.player_id not in ("", person.id):
        return False
    if query.seat not in (None, seat) or (query.role and query.role not in row.roles[seat:][:1]):
        return False
    if not query.won:
        return True
    return bool(row.winners) and (seat in row.winners) == (query.won == "yes")


_LOG_ORDERS: dict[LogSort, Callable[[LogRow], int]] = {
    "name": lambda row: 0,
    "hands": lambda row: -row.hands,
    "findings": lambda row: -row.findings,
    "newest": lambda row: -row.at,
    "oldest": lambda row: row.at,
}


def logs_in_order(known: Iterable[LogRow], query: LogQuery) -> list[LogRow]:
    """The logs that match, out of all in order of their names, in the order asked for."""
    text = query.text.lower()
    found = [
        row
        for row in known
        if query.game in ("", row.game)
        and text in row.name.rpartition("/")[2].lower()
        and query.findings in ("", _flaws(row))
    ]
    return sorted(found, key=_LOG_ORDERS[query.sort])


def _flaws(row: LogRow) -> str:
    if row.problem is not None:
        return "unreadable"
    return "some" if row.findings else "none"


def overview(rows: Iterable[HandRow]) -> Overview:
    """Results and seats of many hands, for charts."""
    results: Counter[str] = Counter()
    hands, won, coins = [0] * 4, [0] * 4, [0] * 4
    for row in rows:
        results[row.result] += 1
        if not row.winners:
            continue
        for seat in range(4):
            hands[seat] += 1
            won[seat] += seat in row.winners
            coins[seat] += row.deltas[seat] if row.deltas else 0
    return Overview(most_first(results), tallies(zip(hands, won, coins, strict=True)))


def tallies(
    numbers: Iterable[tuple[int, int, int]],
) -> tuple[SeatTally, SeatTally, SeatTally, SeatTally]:
    """The tally of each seat, from hands, hands won and coins of the four."""
    a, b, c, d = (SeatTally(*seat) for seat in numbers)
    return (a, b, c, d)
