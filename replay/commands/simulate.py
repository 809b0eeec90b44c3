"""`paipu simulate`: matches of players that keep the rules."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from replay.commands import shell
from replay.commands.games import game_called, games
from replay.commands.meter import Meter
from replay.folder import Problem
from replay.messages import system
from replay.wording import Words
from schema.records import ClaimsLevel

if TYPE_CHECKING:
    from replay.players.simulate import Plan, Simulated


@contextmanager
def _said(out: Path) -> Iterator[None]:
    """A plan that cannot be played, and a disk that does not take it, in one sentence."""
    from replay.recorder import RecorderError

    try:
        yield
    except ValueError as error:
        raise Problem("plan", reason=error) from None
    except RecorderError as error:
        reason = error.__cause__ if isinstance(error.__cause__, OSError) else error
        raise _not_recorded(str(error.path), reason) from None
    except OSError as error:
        if error.errno is None or error.filename is not None:
            raise  # it names the file itself
        raise _not_recorded(str(out), error) from None


def _not_recorded(path: str, reason: Exception) -> Problem:
    said = system.reason(reason, shell.spoken()) if isinstance(reason, OSError) else str(reason)
    return Problem("recording", path=path, reason=said)


def _demand_named(games: Iterable[str], preset: str, player: str) -> None:
    """Problem if a game has no house rules or no player of that name."""
    from replay.players.player import KITS

    for game in games:
        kit = KITS[game]
        if preset not in kit.presets:
            raise Problem("no_preset", preset=preset, game=game, presets=", ".join(kit.presets))
        if player not in kit.players:
            raise Problem("no_player", player=player, game=game, players=", ".join(kit.players))


def _games(game: str | None, out: Path, every: bool) -> dict[str, Path]:
    """The games to play, and where their logs go: of all games into a folder each."""
    if (game is None) != every:
        raise click.UsageError("one GAME, or --all")
    if game is not None:
        return {game_called(game): out}
    return {each.name: out / each.name for each in games()}


@click.command("simulate")
@click.argument("game", required=False)
@click.option("--all", "every", is_flag=True, help="All games, each into a folder of its name.")
@click.option("--hands", type=click.IntRange(min=1), required=True, help="How many hands.")
@click.option("--seed", type=int, required=True, help="Where chance begins; any whole number.")
@click.option(
    "-o",
    "--out",
    metavar="DIR",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder for the logs; made if it is not there.",
)
@click.option("--preset", default="default", show_default=True, help="The house rules, by name.")
@click.option(
    "--player",
    default="greedy",
    show_default=True,
    help="Who plays: greedy is sensible, random takes any legal play.",
)
@click.option(
    "--hands-per-file",
    type=click.IntRange(min=1),
    help="Begin another match, in a file of its own, after so many hands.",
)
@click.option("--live", is_flag=True, help="Leave the logs in the live form.")
@click.option(
    "--claims",
    type=click.Choice(get_args(ClaimsLevel)),
    default="full",
    show_default=True,
    help="Which claims the logs hold.",
)
@shell.lang_option
def command(
    game: str | None,
    every: bool,
    hands: int,
    seed: int,
    out: Path,
    preset: str,
    player: str,
    hands_per_file: int | None,
    live: bool,
    claims: ClaimsLevel,
    lang: str,
) -> int:
    """Play matches and record them.

    GAME such as dagong, or 打拱; --all plays so many hands of each. The players keep the rules. A
    file is one match: where the rules end it, the hands that are left go into further files. Equal
    arguments give equal bytes. No file is overwritten.
    """
    from replay.players.simulate import Plan

    folders = _games(game, out, every)
    _demand_named(folders, preset, player)
    plan = partial(
        Plan,
        hands=hands,
        seed=seed,
        preset=preset,
        player=player,
        hands_per_file=hands_per_file,
        claims=claims,
        form="live" if live else "sealed",
    )
    with _said(out):
        _say(_played([(plan(game=name), folder) for name, folder in folders.items()]), lang)
    return shell.OK


def _say(done: "list[Simulated]", lang: str) -> None:
    """The files, and how much is in them."""
    shell.echo(str(path) for each in done for path in each.paths)
    n_hands, n_events = sum(each.hands for each in done), sum(each.events for each in done)
    n_files = sum(len(each.paths) for each in done)
    said = Words(lang)("cli.simulated", hands=n_hands, events=n_events, files=n_files)
    click.echo(said, err=True)


def _played(plans: "list[tuple[Plan, Path]]") -> "list[Simulated]":
    """All the plans, or none of them where a file would be overwritten."""
    from replay.players.simulate import demand_free, simulate

    for plan, folder in plans:
        demand_free(plan, folder)
    with Meter(sum(plan.hands for plan, _ in plans)) as meter:
        return [simulate(plan, folder, lambda: meter.add(1)) for plan, folder in plans]
