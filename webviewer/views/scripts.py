"""Files of the viewer's own and of plotly."""

from pathlib import Path

from flask import Response

from webviewer.assets import asset
from webviewer.views.here import pages


@pages.get("/plotly.min.js")
def plotly_js() -> Response:
    """The script that draws charts, out of the installed plotly package."""
    import plotly

    script = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    answer = asset(script)
    answer.cache_control.max_age = 86400
    return answer
