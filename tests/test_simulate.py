"""Simulated matches: equal plans give equal bytes, every file is clean, nothing is overwritten."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from replay.cli import main
from replay.players.player import KITS
from replay.players.simulate import Plan, simulate
from replay.verify import Report, verify
from schema.chaodipi import ChaodipiSettled
from schema.items import Hand
from schema.logfile import open_log
from schema.options import Options
from schema.records import ClaimsLevel
from schema.seal import seal
from tests.builders import any_options

ROOT = Path(__file__).parents[1]

GAMES = tuple(KITS)
DEFAULTS = {game: KITS[game].presets["default"] for game in GAMES}
OTHER_PRESETS = {
    "dagong": "faq",
    "chibi_dagun": "public_server",
    "chaodipi": "match",
    "gunzi": "dead",
}
OTHER_OPTION = {
    "dagong": "base",
    "chibi_dagun": "base",
    "chaodipi": "throw_penalty",
    "gunzi": "black_joker_levels",
}
PLAN = Plan(game="dagong", hands=3, seed=7)

games = pytest.mark.parametrize("game", GAMES)


def other_options(game: str) -> Options:
    """The default options of a game but for one."""
    return replace(DEFAULTS[game], **{OTHER_OPTION[game]: 2})


def plan_of(game: str) -> Plan:
    """Three hands of a game."""
    return replace(PLAN, game=game)


def report(path: Path) -> Report:
    """The verdict on a file."""
    with path.open("rb") as stream:
        return verify(open_log(stream))


@games
def test_equal_plans_give_equal_bytes(tmp_path: Path, game: str) -> None:
    """The same plan in two folders: the same names and the same bytes."""
    plan = replace(plan_of(game), hands_per_file=2)
    first, second = simulate(plan, tmp_path / "a"), simulate(plan, tmp_path / "b")
    assert [p.name for p in first.paths] == [p.name for p in second.paths]
    assert [p.read_bytes() for p in first.paths] == [p.read_bytes() for p in second.paths]


@games
@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_no_hash_seed_gets_in(tmp_path: Path, game: str, hash_seed: str) -> None:
    """Another process with another hash seed writes the same bytes."""
    program = (
        "import sys; from pathlib import Path; from replay.players.simulate import *; "
        "simulate(Plan(game=sys.argv[2], hands=3, seed=7), Path(sys.argv[1]))"
    )
    subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "a"), game],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        check=True,
    )
    (path,) = simulate(plan_of(game), tmp_path / "b").paths
    assert (tmp_path / "a" / path.name).read_bytes() == path.read_bytes()


@games
@pytest.mark.parametrize(
    "differs",
    [
        lambda plan: replace(plan, game=next(game for game in GAMES if game != plan.game)),
        lambda plan: replace(plan, hands=4),
        lambda plan: replace(plan, seed=8),
        lambda plan: replace(plan, preset=OTHER_PRESETS[plan.game]),
        lambda plan: replace(
            plan, options=replace(DEFAULTS[plan.game], **{OTHER_OPTION[plan.game]: 2})
        ),
        lambda plan: replace(plan, player="random"),
        lambda plan: replace(plan, hands_per_file=3),
        lambda plan: replace(plan, claims="settlement"),
    ],
    ids=["game", "hands", "seed", "preset", "options", "player", "hands_per_file", "claims"],
)
def test_every_argument_makes_another_log(
    tmp_path: Path, game: str, differs: Callable[[Plan], Plan]
) -> None:
    """A plan that differs in one thing has a file id of its own."""
    plan = plan_of(game)
    plans = (("a", plan), ("b", differs(plan)))
    ids = {report(simulate(p, tmp_path / n).paths[0]).file_id for n, p in plans}
    assert len(ids) == 2


@games
def test_naming_the_preset_is_naming_its_options(tmp_path: Path, game: str) -> None:
    """The options of the preset, given as such, make the same log."""
    plan = plan_of(game)
    same = replace(plan, options=DEFAULTS[game])
    (first,), (second,) = simulate(plan, tmp_path / "a").paths, simulate(same, tmp_path / "b").paths
    assert first.read_bytes() == second.read_bytes()


@games
def test_the_live_form_seals_to_the_sealed_one(tmp_path: Path, game: str) -> None:
    """Live or sealed, it is one log: sealing the live file gives the sealed one's bytes."""
    (live,) = simulate(replace(plan_of(game), form="live"), tmp_path / "live").paths
    (sealed,) = simulate(plan_of(game), tmp_path / "sealed").paths
    assert report(live).form == "live"
    with live.open("rb") as source, (tmp_path / "again").open("wb") as sink:
        seal(open_log(source), sink)
    assert (tmp_path / "again").read_bytes() == sealed.read_bytes()


@pytest.mark.parametrize("player", ["greedy", "random"])
@pytest.mark.parametrize(
    ("game", "preset"), [(game, preset) for game, kit in KITS.items() for preset in kit.presets]
)
@pytest.mark.parametrize("claims", ["full", "settlement", "none"])
def test_every_match_is_clean(
    tmp_path: Path, player: str, game: str, preset: str, claims: ClaimsLevel
) -> None:
    """No finding at any claims level, every hand counted."""
    plan = replace(plan_of(game), player=player, preset=preset, claims=claims)
    found = [report(path) for path in simulate(plan, tmp_path).paths]
    assert [(r.findings, r.claims_level) for r in found] == [((), claims)] * len(found)
    assert sum(r.hands for r in found) == 3


@games
@pytest.mark.parametrize("seed", range(4))
def test_every_house_rule_is_kept_clean(tmp_path: Path, game: str, seed: int) -> None:
    """Whatever the options, no finding, in as many files as there are matches."""
    rng = Random(seed)
    options = any_options(rng, KITS[game].presets["default"])
    for player in KITS[game].players:
        plan = Plan(game=game, hands=8, seed=seed, options=options, player=player)
        found = [report(path) for path in simulate(plan, tmp_path / player).paths]
        assert [(r.findings, r.openings_unchecked) for r in found] == [((), 0)] * len(found)
        assert sum(r.hands for r in found) == 8


def test_hands_are_dealt_out_to_files(tmp_path: Path) -> None:
    """Five hands, two a file: three matches that all begin anew, named in order."""
    told: list[None] = []
    done = simulate(replace(PLAN, hands=5, hands_per_file=2), tmp_path, lambda: told.append(None))
    assert [path.name for path in done.paths] == [f"dagong-7-000{n}.paipu" for n in (1, 2, 3)]
    reports = [report(path) for path in done.paths]
    assert [r.hands for r in reports] == [2, 2, 1]
    assert len({r.file_id for r in reports}) == 3
    assert [(r.findings, r.openings_unchecked) for r in reports] == [((), 0)] * 3
    assert (done.hands, len(told)) == (5, 5)
    assert done.events == sum(r.facts + r.claims for r in reports)


def test_a_match_that_the_options_end_is_followed_by_another(tmp_path: Path) -> None:
    """Two hands a match: five hands are three files, named in order and each of them clean."""
    plan = replace(PLAN, hands=5, options=replace(DEFAULTS["dagong"], hands_per_match=2))
    done = simulate(plan, tmp_path)
    assert [path.name for path in done.paths] == [f"dagong-7-000{n}.paipu" for n in (1, 2, 3)]
    reports = [report(path) for path in done.paths]
    assert [(r.hands, r.findings) for r in reports] == [(2, ()), (2, ()), (1, ())]


@pytest.mark.parametrize("hands_per_file", [None, 12])
def test_a_match_that_the_game_ends_is_followed_by_another(
    tmp_path: Path, hands_per_file: int | None
) -> None:
    """炒地皮: a file ends where 扛旗 is passed, or is full; no hand is lost, none is too many."""
    plan = Plan(game="chaodipi", hands=40, seed=7, hands_per_file=hands_per_file)
    done = simulate(plan, tmp_path)
    assert len(done.paths) > 2
    reports = [report(path) for path in done.paths]
    assert [r.findings for r in reports] == [()] * len(reports)
    assert (done.hands, sum(r.hands for r in reports)) == (40, 40)
    assert max(r.hands for r in reports) <= (hands_per_file or 40)
    assert done.events == sum(r.facts + r.claims for r in reports)
    carries = [last_carry(path) for path in done.paths]
    for carry, found in zip(carries[:-1], reports, strict=False):
        assert carry.is_over or found.hands == hands_per_file


def last_carry(path: Path) -> Any:
    """What a further hand of the file would open with."""
    with path.open("rb") as stream:
        *_, last = (item for item in open_log(stream).items() if isinstance(item, Hand))
    settled = next(e for e in reversed(last.events) if isinstance(e, ChaodipiSettled))
    return settled.next


def test_further_files_are_in_the_way_too(tmp_path: Path) -> None:
    """How many files a plan takes is not known before: any of its game and seed is refused."""
    (tmp_path / "chaodipi-7-0009.paipu").write_bytes(b"evidence")
    (tmp_path / "chaodipi-70-0001.paipu").write_bytes(b"of another seed")
    with pytest.raises(FileExistsError, match="chaodipi-7-0009"):
        simulate(Plan(game="chaodipi", hands=2, seed=7), tmp_path)
    assert len(list(tmp_path.iterdir())) == 2
    simulate(Plan(game="chaodipi", hands=2, seed=8), tmp_path)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """If one of the files exists, that is said and nothing at all is written."""
    plan = replace(PLAN, hands=4, hands_per_file=2)
    last = tmp_path / "dagong-7-0002.paipu"
    last.write_bytes(b"evidence")
    with pytest.raises(FileExistsError, match=last.name):
        simulate(plan, tmp_path)
    assert list(tmp_path.iterdir()) == [last]
    assert last.read_bytes() == b"evidence"


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (
            replace(PLAN, game="mahjong"),
            "no players for the game 'mahjong'; there are: dagong, chibi_dagun, chaodipi",
        ),
        (replace(PLAN, player="shy"), "no player 'shy'; there are: greedy, random"),
        (replace(PLAN, preset="odd"), "no preset 'odd'; there are: default, faq"),
        (
            replace(PLAN, game="chibi_dagun", preset="faq"),
            "no preset 'faq'; there are: default, public_server",
        ),
        (replace(PLAN, hands=0), "at least one hand"),
        (replace(PLAN, hands_per_file=0), "at least one hand a file"),
        (replace(PLAN, hands=10_000_001), "at most 10000000 hands, not 10000001"),
        (
            replace(PLAN, hands=10_000_000, hands_per_file=2),
            "at most 100000 files, not 5000000",
        ),
    ],
)
def test_a_plan_that_cannot_be_played(tmp_path: Path, plan: Plan, says: str) -> None:
    """What is wrong with the plan is said before anything is written."""
    with pytest.raises(ValueError, match=says):
        simulate(plan, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_all_games_at_once(tmp_path: Path) -> None:
    """`--all` plays each game into a folder of its name, the same bytes as each game alone."""
    arguments = ["simulate", "--all", "--hands", "3", "--seed", "7", "-o", str(tmp_path / "all")]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    assert {folder.name for folder in (tmp_path / "all").iterdir()} == set(GAMES)
    for game in GAMES:
        done = simulate(plan_of(game), tmp_path / game)
        for path in done.paths:
            assert (tmp_path / "all" / game / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("arguments", [[], ["dagong", "--all"]], ids=["neither", "both"])
def test_one_game_or_all(tmp_path: Path, arguments: list[str]) -> None:
    """Which games to play is said once, or nothing is played."""
    rest = ["--hands", "3", "--seed", "7", "-o", str(tmp_path / "out")]
    done = CliRunner().invoke(main, ["simulate", *arguments, *rest])
    assert (done.exit_code, (tmp_path / "out").exists()) == (2, False)
    assert "one GAME, or --all" in done.output


def test_one_folder_that_is_full_stops_all_games(tmp_path: Path) -> None:
    """Where one game's logs would be overwritten, no other game is played either."""
    simulate(plan_of("gunzi"), tmp_path / "gunzi")
    arguments = ["simulate", "--all", "--hands", "3", "--seed", "7", "-o", str(tmp_path)]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 2
    assert "nothing is overwritten" in done.output
    assert {folder.name for folder in tmp_path.iterdir()} == {"gunzi"}
