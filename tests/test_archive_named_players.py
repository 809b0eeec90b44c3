"""Named queries about players: counted again from the events of the logs."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.asked import answer
from tests.told import CLIMBING, GAMES, Made, Told, made

Sat = tuple[Told, int]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The archives and what stands in their logs."""
    return made(tmp_path_factory.getbasetemp())


def near(value: float, digits: int = 4) -> Any:
    """A number that was rounded to so many digits."""
    return pytest.approx(value, abs=0.51 * 10**-digits)


def mean(values: Iterable[float | None]) -> float:
    """The mean of those that are not None, as SQL has it."""
    found = [value for value in values if value is not None]
    return sum(found) / len(found)


def seats(logs: Made, *games: str) -> list[Sat]:
    """Everybody in every settled hand that somebody won."""
    return [(hand, seat) for hand in logs.of(*games) if hand.winners for seat in range(4)]


def keyed(sat: list[Sat], key: Any) -> dict[Any, list[Sat]]:
    """Seats by a key of theirs."""
    found: dict[Any, list[Sat]] = defaultdict(list)
    for hand, seat in sat:
        found[key(hand, seat)].append((hand, seat))
    return found


def win_rate(sat: list[Sat]) -> Any:
    """The share of them that won."""
    return near(mean(seat in hand.winners for hand, seat in sat))


def keeps_points(hand: Told) -> bool:
    """Whether points count: in 硬牌 of 打拱 they do not."""
    return hand.game != "dagong" or hand.soloist is None


def coins(sat: list[Sat]) -> int | None:
    """What they won together; None where no coins are counted."""
    known = [delta for hand, seat in sat if (delta := hand.deltas[seat]) is not None]
    return sum(known) if known else None


def most_played(logs: Made) -> str:
    """The player of most hands, aborted ones included."""
    hands = Counter(player for hand in logs.hands for player in hand.players)
    return min(hands, key=lambda player: (-hands[player], player))


def test_each_player_by_game(logs: Made) -> None:
    """Hands, wins, coins and first places of each; also of one player and one game."""
    settled = [(hand, seat) for hand in logs.of() for seat in range(4)]
    wanted = keyed(settled, lambda hand, seat: (hand.game, hand.players[seat]))
    rows = answer(logs.archive, "results_by_player")
    assert {(r["game"], r["player_id"]): r["hands"] for r in rows} == {
        key: len(sat) for key, sat in wanted.items()
    }
    for row in rows:
        sat = wanted[row["game"], row["player_id"]]
        assert row["win_rate"] == win_rate([(h, s) for h, s in sat if h.winners])
        assert row["coins"] == coins(sat)
        firsts = [h.settled.places[0] == s for h, s in sat if row["game"] in CLIMBING]
        assert row["first_out"] == (near(mean(firsts)) if firsts else None)
    one = answer(logs.archive, "results_by_player", player="bing", game="dagong")
    assert one == [r for r in rows if (r["player_id"], r["game"]) == ("bing", "dagong")]


def test_the_days_from_and_to_count(logs: Made) -> None:
    """Matches begun on the first and on the last day are in, those before and after are not."""
    made_on = {
        hand.path: datetime.fromtimestamp(hand.head.created / 1000, UTC).date()
        for hand in logs.hands
    }
    days = sorted(set(made_on.values()))
    first, last = days[1], days[-2]
    rows = answer(logs.archive, "results_by_player", since=str(first), until=str(last), zone=0)
    played = [hand for hand in logs.of() if first <= made_on[hand.path] <= last]
    assert sum(row["hands"] for row in rows) == 4 * len(played)
    assert 0 < len(played) < len(logs.of())


def test_a_card_tells_each_role(logs: Made) -> None:
    """Of the player of most hands, or of the one given: every role in every game."""
    for given in ({}, {"player": "ding"}):
        player = given.get("player", most_played(logs))
        mine = [(hand, seat) for hand, seat in seats(logs) if hand.players[seat] == player]
        wanted = keyed(mine, lambda hand, seat: (hand.game, hand.role(seat)))
        rows = answer(logs.archive, "player_card", **given)
        assert {row["player_id"] for row in rows} == {player}
        assert {(r["game"], r["role"]): r["hands"] for r in rows} == {
            key: len(sat) for key, sat in wanted.items()
        }
        for row in rows:
            sat = wanted[row["game"], row["role"]]
            assert (row["win_rate"], row["coins"]) == (win_rate(sat), coins(sat))
            jokers = mean(sum(card >= 52 for card in hand.dealt(seat)) for hand, seat in sat)
            assert row["jokers_per_hand"] == near(jokers, 2)


def test_roles_win(logs: Made) -> None:
    """All seats of all players by role."""
    wanted = keyed(seats(logs), lambda hand, seat: (hand.game, hand.role(seat)))
    rows = answer(logs.archive, "win_rate_by_role")
    assert {(r["game"], r["role"]): r["seats"] for r in rows} == {
        key: len(sat) for key, sat in wanted.items()
    }
    assert {row["role"] for row in rows} >= {"soloist", "attacker", "opponent", "partner"}
    for row in rows:
        assert row["win_rate"] == win_rate(wanted[row["game"], row["role"]])


def test_seats_are_equal(logs: Made) -> None:
    """By seat: wins, points, jokers, bonuses; and of the latest matches alone."""
    rows = answer(logs.archive, "seat_bias")
    wanted = keyed(seats(logs), lambda hand, seat: (hand.game, seat))
    assert len(rows) == 16
    for row in rows:
        sat = wanted[row["game"], row["seat"]]
        assert (row["hands"], row["win_rate"]) == (len(sat), win_rate(sat))
        jokers = mean(sum(card >= 52 for card in hand.dealt(seat)) for hand, seat in sat)
        assert row["jokers_dealt"] == near(jokers)
        if row["game"] in CLIMBING:
            points = mean(h.settled.captured[s] for h, s in sat if keeps_points(h))
            assert row["points_per_hand"] == near(points, 2)
            dealt = sum(any(b.seat == s for b in hand.settled.bonuses) for hand, s in sat)
            assert row["bonus_deals"] == dealt
    latest = max(logs.hands, key=lambda hand: hand.head.created).path
    hands = [hand for hand in logs.of() if hand.path == latest and hand.winners]
    assert [r["hands"] for r in answer(logs.archive, "seat_bias", matches=1)] == 4 * [len(hands)]


def test_partners_and_opponents(logs: Made) -> None:
    """Whom a player meets on his side and on the other, in solo hands too."""
    for player in ("jia", most_played(logs)):
        given = {"player": player} if player == "jia" else {}
        pairs: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
        won: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
        for hand, seat in seats(logs):
            if hand.players[seat] != player:
                continue
            for other in set(range(4)) - {seat}:
                side = hand.winners if seat in hand.winners else set(range(4)) - hand.winners
                if hand.soloist is not None and other in side:
                    continue  # three against one are not told as partners
                name = "partners" if other in side else "opponents"
                key = hand.game, hand.players[other]
                pairs[name][key] += 1
                won[name][key] += seat in hand.winners
        for name, column in (("partners", "partner_id"), ("opponents", "opponent_id")):
            rows = answer(logs.archive, name, **given)
            assert {row["player_id"] for row in rows} == {player}
            assert {(r["game"], r[column]): r["hands"] for r in rows} == pairs[name]
            for r in rows:
                there = r["game"], r[column]
                assert r["win_rate"] == near(won[name][there] / pairs[name][there])


def test_the_days_of_a_player(logs: Made) -> None:
    """Hands and coins by the day where he lives, and the sum so far."""
    for zone in (8, -5.5):
        days: dict[tuple[str, Any], list[Sat]] = defaultdict(list)
        for hand in logs.of():
            if "yi" in hand.players:
                at = datetime.fromtimestamp(hand.started_at / 1000, UTC) + timedelta(hours=zone)
                days[hand.game, at.date()].append((hand, hand.players.index("yi")))
        rows = answer(logs.archive, "player_form", player="yi", zone=zone)
        assert {(r["game"], r["day"]): (r["hands"], r["coins"]) for r in rows} == {
            key: (len(sat), coins(sat)) for key, sat in days.items()
        }
        for game in CLIMBING:
            sums = [row for row in rows if row["game"] == game]
            assert sums[-1]["coins_so_far"] == sum(row["coins"] for row in sums)


def test_a_player_is_reviewed_from_his_worst_hand(logs: Made) -> None:
    """What he lost most stands first; or the latest hand."""
    mine = [(hand, hand.players.index("bing")) for hand in logs.of("dagong", "chaodipi")]
    lost = sorted(hand.deltas[seat] or 0 for hand, seat in mine if "bing" in hand.players)
    found = [
        row["delta"]
        for game in ("dagong", "chaodipi")
        for row in answer(logs.archive, "review", player="bing", game=game, n=500)
    ]
    assert sorted(found) == lost
    rows = answer(logs.archive, "review", player="bing", game="dagong")
    assert [row["delta"] for row in rows] == sorted(row["delta"] for row in rows)
    latest = answer(logs.archive, "review", player="bing", order="latest", n=1)
    hands = [hand for hand in logs.of() if "bing" in hand.players]
    assert latest[0]["hand_id"] == max(hands, key=lambda hand: hand.started_at).id


def test_solo_hands(logs: Made) -> None:
    """By player, and by the strength of what he was dealt."""
    dared: dict[Any, list[Sat]] = defaultdict(list)
    strength: dict[Any, list[Sat]] = defaultdict(list)
    for hand in logs.of(*CLIMBING):
        if (seat := hand.soloist) is not None:
            ranks = Counter(card // 4 for card in hand.dealt(seat) if card < 52)
            jokers = sum(card >= 52 for card in hand.dealt(seat))
            bombs = sum(n >= 4 for n in ranks.values())
            dared[hand.game, hand.players[seat]].append((hand, seat))
            strength[hand.game, jokers, bombs].append((hand, seat))
    rows = answer(logs.archive, "solo_by_player")
    assert {(r["game"], r["player_id"]): (r["solo_hands"], r["coins"]) for r in rows} == {
        key: (len(sat), coins(sat)) for key, sat in dared.items()
    }
    assert all(r["won"] == win_rate(dared[r["game"], r["player_id"]]) for r in rows)
    rows = answer(logs.archive, "solo_by_strength")
    found = {(r["game"], r["jokers"], r["bombs_dealt"]): r for r in rows}
    assert found.keys() == strength.keys()
    for key, sat in strength.items():
        assert (found[key]["hands"], found[key]["won"]) == (len(sat), win_rate(sat))


def test_the_biggest_swings(logs: Made) -> None:
    """The most that one seat won or lost, hand by hand from the top; also of one player."""
    most = {
        hand.id: max(abs(coins) for coins in hand.deltas if coins is not None)
        for hand in logs.of("dagong")
    }
    rows = answer(logs.archive, "biggest_swings", game="dagong", n=5)
    assert [abs(row["coins"]) for row in rows] == sorted(most.values(), reverse=True)[:5]
    told = {hand.id: hand for hand in logs.of()}
    for row in rows:
        assert row["coins"] == told[row["hand_id"]].deltas[row["seat"]]
        assert abs(row["coins"]) == most[row["hand_id"]]
    mine = answer(logs.archive, "biggest_swings", player="bing", n=500)
    swings = [h.deltas[h.players.index("bing")] for h in logs.of() if "bing" in h.players]
    assert sorted(row["coins"] for row in mine) == sorted(d for d in swings if d is not None)
    assert min(row["coins"] for row in mine) < 0 < max(row["coins"] for row in mine)
    games = {row["game"] for row in answer(logs.archive, "biggest_swings", n=500)}
    assert games == set(GAMES) - {"gunzi"}


def test_bonuses_are_told_with_the_cards(logs: Made) -> None:
    """Each seat that was dealt one, with its kinds, whatever it paid for those of others."""
    rows = answer(logs.archive, "bonus_deals", n=500)
    told = {(row["hand_id"], row["seat"]): row["dealt_bonus"].split() for row in rows}
    holders: dict[tuple[str, int], list[str]] = defaultdict(list)
    for hand in logs.of(*CLIMBING):
        for bonus in hand.settled.bonuses:
            holders[hand.id, bonus.seat].append(bonus.kind.name.lower())
    assert {key: sorted(kinds) for key, kinds in told.items()} == {
        key: sorted(kinds) for key, kinds in holders.items()
    }
    assert holders


def test_pairs_are_ranked(logs: Made) -> None:
    """Every two on one side, of a hand that somebody won, with what both won."""
    hands: Counter[Any] = Counter()
    won: Counter[Any] = Counter()
    gained: dict[Any, list[int | None]] = defaultdict(list)
    for hand in logs.of():
        if hand.winners and hand.soloist is None:
            for side in (hand.winners, set(range(4)) - hand.winners):
                key = hand.game, " + ".join(sorted(hand.players[seat] for seat in side))
                hands[key] += 1
                won[key] += side == hand.winners
                gained[key] += [hand.deltas[seat] for seat in side]
    rows = answer(logs.archive, "pairs")
    assert {(r["game"], r["pair"]): r["hands"] for r in rows} == hands
    for row in rows:
        key = row["game"], row["pair"]
        assert row["win_rate"] == near(won[key] / hands[key])
        known = [delta for delta in gained[key] if delta is not None]
        assert row["coins"] == (sum(known) if known else None)
    few = answer(logs.archive, "pairs", least=5)
    assert {r["hands"] for r in few} == {n for n in hands.values() if n >= 5}


def test_matches_are_won_by_players_and_pairs(logs: Made) -> None:
    """Of the last hands of matches with levels: everybody on the side that won it."""
    won: Counter[Any] = Counter()
    ended: Counter[Any] = Counter()
    for hand in logs.of("chaodipi", "gunzi"):
        if hand.settled.result.name.startswith("MATCH"):
            for side in ({0, 2}, {1, 3}):
                names = sorted(hand.players[seat] for seat in side)
                for key in (("pair", " + ".join(names)), *(("player", name) for name in names)):
                    ended[hand.game, *key] += 1
                    won[hand.game, *key] += side == hand.winners
    rows = answer(logs.archive, "match_winners")
    assert {(r["game"], r["by"], r["who"]): r["won"] for r in rows} == dict(won)
    assert {(r["game"], r["by"], r["who"]): r["matches"] for r in rows} == ended
    assert sum(won.values()) > 0


def test_good_cards_win(logs: Made) -> None:
    """Seats of hands with partners by jokers and sets of four dealt to them."""
    found: dict[Any, list[Sat]] = defaultdict(list)
    for hand, seat in seats(logs, *CLIMBING):
        if hand.soloist is None:
            ranks = Counter(card // 4 for card in hand.dealt(seat) if card < 52)
            jokers = sum(card >= 52 for card in hand.dealt(seat))
            found[hand.game, jokers, sum(n >= 4 for n in ranks.values())].append((hand, seat))
    rows = answer(logs.archive, "win_rate_by_deal")
    assert {(r["game"], r["jokers"], r["bombs_dealt"]): r["seats"] for r in rows} == {
        key: len(sat) for key, sat in found.items()
    }
    for row in rows:
        assert row["win_rate"] == win_rate(found[row["game"], row["jokers"], row["bombs_dealt"]])


def test_who_is_asked_about_by_default_played_the_game(logs: Made) -> None:
    """Where nobody is named it is the player of most hands of the game that is."""
    for game in GAMES:
        hands = Counter(p for hand in logs.hands if hand.game == game for p in hand.players)
        player = min(hands, key=lambda each: (-hands[each], each))
        for name in ("partners", "opponents", "player_card", "player_form", "review"):
            rows = answer(logs.archive, name, game=game)
            assert {row["player_id"] for row in rows} == {player}, name
