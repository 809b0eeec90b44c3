"""Players of every game: always legal, the same for the same seed, sensible.

Those of 打拱 moreover: what they make of a table, and that they see nothing hidden.
"""

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from replay.engine.climbing.states import Playing
from replay.engine.dagong.game import Dagong
from replay.engine.dagong.presets import DEFAULT
from replay.engine.game import Game
from replay.engine.mechanics.holding import EMPTY, pack, unpack, with_cards
from replay.engine.mechanics.seats import per_seat
from replay.engine.registry import game_named
from replay.players.dagong import GreedyPlayer
from replay.players.grouping import grouping
from replay.players.player import KITS, Player, next_fact
from schema.cards import cards_text, parse_cards
from schema.events import By, Fact, Passed, Played
from tests.builders import FIRST, Table, any_options, playing, shuffled

GREEDY = GreedyPlayer()

each_player = pytest.mark.parametrize(
    ("name", "who"), [(name, who) for name, kit in KITS.items() for who in kit.players]
)


def in_turn(game: Game, state: Any) -> int:
    """The seat that acts; 0 where it is nobody's turn."""
    return game.turn(state).seat or 0


def played_hand(
    name: str, options: Any, seed: int, players: tuple[Player, ...], game: Game | None = None
) -> Iterator[tuple[Any, Fact, Any]]:
    """A hand by these players, one a seat: state, fact, state; a broken rule fails the test."""
    kit, game, rng = KITS[name], game or game_named(name), Random(seed)
    state: Any = game.open(options, kit.first_carry)
    while not state.is_over:
        fact = next_fact(kit, players[in_turn(game, state)], game, state, rng)
        breaches: list[Any] = []
        after = game.apply(state, fact, breaches)
        assert breaches == []
        yield state, fact, after
        state = after


def default(name: str) -> Any:
    """The preset `default` of a game."""
    return KITS[name].presets["default"]


@each_player
def test_every_table_is_played_to_its_end(name: str, who: str) -> None:
    """Whatever the house rules, a player breaks none and the hand is settled."""
    rng = Random(5)
    for seed in range(60):
        options = any_options(rng, default(name))
        *_, (_, _, over) = played_hand(name, options, seed, (KITS[name].players[who],) * 4)
        assert over.is_over
        assert over.settled.next.hand_no == 2


@each_player
def test_a_seed_plays_one_hand(name: str, who: str) -> None:
    """A player keeps nothing: two hands played in turns go as each goes alone."""
    players = (KITS[name].players[who],) * 4
    alone, both = ([played_hand(name, default(name), n, players) for n in (1, 2)] for _ in "12")
    hands = [[fact for _, fact, _ in hand] for hand in alone]
    mixed = zip(*[(a[1], b[1]) for a, b in zip(*both, strict=False)], strict=True)
    for hand, facts in zip(hands, mixed, strict=True):
        assert hand[: len(facts)] == list(facts)
    assert hands[0] != hands[1]


@pytest.mark.parametrize("name", KITS)
def test_facts_carry_a_players_time(name: str) -> None:
    """Every choice takes its time and is the player's own."""
    greedy = KITS[name].players["greedy"]
    for _, fact, _ in played_hand(name, default(name), 1, (greedy,) * 4):
        assert getattr(fact, "dt", 0) > 0
        assert getattr(fact, "by", By.PLAYER) is By.PLAYER


@pytest.mark.parametrize("name", KITS)
@pytest.mark.parametrize("seed", range(4))
def test_chance_names_only_what_it_may(name: str, seed: int) -> None:
    """What chance decides is asked of chance alone, and what seats decide of players alone.

    What follows when nobody wants to act is neither's.
    """
    kit = KITS[name]
    for state, fact, _ in played_hand(name, default(name), seed, (kit.players["greedy"],) * 4):
        is_choice = hasattr(fact, "by")
        is_chance = kit.chance(state, Random(0)) is not None
        assert not (is_choice and is_chance)
        if not is_choice and not is_chance:
            assert type(fact) is type(kit.lapse(state, Random(0)))


@pytest.mark.parametrize("name", KITS)
def test_greed_pays(name: str) -> None:
    """Two greedy players take coins from two who play anything, on the same decks."""
    greedy, random = KITS[name].players["greedy"], KITS[name].players["random"]
    coins = 0
    for seed in range(120):
        seats = (greedy, random) if seed % 2 else (random, greedy)
        *_, (_, _, over) = played_hand(name, default(name), seed, (*seats, *seats))
        coins += sum(d for s, d in enumerate(over.settled.deltas) if (*seats, *seats)[s] is greedy)
    assert coins > 0


# What greed makes of a table of 打拱


def choice(hands: tuple[str, str, str, str], on_table: str = "", **table: Any) -> str:
    """What seat 0 does, as cards or `pass`; `on_table` are the cards that seat 3 has laid."""
    cards = per_seat(parse_cards(held) for held in hands)
    leader = 3 if on_table else 0
    game: Any = Dagong()
    state: Any = playing(game, DEFAULT, Table(cards, leader=leader, **table))
    if on_table:
        state = game.apply(state, Played(0, By.PLAYER, 3, parse_cards(on_table)), [])
    fact = GREEDY.choose(game, state, Random(1))
    return "pass" if isinstance(fact, Passed) else cards_text(getattr(fact, "cards", b""))


MANY = "3d 3c 4d 4c 6d 6c 7d 7c 8d 8c"


@pytest.mark.parametrize(
    ("hands", "on_table", "expected"),
    [
        pytest.param("3d 9c Qs 2s", "", "3d", id="leads-low"),
        pytest.param("4d 4c 5d 5c 9s", "", "4d 4c 5d 5c", id="leads-the-chain-first"),
        pytest.param("5d 6c 7s 9s Ad", "", "5d 6c 7s", id="leads-the-straight-first"),
        pytest.param("3d 9c 8d 8c 8s", "", "3d", id="keeps-the-bomb"),
        pytest.param("3d 9c Qs As", "8d", "9c", id="follows-with-the-cheapest"),
        pytest.param("3d Qd Qc Ad", "Kd", "Ad", id="ace-on-king"),
        pytest.param("3d 4c 6d 6c 6s 9s Jd", "Qd Qc", "pass", id="no-bomb-for-nothing"),
        pytest.param("3d 9d 9c 9s", "Kd Kc", "9d 9c 9s", id="bomb-to-go-out-soon"),
    ],
)
def test_greed(hands: str, on_table: str, expected: str) -> None:
    """What the greedy player lays, from its own cards, against three full hands."""
    table = f"{on_table} {MANY}" if on_table else MANY
    assert choice((hands, MANY, MANY, table), on_table) == expected


@pytest.mark.parametrize(
    ("is_revealed", "partner", "expected"),
    [
        pytest.param(True, 3, "pass", id="revealed"),
        pytest.param(False, 3, "Qd", id="not-revealed"),
        pytest.param(False, 0, "Qd", id="partner-against-a-foe"),
    ],
)
def test_friends_are_left_to_win(is_revealed: bool, partner: int, expected: str) -> None:
    """A seat passes on the play of a known friend; who is not known is beaten."""
    dealer = 0 if partner == 3 else 1
    chosen = choice(
        ("3d Qd Ks", MANY, MANY, f"9d {MANY}"),
        "9d",
        dealer=dealer,
        partner=partner,
        called=parse_cards("2s")[0],
        is_revealed=is_revealed,
    )
    assert chosen == expected


def test_the_partner_knows_before_anybody_else() -> None:
    """Who holds the called card's twin leaves the trick to the dealer at once."""
    chosen = choice(
        ("3d Qd Ks 2s", MANY, MANY, f"9d {MANY}"),
        "9d",
        dealer=3,
        partner=0,
        called=parse_cards("2s")[0],
    )
    assert chosen == "pass"


@pytest.mark.parametrize(
    ("hands", "expected"),
    [
        pytest.param("3d 4c 6d 6c 6s 9s Jd", "6d 6c 6s", id="by-a-bomb"),
        pytest.param("3d 4c 5d 9s 2d 2c 2h", "2d", id="by-a-card-out-of-a-bomb"),
    ],
)
def test_somebody_about_to_go_out_is_stopped(hands: str, expected: str) -> None:
    """Against a last card whatever beats the table is laid, what costs least first."""
    assert choice((hands, MANY, MANY, "Ad 4s"), "Ad") == expected


# What nobody may see


def reshuffled(state: Playing, rng: Random) -> Playing:
    """The same table to the seat in turn: what it cannot see is dealt anew among the others."""
    seat = state.turn
    others = [s for s in range(4) if s != seat]
    twin = bytes([state.called]) if state.soloist < 0 and not state.is_revealed else b""
    is_open = bool(twin) and seat != state.partner
    hidden = [code for s in others for code in unpack(state.holdings[s])]
    partner = state.partner
    kept: dict[int, bytes] = dict.fromkeys(others, b"")
    if is_open:
        candidates = [s for s in others if s != state.dealer and state.left[s]]
        partner = rng.choice(candidates)
        # The dealer's own copy, if he still holds it, stays with him: it is his by the call.
        hidden.remove(twin[0])
        kept[partner] = twin
    if twin and seat != state.dealer and state.holdings[state.dealer] >> 3 * twin[0] & 3:
        hidden.remove(twin[0])
        kept[state.dealer] = twin
    rng.shuffle(hidden)
    holdings = list(state.holdings)
    for s in others:
        n = state.left[s] - len(kept[s])
        cards, hidden = bytes(hidden[:n]) + kept[s], hidden[n:]
        holdings[s] = with_cards(EMPTY, pack(cards, 2))
    teams = state.teams
    if is_open:
        teams = per_seat(0 if s in (state.dealer, partner) else 1 for s in range(4))
    return replace(state, holdings=per_seat(holdings), partner=partner, teams=teams)


@pytest.mark.parametrize("seed", range(12))
def test_hidden_cards_do_not_matter(seed: int) -> None:
    """A choice stays the same if all that the seat cannot see is dealt anew."""
    game: Any = Dagong()
    n_changed = 0
    for state, _, _ in played_hand("dagong", DEFAULT, seed, (GREEDY,) * 4, game):
        if isinstance(state, Playing):
            chosen = GREEDY.choose(game, state, Random(7))
            for other in (reshuffled(state, Random(n)) for n in range(4)):
                n_changed += other.holdings != state.holdings
                assert GREEDY.choose(game, other, Random(7)) == chosen
    assert n_changed > 40


# The layout of a holding


@pytest.mark.parametrize("seed", range(40))
def test_a_grouping_is_the_whole_holding(seed: int) -> None:
    """Groups, bombs and jokers are the holding's cards, each once, and each the type it says."""
    rng = Random(seed)
    cards = shuffled(rng, rng.choice((0.0, 0.6)))[: rng.randrange(1, 28)]
    laid = grouping(with_cards(EMPTY, pack(cards, 2)))
    parts = [*(group.cards for group in laid.groups), *laid.bombs, laid.jokers]
    assert sorted(b"".join(parts)) == sorted(cards)
    readings = Dagong().open(DEFAULT, FIRST).flow.readings
    for group in laid.groups:
        (play,) = readings(group.cards)
        assert (play.kind, play.size, play.rank) == (group.kind, group.size, group.rank)
        assert play.power == ()
    assert all(readings(bomb)[0].power for bomb in laid.bombs)


def test_the_lowest_group_comes_first() -> None:
    """Singles of a holding without anything else are led from below."""
    laid = grouping(with_cards(EMPTY, pack(parse_cards("2s 3d Ks 9h 6c"), 2)))
    assert all(low.rank < high.rank for low, high in pairwise(laid.groups))


# Sense


def test_solo_is_rare_and_mostly_won() -> None:
    """硬牌 is declared in one to six of a hundred hands, and more often won than lost."""
    n_hands, results = 1200, []
    for seed in range(n_hands):
        hand = played_hand("dagong", DEFAULT, seed, (GREEDY,) * 4)
        table = next(after for _, _, after in hand if isinstance(after, Playing))
        if table.soloist >= 0:
            *_, (_, _, over) = hand
            results.append(over.settled.result.name)
    assert 0.01 <= len(results) / n_hands <= 0.06
    assert results.count("SOLO_WON") > results.count("SOLO_LOST")
