"""What a command line asks for: metrics with their options, the files to read; and the counting of both."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import click

from ..columns import Corpus
from ..measures.measure import Measure
from ..measures.registry import METRICS, NamedScore, scores_named
from ..options import options_of
from ..plain import Texts
from .files import STDIN
from .flags import (
    METRICS_ELSEWHERE,
    check_models,
    extra_options,
    flags_of,
    has_flag,
    is_for,
    option_names,
    refuse_foreign,
    value_of,
    with_objects,
)
from .messages import bars_on_terminals, in_flags, listed, refusals, refuse, spelled, suggestion
from .segments import SQUAD, Segments, Sides, all_texts

Result = dict[str, Any]
SEGMENT = "segment_"
# Bytes of text between two steps of the progress bar; the counting needs several times as many.
CHUNK_BYTES = 1 << 22


def metric_names() -> list[str]:
    """Return the names that -m takes, without open families such as rougeW-1.5."""
    scores = [name for measure in METRICS.values() for name in measure.named_scores() if name != "..."]
    return list(dict.fromkeys([*METRICS, *scores]))


def is_metric(name: str) -> bool:
    """Return whether a name is that of a metric or of a score."""
    return name in METRICS or any(measure.find(name) is not None for measure in METRICS.values())


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
        own = filter(has_flag, options_of(self.measure.options_type))
        with refusals(self.name, option_names()):
            read = {
                one.name: value_of(one, given[one.name])
                for one in (*own, *extra_options(self.measure))
                if one.name in given and is_for(one, given[one.name], self.name, kinds)
            }
            return {**with_objects(self.measure, read), **self.fixed}

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


def chosen_metrics(names: Sequence[str]) -> list[Chosen]:
    """Return the metrics that the names refer to, each once, in order."""
    of_measure: dict[type[Measure], list[str]] = {}
    for name in dict.fromkeys(name for given in names for name in given.split(",")):
        if name.lower() in METRICS_ELSEWHERE:
            refuse(f"there is no metric {name!r}; it is {METRICS_ELSEWHERE[name.lower()]} here")
        if not is_metric(name):
            refuse(f"there is no metric {name!r}; {suggestion(name, metric_names())}")
        of_measure.setdefault(scores_named(name)[0].measure, []).append(name)
    return [_chosen(measure, own) for measure, own in of_measure.items()]


def _chosen(measure: type[Measure], names: Sequence[str]) -> Chosen:
    scores = list({score.name: score for name in names for score in scores_named(name)}.values())
    is_whole = measure.name in names
    usual = [measure.name, *measure.also_named, *(score.name for score in scores_named(measure.name))]
    if is_whole and all(name in usual for name in names):
        return Chosen(measure, scores if measure.find(measure.name) else [], {}, is_whole)
    fixed: dict[str, Any] = {}
    for score in scores:
        for name, value in score.fixed.items():
            fixed[name] = (*fixed.get(name, ()), *value) if isinstance(value, tuple) else value
    return Chosen(measure, scores, fixed, is_whole)


def _check_flags(chosen: Sequence[Chosen], given: Mapping[str, Any]) -> None:
    """Refuse flags that have no effect."""
    refuse_foreign(given, [one.measure for one in chosen])
    for name in given:
        takers = [one for one in chosen if any(name == own.name for own in flags_of(one.measure))]
        if all(name in one.fixed for one in takers):
            fixed_by = listed([score.name for one in takers for score in one.asked])
            refuse(f"{spelled(name)} cannot be given with -m {fixed_by}, which implies it; use -m {takers[0].name}")
    for one in chosen:
        others = [flags_of(other.measure) for other in chosen if other is not one]
        check_models(one.measure, given, {own.name for options in others for own in options})


@runtime_checkable
class ReadsPrefixes(Protocol):
    """A measure that scores texts after prefixes."""

    def update_texts(self, texts: Texts, *, prefixes: Texts) -> Measure:
        """Add texts, each with its prefix."""


@dataclass(frozen=True)
class Request:
    """What a command line asks for.

    Attributes
    ----------
    chosen : sequence of Chosen
    given : dict
        The flags of metrics on the command line, as typed.
    names : sequence of str
        One for every system.
    sides : Sides
        The files to read.
    """

    chosen: Sequence[Chosen]
    given: dict[str, Any]
    names: Sequence[str]
    sides: Sides

    def check(self, output: str | None) -> None:
        """Refuse what cannot be scored, before any file is opened."""
        _check_flags(self.chosen, self.given)
        if self.sides.kind == SQUAD and not all(one.measure.is_paired for one in self.chosen):
            refuse("--format squad is for metrics with references")
        sides = self.sides
        paths = [*sides.systems, *sides.references, sides.documents, sides.prefixes, self.given.get("ngram_train")]
        if paths.count(STDIN) > 1:
            refuse("standard input ('-') can be read for one file only")
        if output == STDIN:
            refuse("--output: expected the name of a file, got '-'")
        sides.check()
        for path in (*sides.systems, *sides.references):
            if output and os.path.exists(output) and os.path.exists(path) and os.path.samefile(output, path):
                refuse(f"--output would overwrite {path}, which is an input")

    def options(self) -> list[dict[str, Any]]:
        """Return the options of every metric; training texts of n-grams are read."""
        given = dict(self.given)
        if "ngram_train" in given:
            given["ngram_train"] = all_texts(given["ngram_train"], self.sides.kind, self.sides.fields)
        return [one.options(given, self.chosen) for one in self.chosen]

    def start(self, every_options: Sequence[Mapping[str, Any]]) -> list[list[Measure]]:
        """Return an empty accumulator of every metric for every system; checks the result of `options`."""
        every = []
        for one, options in zip(self.chosen, every_options, strict=True):
            with refusals(one.name, option_names()):
                every.append([one.measure(**options) for _ in self.sides.systems])
        return every

    def reports(self) -> list[dict[str, Any]]:
        """Return the options of every metric's report; refuse those that have no effect for any of them."""
        effective: list[dict[str, Any]] = []
        idle: dict[str, str] = {}
        for one in self.chosen:
            declared = [own for own in options_of(one.measure.reports_type) if own.name in self.given]
            with refusals(one.name, option_names()):
                read = {own.name: value_of(own, self.given[own.name]) for own in declared}
                own_idle = one.measure.idle(read)
            idle |= {name: why for name, why in own_idle.items() if name in read}
            effective.append({name: value for name, value in read.items() if name not in own_idle})
        for name, why in idle.items():
            if not any(name in reports for reports in effective):
                refuse(f"{spelled(name)} has no effect {in_flags(why, option_names())}")
        return effective


def count(measures: Sequence[Sequence[Measure]], segments: Segments) -> None:
    """Add the segments of every system to its accumulators."""
    for of_systems in measures:
        for measure, corpus in zip(of_systems, segments.corpora, strict=True):
            with refusals(measure.name, option_names()), bars_on_terminals():
                _add(measure, corpus, segments.prefixes)


def _add(measure: Measure, corpus: Corpus, prefixes: Texts | None) -> None:
    if prefixes is not None and isinstance(measure, ReadsPrefixes):
        measure.update_texts(corpus.hypotheses, prefixes=prefixes)
        return
    if not measure.is_paired:
        # A language model batches all texts by their length, and shows a bar of its own.
        measure.update_corpus(corpus)
        return
    for chunk in with_progress(corpus):
        measure.update_corpus(chunk)


def with_progress(corpus: Corpus) -> Iterator[Corpus]:
    """Yield the segments in chunks; where there are several, a terminal shows how many segments are done."""
    chunks = [*corpus.chunks(CHUNK_BYTES)]
    if len(chunks) < 2 or not sys.stderr.isatty():
        yield from chunks
        return
    with click.progressbar(length=len(corpus), label="segments", show_pos=True, file=sys.stderr) as bar:
        for chunk in chunks:
            yield chunk
            bar.update(len(chunk))
