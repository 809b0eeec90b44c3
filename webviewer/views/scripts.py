"""Files of the viewer's own and of plotly."""

from flask import Response
from werkzeug.exceptions import NotFound

from webviewer.assets import asset, plotly_script, plotly_version
from webviewer.views.here import pages


@pages.get("/plotly.min.js")
@pages.get("/plotly-<version>.min.js")
def plotly_js(version: str = "") -> Response:
    """The script that draws charts, out of the installed plotly package."""
    if version not in {"", plotly_version()}:
        raise NotFound
    return asset(plotly_script(), is_of_version=bool(version))
