"""What a dropped log may take: bytes, memory, time, and how long it stays."""

from msgspec import Struct

MIB = 1 << 20


class Limits(Struct, frozen=True):
    """Sizes in bytes, times in seconds."""

    log: int = 32 * MIB
    """The log itself."""
    memory: int = 512 * MIB
    """What the log's process may use."""
    cpu: int = 300
    """Processor time of that process, in all."""
    verifying: float = 20.0
    """Until the log is verified."""
    answering: float = 10.0
    """Until a page or an answer is made."""
    answer: int = 32 * MIB
    """The longest page or answer."""
    idle: float = 1800.0
    """How long a log stays that nobody looks at."""
    logs: int = 8
    """How many logs stay at once."""
    uploads: int = 4
    """How many are received at once."""
