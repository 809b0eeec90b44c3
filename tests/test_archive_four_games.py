"""One archive of all four games: every query counts each game by itself, and counts right."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from replay.archive import Archive
from schema.cards import cards_text
from schema.chaodipi import ChaodipiResult, ChaodipiSettled
from schema.events import ClimbingSettled, Dealt, Event, Passed
from schema.gunzi import (
    BottomFate,
    Buried,
    Declared,
    Flipped,
    GunziEnding,
    GunziOpening,
    GunziResult,
    GunziSettled,
    JokersBuried,
    TributePaid,
    TrumpSet,
)
from schema.items import Hand
from schema.logfile import open_log
from tests import archives, builders, chaodipi_logs
from tests.archives import indexed, live, rows
from tests.asked import answer
from tests.wild_logs import wild_log

GAMES = ("chaodipi", "chibi_dagun", "dagong", "gunzi")
SUITS = "dchs"
Hands = list[Hand]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Logs of each game."""
    folder = tmp_path_factory.mktemp("logs")
    (folder / "wild.paipu").write_bytes(wild_log())
    return {
        "dagong": [live(folder / "a.paipu", archives.hands(12, seed=2))],
        "chibi_dagun": [folder / "wild.paipu"],
        "chaodipi": chaodipi_logs.matches(folder / "chaodipi"),
        "gunzi": archives.gunzi_matches(folder / "gunzi", 24),
    }


@pytest.fixture(scope="module")
def archive(logs: dict[str, list[Path]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of them all."""
    folder = tmp_path_factory.mktemp("archive") / "archive"
    indexed(folder, *(path for paths in logs.values() for path in paths))
    return folder


@pytest.fixture(scope="module")
def matches(logs: dict[str, list[Path]]) -> dict[str, list[Hands]]:
    """The hands of each log of each game, in order."""
    return {game: [list(read(path)) for path in paths] for game, paths in logs.items()}


def read(path: Path) -> Hands:
    """The hands of a log."""
    with open(path, "rb") as stream:
        return [item for item in open_log(stream).items() if isinstance(item, Hand)]


def first(events: Sequence[Event], kind: type[Any]) -> Any:
    """The first event of a kind; None if there is none."""
    return next((event for event in events if isinstance(event, kind)), None)


def all_of(events: Sequence[Event], *kinds: type[Any]) -> list[Any]:
    """The events of some kinds."""
    return [event for event in events if isinstance(event, kinds)]


def settled_hands(matches: Iterable[Hands], kind: type[Any]) -> list[tuple[Hand, Any]]:
    """The hands that were settled, and how."""
    hands = (hand for match in matches for hand in match)
    return [(hand, settled) for hand in hands if (settled := first(hand.events, kind))]


SETTLED: dict[str, type[Any]] = {
    "dagong": ClimbingSettled,
    "chibi_dagun": ClimbingSettled,
    "chaodipi": ChaodipiSettled,
    "gunzi": GunziSettled,
}


# Queries about any game


def test_every_game_is_counted_by_itself(archive: Path, matches: dict[str, list[Hands]]) -> None:
    """Each settled hand once: by how it ended, and for each seat and player."""
    wanted = {game: len(settled_hands(matches[game], SETTLED[game])) for game in GAMES}
    totals: Counter[str] = Counter()
    for row in answer(archive, "results"):
        totals[row["game"]] += row["hands"]
    assert totals == wanted
    for name in ("results_by_player", "seat_bias"):
        counts = [(row["game"], row["hands"]) for row in answer(archive, name)]
        assert sorted(counts) == sorted(4 * list(wanted.items()))


def test_coins_are_never_added_to_a_game_without(
    archive: Path, matches: dict[str, list[Hands]]
) -> None:
    """Coins of the climbing games, 游戏得分 of 炒地皮, and of 四副滚子 nothing at all."""
    coins = {(r["game"], r["player_id"]): r["coins"] for r in answer(archive, "results_by_player")}
    players = ("jia", "yi", "bing", "ding")
    for game in ("dagong", "chibi_dagun"):
        deltas = [s.deltas for _, s in settled_hands(matches[game], SETTLED[game])]
        assert [coins[game, player] for player in players] == [*map(sum, zip(*deltas, strict=True))]
    assert {coins["gunzi", player] for player in players} == {None}
    assert {row["game"] for row in answer(archive, "biggest_swings")} <= set(GAMES) - {"gunzi"}


def test_who_passes_is_asked_where_one_can(archive: Path, matches: dict[str, list[Hands]]) -> None:
    """A follower of a trick-taking game has no choice to pass, so he is none that never does."""
    found = answer(archive, "pass_rate")
    assert {row["game"] for row in found} == {"dagong", "chibi_dagun"}
    for game in ("dagong", "chibi_dagun"):
        passes = sum(r["acts"] * r["pass_rate"] for r in found if r["game"] == game)
        logged = [len(all_of(h.events, Passed)) for match in matches[game] for h in match]
        assert round(passes) == sum(logged)


def test_a_red_joker_is_beaten_if_the_trick_goes_to_another(archive: Path) -> None:
    """In a trick-taking game whatever comes behind it is no higher for that."""
    with Archive.open(archive) as opened:
        sql = "SELECT hand_id, trick, winner FROM tricks"
        winners = {row[:2]: row[2] for row in opened.query(sql)}
        sql = "SELECT hand_id, event, trick FROM plays"
        tricks = {row[:2]: row[2] for row in opened.query(sql)}
    found = [r for r in answer(archive, "red_joker_plays") if r["game"] == "gunzi"]
    assert {row["beaten"] for row in found} == {True, False}
    for row in found:
        trick = tricks[row["hand_id"], row["event"]]
        assert row["beaten"] == (winners[row["hand_id"], trick] != row["seat"])


# Queries about levels and trumps


def dealers_won(game: str, settled: Any) -> bool:
    """Whether the dealer's side won the hand."""
    if game == "gunzi":
        return settled.result in (GunziResult.HELD, GunziResult.MATCH_TO_DEALERS)
    return settled.result in (ChaodipiResult.HELD, ChaodipiResult.MATCH_WON)


def test_trumps_win_by_game(archive: Path, matches: dict[str, list[Hands]]) -> None:
    """Hands of a trump suit, and how many of them the dealer's side won, in 四副滚子."""
    found = {
        row["trump"]: (row["hands"], row["dealers_won_percent"])
        for row in answer(archive, "trump_win_rate")
        if row["game"] == "gunzi"
    }
    won: dict[str, list[bool]] = defaultdict(list)
    for hand, settled in settled_hands(matches["gunzi"], GunziSettled):
        won[SUITS[first(hand.events, TrumpSet).trump]].append(dealers_won("gunzi", settled))
    assert found == {
        t: (len(w), pytest.approx(100 * sum(w) / len(w), abs=0.06)) for t, w in won.items()
    }
    games = {row["game"] for row in answer(archive, "trump_win_rate")}
    assert games == {"chaodipi", "gunzi"}


def test_levels_are_told_hand_by_hand(archive: Path, matches: dict[str, list[Hands]]) -> None:
    """Every settled hand of both games with levels, in the order of its log."""
    found = answer(archive, "levels_of_a_match")
    for game in ("chaodipi", "gunzi"):
        settled = settled_hands(matches[game], SETTLED[game])
        told = [(r["hand"], r["score"], r["result"]) for r in found if r["game"] == game]
        assert len(told) == len(settled)
        if game == "gunzi":
            wanted = [(h.index, s.score, s.result.name.lower()) for h, s in settled]
            assert sorted(told) == sorted(wanted)


def test_captured_bottoms_are_counted_by_game(
    archive: Path, matches: dict[str, list[Hands]]
) -> None:
    """What the bottom made, and how often it took the attackers over the 120 of their game."""
    found = {row["game"]: row for row in answer(archive, "bottoms_captured")}
    captured = [
        s for _, s in settled_hands(matches["gunzi"], GunziSettled) if s.fate is BottomFate.CAPTURED
    ]
    row = found["gunzi"]
    assert (row["factor"], row["hands"]) == (2, len(captured))
    made = sum(2 * s.bottom for s in captured) / len(captured)
    assert row["points_they_made"] == pytest.approx(made, abs=0.06)
    assert row["hands_they_turned"] == sum(s.tricks < 120 <= s.score for s in captured)
    assert row["hands_they_turned"] > 0
    assert found.keys() == {"chaodipi", "gunzi"}


def test_shows_are_counted_by_game_and_rung(archive: Path, matches: dict[str, list[Hands]]) -> None:
    """All shows of settled hands; of each hand one stood, and the sides that showed it won."""
    found = [row for row in answer(archive, "declarers") if row["game"] == "gunzi"]
    shows: Counter[int] = Counter()
    stood: dict[int, list[bool]] = defaultdict(list)
    for hand, settled in settled_hands(matches["gunzi"], GunziSettled):
        rungs = [rung(hand, show) for show in all_of(hand.events, Declared)]
        shows.update(rungs)
        if rungs:
            show = all_of(hand.events, Declared)[-1]
            dealer = first(hand.events, TrumpSet).dealer
            is_dealers = show.seat % 2 == dealer % 2
            stood[rungs[-1]].append(is_dealers == dealers_won("gunzi", settled))
    assert {row["rung"]: row["shows"] for row in found} == shows
    for row in found:
        won = stood[row["rung"]]
        assert row["stood"] == len(won)
        if won:
            percent = 100 * sum(won) / len(won)
            assert row["won_percent_where_it_stood"] == pytest.approx(percent, abs=0.06)


def rung(hand: Hand, show: Declared) -> int:
    """The rung of a show: cards of the level, jokers, the 大王 of a first hand."""
    if first(hand.events, GunziOpening).carry.dealer is None:
        return 6
    return {"Bj": 4, "Rj": 5}.get(cards_text(show.cards)[:2], len(show.cards))


def test_matches_end_for_a_reason(archive: Path, matches: dict[str, list[Hands]]) -> None:
    """Every match that was won, by whom and by what."""
    found = {
        (row["result"], row["effect"]): (row["matches"], row["hands_played"])
        for row in answer(archive, "match_endings")
        if row["game"] == "gunzi"
    }
    ended: dict[tuple[str, str], list[int]] = defaultdict(list)
    for hand, settled in settled_hands(matches["gunzi"], GunziSettled):
        if settled.ending is not GunziEnding.NONE:
            key = settled.result.name.lower(), settled.ending.name.lower()
            ended[key].append(first(hand.events, GunziOpening).carry.hand_no)
    assert len(ended) > 3
    assert found == {
        key: (len(hands), pytest.approx(sum(hands) / len(hands), abs=0.06))
        for key, hands in ended.items()
    }


# Queries about 四副滚子 alone


def test_dry_bottoms_are_counted_by_trump(archive: Path, matches: dict[str, list[Hands]]) -> None:
    """A bottom is dry where cards are played and nobody has buried."""
    found = {(r["trump"], r["dry"]): r["hands"] for r in answer(archive, "dry_bottoms")}
    settled = settled_hands(matches["gunzi"], GunziSettled)
    dry = Counter(
        (SUITS[first(hand.events, TrumpSet).trump], not all_of(hand.events, Buried))
        for hand, _ in settled
    )
    assert dry.keys() == found.keys()
    aborted = sum(found.values()) - sum(dry.values())
    assert 0 <= aborted <= sum(len(match) for match in matches["gunzi"]) - len(settled)
    assert all(found[key] >= count for key, count in dry.items())
    assert {is_dry for _, is_dry in found} == {True, False}


def test_flips_are_won_by_the_largest_card(archive: Path, matches: dict[str, list[Hands]]) -> None:
    """By place and by seat: what was flipped, and which flip made its seat dealer."""
    flipped: dict[tuple[str, int], list[bool]] = defaultdict(list)
    for match in matches["gunzi"]:
        for hand in match:
            for flip, is_won in flips(hand):
                flipped["place", flip.place].append(is_won)
                flipped["seat", flip.seat].append(is_won)
    found = {
        (row["counted_by"], row["number"]): (row["flipped"], row["won"])
        for row in answer(archive, "flips")
    }
    turns = {key: found.pop(key) for key in list(found) if key[0] == "turn"}
    assert found == {key: (len(won), sum(won)) for key, won in flipped.items()}
    assert sum(n for n, _ in turns.values()) == sum(
        len(w) for (by, _), w in flipped.items() if by == "seat"
    )
    assert turns.keys() == {("turn", number) for number in (1, 2, 3, 4)}


def flips(hand: Hand) -> list[tuple[Flipped, bool]]:
    """The flips of a hand whose dealer they found, and which of them won."""
    trump, deals = first(hand.events, TrumpSet), all_of(hand.events, Dealt)
    if trump is None:
        return []
    flipped = all_of(hand.events, Flipped)
    final = flipped[6 * (len(deals) - 1) :]
    suited = [f for f in final if deals[-1].cards[156 + f.place] < 52]
    faces = {f.place: cards_text(deals[-1].cards[156 + f.place :][:1]) for f in suited}
    strength = {place: LARGEST.index(face[0]) for place, face in faces.items()}
    best = max(strength.values(), default=None)
    winner = next((f for f in suited if strength[f.place] == best), None)
    assert winner is None or winner.seat == trump.dealer
    return [(flip, flip is winner) for flip in flipped]


LARGEST = "456789TJQKA23"
"""Ranks from the lowest in the order of level 3 without trump: level cards are the highest."""


def test_buried_jokers_are_followed_to_what_they_bring(
    archive: Path, matches: dict[str, list[Hands]]
) -> None:
    """By how many lie there in the end and who won them: hands, levels, tribute of the next."""
    hands: Counter[tuple[int, int, str]] = Counter()
    levels: Counter[tuple[int, int, str]] = Counter()
    by_others: Counter[tuple[int, int, str]] = Counter()
    for hand, settled in settled_hands(matches["gunzi"], GunziSettled):
        own, others = all_of(hand.events, Buried), all_of(hand.events, JokersBuried)
        lying = b"".join([*(e.cards for e in own), *(e.jokers for e in others)])
        key = (lying.count(53), lying.count(52), settled.fate.name.lower())
        if key[0] + key[1]:
            hands[key] += 1
            levels[key] += settled.risen
            by_others[key] += sum(len(e.jokers) for e in others)
    found = answer(archive, "jokers_buried")
    assert {key_of(row): row["hands"] for row in found} == hands
    assert {key_of(row): row["buried_by_others"] for row in found} == by_others
    for row in found:
        average = levels[key_of(row)] / row["hands"]
        assert row["levels_risen"] == pytest.approx(average, abs=0.006)
        if row["tribute_for_them"] is not None and row["dealers_won"] == 1:
            due = 2 * row["red"] + row["black"] if row["bottom_fate"] == "held" else 0
            assert row["tribute_for_them"] == due


def key_of(row: dict[str, Any]) -> tuple[int, int, str]:
    """What the rows of `jokers_buried` are grouped by."""
    return row["red"], row["black"], row["bottom_fate"]


def test_tribute_follows_the_score_of_the_hand_before(
    archive: Path, matches: dict[str, list[Hands]]
) -> None:
    """Of neighbouring settled hands: score and fate of one, what the next owes and pays."""
    paid: dict[tuple[int, str], list[int]] = defaultdict(list)
    for match in matches["gunzi"]:
        settled = settled_hands([match], GunziSettled)
        for (_, before), (hand, _) in pairwise(settled):
            tribute = first(hand.events, TributePaid)
            key = before.score // 10 * 10, before.fate.name.lower()
            paid[key].append(len(tribute.cards) if tribute else 0)
    found = {
        (row["score_from"], row["bottom_fate"]): (row["hands"], row["cards_paid"])
        for row in answer(archive, "tributes_by_score")
    }
    assert found == {
        key: (len(cards), pytest.approx(sum(cards) / len(cards), abs=0.006))
        for key, cards in paid.items()
    }
    for row in answer(archive, "tributes_by_score"):
        assert (row["due_for_score"] > 0) == (not 80 <= row["score_from"] < 160)


def test_tribute_by_level(archive: Path, matches: dict[str, list[Hands]]) -> None:
    """Every later hand that was settled, at the level of its dealer's side."""
    later, tributes = Counter[str](), Counter[str]()
    for hand, _ in settled_hands(matches["gunzi"], GunziSettled):
        carry = first(hand.events, GunziOpening).carry
        if carry.hand_no > 1:
            level = "?3456789T"[carry.levels[carry.dealer % 2]]
            later[level] += 1
            tributes[level] += first(hand.events, TributePaid) is not None
    found = {r["level"]: (r["hands"], r["tributes"]) for r in answer(archive, "tributes_by_level")}
    assert found == {level: (count, tributes[level]) for level, count in later.items()}


def test_a_log_that_grows_has_its_rows_once(tmp_path: Path, logs: dict[str, list[Path]]) -> None:
    """Taken in cut short and then whole, the archive holds what it would hold at once."""
    whole = max(logs["gunzi"], key=lambda path: path.stat().st_size)
    grown = tmp_path / "a.paipu"
    for size in (2, 3, None):
        with open(whole, "rb") as stream:
            log = open_log(stream)
            played = [hand.events for hand in log.items() if isinstance(hand, Hand)][:size]
            grown.write_bytes(builders.live_log(played, log.head))
        indexed(tmp_path / "archive", grown)
    indexed(tmp_path / "anew", grown)
    for name in ("hands", "declarations", "turned_cards", "tributes", "burials"):
        sql = f"SELECT * EXCLUDE (log_id) FROM {name} ORDER BY ALL"
        assert rows(tmp_path / "archive", sql) == rows(tmp_path / "anew", sql)
