"""Values to ask an archive with, drawn at random from what is in it."""

from collections.abc import Mapping
from random import Random
from typing import Any

from msgspec import Struct

from replay.archive import Archive
from replay.archive.named import NamedQuery, Parameter

SAMPLE = 500
"""So many hands and players are drawn once, and of these each value."""
_COLUMNS = {"player": "player_id", "hand": "hand_id", "log": "log_id"}
"""Where a parameter is called otherwise than the column that it is compared with."""
_LEAVE_OUT = 0.3
"""How often a parameter that may be left out is."""

Value = str | int | float | None
Parameters = dict[str, Value]


class Sample(Struct, frozen=True):
    """Hands, with what is known of them by column; players, the more often the more they play."""

    hands: tuple[Mapping[str, Any], ...]
    players: tuple[str, ...]
    days: tuple[str, ...]


def sample(archive: Archive, rng: Random) -> Sample:
    """Some hands of the archive and who sat in them."""
    con = archive.cursor()
    ids = [row[0] for row in con.execute("SELECT hand_id FROM hands ORDER BY 1").fetchall()]
    chosen = rng.sample(ids, min(SAMPLE, len(ids)))
    found = con.execute("SELECT * FROM hands WHERE hand_id IN (SELECT unnest(?))", [chosen])
    names = [column[0] for column in found.description or ()]
    hands = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    hands.sort(key=lambda hand: str(hand["hand_id"]))
    seated = con.execute(
        "SELECT player_id FROM seats WHERE hand_id IN (SELECT unnest(?)) ORDER BY hand_id, seat",
        [chosen],
    )
    players = tuple(player for (player,) in seated.fetchall())
    con.close()
    return Sample(tuple(hands), players, tuple(str(hand["started_at"])[:10] for hand in hands))


class Drawer:
    """Draws parameters for any named query, by their kinds and names."""

    def __init__(self, sample: Sample, rng: Random) -> None:
        self._sample, self._rng = sample, rng

    def parameters(self, query: NamedQuery) -> Parameters:
        """One value for each; None now and then where it may be left out; days in order."""
        dates = sorted(self._day() for each in query.parameters if each.kind == "date")
        days = iter(dates)
        found: Parameters = {}
        for each in query.parameters:
            value = next(days) if each.kind == "date" else self._value(each)
            is_given = each.default is not None or self._rng.random() >= _LEAVE_OUT
            found[each.name] = value if is_given else None
        return found

    def hand(self) -> Parameters:
        """The id of a hand, as a parameter."""
        return {"hand_id": self._rng.choice(self._sample.hands)["hand_id"]}

    def player(self) -> str:
        """The id of a player."""
        return self._rng.choice(self._sample.players)

    def _day(self) -> str:
        return self._rng.choice(self._sample.days)

    def _value(self, parameter: Parameter) -> Value:
        match parameter.kind:
            case "choice":
                return self._rng.choice(parameter.choices)
            case "integer" if isinstance(parameter.default, int):
                return self._rng.randint(parameter.default // 2, 2 * parameter.default)
            case "number":
                return parameter.default if parameter.default is not None else self._rng.random()
            case _:
                return self._in_archive(parameter)

    def _in_archive(self, parameter: Parameter) -> Value:
        """A player's id, or what stands in a hand's column of that name, else the default."""
        name = _COLUMNS.get(parameter.name, parameter.name)
        if name == "player_id":
            return self.player()
        values = [hand[name] for hand in self._sample.hands if hand.get(name) is not None]
        if not values:
            return parameter.default
        value = self._rng.choice(values)
        return int(value) if parameter.kind == "integer" else str(value)
