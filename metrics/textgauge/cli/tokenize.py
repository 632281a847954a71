"""`textgauge tokenize`: show the tokens of text."""

from __future__ import annotations

import sys
from contextlib import closing

import click

from ..checks import printable
from ..text import STEMMED_ROUGE, TOKENIZERS, prepared, tokenizer_of
from ..text.sacrebleu_tokenizers import NAMES as SACREBLEU_TOKENIZERS
from .files import STDIN, unpacking_limit
from .messages import refusals, refuse
from .reading import PlainText

_EPILOG = """\b
Examples:
  textgauge tokenize -t 13a hyp.txt
  echo "Don't panic, it's 5.0!" | textgauge tokenize -t rouge
"""


@click.command(epilog=_EPILOG, short_help="Show the tokens of text.")
@click.argument("file", type=click.Path(), default=STDIN)
@click.option(
    "-t", "--tokenizer", metavar="NAME", default="13a",
    help=f"{', '.join([*TOKENIZERS, *SACREBLEU_TOKENIZERS])} [default: 13a]",
)  # fmt: skip
@click.option("--lowercase", is_flag=True, help="Lower-case the text first.")
@click.option("--stem", "--use-stemmer", is_flag=True, help="Porter stems, as ROUGE uses them; with --tokenizer rouge.")
@unpacking_limit
def tokenize(file: str, tokenizer: str, lowercase: bool, stem: bool) -> None:
    """Print the tokens of every line of FILE, or of standard input, with a space between them."""
    if stem and tokenizer != "rouge":
        refuse("--stem needs --tokenizer rouge")
    with refusals("tokenize", ("tokenizer",)):
        chosen = prepared(STEMMED_ROUGE if stem else tokenizer_of(tokenizer), lowercase=lowercase, strip=False)
    written = printable if sys.stdout.isatty() else str
    with closing(PlainText(file)) as source:
        for [column] in source.batches():
            for text in column.to_pylist():
                # Without `color`, click removes escape sequences from text on its way into a pipe.
                click.echo(written(" ".join(chosen(text))), color=True)
