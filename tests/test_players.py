"""Players of every game: always legal, the same for the same seed, sensible.

Those of the climbing games moreover: what they make of a table, and that they see nothing hidden.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from replay.engine.chibi_dagun import presets as chibi_dagun
from replay.engine.climbing.states import Over, Playing
from replay.engine.dagong import presets as dagong
from replay.engine.game import Game
from replay.engine.mechanics.holding import EMPTY, pack, unpack, with_cards
from replay.engine.mechanics.seats import per_seat
from replay.engine.registry import game_named
from replay.players.player import KITS, Player, next_fact
from schema.cards import cards_text, parse_cards
from schema.events import By, Fact, Passed, Played, PlayedAs, PlayKind, PlayRank
from schema.options import Options
from tests.builders import Table, any_options, game_for, playing, schema_of

DEFAULTS: dict[str, Options] = {"dagong": dagong.DEFAULT, "chibi_dagun": chibi_dagun.DEFAULT}

climbing_games = pytest.mark.parametrize("game", DEFAULTS)
each_player = pytest.mark.parametrize(
    ("name", "who"), [(name, who) for name, kit in KITS.items() for who in kit.players]
)


def greedy(game: str) -> Player:
    """The sensible player of a game."""
    return KITS[game].players["greedy"]


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
    """Two greedy players do better than two who play anything, on the same decks.

    In coins or game score, in a game without any in points captured.
    """
    greedy, random = KITS[name].players["greedy"], KITS[name].players["random"]
    ahead = 0
    for seed in range(120):
        seats = (greedy, random) if seed % 2 else (random, greedy)
        *_, (_, _, over) = played_hand(name, default(name), seed, (*seats, *seats))
        has_coins = hasattr(over.settled, "deltas")
        for seat, won in enumerate(over.settled.deltas if has_coins else over.before.captured):
            ahead += won if (*seats, *seats)[seat] is greedy else -won
    assert ahead > 0


# What greed makes of a table of a climbing game


def lay(
    options: Options, hands: tuple[str, str, str, str], on_table: str = "", **table: Any
) -> Fact:
    """What seat 0 does; `on_table` are the cards that seat 3 has laid."""
    cards = per_seat(parse_cards(held) for held in hands)
    leader = 3 if on_table else 0
    engine: Any = game_for(options)
    state: Any = playing(engine, options, Table(cards, leader=leader, **table))
    if on_table:
        state = engine.apply(state, Played(0, By.PLAYER, 3, parse_cards(on_table)), [])
    fact = greedy(engine.name).choose(engine, state, Random(1))
    assert fact is not None
    return fact


def choice(game: str, hands: tuple[str, str, str, str], on_table: str = "", **table: Any) -> str:
    """What seat 0 lays, as cards or `pass`."""
    fact = lay(DEFAULTS[game], hands, on_table, **table)
    return "pass" if isinstance(fact, Passed) else cards_text(getattr(fact, "cards", b""))


MANY = "3d 3c 4d 4c 6d 6c 7d 7c 8d 8c"


@climbing_games
@pytest.mark.parametrize(
    ("hands", "on_table", "expected"),
    [
        pytest.param("3d 9c Qs 2s", "", "3d", id="leads-low"),
        pytest.param("4d 4c 5d 5c 9s", "", "4d 4c 5d 5c", id="leads-the-chain-first"),
        pytest.param("3d 9c 8d 8c 8h 8s", "", "3d", id="keeps-the-bomb"),
        pytest.param("3d 9c Qs As", "8d", "9c", id="follows-with-the-cheapest"),
        pytest.param("3d Qd Qc Ad", "Kd", "Ad", id="ace-on-king"),
        pytest.param("3d Qd Qc Js", "9s", "Js", id="keeps-the-pair"),
        pytest.param("3d 4c 6d 6c 6s 6h 9s Jd", "Qd Qc", "pass", id="no-bomb-for-nothing"),
        pytest.param("3d 9d 9c 9h 9s", "Kd Kc", "9d 9c 9h 9s", id="bomb-to-go-out-soon"),
    ],
)
def test_greed(game: str, hands: str, on_table: str, expected: str) -> None:
    """What the greedy player lays, from its own cards, against three full hands."""
    table = f"{on_table} {MANY}" if on_table else MANY
    assert choice(game, (hands, MANY, MANY, table), on_table) == expected


@pytest.mark.parametrize(
    ("hands", "on_table", "expected"),
    [
        pytest.param("5d 6c 7s 9s Ad", "", "5d 6c 7s", id="leads-the-straight-first"),
        pytest.param("3d 9c 8d 8c 8s", "", "3d", id="keeps-the-bomb"),
        pytest.param("3d 4c 6d 6c 6s 9s Jd", "Qd Qc", "pass", id="no-bomb-for-nothing"),
        pytest.param("3d 9d 9c 9s", "Kd Kc", "9d 9c 9s", id="bomb-to-go-out-soon"),
    ],
)
def test_greed_in_dagong(hands: str, on_table: str, expected: str) -> None:
    """打拱 has straights, and three of a rank are a bomb."""
    table = f"{on_table} {MANY}" if on_table else MANY
    assert choice("dagong", (hands, MANY, MANY, table), on_table) == expected


@pytest.mark.parametrize(
    ("hands", "on_table", "expected"),
    [
        pytest.param("4d 4c 4s 5d 5c 5s 9s", "", "4d 4c 4s 5d 5c 5s", id="leads-the-plane-first"),
        pytest.param("4d 4c 5s 9h Jd Qs 2d Bj", "", "4d 4c 5s Bj", id="completes-a-chain"),
        pytest.param("3d 4c 7s 9h Jd Rj", "", "3d", id="no-joker-is-led"),
        pytest.param("3d 5d Td Bj", "2s", "5d Td Bj", id="completes-wsk"),
        pytest.param("3d 7d 7c 7h Bj", "As As", "7d 7c 7h Bj", id="completes-a-bomb"),
        pytest.param("3d 4d 6c 9s Js Bj Bj Rj Rj", "As", "pass", id="keeps-tianzha"),
        pytest.param("3d 6d 6d 6c 6c 6h 6h 6s Rj", "As As", "6d 6d 6c 6c 6h 6h 6s", id="xi7-whole"),
        pytest.param(
            "8d 8c 8h 9d 9c Bj", "4d 4c 4h 5d 5c 5h", "8d 8c 8h 9d 9c Bj", id="all-at-once"
        ),
        pytest.param("4d 4c 4h 5d 5c 9s Bj", "", "9s", id="of-two-the-one-nobody-beats"),
    ],
)
def test_greed_in_chibi_dagun(hands: str, on_table: str, expected: str) -> None:
    """赤壁打滚 has planes, and jokers are wild: kept for what they complete, never led as a 3."""
    table = f"{on_table} {MANY}" if on_table else MANY
    assert choice("chibi_dagun", (hands, MANY, MANY, table), on_table) == expected


@pytest.mark.parametrize(
    ("hands", "on_table", "expected"),
    [
        pytest.param(
            "8d 8c 8h 8s Bj 3d 4c 6d Jd Qs", "9d 9c 9h 9s", "8d 8c 8h 8s Bj", id="a-joker-more"
        ),
        pytest.param(
            "8d 8c 8h 8s 9d 9c 9h 9s 3d 4c 6d Jd Qs",
            "Jd Jc Js Jh Jh",
            "8d 8c 8h 8s 9d 9c 9h 9s",
            id="yaobai",
        ),
        pytest.param("3d Ks 4c 6s 7d 8s Jd Rj", "Qd Qc", "Ks Rj", id="a-joker-for-a-pair"),
    ],
)
def test_what_is_put_together_in_need(hands: str, on_table: str, expected: str) -> None:
    """Against a foe who is about to go out, bombs are enlarged and jokers spent."""
    chosen = choice("chibi_dagun", (hands, MANY, MANY, f"{on_table} 4s"), on_table)
    assert chosen == expected


def test_a_lead_is_declared_the_hardest_to_beat() -> None:
    """What can be a plane or a chain is declared to be what fewest unseen cards beat."""
    hands = ("Qd Qc Kd Kc Bj Rj", "Kh Kh Ks Ad Ac As 3d", MANY, MANY)
    fact = lay(chibi_dagun.DEFAULT, hands)
    assert isinstance(fact, PlayedAs)
    assert (fact.kind, fact.rank) == (PlayKind.PAIR_CHAIN, PlayRank.ACE)
    weaker = (hands[0], "Kh Kh Ad Ac As 3d", MANY, MANY)
    fact = lay(chibi_dagun.DEFAULT, weaker)
    assert isinstance(fact, PlayedAs)
    assert (fact.kind, fact.rank) == (PlayKind.TRIPLE_CHAIN, PlayRank.KING)


def test_no_say_no_declaration() -> None:
    """Where the system reads the cards, a lead is laid as it is."""
    hands = ("Qd Qc Kd Kc Bj Rj", "Kh Kh Ks Ad Ac As 3d", MANY, MANY)
    assert isinstance(lay(chibi_dagun.PUBLIC_SERVER, hands), Played)


@climbing_games
@pytest.mark.parametrize(
    ("is_revealed", "partner", "expected"),
    [
        pytest.param(True, 3, "pass", id="revealed"),
        pytest.param(False, 3, "Qd", id="not-revealed"),
        pytest.param(False, 0, "Qd", id="partner-against-a-foe"),
    ],
)
def test_friends_are_left_to_win(game: str, is_revealed: bool, partner: int, expected: str) -> None:
    """A seat passes on the play of a known friend; who is not known is beaten."""
    dealer = 0 if partner == 3 else 1
    chosen = choice(
        game,
        ("3d Qd Ks", MANY, MANY, f"9d {MANY}"),
        "9d",
        dealer=dealer,
        partner=partner,
        called=parse_cards("2s")[0],
        is_revealed=is_revealed,
    )
    assert chosen == expected


@climbing_games
def test_the_partner_knows_before_anybody_else(game: str) -> None:
    """Who holds the called card's twin leaves the trick to the dealer at once."""
    chosen = choice(
        game,
        ("3d Qd Ks 2s", MANY, MANY, f"9d {MANY}"),
        "9d",
        dealer=3,
        partner=0,
        called=parse_cards("2s")[0],
    )
    assert chosen == "pass"


@pytest.mark.parametrize(
    ("game", "hands", "expected"),
    [
        pytest.param("dagong", "3d 4c 6d 6c 6s 9s Jd", "6d 6c 6s", id="by-a-bomb"),
        pytest.param("dagong", "3d 4c 5d 9s 2d 2c 2h", "2d", id="by-a-card-out-of-a-bomb"),
        pytest.param("chibi_dagun", "3d 4c 6d 6c 6s Bj 9s", "6d 6c 6s Bj", id="by-a-wild-bomb"),
        pytest.param("chibi_dagun", "3d 4c 5d 9s 2d 2c 2h", "2d", id="by-a-card-of-a-triple"),
    ],
)
def test_somebody_about_to_go_out_is_stopped(game: str, hands: str, expected: str) -> None:
    """Against a last card whatever beats the table is laid, what costs least first."""
    assert choice(game, (hands, MANY, MANY, "Ad 4s"), "Ad") == expected


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


@climbing_games
@pytest.mark.parametrize("seed", range(12))
def test_hidden_cards_do_not_matter(game: str, seed: int) -> None:
    """A choice stays the same if all that the seat cannot see is dealt anew."""
    options, player = DEFAULTS[game], greedy(game)
    engine: Any = game_for(options)
    n_changed = 0
    for state, _, _ in played_hand(game, options, seed, (player,) * 4, engine):
        if isinstance(state, Playing):
            chosen = player.choose(engine, state, Random(7))
            for other in (reshuffled(state, Random(n)) for n in range(4)):
                n_changed += other.holdings != state.holdings
                assert player.choose(engine, other, Random(7)) == chosen
    assert n_changed > 40


# Sense


@pytest.mark.parametrize(
    ("options", "least", "most"),
    [
        pytest.param(dagong.DEFAULT, 0.01, 0.06, id="dagong"),
        pytest.param(chibi_dagun.DEFAULT, 0.005, 0.03, id="chibi_dagun"),
        pytest.param(chibi_dagun.PUBLIC_SERVER, 0.01, 0.04, id="chibi_dagun-the-soloist-leads"),
    ],
)
def test_solo_is_rare_and_mostly_won(options: Options, least: float, most: float) -> None:
    """硬牌 is declared in a few of a hundred hands, and more often won than lost."""
    n_hands, results = 1200, []
    game = schema_of(options).game
    seats = (greedy(game),) * 4
    for seed in range(n_hands):
        hand = played_hand(game, options, seed, seats)
        table = next(after for _, _, after in hand if isinstance(after, Playing))
        if table.soloist >= 0:
            *_, (_, _, over) = hand
            results.append(over.settled.result.name)
    assert least <= len(results) / n_hands <= most
    assert results.count("SOLO_WON") > results.count("SOLO_LOST")


def test_a_sensible_match_has_all_that_the_game_has() -> None:
    """In some hundred hands of 赤壁打滚 every type is laid, wild too, and some declared."""
    laid, seats = Counter[str](), (greedy("chibi_dagun"),) * 4
    for seed in range(250):
        for state, fact, after in played_hand("chibi_dagun", chibi_dagun.DEFAULT, seed, seats):
            if isinstance(fact, Played | PlayedAs):
                table: Any = after.play if isinstance(after, Over) else after
                play = table.latest[1]
                laid[play.kind] += 1
                laid[f"wild {play.kind}"] += bool(state.flow.wilds(play))
                laid["declared"] += isinstance(fact, PlayedAs)
    types = {kind.name.lower() for kind in PlayKind} - {"xi8"}
    wild = ("pair", "pair_chain", "triple_chain", "bomb", "wsk_mixed", "wsk_pure")
    assert types | {f"wild {kind}" for kind in wild} | {"declared"} <= {*+laid}
    assert laid["wild single"] < 5
