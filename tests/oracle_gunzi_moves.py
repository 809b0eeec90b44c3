"""Facts of 四副滚子 to try on a hand, legal or not; nothing here says what is legal."""

import random

from schema.events import By, Dealt, Fact, HandEnded, Played
from schema.gunzi import (
    Buried,
    Declared,
    DeclaringClosed,
    Drawn,
    Flipped,
    JokersBuried,
    JokersPassed,
    TributePaid,
    TributeReturned,
)
from schema.trumps import Named
from tests.builders_gunzi import some_deck
from tests.oracle_gunzi import Hand
from tests.oracle_gunzi_cards import DECK, JOKERS, SUITS, Face, codes, pickable

PLAYER = By.PLAYER
USUAL = {
    "deal": "deal",
    "declare": "declare",
    "flip": "flip",
    "draw": "draw",
    "pay": "pay",
    "return": "give",
    "bury": "bury",
    "ask": "jokers",
    "play": "play",
    "over": "end",
}
LATE = ("flip", "draw", "pay", "return")
"""Phases in which somebody may still show, too late."""


def attempt(rng: random.Random, hand: Hand) -> Fact:
    """Any fact whatever, mostly of the kind that the phase might have."""
    kind = USUAL[hand.phase]
    if hand.phase in LATE and rng.random() < 0.25:
        kind = "declare"
    if hand.phase == "ask" and rng.random() < 0.15:
        kind = "play"
    if rng.random() < 0.12:
        kind = rng.choice((*USUAL.values(), "close", "pass"))
    return _act(rng, hand, kind)


def _act(rng: random.Random, hand: Hand, kind: str) -> Fact:
    match kind:
        case "deal":
            return _deal(rng, hand)
        case "declare":
            return show(rng, hand)
        case "close":
            return DeclaringClosed(0)
        case "flip":
            seat = hand.turn if rng.random() < 0.8 else rng.randrange(4)
            return Flipped(0, PLAYER, seat, rng.randrange(8))
        case "draw":
            return Drawn(0, PLAYER, rng.randrange(8))
        case "end":
            return HandEnded(0)
        case _:
            return _cards(rng, hand, kind)


def _deal(rng: random.Random, hand: Hand) -> Dealt:
    deck = some_deck(rng, 0.3)
    wrong = (deck[:-1], deck[1:] + deck[:1], deck[:-1] + deck[:1])
    start = hand.dealer if hand.dealer is not None and rng.random() < 0.6 else rng.randrange(4)
    return Dealt(0, start, deck if rng.random() < 0.5 else rng.choice(wrong))


def show(rng: random.Random, hand: Hand) -> Declared:
    """Cards that look like a show, mostly held, at any time."""
    seat = rng.randrange(4)
    if hand.shows and rng.random() < 0.4:
        seat = hand.shows[-1].seat
    level = [hand.level + suit for suit in SUITS]
    usual = ["Rj"] if hand.is_first else [*level, *JOKERS]
    face = rng.choice(usual if rng.random() < 0.9 else DECK)
    held = hand.hands[seat].count(face)
    n = held if held and rng.random() < 0.5 else rng.randrange(1, 4)
    cards = [face] * min(n, held or n) if rng.random() < 0.9 else [face] * rng.randrange(5)
    if rng.random() < 0.03:
        cards = rng.sample(DECK, 2)
    named = Named(rng.randrange(6)) if rng.random() < 0.2 else Named.NOTHING
    if len(cards) == 3 and cards[0] in JOKERS and rng.random() < 0.8:
        named = Named(rng.randrange(4))
    after = 156 if rng.random() < 0.5 else rng.randrange(157)
    return Declared(0, PLAYER, seat, codes(cards), named, after)


def _cards(rng: random.Random, hand: Hand, kind: str) -> Fact:
    known = hand.dealer is not None
    if kind == "play":
        return play(rng, hand)
    if kind in ("jokers", "pass"):
        return _jokers(rng, hand, kind)
    is_right = known and rng.random() < 0.85
    own = {"pay": hand.payer if known else 0}.get(kind, hand.dealer or 0)
    seat = own if is_right else rng.randrange(4)
    if kind == "pay":
        return TributePaid(0, PLAYER, seat, codes(_tribute(rng, hand, seat)))
    if kind == "give":
        return TributeReturned(0, PLAYER, seat, codes(_returned(rng, hand, seat)))
    return Buried(0, PLAYER, seat, codes(_burial(rng, hand, seat)))


def _some(rng: random.Random, cards: list[Face], n: int) -> list[Face]:
    """So many of them, sometimes another number, sometimes one that is perhaps not held."""
    n = n if rng.random() < 0.9 else rng.randrange(8)
    chosen = rng.sample(cards, min(n, len(cards)))
    if chosen and rng.random() < 0.06:
        chosen[0] = rng.choice(DECK)
    return chosen


def _by_height(hand: Hand, cards: list[Face]) -> list[Face]:
    if not hand.trump:
        return sorted(cards)
    return sorted(cards, key=hand.table.height)


def _tribute(rng: random.Random, hand: Hand, seat: int) -> list[Face]:
    """The largest, or so; now and then anything."""
    held = hand.hands[seat]
    if hand.phase != "pay" or rng.random() < 0.2:
        return _some(rng, held, rng.randrange(1, 4))
    able = hand.payable if seat == hand.payer else held
    n = min(hand.owed, len(able))
    ends = _by_height(hand, able)[::-1]
    cards = ends[:n]
    if n < len(ends) and rng.random() < 0.3:
        cards = [*ends[: n - 1], ends[n]]
    if cards and rng.random() < 0.15:
        cards = [*cards[1:], rng.choice(held)]
    return cards if rng.random() < 0.9 else cards[1:]


def _returned(rng: random.Random, hand: Hand, seat: int) -> list[Face]:
    held, n = hand.hands[seat], len(hand.paid)
    order = _by_height(hand, held)
    plain = [card for card in held if card[0] not in "5TK"]
    pools = (order[:n], plain, held, order[: n + 1], [*order[: n - 1], *order[n : n + 1]])
    return _some(rng, rng.choice(pools), n)


def _burial(rng: random.Random, hand: Hand, seat: int) -> list[Face]:
    held = hand.hands[seat]
    jokers = [card for card in held if card in JOKERS]
    rng.shuffle(jokers)
    rest = [card for card in held if card not in JOKERS]
    points = [card for card in rest if card[0] in "5TK"]
    pool = points if len(points) > 5 and rng.random() < 0.3 else rest
    jokers = jokers[: rng.choice((0, 0, 1, 2, 3))]
    return [*jokers, *_some(rng, pool, 6 - len(jokers))]


def _jokers(rng: random.Random, hand: Hand, kind: str) -> Fact:
    seat = rng.choice(hand.asked) if hand.asked and rng.random() < 0.9 else rng.randrange(4)
    if kind == "pass" or rng.random() < 0.15:
        return JokersPassed(0, PLAYER, seat)
    jokers = [card for card in hand.hands[seat] if card in JOKERS]
    cards = rng.sample(jokers, rng.randrange(len(jokers) + 1))
    if rng.random() < 0.1:
        cards = [*cards[1:], rng.choice(hand.hands[seat] or DECK)]
    n = len(cards) if rng.random() < 0.93 else rng.randrange(3)
    able = pickable(hand.bottom)
    able = sorted(able, key=hand.table.small) if hand.trump else able
    picked = able[:n] if rng.random() < 0.6 else _some(rng, hand.bottom, n)
    if n and n < len(able) and rng.random() < 0.2:
        picked = [*able[: n - 1], able[n]]
    if len(picked) < n and rng.random() < 0.8:
        picked = rng.sample(hand.bottom, min(n, len(hand.bottom)))
    return JokersBuried(0, PLAYER, seat, codes(cards), codes(picked))


def play(rng: random.Random, hand: Hand) -> Played:
    """Anything of some seat, often like cards or of the suit led."""
    is_turn = rng.random() < (0.93 if hand.plays else 0.8)
    first = hand.dealer or 0
    turn = hand.turn if hand.phase == "play" else first
    seat = turn if is_turn else rng.randrange(4)
    held = hand.hands[seat] or DECK
    n = len(hand.plays[0]) if hand.plays else rng.randrange(1, 4)
    if rng.random() < 0.06:
        n = rng.randrange(6)
    pool = held
    if hand.plays and rng.random() < 0.7:
        own = hand.table.of_suit(held, hand.table.suit(hand.plays[0][0]))
        pool = own if len(own) >= n else held
    like = sorted(card for card in set(pool) if pool.count(card) >= n)
    if like and rng.random() < 0.6:
        return Played(0, PLAYER, seat, codes([rng.choice(like)] * n))
    return Played(0, PLAYER, seat, codes(_some(rng, pool, n)))
