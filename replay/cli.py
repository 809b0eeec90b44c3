"""`paipu`: the commands put together. The one module that imports the viewer."""

import sys

try:  # loading takes a while, and Ctrl-C meanwhile asks for no traceback
    from collections.abc import Iterator
    from contextlib import contextmanager
    from pathlib import Path
    from typing import Any

    import click

    from replay import __version__
    from replay.commands import (
        export,
        forms,
        index,
        info,
        query,
        rules,
        shell,
        show,
        simulate,
        verify,
        view,
    )
except KeyboardInterrupt:
    sys.exit(130)


@click.group(cls=shell.Paipu, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="paipu", message="%(prog)s %(version)s")
@shell.group_lang_option
def main() -> None:
    """牌谱: record, check, archive, query and replay hands of Chinese card games."""


@contextmanager
def _application(path: Path, names: tuple[str, ...]) -> Iterator[Any]:
    """The viewer over a log, a folder of logs or an archive; what works for it ends with it."""
    from replay.reader import open_reader
    from webviewer.app import create_app

    reader = open_reader(path)
    try:
        yield create_app(reader, names)
    finally:
        reader.close()


for _command in (
    simulate.command,
    verify.command,
    show.show,
    show.explain,
    info.command,
    forms.convert_command,
    forms.seal_command,
    forms.recover_command,
    rules.command,
    index.command,
    query.command,
    export.command,
    view.command_for(_application),
):
    main.add_command(_command)

if __name__ == "__main__":
    main()
