"""`explain.json`: what was legal before an event of a hand, and what forbids other cards."""

import re
from typing import Any

from flask import Request
from msgspec import Struct

from replay.reader import Finding, NobodyPlays, NotFound, Position, Reader, Unreadable
from webviewer.encode import Json, joined, laid_json, must_json
from webviewer.words import LETTERS, Words, codes, letters

MOST_CARDS = 64
"""How many cards one may ask about at once: more than any hand holds in these games."""
_NUMBER = re.compile("[0-9]{1,6}")
_EYE = re.compile("[0-3]?")
_CARDS = re.compile(f"[{LETTERS}]{{0,{MOST_CARDS}}}")
_KNOWN = {"event": _NUMBER, "eye": _EYE, "cards": _CARDS, "lang": re.compile("zh|en")}


class Question(Struct, frozen=True):
    """Before which event (from 0), for whose eye, and about which cards; None asks about none."""

    event: int
    eye: int | None
    cards: bytes | None


class BadQuestion(Exception):
    """The address asks for nothing that can be answered; `args` are a catalogue key and a name."""


def asked_in(request: Request) -> Question:
    """The question in an address: `event`, and perhaps `eye` and `cards` in letters, each once."""
    for name, values in request.args.lists():
        known = _KNOWN.get(name)
        if known is None:
            raise BadQuestion("view.error.unknown_parameter", name)
        if len(values) > 1 or not known.fullmatch(values[0]):
            raise BadQuestion(f"view.error.bad_{name}", values[-1])
    if "event" not in request.args:
        raise BadQuestion("view.error.bad_event", "")
    eye, cards = request.args.get("eye", ""), request.args.get("cards")
    return Question(
        event=int(request.args["event"]),
        eye=int(eye) if eye else None,
        cards=None if cards is None else codes(cards),
    )


def answer(reader: Reader, hand_id: str, request: Request, words: Words) -> tuple[Json, int]:
    """The answer as JSON and its status; an error is one sentence."""
    try:
        question = asked_in(request)
        found = reader.position(hand_id, question.event, question.eye, question.cards)
    except BadQuestion as error:
        key, value = error.args
        return {"error": words(key, found=value[:40])}, 400
    except NobodyPlays as error:
        return {"error": words("view.error.nobody_plays", ask=words(error.ask))}, 400
    except NotFound as error:
        what, name = error.args
        return {"error": words(f"view.error.unknown_{what}", found=str(name)[:40])}, 404
    except Unreadable as error:
        return {"error": getattr(error.problem, words.lang)}, 410
    return position_json(found, words), 200


def position_json(found: Position, words: Words) -> Json:
    """A position as the panel draws it; `holding` are the cards that can be asked about."""
    board, player = found.board, found.player
    held = None if board is None or player is None else board.seats[player].cards
    return {
        "event": found.event,
        "blocked": found.blocked_by,
        "opened": board is not None,
        "hidden": found.is_hidden,
        "turn": board and board.prompt.seat,
        "player": player,
        "ask": board and words(board.prompt.ask),
        "must": must_json(board, words) if board else [],
        "holding": None if held is None else letters(held),
        "groups": () if board is None or player is None else board.seats[player].groups,
        "sample": found.is_sample,
        "plays": [
            {
                "type": words(group.type),
                "sets": [
                    {
                        **laid_json(each.cards, each.wilds, words),
                        "s": each.seat,
                        "p": letters(each.picked),
                    }
                    for each in group.sets
                ],
            }
            for group in found.plays
        ],
        "asked": found.asked
        and {
            **laid_json(found.asked.cards, found.asked.wilds, words),
            "l": joined(words.phrase(found.asked.label)),
            "p": "" if found.asked.findings else letters(found.asked.picked),
            "rules": [_rule(finding, words) for finding in found.asked.findings],
        },
    }


def _rule(finding: Finding, words: Words) -> dict[str, Any]:
    """The rule that forbids it, in its own words and the source's."""
    return {
        "rule": finding.rule,
        "text": words(f"rule.{finding.rule}"),
        "source": words.source(finding.rule),
    }
