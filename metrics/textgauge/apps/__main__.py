"""`python -m textgauge.apps NAME`: the page of a module in a browser, or the folder of its Space."""

from __future__ import annotations

import click

from textgauge.apps import launch, page
from textgauge.apps.space import write_space
from textgauge.locations import MODULES, path


@click.command("python -m textgauge.apps")
@click.argument("name", type=click.Choice(MODULES), metavar="NAME")
@click.option("--space", type=click.Path(), metavar="FOLDER", help="Write the folder of a Hugging Face Space instead.")
def main(name: str, space: str | None) -> None:
    """Open the page of a metric or comparison in a browser.

    NAME is that of a module, such as rouge.
    """
    try:
        if space is None:
            launch(page(path(name)))
        else:
            write_space(name, space)
            click.echo(f"wrote {space}")
    except (ImportError, OSError) as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
