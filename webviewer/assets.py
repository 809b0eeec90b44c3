"""Files for the browser, answered out of memory: the viewer's own and plotly's script.

A response that holds an open file leaves it open when the browser hangs up at the wrong moment;
bytes cannot be left open.
"""

import mimetypes
from pathlib import Path

from flask import Response, request
from werkzeug.exceptions import NotFound
from werkzeug.security import safe_join

_HERE = Path(__file__).parent / "static"


def static(filename: str) -> Response:
    """One of the viewer's own files; 404 for any other path."""
    path = safe_join(str(_HERE), filename)
    if path is None or not Path(path).is_file():
        raise NotFound
    return asset(Path(path))


def asset(path: Path) -> Response:
    """The file with its type and ETag: 304 for whoever has these bytes."""
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    answer = Response(path.read_bytes(), mimetype=kind)
    answer.add_etag()
    answer.make_conditional(request)
    return answer
