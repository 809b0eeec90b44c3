"""What one seat may see of a hand of 四副滚子: event lines, pages, positions, findings."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from replay.engine.gunzi.presets import DEAD, DEFAULT
from replay.engine.gunzi.states import Over
from replay.findings import Finding
from replay.position import position
from replay.reader.moments import moments
from replay.reader.pages import HandPage, HandRow, Moment, Person
from replay.reader.sight import seen_by
from replay.verify import HandResult
from schema.cards import BLACK_JOKER, parse_cards
from schema.events import By, Claim, Dealt, Event, Fact, Played
from schema.gunzi import (
    BottomShown,
    Buried,
    Declared,
    Drawn,
    Flipped,
    JokersBuried,
    TributePaid,
    TributeReturned,
    TrumpSet,
)
from tests import builders_gunzi, gunzi_hand
from webviewer.encode import hand_json
from webviewer.words import Words, codes

EYES = range(4)
PEOPLE = (Person("a", "甲"), Person("b", "乙"), Person("c", "丙"), Person("d", "丁"))


@cache
def hands() -> tuple[HandResult, ...]:
    """Hands of several matches, and those whose deck is known."""
    found = [gunzi_hand.walked(name) for name in gunzi_hand.FACTS]
    for seed in range(4):
        rng = random.Random(seed)
        options = DEAD if seed % 2 else DEFAULT
        style = builders_gunzi.Style(clump=0.3, below=0.3, shows=0.6, buries=0.8)
        match = builders_gunzi.match(options, 5, rng, style)
        found += [gunzi_hand.walk(hand, options) for hand in match]
    return tuple(found)


def has_joker(cards: bytes) -> bool:
    """Whether a joker is among them."""
    return any(code >= BLACK_JOKER for code in cards)


class Seen:
    """What an eye has seen by then, told from the events alone: the rule book's list.

    `lines` are the cards that the line of the last event may tell, in their order.
    """

    def __init__(self, eye: int) -> None:
        self.eye, self.dealer = eye, -1
        self.deck = self.turned = b""
        self.is_open = False
        self.known: list[Counter[int]] = []
        self.lines: list[bytes] = []

    def see(self, event: Event) -> None:
        """One event more."""
        self.lines = list(self._told(event))
        self.known += map(Counter, self.lines)

    def _told(self, event: Event) -> Iterator[bytes]:
        match event:
            case Dealt(start=start, cards=deck):
                self.deck, self.turned, self.is_open, self.known = deck[156:], b"", False, []
                self.known.append(Counter(deck[(self.eye - start) % 4 : 156 : 4]))
            case TrumpSet(dealer=dealer):
                self.dealer = dealer
                if dealer == self.eye:
                    self.known.append(Counter(self.deck))
            case Flipped(place=place) | Drawn(place=place):
                card = self.deck[place : place + 1]
                self.turned += card
                self.known.append(Counter(self.turned))
                yield card
            case Buried(seat=seat, cards=cards):
                self.is_open = has_joker(cards)
                if self.is_open or seat == self.eye:
                    yield cards
            case JokersBuried(seat=seat, jokers=jokers, picked=picked) if jokers:
                yield jokers
                if self.is_open or self.eye in (seat, self.dealer):
                    yield picked
                self.is_open = True
            case Declared() | TributePaid() | TributeReturned() | BottomShown() | Played():
                yield event.cards
            case _:
                pass

    def has_seen(self, cards: bytes, own: bytes) -> bool:
        """Whether it saw these cards together, or holds them."""
        return any(Counter(cards) <= known for known in (*self.known, Counter(own)))


def told(result: HandResult, eye: int | None) -> list[tuple[Event, Moment]]:
    """Every event and what an eye is told of it."""
    found = moments(result, (), eye)
    return [(step.event, moment) for step, moment in zip(result.steps, found, strict=True)]


def line(moment: Moment) -> list[bytes]:
    """The cards in a moment's sentence; those of a play lie beside it."""
    return [value for _, value in moment.label.slots if isinstance(value, bytes)]


def test_event_lines_tell_what_was_seen_and_nothing_else() -> None:
    """What lies open to all; a hidden burial to its seat; a hidden pick to that and the dealer."""
    n_hidden = n_half = 0
    for result, eye in product(hands(), EYES):
        seen = Seen(eye)
        for event, moment in told(result, eye):
            seen.see(event)
            n_hidden += moment.label.key == "event.buried_hidden"
            n_half += moment.label.key == "event.jokers_buried_half_hidden"
            is_last_joker = isinstance(event, Flipped | Drawn) and not line(moment)
            if not isinstance(event, Played | Dealt) and not is_last_joker:
                assert line(moment) == seen.lines, event
    assert min(n_hidden, n_half) > 0


def announced(result: HandResult, event: int) -> Iterator[Counter[int]]:
    """A bottom that this event makes public: what is announced behind it lies open from here.

    At the end everything else has been played.
    """
    state = result.steps[event].state
    if isinstance(state, Over):
        yield Counter(state.before.table.bottom)
    for step in result.steps[event + 1 :]:
        if isinstance(step.event, BottomShown):
            yield Counter(step.event.cards)
        if not isinstance(step.event, Claim):
            return


def cards_in(found: Any) -> Iterator[bytes]:
    """Every set of cards in JSON: fields of cards, and the cards in sentences."""
    match found:
        case dict():
            for name, value in found.items():
                if name in ("c", "t", "called") and isinstance(value, str):
                    yield codes(value)
                elif name not in ("order", "k"):
                    yield from cards_in(value)
        case ["c", str(letters)] | ("c", str(letters)):
            yield codes(letters)
        case list() | tuple():
            for each in found:
                yield from cards_in(each)
        case _:
            pass


def page(result: HandResult, eye: int) -> HandPage:
    """The page of a hand for one eye."""
    row = HandRow("h", "l", "l", 0, "gunzi", PEOPLE, "held", (), 0, (), 0, 1, 0)
    found = moments(result, (), eye)
    return HandPage(row, eye, "clockwise", found, (), (), None, None, None, (), ())


def test_the_json_of_a_seat_has_no_card_that_it_has_not_seen() -> None:
    """Step by step: in boards, sentences, moves, obligations, only what lay open, or is its own."""
    words = Words("en")
    n_cards = 0
    for result, eye in product(hands(), EYES):
        seen, own = Seen(eye), b""
        found = hand_json(page(result, eye), words)["steps"]
        for number, (event, moment) in enumerate(told(result, eye)):
            step = found[number]
            seen.see(event)
            seen.known += announced(result, number)
            if moment.board is not None:
                own = moment.board.seats[eye].cards or b""
                others = [seat.cards for seat in moment.board.seats if seat.seat != eye]
                assert others == [None] * 3
            for cards in cards_in(step):
                assert seen.has_seen(cards, own), (event, step)
                n_cards += 1
    assert n_cards > 1000


def test_positions_list_acts_with_cards_that_the_seat_knows() -> None:
    """Its own acts alone, with its own cards; picks only out of a bottom that it sees."""
    n_unseen = 0
    for result, eye in product(hands()[:12], EYES):
        for event in range(2, len(result.steps), 3):
            found = position(result, event, None, eye)
            board = found.board
            if board is None:
                continue
            own = board.seats[eye].cards or b""
            for each in (each for group in found.plays for each in group.sets):
                assert Counter(each.cards) <= Counter(own)
                below = board.bottom.cards if board.bottom else None
                assert Counter(each.picked) <= Counter(below or b"")
                n_unseen += board.prompt.ask == "ask.bury_jokers" and below is None
    assert n_unseen > 0


def test_what_is_picked_unseen_stays_unseen_to_the_end() -> None:
    """Of a bottom that was hidden; the picker and the dealer, who buried it, know it."""
    for eye in EYES:
        for moment in moments(gunzi_hand.walked("hidden"), (), eye)[-8:]:
            assert moment.board is not None
            *_, jokers, picked = moment.board.moves
            assert (jokers.source, jokers.target, jokers.cards) == (1, None, parse_cards("Rj"))
            known = parse_cards("4d") if eye in (0, 1) else None
            assert (picked.source, picked.target, picked.cards) == (None, 1, known)


def finding_of(facts: Sequence[Fact], wrong: Event) -> tuple[HandResult, Finding]:
    """The finding on an event behind the facts of a hand that is owed tribute."""
    hand = [*gunzi_hand.events_of(gunzi_hand.OWED, facts), wrong]
    result = gunzi_hand.judged(hand)
    (finding,) = (found for found in result.findings if found.event == len(hand) - 1)
    return result, finding


def before(name: str, kind: type[Event]) -> list[Fact]:
    """The facts of a hand up to the first of a kind."""
    facts = gunzi_hand.FACTS[name][1]
    return facts[: next(k for k, fact in enumerate(facts) if isinstance(fact, kind))]


def cards_of(text: str) -> bytes:
    """Cards in notation."""
    return parse_cards(text)


SMALLER = TributePaid(0, By.PLAYER, 3, cards_of("2h 2h 2h"))
BLACK_FIRST = Buried(0, By.PLAYER, 0, cards_of("Bj 4d 4d 6d Kd Td"))
HIGHER_PICK = JokersBuried(0, By.PLAYER, 1, cards_of("Rj"), cards_of("6d"))
ABSENT_PICK = JokersBuried(0, By.PLAYER, 1, cards_of("Rj"), cards_of("Ac"))
NO_JOKER = JokersBuried(0, By.PLAYER, 1, cards_of("9d"), cards_of("4d"))


@pytest.mark.parametrize(
    ("name", "wrong", "eyes"),
    [
        ("jokers", SMALLER, {3}),
        ("jokers", BLACK_FIRST, {0}),
        ("hidden", HIGHER_PICK, {0, 1}),
        ("jokers", HIGHER_PICK, {0, 1, 2, 3}),
        ("hidden", ABSENT_PICK, set()),
        ("jokers", ABSENT_PICK, {1}),
        ("hidden", NO_JOKER, {1}),
    ],
    ids=["kept back", "big first", "hidden", "open", "hidden, absent", "open, absent", "no joker"],
)
def test_a_finding_names_cards_to_those_who_know_them(
    name: str, wrong: Event, eyes: set[int]
) -> None:
    """The others read which rule it is about, and no card; a hidden bottom even the picker."""
    result, full = finding_of(before(name, type(wrong)), wrong)
    for eye in EYES:
        (seen,) = seen_by(eye, result, (full,))
        if eye in eyes:
            assert seen == replace(full, proof=full.proof if eye == full.seat else "")
        else:
            assert (seen.rule, seen.expected, seen.logged, seen.proof) == (full.rule, "", "", "")


def test_a_burial_without_a_joker_is_not_open() -> None:
    """Who buries another card than a joker has broken a rule; nobody sees it, or the bottom."""
    hand = gunzi_hand.walk(
        [*gunzi_hand.events_of(gunzi_hand.OWED, before("hidden", JokersBuried)), NO_JOKER]
    )
    for eye in EYES:
        event, moment = told(hand, eye)[-1]
        board = moment.board
        assert event == NO_JOKER
        assert board is not None
        assert board.bottom is not None
        assert (board.bottom.cards, board.moves[-1].cards, board.moves[-2].cards) == (
            (None, NO_JOKER.picked, NO_JOKER.jokers) if eye == 1 else (None, None, None)
        )
        shown = [NO_JOKER.jokers, NO_JOKER.picked] if eye == 1 else []
        assert line(moment) == shown
