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
from ..columns import Corpus, without_references
from ..options import options_of
from .files import STDIN
from .interrupts import quiet_imports
from .messages import bars_on_terminals, refusals, refuse
from .metric import Metric
from .segments import SQUAD, Segments, Sides, all_texts, joined_segments

if TYPE_CHECKING:
    from ..measures.measure import Measure
    from ..measures.sums import RunningScore
    from ..plain import Texts


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
        keys = [key for key in named.values() if key in measure.score_names] or [*self.keys(measure).values()]
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
    typed : sequence of str
        The requested scores in the order of the line.
    """

    chosen: Sequence[Scoring]
    names: Sequence[str]
    sides: Sides
    typed: Sequence[str] = ()

    def check(self, output: str | None) -> None:
        """Refuse what cannot be scored, before any file is opened."""
        sides = self.sides
        if sides.kind == SQUAD and not all(one.metric.measure.has_references for one in self.chosen):
            refuse("--format squad is for metrics with references")
        if sides.kind == SQUAD and sides.bad.is_skipped:
            refuse("--skip-bad has no effect with --format squad, whose rows are matched by their ids")
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


def count(
    request: Request, accumulators: Sequence[Sequence[Measure | RunningScore]], documents: list[str] | None = None,
    ids: list[Any] | None = None,
) -> None:  # fmt: skip
    """Add the segments of every system to its accumulators, block by block; `documents` and `ids` get theirs.

    A metric without references, or one that needs all segments, gets all at once: a language model batches texts by
    their length, and shows a bar of its own.
    """
    gathered: list[Segments] = []
    kinds = [one.metric.measure for one in request.chosen]
    whole = [kind.needs_all or not kind.has_references for kind in kinds]
    is_compared = any(kind.needs_all and kind.has_references for kind in kinds)
    for segments in with_progress(request.sides):
        for one, of_systems, is_whole in zip(request.chosen, accumulators, whole, strict=True):
            for accumulator, corpus in zip(of_systems, segments.corpora, strict=True):
                if not is_whole:
                    with refusals(one.metric.name):
                        accumulator.update_corpus(corpus)
        if any(whole):
            corpora = segments.corpora
            corpora = corpora if is_compared else [without_references(one.hypotheses) for one in corpora]
            gathered.append(segments._replace(corpora=corpora))
        if documents is not None and segments.documents is not None:
            documents += segments.documents.tolist()
        if ids is not None and segments.ids is not None:
            ids += segments.ids
    if any(whole):
        texts = joined_segments(gathered)
        for one, of_systems, is_whole in zip(request.chosen, accumulators, whole, strict=True):
            for measure, corpus in zip(of_systems, texts.corpora, strict=True):
                if is_whole:
                    with refusals(one.metric.name), bars_on_terminals():
                        _score_whole(measure, corpus, texts.prefixes)
    if notice := request.sides.bad.notice():
        click.echo(f"textgauge: {notice}", err=True)


def _score_whole(measure: Any, corpus: Corpus, prefixes: Texts | None) -> None:
    if measure.has_references:
        measure.update_corpus(corpus)
    elif prefixes is None:
        measure.update_corpus(without_references(corpus.hypotheses))
    else:
        measure.update_texts(corpus.hypotheses, prefixes=prefixes)


def with_progress(sides: Sides) -> Iterator[Segments]:
    """Yield the blocks of all files; where there are several, a terminal shows how much is read and counted."""
    progress = sides.progress()
    blocks = sides.blocks(progress)
    first = next(blocks)
    yield first
    if not progress.done < progress.size or not sys.stderr.isatty():
        yield from blocks
        return
    with click.progressbar(length=progress.size, label="scoring", file=sys.stderr) as bar:
        for segments in blocks:
            bar.update(progress.done - bar.pos)
            yield segments
        bar.update(progress.size - bar.pos)
