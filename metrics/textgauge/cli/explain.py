"""`textgauge explain`: a page with a score, its distribution, and the texts with their matches marked."""

from __future__ import annotations

from typing import Any

import click

from ..checks import printable
from ..measures.registry import score_named
from ..resampling import PairedOptions
from .command import metric_command, request_of, shared
from .files import write_whole, writing
from .flags import option_names
from .interrupts import quiet_imports
from .messages import bars_on_terminals, notices, refusals, refuse

_EXAMPLES = """\
textgauge explain hyp.txt -r ref.txt -m rouge2 -o report.html
textgauge explain old.txt new.txt -r ref.txt -m bleu chrf -o report.html
textgauge explain scored.jsonl -m rougeL --use-stemmer -o report.html
"""


@metric_command(_EXAMPLES, has_forms=False)
@shared("--confidence", type=float, metavar="X", default=0.95, help="Level of the intervals. [default: 0.95]")
@shared("-n", "--n-resamples", type=int, metavar="N", default=1000, help="Resamples of the bootstrap. [default: 1000]")
@shared("--seed", type=int, metavar="N", default=12345, help="Seed of the bootstrap. [default: 12345]")
@shared(
    "--segments", "most_segments", type=int, metavar="N", default=5000, section="Output",
    help="List at most N segments, the worst and best; all are scored. [default: 5000]",
)  # fmt: skip
def explain(context: click.Context, /, **options: Any) -> None:
    """Write a page that shows where scores come from, for one system or several.

    It has the score with its interval, the distribution over segments, and every segment
    with the matching words marked; for perplexity the surprising words. The page is one file
    that needs no network.
    """
    request = request_of(context, options)
    if options["output"] is None:
        refuse("name the page to write, such as -o report.html")
    unpaired = [one.name for one in request.chosen if not one.measure.is_paired]
    if unpaired and len(unpaired) < len(request.chosen):
        refuse(f"{unpaired[0]} uses no references: write a separate page for it")
    if "prefixes" in request.given:
        refuse("--prefixes is not supported: a page shows texts without prefixes")
    with refusals("explain", option_names()):
        test = PairedOptions("bootstrap", options["n_resamples"], options["seed"], options["confidence"])
        test.check()
    with notices(option_names()):
        every_options = request.options()
        scores = []
        for one, given, [measure, *_] in zip(request.chosen, every_options, request.start(every_options), strict=True):
            # The options that the name of a score implies are already in it.
            own = {name: value for name, value in given.items() if name not in one.fixed}
            scores += [(score_named(name).start(own), score_named(name).key) for name in one.scores(measure)]
        corpora = request.sides.read().corpora
        with quiet_imports():
            from ..report import Report, explain_page
        with refusals("explain", option_names()), bars_on_terminals():
            page = explain_page(Report.of(request.names, corpora, scores, test, options["most_segments"]))
        with writing("--output", options["output"]):
            write_whole(options["output"], page)
    click.echo(f"wrote {printable(options['output'])}")
