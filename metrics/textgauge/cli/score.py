"""`textgauge score`: score files."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import click
from rich.console import Console

from . import output
from .combinations import check_files, check_flags, check_form
from .files import unpacking_limit
from .flags import metric_flags
from .help import OptionsByMetric
from .notices import notices
from .options import given
from .progress import LateProgress
from .reading import FORMATS, Source
from .registry import METRICS, Accumulator, Metric
from .segments import DEFAULT_FIELDS, all_texts, corpora_and_prefixes, open_prefixes, open_sides
from .squad import SQUAD

_EPILOG = """\b
Examples:
  textgauge score -m bleu -p hyp.txt -r ref.txt
  textgauge score -m bleu -p hyp.txt -r ref1.txt -r ref2.txt --scale 100
  textgauge score -m bleu -p hyp.txt -r ref.txt --preset sacrebleu --signature
  textgauge score -m bleu -p hyp.txt -r ref.txt --confidence 0.95
  textgauge score -m rouge -p scored.jsonl --prediction-field summary --stem
  textgauge score -m token_f1 -p answers.jsonl -r questions.jsonl --format squad
  textgauge score -m perplexity -p texts.txt --model path/of/model --stride 256
  textgauge score -m perplexity -p texts.txt --ngram-train corpus.txt --order 3
  textgauge score -m bleu -m rouge -p hyp.parquet -r ref.csv.gz --json
  translate < source.txt | textgauge score -m bleu -p - -r ref.txt --brief

\b
Files:
  Plain text has one segment per line; a blank line is an empty segment.
  JSON Lines (.jsonl), CSV, TSV and Parquet hold predictions and references
  in one file or in two. A name that ends in .gz is unpacked on the way.
  A line of plain text cannot hold the newlines between sentences that
  rougeLsum looks for: use --split-summaries there.
  Rows of --format squad, in one file or in two, are matched by their ids:
  {"id": ..., "prediction_text": ...}, {"id": ..., "answers": {"text": [...]}}

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
    "the file of predictions holds them. Perplexity needs none.",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice([*FORMATS, SQUAD]),
    show_default="by suffix, else text",
    help="Format of all files.",
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
    "-b",
    "--brief",
    is_flag=True,
    help="Print numbers alone: a line per score, its interval behind it, or a line per segment with --per-segment.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--scale", type=click.Choice(["1", "100"]), default="1", show_default=True, help="The perfect score.")
@unpacking_limit
@metric_flags
@click.pass_context
def score(context: click.Context, /, metrics: Sequence[str], as_json: bool, brief: bool, **options: Any) -> None:
    """Score predictions against references, or how well a language model foresees them.

    BLEU pools its counts over the corpus, ROUGE and token F1 are means over
    segments; all go from 0 to 1. Perplexity looks at predictions alone, starts at
    1, and lower is better.
    """
    chosen = [METRICS[name] for name in dict.fromkeys(metrics)]
    on_line = given(context, options)
    flags = {name: value for name, value in on_line.items() if any(name in m.flags for m in METRICS.values())}
    check_flags(chosen, flags)
    check_form(chosen, flags, as_json=as_json, brief=brief, scale=float(options["scale"]))
    check_files(chosen, flags, options)
    kind, fields = options["kind"], {name: on_line[name] for name in DEFAULT_FIELDS if name in on_line}
    if "ngram_train" in flags:
        flags["ngram_train"] = all_texts(flags["ngram_train"], kind, fields)
    accumulators = [metric.start(flags) for metric in chosen]
    with notices(), ExitStack() as stack:
        is_paired = any(metric.is_paired for metric in chosen)
        sides = open_sides(stack, options["predictions"], options["references"], kind, fields, is_paired=is_paired)
        prefixes = [
            open_prefixes(stack, flags[n], kind, flags.get("prefix_field")) for n in ("prefixes",) if n in flags
        ]
        _read([*sides, *prefixes], chosen, accumulators, has_prefixes=bool(prefixes))
        form = output.Form(float(options["scale"]), options["width"], flags.get("confidence"))
        results = [m.report(a, flags, form.scale) for m, a in zip(chosen, accumulators, strict=True)]
    if as_json:
        output.print_json(chosen, accumulators, results, form)
    elif brief:
        output.print_brief(chosen, results, form)
    else:
        output.print_tables(chosen, accumulators, results, form)


def _read(
    sources: Sequence[Source], metrics: Sequence[Metric], accumulators: Sequence[Accumulator], *, has_prefixes: bool
) -> None:
    n_segments = 0
    with LateProgress(Console(stderr=True)) as progress:
        for corpus, prefixes in corpora_and_prefixes(sources, has_prefixes=has_prefixes):
            for metric, accumulator in zip(metrics, accumulators, strict=True):
                metric.add(accumulator, corpus, prefixes)
            n_segments += len(corpus)
            progress.show(sources[0].done(), n_segments)
