"""What a recorder can refuse or fail at; every message names the file."""

from pathlib import Path


class RecorderError(Exception):
    """Something a recorder does not do, or can no longer do, with the file at `path`."""

    def __init__(self, path: Path, what: str) -> None:
        """Keep the path; the message begins with it."""
        super().__init__(f"{path}: {what}")
        self.path = path


class FileLocked(RecorderError):
    """Another recorder, here or in another process, is writing this file."""


class NotResumable(RecorderError):
    """The file cannot be written on: sealed, text, no log, or damaged before its tail."""


class HandOpen(RecorderError):
    """A match is sealed between hands only."""


class RecorderClosed(RecorderError):
    """The recorder was closed, or its file sealed."""


class RecorderBroken(RecorderError):
    """Writing or syncing failed; every later call raises this first failure again."""
