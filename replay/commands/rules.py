"""`paipu rules`: the rules of a game, and one of them with its clause and what it hangs on."""

import re
from collections.abc import Iterator
from importlib.resources import files
from itertools import groupby

import click
from msgspec import Struct
from msgspec.structs import fields

from replay.commands import shell
from replay.commands.games import game_called, games
from replay.folder import Problem
from replay.messages import text
from replay.report import builtins, json_text
from replay.wording import Words, columns
from schema.schemas import SCHEMAS


class RuleText(Struct, frozen=True):
    """One rule: its class, its sentence in both languages, the source's words, the house rules
    that change it.
    """

    id: str
    kind: str
    section: str
    zh: str
    en: str
    source: str
    options: tuple[str, ...]


def rules(game: str) -> tuple[RuleText, ...]:
    """Every rule of a game, in the book's order; Problem for a game that is not known."""
    from replay.engine.registry import game_named

    game = game_called(game)
    options = options_by_rule(game)
    return tuple(
        RuleText(
            id=rule.id,
            kind=rule.kind.value,
            section=rule.id.rpartition(".")[0],
            zh=text("zh", f"rule.{rule.id}"),
            en=text("en", f"rule.{rule.id}"),
            source=text("zh", f"source.{rule.id}"),
            options=options.get(rule.id, ()),
        )
        for rule in game_named(game).rules
    )


def one_rule(game: str, rule: str) -> RuleText:
    """The rule of this id, with or without the game's name before it; Problem."""
    game = game_called(game)
    known = {found.id: found for found in rules(game)}
    found = known.get(rule) or known.get(f"{game}-{rule}")
    if found is None:
        raise Problem("no_rule", rule=rule, game=game, n=len(known))
    return found


_HEADING = re.compile(r"^### (\S+) — ", re.MULTILINE)
_NUMBER = re.compile(r"\b\d+\.\d+\b")


def options_by_rule(game: str) -> dict[str, tuple[str, ...]]:
    """Which house rules change a rule: where its book names them, at the rule or in the table."""
    book = (files("replay.engine") / game / "RULES.md").read_text("utf-8")
    names = [
        f.name for schema in SCHEMAS.values() if schema.game == game for f in fields(schema.options)
    ]
    found: dict[str, set[str]] = {}
    for rule, said in _sections(book):
        found.setdefault(rule, set()).update(name for name in names if f"`{name}`" in said)
    for option, said in _option_rows(book, names):
        for number in _NUMBER.findall(said):
            found.setdefault(f"{game}-{number}", set()).add(option)
    return {rule: tuple(n for n in names if n in some) for rule, some in found.items()}


def _sections(book: str) -> Iterator[tuple[str, str]]:
    """Every rule of the book with the text under its heading."""
    parts = _HEADING.split(book)[1:]
    for rule, said in zip(parts[::2], parts[1::2], strict=True):
        yield rule, re.split(r"^## ", said, maxsplit=1, flags=re.MULTILINE)[0]


def _option_rows(book: str, names: list[str]) -> Iterator[tuple[str, str]]:
    """Every line of the table of options with the option that it is about."""
    option = ""
    for line in book.partition("\n## Options\n")[2].partition("\n## ")[0].splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) < 4:
            continue
        named = cells[1].strip("`")
        option = named if named in names else option
        if option:
            yield option, line


def list_text(found: tuple[RuleText, ...], words: Words) -> Iterator[str]:
    """All rules for people, a line each, by section."""
    for number, (section, some) in enumerate(groupby(found, lambda rule: rule.section)):
        yield ("\n" if number else "") + words(f"section.{section}")
        said = [(r.id, f"[{r.kind}]", r.zh if words.lang == "zh" else r.en) for r in some]
        yield from columns(said, "  ")


def rule_text(rule: RuleText, words: Words) -> Iterator[str]:
    """One rule for people."""
    yield rule.id
    yield "  " + (rule.zh if words.lang == "zh" else rule.en)
    yield f"  {words('cli.source')}: {rule.source}"
    yield f"  {words(f'rule_class.{rule.kind}')}"
    for option in rule.options:
        about = words.either(f"option.{option}", "")
        yield f"  {words('cli.rules.option')}: " + words("cli.with", what=option, more=about)


@click.command("rules")
@click.argument("game", required=False)
@click.argument("rule", metavar="[ID]", required=False)
@shell.json_option
@shell.lang_option
def command(game: str | None, rule: str | None, as_json: bool, lang: str) -> int:
    """List the rules of a game, or tell one of them.

    GAME such as dagong, or 打拱; without it the games are listed.

    ID such as dagong-6.1, or 6.1. With it come the words of the source, what breaking the rule
    does to a log, and the house rules that change it.
    """
    words = Words(lang)
    if game is None:
        known = games()
        named = [(game.name, game.zh if lang == "zh" else game.en) for game in known]
        shell.echo(json_text(builtins(known)) if as_json else columns(named))
    elif rule is None:
        every = rules(game)
        shell.echo(json_text(builtins(every)) if as_json else list_text(every, words))
    else:
        found = one_rule(game, rule)
        shell.echo(json_text(builtins(found)) if as_json else rule_text(found, words))
    return shell.OK
