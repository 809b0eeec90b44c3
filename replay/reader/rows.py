"""Rows of the list of hands: made from walked hands, filtered, sorted, counted, paged."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from replay.findings import hand_id
from replay.reader.pages import (
    Count,
    HandList,
    HandQuery,
    HandRow,
    Overview,
    People,
    SeatTally,
    Sort,
)
from replay.verify import HandResult
from schema.events import HandAborted, HandStarted

TOP_PLAYERS = 200
"""How many players the list of hands offers to choose from."""


def row_of(result: HandResult, log_id: str, log_name: str, players: People) -> HandRow:
    """The row of one walked hand."""
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
    )


def _unsettled(result: HandResult) -> str:
    if isinstance(result.hand.events[-1], HandAborted) and result.is_verified:
        return "aborted"
    return "unverified"


_ORDERS: dict[Sort, tuple[Callable[[HandRow], Any], bool]] = {
    "newest": (lambda row: (row.at, row.log_id, row.index), True),
    "oldest": (lambda row: (row.at, row.log_id, row.index), False),
    "findings": (lambda row: (row.findings, row.at), True),
    "longest": (lambda row: (row.events, row.at), True),
}


def listed(rows: Sequence[HandRow], query: HandQuery, scanned: int, files: int) -> HandList:
    """One page of the hands that match; facets count what the other filters leave."""
    found = matching(rows, query)
    key, is_reversed = _ORDERS[query.sort]
    found.sort(key=key, reverse=is_reversed)
    page, pages = page_of(len(found), query.page, query.size)
    return HandList(
        rows=tuple(found[(page - 1) * query.size : page * query.size]),
        total=len(found),
        page=page,
        pages=pages,
        games=counted(row.game for row in _without(rows, query, "game")),
        results=counted(row.result for row in _without(rows, query, "result")),
        players=_players(found),
        with_findings=sum(row.findings > 0 for row in _without(rows, query, "findings")),
        scanned=scanned,
        files=files,
    )


def page_of(total: int, page: int, size: int) -> tuple[int, int]:
    """The page that there is nearest to the one asked for, and how many there are."""
    pages = max(1, -(-total // size))
    return min(page, pages), pages


def counted(values: Iterable[str]) -> tuple[Count, ...]:
    """How often each value comes, the most frequent first."""
    return tuple(Count(value, value, n) for value, n in Counter(values).most_common())


def _players(found: Iterable[HandRow]) -> tuple[Count, ...]:
    """Players by id; one who changed his name is shown by the first of them in order."""
    hands = Counter(person for row in found for person in row.players)
    names: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for person, n in hands.items():
        counts[person.id] += n
        names[person.id] = min(names.get(person.id, person.name), person.name)
    return tuple(Count(id, names[id], n) for id, n in counts.most_common(TOP_PLAYERS))


def _without(rows: Sequence[HandRow], query: HandQuery, field: str) -> list[HandRow]:
    """The rows that match a query when one of its fields asks for nothing."""
    return matching(rows, replace(query, **{field: ""}))


def matching(rows: Iterable[HandRow], query: HandQuery) -> list[HandRow]:
    """The rows that a query asks for, in their order."""
    tests = _tests(query)
    return [row for row in rows if all(test(row) for test in tests)]


def _tests(query: HandQuery) -> list[Callable[[HandRow], bool]]:
    tests: list[Callable[[HandRow], bool]] = []
    if query.game:
        tests.append(lambda row: row.game == query.game)
    if query.result:
        tests.append(lambda row: row.result == query.result)
    if query.log_id:
        tests.append(lambda row: row.log_id == query.log_id)
    if query.findings:
        tests.append(lambda row: (row.findings > 0) == (query.findings == "some"))
    if query.player:
        tests.append(lambda row: any(query.player in (p.id, p.name) for p in row.players))
    if query.text:
        text = query.text.casefold()
        tests.append(lambda row: text in row.hand_id or text in row.log_name.casefold())
    return tests


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
    counts = tuple(Count(value, value, n) for value, n in results.most_common())
    return Overview(counts, tallies(zip(hands, won, coins, strict=True)))


def tallies(
    numbers: Iterable[tuple[int, int, int]],
) -> tuple[SeatTally, SeatTally, SeatTally, SeatTally]:
    """The tally of each seat, from hands, hands won and coins of the four."""
    a, b, c, d = (SeatTally(*seat) for seat in numbers)
    return (a, b, c, d)
