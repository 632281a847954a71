"""The metrics and their scores by name, for every face."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from ..checks import did_you_mean, fail, refuse_idle, refuse_unknown, shown
from ..locations import HOMES
from ..metric.metric import Metric, option_names, refuse_of_result
from ..options import options_of
from .accumulator import Accumulator, accumulator_of
from .calls import call_of

# One metric or score by name, several of them, or several with the options of each.
Metrics = str | Sequence[str] | Mapping[str, Mapping[str, Any]]


class _Metrics(MutableMapping[str, type[Metric]]):
    """The classes of all metrics by name; each module is imported on first use, so that a program starts quickly."""

    def __init__(self, homes: Mapping[str, str]) -> None:
        """Take the table of `locations`."""
        self._classes = dict[str, type[Metric] | str]({name: home for name, home in homes.items() if "." in home})

    def __getitem__(self, name: str) -> type[Metric]:
        found = self._classes[name]
        if isinstance(found, str):
            module, _, kind = found.partition(".")
            found = self._classes[name] = getattr(import_module(f"..measures.{module}", __package__), kind).kind
        return found

    def __setitem__(self, name: str, kind: type[Metric]) -> None:
        self._classes[name] = kind

    def __delitem__(self, name: str) -> None:
        del self._classes[name]

    def __contains__(self, name: object) -> bool:
        return name in self._classes

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes)

    def __len__(self) -> int:
        return len(self._classes)


METRICS = _Metrics(HOMES)
# What papers give a name of its own is here a metric with an option.
OF_PAPERS: Mapping[str, tuple[str, str]] = {
    "chrf+": ("chrf", "word_order=1"), "chrf++": ("chrf", "word_order=2"), "gleu": ("google_bleu", ""),
    "em": ("exact_match", ""), "f1": ("token_f1", ""), "cider-d": ("cider", ""),
    "bert": ("bertscore", ""), "bert-f1": ("bertscore", ""), "spbleu": ("sacrebleu", "tokenizer=flores200"),
    "nist": ("nist_mt", ""), "meteor-1.5": ("meteor15", ""), "competition_math": ("math_answer", ""),
}  # fmt: skip


@dataclass(frozen=True)
class NamedScore:
    """One score of one metric.

    Attributes
    ----------
    name : str
        The requested name.
    metric : class
    key : str
        The key of the score.
    fixed : mapping
        The options that the name implies.
    """

    name: str
    metric: type[Metric]
    key: str
    fixed: Mapping[str, Any] = field(default_factory=dict)

    def start(self, options: Mapping[str, Any] | None = None, spelled: str = "metric_options[{!r}]") -> Accumulator:
        """Return an empty accumulator with checked `options`, which messages spell so."""
        options = {} if options is None else options
        if not isinstance(options, Mapping) or not all(isinstance(name, str) for name in options):
            fail(TypeError, "metric_options", "a dict of options of the metric", shown(options))
        refuse_of_result(self.metric, options, spelled)
        return _started(self.metric, self.fixed, options, self.name, spelled)


def _started(
    metric: type[Metric], fixed: Mapping[str, Any], options: Mapping[str, Any], owner: str, spelled: str
) -> Accumulator:
    names = [one.name for one in options_of(metric.options_type) if one.name not in fixed]
    refuse_unknown(options, names, owner, spelled)
    # From a cache where the values of the options allow it.
    return call_of(accumulator_of(metric), owner, {**fixed, **options}).empty.without_segments()


def score_named(metric: Any, *, has_references: bool = False) -> NamedScore:
    """Return the score of a name: that of a metric, such as "chrf", or of one of its scores, such as "rougeL".

    The name of a metric with several scores refers to its headline. With `has_references` an error lists only metrics
    that have them.

    Examples
    --------
    >>> score_named("rougeL").key
    'rougeL'
    """
    if isinstance(metric, (list, tuple)):
        fail(TypeError, "metric", "one name: this call takes a single metric", shown(metric))
    if not isinstance(metric, str):
        fail(TypeError, "metric", f"one of {names_of_scores(_listed(has_references))}", shown(metric))
    # The metric of that name first: the others need not be imported.
    kind = METRICS.get(metric)
    score = None if kind is None else kind.scores.named(metric)
    if score is None:
        found = ((one, one.scores.named(metric)) for one in METRICS.values())
        kind, score = next(((one, score) for one, score in found if score is not None), (None, None))
    if metric in METRICS and score is None:
        fail(ValueError, "metric", f"one score of {metric}: {names_of_scores([METRICS[metric]])}", shown(metric))
    if kind is None or score is None:
        listed = _listed(has_references)
        names = [name for one in listed for name in one.scores.names]
        ours, option = OF_PAPERS.get(metric.lower(), ("", ""))
        hint = f"; it is {ours!r}{f' with {option}' if option else ''} here" if ours else did_you_mean(metric, names)
        fail(ValueError, "metric", f"one of {names_of_scores(listed)}", shown(metric) + hint)
    return NamedScore(metric, kind, *score)


def _listed(has_references: bool) -> list[type[Metric]]:
    return [one for one in METRICS.values() if one.inputs.has_references or not has_references]


def names_of_scores(kinds: Iterable[type[Metric]] | None = None) -> str:
    """List the names that `score_named` accepts, of some metrics or of all, for messages and help."""
    names = [name for one in kinds or METRICS.values() for name in one.scores.names]
    return ", ".join(repr(name) if name != "..." else name for name in names)


def start(metric: Any, options: Mapping[str, Any]) -> Accumulator:
    """Return an empty accumulator with all scores of a metric, or with one named score.

    Parameters
    ----------
    metric : str
        A name in `METRICS`, or the name of a score such as "rougeL".
    options : mapping
        Options of the accumulator, which are checked.

    Examples
    --------
    >>> start("rougeL", {}).update(["a b"], ["a c"]).score()
    {'rougeL': 0.5}
    """
    if isinstance(metric, str) and metric in METRICS:
        return _started(METRICS[metric], {}, options, metric, "{}")
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
        name: {*option_names(METRICS[name] if score is None else score.metric)} - {*(score.fixed if score else ())}
        for name, score in scores.items()
    }
    refuse_unknown(options, [*dict.fromkeys(one for of_one in known.values() for one in of_one)], "any of the metrics")
    shared = {name: {one: value for one, value in options.items() if one in known[name]} for name in names}
    return {name: {**shared[name], **own.get(name, {})} for name in names}


def metric_options_in(
    call: str, metric: Any, metric_options: Any, options: Mapping[str, Any], given: Mapping[str, Any] = {}
) -> Mapping[str, Any]:
    """Return the options of the metric of a call that has options of its own.

    They are `metric_options`, or else the other keywords of the call.

    Parameters
    ----------
    call : str
        Its name, for messages.
    metric : str, sequence of str, or mapping
        A name that is unknown is refused later.
    metric_options, options : mapping or None, mapping
    given : mapping
        The arguments of the call that were given and could be options of a metric. They are refused where the metric
        has an option of that name, unless `metric_options` says what is meant.

    Examples
    --------
    >>> metric_options_in("mbr", "chrf", None, {"word_order": 2}, {"weights": [1, 2]})
    {'word_order': 2}
    """
    if metric_options is not None:
        if not isinstance(metric_options, Mapping) or not all(isinstance(name, str) for name in metric_options):
            fail(TypeError, "metric_options", "a dict of options of the metric", shown(metric_options))
        for name, value in options.items():
            fail(TypeError, name, "all options of the metric in `metric_options`", shown(value))
        return metric_options
    if given and not isinstance(metric, Mapping):
        for name in [metric] if isinstance(metric, str) else metric if isinstance(metric, Sequence) else []:
            found = METRICS[name] if name in METRICS else score_named(name).metric
            for one in option_names(found):
                if one in given:
                    allowed = (
                        f"`metric_options` beside it, since {call} and {name} both have {one}: "
                        f"`metric_options={{{one!r}: ...}}` sets that of {name}, `metric_options={{}}` none"
                    )
                    fail(TypeError, one, allowed, shown(given[one]))
    return options


def refuse_same_keys(accumulators: Iterable[tuple[str, Accumulator]], argument: str) -> None:
    """Refuse metrics, with their names, of which two have a key in common."""
    seen: set[str] = set()
    for metric, accumulator in accumulators:
        keys = {*asked_of(accumulator.metric, metric)}
        if seen & keys:
            fail(ValueError, argument, "metrics with different keys", f"{', '.join(sorted(seen & keys))} twice")
        seen |= keys


def asked_of(kind: Metric, metric: str) -> tuple[str, ...]:
    """Return the keys of the scores that `metric` names: one score, or all scores of a metric.

    Examples
    --------
    >>> [asked_of(start("token_f1", {}).metric, name) for name in ("token_f1_exact_match", "token_f1")]
    [('exact_match',), ('precision', 'recall', 'f1', 'exact_match')]
    """
    return kind.scores.keys if metric in METRICS else (score_named(metric).key,)


def only_asked(result: Mapping[str, Any], kind: Metric, metric: str) -> dict[str, Any]:
    """Return a result without the scores, and their intervals, that `asked_of` does not return."""
    others = {*kind.scores.keys} - {*asked_of(kind, metric)}
    key = "confidence_intervals"
    kept = {name: value for name, value in result.items() if name not in others}
    return kept | ({key: only_asked(result[key], kind, metric)} if others and key in result else {})


def start_with_reports(
    metric: Any, options: Mapping[str, Any], *, may_draw: bool = False
) -> tuple[Accumulator, dict[str, Any]]:
    """Return an empty accumulator and the options of its `score`; refuse those that need segments.

    With `may_draw` there may be intervals.
    """
    kind = METRICS[metric] if metric in METRICS else score_named(metric).metric
    names = {one.name for one in options_of(kind.reports_type)}
    reports = {name: value for name, value in options.items() if name in names}
    started = start(metric, {name: value for name, value in options.items() if name not in names})
    asked = kind.reports_type(**reports)
    refuse_idle(reports, asked.idle())
    if reports.get("unit") is not None:
        fail(
            TypeError, "unit", "None here: the name of a column says which rows belong together", shown(reports["unit"])
        )
    drawn = ("confidence", "n_resamples", "seed") if may_draw else ()
    started.refuse_unsummed(kind.reports_type(**{name: reports[name] for name in reports if name not in drawn}))
    return started, reports
