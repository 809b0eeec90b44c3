"""`paipu simulate`: matches of players that keep the rules."""

from pathlib import Path
from typing import get_args

import click

from replay.commands import shell
from replay.commands.meter import Meter
from replay.folder import Problem
from replay.wording import Words
from schema.records import ClaimsLevel


@click.command("simulate")
@click.argument("game")
@click.option("--hands", type=click.IntRange(min=1), required=True, help="How many hands.")
@click.option(
    "--seed", type=click.IntRange(min=0), required=True, help="Where chance begins; any number."
)
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
    help="Go on in another file after so many hands; each names the one before.",
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
    game: str,
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
    """Play a match and record it.

    The players keep the rules. Equal arguments give equal bytes. No file is overwritten.
    """
    from replay.players.simulate import Plan, simulate

    plan = Plan(
        game=game,
        hands=hands,
        seed=seed,
        preset=preset,
        player=player,
        hands_per_file=hands_per_file,
        claims=claims,
        form="live" if live else "sealed",
    )
    try:
        with Meter(hands) as meter:
            done = simulate(plan, out, lambda: meter.add(1))
    except ValueError as error:
        raise Problem("plan", reason=error) from None
    shell.echo(str(path) for path in done.paths)
    words = Words(lang)
    said = words("cli.simulated", hands=done.hands, events=done.events, files=len(done.paths))
    click.echo(said, err=True)
    return shell.OK
