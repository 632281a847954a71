"""`textgauge score`: score the outputs of one system or several."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from math import isfinite
from typing import Any, NamedTuple

import click
import numpy as np

from ..accumulation.accumulator import (
    Accumulator,
    accumulator_of,
    observed_scores,
    read_reports,
    shown_segments,
    summary_of,
)
from ..accumulation.running import RunningScore, is_function_of_sums
from ..checks import as_share, listed, printable, quantity
from ..files.lines import shown_name
from ..files.parallel import Segments, fields_of, flag_of, joined_segments
from ..input.columns import Corpus
from ..metric.metric import Metric, with_defaults
from ..metric.scores import Scores, interval_in
from ..notebook import cells_of
from ..resampling.pass_at_k import pass_at_k
from .command import TABLES_ASKED, WITH_UNITS, Once, Scoring, metric_command, score_label
from .messages import Whole, notices, refusals, refuse
from .output import ROWS, last_suffix, write_rows, writing
from .request import Extras, Request, asked_by, count, request_of
from .samples import measured, request_of_samples
from .sheet import Figure, Numbers, Sheet, Table, wrapped_notes

_EXAMPLES = """\
textgauge score hyp.txt -r ref.txt
textgauge score hyp.txt -r ref1.txt -r ref2.txt --confidence 0.95
textgauge score hyp.txt -r ref.txt -m bleu chrf word_order=2 ter --lowercase
textgauge score a.txt b.txt -r ref.txt -m sacrebleu chrf --table latex
textgauge score rows.jsonl -o scores.csv --keep id
textgauge score rows.jsonl -m exact_match --pass-at 1 10 --unit-field problem
"""


# The keys of values per segment in a result begin with it.
SEGMENT = "segment_"


class MetricResult(NamedTuple):
    """The result of one metric; `passed` has the results of `pass_at_k` by the names of scores."""

    chosen: Scoring
    accumulator: Accumulator
    result: dict[str, Any]
    numbers: Numbers
    passed: Mapping[str, dict[str, Any]] = {}
    blank: Mapping[str, int] = {}

    def main(self) -> dict[str, list[Figure]]:
        """Return the main figures by key, those of scores that have a name, and details that were asked for.

        A score with parts, such as precision, has several.
        """
        keys = [score.key for score in self.accumulator.metric.scores if score.name] if self.chosen.is_whole else []
        keys = keys or [*self.chosen.keys(self.accumulator).values()]
        keys += [key for key in self.result for name in keys if key.removeprefix(name).isdigit() and key not in keys]
        keys += [key for key in self.result if key in self.accumulator.metric.scores.details]
        main = self.accumulator.metric.scores.headline
        intervals = {main: self.result.get("confidence_interval"), **self.result.get("confidence_intervals", {})}
        figures = {}
        for key in keys:
            value, bounds = self.result[key], intervals.get(key)
            parts, of_parts = (value, bounds or {}) if isinstance(value, dict) else ({"": value}, {"": bounds})
            figures[key] = [self.numbers.figure(parts[part], of_parts.get(part)) for part in parts]
        return figures

    def segments(self) -> dict[str, list[str]]:
        """Return the scores of segments that the result has, formatted, by name."""
        columns: dict[str, list[str]] = {}
        for key, value in self.result.items():
            if not key.startswith(SEGMENT):
                continue
            parts = {f".{part}": value[part] for part in value} if isinstance(value, dict) else {"": value}
            columns |= {key.removeprefix(SEGMENT) + part: [*map(self.numbers.text, parts[part])] for part in parts}
        return columns


@metric_command(_EXAMPLES, WITH_UNITS, has_reports=True, takes_samples=True)
@click.option("--keep", multiple=True, metavar="NAME", help="Column to keep in the rows of -o.")
@click.option("--confusions", type=Whole(1), metavar="N",
              help="N edits of each kind, or 10.")  # fmt: skip
@click.option("--worst", type=Whole(1), metavar="N", help="N worst segments, with texts.")
@click.option("--pass-at", multiple=True, type=int, metavar="K", help="pass@K and pass^K of units, K ...")
@click.option("--threshold", cls=Once, type=float, metavar="X", help="Scores of X or more pass.")
@click.option("--fail-under", multiple=True, metavar="X",
              help="Exit with 1 if worse than X, or NAME=X ...")  # fmt: skip
def score(context: click.Context, /, **options: Any) -> None:
    """Score files of predictions, a system each, against references.

    Files have a segment per line, or columns (JSON, CSV, TSV, Parquet). -o FILE writes
    what is printed; .csv, .json, .jsonl, .parquet a row per segment. The exit code is 1
    if --fail-under says so, 2 after errors.
    """
    has_rows = last_suffix(options["output"]) in ROWS and not options["as_json"]
    asked = asked_by(context, options)
    is_sampled = not all([scoring.metric.inputs.is_paired for scoring in asked[0]])
    request = (request_of_samples if is_sampled else request_of)(context, options, asked=asked)
    bounds = _bounds(request, options["fail_under"]) if options["fail_under"] else {}
    _check(request, options, has_rows=has_rows)
    with notices():
        rows = SegmentRows(context, options["output"], len(request.names)) if has_rows else None
        systems, numbers, extras = (_sampled if is_sampled else _results)(request, options, rows)
        if rows is not None:
            rows.check(request.files.keep, systems)
        is_one_table = bool(context.meta[TABLES_ASKED])
        sheet = _sheet(request, options, systems, numbers, is_one_table=is_one_table)
        corpora = joined_segments(extras.texts).corpora if extras.texts else []
        texts = [*sheet.texts]
        texts += _confusions(request.names, corpora, systems, options["confusions"]) if options["confusions"] else []
        texts += _worst(request, corpora, systems, options["worst"], numbers) if options["worst"] else []
        passed = _passed(request, systems, options) if options["pass_at"] else ()
        sheet = Sheet([*sheet.tables, *passed], sheet.page, texts=texts)
    if rows is not None:
        every = partial(rows.blocks, request.names, systems, numbers, extras.ids or request.files.bad.ids_of_left())
        write_rows(options["output"], every, options["width"], options["keep"])
    sheet.show({**options, "output": None if has_rows else options["output"]})
    worse = [*_worse(request, systems, bounds)] if bounds else []
    for line in worse:
        click.echo(f"textgauge: {line}", err=True)
    if worse:
        context.exit(1)


def _check(request: Request, options: Mapping[str, Any], *, has_rows: bool) -> None:
    """Refuse options that exclude each other, before any file is opened."""
    report_names = {name for scoring in request.chosen for name, value in scoring.reports.items() if value}
    if options["brief"]:
        for name in ("signature", "counts"):
            if name in report_names:
                refuse(f"--brief cannot be given with {flag_of(name)}")
        if {"confidence", "per_segment"} <= report_names:
            refuse("--brief cannot be given with both --confidence and --per-segment")
    for name in (name for scoring in request.chosen for name in scoring.reports) if has_rows else ():
        if name != "per_segment":
            refuse(f"{flag_of(name)} has no effect on the scores of segments, which {options['output']} is for")
    for flag in ("confusions", "worst"):
        if options[flag] and (options["brief"] or options["as_json"] or options["paper"]):
            refuse(f"--{flag} is printed below a table of scores: it cannot be given with --brief, --json or --table")
    check_percent(options, has_rows=has_rows)
    if options["confusions"]:
        from ..explanation.explainer import explainer_class

        if not any(explainer_class(scoring.metric).has_confusions for scoring in request.chosen):
            refuse("--confusions is for a metric that counts edits, such as -m wer")
    for name in ("units", "unit_field"):
        if options[name] and not ("confidence" in report_names or options["pass_at"]):
            refuse(f"{flag_of(name)} has no effect without --confidence or --pass-at")
    if options["pass_at"] and not (options["units"] or options["unit_field"]):
        refuse("--pass-at needs the problem of every sample: --unit-field NAME, or --units FILE")
    if options["pass_at"] and (has_rows or options["paper"]):
        refuse(f"--pass-at is of problems: it cannot be given with {'--table' if options['paper'] else '-o of rows'}")
    if options["threshold"] is not None and not options["pass_at"]:
        refuse("--threshold has no effect without --pass-at")
    if options["keep"] and not has_rows:
        refuse(f"--keep is for rows per segment: it needs -o with a name that ends in {listed(ROWS, 'or')}")
    if len(files := request.files.systems) > 1:
        for column in fields_of(request.files.fields, "prediction_field"):
            if column.name in options["keep"]:
                refuse(
                    f"--keep {column.name}: rows of all systems would have the predictions of {shown_name(files[0])}"
                )
    if len(request.names) > 1 and not (has_rows or options["as_json"]):
        for name in (name for name in ("per_segment", "counts") if name in report_names):
            refuse(
                f"{flag_of(name)} of several systems needs --json, or -o with a name that ends in {listed(ROWS, 'or')}"
            )


def _confusions(
    names: Sequence[str], corpora: Sequence[Corpus], systems: Sequence[Sequence[MetricResult]], n_most: int
) -> Iterator[str]:
    """Yield a table of the most frequent edits for every system, metric and kind."""
    from ..explanation.explainer import explainer_of

    for name, corpus, scored in zip(names, corpora, systems, strict=True):
        for metric, title in ((result.accumulator.metric, result.chosen.title) for result in scored):
            for kind, counts in explainer_of(metric).confusions(corpus).items():
                of_system = f" of {name}" if len(names) > 1 else ""
                lines = [f"{n:6,}  {printable(edit)}" for edit, n in counts.most_common(n_most)]
                direction = " (reference → prediction)" if any(" → " in edit for edit in counts) else ""
                yield "\n".join((f"{title}, {kind}{direction}{of_system}: {counts.total():,}", *lines))


def _worst(
    request: Request, corpora: Sequence[Corpus], systems: Sequence[Sequence[MetricResult]], n_most: int,
    numbers: Sequence[int],
) -> Iterator[str]:  # fmt: skip
    """Yield the worst segments of every system by every metric, with their texts."""
    names, ids = request.names, request.files.bad.ids_of_left()
    for name, corpus, scored in zip(names, corpora, systems, strict=True):
        for result in scored:
            metric = result.accumulator.metric
            main = metric.scores.of(metric.scores.headline)
            keys = result.chosen.keys(result.accumulator)
            keys = {main.name + result.chosen.brackets: main.key} if result.chosen.is_whole else keys
            for label, key in keys.items():
                scores, score = shown_segments(result.accumulator)[key], metric.scores.of(key)
                order = np.argsort(scores if score.higher_is_better else -scores, kind="stable")[:n_most]
                of_system = f" of {name}" if len(names) > 1 else ""
                lines = [f"{label}, worst segments{of_system}"]
                for i in order.tolist():
                    place = f"id {printable(ids[i])}" if ids else f"segment {numbers[i]}"
                    lines.append(f"{place}: {result.numbers.text(float(scores[i]))}")
                    lines += [f"  {side:<11}{printable(text) or '(empty)'}" for side, text in _sides(corpus, i)]
                yield "\n".join(lines)


def _sides(corpus: Corpus, segment: int) -> Iterator[tuple[str, str]]:
    """Yield the texts of a segment by their role."""
    yield "prediction", corpus.hypotheses[segment]
    first, end = corpus.reference_offsets[segment : segment + 2].tolist()
    yield from (("reference", corpus.references[i]) for i in range(first, end))
    if corpus.sources is not None:
        yield "source", corpus.sources[segment]


def _pass_at(
    chosen: Scoring, accumulator: Accumulator, unit: Any, options: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return pass@k of the named scores, whose units are problems; intervals where metrics have them."""
    columns, scale = accumulator.segment_columns(), accumulator.metric.scores.scale
    passed: dict[str, dict[str, Any]] = {}
    drawn: dict[str, Any] = {name: chosen.reports.get(name) for name in ("confidence", "n_resamples", "seed")}
    for name, key in chosen.keys(accumulator).items():
        if not accumulator.metric.scores.of(key).higher_is_better:
            refuse(f"--pass-at is for scores of which higher ones are better, not {name}")
        top = accumulator.metric.scores.of(key).largest * scale if accumulator.metric.scores.of(key).is_binary else 1.0
        if options["threshold"] is None and not np.isin(columns[key] / top, (0, 1)).all():
            refuse(f"{name} is not 0 or 1 for every segment: --threshold X says from which score on one is right")
        with refusals(name):
            passed[name] = pass_at_k(
                columns[key] / top, unit, options["pass_at"], threshold=options["threshold"], **drawn
            )
    return passed


def _passed(request: Request, systems: Sequence[Sequence[MetricResult]], options: Mapping[str, Any]) -> Iterator[Table]:
    """Yield a table of pass@k for every system and score; bare numbers of it stand in one line."""
    for system, scored in zip(request.names, systems, strict=True):
        for result, name in ((of_metric, name) for of_metric in scored for name in of_metric.passed):
            shares = result.passed[name]
            numbers = Numbers.of(1, options["width"], as_percent=options["percent"])
            level = result.chosen.reports.get("confidence")
            bounds = shares.get("confidence_intervals", {})
            figures = {
                key: numbers.figure(shares[key], bounds.get(key)) for key in shares if key != "confidence_intervals"
            }
            title = f"{name} of problems" + (f", {system}" if len(systems) > 1 else "")
            table = Table(title, ["score"], f"{100 * (level or 0):g}% interval")
            if options["brief"]:
                table.add(*figures.values())
            else:
                for key, figure in figures.items():
                    table.add(key, figure)
            yield table


def _bounds(request: Request, typed: Sequence[str]) -> dict[str, float]:
    """Return the bounds of --fail-under by the names of scores; a number alone is that of the only score."""
    bounds: dict[str, float] = {}
    names = [name for scoring in request.chosen for name in scoring.labels]
    for word in typed:
        name, equals, value = word.rpartition("=")
        try:
            bound = float(value)
        except ValueError:
            refuse(f"--fail-under: expected a number, or NAME=NUMBER, got {word!r}")
        if not isfinite(bound):
            refuse(f"--fail-under: expected a finite number, got {value}")
        if not equals:
            name = names[0]
            if len(names) > 1 or not request.chosen[0].named(name):
                refuse(f"--fail-under is for one score, not {listed(names)}: name one with -m, or give NAME=X of each")
        name = score_label(name)
        if name in bounds:
            refuse(f"--fail-under has {name} twice")
        owner = next((scoring for scoring in request.chosen if scoring.named(name)), None)
        if owner is None:
            refuse(f"--fail-under: {name} is no score of {listed(names)}")
        # Only the lower end of a scale depends on options.
        scores = with_defaults(owner.metric).scores if bound >= 0 else _with_options(owner).scores
        _check_bound(scores, name.removesuffix(owner.brackets), bound)
        bounds[name] = bound
    return bounds


def _with_options(chosen: Scoring) -> Metric:
    """Return a metric with the options of the line, but for files that are not read yet."""
    options = {name: value for name, value in {**chosen.options, **chosen.fixed}.items() if name not in chosen.files}
    with refusals(chosen.metric.name):
        return accumulator_of(chosen.metric)(**options).metric


def _check_bound(scores: Scores, name: str, bound: float) -> None:
    """Refuse a bound outside the scale of a score, which always holds or never does."""
    key = (scores.named(name) or ("",))[0]
    # A type that no metric lists, such as rouge7, is as the others.
    score = next((candidate for candidate in scores if candidate.key == key), scores[0])
    if score.perfect is None and not isfinite(score.largest):
        return
    # A rate of errors may exceed that of a text without a right word, but no bound is so bad.
    highest = (score.largest if isfinite(score.largest) else 1.0) * scores.scale
    lowest = score.least * scores.scale
    if not lowest <= bound <= highest:
        hint = as_share(bound) if highest == 1 else ""
        refuse(f"--fail-under: expected a bound from {lowest:g} to {highest:g} for {name}, got {bound:g}{hint}")


def _results(
    request: Request, options: Mapping[str, Any], rows: SegmentRows | None
) -> tuple[list[list[MetricResult]], Sequence[int], Extras]:
    """Return the results of every system by metric, the numbers of the segments, and their other columns."""
    # Tables say what they show. Rows have the scores of segments.
    reports = []
    for typed in request.reports():
        reports.append(typed if options["brief"] or options["as_json"] else {"signature": True, **typed})
        if rows is not None:
            reports[-1].pop("per_segment", None)
    started: list[list[Accumulator | RunningScore]] = []
    keeps_segments = options["worst"] is not None or bool(options["pass_at"])
    keeps_texts = options["worst"] is not None or options["confusions"] is not None
    for accumulators, own_reports in zip(request.start(request.options(), only_scores=False), reports, strict=True):
        with refusals(accumulators[0].metric.name):
            is_sum = (
                is_function_of_sums(accumulators[0], read_reports(accumulators[0], own_reports)[0])
                and not keeps_segments
            )
        keeps_latest = rows is not None
        started.append(
            [
                RunningScore(accumulator, keeps_latest=keeps_latest) if is_sum else accumulator
                for accumulator in accumulators
            ]
        )
    after = None if rows is None else partial(rows.add, started)
    extras = count(request, started, keeps_texts=keeps_texts, after=after)
    has_interval = any([own_reports.get("confidence") is not None for own_reports in reports])
    unit = extras.unit(request) if has_interval or options["pass_at"] else None
    systems = []
    for i, of_system in enumerate(zip(*started, strict=True)):
        scored = []
        for chosen, running, own_reports in zip(request.chosen, of_system, reports, strict=True):
            accumulator = running.of_sums() if isinstance(running, RunningScore) else running
            drawn = {"unit": unit} if unit is not None and own_reports.get("confidence") is not None else {}
            with refusals(accumulator.metric.name):
                result = result_of(accumulator, {**own_reports, **drawn})
            passed = _pass_at(chosen, accumulator, unit, options) if options["pass_at"] else {}
            form = number_format(accumulator.metric, options)
            scored.append(MetricResult(chosen, accumulator, result, form, passed, extras.blank[i]))
        systems.append(scored)
    n = len(systems[0][0].accumulator)
    # Where only sums are kept, millions of segments take no memory.
    if rows is None and request.files.bad.skipped and all(isinstance(one, RunningScore) for one in chain(*started)):
        return systems, range(1, n + 1), extras
    return systems, request.files.bad.numbers(n), extras


def _sampled(
    request: Request,
    options: Mapping[str, Any],
    rows: SegmentRows | None,  # noqa: ARG001
) -> tuple[list[list[MetricResult]], Sequence[int], Extras]:
    """Return the results of every system by a metric of two samples, which have no segments."""
    [chosen], [reports] = request.chosen, request.reports()
    systems = []
    for accumulator in measured(request, options):
        with refusals(accumulator.metric.name):
            is_table = not (options["brief"] or options["as_json"])
            result = result_of(accumulator, {"signature": True, **reports} if is_table else reports)
        systems.append([MetricResult(chosen, accumulator, result, number_format(accumulator.metric, options))])
    return systems, range(0), Extras([], [], [], defaultdict(Counter), [])


def _sheet(
    request: Request, options: Mapping[str, Any], systems: Sequence[Sequence[MetricResult]], numbers: Sequence[int],
    *, is_one_table: bool,
) -> Sheet:  # fmt: skip
    """Return the results in the form that the options choose."""
    if options["as_json"]:
        return Sheet([], _page(request, options, systems))
    columns = [column for result in systems[0] for column in result.segments().items()]
    if columns and (options["paper"] or len(systems) > 1):
        what = "--table is" if options["paper"] else "a table of several systems is"
        refuse(f"{what} for scores of the corpus, not for those of segments")
    if options["brief"]:
        if not columns:
            return Sheet([_brief(systems, request.typed)])
        rows = zip(*(texts for _, texts in columns), strict=True)
        return Sheet([], texts=["\n".join(map("\t".join, rows))])
    if options["paper"] or len(systems) > 1:
        table = _systems_table(request.names, systems)
        return Sheet([table if options["paper"] or options["output"] else table.turned()])
    if is_one_table and not columns:
        return Sheet([_one_table(systems[0], request.names[0])])
    tables = _tables(systems[0], request.names[0] if options["names"] else "")
    return Sheet(tables, texts=[_segments_text(columns, request.files.bad.ids_of_left() or numbers)] if columns else [])


def _page(request: Request, options: Mapping[str, Any], systems: Sequence[Sequence[MetricResult]]) -> dict[str, Any]:
    """Return what JSON has: one system, or a list of several."""
    accumulator = systems[0][0].accumulator
    about = {f"{_unit(accumulator)}s": len(accumulator), "skipped": request.files.bad.n_skipped}
    about = {key: value for key, value in about.items() if value}
    is_one = len(systems) == 1
    every: list[dict[str, Any]] = [
        {
            **({"system": name} if options["names"] or not is_one else {}),
            **(about if is_one else {}),
            "metrics": {result.chosen.title: result.result for result in scored},
            **({"pass_at": dict(chain(*(result.passed.items() for result in scored)))} if options["pass_at"] else {}),
        }
        for name, scored in zip(request.names, systems, strict=True)
    ]
    return every[0] if is_one else {**about, "systems": every}


def _worse(request: Request, systems: Sequence[Sequence[MetricResult]], bounds: Mapping[str, float]) -> Iterator[str]:
    """Yield a sentence about every system with a score that is worse than its bound, or is no number."""
    for system, scored in zip(request.names, systems, strict=True):
        for name, bound in bounds.items():
            result = next(result for result in scored if result.chosen.named(name))
            key = result.chosen.named(name)
            scores = observed_scores(result.accumulator)
            if key not in scores:
                refuse(f"--fail-under: {name} is no score of {listed([*scores])}")
            value = float(scores[key])
            if not (value >= bound if result.accumulator.metric.scores.of(key).higher_is_better else value <= bound):
                near = result.numbers.text(value) == result.numbers.text(bound)
                rounded = result.numbers.text(value), f"{bound * result.numbers.factor:g}"
                numbers = (repr(value), repr(bound)) if near else rounded
                yield f"{system}: {name} {numbers[0]} is worse than {numbers[1]}"


def check_percent(options: Mapping[str, Any], *, has_rows: bool = False) -> None:
    """Refuse --percent for what programs read."""
    if options["percent"] and (options["as_json"] or has_rows):
        refuse("--percent is for what people read: JSON and rows have the scores as they are")


def number_format(metric: Metric, options: Mapping[str, Any]) -> Numbers:
    """Return the format of the scores of a metric; --percent is for shares and rates, whose perfect score is 0 or 1."""
    score = metric.scores.of(metric.scores.headline)
    has_scale = score.perfect is not None and score.largest in (1.0, float("inf"))
    return Numbers.of(metric.scores.top, options["width"], as_percent=options["percent"] and has_scale)


def _segments(accumulator: Accumulator, blank: Mapping[str, int] = {}) -> str:
    """Return the number of segments, or of texts in two samples, and those of each side without any text."""
    told = quantity(len(accumulator), _unit(accumulator))
    for side, n in blank.items():
        told += f", {quantity(n, f'empty {side}')}" if n else ""
    return told


def _unit(accumulator: Accumulator) -> str:
    return "segment" if accumulator.metric.inputs.is_paired else "text"


def result_of(accumulator: Accumulator, reports: Mapping[str, Any]) -> dict[str, Any]:
    """Score; values per segment have keys that start with `SEGMENT`, and are there only on request."""
    result = accumulator.score(**reports)
    for key, new in accumulator.metric.scores.lists.items():
        values = result.pop(key, None)
        if reports.get("per_segment") and values is not None:
            result[new] = values
    named = dict[str, Any]()
    for key, value in result.items():
        first = next(iter(value.values()), None) if isinstance(value, dict) else value
        is_list = isinstance(first, list) and key in accumulator.metric.scores.keys
        named[SEGMENT + key if is_list else key] = value
    return named


class SegmentRows:
    """Rows of segments, set aside in a file as they are scored: what is large is in memory block by block.

    Scores of a metric that needs all segments are in its accumulator.

    Parameters
    ----------
    context : click.Context
    output : str
        The file of which the rows are; what is set aside is beside it, and goes away with the program.
    n_systems : int
    """

    def __init__(self, context: click.Context, output: str, n_systems: int) -> None:
        """Start without rows; the end of the command closes the files."""
        # Imported here: most calls write no rows.
        import tempfile

        folder = os.path.dirname(os.path.realpath(output))
        with writing("--output", output):
            self._files = [
                context.with_resource(tempfile.TemporaryFile(dir=folder))  # noqa: SIM115 (the context closes it)
                for _ in range(n_systems)
            ]

    def add(self, accumulators: Sequence[Sequence[Accumulator | RunningScore]], segments: Segments) -> None:
        """Add the kept columns and the scores of segments that were counted last."""
        import pickle

        kept = {name: [*values] for name, values in segments.kept.items()}
        for file, of_system in zip(self._files, zip(*accumulators, strict=True), strict=True):
            latest = [
                accumulator.latest if isinstance(accumulator, RunningScore) else None for accumulator in of_system
            ]
            scores = [None if accumulator is None else accumulator.segment_columns() for accumulator in latest]
            pickle.dump((len(segments.corpora[0]), kept, scores), file, pickle.HIGHEST_PROTOCOL)

    def check(self, keep: Sequence[str], systems: Sequence[Sequence[MetricResult]]) -> None:
        """Refuse to keep columns with the names of others."""
        names = [name for of_metric in _names_of_segments(systems[0]) for name in of_metric.values()]
        for name in keep:
            if name in ("system", "segment", *names):
                refuse(f"--keep {name}: the rows have a column of that name")

    def blocks(
        self, names: Sequence[str], systems: Sequence[Sequence[MetricResult]], numbers: Sequence[int],
        ids: Sequence[Any],
    ) -> Iterator[dict[str, Sequence[Any]]]:  # fmt: skip
        """Yield the columns of consecutive rows: system by system, if there are several."""
        import pickle

        for file, system, scored in zip(self._files, names, systems, strict=True):
            first = 0
            end = file.seek(0, os.SEEK_END)
            file.seek(0)
            of_names, whole = _names_of_segments(scored), dict[int, Mapping[str, Any]]()
            while file.tell() < end:
                n, kept, scores = pickle.load(file)  # noqa: S301 (our own, in a file without a name)
                rows = slice(first, first + n)
                columns: dict[str, Sequence[Any]] = {"system": [system] * n} if len(systems) > 1 else {}
                columns["segment"] = numbers[rows]
                columns |= {"id": ids[rows]} if ids else {}
                columns |= {name: [*map(json.loads, values)] for name, values in kept.items()}
                for i, (result, own, in_block) in enumerate(zip(scored, of_names, scores, strict=True)):
                    if in_block is None and i not in whole:
                        whole[i] = result.accumulator.segment_columns()
                    for key, name in own.items():
                        columns[name] = (whole[i][key][rows] if in_block is None else in_block[key]).tolist()
                yield columns
                first += n


def _names_of_segments(scored: Sequence[MetricResult]) -> list[dict[str, str]]:
    """Return the columns of the requested scores by key for each metric; its name and options tell like ones apart."""
    every = []
    for result in scored:
        keys = [*result.chosen.keys(result.accumulator).values()]
        keys = [*result.accumulator.metric.scores.keys] if result.chosen.is_whole else keys
        every.append((result.chosen, keys))
    metrics_of: dict[str, set[str]] = defaultdict(set)
    for chosen, keys in every:
        for key in keys:
            metrics_of[key].add(chosen.metric.name)
    n_alike = Counter(key for _, keys in every for key in keys)
    return [
        {
            key: (f"{chosen.metric.name}.{key}" if len(metrics_of[key]) > 1 else key)
            + chosen.brackets * (n_alike[key] > 1)
            for key in keys
        }
        for chosen, keys in every
    ]


def _systems_table(names: Sequence[str], systems: Sequence[Sequence[MetricResult]]) -> Table:
    """Return a row for every system with the main scores of every metric and their intervals."""
    blank = [(name, scored[0].blank.get("prediction")) for name, scored in zip(names, systems, strict=True)]
    empty = ", ".join(f"{name} {n:,}" for name, n in blank if n)
    references = {"reference": systems[0][0].blank.get("reference", 0)}
    below = [_segments(systems[0][0].accumulator, references), *([f"empty predictions: {empty}"] if empty else [])]
    every = [_main(scored) for scored in systems]
    table = Table("system", [head for head, _ in every[0]], below=[*below, *_signatures(systems[0])])
    for name, main in zip(names, every, strict=True):
        table.add(name, *(figure for _, figure in main))
    return table


def _main(scored: Sequence[MetricResult]) -> list[tuple[str, Figure]]:
    """Return the main scores of all metrics, each with its head."""
    every = [(key, result, figures) for result in scored for key, figures in result.main().items()]
    heads = paper_heads([(key + result.chosen.brackets, result.accumulator.metric) for key, result, _ in every])
    main = []
    for head, (_, result, figures) in zip(heads, every, strict=True):
        parts = summary_of(result.accumulator, result.result).heads[-len(figures) :] if len(figures) > 1 else [""]
        main += [(f"{head} {part}".rstrip(), figure) for part, figure in zip(parts, figures, strict=True)]
    return main


def _signatures(scored: Sequence[MetricResult]) -> list[str]:
    """Return the signature of every metric."""
    signed = {result.chosen.title: result.result["signature"] for result in scored}
    return [f"{name}: {text}" if len(signed) > 1 else text for name, text in signed.items()]


def _one_table(scored: Sequence[MetricResult], name: str) -> Table:
    """Return the main scores of all metrics of a system, a score per line, with their intervals."""
    below = [_segments(scored[0].accumulator, scored[0].blank), *_signatures(scored)]
    table = Table(name, ["score"], _interval_head(scored[0]), below)
    for row in _main(scored):
        table.add(*row)
    return table


def _interval_head(result: MetricResult) -> str:
    level = result.chosen.reports.get("confidence")
    return "" if level is None else f"{100 * level:g}% interval"


def paper_heads(scores: Sequence[tuple[str, Metric]]) -> list[str]:
    """Return the heads of columns of scores, given by key or name: as papers call them, an arrow if lower is better.

    Where two have one head, the name and its options tell them apart.
    """
    known = []
    for name, metric in scores:
        label, _, options = name.partition("(")
        key = (metric.scores.named(label) or (label,))[0]
        # Details, and scores of a single order, have no name.
        score = next((score for score in metric.scores if score.key == key), None)
        head = key if key.startswith(metric.name) else f"{metric.about.title} {key}"
        head = head if score is None else score.in_papers or metric.about.explain(key).title
        known.append((head, key, options, score))
    # Of a single metric only options differ.
    plain = [(head, key) for head, key, *_ in known]
    heads = [
        f"{head} ({options}" if options and plain.count((head, key)) > 1 else head for head, key, options, _ in known
    ]
    for head in {head for head in heads if heads.count(head) > 1}:
        names = [name for own, (name, _) in zip(heads, scores, strict=True) if own == head]
        # Two metrics may have scores of one name, as those of SQuAD.
        heads = [
            f"{own} ({name if names.count(name) == 1 else metric.name})" if own == head else own
            for own, (name, metric) in zip(heads, scores, strict=True)
        ]
    is_lower = [score is not None and not score.higher_is_better for *_, score in known]
    return [f"{head} ↓" if lower else head for head, lower in zip(heads, is_lower, strict=True)]


def _brief(systems: Sequence[Sequence[MetricResult]], typed: Sequence[str]) -> Table:
    """Return the scores in the order in which -m names them, a line each; of several systems a line for each."""
    table = Table("", [])
    for scored in systems:
        placed = []
        for result in scored:
            names = {key: name for name, key in result.chosen.keys(result.accumulator).items()}
            for key, figures in result.main().items():
                scores = result.accumulator.metric.scores
                if key in scores.keys and key not in names and scores.named(result.accumulator.metric.name):
                    continue  # beside the score that has the name of the metric
                known = (names.get(key), result.chosen.title, *result.chosen.labels)
                placed.append((next(typed.index(name) for name in known if name in typed), figures))
        rows = [figures for _, figures in sorted(placed, key=lambda row: row[0])]
        for figures in rows if len(systems) == 1 else [[*chain(*rows)]]:
            table.add(*figures)
    return table


def _tables(scored: Sequence[MetricResult], name: str) -> list[Table]:
    titles = [result.accumulator.metric.about.title for result in scored]
    return [
        table_of(
            result.accumulator, result.result, result.numbers, name, _interval_head(result),
            # Two metrics may have one title.
            result.chosen.title if titles.count(result.accumulator.metric.about.title) > 1 else "", result.blank,
        )
        for result in scored if {*result.accumulator.metric.scores.keys} <= result.result.keys()
    ]  # fmt: skip


def _segments_text(columns: Sequence[tuple[str, Sequence[str]]], places: Sequence[int] | Sequence[str]) -> str:
    cells = [["segment", *map(printable, map(str, places))], *([name, *texts] for name, texts in columns)]
    widths = [max(map(cells_of, column)) for column in cells]
    rows = ([" " * (width - cells_of(cell)) + cell for cell, width in zip(row, widths, strict=True)]
            for row in zip(*cells, strict=True))  # fmt: skip
    return "\n".join(map("  ".join, rows))


def table_of(
    accumulator: Accumulator, result: Mapping[str, Any], numbers: Numbers, system: str = "", interval: str = "",
    title: str = "", blank: Mapping[str, int] = {},
) -> Table:  # fmt: skip
    """Return a result as a table with the lines below it; `interval` is the head of its intervals."""
    summary = summary_of(accumulator, result)
    first = ", ".join(filter(None, [_segments(accumulator, blank), *summary.below[:1]]))
    below = [f"{system}: {first}" if system else first, *summary.below[1:]]
    below += [f"counts: {_counts_text(result['counts'])}"] if "counts" in result else []
    # A signature is one word, which is copied as it is.
    below = wrapped_notes(below)
    below += filter(None, [result.get("signature")])
    interval += f" of {summary.heads[-1]}" if interval and len(summary.heads) > 1 else ""
    table = Table(title or summary.title, summary.heads, interval, below)
    top, is_after_headline = accumulator.metric.scores.top, False
    for line in summary.lines:
        # What no scale multiplies has four decimals.
        own = numbers if top == 1 or line.full in (top, None) else Numbers.of(1, None)
        is_score = line.full is not None or line.key in accumulator.metric.scores.keys
        own = own if is_score else own._replace(factor=1.0)
        *parts, last = line.values
        gap = bool(table.rows) and line.is_headline and not is_after_headline
        is_after_headline |= line.is_headline
        table.add(
            line.label, *map(own.figure, parts), own.figure(last, interval_in(result, line)), share=line.filled(last),
            is_bold=line.is_headline, after_gap=gap,
        )  # fmt: skip
    return table


def _counts_text(counts: Mapping[str, Any]) -> str:
    """Format counts on one line."""
    parts = []
    for name, value in counts.items():
        inner = ", ".join(f"{key} {part}" for key, part in value.items()) if isinstance(value, dict) else value
        parts.append(f"{name} {' '.join(map(str, inner)) if isinstance(inner, list) else inner}")
    return "; ".join(parts)
