"""The paipu log format: cards, events, options, frames, files, text twin. Knows no rules.

`FORMAT` names this package's format. It is asked for at import by `replay`, so that another
distribution called `schema` in the same environment is noticed at once.
"""

FORMAT = "paipu"
FORMAT_MAJOR = 0
FORMAT_MINOR = 1
