"""`paipu`: the commands put together. The one module that imports the viewer."""

import click

from replay import __version__
from replay.commands import shell, verify


@click.group(cls=shell.Paipu, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="paipu")
def main() -> None:
    """牌谱: record, check, archive, query and replay hands of Chinese card games."""


main.add_command(verify.command)

if __name__ == "__main__":
    main()
