"""Figures of an archive: each number against one that is counted out of the same logs in Python."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from replay.archive import index
from replay.reader import NotFound, open_reader
from replay.reader.facets import LEVELS
from replay.reader.figures import (
    PARTS,
    PLAYER_SORTS,
    Figures,
    MatchQuery,
    Part,
    PlayerQuery,
    Scope,
)
from tests import figure_logs as by_hand
from tests.figure_logs import NAMESAKE
from webviewer.fairness import FEW, verdict, within

PLAYERS = ("jia", NAMESAKE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs that are counted."""
    return by_hand.logs(tmp_path_factory.mktemp("figures") / "logs")


@pytest.fixture(scope="module")
def figures(folder: Path) -> Iterator[Figures]:
    """What an archive of them counts."""
    index(folder.parent / "archive", [folder])
    reader = open_reader(folder.parent / "archive")
    assert reader.figures is not None
    yield reader.figures
    reader.close()


def test_plain_logs_have_no_figures(folder: Path) -> None:
    """They are counted over archives alone."""
    assert open_reader(folder).figures is None


# Distributions


@pytest.mark.parametrize("part", by_hand.KEYS)
@pytest.mark.parametrize("player", ["", *PLAYERS])
def test_a_distribution_counts_what_the_logs_say(
    folder: Path, figures: Figures, part: Part, player: str
) -> None:
    """Hands, those decided and those won, by game and value; four games and hands that block."""
    expected = by_hand.counted(by_hand.rows(folder), part, player)
    found = by_hand.numbers_of(figures.tallies(part, Scope(player=player)))
    has_winners = player or part in by_hand.BY_SEAT
    if has_winners:
        assert found == expected
    else:
        assert {k: n[0] for k, n in found.items()} == {k: n[0] for k, n in expected.items()}
    assert expected or player == NAMESAKE


def test_at_each_level_the_dealer_side_wins_what_the_logs_say(
    folder: Path, figures: Figures
) -> None:
    """Without a player, what is won at a level is won by the dealer."""
    won = Counter(
        (row.game, row.level)
        for row in by_hand.rows(folder)
        if row.level is not None and row.dealer in row.winners
    )
    found = figures.tallies("level", Scope())
    assert {(t.game, t.key): t.won for t in found if t.won} == won
    assert len(won) > 5
    for game in {t.game for t in found}:
        places = [LEVELS.index(t.key) for t in found if t.game == game]
        assert places == sorted(places)


@pytest.mark.parametrize("player", ["", "jia"])
def test_game_and_days_leave_the_others_out(folder: Path, figures: Figures, player: str) -> None:
    """Both days are included, and a day is one of UTC."""
    rows = [row for row in by_hand.rows(folder) if row.game == "dagong"]
    days = sorted({datetime.fromtimestamp(row.at / 1000, UTC).date() for row in rows})
    since, until = days[0], days[-2]
    within = [r for r in rows if since <= datetime.fromtimestamp(r.at / 1000, UTC).date() <= until]
    assert 0 < len(within) < len(rows)
    scope = Scope("dagong", player, since.isoformat(), until.isoformat())
    for part in by_hand.BY_SEAT:
        found = by_hand.numbers_of(figures.tallies(part, scope))
        assert found == by_hand.counted(within, part, player)


def test_coins_add_up(folder: Path, figures: Figures) -> None:
    """Over the seats of a player as over his roles; in a game without coins there are none."""
    games = {row.game for row in by_hand.rows(folder)}
    assert len(games) == 4
    for game in games:
        expected = by_hand.coins_of(by_hand.rows(folder), "jia", game)
        found = [t.coins for t in figures.tallies("seat", Scope(game, "jia"))]
        has_coins = any(r.deltas for r in by_hand.rows(folder) if r.game == game)
        assert (sum(filter(None, found)) == expected) if has_coins else (set(found) == {None})


def test_periods_hold_every_hand_once(folder: Path, figures: Figures) -> None:
    """Each begins and ends on a day; what happened between them is counted there."""
    rows = [row for row in by_hand.rows(folder) if row.game == "dagong"]
    days = [datetime.fromtimestamp(row.at / 1000, UTC).date() for row in rows]
    found = figures.tallies("period", Scope("dagong"))
    assert sum(tally.hands for tally in found) == len(rows)
    for tally in found:
        since, until = map(date.fromisoformat, tally.key.split(".."))
        assert tally.hands == sum(since <= day <= until for day in days)


@pytest.mark.parametrize("player", PLAYERS)
def test_habits_are_what_the_events_say(folder: Path, figures: Figures, player: str) -> None:
    """Acts, passes, acts made by another, and the milliseconds of his own."""
    found = {habit.game: by_hand.done(habit) for habit in figures.habits(Scope(player=player))}
    assert found == by_hand.habits(folder, player)
    assert any(passes for _, passes, _, _ in found.values())


def test_thinking_is_classed_by_the_mean_of_own_acts(folder: Path, figures: Figures) -> None:
    """A mean of just as many seconds as a class begins with belongs to it."""
    expected: Counter[tuple[str, str]] = Counter()
    for row in by_hand.rows(folder):
        for seat, _ in enumerate(row.players):
            hand = by_hand.events(folder)[row.hand_id]
            own = [act.dt for act in by_hand.acts(hand, seat) if act.by == 0]
            if own and row.roles:
                mean = sum(own) / len(own) / 1000
                step = max(s for s in (0, 1, 2, 3, 5, 8, 13, 21, 34) if s <= mean)
                expected[row.game, str(step)] += 1
    found = figures.tallies("thinking", Scope())
    assert {(t.game, t.key): t.hands for t in found} == expected
    assert {"1", "2", "3"} <= {key for _, key in expected}


@pytest.mark.parametrize("part", PARTS)
def test_nothing_is_counted_where_nothing_is(figures: Figures, part: Part) -> None:
    """A game that is not there, days before all hands, a player whom nobody knows."""
    for scope in (Scope(game="chess"), Scope(until="1960-01-01"), Scope(player="nobody")):
        assert figures.tallies(part, scope) == ()
        assert figures.habits(scope) == ()


# Players


def test_the_list_of_players_says_what_each_did(folder: Path, figures: Figures) -> None:
    """Hands, those won, and games of everybody; two of one name are two."""
    found = {row.player.id: row for row in figures.players(PlayerQuery()).rows}
    rows = by_hand.rows(folder)
    assert set(found) == {who.id for row in rows for who in row.players}
    for who, told in found.items():
        sat = [
            (row, [p.id for p in row.players].index(who))
            for row in rows
            if who in [p.id for p in row.players]
        ]
        assert told.hands == len(sat)
        assert told.won == sum(seat in row.winners for row, seat in sat)
        assert set(told.games) == {row.game for row, _ in sat}
    assert found["jia"].player.name == found[NAMESAKE].player.name


def test_players_are_found_by_id_and_by_any_name(figures: Figures) -> None:
    """Whatever case, and by names that look like wildcards only where they stand."""

    def ids(text: str) -> set[str]:
        return {row.player.id for row in figures.players(PlayerQuery(text=text)).rows}

    assert ids("OTHER") == {NAMESAKE}
    assert ids("甲") == {"jia", NAMESAKE}
    assert ids("<IMG SRC") == {"jia"}
    assert ids("%") == set()
    assert figures.players(PlayerQuery(text="%", page=9)).pages == 1


@pytest.mark.parametrize("sort", PLAYER_SORTS)
def test_pages_of_players_are_the_list_cut(figures: Figures, sort: str) -> None:
    """In every order; behind the last page stands the last."""
    query = PlayerQuery(sort=sort)  # type: ignore[arg-type]
    whole = figures.players(query)
    cut = [figures.players(replace(query, size=2, page=page)) for page in (1, 2, 3)]
    assert tuple(row for page in cut for row in page.rows) == whole.rows
    assert figures.players(replace(query, size=2, page=99)) == cut[-1]


def test_a_player_has_all_his_names_and_his_latest_hands(folder: Path, figures: Figures) -> None:
    """The name of the log that was taken in last stands first; totals are those of the list."""
    page = figures.player(Scope(player="jia"))
    assert len(page.names) == 2
    assert page.player.name == page.names[0]
    (listed,) = (r for r in figures.players(PlayerQuery()).rows if r.player.id == "jia")
    assert sum(total.hands for total in page.totals) == listed.hands
    times = sorted(
        (row.at for row in by_hand.rows(folder) if "jia" in [p.id for p in row.players]),
        reverse=True,
    )
    assert [row.at for row in page.recent] == times[: len(page.recent)]
    with pytest.raises(NotFound):
        figures.player(Scope(player="甲"))


def test_partners_and_opponents_are_those_who_won_with_him_or_not(
    folder: Path, figures: Figures
) -> None:
    """Of two who are partners both win or both lose, of opponents one does."""
    rows = [row for row in by_hand.rows(folder) if row.winners and row.mode != "solo"]
    told: dict[bool, Counter[tuple[str, str]]] = {True: Counter(), False: Counter()}
    for row in rows:
        ids = [who.id for who in row.players]
        if "jia" not in ids:
            continue
        mine = ids.index("jia") in row.winners
        for seat, other in enumerate(ids):
            if other != "jia":
                told[mine == (seat in row.winners)][row.game, other] += 1
    partners = figures.met(Scope(player="jia"), "partners")
    assert {(m.game, m.player.id): m.hands for m in partners} == told[True]
    solo = [row for row in by_hand.rows(folder) if row.winners and row.mode == "solo"]
    against = Counter(
        (row.game, other.id)
        for row in solo
        for seat, other in enumerate(row.players)
        for mine, me in enumerate(row.players)
        if me.id == "jia" and (mine in row.winners) != (seat in row.winners)
    )
    opponents = figures.met(Scope(player="jia"), "opponents")
    assert {(m.game, m.player.id): m.hands for m in opponents} == told[False] + against


# Matches


def test_matches_are_the_logs_that_can_be_read(folder: Path, figures: Figures) -> None:
    """One a log; by game, player and end."""
    whole = figures.matches(MatchQuery(size=200))
    hands = Counter(row.log_id for row in by_hand.rows(folder))
    assert {row.log_id: row.hands for row in whole.rows} == hands
    ended = {row.log_id for row in whole.rows if row.ended_by}
    assert ended
    for word, expected in (("yes", ended), ("no", set(hands) - ended)):
        found = figures.matches(MatchQuery(ended=word, size=200))  # type: ignore[arg-type]
        assert {row.log_id for row in found.rows} == expected
    (mine,) = figures.matches(MatchQuery(player=NAMESAKE)).rows
    assert mine.log_name == "turned.paipu"
    assert figures.matches(MatchQuery(game="chess")).total == 0


def test_a_match_lists_its_hands_and_its_course_adds_them_up(
    folder: Path, figures: Figures
) -> None:
    """In order; the chart ends at the sum of the coins, or at the levels of the last hand."""
    for match in figures.matches(MatchQuery(size=200)).rows:
        page = figures.match(match.log_id, 1)
        expected = sorted(
            (row for row in by_hand.rows(folder) if row.log_id == match.log_id),
            key=lambda row: row.index,
        )
        assert [hand.row.hand_id for hand in page.hands] == [row.hand_id for row in expected]
        marks = figures.course(match.log_id).marks
        assert [mark.hand_id for mark in marks] == [row.hand_id for row in expected]
        settled = [row.deltas for row in expected if row.deltas]
        assert marks[-1].coins == tuple(map(sum, zip(*settled, strict=True)))
        # behind the end of a match stand the levels of the next one
        with_levels = [
            hand.after
            for number, hand in enumerate(page.hands)
            if hand.after and (number == 0 or not hand.row.result.startswith("match_"))
        ]
        assert marks[-1].levels == (with_levels[-1] if with_levels else ())


def test_what_is_no_match_is_not_found(figures: Figures) -> None:
    """Neither to be looked at nor drawn."""
    for asked in (lambda: figures.match("0" * 32, 1), lambda: figures.course("x")):
        with pytest.raises(NotFound):
            asked()


# Fairness


def test_an_interval_is_wilson_s() -> None:
    """Known values: 8 of 10 within 49.0 and 94.3 percent; no hands say nothing."""
    assert [round(end, 3) for end in within(8, 10)] == [0.490, 0.943]
    assert within(0, 0) == (0.0, 1.0)
    assert within(0, 50)[0] == 0.0
    assert within(50, 50)[1] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        ([], ("few", [], [])),
        ([(40, FEW - 1)] * 4, ("few", [], [])),
        ([(500, 1000)] * 4, ("alike", [], [])),
        ([(520, 1000), (480, 1000), (510, 1000), (490, 1000)], ("alike", [], [])),
        ([(600, 1000), (500, 1000), (500, 1000), (400, 1000)], ("differs", [0], [3])),
    ],
)
def test_the_verdict_is_not_given_lightly(
    seats: list[tuple[int, int]], expected: tuple[str, list[int], list[int]]
) -> None:
    """Few hands say nothing; small differences are chance; large ones are named by seat."""
    assert verdict(seats) == expected
