"""One distribution as its page shows it: a table whose cells are links, a figure, a sentence."""

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from msgspec import Struct

from replay.reader.facets import LEVELS
from replay.reader.figures import Part, Scope, Tally
from webviewer.charts.common import PLAIN, SEAT_COLOURS, SEAT_DASHES, Figure
from webviewer.fairness import verdict, within
from webviewer.words import Words

Link = Callable[..., str]
Drill = dict[str, Any]

_PATTERNS = ("", "/", ".", "x")
_RATES: tuple[Part, ...] = ("seat", "role", "level")
"""Parts whose figure shows the share of hands won; all others show numbers of hands."""
LAYOUT: Figure = PLAIN | {"margin": {"l": 52, "r": 12, "t": 40, "b": 40}}
LEGEND: Figure = {
    "showlegend": True,
    "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "traceorder": "normal"},
}


class Cell(Struct, frozen=True, omit_defaults=True):
    """What stands in a cell of a table, and where it leads, if it does."""

    text: str
    href: str = ""


class Grid(Struct, frozen=True):
    """A table: its heads, how many of its first columns are words, its rows."""

    heads: tuple[str, ...]
    words: int
    rows: tuple[tuple[Cell, ...], ...]


class Shown(Struct, frozen=True):
    """A part of a page: what it says, its table, its figure if there is one."""

    sentences: tuple[str, ...]
    table: Grid
    figure: Figure | None


class Draft:
    """Shows distributions of one scope in one language."""

    def __init__(self, scope: Scope, words: Words, link: Link) -> None:
        self._scope = scope
        self._words = words
        self._link = link

    def hands(self, **drill: Any) -> str:
        """The address of the list of the hands in the scope that have these values."""
        scope = self._scope
        base: Drill = {
            "game": scope.game,
            "id": scope.player,
            "since": scope.since,
            "until": scope.until,
        }
        asked = {name: value for name, value in (base | drill).items() if value not in ("", None)}
        return self._link("pages.hands", **asked)

    def label(self, part: Part, key: str) -> str:
        """A value as people read it."""
        words = self._words
        match part:
            case "seat":
                return words("view.figures.seat", seat=key)
            case "role":
                return words(f"role.{key}")
            case "result":
                return words.result(key)
            case "fan":
                return words("view.figures.fan", n=key)
            case "level":
                return words(f"level.{LEVELS.index(key)}")
            case "bombs":
                return words("view.figures.at_least", n=key)
            case "thinking":
                return words("view.figures.seconds_from", n=key)
            case "hour" | "period" | "score":
                return _span(part, key)

    def shown(self, part: Part, found: Sequence[Tally]) -> Shown:
        """A distribution."""
        tallies = at_least(found) if part == "bombs" else found
        sentences = [] if part != "seat" or self._scope.player else self._verdicts(tallies)
        if part == "role":
            sentences = self._of_roles(tallies)
            tallies = [tally for tally in tallies if tally.decided]
        grid = self._grid(part, tallies)
        if not tallies:
            return Shown((*sentences, self._words("view.figures.nothing")), grid, None)
        return Shown(tuple(sentences), grid, self._figure(part, tallies))

    def _verdicts(self, tallies: Sequence[Tally]) -> list[str]:
        """Of each game whether its seats win alike."""
        said = []
        for game in dict.fromkeys(tally.game for tally in tallies):
            seats = [tally for tally in tallies if tally.game == game]
            word, high, low = verdict([(seat.won or 0, seat.decided) for seat in seats])
            slots = {
                "game": self._words(f"game.{game}"),
                "high": ", ".join(seats[at].key for at in high) or "–",
                "low": ", ".join(seats[at].key for at in low) or "–",
                "hands": f"{max(seat.decided for seat in seats):,}",
            }
            said.append(self._words(f"view.figures.verdict.{word}", **slots))
        return said

    def _of_roles(self, tallies: Sequence[Tally]) -> list[str]:
        """What is counted, and which roles there are in undecided hands alone: no rate is theirs.

        Such are those of hands that ended before it was known who played with whom.
        """
        says_seats = tallies and self._is_of_seats("role")
        said = [self._words("view.figures.role_seats")] if says_seats else []
        for tally in tallies:
            if not tally.decided:
                slots = {"role": self.label("role", tally.key), "n": f"{tally.hands:,}"}
                game = self._words(f"game.{tally.game}")
                said.append(self._words("view.figures.role_undecided", game=game, **slots))
        return said

    def _is_of_seats(self, part: Part) -> bool:
        """Whether seats are counted, of which a hand may have several."""
        return not self._scope.player and part in ("role", "thinking")

    def _grid(self, part: Part, tallies: Sequence[Tally]) -> Grid:
        words = self._words
        is_rated = any(tally.won is not None for tally in tallies)
        has_coins = any(tally.coins is not None for tally in tallies)
        is_of_seats = self._is_of_seats(part)
        won = "dealer_won" if part == "level" and not self._scope.player else "won"
        heads = [words("view.figures.game"), words(f"view.figures.of.{part}")]
        heads.append(words(f"view.figures.{'seats' if is_of_seats else 'hands'}"))
        if is_rated:
            decided = "decided_seats" if is_of_seats else "decided"
            heads += [words(f"view.figures.{head}") for head in (decided, won, "rate")]
        heads += [words("view.figures.likely")] if part == "seat" else []
        heads += [words("view.figures.coins")] if has_coins else []
        rows = tuple(self._row(part, tally, is_rated, has_coins) for tally in tallies)
        return Grid(tuple(heads), 2, rows)

    def _row(self, part: Part, tally: Tally, is_rated: bool, has_coins: bool) -> tuple[Cell, ...]:
        drill = self.drill(part, tally)
        address = "" if drill is None else self.hands(**drill)
        # A number of seats leads nowhere: the list counts hands.
        of_hands = None if self._is_of_seats(part) else drill
        hands, decided, won = (
            "" if of_hands is None else self.hands(**(of_hands | more))
            for more in ({}, {"decided": "yes"}, _winners(part, self._scope))
        )
        cells = [
            Cell(self._words(f"game.{tally.game}")),
            Cell(self.label(part, tally.key), address),
            Cell(f"{tally.hands:,}", hands),
        ]
        if is_rated:
            cells += [Cell(f"{tally.decided:,}", decided), Cell(f"{tally.won or 0:,}", won)]
            cells.append(Cell(share(tally.won, tally.decided)))
        if part == "seat":
            low, high = within(tally.won or 0, tally.decided)
            cells.append(Cell(f"{100 * low:.1f}–{100 * high:.1f} %" if tally.decided else "–"))
        if has_coins:
            cells.append(Cell("–" if tally.coins is None else signed(tally.coins)))
        return tuple(cells)

    def drill(self, part: Part, tally: Tally) -> Drill | None:
        """What the list of hands has to be asked for; None where it cannot be asked for it."""
        of_game: Drill = {"game": tally.game}
        match part:
            case "seat" | "role" | "result" | "fan" | "level" | "bombs":
                return of_game | {part: tally.key}
            case "score":
                return of_game | {"score_from": tally.key, "score_to": int(tally.key) + 9}
            case "period":
                since, until = tally.key.split("..")
                return of_game | {
                    "since": max(since, self._scope.since),
                    "until": min(until, self._scope.until or until),
                }
            case "hour" | "thinking":
                return None

    def _figure(self, part: Part, tallies: Sequence[Tally]) -> Figure:
        if part == "period" and self._scope.player:
            return self._coins(tallies)
        is_rate = part in _RATES
        drawn = [tally for tally in tallies if tally.decided or not is_rate]
        games = list(dict.fromkeys(tally.game for tally in drawn))
        keys = list(dict.fromkeys(self._tick(part, tally.key) for tally in _in_order(drawn)))
        is_across = part == "result"
        traces = [
            self._bars(part, [t for t in drawn if t.game == game], number, is_across)
            for number, game in enumerate(games)
        ]
        names: Figure = {"type": "category", "categoryorder": "array", "automargin": True}
        names["categoryarray"] = keys[::-1] if is_across else keys
        numbers = {"rangemode": "tozero", "ticksuffix": " %" if is_rate else ""}
        layout = LAYOUT | (LEGEND if len(games) > 1 else {})
        layout |= {
            "barmode": "group" if is_rate else "stack",
            "xaxis": numbers if is_across else names,
            "yaxis": names | {"dtick": 1} if is_across else numbers,
        }
        if is_across:
            layout["height"] = max(270, 21 * len(keys) + 80)
        return {"data": traces, "layout": layout}

    def _tick(self, part: Part, key: str) -> str:
        """A value as an axis has room for it."""
        match part:
            case "bombs":
                return f"{key}+"
            case "period":
                return key.partition("..")[0]
            case _:
                return self.label(part, key)

    def _bars(self, part: Part, tallies: Sequence[Tally], number: int, is_across: bool) -> Figure:
        """The bars of one game; each knows the address of its hands."""
        is_rate = part in _RATES
        shares = [100 * (t.won or 0) / t.decided if t.decided else 0.0 for t in tallies]
        values = [round(value, 2) for value in shares] if is_rate else [t.hands for t in tallies]
        drills = [self.drill(part, tally) for tally in tallies]
        said = [self.label(part, tally.key) for tally in tallies]
        parts = [f"<br>{t.won or 0:,} / {t.decided:,}" if is_rate else "" for t in tallies]
        ticks = [self._tick(part, tally.key) for tally in tallies]
        value = "%{y:.1f} %" if is_rate else "%{x:,}" if is_across else "%{y:,}"
        trace: Figure = {
            "type": "bar",
            "name": escape(self._words(f"game.{tallies[0].game}")),
            "x": values if is_across else ticks,
            "y": ticks if is_across else values,
            "customdata": ["" if drill is None else self.hands(**drill) for drill in drills],
            "text": [escape(word) + more for word, more in zip(said, parts, strict=True)],
            "textposition": "none",
            "marker": {
                "color": SEAT_COLOURS[number % 4],
                "pattern": {
                    "shape": _PATTERNS[number % 4],
                    "fillmode": "overlay",
                    "fgcolor": "#fffdf6",
                    "solidity": 0.2,
                },
            },
            "hovertemplate": f"%{{text}}<br>{value}",
        }
        if is_across:
            trace["orientation"] = "h"
        if part == "seat":
            trace["error_y"] = _errors(tallies, shares)
        return trace

    def _coins(self, tallies: Sequence[Tally]) -> Figure:
        """A player's coins so far, a line a game; where no coins are counted, hands won so far."""
        games = list(dict.fromkeys(tally.game for tally in tallies))
        traces = []
        for number, game in enumerate(games):
            mine = [tally for tally in tallies if tally.game == game]
            has_coins = any(tally.coins is not None for tally in mine)
            so_far, values = 0, []
            for tally in mine:
                so_far += (tally.coins or 0) if has_coins else (tally.won or 0)
                values.append(so_far)
            name = self._words("view.figures.coins" if has_coins else "view.figures.won")
            traces.append(
                line(number, values)
                | {
                    "name": escape(f"{self._words(f'game.{game}')} · {name}"),
                    "x": [self.label("period", tally.key)[:10] for tally in mine],
                    "customdata": [self.hands(**(self.drill("period", t) or {})) for t in mine],
                }
            )
        return {
            "data": traces,
            "layout": LAYOUT | LEGEND | {"xaxis": {"type": "date"}, "yaxis": {"zeroline": True}},
        }


def _span(part: Part, key: str) -> str:
    """An hour, a period of days, ten points."""
    if part == "hour":
        return f"{int(key):02}:00"
    if part == "score":
        return f"{key}–{int(key) + 9}".replace("-", "−")
    since, until = key.split("..")
    return since if since == until else f"{since} – {until}"


def _errors(tallies: Sequence[Tally], shares: Sequence[float]) -> Figure:
    """How far each share may be from the true one."""
    ends = [within(tally.won or 0, tally.decided) for tally in tallies]
    return {
        "type": "data",
        "symmetric": False,
        "array": [100 * top - share for (_, top), share in zip(ends, shares, strict=True)],
        "arrayminus": [share - 100 * low for (low, _), share in zip(ends, shares, strict=True)],
        "color": "#888888",
    }


def _winners(part: Part, scope: Scope) -> Drill:
    """What is asked for besides, to have those that were won alone."""
    return {"won": "yes"} | ({"role": "dealer"} if part == "level" and not scope.player else {})


def _in_order(tallies: Sequence[Tally]) -> list[Tally]:
    """Numbers of several games in one order; words as they came."""
    if all(tally.key.removeprefix("-").isdecimal() for tally in tallies):
        return sorted(tallies, key=lambda tally: int(tally.key))
    if all(".." in tally.key for tally in tallies):
        return sorted(tallies, key=lambda tally: tally.key)
    if all(len(tally.key) == 1 for tally in tallies):
        return sorted(tallies, key=lambda tally: LEVELS.find(tally.key))
    return list(tallies)


def at_least(tallies: Sequence[Tally]) -> list[Tally]:
    """Of each game how many hands have that many or more, from one on."""
    found: list[Tally] = []
    for game in dict.fromkeys(tally.game for tally in tallies):
        mine = [tally for tally in tallies if tally.game == game]
        for most in range(1, max(int(tally.key) for tally in mine) + 1):
            those = [tally for tally in mine if int(tally.key) >= most]
            won = None if those[0].won is None else sum(tally.won or 0 for tally in those)
            coins = [tally.coins for tally in those if tally.coins is not None]
            hands, decided = sum(t.hands for t in those), sum(t.decided for t in those)
            found.append(Tally(game, str(most), hands, decided, won, sum(coins) if coins else None))
    return found


def share(part: int | None, whole: int) -> str:
    """A part in percent."""
    return f"{100 * (part or 0) / whole:.1f} %" if whole else "–"


def signed(coins: int) -> str:
    """Coins with their sign; a real minus."""
    return f"+{coins:,}" if coins > 0 else f"{coins:,}".replace("-", "−")


def line(number: int, values: Sequence[int]) -> Figure:
    """A line with marks, told from three others by colour, dash and mark."""
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "y": list(values),
        "line": {"width": 2.5, "color": SEAT_COLOURS[number], "dash": SEAT_DASHES[number]},
        "marker": {"size": 6, "symbol": number},
    }
