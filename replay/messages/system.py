"""What the system said of a file or an address, in words of the catalogue (`cli.os.*`)."""

import errno
import socket

from replay.messages import has, text

_LOOKING_UP = {socket.EAI_NONAME: "EAI_NONAME", socket.EAI_AGAIN: "EAI_AGAIN"}


def reason(error: OSError, lang: str) -> str:
    """The system's words in a language; those of an error that we raised are its own sentence."""
    if error.errno is None:
        return str(error)
    for name in (type(error).__name__, _code(error)):
        if has(lang, key := f"cli.os.{name}"):
            return text(lang, key)
    return error.strerror or str(error)


def _code(error: OSError) -> str:
    """The name of its number: those of looking up a name are numbers of their own."""
    if isinstance(error, socket.gaierror):
        return _LOOKING_UP.get(error.errno or 0, "EAI")
    return errno.errorcode.get(error.errno or 0, "")
