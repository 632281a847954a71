"""`textgauge explain`: a page with a score, its distribution, and the texts with their matches marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import click

from ..checks import printable
from ..columns import Corpus
from ..measures.registry import NamedScore, score_named
from ..resampling import BootstrapOptions
from .chosen import check_flags, chosen_metrics
from .command import (
    MetricCommand,
    check_output,
    fields_of,
    help_all,
    metrics_of,
    names_of,
    shared,
    systems_of,
    takes,
    write_output,
)
from .flags import given_flags, option_names
from .interrupts import quiet_imports
from .messages import LateProgress, bars_on_terminals, notices, refusals, refuse
from .score import sides_of, with_texts
from .segments import Opened, joined_corpus

_EXAMPLES = """\
textgauge explain hyp.txt -r ref.txt -m rouge2 -o report.html
textgauge explain old.txt new.txt -r ref.txt -m bleu chrf -o report.html
textgauge explain scored.jsonl -m rougeL --use-stemmer -o report.html
"""


@click.command(
    cls=MetricCommand, examples=_EXAMPLES,
    short_help="Write a page that shows where a score comes from.",
)  # fmt: skip
@shared("--confidence", type=float, metavar="X", default=0.95, help="Level of the intervals. [default: 0.95]")
@shared("-n", "--n-resamples", type=int, metavar="N", default=1000, help="Resamples of the bootstrap. [default: 1000]")
@shared("--seed", type=int, metavar="N", default=12345, help="Seed of the bootstrap. [default: 12345]")
@shared(
    "--segments", "most_segments", type=int, metavar="N", default=5000, section="Output",
    help="List at most N segments, the worst and best; all are scored. [default: 5000]",
)  # fmt: skip
@click.option(
    "--help-all", is_flag=True, is_eager=True, expose_value=False, callback=help_all,
    help="Show the options of all metrics as well.",
)  # fmt: skip
@click.pass_context
def explain(context: click.Context, /, **options: Any) -> None:
    """Write a page that shows where scores come from, for one system or several.

    It has the score with its interval, the distribution over segments, and every segment
    with the matching words marked. For perplexity under a model of n-grams, it marks the
    surprising words. The page is one file that needs no network.
    """
    systems, references = systems_of(options, "explain")
    if options["output"] is None:
        refuse("name the page to write, such as -o report.html")
    given, chosen = given_flags(context, options), chosen_metrics(metrics_of(options))
    check_flags(chosen, given)
    unpaired = [one.name for one in chosen if not one.measure.is_paired]
    if unpaired and len(unpaired) < len(chosen):
        refuse(f"{unpaired[0]} uses no references: write a separate page for it")
    if "prefixes" in given:
        refuse("--prefixes is not supported: a page shows texts without prefixes")
    with refusals("explain", option_names()):
        bootstrap = BootstrapOptions(options["confidence"], options["n_resamples"], options["seed"])
    names = names_of(systems, options["names"])
    sides = sides_of(systems, references, options["kind"], fields_of(context, options, given), chosen, given)
    sides.check()
    check_output(options["output"], [*systems, *references])
    with notices(option_names()):
        given = with_texts(chosen, given, sides)
        scores = [(score_named(name), one.options(given, chosen)) for one in chosen
                  for name in one.scores(one.start(given, chosen))]  # fmt: skip
        with ExitStack() as stack:
            texts = _read(sides.open(stack))
        with refusals("explain", option_names()), bars_on_terminals():
            page = _page(names, texts, scores, bootstrap, options["most_segments"])
        write_output(options["output"], page)
    click.echo(f"wrote {printable(options['output'])}")


takes(
    "systems", "predictions", "inputs", "references", "kind", "prediction_field", "reference_field", "names", "metrics",
    "output", "max_unpacked",
)(explain)  # fmt: skip


def _page(
    names: Sequence[str], texts: Sequence[Corpus], scores: Sequence[tuple[NamedScore, Mapping[str, Any]]],
    bootstrap: BootstrapOptions, most_segments: int,
) -> str:  # fmt: skip
    with quiet_imports():
        from ..report.content import Content
        from ..report.pages import explain_page

    # The options that the name of a score implies are already in it.
    own = [(score, {k: v for k, v in options.items() if k not in score.fixed}) for score, options in scores]
    return explain_page(Content.of(names, texts, own, bootstrap, most_segments))


def _read(opened: Opened) -> list[Corpus]:
    read: list[list[Corpus]] = [[] for _ in range(opened.n_systems)]
    n_segments = 0
    with LateProgress() as progress:
        for texts, _ in opened.batches():
            for of_system, corpus in zip(read, texts, strict=True):
                of_system.append(corpus)
            n_segments += len(texts[0])
            progress.show(opened.sources[0].done(), n_segments)
    return [joined_corpus(parts) for parts in read]
