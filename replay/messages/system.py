"""What the system said of a file, in the words of the catalogue (`cli.os.*`) where it has some."""

import errno

from replay.messages import has, text


def reason(error: OSError, lang: str) -> str:
    """The system's words in a language; those of an error that we raised are its own sentence."""
    if error.errno is None:
        return str(error)
    for name in (type(error).__name__, errno.errorcode.get(error.errno, "")):
        if has(lang, key := f"cli.os.{name}"):
            return text(lang, key)
    return error.strerror or str(error)
