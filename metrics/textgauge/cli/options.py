"""The flags that metrics take; `registry` says which metric takes which."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from ..measures.rouge import AGGREGATORS
from ..measures.token_f1 import COUNTINGS
from ..scores.bleu_options import REFERENCE_LENGTHS, BleuOptions
from ..scores.rouge_options import MULTI_REFERENCES, SCRIPT
from ..scores.rouge_types import DEFAULT_TYPES
from ..text import NORMALIZERS, TOKENIZERS

SEED = 12345

_FLAGS = (
    click.option(
        "--tokenizer",
        type=click.Choice(list(TOKENIZERS)),
        show_default="13a for bleu, rouge for rouge, whitespace for token_f1",
        help="How text becomes tokens; 'unicode' or 'character' for scripts beyond a-z.",
    ),
    click.option(
        "--max-order",
        type=click.IntRange(min=1),
        metavar="N",
        show_default=str(BleuOptions.max_order),
        help="Highest n-gram order.",
    ),
    click.option("--smooth", is_flag=True, help="Add one to matches and totals of every order."),
    click.option(
        "--reference-length",
        type=click.Choice(REFERENCE_LENGTHS),
        show_default=BleuOptions.reference_length,
        help="Which of several references the brevity penalty looks at; sacreBLEU takes the closest.",
    ),
    click.option(
        "--rouge-type",
        multiple=True,
        metavar="TYPE",
        show_default=", ".join(DEFAULT_TYPES),
        help="rouge1, rouge2, ... for n-grams, rougeL, rougeLsum, rougeW, rougeW-1.5, rougeS, rougeS4, "
        "rougeSU, rougeSU4. Give it once per type.",
    ),
    click.option("--stem", is_flag=True, help="Compare Porter stems instead of words."),
    click.option(
        "--beta",
        type=click.FloatRange(min=0),
        metavar="B",
        show_default="1",
        help="How many times as important recall is as precision in F.",
    ),
    click.option(
        "--alpha",
        type=click.FloatRange(0, 1),
        metavar="A",
        help="In place of --beta: 0.5 is F1, 1 precision, 0 recall.",
    ),
    click.option("--weight", type=float, metavar="W", show_default="1.2", help="Exponent of run lengths in rougeW."),
    click.option(
        "--multi-reference",
        type=click.Choice(MULTI_REFERENCES),
        show_default="best, pooled with --preset",
        help="What becomes of several references.",
    ),
    click.option("--jackknife", is_flag=True, help="Leave out each of several references in turn."),
    click.option("--stopwords", type=click.Path(), metavar="FILE", help="Words to leave out, one a line."),
    click.option("--exceptions", type=click.Path(), metavar="FOLDER", help="WordNet's *.exc files, for --stem."),
    click.option("--max-words", type=click.IntRange(min=1), metavar="N", help="Read only so many words of a text."),
    click.option("--max-bytes", type=click.IntRange(min=1), metavar="N", help="Read only so many bytes of a text."),
    click.option(
        "--preset", type=click.Choice([SCRIPT]), help="Do all as that tool does; its files: textgauge rouge155."
    ),
    click.option(
        "--split-summaries",
        is_flag=True,
        help="For rougeLsum, split sentences at end marks, not only at newlines.",
    ),
    click.option(
        "--normalizer",
        type=click.Choice(list(NORMALIZERS)),
        show_default="squad",
        help="What is done to an answer before it is cut into tokens.",
    ),
    click.option(
        "--counting",
        type=click.Choice(COUNTINGS),
        show_default=COUNTINGS[0],
        help="Whether a token that both sides have twice matches twice, or once.",
    ),
    click.option(
        "--aggregator",
        type=click.Choice(AGGREGATORS),
        show_default=AGGREGATORS[0],
        help="How segment scores become one; 'bootstrap' is the number of the reference rouge module, "
        "'rouge-1.5.5' that of the script.",
    ),
    click.option("--seed", type=int, show_default=str(SEED), help="For --aggregator bootstrap."),
    click.option("--detailed", is_flag=True, help="Precision and recall besides F."),
    click.option("--per-segment", is_flag=True, help="The score of every segment as well."),
)


def metric_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command all flags of the metrics."""
    for flag in reversed(_FLAGS):
        command = flag(command)
    return command


def given(context: click.Context, flags: dict[str, Any]) -> dict[str, Any]:
    """Return the flags that were on the command line."""
    return {name: v for name, v in flags.items() if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}


def spelled(name: str) -> str:
    """Return a flag as people write it.

    Examples
    --------
    >>> spelled("max_order")
    '--max-order'
    """
    return "--" + name.replace("_", "-")
