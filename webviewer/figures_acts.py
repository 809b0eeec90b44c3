"""What players did, and whom they met, as tables."""

from collections.abc import Callable, Sequence

from replay.reader.figures import Habits, Met
from webviewer.figures import Cell, Draft, Grid, Shown, share
from webviewer.words import Words


def habits(draft: Draft, words: Words, found: Sequence[Habits], is_of_one: bool) -> Shown:
    """How one acts: per game the passes, bombs, seconds, and acts made by another.

    Of one player hands are counted, of all of them seats, of which the list of hands has none.
    """
    names = ("acts", "pass_rate", "bombs_a_hand", "seconds", "acted_for")
    rows = []
    for habit in found:
        own = habit.acts - habit.acted_for
        hands = draft.hands(game=habit.game)
        rows.append(
            (
                Cell(words(f"game.{habit.game}"), hands),
                Cell(f"{habit.seats:,}"),
                Cell(f"{habit.acts:,}"),
                Cell(share(habit.passes, habit.acts)),
                Cell(f"{habit.bombs / habit.seats:.2f}" if habit.seats else "–"),
                Cell(f"{habit.thinking_ms / own / 1000:.1f}" if own > 0 else "–"),
                Cell(f"{habit.acted_for:,} ({share(habit.acted_for, habit.acts)})"),
            )
        )
    heads = ("game", "hands" if is_of_one else "seats", *names)
    return _shown(words, heads, 1, tuple(rows))


def met(words: Words, found: Sequence[Met], address: Callable[[str], str]) -> Shown:
    """Whom a player met, and how their decided hands ended."""
    rows = tuple(
        (
            Cell(words(f"game.{met.game}")),
            Cell(met.player.name, address(met.player.id)),
            Cell(met.player.id),
            Cell(f"{met.hands:,}"),
            Cell(f"{met.won:,}"),
            Cell(share(met.won, met.hands)),
        )
        for met in found
    )
    return _shown(words, ("game", "player", "player_id", "decided", "won", "rate"), 3, rows)


def _shown(
    words: Words, heads: Sequence[str], worded: int, rows: tuple[tuple[Cell, ...], ...]
) -> Shown:
    """A table alone; a sentence where it has no row."""
    table = Grid(tuple(words(f"view.figures.{head}") for head in heads), worded, rows)
    return Shown(() if rows else (words("view.figures.nothing"),), table, None)
