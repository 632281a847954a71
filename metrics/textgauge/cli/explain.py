"""`textgauge explain`: a page with a score, its distribution, and the texts with their matches marked."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import chain
from typing import Any

import click

from ..accumulation.accumulator import accumulator_of
from ..checks import listed, printable
from ..input.columns import text_column
from ..resampling import PairedOptions
from .command import OF_PAGES, metric_command
from .messages import Whole, bars_on_terminals, notices, refusals, refuse
from .output import write_whole, writing
from .process import quiet_imports
from .request import refuse_documents, request_of, units_in
from .sheet import terminal_columns

DEFAULT_PAGE = "explain.html"
_EXAMPLES = """\
textgauge explain hyp.txt -r ref.txt -m rouge2 -o report.html
textgauge explain --text "the cat" --against "a cat"
textgauge explain --text "the cat" --source "le chat" -m comet
textgauge explain old.txt new.txt -r ref.txt -m sacrebleu chrf -o report.html
textgauge explain scored.jsonl -m rougeL --use-stemmer -o report.html
"""


@metric_command(_EXAMPLES, OF_PAGES)
@click.option("--text", "texts", multiple=True, metavar="TEXT",
              help="A text to explain instead of files, on the terminal too; once per system.")  # fmt: skip
@click.option("--against", multiple=True, metavar="TEXT", help="A reference of --text; again for more of them.")
@click.option("--source", metavar="TEXT", help="The source of the texts, for metrics that read it.")
@click.option("--confidence", type=float, metavar="X", default=0.95, help="Level of the intervals. [default: 0.95]")
@click.option("-n", "--n-resamples", type=int, metavar="N",
              help="Resamples. [default: 1000, or 10000]")  # fmt: skip
@click.option("--seed", type=int, metavar="N", default=12345, help="Seed of the bootstrap. [default: 12345]")
@click.option("--keep", multiple=True, metavar="NAME", help="Column to show beside the number of a segment.")
@click.option("--segments", "most_segments", type=Whole(1), metavar="N", default=5000,
              help="List at most N segments, the worst and best; all are scored. [default: 5000]")  # fmt: skip
def explain(context: click.Context, /, **options: Any) -> None:
    """Write a page that shows where scores come from, for one system or several.

    Of fewer than ten segments it has the texts with the matching words marked, and the
    calculation of the score. Of more it has the score with its interval, the distribution over
    segments, and every segment. The page is one file that needs no network: explain.html,
    unless -o names another.
    """
    output = options["output"] or DEFAULT_PAGE
    request = request_of(context, {**options, "output": output})
    source = options["source"]
    if source is not None and not options["texts"]:
        refuse("--source is what --text translates; a file of sources is -s FILE")
    if source is not None and not any("sources" in scoring.metric.inputs.names for scoring in request.chosen):
        names = list(dict.fromkeys(scoring.metric.name for scoring in request.chosen))
        refuse(f"--source has no effect: {listed(names)} {'uses' if len(names) == 1 else 'use'} no sources")
    unpaired = [scoring.metric.name for scoring in request.chosen if not scoring.metric.inputs.has_references]
    if unpaired and len(unpaired) < len(request.chosen):
        refuse(f"{unpaired[0]} uses no references: write a separate page for it")
    refuse_documents(request, "explain")
    if "prefix" in request.files.extras:
        refuse("prefixes are not supported: a page shows texts without them")
    with refusals("explain"):
        test = PairedOptions(None, options["n_resamples"], options["seed"], options["confidence"])
        test.check()
    with notices():
        every_options = request.options()
        scores, brackets = [], []
        for scoring, own_options, [accumulator, *_] in zip(
            request.chosen, every_options, request.start(every_options), strict=True
        ):
            for name in scoring.keys(accumulator):
                # The options that this name implies, not those of all names.
                key, fixed = scoring.metric.scores.named(name.removesuffix(scoring.brackets)) or (name, {})
                scores.append(
                    (accumulator_of(scoring.metric)(**{**own_options, **fixed}), key.removesuffix(scoring.brackets))
                )
                brackets.append(scoring.brackets)
        segments = request.files.read()
        corpora, kept = segments.corpora, [map(_label, map(json.loads, values)) for values in segments.kept.values()]
        labels = [" · ".join(row) for row in zip(*kept, strict=True)] if kept else None
        labels = labels or request.files.bad.ids_of_left() or None
        if not options["texts"] and len(corpora[0]) > 1:
            units = segments.extras.get("unit")
            test = test._replace(unit=units_in(request, [] if units is None else units.tolist()))
        if source is not None:
            corpora = [replace(corpus, sources=text_column([source], "--source")) for corpus in corpora]
        skipped = request.files.bad.notice()
        with quiet_imports():
            from ..report import Report, explain_page
        with refusals("explain"), bars_on_terminals():
            numbers = request.files.bad.numbers(len(corpora[0]))
            report = Report.of(
                request.names, corpora, scores, test, options["most_segments"], numbers, labels, brackets
            )
            page = explain_page(report)
        with writing("--output", output):
            write_whole(output, page)
    if options["texts"]:
        columns = terminal_columns()
        for system in chain.from_iterable(section.systems for section in report.sections):
            name = f"{system.name}:\n" if len(request.names) > 1 else ""
            click.echo(f"{name}{system.derivation.text(columns)}\n")
    if skipped:
        click.echo(f"textgauge: {skipped}", err=True)
    click.echo(f"wrote {printable(output)}")


def _label(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
