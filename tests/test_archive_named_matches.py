"""Named queries about matches, levels and logs: counted again from the events of the logs."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from replay.archive import Archive
from replay.engine.mechanics.points import points
from replay.verify import verify
from schema.cards import cards_text
from schema.chaodipi import (
    Buried,
    ChaodipiOpening,
    ChaodipiResult,
    ChaodipiSettled,
    Escaped,
    Stirred,
    ThrowJudged,
    TrumpSet,
)
from schema.events import HandAborted, Played
from schema.gunzi import Buried as GunziBuried
from schema.gunzi import GunziOpening, JokersBuried, TributePaid, TributeReturned
from schema.logfile import open_log
from tests import archives
from tests.asked import answer
from tests.told import CLIMBING, GAMES, Made, Told, made

TRUMP_GAMES = ("chaodipi", "gunzi")
LADDER = "23456789TJQKAF"


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The archives and what stands in their logs."""
    return made(tmp_path_factory.getbasetemp())


def near(value: float, digits: int = 4) -> Any:
    """A number that was rounded to so many digits."""
    return pytest.approx(value, abs=0.51 * 10**-digits)


def scored(logs: Made, *games: str) -> list[Told]:
    """The hands in which the attackers' score was counted."""
    return [hand for hand in logs.of(*games) if hand.winners]


def dealers_won(hand: Told) -> bool:
    """Whether the dealer's side won."""
    return hand.dealer in hand.winners


def level(hand: Told) -> str:
    """The level of the hand, in notation."""
    if hand.game == "chaodipi":
        carry = hand.first(ChaodipiOpening).carry
        return LADDER[carry.levels[hand.dealer % 2]]
    return "?3456789T"[hand.first(GunziOpening).carry.levels[hand.dealer % 2]]


def test_results_are_shares_of_their_game(logs: Made) -> None:
    """How hands end: number, share, length."""
    found: dict[Any, list[Told]] = defaultdict(list)
    for hand in logs.of():
        found[hand.game, hand.settled.result.name.lower()].append(hand)
    rows = answer(logs.archive, "results")
    assert {(r["game"], r["result"]): r["hands"] for r in rows} == {
        key: len(hands) for key, hands in found.items()
    }
    for row in rows:
        hands = found[row["game"], row["result"]]
        assert row["share"] == near(len(hands) / len(logs.of(row["game"])))
        fans = [h.settled.fan for h in hands if row["game"] in CLIMBING]
        extremes = (min(fans), max(fans)) if fans else (None, None)
        assert (row["least_fan"], row["most_fan"]) == extremes
        assert row["seconds"] == near(sum(h.duration for h in hands) / len(hands) / 1000, 1)


def test_matches_are_listed(logs: Made) -> None:
    """Each log with its hands, and how it ended; the latest first."""
    rows = answer(logs.archive, "matches_played")
    by_path: dict[str, list[Told]] = defaultdict(list)
    for hand in logs.hands:
        by_path[hand.path].append(hand)
    assert {row["path"] for row in rows} == by_path.keys()
    assert [row["created"] for row in rows] == sorted((r["created"] for r in rows), reverse=True)
    for row in rows:
        hands = by_path[row["path"]]
        aborted = sum(hand.first(HandAborted) is not None for hand in hands)
        assert (row["hands"], row["aborted"]) == (len(hands), aborted)
        assert row["settled"] == len(hands) - aborted
        assert row["hand_id"] == hands[-1].id
        assert row["minutes"] == near(sum(h.duration for h in hands) / 60_000, 1)
        result = hands[-1].settled and hands[-1].settled.result.name.lower()
        is_ended = result in ("match_won", "escaped", "match_to_dealers", "match_to_attackers")
        assert row["ended_by"] == (result if is_ended else None)
        if is_ended:
            names = [hands[-1].head.players[seat].name for seat in sorted(hands[-1].winners)]
            assert row["winners"] == names
    assert {row["ended_by"] for row in rows} >= {None, "match_won", "escaped", "match_to_dealers"}


def test_hands_are_listed_in_words(logs: Made) -> None:
    """The latest first, with the names of dealer, partner and soloist; aborted ones apart."""
    rows = answer(logs.archive, "recent_hands", n=500)
    known = {hand.id: hand for hand in logs.hands}
    assert len(rows) == len(known)
    assert [row["started_at"] for row in rows] == sorted(
        (row["started_at"] for row in rows), reverse=True
    )
    for row in rows:
        hand = known[row["hand_id"]]
        names = [player.name for player in hand.head.players]
        assert row["players"] == names
        if hand.winners:
            assert row["dealer"] == names[hand.dealer]
            assert row["partner"] == (None if hand.partner is None else names[hand.partner])
            assert row["soloist"] == (None if hand.soloist is None else names[hand.soloist])
            assert row["winners"] == [names[seat] for seat in sorted(hand.winners)]
    mine = answer(logs.archive, "recent_hands", player="ji", n=500)
    assert {r["hand_id"] for r in mine} == {h.id for h in logs.hands if "ji" in h.players}
    broken = {hand.id for hand in logs.hands if hand.first(HandAborted)}
    rows = answer(logs.archive, "aborted_hands")
    assert {(r["hand_id"], r["aborted"]) for r in rows} == {(i, "player_left") for i in broken}


def test_house_rules_are_counted(logs: Made) -> None:
    """Each option of each game: as many logs as there are."""
    tables = {hand.path: hand for hand in logs.hands}
    rows = answer(logs.archive, "house_rules")
    for game in GAMES:
        mine = [hand for hand in tables.values() if hand.game == game]
        options = {row["option"] for row in rows if row["game"] == game}
        assert options == set(mine[0].head.options.__struct_fields__)
        for option in options:
            told = [r for r in rows if (r["game"], r["option"]) == (game, option)]
            assert [(r["logs"], r["value"]) for r in told] == [
                (len(mine), str(getattr(mine[0].head.options, option)))
            ]
    one = answer(logs.archive, "house_rules", option="call_rule")
    assert {(row["game"], row["value"]) for row in one} == {("dagong", "first_dealt")}


def test_escapes_name_who_left(logs: Made) -> None:
    """The seat that left and what it lost."""
    left = {h.id: h.first(Escaped).seat for h in logs.hands if h.first(Escaped)}
    rows = answer(logs.archive, "escapes")
    assert {row["hand_id"]: row["seat"] for row in rows} == left
    assert [row["delta"] for row in rows] == [-15]


def test_trumps_and_scores(logs: Made) -> None:
    """By trump suit, and by the attackers' score in tens."""
    suits: dict[Any, list[Told]] = defaultdict(list)
    tens: dict[Any, list[Told]] = defaultdict(list)
    for hand in scored(logs, *TRUMP_GAMES):
        trump = next((e.trump for e in reversed(hand.events) if hasattr(e, "trump")), 4)
        if level(hand) != "F":
            suits[hand.game, [*"dchs", "none"][trump]].append(hand)
        tens[hand.game, hand.settled.score // 10 * 10].append(hand)
    rows = answer(logs.archive, "trump_win_rate")
    assert {(r["game"], r["trump"]): r["hands"] for r in rows} == {
        key: len(hands) for key, hands in suits.items()
    }
    for row in rows:
        hands = suits[row["game"], row["trump"]]
        won = 100 * sum(map(dealers_won, hands)) / len(hands)
        assert row["dealers_won_percent"] == near(won, 1)
    rows = answer(logs.archive, "score_distribution")
    assert {(r["game"], r["score_from"]): r["hands"] for r in rows} == {
        key: len(hands) for key, hands in tens.items()
    }
    for row in rows:
        hands = tens[row["game"], row["score_from"]]
        assert row["attackers_won"] == near(1 - sum(map(dealers_won, hands)) / len(hands))


def test_levels_move_as_settled(logs: Made) -> None:
    """Both sides of every settled hand, of one log or of all."""
    settled = {hand.id: hand for hand in logs.of("chaodipi")}
    rows = answer(logs.archive, "levels_of_a_match", game="chaodipi")
    assert [row["hand_id"] for row in rows] == list(settled)
    for row in rows:
        hand = settled[row["hand_id"]]
        before = hand.first(ChaodipiOpening).carry.levels
        after = hand.settled.next.levels
        for side in (0, 1):
            assert row[f"side_{side}"] == f"{LADDER[before[side]]} > {LADDER[after[side]]}"
            assert row[f"step_{side}"] == after[side] + 1
    logs_told = {row["log_id"] for row in rows}
    one = min(logs_told)
    only = answer(logs.archive, "levels_of_a_match", log=one)
    assert only == [row for row in rows if row["log_id"] == one]


def test_flag_hands(logs: Made) -> None:
    """扛旗: passed or not, and the score."""
    flags = [hand for hand in scored(logs, "chaodipi") if level(hand) == "F"]
    results = Counter(hand.settled.result.name.lower() for hand in flags)
    rows = answer(logs.archive, "flag_hands")
    assert {row["result"]: row["hands"] for row in rows} == results
    for row in rows:
        scores = [h.settled.score for h in flags if h.settled.result.name.lower() == row["result"]]
        assert (row["least"], row["most"]) == (min(scores), max(scores))
    assert ChaodipiResult.MATCH_WON.name.lower() in results


def test_stirs_by_number(logs: Made) -> None:
    """How often the bottom was taken up again in a hand, and who won then."""
    found: dict[int, list[Told]] = defaultdict(list)
    for hand in scored(logs, "chaodipi"):
        if level(hand) != "F":
            found[len(hand.all(Stirred))].append(hand)
    rows = answer(logs.archive, "stirs")
    assert {row["stirs"]: row["hands"] for row in rows} == {k: len(h) for k, h in found.items()}
    assert len(found) > 2
    for row in rows:
        hands = found[row["stirs"]]
        assert row["dealers_won"] == near(sum(map(dealers_won, hands)) / len(hands))
        assert row["attackers_score"] == near(sum(h.settled.score for h in hands) / len(hands), 1)


def test_throws(logs: Made) -> None:
    """Those that failed one by one, and counted by player."""
    failed = {}
    thrown: Counter[str] = Counter()
    back: Counter[str] = Counter()
    for hand in logs.hands:
        for k, judged in hand.all(ThrowJudged):
            play: Any = hand.events[k - 1]
            assert isinstance(play, Played)
            thrown[hand.players[play.seat]] += 1
            back[hand.players[play.seat]] += len(play.cards) - len(judged.led)
            if judged.beaten_by:
                names = [hand.head.players[seat].name for seat in judged.beaten_by]
                failed[hand.id, k - 1] = cards_text(judged.led), names
    rows = answer(logs.archive, "throws_that_failed", n=500)
    assert {(r["hand_id"], r["event"]): (r["led"], r["beaten_by"]) for r in rows} == failed
    rows = answer(logs.archive, "throws_by_player")
    assert {r["player_id"]: (r["throws"], r["cards_taken_back"]) for r in rows} == {
        player: (count, back[player]) for player, count in thrown.items()
    }
    assert sum(row["failed"] for row in rows) == len(failed) > 0


def test_bottoms(logs: Made) -> None:
    """Every burial by its points; bottoms that were captured by factor."""
    buried = {}
    for hand in logs.hands:
        for k, event in hand.all(Buried, GunziBuried, JokersBuried):
            cards = event.jokers if isinstance(event, JokersBuried) else event.cards
            buried[hand.id, k] = points(cards)
    rows = answer(logs.archive, "richest_bottoms", n=1000)
    assert {(r["hand_id"], r["event"]): r["points"] for r in rows} == buried
    assert [r["points"] for r in rows] == sorted(buried.values(), reverse=True)
    told = {hand.id: hand for hand in logs.hands}
    for row in rows:
        again = [k for k, _ in told[row["hand_id"]].all(Buried) if k > row["event"]]
        assert row["stood"] == (not again)
        assert row["captured"] is None or not again
    assert {row["captured"] for row in rows} == {None, True, False}
    found: dict[Any, list[Told]] = defaultdict(list)
    for hand in scored(logs, *TRUMP_GAMES):
        if hand.settled.factor > 0 and level(hand) != "F":
            found[hand.game, hand.settled.factor].append(hand)
    rows = answer(logs.archive, "bottoms_captured")
    assert {(r["game"], r["factor"]): r["hands"] for r in rows} == {
        key: len(hands) for key, hands in found.items()
    }
    for row in rows:
        hands = found[row["game"], row["factor"]]
        made_points = sum(h.settled.bottom * h.settled.factor for h in hands) / len(hands)
        assert row["points_they_made"] == near(made_points, 1)
        assert isinstance(hands[0].settled, ChaodipiSettled) == (row["game"] == "chaodipi")


def test_the_largest_tributes(logs: Made) -> None:
    """Who paid whom, what, and what came back."""
    wanted = {}
    for hand in logs.hands:
        if paid := hand.first(TributePaid):
            returned, carry = hand.first(TributeReturned), hand.first(GunziOpening).carry
            wanted[hand.id] = (
                hand.players[paid.seat],
                hand.players[carry.dealer],
                cards_text(paid.cards),
                returned and cards_text(returned.cards),
                carry.due_for_score,
            )
    rows = answer(logs.archive, "biggest_tributes", n=500)
    columns = ("payer_id", "receiver_id", "paid_cards", "returned_cards", "due_for_score")
    assert {r["hand_id"]: tuple(r[c] for c in columns) for r in rows} == wanted
    assert [r["paid"] for r in rows] == sorted((r["paid"] for r in rows), reverse=True)
    assert rows


def test_trump_is_announced_once_more_where_it_was_shown(logs: Made) -> None:
    """Shows of 炒地皮 by kind: as many as there are, and one of a hand stands."""
    rows = [r for r in answer(logs.archive, "declarers") if r["game"] == "chaodipi"]
    hands = scored(logs, "chaodipi")
    stirred = sum(len(hand.all(Stirred)) for hand in hands)
    assert sum(r["shows"] for r in rows if r["kind"] == "stirred") == stirred
    shown = [h for h in hands if (t := h.all(TrumpSet)) and t[-1][1].rung > 0]
    assert sum(row["stood"] for row in rows) == len(shown)


# Logs with findings


def test_findings_in_every_view(logs: Made) -> None:
    """By rule, by program, one by one: as many as verification finds, at their events."""
    found = {}
    for path in {hand.path for hand in logs.flawed_hands}:
        with open(path, "rb") as stream:
            for finding in verify(open_log(stream)).findings:
                found[finding.hand_id, finding.event] = finding
    rows = answer(logs.flawed, "findings_listed")
    assert {(r["hand_id"], r["event"]): r["rule"] for r in rows} == {
        key: finding.rule for key, finding in found.items()
    }
    rules = Counter(finding.rule for finding in found.values())
    rows = answer(logs.flawed, "findings_by_rule")
    assert {row["rule"]: row["findings"] for row in rows} == rules
    for row in rows:
        example = found[row["hand_id"], row["event"]]
        assert (row["rule"], row["kind"]) == (example.rule, example.kind)
        assert (row["zh"], row["en"]) == (example.zh, example.en)
    broken = Counter((f.seat, f.rule) for f in found.values() if f.kind in ("violation", "breach"))
    players = {player: seat for seat, player in enumerate(logs.flawed_hands[0].players)}
    rows = answer(logs.flawed, "breaches_by_player")
    assert {(players[r["player_id"]], r["rule"]): r["findings"] for r in rows} == broken
    assert {(r["hand_id"], r["event"]) for r in rows} <= found.keys()
    rows = answer(logs.flawed, "findings_by_rule", kind="violation")
    assert [row["rule"] for row in rows] == ["dagong-1.4"]
    (row,) = answer(logs.flawed, "findings_by_producer")
    different = len({hand.id for hand in logs.flawed_hands})
    assert (row["logs"], row["findings"], row["hands"]) == (2, len(found), different)
    for row in answer(logs.flawed, "house_rules"):
        assert (row["logs"], row["hands"]) == (2, different)
    days = answer(logs.flawed, "activity_by_day", zone=0)
    made_on = {(h.head.file_id, h.started_at // 86_400_000) for h in logs.flawed_hands}
    assert sum(row["matches"] for row in days) == len(made_on)
    (blocked,) = [f for f in found.values() if f.kind == "violation"]
    (row,) = answer(logs.flawed, "unverified_hands")
    assert (row["hand_id"], row["event"], row["rule"]) == (
        blocked.hand_id,
        blocked.event,
        blocked.rule,
    )


def test_damage_in_the_file_opens_the_hand_that_it_is_about(tmp_path: Path) -> None:
    """Found outside of the hand's own walk it has no id in the table, and one by log and hand."""
    good, other = archives.hands(3, seed=9), archives.hands(2, seed=10)
    path = archives.text(tmp_path / "chain.paipu.jsonl", good, 3)
    archives.text(tmp_path / "other.paipu.jsonl", (other[0], *good[1:]), 3)
    lines, others = (
        (tmp_path / name).read_bytes().splitlines(keepends=True)
        for name in ("chain.paipu.jsonl", "other.paipu.jsonl")
    )
    place, end = (
        next(k for k, line in enumerate(each) if k and b'"hand_ended"' in line)
        for each in (lines, others)
    )
    path.write_bytes(b"".join([*others[: end + 1], *lines[place + 1 :]]))
    archives.indexed(tmp_path / "archive", path)
    rows = answer(tmp_path / "archive", "findings_listed")
    broken = [row for row in rows if row["rule"] == "format.chain_broken"]
    with Archive.open(tmp_path / "archive") as archive:
        ids: dict[int, str] = dict(archive.query("SELECT hand, hand_id FROM hands"))
    assert [row["hand_id"] for row in broken] == [ids[row["hand"]] for row in broken]
    assert broken


def test_logs_that_disagree(logs: Made) -> None:
    """Two copies of a match: how far they agree, and that the deal was the same."""
    (row,) = answer(logs.flawed, "logs_in_conflict")
    assert {Path(row[key]).name for key in ("path", "other_path")} == {"true.paipu", "false.paipu"}
    assert (row["hands_in_common"], row["first_difference"]) == (2, 2)
    for seat in range(4):
        rows = answer(logs.flawed, "same_deals", seat=seat)
        twice = [h.id for h in logs.flawed_hands if h.index == 2]
        assert {r["hand_id"] for r in rows} == set(twice)
        assert [(row["times"], row["deal"]) for row in rows] == [(2, 1), (2, 1)]
    assert answer(logs.archive, "same_deals") == []


def test_files_that_are_no_logs(logs: Made) -> None:
    """Path and reason, or only those of one reason."""
    (row,) = answer(logs.flawed, "unreadable_files")
    assert row["path"].endswith("/junk.paipu")
    assert (row["fault"], row["bytes"]) == ("not_a_log", 6)
    assert answer(logs.flawed, "unreadable_files", fault="bad_head") == []
