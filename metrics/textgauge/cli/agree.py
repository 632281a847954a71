"""`textgauge agree`: compare metrics with people's scores of several systems."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import click

from ..accumulation.named_score import NamedScore
from ..checks import MAX_RESAMPLES, fail, listed, message_in, quantity
from ..files.file import InputFile
from ..files.lines import shown_name
from ..files.parallel import flag_of
from ..files.rows import NamedColumn, as_json, columns_like
from ..locations import DEFAULT
from ..meta_evaluation import FIGURES, OF_CLASSES
from ..meta_evaluation.agreement import COLUMNS, Agreement, agreement_of, all_scores
from ..meta_evaluation.judgements import units_of_judged
from ..meta_evaluation.reliability import LEVELS
from ..resampling import BootstrapOptions, units_of
from ..resampling.intervals import level_of
from ..resampling.units import warn_of_unused
from .agree_raters import agree_raters, keys_of, numbers_of, resampled
from .agree_winners import agree_winners
from .command import (
    AND,
    Scoring,
    find_metric,
    limits_of,
    metric_command,
    names_in,
    score_label,
    scorings_of,
    typed_options,
)
from .compared import rank_text, settings_of
from .messages import InputError, Whole, notices, refusals, refuse
from .output import check_suffix
from .request import check_files, check_quoting
from .sheet import Numbers, Sheet, Table

_EXAMPLES = """\
textgauge agree ratings.csv --human mqm -m chrf sacrebleu comet=COMET
textgauge agree ratings.jsonl -m chrf word_order=2 ter --table latex
textgauge agree wide.csv --human 'mqm_*' -m comet='comet_*' --plot agree.png
textgauge agree verdicts.csv --raters anna --raters 'judge_*' --level ordinal
textgauge agree pairs.csv --winner verdict --first-field a --second-field b
textgauge agree penalties.csv --no-human-higher-is-better -m chrf --json
"""
_SHARED = ("files", "file_format", "quoting", "prediction_field", "metrics", "output", "max_unpacked", "max_line",
           "as_json", "paper")  # fmt: skip
LABELS = {
    "system_pearson": "systems: Pearson", "system_spearman": "systems: Spearman",
    "pairwise_accuracy": "systems: pairwise accuracy", "soft_pairwise_accuracy": "systems: soft pairwise accuracy",
    "segment_pearson": "outputs: Pearson", "segment_kendall": "outputs: Kendall's tau-b",
    "pearson_by_segment": "by segment: Pearson", "kendall_by_segment": "by segment: Kendall's tau-b",
    "pearson_by_system": "by system: Pearson", "kendall_by_system": "by system: Kendall's tau-b",
    "acc_eq": "by segment: accuracy, acc_eq", "threshold": "  threshold of its ties", "tied": "  share of its ties",
    "accuracy": "classes: accuracy", "base_rate": "  base rate: always the usual class",
    "kappa": "classes: Cohen's kappa",
}  # fmt: skip
# The place of a row in messages of the library.
_ROW = re.compile(r"(?:human|metrics\['(?P<name>[^']*)'\])\[(?P<row>\d+)\](?:\['(?P<field>[^']*)'\])?")
_TRUTH = {"true": 1, "false": 0}
_MISSING = ("", "null", "nan", "na", "n/a", "none")


class AgreeRequest(NamedTuple):
    """The columns of scores and the metrics that are compared with people's scores: by name, and in order."""

    columns: dict[str, str]
    metrics: dict[str, NamedScore]
    scorings: Sequence[Scoring]
    files: Sequence[str]
    order: Sequence[str]

    def needs(self, text: str) -> bool:
        """Return whether a metric cannot be computed without "prediction", "reference" or "source"."""
        return any(f"{text}s" in scoring.metric.inputs.needed for scoring in self.scorings)

    def reads(self, text: str) -> bool:
        """Return whether a metric may read "prediction", "reference" or "source"; its model says whether it does."""
        return any(f"{text}s" in scoring.metric.inputs.names for scoring in self.scorings)


@metric_command(_EXAMPLES, _SHARED)
@click.option(
    "--raters", multiple=True, metavar="NAME", help="Column of a rater, 'judge_*' for several: compare raters."
)
@click.option(
    "--level", type=click.Choice(LEVELS), metavar="LEVEL", help="nominal (default), ordinal, interval, ratio."
)
@click.option("--scale", multiple=True, metavar="WORD", help="Of --raters: words, the lowest first.")
@click.option("--people", multiple=True, metavar="NAME", help="Of --raters: a person; others are judges.")
@click.option("--winner", metavar="NAME", help="Column of verdicts on two answers: win rates by position.")
@click.option("--first-field", metavar="NAME", help="Of --winner: the first one. [default: first]")
@click.option("--second-field", metavar="NAME", help="Of --winner: the second. [default: second]")
@click.option("--lengths", nargs=2, metavar="NAME NAME", help="Of --winner: lengths of both, or texts.")
@click.option("--human", metavar="NAME", help=f"Column of people's scores. [default: {COLUMNS['human']}]")
@click.option("--human-higher-is-better/--no-human-higher-is-better", default=True,
              help="Or people's scores are penalties.")  # fmt: skip
@click.option("--lower-is-better", multiple=True, metavar="NAME", help="A column of scores where lower is better.")
@click.option("--system-field", metavar="NAME", help=f"Column of systems. [default: {COLUMNS['system']}]")
@click.option("--segment-field", metavar="NAME", help=f"Column of segments. [default: {COLUMNS['segment']}]")
@click.option("--reference-field", metavar="NAME", help=f"Column of references. [default: {COLUMNS['reference']}]")
@click.option("--source-field", metavar="NAME", help=f"Column of sources. [default: {COLUMNS['source']}]")
@click.option("--skip-bad", is_flag=True, help="Leave out outputs without a score.")
@click.option("--unit-field", metavar="NAME", help="Column of units, such as doc_id.")
@click.option("--confidence", type=float, metavar="X", default=0.95, help="Level of the intervals. [default: 0.95]")
@click.option("-n", "--n-resamples", type=Whole(1, MAX_RESAMPLES), metavar="N", default=1000,
              help="Resamples. [default: 1000]")  # fmt: skip
@click.option("--seed", type=Whole(0), metavar="N", default=12345, help="Random seed. [default: 12345]")
@click.option("-w", "--width", type=Whole(0, 17), metavar="N", help="Decimals. [default: 3]")
@click.option("--plot", "picture", type=click.Path(), metavar="FILE", help="Draw a picture: .png, .svg or .pdf.")
def agree(context: click.Context, /, **options: Any) -> None:
    """Compare metrics with people's scores of several systems.

    FILES is one table, a row for every rating: columns of the system, the segment and people's
    score, and of metrics' scores or the texts to compute them from. -m takes metrics, and
    NAME=COLUMN for a column of scores. A column whose name has * stands for a column per system,
    as in --human 'mqm_*', where every row is a segment. With --raters the table has a row per
    item and a column per rater, with --winner a row per verdict on two answers. The figures:
    metrics/AGREEMENT.md.
    """
    if options["winner"]:
        agree_winners(options)
        return
    for name in ("first_field", "second_field", "lengths"):
        if options[name]:
            refuse(f"--{name.replace('_', '-')} has no effect without --winner")
    if options["raters"]:
        agree_raters(options)
        return
    for name in ("level", "scale", "people"):
        if options[name]:
            refuse(f"--{name} has no effect without --raters")
    from .plots import check_plot, plot_agreement

    request = _request(context, options)
    if len(request.files) != 1:
        refuse(f"agree takes one table, as in {context.command.example}")  # type: ignore[attr-defined]
    check_files(request.files, options["output"])
    check_suffix("agree", options)
    check_plot(options["picture"])
    with refusals("agree"):
        bootstrap = BootstrapOptions(options["confidence"], options["n_resamples"], options["seed"])
    unit = options["unit_field"]
    with notices():
        table = _JudgementFile.read(request, options)
        with table.refusals():
            scores = all_scores(
                **table.arguments(request), human_higher_is_better=options["human_higher_is_better"],
                higher_is_better=dict.fromkeys(options["lower_is_better"], False), skip_bad=options["skip_bad"],
            )  # fmt: skip
            if unit is None:
                used = {*table.columns, *table.names.values()}
                warn_of_unused(
                    [name for name in table.existing if name not in used], "--unit-field NAME draws them as a whole"
                )
            else:
                labels = units_of(table.keys(unit), unit)
                bootstrap = replace(bootstrap, unit=units_of_judged(scores.judged, labels))
            agreement = agreement_of(scores, ("soft_pairwise_accuracy", "acc_eq"), bootstrap)
    if options["picture"] is not None:
        plot_agreement(options["picture"], scores, agreement)
    Sheet([*_tables(agreement, options)], _page(agreement, bootstrap), _below(agreement, bootstrap)).show(options)


def _request(context: click.Context, options: Mapping[str, Any]) -> AgreeRequest:
    """Tell columns of scores, NAME=COLUMN, from metrics and their options."""
    if options["as_json"] and options["paper"]:
        refuse("--json cannot be given with --table")
    words: list[str] = []
    order: list[str] = []
    columns: dict[str, str] = {}
    for word in options["metrics"] or [DEFAULT]:
        named: list[str] = []
        for part in word.split(AND):
            name, equals, value = ("", "", "") if _is_value(part) else part.partition("=")
            metric = find_metric(named[0]) if named else None
            if not equals or (metric and name in typed_options(metric, with_reports=False)):
                named.append(part)
                order += [] if equals else map(score_label, names_in(part))
            elif not value or name in columns:
                refuse(f"-m {part}: expected NAME=COLUMN, each name once")
            else:
                columns[name] = value
                order.append(name)
        words += [AND.join(named)] if named else []
    scorings, _ = scorings_of(context, words)
    metrics: dict[str, NamedScore] = {}
    for scoring in scorings:
        if scoring.columns:
            refuse(f"{flag_of(next(iter(scoring.columns)))} cannot be given: agree scores every row alone")
        own_options = _options_of(scoring, options)
        with refusals(scoring.title):
            metrics |= {one.name + scoring.brackets: NamedScore(one.name, own_options) for one in scoring.scores}
    if both := metrics.keys() & columns.keys():
        refuse(f"-m has {listed(sorted(both))} twice, as a metric and as a column")
    return AgreeRequest(columns, metrics, scorings, options["files"], order)


def _is_value(part: str) -> bool:
    """Return whether options stand in brackets, rather than a column behind a name."""
    return part.endswith(")") and "=" not in part.partition("(")[0]


def _options_of(scoring: Scoring, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the options of a metric; texts are read from their files."""
    own = dict(scoring.options)
    for name, path in scoring.files.items():
        if name in own:
            own[name] = (
                InputFile(path, [NamedColumn("text")], options["file_format"], limits_of(options), options["quoting"])
                .columns()[0]
                .texts.tolist()
            )
    return own


class _JudgementFile(NamedTuple):
    """The table of judgements, as it was read from a file.

    Attributes
    ----------
    name : str
        Of the file.
    columns : dict of lists of str
        The values as text, by column.
    names : dict of str
        The names of columns by what they hold.
    is_wide : bool
        Whether a row is a segment, and systems have columns.
    existing : sequence of str
        The names of all columns of the file; empty for what is read once, such as standard input.
    """

    name: str
    columns: dict[str, list[str]]
    names: dict[str, str]
    is_wide: bool
    existing: Sequence[str] = ()

    @classmethod
    def read(cls, request: AgreeRequest, options: Mapping[str, Any]) -> _JudgementFile:
        """Read the columns that a request names."""
        typed = {"human": options["human"], **{name: options[f"{name}_field"] for name in COLUMNS if name != "human"}}
        names = {name: typed[name] or default for name, default in COLUMNS.items()}
        is_wide = "*" in names["human"]
        file = InputFile(request.files[0], (), options["file_format"], limits_of(options), options["quoting"])
        check_quoting(options["quoting"], [file])
        is_open = [
            role for role in ("reference", "source") if request.reads(role) and not (request.needs(role) or typed[role])
        ]  # fmt: skip
        file_names = [] if file.is_read_once and not (is_wide or is_open) else file.names()
        texts = [
            names[role] for role in ("prediction", "reference", "source")
            if request.needs(role) or (role in is_open and names[role] in file_names)
            or (request.reads(role) and typed[role])
        ]  # fmt: skip
        scores = [names["human"], *request.columns.values()]
        if is_wide:
            existing, single = file_names, {name for name in names.values() if "*" not in name}
            scores, texts = ([*_matching(file, side, existing, single, names)] for side in (scores, texts))
        else:
            # One system needs no name, nor do its segments.
            lacking = [role for role in ("system", "segment") if typed[role] is None and names[role] not in file_names]
            lacking = lacking if file_names and "system" in lacking else []
            scores += [names[role] for role in ("system", "segment") if role not in lacking]
        scores += [options["unit_field"]] if options["unit_field"] else []
        roles = {names[role]: role for role in names}
        flags = {names[role]: "--human" if role == "human" else f"--{role}-field" for role in names}
        flags |= {options["unit_field"]: "--unit-field"} if options["unit_field"] else {}
        fields = [
            NamedColumn(column, flags.get(column, "-m NAME=COLUMN"), roles.get(column, ""), is_json=column not in texts)
            for column in dict.fromkeys([*scores, *texts])
        ]
        columns = replace(file, fields=fields).columns()
        values = {field.name: column.texts.tolist() for field, column in zip(fields, columns, strict=True)}
        return cls(shown_name(request.files[0]), values, names, is_wide, file_names)

    def numbers(self, name: str) -> list[float | None]:
        """Return a column of numbers, None for a missing one."""
        return [self._number(text, row, name) for row, text in enumerate(self.columns[name], 1)]

    def _number(self, text: str, row: int, name: str) -> float | None:
        plain = text.strip().strip('"').strip()
        if plain.lower() in _MISSING:
            return None
        try:
            number = float(_TRUTH.get(plain.lower(), plain))
        except ValueError:
            number = float("inf")
        if number in (float("inf"), float("-inf")):
            place = f"{self.name}, row {row}, field {name!r}"
            fail(InputError, place, "a finite number, or nothing for a missing score", as_json(plain))
        return number

    def keys(self, name: str) -> list[str]:
        """Return a column of names or numbers of systems or segments."""
        return keys_of(self.columns[name], self.name, name)

    def arguments(self, request: AgreeRequest) -> dict[str, Any]:
        """Return the arguments of `agreement`."""
        names = self.names
        if self.is_wide:
            return self._wide(request)
        columns: dict[str, Sequence[Any]] = {
            role: self.keys(names[role]) for role in ("system", "segment") if names[role] in self.columns
        }
        columns["human"] = self.numbers(names["human"])
        columns |= {
            role: self.columns[names[role]]
            for role in ("prediction", "reference", "source")
            if self._has(request, role)
        }
        rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
        scores = {name: self.numbers(column) for name, column in request.columns.items()}
        metrics = {name: scores.get(name, request.metrics.get(name)) for name in request.order}
        return {"human": rows, "metrics": metrics,
                "columns": {name: name for name in COLUMNS if name in columns}}  # fmt: skip

    def _wide(self, request: AgreeRequest) -> dict[str, Any]:
        def by_system(pattern: str) -> dict[str, list[float | None]]:
            return {system: self.numbers(column) for system, column in self._columns_of(pattern).items()}

        arguments: dict[str, Any] = {"human": by_system(self.names["human"])}
        arguments["metrics"] = {
            name: by_system(request.columns[name]) if name in request.columns else request.metrics.get(name)
            for name in request.order
        }
        if request.needs("prediction"):
            columns = self._columns_of(self.names["prediction"])
            arguments["predictions"] = {system: self.columns[column] for system, column in columns.items()}
        for role in ("reference", "source"):
            if self._has(request, role):
                arguments[f"{role}s"] = self.columns[self.names[role]]
        return arguments

    def _has(self, request: AgreeRequest, text: str) -> bool:
        return request.reads(text) and self.names[text] in self.columns

    def _columns_of(self, pattern: str) -> dict[str, str]:
        """Return the columns of a pattern by their systems."""
        return columns_like(pattern, self.columns, {name for name in self.names.values() if "*" not in name})

    @contextmanager
    def refusals(self) -> Iterator[None]:
        """Name rows of the file in errors of the library."""
        try:
            with refusals("agree"):
                yield
        except InputError as error:
            message = message_in(error.__cause__) if error.__cause__ else None
            place_in_text = message and _ROW.match(message.argument)
            if message is None or not place_in_text or self.is_wide:
                raise
            field = place_in_text["field"]
            name = place_in_text["name"] or self.names.get(field or "", field)
            place = f"{self.name}, row {int(place_in_text['row']) + 1}" + (f", {name}" if name else "")
            raise InputError(f"{place}: expected {message.allowed}, got {message.got}") from error


def _matching(
    file: InputFile, patterns: Sequence[str], existing: Sequence[str], single: Collection[str], names: Mapping[str, str]
) -> Iterator[str]:
    """Yield the columns that patterns match: one with * matches a column per system, but none of those in `single`."""
    for pattern in patterns:
        columns = [*columns_like(pattern, existing, single).values()]
        if pattern in (names["reference"], names["source"]) and "*" not in pattern:
            columns = [pattern]
        elif "*" not in pattern:
            refuse(f"{pattern!r} is one column, and --human {names['human']!r} a column per system: give a name with *")
        elif not columns:
            raise InputError(f"{shown_name(file.path)}: there are no columns {pattern!r}")
        yield from columns


def _defined(agreement: Agreement) -> list[str]:
    """Return the figures that at least one metric has; of a single system, without figures that repeat others."""
    again = ("pearson_by_system", "kendall_by_system") if len(agreement.systems) == 1 else ()
    keys = [key for key in (*FIGURES, "threshold", "tied", *OF_CLASSES) if key not in again]
    return [key for key in keys if any(of_one.get(key) is not None for of_one in agreement.metrics.values())]


def _tested(agreement: Agreement) -> list[str]:
    """Return the figures by which metrics are tested, if at least one p-value is defined."""
    return [
        key for key, test in agreement.significance.items()
        if any(p is not None for of_one in test.p.values() for p in of_one.values())
    ]  # fmt: skip


def _tables(agreement: Agreement, options: Mapping[str, Any]) -> Iterator[Table]:
    """Yield the figures of all metrics, with the ranks where a figure is tested, and the p-values of the tests."""
    numbers, p_numbers = numbers_of(options), Numbers.of_p(options["n_resamples"])
    tested = _tested(agreement)
    table = Table("figure" if options["paper"] else "Agreement with people", [*agreement.metrics])
    for key in _defined(agreement):
        figures = [
            numbers.figure(of_one.get(key), agreement.confidence_intervals[name].get(key))
            for name, of_one in agreement.metrics.items()
        ]
        table.add(LABELS[key], *figures, after_gap=bool(table.rows) and key == "segment_pearson")
        if key in tested:
            ranks = map(rank_text, agreement.significance[key].rank_ranges.values())
            table.add(f"  rank by {'soft accuracy' if 'soft' in key else key}", *ranks)
    yield table
    if tested:
        table = Table("Agrees better, p", [LABELS[key].partition(": ")[2] for key in tested])
        for pair in combinations(agreement.metrics, 2):
            # The one that agrees better first.
            a, b = sorted(pair, key=lambda name: -(agreement.metrics[name][tested[0]] or 0.0))
            table.add(f"{a} than {b}", *(p_numbers.figure(agreement.significance[key].p[a][b]) for key in tested))
        yield table


def _below(agreement: Agreement, bootstrap: BootstrapOptions) -> list[str]:
    sizes = [quantity(len(agreement.systems), "system"), quantity(agreement.n_segments, "segment")]
    sizes.append(quantity(agreement.n_judgements, "judgement"))
    drawn = "segments" if bootstrap.unit is None else f"{quantity(len(bootstrap.unit), 'unit')} ({bootstrap.unit.name})"
    below = [", ".join(sizes), *agreement.left_out(), resampled(vars(bootstrap), drawn)]
    if _tested(agreement):
        level = level_of(bootstrap.confidence)
        below.append(f"ranks and p by PERM-BOTH, one-sided; a rank is significant at p < {level:.2g}")
    if len(agreement.systems) == 1:
        row = "Cohen's kappa" if "kappa" in _defined(agreement) else LABELS["segment_kendall"]
        below.append(f"one system: {row} says whether a metric tells its good outputs from its bad ones as people do")
    undefined = {key for key in _defined(agreement) for values in agreement.metrics.values() if values.get(key) is None}
    if undefined - {*OF_CLASSES}:
        below.append("-: not defined, as a correlation with constant scores")
    if "kappa" in _defined(agreement):
        below.append("accuracy means something beside its base rate; kappa is the share of the way from chance to 1")
    return below


def _page(agreement: Agreement, bootstrap: BootstrapOptions) -> dict[str, Any]:
    return {
        "systems": agreement.systems, "segments": agreement.n_segments, "judgements": agreement.n_judgements,
        **({"left_out": agreement.n_left_out} if agreement.n_left_out else {}),
        **settings_of(vars(bootstrap)),
        "metrics": agreement.metrics, "confidence_intervals": agreement.confidence_intervals,
        "significance": agreement.significance,
    }  # fmt: skip
