"""`paipu show` and `paipu explain`: hands as people read them, and single positions."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from replay.commands import shell
from replay.folder import LogFile, Problem, located_one, opened
from replay.report import builtins, json_text
from replay.wording import Words
from schema.cards import N_FACES, card_text, parse_card
from schema.items import Hand, Log

if TYPE_CHECKING:
    from replay.explain import Explained


def histories(log: Log, name: str, lang: str, hand: int | None = None) -> Iterator[str]:
    """The hands of a log as text, or the one asked for; Problem if it is not there."""
    from replay.findings import Finding
    from replay.history import history
    from replay.verify import HandResult, judged

    words = Words(lang)
    seen = 0
    is_found = is_damaged = False
    for item in judged(log):
        match item:
            case HandResult():
                seen = item.hand.index + 1
                if hand in (None, item.hand.index):
                    is_found = True
                    yield history(log, name, item, lang)
            case Hand():
                seen = item.index + 1
                if hand in (None, item.index):
                    is_found = True
                    yield words("cli.history.in_progress", n=item.index, events=len(item.events))
            case Finding() if hand in (None, item.hand):
                is_damaged = True
                yield f"!! {item.rule}: {item.zh if lang == 'zh' else item.en}"
            case _:
                pass
        if is_found and hand is not None:
            return
    if hand is not None:
        raise _absent(name, hand, seen, is_damaged)


def _absent(name: str, hand: int, seen: int, is_damaged: bool) -> Problem:
    """Why there is no such hand in a log whose last readable hand is the one before `seen`."""
    if is_damaged or hand < seen:
        return Problem("hand_lost", path=name, hand=hand)
    if seen == 0:
        return Problem("no_hands", path=name, hand=hand)
    return Problem("no_hand", path=name, hand=hand, last=seen - 1)


def position(
    log: Log, name: str, hand: int, event: int, words: Words, cards: str | None
) -> "Explained":
    """The position before an event of a hand, explained; Problem if there is none."""
    from replay.explain import Act, explained
    from replay.findings import Finding
    from replay.verify import HandResult, judged

    act = None if cards is None else Act(parsed_cards(cards))
    seen = 0
    is_damaged = False
    for item in judged(log):
        match item:
            case HandResult():
                seen = item.hand.index + 1
                if item.hand.index == hand:
                    if event > len(item.steps):
                        raise Problem("no_event", event=event, hand=hand, n=len(item.steps))
                    return explained(item, event, words, act)
            case Hand():
                seen = item.index + 1
                if item.index == hand:
                    raise Problem("hand_open", path=name, hand=hand, events=len(item.events))
            case Finding() if item.hand == hand:
                is_damaged = True
            case _:
                pass
    raise _absent(name, hand, seen, is_damaged)


_PASSES = frozenset({"pass", "不出", "过"})
_NAMES = {
    **{card_text(code).lower(): code for code in range(N_FACES)},
    **{card_text(code).lower().replace("t", "10"): code for code in range(N_FACES)},
    "小王": parse_card("Bj"),
    "大王": parse_card("Rj"),
}
_SIGNS = str.maketrans({"♦": "d", "♣": "c", "♥": "h", "♠": "s", "，": " ", "、": " ", ",": " "})
_CARD = re.compile("|".join(sorted(map(re.escape, _NAMES), key=len, reverse=True)))


def parsed_cards(told: str) -> bytes:
    """Cards as people write them: `5h Td`, `5hTd`, `5♥ 10♦`, 大王; `pass` is none. Problem."""
    if told.strip().lower() in _PASSES:
        return b""
    rest = told.translate(_SIGNS).lower()
    found = bytes(_NAMES[face] for face in _CARD.findall(rest))
    left = _CARD.sub("", rest).split()
    if left:
        raise Problem("cards", found=told, left=" ".join(left))
    if not found:
        raise Problem("cards_empty")
    return found


def _opened(path: str, stack: ExitStack) -> tuple[Log, LogFile]:
    file = located_one(path, stack)
    stack.enter_context(shell.about(file))
    return stack.enter_context(opened(file)), file


@click.command("show")
@click.argument("log")
@click.option("--hand", type=click.IntRange(min=0), help="Only this hand, counted from 0.")
@shell.lang_option
def show(log: str, hand: int | None, lang: str) -> int:
    """Print hands as a hand history.

    Players, cards, every trick and the settlement, as one would paste them somewhere; findings
    stand under the event that they are about. LOG is a file, or - for standard input.
    """
    with ExitStack() as stack:
        opened_log, file = _opened(log, stack)
        for number, told in enumerate(histories(opened_log, file.name, lang, hand)):
            click.echo("\n" + told if number else told)
    return shell.OK


@click.command("explain")
@click.argument("log")
@click.option("--hand", type=click.IntRange(min=0), required=True, help="The hand, from 0.")
@click.option(
    "--event",
    type=click.IntRange(min=0),
    required=True,
    help="The position before this event of the hand, counted from 0 as in reports.",
)
@click.option("--cards", help='Ask about these cards, such as "5h Td"; "pass" for a pass.')
@shell.json_option
@shell.lang_option
def explain(log: str, hand: int, event: int, cards: str | None, as_json: bool, lang: str) -> int:
    """Explain a position: whose turn it was and which plays were legal.

    With --cards: which rule forbids these cards there, or that they can be played.
    """
    from replay.explain import explained_text

    with ExitStack() as stack:
        opened_log, file = _opened(log, stack)
        words = Words(lang, [player.name for player in opened_log.head.players])
        found = position(opened_log, file.name, hand, event, words, cards)
    click.echo(json_text(builtins(found)) if as_json else explained_text(found, words))
    return shell.OK
