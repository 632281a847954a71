"""The metrics by name, and their scores: what every face reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ..checks import fail, refuse_idle, refuse_unknown, shown
from ..options import options_of
from .bleu import Bleu
from .chrf import Chrf
from .measure import Measure
from .perplexity import Perplexity
from .rouge import Rouge
from .ter import Ter
from .token_f1 import TokenF1

_Kind = TypeVar("_Kind", bound=type[Measure])
METRICS: dict[str, type[Measure]] = {measure.name: measure for measure in (Bleu, Rouge, Chrf, Ter, TokenF1, Perplexity)}


def register(measure: _Kind) -> _Kind:
    """Make a metric known to every face, by its name."""
    METRICS[measure.name] = measure
    return measure


@dataclass(frozen=True)
class NamedScore:
    """One score of one metric.

    Attributes
    ----------
    name : str
        As it was asked for.
    measure : class
    key : str
        Which of the scores is meant.
    fixed : mapping
        The options that the name decides.
    """

    name: str
    measure: type[Measure]
    key: str
    fixed: Mapping[str, Any] = field(default_factory=dict)

    def start(self, options: Mapping[str, Any] | None = None) -> Measure:
        """Make an empty measure with `options`, each of them checked."""
        options = {} if options is None else options
        if not isinstance(options, Mapping):
            fail(TypeError, "metric_options", "a dict of options of the metric", shown(options))
        return _started(self.measure, self.fixed, options, self.name, "metric_options[{!r}]")


def _started(
    measure: type[Measure], fixed: Mapping[str, Any], options: Mapping[str, Any], owner: str, spelled: str
) -> Measure:
    names = [one.name for one in options_of(measure.options_type) if one.name not in fixed]
    refuse_unknown(options, names, owner, spelled)
    return measure(**fixed, **options)


def score_named(metric: Any) -> NamedScore:
    """Return the score that a name means: "bleu", "chrf", "ter", "token_f1", ..., or any type of ROUGE.

    The name of a metric with several scores means its headline.

    Examples
    --------
    >>> score_named("rougeL").key
    'rougeL'
    """
    allowed = f"one of {names_of_scores()}"
    if not isinstance(metric, str):
        fail(TypeError, "metric", allowed, shown(metric))
    found = ((measure, measure.find(metric)) for measure in METRICS.values())
    measure, score = next(((measure, score) for measure, score in found if score is not None), (None, None))
    if measure is None or score is None:
        fail(ValueError, "metric", allowed, shown(metric))
    return NamedScore(metric, measure, *score)


def scores_named(metric: Any) -> list[NamedScore]:
    """Return the scores that a name means: one, or all of a metric that is named as a whole.

    Examples
    --------
    >>> [score.key for score in scores_named("rouge")]
    ['rouge1', 'rouge2', 'rougeL', 'rougeLsum']
    """
    if isinstance(metric, str) and metric in METRICS and METRICS[metric].find(metric) is None:
        return [score_named(key) for key in METRICS[metric]().score_names]
    return [score_named(metric)]


def names_of_scores() -> str:
    """List the names that `score_named` takes, for messages and help."""
    return ", ".join(repr(name) if name != "..." else name for m in METRICS.values() for name in m.named_scores())


def start_measure(metric: Any, options: Mapping[str, Any]) -> Measure:
    """Make an empty accumulator with all the scores of a metric, or with one that has a name of its own.

    Parameters
    ----------
    metric : str
        A name in `METRICS`, or that of a score such as "rougeL".
    options : mapping
        Those of the accumulator, each of them checked.

    Examples
    --------
    >>> start_measure("rougeL", {}).update(["a b"], ["a c"]).score()
    {'rougeL': 0.5}
    """
    if isinstance(metric, str) and metric in METRICS:
        return _started(METRICS[metric], {}, options, metric, "{}")
    named = score_named(metric)
    return _started(named.measure, named.fixed, options, named.name, "{}")


def asked_of(measure: Measure, metric: str) -> tuple[str, ...]:
    """Return the keys of the scores that a name means: all of a metric that is named as a whole.

    Examples
    --------
    >>> [asked_of(TokenF1(), name) for name in ("exact_match", "token_f1")]
    [('exact_match',), ('precision', 'recall', 'f1', 'exact_match')]
    """
    return measure.score_names if metric in METRICS else (score_named(metric).key,)


def only_asked(result: Mapping[str, Any], measure: Measure, metric: str) -> dict[str, Any]:
    """Leave scores out of a result, and their intervals, that `asked_of` does not name."""
    others = {*measure.score_names} - {*asked_of(measure, metric)}
    key = "confidence_intervals"
    kept = {name: value for name, value in result.items() if name not in others}
    return kept | ({key: only_asked(result[key], measure, metric)} if others and key in result else {})


def start_with_reports(metric: Any, options: Mapping[str, Any]) -> tuple[Measure, dict[str, Any]]:
    """Make an empty accumulator, and tell apart what its `score` is asked for: nothing that a sum cannot answer."""
    empty = start_measure(metric, {})
    names = {one.name for one in options_of(empty.reports_type)}
    reports = {name: value for name, value in options.items() if name in names}
    measure = start_measure(metric, {name: value for name, value in options.items() if name not in names})
    asked = measure.reports_type(**reports)
    refuse_idle(reports, asked.idle())
    measure.check_sum(asked)
    return measure, reports
