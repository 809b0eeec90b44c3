"""Named queries about tricks, plays and time: counted again from the events of the logs."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Any

import pytest

from replay.archive import Archive
from schema.cards import cards_text
from schema.chaodipi import ThrowJudged
from schema.events import By, Called, Passed, PlayedAs, Revealed
from tests.asked import answer
from tests.told import CLIMBING, GAMES, Made, Told, Trick, made

Act = tuple[Told, int, Any]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The archives and what stands in their logs."""
    return made(tmp_path_factory.getbasetemp())


@pytest.fixture(scope="module")
def kinds(logs: Made) -> dict[tuple[str, int], dict[str, Any]]:
    """What the engine takes each play for: `plays` itself is tested elsewhere."""
    with Archive.open(logs.archive) as archive:
        found = archive.query("SELECT hand_id, event, kind, size, rank, is_bomb, wilds FROM plays")
        names = found.columns[2:]
        return {(row[0], row[1]): dict(zip(names, row[2:], strict=True)) for row in found}


def near(value: float, digits: int = 4) -> Any:
    """A number that was rounded to so many digits."""
    return pytest.approx(value, abs=0.51 * 10**-digits)


def acts(logs: Made, *games: str) -> Iterator[Act]:
    """Every play and pass of some games, of all if none is named."""
    for hand in logs.hands:
        if not games or hand.game in games:
            yield from ((hand, k, act) for k, act in hand.acts)


def tricks(logs: Made, *games: str) -> Iterator[tuple[Told, Trick]]:
    """Every trick of some games, of all if none is named."""
    for hand in logs.hands:
        if not games or hand.game in games:
            yield from ((hand, trick) for trick in hand.tricks())


def test_bombs_by_kind(logs: Made, kinds: Any) -> None:
    """How many, and how many of them nothing was laid on, also where the hand ended with them."""
    played: Counter[Any] = Counter()
    stood: Counter[Any] = Counter()
    for hand, trick in tricks(logs, *CLIMBING):
        for place, (k, _) in enumerate(trick.plays):
            about = kinds[hand.id, k]
            if about["is_bomb"]:
                key = hand.game, about["kind"], about["size"]
                played[key] += 1
                stood[key] += place == len(trick.plays) - 1
    rows = answer(logs.archive, "bombs_by_kind")
    assert {(r["game"], r["kind"], r["size"]): r["played"] for r in rows} == played
    for row in rows:
        key = row["game"], row["kind"], row["size"]
        assert row["unbeaten"] == near(stood[key] / played[key])
    of_one = answer(logs.archive, "bombs_by_kind", player="jia")
    mine = [k for h, k, a in acts(logs, *CLIMBING) if h.players[a.seat] == "jia"]
    assert 0 < sum(row["played"] for row in of_one) < len(mine)


def test_bombs_by_player(logs: Made, kinds: Any) -> None:
    """A hand on average, of all hands that he sat in."""
    bombs: Counter[Any] = Counter()
    hands = Counter((h.game, p) for h in logs.hands if h.game in CLIMBING for p in h.players)
    for hand, k, act in acts(logs, *CLIMBING):
        bombs[hand.game, hand.players[act.seat]] += bool(kinds[hand.id, k]["is_bomb"])
    rows = answer(logs.archive, "bombs_by_player")
    assert {(r["game"], r["player_id"]): (r["hands"], r["bombs"]) for r in rows} == {
        key: (count, bombs[key]) for key, count in hands.items()
    }


def test_bomb_wars(logs: Made, kinds: Any) -> None:
    """The tricks with the most bombs stand first; the event is where the trick begins."""
    found = {}
    for hand, trick in tricks(logs, *CLIMBING):
        bombs = sum(kinds[hand.id, k]["is_bomb"] for k, _ in trick.plays)
        found[hand.id, trick.number] = bombs, trick.acts[0][0]
    rows = answer(logs.archive, "bomb_wars", bombs=1, n=10_000)
    assert {(r["hand_id"], r["trick"]): (r["bombs"], r["event"]) for r in rows} == {
        key: told for key, told in found.items() if told[0] >= 1
    }
    counts = [row["bombs"] for row in rows]
    assert counts == sorted(counts, reverse=True)


def test_who_passes(logs: Made) -> None:
    """Of all who follow, by how many cards they keep."""
    held: Counter[str] = Counter()
    followed: Counter[str] = Counter()
    for hand, trick in tricks(logs, *CLIMBING):
        for k, act in trick.acts:
            if k != trick.plays[0][0]:
                followed[hand.players[act.seat]] += 1
                held[hand.players[act.seat]] += isinstance(act, Passed)
    rows = answer(logs.archive, "pass_rate")
    assert {row["game"] for row in rows} == set(CLIMBING)
    for player, count in followed.items():
        mine = [row for row in rows if row["player_id"] == player]
        assert sum(row["acts"] for row in mine) == count
        passes = sum(row["acts"] * row["pass_rate"] for row in mine)
        assert passes == pytest.approx(held[player], abs=0.01 * len(mine))
    assert {row["player_id"] for row in answer(logs.archive, "pass_rate", player="ji")} == {"ji"}


def test_rich_tricks_and_who_passed(logs: Made) -> None:
    """Every pass in a trick of so many points."""
    wanted = {
        (hand.id, k): trick.points
        for hand, trick in tricks(logs, *CLIMBING)
        if trick.points is not None and trick.points >= 40
        for k, act in trick.acts
        if isinstance(act, Passed)
    }
    rows = answer(logs.archive, "rich_tricks_passed", n=10_000)
    assert {(r["hand_id"], r["event"]): r["points"] for r in rows} == wanted
    few = answer(logs.archive, "rich_tricks_passed", n=2)
    assert [row["points"] for row in few] == sorted(wanted.values(), reverse=True)[:2]


def test_leads(logs: Made, kinds: Any) -> None:
    """What is led, and how often it wins."""
    led: Counter[Any] = Counter()
    won: Counter[Any] = Counter()
    closed: Counter[Any] = Counter()
    for hand, trick in tricks(logs):
        k, act = trick.plays[0]
        key = hand.game, kinds[hand.id, k]["kind"]
        led[key] += 1
        won[key] += trick.winner == act.seat
        closed[key] += trick.winner is not None
    rows = answer(logs.archive, "leads_by_kind")
    assert {(r["game"], r["kind"]): r["leads"] for r in rows} == led
    for game in GAMES:
        assert sum(r["share"] for r in rows if r["game"] == game) == near(1, 2)
    for row in rows:
        key = row["game"], row["kind"]
        assert row["won"] == near(won[key] / closed[key])


def test_points_by_trick(logs: Made) -> None:
    """Of tricks that were closed: points, and the leader's luck."""
    found: dict[tuple[str, int], list[Trick]] = defaultdict(list)
    for hand, trick in tricks(logs):
        if trick.winner is not None:
            found[hand.game, trick.number].append(trick)
    rows = answer(logs.archive, "points_by_trick")
    assert {(r["game"], r["trick"]): r["tricks"] for r in rows} == {
        key: len(many) for key, many in found.items()
    }
    for row in rows:
        many = found[row["game"], row["trick"]]
        assert row["points"] == near(sum(t.points or 0 for t in many) / len(many), 2)
        leads = [trick.plays[0][1].seat == trick.winner for trick in many]
        assert row["leader_wins"] == near(sum(leads) / len(many))


def test_wild_jokers(logs: Made, kinds: Any) -> None:
    """Plays with jokers that stand for something, and how many declare what."""
    wild = [
        (hand, k, act)
        for hand, k, act in acts(logs, "chibi_dagun")
        if kinds[hand.id, k]["wilds"] is not None
    ]
    rows = answer(logs.archive, "wild_jokers")
    assert sum(row["plays"] for row in rows) == len(wild)
    assert sum(row["jokers"] for row in rows) == sum(
        len(kinds[h.id, k]["wilds"]) for h, k, _ in wild
    )
    declared = sum(isinstance(act, PlayedAs) for _, _, act in wild)
    assert sum(r["declared"] * r["plays"] for r in rows) == pytest.approx(declared, abs=0.1)
    last = sum(
        trick.plays[-1][0] == k
        for hand, trick in tricks(logs, "chibi_dagun")
        for k, _ in trick.plays
        if kinds[hand.id, k]["wilds"] is not None
    )
    assert sum(r["unbeaten"] * r["plays"] for r in rows) == pytest.approx(last, abs=0.1)


def test_red_jokers(logs: Made) -> None:
    """Each play with one: what it lay on, and whether it was beaten."""
    rows = answer(logs.archive, "red_joker_plays", n=10_000)
    wanted = {}
    for hand, trick in tricks(logs):
        judged = {k - 1: bytes(throw.led) for k, throw in hand.all(ThrowJudged)}
        for place, (k, act) in enumerate(trick.plays):
            if 53 in judged.get(k, act.cards):
                last = trick.plays[place - 1]
                before = judged.get(last[0], last[1].cards) if place else None
                beaten = (
                    place < len(trick.plays) - 1
                    if hand.game in CLIMBING
                    else None
                    if trick.winner is None
                    else trick.winner != act.seat
                )
                wanted[hand.id, k] = before and cards_text(before), beaten
    assert {(r["hand_id"], r["event"]): (r["laid_on"], r["beaten"]) for r in rows} == wanted
    one = answer(logs.archive, "red_joker_plays", game="gunzi", n=5)
    assert len(one) == 5
    assert {row["game"] for row in one} == {"gunzi"}


def test_hands_like_this(logs: Made, kinds: Any) -> None:
    """Every play of a type, narrowed by rank, size, game and player."""
    query = {"kind": "pair", "rank": "5", "game": "dagong", "player": "yi"}
    rows = answer(logs.archive, "hands_like_this", n=10_000, **query)
    wanted = {
        (hand.id, k)
        for hand, k, act in acts(logs, "dagong")
        if (kinds[hand.id, k]["kind"], kinds[hand.id, k]["rank"]) == ("pair", "5")
        and hand.players[act.seat] == "yi"
    }
    assert {(row["hand_id"], row["event"]) for row in rows} == wanted
    assert wanted
    fours = answer(logs.archive, "hands_like_this", size=4, n=10_000)
    assert {row["kind"] for row in fours} == {"bomb"}
    assert len(fours) == sum(a["kind"] == "bomb" and a["size"] == 4 for a in kinds.values())


def test_how_long_players_think(logs: Made) -> None:
    """Median and longest time, leading and following; who acted for them."""
    found: dict[Any, list[Any]] = defaultdict(list)
    for hand, trick in tricks(logs):
        for k, act in trick.acts:
            found[hand.game, hand.players[act.seat], k == trick.plays[0][0]].append(act)
    rows = answer(logs.archive, "thinking_time")
    assert {(r["game"], r["player_id"], r["leading"]) for r in rows} == found.keys()
    for row in rows:
        mine = found[row["game"], row["player_id"], row["leading"]]
        times = [act.dt for act in mine]
        assert row["acts"] == len(mine)
        assert row["median_seconds"] == near(median(times) / 1000, 2)
        assert row["longest_seconds"] == near(max(times) / 1000, 2)
        assert row["over_ten_seconds"] == near(sum(t >= 10_000 for t in times) / len(mine))
        others = sum(act.by is not By.PLAYER for act in mine)
        assert row["not_by_player"] == near(others / len(mine))
    assert len({row["over_ten_seconds"] for row in rows}) > 2


def test_acts_by_others(logs: Made) -> None:
    """Time-outs, 托管, bots and the server, by player."""
    found: dict[Any, Counter[By]] = defaultdict(Counter)
    for hand, _, act in acts(logs):
        found[hand.game, hand.players[act.seat]][act.by] += 1
    rows = answer(logs.archive, "acts_by_others")
    assert {(r["game"], r["player_id"]) for r in rows} == found.keys()
    for row in rows:
        by = found[row["game"], row["player_id"]]
        assert (row["acts"], row["timeout"]) == (by.total(), by[By.TIMEOUT])
        assert (row["trustee"], row["bot_or_server"]) == (
            by[By.TRUSTEE],
            by[By.BOT] + by[By.SERVER],
        )
        assert row["share"] == near(1 - by[By.PLAYER] / by.total())
    assert [row["share"] for row in rows] == sorted((r["share"] for r in rows), reverse=True)


def test_the_slowest_acts(logs: Made) -> None:
    """From the longest time down, with the place of each."""
    times = {(hand.id, k): act.dt for hand, k, act in acts(logs)}
    rows = answer(logs.archive, "slowest_acts", n=8)
    longest = sorted(times.values(), reverse=True)[:8]
    assert [times[row["hand_id"], row["event"]] for row in rows] == longest
    assert [row["seconds"] for row in rows] == [near(t / 1000, 1) for t in longest]


def test_one_hand_play_by_play(logs: Made) -> None:
    """Every act of the hand asked for; of the latest one where none is."""
    latest = max(logs.hands, key=lambda hand: hand.started_at)
    for hand, given in ((logs.hands[3], {"hand": logs.hands[3].id}), (latest, {})):
        rows = answer(logs.archive, "play_by_play", **given)
        assert [row["event"] for row in rows] == [k for k, _ in hand.acts]
        assert {row["hand_id"] for row in rows} == {hand.id}
        laid = [cards_text(act.cards) for _, act in hand.acts if not isinstance(act, Passed)]
        assert [row["cards"] for row in rows if row["cards"]] == laid
    assert answer(logs.archive, "play_by_play", hand="0" * 16) == []


def test_lengths_and_times(logs: Made) -> None:
    """The longest hands by acts and by time, hands by minutes, by day and by hour."""
    rows = answer(logs.archive, "longest_hands", n=4)
    counts = sorted((len(hand.acts) for hand in logs.hands), reverse=True)
    assert [row["acts"] for row in rows] == counts[:4]
    rows = answer(logs.archive, "longest_hands", order="time", n=4)
    lengths = sorted((hand.duration for hand in logs.hands), reverse=True)
    assert [row["minutes"] for row in rows] == [near(ms / 60_000, 1) for ms in lengths[:4]]
    rows = answer(logs.archive, "durations")
    minutes = Counter((hand.game, hand.duration // 60_000) for hand in logs.of())
    assert {(r["game"], r["minutes"]): r["hands"] for r in rows} == minutes
    for zone in (8, 0, -3.5):
        at = [
            (hand, datetime.fromtimestamp(hand.started_at / 1000, UTC) + timedelta(hours=zone))
            for hand in logs.hands
        ]
        rows = answer(logs.archive, "activity_by_day", zone=zone)
        days = Counter((time.date(), hand.game) for hand, time in at)
        assert {(r["day"], r["game"]): r["hands"] for r in rows} == days
        matches = {(time.date(), hand.game, hand.path) for hand, time in at}
        assert sum(row["matches"] for row in rows) == len(matches)
        rows = answer(logs.archive, "activity_by_hour", zone=zone)
        hours = Counter((time.isoweekday(), time.hour) for _, time in at)
        assert {(r["weekday"], r["hour"]): r["hands"] for r in rows} == hours


def test_when_partners_are_shown(logs: Made) -> None:
    """By fifths of the acts among which the called card fell, and by its rank."""
    found: dict[Any, list[bool]] = defaultdict(list)
    by_rank: dict[Any, list[bool]] = defaultdict(list)
    for hand in logs.of(*CLIMBING):
        if hand.soloist is None:
            shown = [k for k, _ in hand.all(Revealed)]
            # the claim stands behind the play that shows the card
            at = max((k for k, _ in hand.acts if shown and k < shown[0]), default=None)
            before = sum(k < at for k, _ in hand.acts) if at is not None else 0
            fifth = None if at is None else before * 5 // len(hand.acts) + 1
            won = hand.dealer in hand.winners
            found[hand.game, fifth].append(won)
            called = hand.first(Called).card
            rank = {52: "B", 53: "R"}.get(called, "3456789TJQKA2"[called // 4 % 13])
            by_rank[hand.game, rank, bool(shown)].append(won)
    rows = answer(logs.archive, "reveals")
    assert {(r["game"], r["fifth"]): r["hands"] for r in rows} == {
        key: len(won) for key, won in found.items()
    }
    for row in rows:
        results = found[row["game"], row["fifth"]]
        assert row["dealers_won"] == near(sum(results) / len(results))
    rows = answer(logs.archive, "win_rate_by_called_rank")
    told = {(r["game"], r["called_rank"][0], r["revealed"]): r for r in rows}
    assert {key: row["hands"] for key, row in told.items()} == {
        key: len(won) for key, won in by_rank.items()
    }
    for key, results in by_rank.items():
        assert told[key]["dealer_wins"] == near(sum(results) / len(results))
