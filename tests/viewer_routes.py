"""An example address of every route of the viewer, and what comes back.

Whoever adds a route adds a line to ROUTES: `test_viewer_routes` fails until there is one, and asks
each for its status, its type, its headers, HEAD, other methods, and that it changes nothing.
In an address stand `{hand}`, `{log}`, `{player}`, `{code}`, `{static}` and `{plotly}`.
"""

from typing import Any

from msgspec import Struct

HTML, JSON, CSV = "text/html", "application/json", "text/csv"
NO_TOKEN = "A" * 22
"""The name of a dropped log that nobody has dropped."""


class Route(Struct, frozen=True):
    """A rule of the application's map, an address of it, and what is answered.

    `folder` is the status over a folder of logs, where it differs from that over an archive;
    `posts` is the status of a POST where one is taken.
    """

    rule: str
    address: str
    type: str = HTML
    status: int = 200
    folder: int | None = None
    posts: int | None = None


ROUTES = (
    Route("/", "/?sort=longest&findings=some"),
    Route("/charts.json", "/charts.json?findings=some", JSON),
    Route("/hands.<form>", "/hands.csv", CSV),
    Route("/hands.<form>", "/hands.json", JSON),
    Route("/logs", "/logs?page=2"),
    Route("/logs.<form>", "/logs.csv", CSV),
    Route("/log/<log_id>", "/log/{log}"),
    Route("/log/<log_id>/findings.<form>", "/log/{log}/findings.csv", CSV),
    Route("/hand/<hand_id>", "/hand/{hand}"),
    Route("/hand/<hand_id>", "/hand/0123456789abcdef", status=404),
    Route("/hand/<hand_id>/steps.json", "/hand/{hand}/steps.json?eye=1", JSON),
    Route("/hand/<hand_id>/explain.json", "/hand/{hand}/explain.json?event=0", JSON),
    Route("/hand/<hand_id>/charts.json", "/hand/{hand}/charts.json", JSON),
    Route("/hand/<hand_id>/print", "/hand/{hand}/print"),
    Route("/hand/<hand_id>/alike", "/hand/{hand}/alike", status=302, folder=404),
    Route("/code/<code>", "/code/{code}", status=302),
    Route("/code/<code>", "/code/nonsense", status=400),
    Route("/matches", "/matches"),
    Route("/matches/table.<form>", "/matches/table.csv", CSV, folder=404),
    Route("/match/<log_id>", "/match/{log}"),
    Route("/match/<log_id>/figures.json", "/match/{log}/figures.json", JSON, folder=404),
    Route("/match/<log_id>/table.<form>", "/match/{log}/table.csv", CSV, folder=404),
    Route("/players", "/players"),
    Route("/players/table.<form>", "/players/table.csv", CSV, folder=404),
    Route("/player/<player_id>", "/player/{player}"),
    Route("/player/<player_id>/figures.json", "/player/{player}/figures.json", JSON, folder=404),
    Route("/player/<player_id>/table.<form>", "/player/{player}/table.csv", CSV, folder=404),
    Route("/statistics", "/statistics"),
    Route("/statistics/figures.json", "/statistics/figures.json", JSON, folder=404),
    Route("/statistics/table.<form>", "/statistics/table.csv", CSV, folder=404),
    Route("/notes", "/notes"),
    Route("/rules", "/rules?q=3.1"),
    Route("/rules/<game>", "/rules/{game}"),
    Route("/rules/<game>", "/rules/nothing", status=404),
    Route("/sql", "/sql?sql=SELECT+1+AS+x"),
    Route("/sql/answer.<form>", "/sql/answer.csv?sql=SELECT+1+AS+x", CSV, folder=404),
    Route("/drop", "/drop"),
    Route("/dropped", "/dropped", status=303, posts=411),
    Route("/dropped/<token>/", f"/dropped/{NO_TOKEN}/", status=404),
    Route("/dropped/<token>/<path:rest>", f"/dropped/{NO_TOKEN}/logs", status=404),
    Route("/dropped/<token>/open", f"/dropped/{NO_TOKEN}/open", status=404),
    Route("/dropped/<token>/state.json", f"/dropped/{NO_TOKEN}/state.json", JSON, status=404),
    Route("/dropped/<token>/let-go", f"/dropped/{NO_TOKEN}/let-go", status=303, posts=404),
    Route("/static/<path:filename>", "/static/css/base.css", "text/css"),
    Route("/static/<version>/<path:filename>", "/static/{static}/js/hand.js", "text/javascript"),
    Route("/plotly.min.js", "/plotly.min.js", "text/javascript"),
    Route("/plotly-<version>.min.js", "/plotly-{plotly}.min.js", "text/javascript"),
    Route("/plotly-<version>.min.js", "/plotly-0.0.0.min.js", status=404),
)


def addresses(**names: Any) -> list[tuple[Route, str]]:
    """Each route with its example's address, the names in it filled."""
    return [(route, route.address.format_map(names)) for route in ROUTES]
