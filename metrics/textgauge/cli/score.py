"""`textgauge score`: score files."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import click
from rich.console import Console

from ..checks import fail
from . import output
from .help import OptionsByMetric
from .notices import notices
from .options import given, metric_flags
from .progress import LateProgress
from .reading import FORMATS, Source
from .registry import METRICS, Accumulator, check_flags
from .segments import DEFAULT_FIELDS, corpora, open_sides

_EPILOG = """\b
Examples:
  textgauge score -m bleu -p hyp.txt -r ref.txt
  textgauge score -m bleu -p hyp.txt -r ref1.txt -r ref2.txt --scale 100
  textgauge score -m rouge -p scored.jsonl --prediction-field summary --stem
  textgauge score -m bleu -m rouge -p hyp.parquet -r ref.csv.gz --json
  translate < source.txt | textgauge score -m bleu -p - -r ref.txt --brief

\b
Files:
  Plain text has one segment per line; a blank line is an empty segment.
  JSON Lines (.jsonl), CSV, TSV and Parquet hold predictions and references
  in one file or in two. A name that ends in .gz is unpacked on the way.
  A line of plain text cannot hold the newlines between sentences that
  rougeLsum looks for: use --split-summaries there.

\b
Exit code: 0, or 2 with one line on stderr for what cannot be scored.
"""


@click.command(cls=OptionsByMetric, epilog=_EPILOG, short_help="Score files.")
@click.option(
    "-m",
    "--metric",
    "metrics",
    type=click.Choice(list(METRICS)),
    multiple=True,
    required=True,
    help="What to compute. Give it once per metric.",
)
@click.option("-p", "--predictions", type=click.Path(), required=True, help="File to score; '-' is standard input.")
@click.option(
    "-r",
    "--references",
    type=click.Path(),
    multiple=True,
    help="File of references. Give it again for more references per segment; leave it out if "
    "the file of predictions holds them.",
)
@click.option(
    "--format", "kind", type=click.Choice(FORMATS), show_default="by suffix, else text", help="Format of all files."
)
@click.option(
    "--prediction-field", metavar="NAME", show_default=DEFAULT_FIELDS["prediction_field"], help="Column to score."
)
@click.option(
    "--reference-field",
    metavar="NAME",
    multiple=True,
    show_default=DEFAULT_FIELDS["reference_field"],
    help="Column of references: texts, or lists of texts. Give it once per column.",
)
@click.option(
    "-w",
    "--width",
    type=click.IntRange(0, 17),
    metavar="N",
    show_default="4, or 2 with --scale 100; all in JSON",
    help="Decimals.",
)
@click.option(
    "-b", "--brief", is_flag=True, help="Print numbers alone: a line per score, or per segment with --per-segment."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--scale", type=click.Choice(["1", "100"]), default="1", show_default=True, help="The perfect score.")
@metric_flags
@click.pass_context
def score(context: click.Context, /, metrics: Sequence[str], as_json: bool, brief: bool, **options: Any) -> None:
    """Score predictions against references.

    BLEU pools its counts over the corpus, ROUGE is the mean over segments; both
    go from 0 to 1.
    """
    chosen = [METRICS[name] for name in dict.fromkeys(metrics)]
    on_line = given(context, options)
    flags = {name: value for name, value in on_line.items() if any(name in m.flags for m in METRICS.values())}
    check_flags(chosen, flags)
    if as_json and brief:
        fail(click.UsageError, "--brief", "another form of output than --json", "both")
    accumulators = [metric.start(flags) for metric in chosen]
    fields = {name: on_line[name] for name in DEFAULT_FIELDS if name in on_line}
    with notices(), ExitStack() as stack:
        _read(open_sides(stack, options["predictions"], options["references"], options["kind"], fields), accumulators)
        form = output.Form(float(options["scale"]), options["width"])
        results = [m.scaled(m.result(a, flags), form.scale) for m, a in zip(chosen, accumulators, strict=True)]
    if as_json:
        output.print_json(chosen, accumulators, results, form)
    elif brief:
        output.print_brief(chosen, results, form)
    else:
        output.print_tables(chosen, accumulators, results, form)


def _read(sources: Sequence[Source], accumulators: Sequence[Accumulator]) -> None:
    n_segments = 0
    with LateProgress(Console(stderr=True)) as progress:
        for corpus in corpora(sources):
            for accumulator in accumulators:
                accumulator.update_corpus(corpus)
            n_segments += len(corpus)
            progress.show(sources[0].done(), n_segments)
