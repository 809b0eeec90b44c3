"""A process of a dropped log that has been taken over: what it says is not to be believed.

Which way it is evil, the name of the dropped file says. It is started in place of the honest one.
"""

import os
import signal
import socket
import struct
import time

from msgspec import Struct

from webviewer.dropped.limits import Limits
from webviewer.dropped.wire import MOST_ASKED, Answer, Ask, Bad, Begin, Ready, Wire

HTML = ("Content-Type", "text/html; charset=utf-8")
ELSEWHERE = "//example.org/"


def serve(handle: int, limits: Limits) -> None:
    """Say that all is well, and be evil when asked for a page."""
    for ending in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(ending, signal.SIG_IGN)
    link = socket.socket(fileno=handle)
    wire = Wire(link, MOST_ASKED)
    begin = wire.begun()
    wire.say(_first(begin))
    while True:
        _answer(link, wire, begin, wire.asked())


def _first(begin: Begin) -> Struct:
    match begin.name:
        case "strange-id":
            return Ready("../../../sql?q=1")
        case "long-words":
            return Bad("<script>" * 100_000, "<script>" * 100_000)
        case _:
            return Ready("1")


def _answer(link: socket.socket, wire: Wire, begin: Begin, ask: Ask) -> None:
    match begin.name:
        case "cookie":
            more = (("Set-Cookie", "a=b"), ("Content-Security-Policy", "*"), ("X-Evil", "1"))
            wire.say(Answer(200, (HTML, *more, ("Content-Disposition", "inline\r\nX: 1")), b"page"))
        case "split":
            kind = ("Content-Type", "text/html\r\nSet-Cookie: a=b")
            wire.say(Answer(200, (kind,), b"page"))
        case "script":
            wire.say(Answer(200, (("Content-Type", "text/javascript"),), b"alert(1)"))
        case "style":
            wire.say(Answer(200, (("Content-Type", "text/css"),), b"*{}"))
        case "away":
            wire.say(Answer(302, (HTML, ("Location", ELSEWHERE)), b""))
        case "up":
            place = f"{begin.prefix}/../../drop"
            wire.say(Answer(302, (HTML, ("Location", place)), b""))
        case "status":
            wire.say(Answer(99, (HTML,), b""))
        case _:
            _break_off(link, begin.name)


def _break_off(link: socket.socket, way: str) -> None:
    match way:
        case "huge":
            link.sendall(struct.pack("<I", 0xFFFFFFFF) + bytes(1 << 16))
        case "garbage":
            link.sendall(struct.pack("<I", 4) + b"\xc1\xc1\xc1\xc1")
        case "pickle":
            link.sendall(struct.pack("<I", 20) + b"cos\nsystem\n(S'id'\ntR.")
        case "drip":
            link.sendall(b"\x10\x00")
        case "dead":
            os._exit(3)
        case _:
            pass
    time.sleep(600)
