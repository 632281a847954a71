"""What a command line asks for: metrics with their options, the files to read; and the counting of both."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ..checks import refuse_idle
from ..options import options_of
from .files import STDIN
from .interrupts import quiet_imports
from .messages import bars_on_terminals, refusals, refuse
from .metric import Metric
from .segments import SQUAD, Segments, Sides, all_texts

if TYPE_CHECKING:
    from ..columns import Corpus
    from ..measures.measure import Measure

# Bytes of text between two steps of the progress bar; the counting needs several times as many.
CHUNK_BYTES = 1 << 22


@dataclass(frozen=True)
class Scoring:
    """The requested scores of one metric, which share an accumulator.

    Attributes
    ----------
    metric : Metric
    names : sequence of str
        The requested names, of the metric itself or of its scores.
    fixed : mapping
        The options that the names imply.
    given : mapping
        The other options.
    """

    metric: Metric
    names: Sequence[str]
    fixed: Mapping[str, Any]
    given: Mapping[str, Any]

    def keys(self, measure: Measure) -> dict[str, str]:
        """Return the key of every score by its requested name; `measure` has the options."""
        found = {name: self.metric.find(name) for name in self.names}
        if not all(found.values()):
            return {key: key for key in measure.score_names}
        return {name: score[0] for name, score in found.items() if score}

    def main_keys(self, measure: Measure, result: Iterable[str]) -> list[str]:
        """Return the keys of the main figures: the scores that have names."""
        named = measure.about.scores if self.metric.name in self.names else {}
        keys = [*named.values()] or [*self.keys(measure).values()]
        return keys + [key for key in result for name in keys if key.removeprefix(name).isdigit() and key not in keys]

    @property
    def files(self) -> list[str]:
        """The given options that name files of texts."""
        kinds = {name: one.kind for name, one in self.metric.options().items()}
        columns = [one.name for one in self.metric.measure.columns if one.kind == "words"]
        return [name for name in self.given if kinds[name] == "texts" or name in columns]

    @property
    def reports(self) -> dict[str, Any]:
        """The given options of the report."""
        known = {one.name for one in options_of(self.metric.measure.reports_type)}
        return {name: value for name, value in self.given.items() if name in known}


@dataclass(frozen=True)
class Request:
    """What a command line asks for.

    Attributes
    ----------
    chosen : sequence of Scoring
    names : sequence of str
        One for every system.
    sides : Sides
        The files to read.
    """

    chosen: Sequence[Scoring]
    names: Sequence[str]
    sides: Sides

    def check(self, output: str | None) -> None:
        """Refuse what cannot be scored, before any file is opened."""
        sides = self.sides
        if sides.kind == SQUAD and not all(one.metric.measure.has_references for one in self.chosen):
            refuse("--format squad is for metrics with references")
        paths = [*sides.systems, *sides.references, sides.documents]
        paths += [one.given[name] for one in self.chosen for name in one.files]
        check_files(paths, output)
        sides.check()

    def options(self) -> list[dict[str, Any]]:
        """Return the options of every measure; training texts of n-grams are read."""
        texts_of = partial(all_texts, kind=self.sides.kind, fields=self.sides.fields)
        every = []
        for one in self.chosen:
            beside = {*one.reports, *(option.name for option in one.metric.measure.columns)}
            given = {name: value for name, value in one.given.items() if name not in beside}
            with refusals(one.metric.name):
                learned = {name: texts_of(given[name]) for name in one.files if name in given}
                every.append({**given, **learned, **one.fixed})
        return every

    def start(self, every_options: Sequence[Mapping[str, Any]]) -> list[list[Measure]]:
        """Return an empty accumulator of every metric for every system; checks the result of `options`."""
        every = []
        for one, options in zip(self.chosen, every_options, strict=True):
            with refusals(one.metric.name), quiet_imports():
                first = one.metric.measure(**options)
                first.check_ready()
                every.append([first, *(first.without_segments() for _ in self.sides.systems[1:])])
        return every

    def reports(self) -> list[dict[str, Any]]:
        """Return the options of every metric's report; refuse those that have no effect for any of them."""
        asked = []
        for one in self.chosen:
            with refusals(one.metric.name):
                asked.append((one, one.reports, one.metric.measure.idle(one.reports)))
        needed = {name for _, reports, idle in asked for name in reports if name not in idle}
        for one, reports, idle in asked:
            with refusals(one.metric.name):
                refuse_idle(reports, {name: why for name, why in idle.items() if name not in needed})
        return [{name: reports[name] for name in reports if name not in idle} for _, reports, idle in asked]


def check_files(paths: Sequence[str | None], output: str | None) -> None:
    """Refuse standard input for two files, and an output that is standard input or one of the files to read."""
    if paths.count(STDIN) > 1:
        refuse("standard input ('-') can be read for one file only")
    if output == STDIN:
        refuse("--output: expected the name of a file, got '-'")
    for path in filter(None, paths):
        if output and os.path.exists(output) and os.path.exists(path) and os.path.samefile(output, path):
            refuse(f"--output would overwrite {path}, which is an input")


def count(chosen: Sequence[Scoring], measures: Sequence[Sequence[Measure]], segments: Segments) -> None:
    """Add the segments of every system to its accumulators."""
    for one, of_systems in zip(chosen, measures, strict=True):
        for measure, corpus in zip(of_systems, segments.corpora, strict=True):
            with refusals(one.metric.name), bars_on_terminals():
                _add(measure, corpus, segments)


def _add(measure: Any, corpus: Corpus, segments: Segments) -> None:
    if measure.has_references:
        for chunk in with_progress(corpus):
            measure.update_corpus(chunk)
    elif segments.prefixes is not None:
        measure.update_texts(corpus.hypotheses, prefixes=segments.prefixes)
    else:
        # A language model batches all texts by their length, and shows a bar of its own.
        measure.update_corpus(corpus)


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
