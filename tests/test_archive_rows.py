"""What stands in the rows: facts as logged, all else as derived, never a log's own claims."""

from pathlib import Path
from typing import Any

import pytest

from replay.archive import Archive
from replay.verify import verify
from schema.cards import cards_text
from schema.events import (
    AbortReason,
    By,
    Called,
    ClimbingSettled,
    Dealt,
    Event,
    Fact,
    HandAborted,
    HandEnded,
    Passed,
    Played,
    Revealed,
    TrickWon,
    WentOut,
)
from schema.logfile import open_log
from tests import archives
from tests.archives import hands, indexed, live, rows

MATCH = hands(40, seed=11)
SAMPLES = Path(__file__).parent.parent / "sample_logs"
Row = dict[str, Any]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of one clean match."""
    folder = tmp_path_factory.mktemp("rows")
    live(folder / "a.paipu", MATCH)
    indexed(folder / "archive", folder / "a.paipu")
    return folder / "archive"


def all_rows(folder: Path, table: str) -> dict[int, list[Row]]:
    """The rows of a table by hand, in order."""
    found: dict[int, list[Row]] = {}
    with Archive.open(folder) as archive:
        result = archive.query(f"SELECT * FROM {table} ORDER BY ALL")
        for values in result:
            row = dict(zip(result.columns, values, strict=True))
            found.setdefault(row["hand"], []).append(row)
    return found


def claims(hand: tuple[Event, ...], kind: type[Any]) -> list[Any]:
    """The events of one kind in a clean hand: there claims are what is derived."""
    return [event for event in hand if isinstance(event, kind)]


def test_every_play_and_pass_is_a_row(archive: Path) -> None:
    """Plays hold who laid what, when and by whom, in the order of the log."""
    by_hand = all_rows(archive, "plays")
    for number, hand in enumerate(MATCH):
        expected = [
            (
                index,
                event.seat,
                By(event.by).name.lower(),
                event.dt,
                cards_text(event.cards) if isinstance(event, Played) else None,
            )
            for index, event in enumerate(hand)
            if isinstance(event, Played | Passed)
        ]
        found = sorted(by_hand[number], key=lambda row: int(row["event"]))
        assert [
            (row["event"], row["seat"], row["made_by"], row["dt"], row["cards"]) for row in found
        ] == expected


def test_cards_left_go_down_to_what_is_held_at_the_end(archive: Path) -> None:
    """27 cards less those laid; 0 exactly where the log says that a seat went out."""
    seats = all_rows(archive, "seats")
    for number, plays in all_rows(archive, "plays").items():
        left = [27] * 4
        for row in sorted(plays, key=lambda row: int(row["event"])):
            left[row["seat"]] -= row["n_cards"]
            assert row["cards_left"] == left[row["seat"]]
        assert [row["cards_left"] for row in seats[number]] == left
        out = [claim.seat for claim in claims(MATCH[number], WentOut)]
        placed = sorted(
            (row["place"], row["seat"]) for row in seats[number] if row["cards_left"] == 0
        )
        assert [seat for _, seat in placed] == out


def test_tricks_are_those_that_were_won(archive: Path) -> None:
    """Winner and points as derived; leads, plays and passes add up to the rows of plays."""
    plays = all_rows(archive, "plays")
    for number, tricks in all_rows(archive, "tricks").items():
        expected = [(claim.seat, claim.points) for claim in claims(MATCH[number], TrickWon)]
        closed = [row for row in tricks if row["winner"] is not None]
        assert [(row["winner"], row["points"]) for row in closed] == expected
        for row in tricks:
            within = [play for play in plays[number] if play["trick"] == row["trick"]]
            assert row["plays"] == sum(not play["passed"] for play in within)
            assert row["passes"] == sum(play["passed"] for play in within)
            assert row["bombs"] == sum(play["is_bomb"] for play in within)
            leads = [play["seat"] for play in within if play["is_lead"]]
            assert leads == [row["leader"]]


def test_each_play_names_the_one_it_had_to_beat(archive: Path) -> None:
    """`to_beat` is the last play before it in the trick, for plays and passes alike."""
    for plays in all_rows(archive, "plays").values():
        on_table: dict[int, int] = {}
        for row in sorted(plays, key=lambda row: int(row["event"])):
            assert row["to_beat"] == on_table.get(row["trick"])
            assert row["is_lead"] == (row["to_beat"] is None)
            if not row["passed"]:
                on_table[row["trick"]] = row["event"]


def test_hands_and_seats_hold_the_settlement(archive: Path) -> None:
    """Result, 番, winners, coins and balances: in a clean log they are what it claims."""
    seats = all_rows(archive, "seats")
    for number, (row,) in all_rows(archive, "hands").items():
        if not claims(MATCH[number], HandEnded):
            assert (row["result"], row["winners"]) == (None, None)
            continue
        (settled,) = claims(MATCH[number], ClimbingSettled)
        assert (row["result"], row["fan"]) == (settled.result.name.lower(), settled.fan)
        assert row["winners"] == list(settled.winners)
        assert [seat["delta"] for seat in seats[number]] == list(settled.deltas)
        assert [seat["balance_after"] for seat in seats[number]] == list(settled.next.balances)
        assert [seat["won"] for seat in seats[number]] == [s in settled.winners for s in range(4)]
        if row["mode"] == "friend":
            assert [seat["final"] for seat in seats[number]] == list(settled.final)
            assert [seat["captured"] for seat in seats[number]] == list(settled.captured)


def test_call_partner_and_reveal(archive: Path) -> None:
    """In a friend hand the called card, the partner who holds its twin, and when he showed it."""
    seats = all_rows(archive, "seats")
    for number, (row,) in all_rows(archive, "hands").items():
        if row["mode"] == "solo":
            assert (row["called"], row["partner"]) == (None, None)
            continue
        assert row["called"] == cards_text(bytes([claims(MATCH[number], Called)[-1].card]))
        holders = {seat["seat"] for seat in seats[number] if row["called"] in seat["dealt"]}
        assert holders == {row["dealer"], row["partner"]}
        shown = [k for k, event in enumerate(MATCH[number]) if isinstance(event, Revealed)]
        if shown:
            play = max(k for k in range(shown[0]) if isinstance(MATCH[number][k], Played))
            assert row["revealed_at"] == play
        else:
            assert row["revealed_at"] is None


def test_the_deal_is_kept_as_text_and_as_counts(archive: Path) -> None:
    """Each seat's 27 cards in deal order, and how many of each of the 54 faces."""
    for number, seats in all_rows(archive, "seats").items():
        (deal,) = claims(MATCH[number], Dealt)
        for row in seats:
            cards = deal.cards[(row["seat"] - deal.start) % 4 :: 4]
            assert row["dealt"] == cards_text(cards)
            assert list(row["dealt_counts"]) == [cards.count(code) for code in range(54)]


def test_what_each_seat_did_is_the_sum_of_its_plays(tmp_path: Path) -> None:
    """Acts, passes, bombs, acts of others and time to think, over every sample there is."""
    indexed(tmp_path / "archive", SAMPLES)
    found = rows(
        tmp_path / "archive",
        """SELECT s.acts, s.passes, s.bombs, s.acted_for, s.thinking_ms,
            count(p.event), count(*) FILTER (p.passed), count(*) FILTER (p.is_bomb),
            count(*) FILTER (p.made_by <> 'player'),
            coalesce(sum(p.dt) FILTER (WHERE p.made_by = 'player'), 0)::BIGINT
        FROM seats s LEFT JOIN plays p USING (log_id, hand, seat)
        GROUP BY s.log_id, s.hand, s.seat, 1, 2, 3, 4, 5""",
    )
    assert [row for row in found if row[:5] != row[5:]] == []
    assert all(any(row[column] for row in found) for column in range(5))


def test_counts_and_times_of_a_hand(archive: Path) -> None:
    """Events, facts, plays, passes and duration are those of the log."""
    for number, (row,) in all_rows(archive, "hands").items():
        hand = MATCH[number]
        facts = [event for event in hand if isinstance(event, Fact)]
        assert (row["events"], row["facts"]) == (len(hand), len(facts))
        assert row["plays"] == len(claims(hand, Played))
        assert row["passes"] == len(claims(hand, Passed))
        assert row["duration_ms"] == sum(getattr(fact, "dt", 0) for fact in facts)
        reasons = [event.reason.name.lower() for event in claims(hand, HandAborted)]
        assert (row["verified"], row["findings"]) == (True, 0)
        assert [row["aborted"]] == (reasons or [None])


def test_false_claims_reach_findings_and_nothing_else(tmp_path: Path) -> None:
    """A trick claimed for the wrong seat changes no column but adds one finding."""
    clean, false = tmp_path / "clean", tmp_path / "false"
    live(tmp_path / "a.paipu", hands(2))
    live(tmp_path / "b.paipu", [archives.with_false_trick(hands(2)[0]), hands(2)[1]])
    indexed(clean, tmp_path / "a.paipu")
    indexed(false, tmp_path / "b.paipu")
    for table in ("seats", "tricks", "plays"):
        sql = f"SELECT * EXCLUDE hand_id FROM {table} ORDER BY ALL"
        assert rows(clean, sql) == rows(false, sql)
    found = rows(
        false, "SELECT f.kind, f.hand, h.findings FROM findings f JOIN hands h USING (hand_id)"
    )
    assert found == [("claim", 0, 1)]
    assert rows(false, "SELECT findings FROM logs") == [(1,)]


def test_behind_a_blocking_event_nothing_is_derived(tmp_path: Path) -> None:
    """Plays behind it are kept as logged, without type, and the hand is said to be unverified."""
    hand = hands(1)[0]
    live(tmp_path / "a.paipu", [archives.without_its_cards(hand)])
    folder = tmp_path / "archive"
    indexed(folder, tmp_path / "a.paipu")
    assert rows(folder, "SELECT verified, result, winners, findings FROM hands") == [
        (False, None, None, 1)
    ]
    ((event,),) = rows(folder, "SELECT event FROM findings WHERE kind = 'violation'")
    judged = f"SELECT count(*) FROM plays WHERE event < {event} AND is_lead IS NULL"
    assert rows(folder, judged) == [(0,)]
    columns = "count(*), count(kind), count(to_beat), count(cards_left)"
    behind = f"SELECT {columns} FROM plays WHERE event >= {event}"
    n_acts = sum(isinstance(e, Played | Passed) for e in hand[event:])
    assert rows(folder, behind) == [(n_acts, 0, 0, 0)]
    assert rows(folder, f"SELECT cards FROM plays WHERE event = {event}") == [("Rj Rj Rj Rj",)]
    n_behind = sum(isinstance(e, Fact) for e in hand[event + 1 :])
    n_checked = sum(isinstance(e, Fact) for e in hand) - n_behind
    assert rows(folder, "SELECT facts, unverified FROM logs") == [(n_checked, n_behind)]


def test_an_aborted_hand_settles_nothing(tmp_path: Path) -> None:
    """Broken off after its deal: the reason, no result, no coins, the balances as opened."""
    hand = hands(1)[0]
    place = next(k for k, event in enumerate(hand) if isinstance(event, Played))
    live(tmp_path / "a.paipu", [[*hand[:place], HandAborted(5, AbortReason.PLAYER_LEFT)]])
    folder = tmp_path / "archive"
    indexed(folder, tmp_path / "a.paipu")
    found = rows(folder, "SELECT aborted, result, fan, winners, verified, plays FROM hands")
    assert found == [("player_left", None, None, None, True, 0)]
    found = rows(folder, "SELECT DISTINCT balance_before, balance_after, delta, won FROM seats")
    assert found == [(0, None, None, None)]
    assert rows(folder, "SELECT hands, aborted FROM logs") == [(1, 1)]


def test_findings_name_their_hand_by_its_id(tmp_path: Path) -> None:
    """A finding in a hand joins that hand; its number runs through the log."""
    broken = [archives.with_false_trick(hand) for hand in hands(3)]
    live(tmp_path / "a.paipu", broken)
    folder = tmp_path / "archive"
    indexed(folder, tmp_path / "a.paipu")
    found = rows(
        folder,
        "SELECT f.finding, h.hand, f.rule LIKE 'dagong-%', f.zh <> '', f.en <> ''"
        " FROM findings f JOIN hands h USING (hand_id, log_id) WHERE f.hand = h.hand ORDER BY 1",
    )
    assert found == [(0, 0, True, True, True), (1, 1, True, True, True), (2, 2, True, True, True)]


def test_the_archive_says_of_the_samples_what_verify_says(tmp_path: Path) -> None:
    """Counts and findings of every sample log, broken or not, are those of its report."""
    folder = tmp_path / "archive"
    indexed(folder, SAMPLES)
    told = rows(
        folder,
        """SELECT path, hands, aborted, facts, unverified, in_progress,
            (SELECT list([kind, rule, zh, expected, logged, proof] ORDER BY finding)
            FROM findings f WHERE f.log_id = l.log_id)
        FROM logs l WHERE error IS NULL ORDER BY path""",
    )
    assert len(told) > 10
    for path, *counts, findings in told:
        with open(path, "rb") as stream:
            report = verify(open_log(stream))
        assert [report.hands, report.aborted, report.facts, report.unverified] == counts[:4], path
        assert report.in_progress == counts[4], path
        assert [[f.kind, f.rule, f.zh, f.expected, f.logged, f.proof] for f in report.findings] == (
            findings or []
        ), path
