"""The metrics and their scores by name, for every face."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from ..checks import did_you_mean, fail, refuse_idle, refuse_unknown, shown
from ..options import options_of
from .measure import Measure

# One metric or score by name, several of them, or several with the options of each.
Metrics = str | Sequence[str] | Mapping[str, Mapping[str, Any]]


class _Metrics(MutableMapping[str, type[Measure]]):
    """The classes of all metrics by name; each module is imported on first use, so that a program starts quickly."""

    def __init__(self, homes: Mapping[str, str]) -> None:
        """Take the module and the class of every metric, as "module.Class"."""
        self._classes: dict[str, type[Measure] | str] = dict(homes)

    def __getitem__(self, name: str) -> type[Measure]:
        found = self._classes[name]
        if isinstance(found, str):
            module, _, kind = found.partition(".")
            found = self._classes[name] = getattr(import_module(f".{module}", __package__), kind)
        return found

    def __setitem__(self, name: str, kind: type[Measure]) -> None:
        self._classes[name] = kind

    def __delitem__(self, name: str) -> None:
        del self._classes[name]

    def __contains__(self, name: object) -> bool:
        return name in self._classes

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes)

    def __len__(self) -> int:
        return len(self._classes)


METRICS = _Metrics(
    {
        "bleu": "bleu.Bleu", "sacrebleu": "bleu.Sacrebleu", "rouge": "rouge.Rouge", "chrf": "chrf.Chrf",
        "ter": "ter.Ter", "token_f1": "token_f1.TokenF1", "squad": "token_f1.Squad",
        "squad_v2": "squad_v2.SquadV2", "perplexity": "perplexity.Perplexity", "bertscore": "bertscore.BertScore",
    }
)  # fmt: skip


@dataclass(frozen=True)
class NamedScore:
    """One score of one metric.

    Attributes
    ----------
    name : str
        The requested name.
    measure : class
    key : str
        The key of the score.
    fixed : mapping
        The options that the name implies.
    """

    name: str
    measure: type[Measure]
    key: str
    fixed: Mapping[str, Any] = field(default_factory=dict)

    def start(self, options: Mapping[str, Any] | None = None, spelled: str = "metric_options[{!r}]") -> Measure:
        """Return an empty measure with checked `options`, which messages spell so."""
        options = {} if options is None else options
        if not isinstance(options, Mapping) or not all(isinstance(name, str) for name in options):
            fail(TypeError, "metric_options", "a dict of options of the metric", shown(options))
        return _empty_measure(self.measure, self.fixed, options, self.name, spelled)


def _empty_measure(
    measure: type[Measure], fixed: Mapping[str, Any], options: Mapping[str, Any], owner: str, spelled: str
) -> Measure:
    names = [one.name for one in options_of(measure.options_type) if one.name not in fixed]
    refuse_unknown(options, names, owner, spelled)
    return measure(**fixed, **options)


def score_named(metric: Any) -> NamedScore:
    """Return the score of a name: "bleu", "chrf", "ter", "token_f1", ..., or any type of ROUGE.

    The name of a metric with several scores refers to its headline.

    Examples
    --------
    >>> score_named("rougeL").key
    'rougeL'
    """
    if not isinstance(metric, str):
        fail(TypeError, "metric", f"one of {names_of_scores()}", shown(metric))
    # The metric of that name first: the others need not be imported.
    classes = map(METRICS.__getitem__, sorted(METRICS, key=lambda name: name != metric))
    found = ((measure, measure.score_called(metric)) for measure in classes)
    measure, score = next(((measure, score) for measure, score in found if score is not None), (None, None))
    if metric in METRICS and score is None:
        fail(ValueError, "metric", f"one score of {metric}: {names_of_scores([METRICS[metric]])}", shown(metric))
    if measure is None or score is None:
        names = [name for one in METRICS.values() for name in one.names_of_scores()]
        fail(ValueError, "metric", f"one of {names_of_scores()}", shown(metric) + did_you_mean(metric, names))
    return NamedScore(metric, measure, *score)


def names_of_scores(measures: Iterable[type[Measure]] | None = None) -> str:
    """List the names that `score_named` accepts, of some metrics or of all, for messages and help."""
    names = [name for one in measures or METRICS.values() for name in one.names_of_scores()]
    return ", ".join(repr(name) if name != "..." else name for name in names)


def start_measure(metric: Any, options: Mapping[str, Any]) -> Measure:
    """Return an empty accumulator with all scores of a metric, or with one named score.

    Parameters
    ----------
    metric : str
        A name in `METRICS`, or the name of a score such as "rougeL".
    options : mapping
        Options of the accumulator, which are checked.

    Examples
    --------
    >>> start_measure("rougeL", {}).update(["a b"], ["a c"]).score()
    {'rougeL': 0.5}
    """
    if isinstance(metric, str) and metric in METRICS:
        return _empty_measure(METRICS[metric], {}, options, metric, "{}")
    return score_named(metric).start(options, "{}")


def options_by_metric(metric: Any, options: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the options of every named metric: those of `options` that it has, then its own.

    Parameters
    ----------
    metric : str, sequence of str, or mapping from str to the options of one
    options : mapping
        Options of any of them; of a single metric they are not checked.

    Examples
    --------
    >>> options_by_metric({"bleu": {"tokenizer": "zh"}, "ter": {}}, {"case_sensitive": True})
    {'bleu': {'tokenizer': 'zh'}, 'ter': {'case_sensitive': True}}
    """
    if isinstance(metric, str):
        return {metric: dict(options)}
    own = metric if isinstance(metric, Mapping) else {}
    names = list(metric) if isinstance(metric, (Mapping, list, tuple)) else []
    if not names or len({*names}) < len(names):
        fail(TypeError, "metric", "a name, a list of different names, or a dict from names to options", shown(metric))
    scores = {name: None if name in METRICS else score_named(name) for name in names}
    known = {
        name: {*(METRICS[name] if score is None else score.measure).option_names()} - {*(score.fixed if score else ())}
        for name, score in scores.items()
    }
    refuse_unknown(options, [*dict.fromkeys(one for of_one in known.values() for one in of_one)], "any of the metrics")
    shared = {name: {one: value for one, value in options.items() if one in known[name]} for name in names}
    return {name: {**shared[name], **own.get(name, {})} for name in names}


def refuse_same_keys(measures: Iterable[tuple[str, Measure]], argument: str) -> None:
    """Refuse metrics, with their names, of which two have a key in common."""
    seen: set[str] = set()
    for metric, measure in measures:
        keys = {*asked_of(measure, metric)}
        if seen & keys:
            fail(ValueError, argument, "metrics with different keys", f"{', '.join(sorted(seen & keys))} twice")
        seen |= keys


def asked_of(measure: Measure, metric: str) -> tuple[str, ...]:
    """Return the keys of the scores that `metric` names: one score, or all scores of a metric.

    Examples
    --------
    >>> [asked_of(METRICS["token_f1"](), name) for name in ("exact_match", "token_f1")]
    [('exact_match',), ('precision', 'recall', 'f1', 'exact_match')]
    """
    return measure.score_names if metric in METRICS else (score_named(metric).key,)


def only_asked(result: Mapping[str, Any], measure: Measure, metric: str) -> dict[str, Any]:
    """Return a result without the scores, and their intervals, that `asked_of` does not return."""
    others = {*measure.score_names} - {*asked_of(measure, metric)}
    key = "confidence_intervals"
    kept = {name: value for name, value in result.items() if name not in others}
    return kept | ({key: only_asked(result[key], measure, metric)} if others and key in result else {})


def start_with_reports(metric: Any, options: Mapping[str, Any]) -> tuple[Measure, dict[str, Any]]:
    """Return an empty accumulator and the options of its `score`; refuse those that need segments."""
    empty = start_measure(metric, {})
    names = {one.name for one in options_of(empty.reports_type)}
    reports = {name: value for name, value in options.items() if name in names}
    measure = start_measure(metric, {name: value for name, value in options.items() if name not in names})
    asked = measure.reports_type(**reports)
    refuse_idle(reports, asked.idle())
    measure.refuse_unsummed(asked)
    return measure, reports
