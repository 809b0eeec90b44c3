"""What one seat may see of a hand of 炒地皮: holdings, the bottom, burials, positions."""

from io import BytesIO
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from replay.engine.chaodipi.states import Burying, Declaring, Over
from replay.findings import Finding
from replay.position import position
from replay.reader.moments import moments
from replay.reader.pages import Moment
from replay.reader.sight import seen_by
from replay.verify import HandResult, verified_hands
from schema.chaodipi import BottomTaken, BottomTurned, Buried, Declared, Escaped, Stirred
from schema.events import Event
from schema.logfile import open_log
from tests import builders, chaodipi_logs
from tests.shelled import ROOT

EYES = range(4)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The logs of a few matches."""
    return chaodipi_logs.matches(tmp_path_factory.mktemp("matches"))


@pytest.fixture(scope="module")
def hands(logs: list[Path]) -> dict[str, HandResult]:
    """A hand for each thing that can happen."""
    return {name: chaodipi_logs.found(logs, want) for name, want in chaodipi_logs.WANTED.items()}


def seen(result: HandResult, eye: int | None) -> list[tuple[Event, Moment]]:
    """Every event and what an eye is told of it."""
    told = moments(result, (), eye)
    return [(step.event, moment) for step, moment in zip(result.steps, told, strict=True)]


def cards_in(moment: Moment) -> list[bytes]:
    """The cards in a moment's sentence."""
    return [value for _, value in moment.label.slots if isinstance(value, bytes)]


def test_buried_cards_are_told_to_who_buried_them(hands: dict[str, HandResult]) -> None:
    """The others read that he buried; who sees everything reads the cards."""
    for result, eye in product(hands.values(), (None, *EYES)):
        for event, moment in seen(result, eye):
            if isinstance(event, Buried):
                may = eye in (None, event.seat)
                assert moment.label.key == ("event.buried" if may else "event.buried_hidden")
                assert cards_in(moment) == ([event.cards] if may else [])
                assert ("seat", event.seat) in moment.label.slots


def test_a_taken_bottom_is_told_to_who_takes_and_who_buried_it(
    hands: dict[str, HandResult],
) -> None:
    """But to all if it was turned up; what a stirrer takes was buried and is never open."""
    n_open = n_again = 0
    for result, eye in product(hands.values(), EYES):
        was_turned, burier = False, None
        for event, moment in seen(result, eye):
            was_turned |= isinstance(event, BottomTurned)
            if isinstance(event, Buried):
                burier = event.seat
            if isinstance(event, BottomTaken):
                is_open = was_turned and burier is None
                n_open += is_open
                n_again += eye == burier
                may = eye in (event.seat, burier) or is_open
                assert cards_in(moment) == ([event.cards] if may else [])
    assert n_open > 0
    assert n_again > 0


def escapes() -> list[HandResult]:
    """Hands that an escape ends: while declaring, after a burial, amid play."""
    folder = ROOT / "sample_logs" / "chaodipi"
    named = (*folder.glob("*/*escape*.paipu*"), *folder.glob("broken/chaodipi-12.4*"))
    items = [item for log in named for item in verified_hands(open_log(BytesIO(log.read_bytes())))]
    hands = [item for item in items if isinstance(item, HandResult)]
    return [hand for hand in hands if any(isinstance(step.event, Escaped) for step in hand.steps)]


def test_an_escape_opens_no_bottom() -> None:
    """It lies as it lay, and a player who counts has as many cards out as before."""
    found = escapes()
    assert len(found) >= 6
    n_hidden = 0
    for result, eye in product(found, EYES):
        before: Moment | None = None
        for event, moment in seen(result, eye):
            if isinstance(event, Escaped):
                assert before is not None
                assert before.board is not None
                assert moment.board is not None
                assert moment.board.bottom == before.board.bottom
                assert moment.out == before.out
                n_hidden += before.board.bottom is not None and before.board.bottom.cards is None
            before = moment
    assert n_hidden > 0


def test_shows_are_told_to_all(hands: dict[str, HandResult]) -> None:
    """Declared and stirred cards lie open."""
    for result, eye in product(hands.values(), EYES):
        for event, moment in seen(result, eye):
            if isinstance(event, Declared | Stirred):
                assert cards_in(moment) == [event.cards]


def test_the_bottom_is_seen_by_who_took_or_buried_it_and_in_the_end_by_all(
    hands: dict[str, HandResult],
) -> None:
    """Step by step: the cards on the board are hidden from every other eye."""
    for result, eye in product(hands.values(), EYES):
        whole = moments(result, (), None)
        for step, all_seen, moment in zip(
            result.steps, whole, moments(result, (), eye), strict=True
        ):
            if all_seen.board is None or all_seen.board.bottom is None:
                continue
            assert moment.board is not None
            full, found = all_seen.board.bottom, moment.board.bottom
            assert full.cards is not None
            assert found is not None
            assert full.label is not None
            assert (found.count, found.label) == (8, full.label)
            holder = dict(full.label.slots).get("seat")
            buried = step.state.burier if isinstance(step.state, Burying) else None
            is_over = isinstance(step.state, Over)
            turned = chaodipi_logs.is_turned(step.state)
            may = turned or is_over or eye in (holder, buried)
            assert found.cards == (full.cards if may else None)


def test_no_eye_is_told_of_cards_that_others_could_declare(hands: dict[str, HandResult]) -> None:
    """While declaring, the own shows are listed; whether others have any is not said."""
    for result, eye in product(hands.values(), EYES):
        for event, step in enumerate(result.steps):
            if not isinstance(step.before, Declaring):
                continue
            found = position(result, event, None, eye)
            board = found.board
            assert board is not None
            own = board.seats[eye].cards
            assert own is not None
            assert found.is_hidden == (not found.plays)
            for group in found.plays:
                for each in group.sets:
                    assert all(each.cards.count(c) <= own.count(c) for c in each.cards)


def test_obligations_name_no_card_of_another_seat(hands: dict[str, HandResult]) -> None:
    """What is owed out of a holding is said to its own seat alone; the number of cards to all."""
    n_named = 0
    for result, eye in product(hands.values(), EYES):
        for moment in moments(result, (), eye):
            if moment.board is None:
                continue
            prompt = moment.board.prompt
            named = [o for o in prompt.obligations if any(isinstance(v, bytes) for _, v in o.slots)]
            if prompt.seat != eye:
                assert named == []
            n_named += len(named)
    assert n_named > 0


def finding_in(logs: list[Path], spoiled: list[Event]) -> tuple[HandResult, tuple[Finding, ...]]:
    """The report on a hand."""
    head = chaodipi_logs.log(logs[0]).head
    stream = chaodipi_logs.stream(builders.live_log([spoiled], head))
    (result,) = (item for item in verified_hands(open_log(stream)) if isinstance(item, HandResult))
    return result, result.findings


def test_a_finding_about_hidden_cards_names_them_to_their_seat_alone(
    logs: list[Path], hands: dict[str, HandResult]
) -> None:
    """A bottom said to be other cards than it was: who did not take it reads the rule, no card."""
    hand = hands["declared"].hand.events
    place = next(k for k, event in enumerate(hand) if isinstance(event, BottomTaken))
    claim = hand[place]
    assert isinstance(claim, BottomTaken)
    false = replace(claim, cards=claim.cards[::-1])
    result, findings = finding_in(logs, [*hand[:place], false, *hand[place + 1 :]])
    (full,) = (f for f in seen_by(None, result, findings) if f.event == place)
    assert full.expected
    assert full.logged
    for eye in set(EYES) - {claim.seat}:
        (told,) = (f for f in seen_by(eye, result, findings) if f.event == place)
        assert (told.expected, told.logged, told.proof) == ("", "", "")
