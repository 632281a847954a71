"""The requested metrics, with their options from the command line."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from ..checks import nearest
from ..columns import Corpus
from ..measures.measure import Measure
from ..measures.registry import METRICS, NamedScore, scores_named
from ..options import options_of
from ..plain import Texts
from . import language_models
from .flags import METRICS_ELSEWHERE, flags_of, is_for, option_names, refuse_foreign, value_of
from .messages import bars_on_terminals, in_flags, listed, refusals, refuse, spelled

Result = dict[str, Any]
SEGMENT = "segment_"


def metric_names() -> list[str]:
    """Return the names that -m takes, without open families such as rougeW-1.5."""
    scores = [name for measure in METRICS.values() for name in measure.named_scores() if name != "..."]
    return list(dict.fromkeys([*METRICS, *scores]))


def is_metric(name: str) -> bool:
    """Return whether a name is that of a metric or of a score."""
    return name in METRICS or any(measure.find(name) is not None for measure in METRICS.values())


def near_metrics(name: str) -> list[str]:
    """Return the names nearest to a misspelt one."""
    return nearest(name, metric_names(), cutoff=0.7)


@dataclass(frozen=True)
class Chosen:
    """The requested scores of one metric, which share an accumulator.

    Attributes
    ----------
    measure : class
    asked : sequence of NamedScore
        Empty if the metric was named as a whole and its options decide.
    fixed : mapping
        The options that the names imply.
    is_whole : bool
        Whether the metric itself was named, not only its scores.
    """

    measure: type[Measure]
    asked: Sequence[NamedScore]
    fixed: Mapping[str, Any]
    is_whole: bool

    @property
    def name(self) -> str:
        """The name of the metric."""
        return self.measure.name

    def scores(self, measure: Measure) -> dict[str, str]:
        """Return the key of every score by its requested name; `measure` has the options."""
        if self.asked:
            return {named.name: named.key for named in self.asked}
        return {key: key for key in measure.score_names}

    def main_keys(self, measure: Measure, result: Collection[str]) -> list[str]:
        """Return the keys of the main figures: the scores that have names."""
        keys = [*self.measure.also_named.values()] if self.is_whole and self.measure.also_named else []
        keys = keys or list(self.scores(measure).values())
        orders = [key for key in result for name in keys if key.removeprefix(name).isdigit() and name != key]
        return [*keys, *(key for key in orders if key not in keys)]

    def options(self, given: Mapping[str, Any], beside: Sequence[Chosen]) -> dict[str, Any]:
        """Return the options of this metric among all flags given for the metrics `beside` it."""
        kinds = [other.measure for other in beside]
        own = {one.name: one for one in flags_of(self.measure)}
        declared = {one.name for one in options_of(self.measure.options_type) if one.kind != "python"}
        read: dict[str, Any] = {}
        with refusals(self.name, option_names()):
            for name in given.keys() & own.keys() - self.fixed.keys() - {"ngram_train"}:
                is_reported = name not in declared and name in _reported(self.measure)
                if not is_reported and is_for(own[name], given[name], self.name, kinds):
                    read[name] = value_of(own[name], given[name])
            more = language_models.made(self.measure, given, read)
        return {**self.fixed, **{name: value for name, value in read.items() if name in declared}, **more}

    def start(self, given: Mapping[str, Any], beside: Sequence[Chosen]) -> Measure:
        """Return an empty accumulator with checked options."""
        options = self.options(given, beside)
        with refusals(self.name, option_names()):
            return self.measure(**options)

    def reports(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of the report, without those that have no effect."""
        declared = [one for one in options_of(self.measure.reports_type) if one.name in given]
        with refusals(self.name, option_names()):
            read = {one.name: value_of(one, given[one.name]) for one in declared}
            idle = self.measure.idle(read)
        return {name: value for name, value in read.items() if name not in idle}

    def result(self, measure: Measure, reports: Mapping[str, Any]) -> Result:
        """Score; values per segment have keys that start with `SEGMENT`, and are there only on request."""
        with refusals(self.name, option_names()):
            result = measure.score(**reports)
        for key, new in measure.of_segments.items():
            values = result.pop(key, None)
            if reports.get("per_segment") and values is not None:
                result[new] = values
        listed_keys = [key for key in measure.score_names if _is_listed(result.get(key))]
        return {SEGMENT + key if key in listed_keys else key: value for key, value in result.items()}


def _is_listed(value: Any) -> bool:
    return isinstance(next(iter(value.values())) if isinstance(value, dict) else value, list)


def _reported(measure: type[Measure]) -> set[str]:
    return {one.name for one in options_of(measure.reports_type)}


def chosen_metrics(names: Sequence[str]) -> list[Chosen]:
    """Return the metrics that the names refer to, each once, in order."""
    of_measure: dict[type[Measure], list[str]] = {}
    for name in dict.fromkeys(names):
        of_measure.setdefault(_named(name)[0].measure, []).append(name)
    return [_chosen(measure, own) for measure, own in of_measure.items()]


def _named(name: str) -> list[NamedScore]:
    if name.lower() in METRICS_ELSEWHERE:
        refuse(f"there is no metric {name!r}; it is {METRICS_ELSEWHERE[name.lower()]} here")
    if not is_metric(name):
        near = near_metrics(name)
        hint = f"did you mean {listed(near, 'or')}?" if near else f"choose from {', '.join(metric_names())}"
        refuse(f"there is no metric {name!r}; {hint}")
    return scores_named(name)


def _chosen(measure: type[Measure], names: Sequence[str]) -> Chosen:
    scores = list({score.name: score for name in names for score in _named(name)}.values())
    is_whole = measure.name in names
    if is_whole and all(name in (measure.name, *measure.also_named, *_default_names(measure)) for name in names):
        return Chosen(measure, scores if measure.find(measure.name) else [], {}, is_whole)
    fixed: dict[str, Any] = {}
    for score in scores:
        for name, value in score.fixed.items():
            fixed[name] = (*fixed.get(name, ()), *value) if isinstance(value, tuple) else value
    return Chosen(measure, scores, fixed, is_whole)


def _default_names(measure: type[Measure]) -> list[str]:
    return [score.name for score in scores_named(measure.name)]


def check_flags(chosen: Sequence[Chosen], given: Mapping[str, Any]) -> None:
    """Refuse flags that have no effect."""
    refuse_foreign(given, [one.measure for one in chosen])
    for name in given:
        takers = [one for one in chosen if any(name == own.name for own in flags_of(one.measure))]
        if all(name in one.fixed for one in takers):
            fixed_by = listed([score.name for one in takers for score in one.asked])
            refuse(f"{spelled(name)} cannot be given with -m {fixed_by}, which implies it; use -m {takers[0].name}")
    for one in chosen:
        others = [flags_of(other.measure) for other in chosen if other is not one]
        language_models.check(one.measure, given, {own.name for options in others for own in options})


def check_reports(chosen: Sequence[Chosen], given: Mapping[str, Any]) -> None:
    """Refuse flags of the report that have no effect for any of the metrics."""
    idle: dict[str, str] = {}
    used: set[str] = set()
    for one in chosen:
        reported = _reported(one.measure) & given.keys()
        values = {own.name: own for own in options_of(one.measure.reports_type)}
        with refusals(one.name, option_names()):
            found = one.measure.idle({name: value_of(values[name], given[name]) for name in reported})
        idle |= {name: why for name, why in found.items() if name in reported}
        used |= reported - found.keys()
    for name, why in idle.items():
        if name not in used:
            refuse(f"{spelled(name)} has no effect {in_flags(why, option_names())}")


@runtime_checkable
class ReadsPrefixes(Protocol):
    """A measure that scores texts after prefixes."""

    def update_texts(self, texts: Texts, *, prefixes: Texts) -> Measure:
        """Add texts, each with its prefix."""


class Gathered:
    """An accumulator; texts of a metric without references are collected, since it takes them all at once.

    Parameters
    ----------
    measure : Measure, empty
    """

    def __init__(self, measure: Measure) -> None:
        """Start with nothing."""
        self.measure = measure
        self._corpora: list[Corpus] = []
        self._prefixes: list[Texts] = []

    def add(self, corpus: Corpus, prefixes: Texts | None = None) -> None:
        """Add segments and their prefixes."""
        if self.measure.is_paired:
            self.measure.update_corpus(corpus)
            return
        self._corpora.append(corpus)
        self._prefixes += [] if prefixes is None else [prefixes]

    def finish(self) -> Measure:
        """Return the accumulator with all segments."""
        if not self._corpora:
            return self.measure
        from .segments import joined_corpus, joined_texts

        with refusals(self.measure.name, option_names()), bars_on_terminals():
            corpus = joined_corpus(self._corpora)
            self._corpora = []
            if self._prefixes and isinstance(self.measure, ReadsPrefixes):
                self.measure.update_texts(corpus.hypotheses, prefixes=joined_texts(self._prefixes))
            else:
                self.measure.update_corpus(corpus)
        return self.measure
