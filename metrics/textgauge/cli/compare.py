"""`textgauge compare`: compare the outputs of several systems with the first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from ..arrays import FloatArray
from ..checks import fail
from ..measures.comparison import compare_measures
from ..measures.measure import Measure
from ..measures.summary import times
from ..resampling import PairedOptions, holm
from .chosen import Request, count
from .command import metric_command, numbers_of, request_of, shared, show
from .compare_output import FORMS, Compared, Report
from .files import shown_name
from .flags import option_names
from .messages import InputError, notices, refusals, refuse

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
    names : sequence of str or int
        The number of every segment from 1, or the document of every segment.
    """

    unit: str
    names: Sequence[str | int]

    @property
    def labels(self) -> list[str | int]:
        """The name of every group, in the order of appearance."""
        return list(dict.fromkeys(self.names))

    def scores(self, measure: Measure, key: str) -> FloatArray:
        """Return the score of every group, of segments as pages show it: shape (n_groups,)."""
        if self.unit == "segment":
            return measure.displayed_segments()[key]
        place = {label: i for i, label in enumerate(self.labels)}
        rows = measure.additive
        sums = np.zeros((len(place), rows.shape[1]))
        np.add.at(sums, [place[name] for name in self.names], rows)
        return measure.corpus_scores(sums)[key]

    def difference(self, group: int, baseline: float, system: float, factor: float) -> dict[str, Any]:
        """Return the scaled scores of both systems on a group, as in JSON."""
        scores = {"score1": baseline, "score2": system, "stat": system - baseline}
        return {self.unit: self.labels[group]} | {key: float(value) * factor for key, value in scores.items()}


@metric_command(_EXAMPLES)
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
def compare(context: click.Context, /, **options: Any) -> None:
    """Compare systems with a baseline, the first of FILES, on the same segments.

    For every score: the score of each system with its interval, the difference to the
    baseline, and p, which says how often chance alone gives a difference that large.
    """
    from .plots import check_plot, plot

    request = request_of(context, options)
    if len(request.sides.systems) < 2:
        refuse("compare needs a baseline and at least one other system, as in textgauge compare base.txt new.txt")
    settings = _settings(options)
    if options["picture"] is not None:
        check_plot(options["picture"])
    with notices(option_names()):
        results = list(_compared(request, settings, options))
    report = Report(results, request.sides.systems, request.names, settings, numbers_of(options, request).scale,
                    options["width"], options["signature"])  # fmt: skip
    if options["picture"] is not None:
        plot(options["picture"], report)
    form = "json" if options["as_json"] else "brief" if options["brief"] else "tables"
    show(FORMS[form](report), options["output"])


def _settings(options: Mapping[str, Any]) -> PairedOptions:
    settings = PairedOptions(
        options["test"], options["n_resamples"], options["seed"], options["confidence"], options["p_value"]
    )
    with refusals("compare", PairedOptions._fields):
        return settings._replace(n_resamples=settings.check().n_resamples)


def _compared(request: Request, settings: PairedOptions, options: Mapping[str, Any]) -> Iterator[Compared]:
    """Yield the comparison of every score of every metric."""
    measures = request.start(request.options())
    segments = request.sides.read()
    n_segments = len(segments.corpora[0])
    if n_segments < 2:
        fail(InputError, shown_name(request.sides.systems[0]), "at least 2 segments to compare", str(n_segments))
    count(measures, segments)
    groups = Groups("segment", range(1, n_segments + 1))
    if segments.documents is not None:
        groups = Groups("document", segments.documents.tolist())
    scale = numbers_of(options, request).scale
    for one, of_systems in zip(request.chosen, measures, strict=True):
        factor = 1.0 if one.measure.perfect is None else scale
        for name, key in one.scores(of_systems[0]).items():
            with refusals(name, option_names()):
                rows = _rows(of_systems, key, factor, settings, corrects=options["holm"])
                scores = [groups.scores(measure, key) for measure in of_systems]
            for row, system in zip(rows[1:], scores[1:], strict=True):
                gains = system - scores[0] if one.measure.higher_is_better else scores[0] - system
                order = np.argsort(gains, kind="stable")
                worst = [i for i in order[: options["n_shown"]] if gains[i] < 0]
                best = [i for i in order[::-1][: options["n_shown"]] if gains[i] > 0]
                row["worst"], row["best"] = (
                    [groups.difference(i, scores[0][i], system[i], factor) for i in chosen] for chosen in (worst, best)
                )
            yield Compared(name, of_systems[0], n_segments, groups.unit, rows)


def _rows(
    measures: Sequence[Measure], key: str, factor: float, settings: PairedOptions, *, corrects: bool
) -> list[dict[str, Any]]:
    """Return the results of every system, the baseline first, its scores scaled."""
    comparisons = compare_measures(measures, key, **settings._asdict())
    corrected = holm([comparison.p for comparison in comparisons]) if corrects else None
    first = comparisons[0]
    rows: list[dict[str, Any]] = [
        {"score": times(first.score1, factor), "confidence_interval": times(first.confidence_interval1, factor)}
    ]
    for i, comparison in enumerate(comparisons):
        rows.append(
            {
                "score": times(comparison.score2, factor),
                "confidence_interval": times(comparison.confidence_interval2, factor),
                "stat": times(comparison.stat, factor),
                "stat_confidence_interval": times(comparison.confidence_interval, factor),
                "p": comparison.p,
                **({} if corrected is None else {"p_holm": corrected[i]}),
                "wins": comparison.wins,
            }
        )
    return rows
