"""Clean samples that no single good hand can show: aborts, claims levels, continued matches …"""

import tempfile
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path

from msgspec.structs import replace

from replay.engine.climbing.states import Playing
from replay.engine.mechanics.holding import unpack
from replay.engine.registry import game_named
from replay.players.simulate import Plan, simulate
from schema.events import (
    AbortReason,
    AnyPlay,
    By,
    Claim,
    Event,
    HandAborted,
    Passed,
    Refused,
)
from schema.logfile import open_log
from schema.records import ClaimsLevel
from tests.samples.files import BINARY
from tests.samples.forge import HandLog, Lie, Move, Table, default_of, head, live, sealed, text
from tests.samples.sorts import Special

Make = Callable[[str, str], bytes]
"""Makes a file of the game and the sample's name."""
_SEED = 3


def _table(game: str) -> Table:
    return Table(game, _SEED, default_of(game))


def _begun(events: list[Event]) -> list[Event]:
    """The first forty events of a hand, and the claims that the last of them makes due."""
    n = 40
    while isinstance(events[n], Claim):
        n += 1
    return events[:n]


def _aborted(game: str, name: str) -> bytes:
    """A hand that a player leaves; the next one opens as that one did."""
    table = _table(game)
    carry = table.carry
    left = [*_begun(table.hand().events), HandAborted(900, AbortReason.PLAYER_LEFT)]
    table.carry = carry
    return text(live(head(game, name), [left, table.hand().events]))


def _in_progress(game: str, name: str) -> bytes:
    """A live log whose second hand is being played."""
    table = _table(game)
    return live(head(game, name), [table.hand().events, table.hand().events[:40]])


def _refused(move: Move) -> tuple[Claim, ...] | None:
    """The seat in turn tries a card that does not beat the table, and is turned down."""
    state = move.after
    if not isinstance(state, Playing) or state.table is None or state.table.kind != "single":
        return None
    cards = unpack(state.holdings[state.turn])
    if not cards or cards[0] >> 2 > state.table.rank:
        return None
    return (*move.claims, Refused(state.turn, cards[:1]))


def _with_refusal(refused: Lie) -> Make:
    return lambda game, name: text(live(head(game, name), [_table(game).hand(lie=refused).events]))


def _left_to_trustee(events: Sequence[Event], seat: int) -> list[Event]:
    """The seat runs out of time once; from then on 托管 plays for it."""
    by, acted = By.PLAYER, 0
    done: list[Event] = []
    for event in events:
        if isinstance(event, AnyPlay | Passed) and event.seat == seat:
            acted += 1
            by = {4: By.TIMEOUT, 5: By.TRUSTEE}.get(acted, by)
            event = replace(event, by=by)
        done.append(event)
    return done


def _trustee(game: str, name: str) -> bytes:
    return text(live(head(game, name), [_left_to_trustee(_table(game).hand().events, 1)]))


def _at_level(level: ClaimsLevel) -> Make:
    """A log that holds the claims of a lower level only."""

    def make(game: str, name: str) -> bytes:
        is_due = game_named(game).claim_at_level
        events = [
            event
            for event in _table(game).hand().events
            if not isinstance(event, Claim) or is_due(type(event), level)
        ]
        return text(live(head(game, name, claims=level), [events]))

    return make


def _parts(game: str) -> tuple[list[HandLog], list[HandLog]]:
    """Two matches of one table, three hands each: the second takes over the coins."""
    table = _table(game)
    first = [table.hand() for _ in range(3)]
    table.carry = table.game.first_carry(table.carry)
    return first, [table.hand() for _ in range(3)]


_FIRST_PART, _SECOND_PART = "first-match", "second-match"


def _first_part(game: str, name: str) -> bytes:
    return sealed(live(head(game, name), [hand.events for hand in _parts(game)[0]]))


def _second_part(game: str, name: str) -> bytes:
    """HEAD names the file before; the first hand opens with the coins that it left."""
    before = open_log(BytesIO(_first_part(game, _FIRST_PART))).head_leaf
    made = head(game, name, previous=before)
    return sealed(live(made, [hand.events for hand in _parts(game)[1]]))


def simulated(plan: Plan) -> bytes:
    """The one file of a plan."""
    with tempfile.TemporaryDirectory() as folder:
        (path,) = simulate(plan, Path(folder)).paths
        return path.read_bytes()


def match(player: str, hands: int, seed: int = 1) -> Make:
    """The file of a match by players of this kind."""
    return lambda game, name: simulated(Plan(game=game, hands=hands, seed=seed, player=player))


def special(refused: Lie, first: str, coins: str) -> tuple[Special, ...]:
    """What every game has; `refused` is a play that the server turns down, rightly.

    `first` says what the first of two matches is, `coins` what goes from it to the second.
    """
    return (
        Special("aborted", "A player leaves, the hand is aborted and dealt again.", _aborted),
        Special("in-progress", "A live log: a second hand is being played.", _in_progress, BINARY),
        Special("refused", "The server turned a play down, rightly.", _with_refusal(refused)),
        Special("trustee", "A seat runs out of time, and 托管 plays on for it.", _trustee),
        Special(
            "claims-settlement",
            "The server logged openings and settlements only.",
            _at_level("settlement"),
        ),
        Special("claims-none", "The server logged no claims but the opening.", _at_level("none")),
        Special(_FIRST_PART, first, _first_part, BINARY),
        Special(
            _SECOND_PART,
            f"The table's next match, with its {coins}: HEAD names the file before.",
            _second_part,
            BINARY,
        ),
    )


SPECIAL: tuple[Special, ...] = (
    *special(_refused, "Three hands, a match.", "coins"),
    Special("match-greedy", "Sixty hands by sensible players.", match("greedy", 60), BINARY),
    Special(
        "match-random",
        "Twenty hands by players who lay anything they may.",
        match("random", 20),
        BINARY,
    ),
)
"""Clean files of the climbing games that are more than one good hand in text."""
