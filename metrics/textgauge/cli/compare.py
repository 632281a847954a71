"""`textgauge compare`: hold the outputs of several systems against the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import click
import pyarrow as pa
from rich.console import Console

from ..checks import fail
from ..measures.named import Measure
from ..resampling import PairedOptions
from . import compare_output
from .combinations import check_flags
from .compared import Groups, compared
from .files import InputError
from .help import OptionsByMetric
from .notices import notices
from .options import given
from .output import Form
from .plots import check_plot, plot
from .progress import LateProgress
from .reading import FORMATS, Source
from .refusals import refusals
from .score import score as score_command
from .scores import MOVING, named, owner, start
from .squad import SQUAD
from .systems import DOCUMENT_FIELD, open_systems, system_corpora

_EPILOG = """\b
Examples:
  textgauge compare -r ref.txt -m bleu baseline.txt other.txt
  textgauge compare -r ref.txt -m bleu -m rougeL --holm a.txt b.txt c.txt
  textgauge compare -r ref.txt -m bleu --test permutation --scale 100 a.txt b.txt
  textgauge compare -r ref.txt -m bleu --documents docs.txt a.txt b.txt
  textgauge compare -r ref.txt -m rouge1 --json --plot scores.png a.txt b.txt

\b
p is two-sided: how often chance alone gives a difference that large. The
bootstrap draws segments, the permutation test exchanges outputs; with the
same files and seed both give the same numbers again.

\b
Exit code: 0, or 2 with one line on stderr for what cannot be compared.
"""
_FORM = ("prediction_field", "reference_field", "width", "as_json", "scale", "max_unpacked")


@click.command(cls=OptionsByMetric, epilog=_EPILOG, short_help="Hold systems against a baseline.")
@click.argument("systems", nargs=-1, required=True, type=click.Path())
@click.option(
    "-r", "--references", type=click.Path(), multiple=True, required=True,
    help="File of references. Give it again for more references per segment.",
)  # fmt: skip
@click.option(
    "-m", "--metric", "metrics", metavar="SCORE", multiple=True, required=True,
    help="bleu, rouge1, rouge2, ..., rougeL, rougeLsum, token_f1 or exact_match. Give it once per score.",
)  # fmt: skip
@click.option(
    "--format", "kind", type=click.Choice([*FORMATS, SQUAD]), show_default="by suffix, else text",
    help="Format of all files.",
)  # fmt: skip
@click.option(
    "--test", type=click.Choice(["bootstrap", "permutation"]), default="bootstrap", show_default=True,
    help="Where p comes from.",
)  # fmt: skip
@click.option(
    "-n", "--n-resamples", type=click.IntRange(min=1), metavar="N",
    show_default="1000, or 10000 with --test permutation", help="How often chance is tried.",
)  # fmt: skip
@click.option("--seed", "draw_seed", type=click.IntRange(min=0), default=12345, show_default=True, help="Of chance.")
@click.option(
    "--p-value", type=click.Choice(["two-sided", "one-sided", "sacrebleu"]), default="two-sided", show_default=True,
    help="What p means; 'sacrebleu' is what its --paired-bs reports, about half as large.",
)  # fmt: skip
@click.option(
    "--confidence", type=click.FloatRange(0, 1, min_open=True, max_open=True), metavar="C", default=0.95,
    show_default=True, help="Of the intervals.",
)  # fmt: skip
@click.option("--holm", is_flag=True, help="Correct p for comparing several systems.")
@click.option(
    "--documents", type=click.Path(), help="File with the document of every segment: differences by document."
)
@click.option("--document-field", metavar="NAME", show_default=DOCUMENT_FIELD, help="Column of documents.")
@click.option(
    "--show", "n_shown", type=click.IntRange(min=0), metavar="N", default=3, show_default=True,
    help="How many of the worst and best differences to show.",
)  # fmt: skip
@click.option(
    "--plot", "picture", type=click.Path(), metavar="FILE", help="Draw scores and intervals: .png, .svg or .pdf."
)
@click.pass_context
def compare(context: click.Context, /, systems: Sequence[str], metrics: Sequence[str], **options: Any) -> None:
    """Compare systems with a baseline, the first of SYSTEMS.

    For every score a table: the score of each system with its interval, the
    difference to the baseline and p, and where they differ most.
    """
    if len(systems) < 2:
        fail(click.UsageError, "systems", "a baseline and at least one system more", f"{len(systems)} in all")
    on_line = given(context, options)
    scores = {name: named(name) for name in metrics}
    owners = {name: owner(score) for name, score in scores.items()}
    flags = {name: value for name, value in on_line.items() if name in MOVING}
    check_flags(list({metric.name: metric for metric in owners.values()}.values()), flags)
    settings = _settings(options)
    if options["picture"] is not None:
        check_plot(options["picture"])
    measures = {name: [start(scores[name], flags) for _ in systems] for name in scores}
    fields: dict[str, Any] = {
        n: on_line[n] for n in ("prediction_field", "reference_field", "document_field") if n in on_line
    }
    if "document_field" in fields and options["documents"] is None:
        fail(click.UsageError, "--document-field", "--documents beside it", "no file of documents")
    with notices(), ExitStack() as stack:
        sources = open_systems(stack, systems, options["references"], options["documents"], options["kind"], fields)
        groups = _read(sources, measures, has_documents=options["documents"] is not None)
        results = []
        for name in scores:
            with refusals(name):
                results.append(
                    compared(name, scores[name].key, measures[name], groups, settings, correct=options["holm"])
                )
    report = compare_output.Report(
        systems, results, settings, Form(float(options["scale"]), options["width"]), options["n_shown"]
    )
    if options["picture"] is not None:
        plot(options["picture"], report)
    if options["as_json"]:
        compare_output.print_json(report)
    else:
        compare_output.print_tables(report)


_SHARED = {parameter.name: parameter for parameter in score_command.params}
compare.params += [_SHARED[name] for name in (*_FORM, *sorted(MOVING))]


def _settings(options: Mapping[str, Any]) -> PairedOptions:
    settings = PairedOptions(
        options["test"], options["n_resamples"], options["draw_seed"], options["confidence"], options["p_value"]
    )
    try:
        n_resamples = settings.check().n_resamples
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    return settings._replace(n_resamples=n_resamples)


def _read(sources: Sequence[Source], measures: Mapping[str, Sequence[Measure]], *, has_documents: bool) -> Groups:
    n_systems = len(next(iter(measures.values())))
    n_segments = 0
    documents: list[pa.Array] = []
    with LateProgress(Console(stderr=True)) as progress:
        for corpora, names in system_corpora(sources, n_systems, has_documents=has_documents):
            for of_score in measures.values():
                for measure, corpus in zip(of_score, corpora, strict=True):
                    measure.update_corpus(corpus)
            documents += [] if names is None else [names]
            n_segments += len(corpora[0])
            progress.show(sources[0].done(), n_segments)
    if n_segments < 2:
        fail(InputError, sources[0].name, "at least 2 segments, since one alone does not vary", str(n_segments))
    return Groups.documents(documents) if has_documents else Groups.segments(n_segments)
