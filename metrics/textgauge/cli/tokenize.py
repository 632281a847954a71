"""`textgauge tokenize`: show the tokens of text."""

from __future__ import annotations

import re
import sys
from typing import Any

import click

from ..checks import printable
from ..files.file import InputFile
from ..files.lines import STDIN, shown_name
from ..files.rows import BadRows
from ..text import STEMMED_ROUGE, prepared, tokenizer_of
from ..text.tokenizers import tokens_at
from .command import limits_of, shared
from .help import listed_with_meanings
from .messages import refusals, refuse

_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
_EPILOG = """\b
Examples:
  textgauge tokenize --list
  textgauge tokenize -t 13a hyp.txt
  echo "Don't panic, it's 5.0!" | textgauge tokenize -t rouge
"""


def _list_all(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        click.echo(listed_with_meanings("tokenizers"))
        context.exit()


@click.command(epilog=_EPILOG)
@click.argument("file", type=click.Path(), default=STDIN)
@click.option("-t", "--tokenizer", metavar="NAME", default="13a", help="One that --list names. [default: 13a]")
@click.option("--lowercase", is_flag=True, help="Lower-case the text first.")
@click.option("--stem", "--use-stemmer", is_flag=True, help="Porter stems, as ROUGE uses them; with --tokenizer rouge.")
@click.option("--list", is_flag=True, is_eager=True, expose_value=False, callback=_list_all,
              help="List the tokenizers and what they do.")  # fmt: skip
@shared("max_unpacked", "max_line")
def tokenize(file: str, tokenizer: str, lowercase: bool, stem: bool, **options: Any) -> None:
    """Print the tokens of every line of FILE, or of standard input, with a space between them."""
    if stem and tokenizer != "rouge":
        refuse("--stem needs --tokenizer rouge")
    with refusals("tokenize"):
        chosen = prepared(STEMMED_ROUGE if stem else tokenizer_of(tokenizer), lowercase=lowercase, strip=False)
    written = printable if sys.stdout.isatty() else _without_controls
    n_lines = 0
    bad = BadRows()
    for block in InputFile(file, [], "text", limits_of(options)).blocks(bad):
        bad.check()
        for text in block.columns[0].texts:
            n_lines += 1
            with refusals("tokenize"):
                tokens = tokens_at(chosen, text, lambda: f"{shown_name(file)}, line {n_lines}")  # noqa: B023
            # Without `color`, click removes escape sequences from text on its way into a pipe.
            click.echo(written(" ".join(tokens)), color=True)


def _without_controls(line: str) -> str:
    """Escape what a terminal would obey: the end of a pipe may be one. White space, and all of a script, stay."""
    return _CONTROLS.sub(lambda control: printable(control[0]), line)
