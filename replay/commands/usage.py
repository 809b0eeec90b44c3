"""Wrong usage, said in the language that is asked for: click has its sentences in English alone."""

from collections.abc import Sequence
from typing import IO, Any

import click

from replay.messages import LANGS, text
from replay.messages.matched import matched
from replay.wording import plain

_ASKED = "asked_lang"
_OPTION = "--lang"


class Misused(click.UsageError):
    """Wrong usage in a language, with the way to use it right."""

    def __init__(self, sentence: str, ctx: click.Context | None, lang: str) -> None:
        """`ctx` is that of the command that was used wrongly, where click knows it."""
        super().__init__(sentence, ctx)
        self._context = ctx
        self._lang = lang

    def show(self, file: IO[Any] | None = None) -> None:
        """Print how it is used, where there is more help, and what was wrong."""
        wrong = text(self._lang, "cli.usage.wrong", what=self.message)
        if self._context is not None:
            wrong = f"{_way(self._context, self._lang)}\n\n{wrong}"
        click.echo(wrong, file=file, err=True)


def _way(ctx: click.Context, lang: str) -> str:
    formatter = ctx.make_formatter()
    pieces = " ".join(ctx.command.collect_usage_pieces(ctx))
    formatter.write_usage(ctx.command_path, pieces, text(lang, "cli.usage.usage", command=""))
    way = text(lang, "cli.usage.help", command=ctx.command_path)
    return f"{formatter.getvalue().rstrip()}\n{way}"


def in_words(
    error: click.UsageError, group: click.Context | None, default: str
) -> click.UsageError:
    """The error in the language of the command line; as it is where we have no words for it.

    `group` knows the language where click leaves open in which command the error is.
    """
    ctx = error.ctx or group
    meta = {} if ctx is None else ctx.meta
    lang = meta.get("lang") or meta.get(_ASKED) or default
    whole = error.format_message()
    if isinstance(error, click.BadParameter) and error.message:
        value = matched(lang, "cli.misvalued", error.message) or error.message
        whole = whole.removesuffix(error.message) + value
    sentence = matched(lang, "cli.misused", whole)
    return error if sentence is None else Misused(plain(sentence), error.ctx, lang)


def note_language(ctx: click.Context, args: Sequence[str]) -> None:
    """Keep the `--lang` among arguments that have not been read, and may prove unreadable."""
    for word, following in zip(args, [*args[1:], ""], strict=True):
        if word == "--":
            return
        asked = following if word == _OPTION else word.removeprefix(f"{_OPTION}=")
        if asked in LANGS and word.startswith(_OPTION):
            ctx.meta[_ASKED] = asked
