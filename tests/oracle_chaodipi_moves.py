"""Hands of 炒地皮 to try: deals, openings, house rules, and what may come next, legal or not.

Nothing here says what is legal; the oracle does.
"""

import random
from collections.abc import Sequence
from typing import Literal, get_args, get_origin, get_type_hints

import msgspec

from replay.engine.chaodipi.presets import DEFAULT
from schema.chaodipi import (
    BottomTurned,
    Buried,
    ChaodipiCarry,
    Declared,
    DeclaringClosed,
    Escaped,
    StirPassed,
    Stirred,
)
from schema.events import By, Dealt, Fact, HandEnded, Played
from schema.options import ChaodipiOptions
from schema.trumps import Named
from tests.follow_oracle import best, fulfilled
from tests.oracle_chaodipi import Hand
from tests.oracle_chaodipi_cards import TRUMPS, codes
from tests.oracle_chaodipi_shows import rung
from tests.trick_oracle import DECK, Face, Table

WORDS = {
    name: get_args(hint)
    for name, hint in get_type_hints(ChaodipiOptions).items()
    if get_origin(hint) is Literal
}
"""The options that are one of several words."""
WSKS = [[f"{rank}{suit}" for rank in "5TK"] for suit in "dchs"]


def some_house(rng: random.Random) -> ChaodipiOptions:
    """A table with the house rules of the book, but for some drawn at random."""
    drawn: dict[str, object] = {name: rng.choice(words) for name, words in WORDS.items()}
    drawn |= {
        "throw_penalty": rng.choice((0, 5, 10)),
        "flag_failures_max": rng.choice((1, 2, 3)),
        "escape_penalty": rng.choice((0, 15, 20)),
    }
    share = rng.choice((0, 0.3, 1))
    return msgspec.structs.replace(
        DEFAULT, **{name: value for name, value in drawn.items() if rng.random() < share}
    )


def some_carry(rng: random.Random) -> ChaodipiCarry:
    """What a hand may open with: a first hand, or any levels."""
    scores = (3, -3, 0, 0)
    if rng.random() < 0.35:
        return ChaodipiCarry(1, None, (0, 0), (0, 0), scores, False)
    levels = [rng.choice((0, 3, 3, 4, 8, 11, 12, 13, rng.randrange(13))) for _ in "01"]
    failures = [rng.randrange(2) if level == 13 else 0 for level in levels]
    pair = (levels[0], levels[1]), (failures[0], failures[1])
    return ChaodipiCarry(rng.randrange(2, 9), rng.randrange(4), *pair, scores, False)


def some_deck(rng: random.Random, clump: float) -> bytes:
    """Two decks, dealt so that equal cards and suits come together the more, the higher `clump`."""
    piles: list[list[Face]] = [[], [], [], []]
    home = rng.sample(range(4), 4)
    for face in rng.sample(sorted(set(DECK)), 54):
        same = rng.randrange(4)
        if face not in ("Bj", "Rj") and rng.random() < clump:
            same = home["dchs".index(face[1])]
        for _ in "12":
            piles[same if rng.random() < 0.3 + clump else rng.randrange(4)].append(face)
    spare = [card for pile in piles for card in pile[27:]]
    for pile in piles:
        del pile[27:]
        while len(pile) < 27:
            pile.append(spare.pop())
        rng.shuffle(pile)
    return codes([pile[k] for k in range(27) for pile in piles])


def last_cards(rng: random.Random, table: Table, n: int) -> list[list[Face]]:
    """N cards a seat, mostly of one suit or with a 5.10.K, from two decks."""
    left = rng.sample(DECK, len(DECK))
    suit = rng.choice(("t", *(s for s in "dchs" if s != table.trump)))
    hands: list[list[Face]] = []
    for _ in range(4):
        own = [rng.choice([three for three in WSKS if table.is_wsk(three)] or [[]])]
        own = own if rng.random() < 0.4 and n > 2 else [[]]
        held = [card for card in own[0] if card in left]
        rest = _without(left, held)
        if rng.random() < 0.6:
            rest.sort(key=lambda card: table.suit(card) != suit)
        hands.append(held + rest[: n - len(held)])
        left = _without(left, hands[-1])
    return hands


# What may come next


def next_fact(rng: random.Random, hand: Hand, deck: bytes, wild: float) -> Fact:
    """A fact that may follow; with probability `wild` one that breaks something and stands."""
    is_wild = rng.random() < (wild if hand.phase == "play" else 3 * wild)
    match hand.phase:
        case "deal":
            start = hand.dealer if hand.dealer is not None and not is_wild else rng.randrange(4)
            return Dealt(0, start, deck)
        case "declare":
            return _in_declaring(rng, hand, is_wild, deck)
        case "bury":
            if is_wild and hand.buried_by is None:
                late = _show(rng, hand, is_wild)
                if late is not None:
                    return late
            cards = rng.sample(hand.hands[hand.taker], 8)
            return Buried(0, By.PLAYER, hand.taker, codes(cards))
        case "stir":
            return _in_stirring(rng, hand, is_wild)
        case "play":
            return lead(rng, hand, is_wild) if not hand.plays else answer(rng, hand, is_wild)
        case _:
            return HandEnded(0)


def _in_declaring(rng: random.Random, hand: Hand, is_wild: bool, deck: bytes) -> Fact:
    show = _show(rng, hand, is_wild) if rng.random() < 0.6 else None
    if show is not None and (not hand.is_turned or is_wild or rng.random() < 0.3):
        return show
    if hand.redeals:
        return Dealt(0, rng.randrange(4) if is_wild else hand.start, bytes(rng.sample(deck, 108)))
    return DeclaringClosed(0) if hand.trump else BottomTurned(0)


def shows(level: str, cards: Sequence[Face]) -> list[list[Face]]:
    """Everything that can be shown of these cards."""
    faces = sorted(set(cards))
    sets = [[face] for face in faces] + [[face] * 2 for face in faces if cards.count(face) == 2]
    return [each for each in sets if rung(each, level) is not None]


def _named(rng: random.Random, cards: list[Face], is_wild: bool) -> Named:
    if cards == ["5h", "5h"] or (is_wild and rng.random() < 0.2):
        return Named(rng.randrange(len(TRUMPS)))
    return Named.NOTHING


def _show(rng: random.Random, hand: Hand, is_wild: bool) -> Declared | None:
    """Cards of some seat, shown once they are dealt; if wild at any time whatever."""
    seats = [hand.dealer] if hand.is_turned and not is_wild else list(range(4))
    seat = rng.choice(seats)
    assert seat is not None
    held = hand.hands[seat] if hand.phase == "bury" else hand.dealt[seat]
    found = shows(hand.level, held)
    if not is_wild:
        own = bool(hand.shown) and hand.shown[-1][0] == seat
        low = hand.rung if not hand.is_turned and not own else 7
        found = [cards for cards in found if (rung(cards, hand.level) or 0) > low]
    if not found or (hand.rung == 8 and not is_wild):
        return None
    cards = rng.choice(found)
    copies = [k for k, card in enumerate(held) if card == cards[0]]
    least = max(copies[: len(cards)]) * 4 + (seat - hand.start) % 4 + 1
    after = rng.randrange(min(least, 100), 101) if rng.random() < 0.7 else 100
    if hand.house.declare_window == "after_only":
        after = 100
    after = rng.randrange(101) if is_wild else max(hand.after, after)
    named = _named(rng, cards, is_wild)
    return Declared(0, By.PLAYER, seat, codes(cards), named, after)


def _in_stirring(rng: random.Random, hand: Hand, is_wild: bool) -> Fact:
    seat = hand.asked[0]
    found = shows(hand.level, hand.hands[seat])
    if not is_wild:
        least = max(hand.rung, 1)
        found = [cards for cards in found if (rung(cards, hand.level) or 0) > least]
    if not found or rng.random() < 0.4:
        return StirPassed(0, By.PLAYER, seat)
    cards = rng.choice(found)
    return Stirred(0, By.PLAYER, seat, codes(cards), _named(rng, cards, is_wild))


def lead(rng: random.Random, hand: Hand, is_wild: bool) -> Played:
    """Parts of one suit, often one alone; at the end of a hand all that is left."""
    seat = rng.randrange(4) if is_wild else hand.turn
    held, table = hand.hands[seat], hand.table
    suits = sorted({table.suit(card) for card in held})
    own = table.of_suit(held, rng.choice(suits))
    if len(suits) == 1 and len(held) <= 6:
        return Played(0, By.PLAYER, seat, codes(_not_rejected(hand, seat, held)))
    keep = [] if rng.random() < 0.1 else hoard(table, held)
    parts = [part for part in table.parts(own) if not set(part.cards) & set(keep)]
    chosen = rng.choice(parts).cards if parts else [rng.choice(held)]
    if parts and rng.random() < 0.3:
        count = rng.randrange(1, min(len(parts), 4) + 1)
        chosen = [card for part in rng.sample(parts, count) for card in part.cards]
    elif len(held) == 3 and table.is_wsk(held):
        chosen = held
    elif not keep and hoard(table, own):
        chosen = hoard(table, own)
    return Played(0, By.PLAYER, seat, codes(_not_rejected(hand, seat, chosen)))


def hoard(table: Table, held: Sequence[Face]) -> list[Face]:
    """A 5.10.K that is kept for the last trick."""
    return next((each for each in WSKS if set(each) <= set(held) and table.is_wsk(each)), [])


def _not_rejected(hand: Hand, seat: int, chosen: list[Face]) -> list[Face]:
    """At a table that turns down a throw, what would be led of it elsewhere."""
    if hand.house.failed_throw == "force_lowest" or not hand.table.is_throw(chosen):
        return chosen
    return hand.table.judged(chosen, [(s, hand.hands[s]) for s in range(4) if s != seat])[0]


def answer(rng: random.Random, hand: Hand, is_wild: bool) -> Played:
    """Cards that fulfil all duties; if wild any cards."""
    seat, held, led = hand.turn, list(hand.hands[hand.turn]), hand.plays[0]
    n = len(led)
    if is_wild:
        return Played(0, By.PLAYER, seat, codes(rng.sample(held, n)))
    table = hand.table
    own = table.of_suit(held, table.suit(led[0]))
    others = [card for card in held if card not in own]
    rng.shuffle(own)
    rng.shuffle(others)
    keep = hoard(table, held)
    if rng.random() < 0.8:
        own.sort(key=lambda card: (card in keep, card[0] in "5TK"))
        others.sort(key=lambda card: (card in keep, card[0] in "5TK"))
    if not own and rng.random() < 0.4:
        others.sort(key=lambda card: (table.suit(card) != "t", -others.count(card)))
    can = best(table, held, led)
    for cards in _tries(rng, table, own, led):
        taken = [*cards, *_without([*own, *others], cards)][:n]
        if fulfilled(table, held, led, taken) == can:
            return Played(0, By.PLAYER, seat, codes(taken))
    raise AssertionError(f"nothing answers {led} out of {held}")


def _without(cards: list[Face], taken: Sequence[Face]) -> list[Face]:
    left = list(cards)
    for card in taken:
        left.remove(card)
    return left


def _tries(rng: random.Random, table: Table, own: list[Face], led: list[Face]) -> list[list[Face]]:
    """Cards that may be owed: none, pairs side by side, any pairs, a 5.10.K, the greatest."""
    found: list[list[Face]] = [[]]
    runs = table.runs(own)
    pairs = [face for run in runs for face in run]
    most = min(len(led), len(own)) // 2
    for _ in range(6):
        found.append([face for face in rng.sample(pairs, min(most, len(pairs))) for _ in "12"])
    found += [[face for face in run[:k] for _ in "12"] for run in runs for k in range(1, most + 1)]
    ordered = [face for run in sorted(runs, key=len, reverse=True) for face in run]
    found += [[face for face in ordered[:most] for _ in "12"]]
    found += [[face for face in _cut(table, runs, led) for _ in "12"]]
    if table.is_wsk(led):
        greatest = sorted(own, key=table.height, reverse=True)[: len(led)]
        found += [list(led)] if all(card in own for card in led) else []
        found += [greatest]
    return found


def _cut(table: Table, runs: list[tuple[Face, ...]], led: list[Face]) -> list[Face]:
    """Pairs taken greedily, the longest piece that a place of the lead has room for first."""
    pieces, rooms, taken = [list(run) for run in runs], table.slots(led), list[Face]()
    while any(pieces) and any(rooms):
        pieces.sort(key=len, reverse=True)
        rooms.sort(reverse=True)
        length = min(len(pieces[0]), rooms[0])
        taken += pieces[0][:length]
        del pieces[0][:length]
        rooms[0] -= length
    return taken


# Anything at all


def attempt(rng: random.Random, hand: Hand, deck: bytes) -> Fact:
    """Any fact whatever, mostly one that the phase might have."""
    seat = hand.turn if hand.phase == "play" and rng.random() < 0.8 else rng.randrange(4)
    if hand.phase == "stir" and rng.random() < 0.7:
        seat = hand.asked[0]
    held = hand.hands[seat] or DECK
    show = rng.choice(shows(hand.level, DECK))
    mine = shows(hand.level, held)
    cards = rng.choice(
        (show, rng.choice(mine) if mine else show, rng.sample(held, min(2, len(held))), [])
    )
    named = _named(rng, list(cards), rng.random() < 0.5)
    named = named if rng.random() < 0.8 else Named.NOTHING
    n = len(hand.plays[0]) if hand.plays else rng.randrange(1, 5)
    n = n if rng.random() < 0.8 else rng.randrange(5)
    like = hand.plays[0] if hand.plays and rng.random() < 0.7 else held
    suit = hand.table.suit(rng.choice(like)) if hand.trump else ""
    own = hand.table.of_suit(held, suit) if suit and rng.random() < 0.6 else held
    laid = rng.sample(own, min(n, len(own))) + rng.sample(DECK, rng.random() < 0.1)
    acts: list[Fact] = [
        Dealt(0, seat, rng.choice((deck, deck[1:] + deck[:1], deck[:-1] + deck[:1]))),
        Declared(0, By.PLAYER, seat, codes(cards), named, rng.choice((100, rng.randrange(101)))),
        BottomTurned(0),
        DeclaringClosed(0),
        Buried(0, By.PLAYER, seat, codes(rng.sample(held, min(len(held), rng.choice((8, 7)))))),
        StirPassed(0, By.PLAYER, seat),
        Stirred(0, By.PLAYER, seat, codes(cards), named),
        Escaped(0, seat),
        HandEnded(0),
    ]
    play = Played(0, By.PLAYER, seat, codes(laid))
    wild = _show(rng, hand, True) if hand.phase == "declare" else None
    usual: dict[str, list[Fact]] = {
        "declare": [acts[1], wild or acts[1]],
        "bury": [acts[4]],
        "stir": [acts[5], acts[6], acts[6]],
        "play": [play],
    }
    return rng.choice(usual.get(hand.phase, acts) if rng.random() < 0.8 else [*acts, play])
