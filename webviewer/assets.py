"""Files for the browser, answered out of memory: the viewer's own and plotly's script.

Their addresses name their version, so that a browser keeps them for a year and never a wrong one.
A response that holds an open file leaves it open when the browser hangs up at the wrong moment;
bytes cannot be left open.
"""

import gzip
import hashlib
import mimetypes
import re
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from flask import Response, request
from werkzeug.exceptions import NotFound
from werkzeug.security import safe_join

_HERE = Path(__file__).parent / "static"
_OTHER_VERSION = re.compile("v-[0-9a-f]{12}/")
_PACKED_TYPES = ("text/", "application/json", "application/javascript", "image/svg+xml")
_LEAST_PACKED = 1024
"""Bytes below which packing is not worth its while."""
_YEAR = "public, max-age=31536000, immutable"


@cache
def static_version() -> str:
    """What stands in the addresses of the viewer's own files: `v-` and a digest of them all."""
    digest = hashlib.sha256()
    for path in sorted(path for path in _HERE.rglob("*") if path.is_file()):
        digest.update(str(path.relative_to(_HERE)).encode() + b"\0" + path.read_bytes())
    return f"v-{digest.hexdigest()[:12]}"


@cache
def plotly_version() -> str:
    """The release of the plotly package, which stands in the address of its script."""
    return version("plotly")


def static(filename: str, version: str = "") -> Response:
    """One of the viewer's own files; 404 for any other path.

    A page that was open when another version was installed gets the files of this one.
    """
    filename = filename if version else _OTHER_VERSION.sub("", filename, count=1)
    path = safe_join(str(_HERE), filename)
    if path is None or not _is_file(path):
        raise NotFound
    return asset(Path(path), version == static_version())


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except OSError:  # a name that is too long for the system
        return False


def plotly_script() -> Path:
    """Where the installed plotly package has its script. Importing the package takes longer."""
    spec = find_spec("plotly")
    assert spec, "it is a dependency"
    return Path(str(spec.origin)).parent / "package_data" / "plotly.min.js"


def asset(path: Path, is_of_version: bool) -> Response:
    """The file with its type and ETag, packed if the browser can unpack it; 304 for who has it."""
    found = path.stat()
    plain, packed, tag = _contents(path, found.st_mtime_ns, found.st_size)
    answer = Response(plain, mimetype=_kind(path))
    answer.set_etag(tag, weak=True)  # the same for the file packed and as it is
    if packed and _unpacks(answer):
        _replace(answer, packed)
    answer.headers["Cache-Control"] = _YEAR if is_of_version else "no-cache"
    answer.make_conditional(request)
    return answer


def _kind(path: Path) -> str:
    return mimetypes.guess_type(path.name)[0] or "application/octet-stream"


@cache
def _contents(path: Path, changed: int, size: int) -> tuple[bytes, bytes, str]:
    """The file, the file packed (empty where that is no use) and its tag; kept in memory.

    `changed` and `size` are those of the file: another file of this name is read anew.
    """
    plain = path.read_bytes()
    is_packed = len(plain) >= _LEAST_PACKED and _kind(path).startswith(_PACKED_TYPES)
    packed = gzip.compress(plain, 6, mtime=0) if is_packed else b""
    tag = hashlib.sha256(plain).hexdigest()[:24]
    return plain, packed, tag


def pack(answer: Response) -> None:
    """Pack a page or JSON that is whole and longer than a packet, if the browser unpacks it."""
    if answer.is_streamed or answer.direct_passthrough or "Content-Encoding" in answer.headers:
        return
    if not (answer.mimetype or "").startswith(_PACKED_TYPES) or answer.status_code == 304:
        return
    body = answer.get_data()
    if len(body) >= _LEAST_PACKED and _unpacks(answer):
        # Level 1 takes a fraction of the time of 6 and leaves a tenth more.
        _replace(answer, gzip.compress(body, 1, mtime=0))


def _unpacks(answer: Response) -> bool:
    """Whether the browser takes gzip; the answer depends on it from now on."""
    answer.vary.add("Accept-Encoding")
    return request.accept_encodings.quality("gzip") > 0


def _replace(answer: Response, packed: bytes) -> None:
    answer.set_data(packed)
    answer.headers["Content-Encoding"] = "gzip"
