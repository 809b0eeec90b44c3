"""明鸡: the choice to show the called card stands among the legal plays; in the end all know."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from replay.position import Act, position
from replay.verify import HandResult, verified_hands
from schema.cards import BLACK_JOKER, rank
from schema.events import HandAborted
from schema.logfile import open_log

CLEAN = Path(__file__).parent.parent / "sample_logs"
LOGS = [
    path
    for game in ("dagong", "chibi_dagun")
    for path in sorted((CLEAN / game / "clean").glob("*.paipu*"))[::4]
]


@pytest.fixture(scope="module")
def hands() -> list[HandResult]:
    """Hands of clean samples with a called card."""

    def found() -> Iterator[HandResult]:
        for path in LOGS:
            with path.open("rb") as stream:
                results = [r for r in verified_hands(open_log(stream)) if type(r) is HandResult]
            yield from results[:4]

    return list(found())


def partners_leads(hands: list[HandResult]) -> Iterator[tuple[HandResult, int, Any, int]]:
    """Where a partner who is not revealed leads and holds the called card: hand, event, state."""
    for result in hands:
        for step in result.steps:
            state: Any = step.before
            board = None if state is None else result.game.view(state, None)
            if board is None or board.called is None or board.prompt.ask != "ask.lead":
                continue
            seat = board.prompt.seat
            assert seat is not None
            held = board.seats[seat].cards or b""
            is_partner = "role.partner" in board.seats[seat].roles
            shown = any(mark.key == "mark.revealed" for mark in board.seats[seat].marks)
            if is_partner and not shown and board.called[0] in held:
                yield result, step.index, held, board.called[0]


def singles(result: HandResult, event: int) -> set[int]:
    """The single cards that are listed as legal there."""
    found = position(result, event).plays
    return {each.cards[0] for group in found for each in group.sets if len(each.cards) == 1}


def test_the_called_card_and_an_equal_one_are_both_listed(hands: list[HandResult]) -> None:
    """Whether he leads the called card or another of its rank is the partner's to choose."""
    seen = 0
    for result, event, held, called in partners_leads(hands):
        listed = singles(result, event)
        equal = {code for code in held if code < BLACK_JOKER and rank(code) == rank(called)}
        assert called in listed
        assert len(equal) == 1 or listed & (equal - {called})
        seen += len(equal) > 1
    assert seen > 3


def test_what_is_listed_beside_the_plays_is_legal_and_new(hands: list[HandResult]) -> None:
    """Asked about, none of them is forbidden; each differs from a play in the called card."""
    seen = 0
    for result in hands:
        for step in result.steps:
            state = None if step.before is None else result.game.asked(step.before)
            beside = [] if state is None else list(result.game.reveals(state))
            if not beside or state is None:
                continue
            plays = {getattr(fact, "cards", b"") for fact in result.game.plays(state)}
            for fact in beside:
                cards: bytes = getattr(fact, "cards", b"")
                found = position(result, step.index, Act(cards)).asked
                assert found is not None
                assert found.findings == ()
                assert any(sorted(map(_rank, cards)) == sorted(map(_rank, play)) for play in plays)
                seen += 1
    assert seen > 20


def _rank(code: int) -> int:
    return code if code >= BLACK_JOKER else rank(code)


def test_when_the_hand_is_settled_everybody_knows_the_partner(hands: list[HandResult]) -> None:
    """Before it each seat but his own is told nothing that 明鸡 has not told; behind it all are."""
    unrevealed = 0
    for result in hands:
        last = result.steps[-1]
        if last.state is None or isinstance(last.event, HandAborted):
            continue
        board = result.game.view(last.state, None)
        for eye in range(4):
            seen = result.game.view(last.state, eye)
            assert [s.team for s in seen.seats] == [s.team for s in board.seats]
            assert [s.roles for s in seen.seats] == [s.roles for s in board.seats]
        unrevealed += not any(mark.key == "mark.revealed" for s in board.seats for mark in s.marks)
    assert unrevealed > 0
