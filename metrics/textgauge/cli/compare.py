"""`textgauge compare`: compare the outputs of several systems with the first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from ..arrays import FloatArray, IntArray
from ..checks import fail
from ..measures.comparison import compare_measures
from ..measures.measure import Measure
from ..resampling import Comparison, PairedOptions, holm
from .chosen import Chosen, Gathered, check_flags, chosen_metrics
from .command import (
    MetricCommand,
    check_output,
    fields_of,
    help_all,
    metrics_of,
    names_of,
    scale_of,
    shared,
    systems_of,
    takes,
)
from .flags import given_flags, option_names
from .messages import InputError, LateProgress, notices, refusals, refuse
from .score import empty_measures, sides_of
from .segments import Opened

_EXAMPLES = """\
textgauge compare baseline.txt other.txt -r ref.txt -m bleu chrf ter
textgauge compare a.txt b.txt c.txt -r ref.txt -m bleu rougeL --holm
textgauge compare a.txt b.txt -r ref.txt -m bleu --test permutation
textgauge compare a.txt b.txt -r ref.txt -m bleu --documents docs.txt
textgauge compare a.txt b.txt -r ref.txt -m rouge1 --json --plot scores.png
"""


@dataclass(frozen=True)
class Groups:
    """The segments or documents whose differences are listed.

    Attributes
    ----------
    unit : "segment" or "document"
    labels : sequence of str or int
        The name of every document, or the number of every segment from 1.
    group_of : int64, shape (n_segments,)
    """

    unit: str
    labels: Sequence[str | int]
    group_of: IntArray

    @classmethod
    def segments(cls, n_segments: int) -> Groups:
        """Make every segment a group."""
        return cls("segment", range(1, n_segments + 1), np.arange(n_segments))

    @classmethod
    def documents(cls, names: Sequence[str]) -> Groups:
        """Group segments by the name of their document, in the order of appearance."""
        place = {name: i for i, name in enumerate(dict.fromkeys(names))}
        return cls("document", list(place), np.array([place[name] for name in names], np.int64))

    def scores(self, measure: Measure, key: str) -> FloatArray:
        """Return the score of every group, of segments as pages show it: shape (n_groups,)."""
        if self.unit == "segment":
            return measure.displayed_segments()[key]
        rows = measure.additive
        sums = np.zeros((len(self.labels), rows.shape[1]))
        np.add.at(sums, self.group_of, rows)
        return measure.corpus_scores(sums)[key]


@dataclass(frozen=True)
class Difference:
    """The scores of baseline and system on a segment or document."""

    label: str | int
    score1: float
    score2: float

    @property
    def stat(self) -> float:
        """Score of the system minus score of the baseline."""
        return self.score2 - self.score1


@dataclass(frozen=True)
class Compared:
    """One score of all systems, the baseline first.

    Attributes
    ----------
    name : str
        The requested name.
    measures : one for every system
    comparisons : one for every system but the baseline
    corrected : their p-values after Holm's correction, or None
    groups : Groups
    group_scores : float64, shape (n_systems, n_groups)
    """

    name: str
    measures: Sequence[Measure]
    comparisons: Sequence[Comparison]
    corrected: Sequence[float] | None
    groups: Groups
    group_scores: FloatArray

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the results of every system, the baseline first."""
        first = self.comparisons[0]
        yield {"score": first.score1, "confidence_interval": first.confidence_interval1}
        for i, comparison in enumerate(self.comparisons):
            row = {
                "score": comparison.score2,
                "confidence_interval": comparison.confidence_interval2,
                "stat": comparison.stat,
                "stat_confidence_interval": comparison.confidence_interval,
                "p": comparison.p,
            }
            if self.corrected is not None:
                row["p_holm"] = self.corrected[i]
            yield {**row, "wins": comparison.wins}

    def extremes(self, system: int, n_shown: int) -> dict[str, list[Difference]]:
        """Return the groups on which a system is worse, and better, than the baseline by the most."""
        gains = self.group_scores[system] - self.group_scores[0]
        gains = gains if self.measures[0].higher_is_better else -gains
        order = np.argsort(gains, kind="stable")
        worst = [i for i in order[:n_shown] if gains[i] < 0]
        best = [i for i in order[::-1][:n_shown] if gains[i] > 0]
        return {"worst": list(self._differences(system, worst)), "best": list(self._differences(system, best))}

    def _differences(self, system: int, chosen: Sequence[int]) -> Iterator[Difference]:
        for i in chosen:
            first, second = self.group_scores[[0, system], i].tolist()
            yield Difference(self.groups.labels[i], first, second)


@click.command(
    cls=MetricCommand, examples=_EXAMPLES,
    short_help="Compare systems with a baseline.",
)  # fmt: skip
@shared(
    "--test", type=click.Choice(["bootstrap", "permutation"]), default="bootstrap", metavar="NAME",
    help="Test: bootstrap (default) or permutation.",
)  # fmt: skip
@shared(
    "-n", "--n-resamples", type=int, metavar="N",
    help="Resamples. [default: 1000; permutations: 10000]",
)  # fmt: skip
@shared("--seed", type=int, metavar="N", default=12345, help="Random seed. [default: 12345]")
@shared(
    "--p-value", type=click.Choice(["two-sided", "one-sided", "sacrebleu"]), default="two-sided", metavar="NAME",
    help="two-sided (default), one-sided or sacrebleu.",
)  # fmt: skip
@shared("--confidence", type=float, metavar="X", default=0.95, help="Level of the intervals. [default: 0.95]")
@shared("--signature", is_flag=True, help="Add the line that says what was computed.")
@shared("--holm", is_flag=True, help="Correct p for comparing several systems.")
@shared("--documents", type=click.Path(), metavar="FILE", section="Files",
        help="The document of each segment: differences by document.")  # fmt: skip
@shared("--document-field", metavar="NAME", section="Files", help="Column of documents. [default: document]")
@shared(
    "--show", "n_shown", type=click.IntRange(min=0), metavar="N", default=3, section="Output",
    help="How many of the worst and best differences. [default: 3]",
)  # fmt: skip
@shared("--plot", "picture", type=click.Path(), metavar="FILE", section="Output",
        help="Draw scores and intervals: .png, .svg or .pdf.")  # fmt: skip
@click.option(
    "--help-all", is_flag=True, is_eager=True, expose_value=False, callback=help_all,
    help="Show the options of all metrics as well.",
)  # fmt: skip
@click.pass_context
def compare(context: click.Context, /, **options: Any) -> None:
    """Compare systems with a baseline, the first of FILES, on the same segments.

    For every score: the score of each system with its interval, the difference to the
    baseline, and p, which says how often chance alone gives a difference that large.
    """
    from . import compare_output
    from .plots import check_plot, plot

    systems, references = systems_of(options, "compare")
    if len(systems) < 2:
        refuse("compare needs a baseline and at least one other system, as in textgauge compare base.txt new.txt")
    given, chosen = given_flags(context, options), chosen_metrics(metrics_of(options))
    check_flags(chosen, given)
    settings, names = _settings(options), names_of(systems, options["names"])
    fields = fields_of(context, options, given)
    sides = sides_of(systems, references, options["kind"], fields, chosen, given, options["documents"])
    sides.check()
    check_output(options["output"], [*systems, *references])
    if options["picture"] is not None:
        check_plot(options["picture"])
    with notices(option_names()):
        measures = empty_measures(chosen, given, sides)
        with ExitStack() as stack:
            measures, groups = _read(sides.open(stack), measures)
        results = list(_compared(chosen, measures, groups, settings, correct=options["holm"]))
    report = compare_output.Report(
        systems, names, results, settings, scale_of(options, given), options["width"], options["n_shown"],
        has_signature=options["signature"],
    )  # fmt: skip
    if options["picture"] is not None:
        plot(options["picture"], report)
    compare_output.write(report, options)


takes(
    "systems", "predictions", "inputs", "references", "kind", "prediction_field", "reference_field", "names", "metrics",
    "output", "brief", "as_json", "width", "scale", "max_unpacked",
)(compare)  # fmt: skip


def _settings(options: Mapping[str, Any]) -> PairedOptions:
    settings = PairedOptions(
        options["test"], options["n_resamples"], options["seed"], options["confidence"], options["p_value"]
    )
    with refusals("compare", PairedOptions._fields):
        return settings._replace(n_resamples=settings.check().n_resamples)


def _read(opened: Opened, measures: Sequence[Sequence[Measure]]) -> tuple[list[list[Measure]], Groups]:
    gathered = [[Gathered(measure) for measure in of_metric] for of_metric in measures]
    documents: list[str] = []
    n_segments = 0
    with LateProgress() as progress:
        for corpora, more in opened.batches():
            prefixes = more if opened.has_prefixes else None
            for of_metric in gathered:
                for one, corpus in zip(of_metric, corpora, strict=True):
                    with refusals(one.measure.name, option_names()):
                        one.add(corpus, prefixes)
            documents += more.tolist() if opened.has_documents and more is not None else []
            n_segments += len(corpora[0])
            progress.show(opened.sources[0].done(), n_segments)
    if n_segments < 2:
        fail(InputError, opened.sources[0].name, "at least 2 segments to compare", str(n_segments))
    groups = Groups.documents(documents) if opened.has_documents else Groups.segments(n_segments)
    return [[one.finish() for one in of_metric] for of_metric in gathered], groups


def _compared(
    chosen: Sequence[Chosen], measures: Sequence[Sequence[Measure]], groups: Groups, settings: PairedOptions, *,
    correct: bool,
) -> Iterator[Compared]:  # fmt: skip
    given: dict[str, Any] = settings._asdict()
    for one, of_systems in zip(chosen, measures, strict=True):
        for name, key in one.scores(of_systems[0]).items():
            with refusals(name, option_names()):
                comparisons = compare_measures(of_systems, key, **given)
                corrected = holm([comparison.p for comparison in comparisons]) if correct else None
                scores = np.stack([groups.scores(measure, key) for measure in of_systems])
            yield Compared(name, of_systems, comparisons, corrected, groups, scores)
