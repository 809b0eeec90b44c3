"""Paths as an archive keeps them: text, also where a file's name is no UTF-8.

A byte that is no UTF-8 becomes `\\xff`, and a backslash before what would read so `\\x5c`: no two
paths have one text, and nearly every path is its own.
"""

import os
import re

_RAW = re.compile(rb"\\x(5c|[89a-f][0-9a-f])")


def kept(path: str) -> str:
    """The text for a path of this system."""
    data = os.fsencode(path)
    if _RAW.search(data):
        data = re.sub(rb"\\(?=x(5c|[89a-f][0-9a-f]))", rb"\\x5c", data)
    return data.decode("utf-8", "backslashreplace")


def on_disk(text: str) -> str:
    """The path that a text stands for: what `kept` was given."""
    if "\\x" not in text:
        return text
    data = _RAW.sub(lambda found: bytes.fromhex(found[1].decode()), text.encode())
    return os.fsdecode(data)
