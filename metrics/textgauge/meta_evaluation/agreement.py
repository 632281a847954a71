"""Agreement of metrics with people's scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from ..accumulation.accumulator import Accumulator, additive, corpus_scores
from ..accumulation.named_score import NamedScore, scores_of
from ..accumulation.registry import METRICS
from ..arrays import FloatArray
from ..checks import did_you_mean, fail, flag, one_of, quantity, refuse_without_effect, shown, warn_user
from ..input.columns import Corpus, corpus_of, text_column, without_references
from ..input.elements import kept
from ..metric.metric import with_defaults
from ..notebook import Table, displayed, interval_text
from ..resampling import BootstrapOptions, ranking
from ..resampling.comparison import FEWEST
from ..resampling.intervals import level_of
from ..resampling.units import warn_of_unused
from . import (
    TESTED,
    Difference,
    Figures,
    Human,
    Judgements,
    MetricScores,
    Pooled,
    judgements_of,
    metric_scores,
    perm_both,
    texts_by_output,
)
from .judgements import names_of_columns, units_of_judged

# From such a share on, a threshold says that the metric cannot tell outputs apart.
_NEARLY_ALL = 0.95
# The names of columns of rows by what they hold.
COLUMNS = {
    "system": "system", "segment": "segment", "human": "score", "prediction": "prediction", "reference": "reference",
    "source": "source",
}  # fmt: skip


class Significance(NamedTuple):
    """Which metrics agree significantly better than others.

    Attributes
    ----------
    p : dict of dict of float, or None
        ``p[a][b]`` is the one-sided p-value of PERM-BOTH for "a agrees better than b"; None if the figure is not
        defined.
    rank_ranges : dict of lists of 2 int
        By metric: from the rank behind all that agree significantly better, 1 for the best, to that before all that
        agree significantly worse.
    clusters : list of lists of str
        The best first: each metric agrees significantly better than all of later clusters.
    """

    p: dict[str, dict[str, float | None]]
    rank_ranges: dict[str, list[int]]
    clusters: list[list[str]]


@displayed
class Agreement(NamedTuple):
    """How well metrics agree with people.

    Attributes
    ----------
    systems : list of str
    n_segments, n_judgements : int
        The segments that people judged, and their ratings, with those of outputs that are left out.
    metrics : dict of dict of float, or None
        The figures of every metric: `agreement` says which; None for one that is not defined, as a correlation with
        constant scores.
    confidence_intervals : dict of dict of lists of 2 floats, or None
        The intervals of the figures, by resampling segments; None where most resamples have no figure, and without
        `confidence`.
    significance : dict of Significance
        By figure; empty for a single metric.
    n_left_out : dict of int
        By metric, how many outputs are left out of all figures since it has no score for them; see `skip_bad`.
    """

    systems: list[str]
    n_segments: int
    n_judgements: int
    metrics: dict[str, dict[str, float | None]]
    confidence_intervals: dict[str, dict[str, list[float] | None]]
    significance: dict[str, Significance]
    n_left_out: dict[str, int]

    def left_out(self) -> list[str]:
        """Say how many outputs are left out, by metric."""
        return [f"left out: {quantity(n, 'output')} without {name}" for name, n in self.n_left_out.items()]

    def _table(self) -> Table:
        """Return a row per figure that is defined, with its intervals, and the ranks."""
        rows = []
        for key in dict.fromkeys(key for figures in self.metrics.values() for key in figures):
            bounds = {name: figures.get(key) for name, figures in self.confidence_intervals.items()}
            cells = [_shown_figure(figures.get(key), bounds.get(name)) for name, figures in self.metrics.items()]
            if any(cells):
                rows.append([key, *cells])
            if key in self.significance:
                ranges = self.significance[key].rank_ranges
                rows.append([f"rank by {key}", *("-".join(map(str, dict.fromkeys(ranges[name]))) for name in ranges)])
        sizes = (len(self.systems), "system"), (self.n_segments, "segment"), (self.n_judgements, "judgement")
        note = ", ".join(quantity(*size) for size in sizes)
        return Table("agreement with people", [*self.metrics], rows, [note, *self.left_out()])


def _shown_figure(value: float | None, bounds: list[float] | None) -> str:
    if value is None:
        return ""
    return f"{value:.3f} {interval_text(bounds, 3)}".rstrip()


def agreement(
    human: Any, metrics: Any, *, predictions: Any = None, references: Any = None, sources: Any = None,
    human_higher_is_better: bool = True,
    higher_is_better: Mapping[str, bool] | None = None, columns: Mapping[str, str] | None = None,
    significance: Sequence[str] = ("soft_pairwise_accuracy", "acc_eq"), confidence: float | None = 0.95,
    n_resamples: int = 1000, seed: int | None = None, unit: Any = None, skip_bad: bool = False,
) -> Agreement:  # fmt: skip
    """Compute how well metrics agree with people's scores of several systems.

    At the level of systems a score is the mean of people's scores, and the score of a corpus that the metric gives;
    for scores that are given, the mean of its segments:

    - ``system_pearson``, ``system_spearman``: correlations;
    - ``pairwise_accuracy``: the share of pairs of systems in the order of people's scores (Kocmi et al. 2021);
    - ``soft_pairwise_accuracy``: the same with the p-values of both sides (Thompson et al. 2024), from segments that
      people judged for all systems.

    At the level of segments:

    - ``segment_pearson``, ``segment_kendall``: Pearson and Kendall's tau-b of all scores;
    - ``pearson_by_segment``, ``kendall_by_segment``, ``pearson_by_system``, ``kendall_by_system``: means over
      segments, and over systems, without those that have constant scores;
    - ``acc_eq``: the share of pairs of outputs of a segment that both sides order alike or call a tie, where
      differences of the metric up to ``threshold`` are ties: the one that makes the share largest (Deutsch, Foster
      and Freitag 2023). ``tied`` is the share of pairs that it makes ties.

    Of a judge that answers by people's classes, at most 10 whole numbers or True and False, also

    - ``accuracy``: the share of outputs with people's class; ``base_rate``: that of always their most frequent class;
    - ``kappa``: Cohen's, what of the agreement beyond chance is reached.

    A metric that pools its counts has figures of systems from these, but tests of them from its segments' scores.

    Parameters
    ----------
    human
        People's scores: a dict of columns by system, an array of systems x segments, or rows, which are a list of
        dicts, an Arrow table, or a data frame. None and nan are missing scores. Several ratings of an output are
        averaged. Rows without a column of systems are those of one system.
    metrics : str or object, sequence of these, or dict
        Metrics or scores with their options, such as "chrf(word_order=2)", computed from the texts; in rows a name may
        also be that of a column of scores. A dict has scores by name: in the form of `human`, for rows a column of as
        many; None for metrics as above, or an object that computes them.
        Systems that people did not judge are left out.
    predictions : dict of columns of texts by system, or a list of them in the order of the systems, optional
        The texts; rows have them themselves.
    references : column of texts, or of lists of texts, optional
        The references of every segment; rows have them themselves.
    sources : column of texts, optional
        What every segment translates, for metrics that read it; rows have them themselves.
    human_higher_is_better : bool
        False for penalties that are not negated, such as points of MQM.
    higher_is_better : dict from str to bool, optional
        The directions of columns; by default those of the metrics of their names, and True for others.
    columns : dict from str to str, optional
        The names of the columns of rows other than "system", "segment", "prediction", "reference", "source", and
        "score", which is that of "human".
    significance : sequence of str
        The figures by which metrics are tested against each other: "system_pearson", "pairwise_accuracy",
        "soft_pairwise_accuracy", "acc_eq".
    confidence : float or None
        Level of the intervals, and of significance; None for no intervals, and p below 0.05.
    n_resamples, seed
        Of the intervals and tests: see `BootstrapOptions`.
    unit : labels of segments, or str, optional
        Segments with equal labels, such as those of one document, are drawn and exchanged together; for rows a label
        for each, or the name of a column. All outputs and ratings of a segment are in any case.
    skip_bad : bool
        Leave outputs out, of all metrics, that people judged and a column of scores has no score for, as where a judge
        gave no verdict; ``n_left_out`` says how many. By default they are refused.

    Returns
    -------
    Agreement

    Raises
    ------
    TypeError, ValueError
        For a score that is not a finite number, a system that people did not judge at all, an output that people
        judged and a metric did not score, other numbers of segments, or unknown names; the message says where.

    Warns
    -----
    UserWarning
        If a threshold of ``acc_eq`` calls nearly all pairs ties; if there are two systems, of fewer than 10 units, of
        metrics that differ significantly on fewer than 6 segments, and if a column of rows seems to name units.

    References
    ----------
    Freitag et al. (2023), Results of WMT23 Metrics Shared Task, sections 4 and 5; Deutsch, Dror and Roth (2021), A
    Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods, section 4.2.

    Examples
    --------
    >>> people = {"a": [0, 1, 3, 4], "b": [1, 2, 3, 5], "c": [0, 1, 1, 2]}
    >>> scores = {"a": [0.1, 0.3, 0.6, 0.9], "b": [0.2, 0.3, 0.7, 0.9], "c": [0.1, 0.2, 0.3, 0.2]}
    >>> found = agreement(people, {"ours": scores})
    >>> found.metrics["ours"]["pairwise_accuracy"], round(found.metrics["ours"]["system_pearson"], 3)
    (1.0, 0.956)
    """
    BootstrapOptions(confidence, n_resamples, seed)
    tested = [one_of("significance", name, TESTED) for name in _names(significance, "significance")]
    scores = all_scores(
        human, metrics, predictions=predictions, references=references, sources=sources,
        human_higher_is_better=human_higher_is_better, higher_is_better=higher_is_better, columns=columns,
        skip_bad=skip_bad,
    )  # fmt: skip
    rows = scores.judged.rows
    if unit is None and rows is not None and confidence is not None:
        used = {**COLUMNS, **(columns or {})}.values()
        warn_of_unused([name for name in rows[0] if name not in used], "unit= draws them as a whole")
    units = units_of_judged(scores.judged, unit)
    return agreement_of(scores, tested, BootstrapOptions(confidence, n_resamples, seed, units))


class ComparedScores(NamedTuple):
    """People's scores and those of metrics.

    Attributes
    ----------
    judged : Judgements
    metrics : dict of MetricScores
        Higher is better.
    directions : dict of int
        By metric, and under "" of people: -1 where what was given has the other sign.
    n_left_out : dict of int
        By metric, outputs without its score, which nothing is computed from.
    """

    judged: Judgements
    metrics: dict[str, MetricScores]
    directions: dict[str, int]
    n_left_out: dict[str, int]


def all_scores(
    human: Any, metrics: Any, *, predictions: Any = None, references: Any = None, sources: Any = None,
    human_higher_is_better: bool = True, higher_is_better: Any = None,
    columns: Mapping[str, str] | None = None, skip_bad: bool = False,
) -> ComparedScores:  # fmt: skip
    """Return the scores that `agreement` compares; the parameters are those of `agreement`."""
    named = names_of_columns(columns, COLUMNS)
    sign = 1 if flag("human_higher_is_better", human_higher_is_better) else -1
    judged = judgements_of(
        human, {name: named[name] for name in ("system", "segment", "human")},
        may_lack=[name for name in ("system", "segment") if name not in (columns or {})],
    )  # fmt: skip
    given_texts = {"predictions": predictions, "references": references, "sources": sources}
    without_effect = {"columns": columns} if judged.rows is None else given_texts
    needed = "for scores that are no rows" if judged.rows is None else "for rows, which have their own texts"
    refuse_without_effect(without_effect, dict.fromkeys(without_effect, needed))
    values_by_name, computed = _given(metrics, judged)
    for name, texts_of in given_texts.items():
        if not computed and texts_of is not None:
            fail(ValueError, name, "None, since the scores of all metrics are given", shown(texts_of))
    columns_of_scores = {
        name: metric_scores(values, judged, f"metrics[{name!r}]", may_miss=flag("skip_bad", skip_bad))
        for name, values in values_by_name.items()
        if values is not None
    }
    every = judged.scores
    judged, n_left_out = _without_missing(judged, columns_of_scores)
    is_left_out = np.isnan(judged.scores) & ~np.isnan(every)
    # Each metric reads the texts of each system.
    if isinstance(predictions, Mapping):
        predictions = {name: kept(of_system) for name, of_system in predictions.items()}
    texts = _TextsOfSystems(judged, named, predictions, kept(references), kept(sources))
    directions = {"": sign, **_directions(values_by_name, higher_is_better)}
    scores = {}
    for name, values in values_by_name.items():
        if values is None:
            scores[name], directions[name] = _computed(computed[name], texts)
            _refuse_missing(name, scores[name], judged)
        else:
            scores[name] = MetricScores(directions[name] * columns_of_scores[name])
    if n_left_out:
        scores = {name: metric.without(is_left_out) for name, metric in scores.items()}
    return ComparedScores(judged, scores, directions, n_left_out)


def _without_missing(judged: Judgements, scores: Mapping[str, FloatArray]) -> tuple[Judgements, dict[str, int]]:
    """Leave outputs out that a metric has no score for, and count them by metric."""
    lacking = {name: np.isnan(of_one) & ~np.isnan(judged.scores) for name, of_one in scores.items()}
    n_left_out = {name: int(of_one.sum()) for name, of_one in lacking.items() if of_one.any()}
    if not n_left_out:
        return judged, {}
    left = np.where(np.logical_or.reduce([*lacking.values()]), np.nan, judged.scores)
    for name, of_system in zip(judged.systems, left, strict=True):
        if np.isnan(of_system).all():
            fail(ValueError, "metrics", f"an output of {name!r} that people judged and all metrics scored", "none")
    return judged._replace(scores=left), n_left_out


def agreement_of(scores: ComparedScores, tested: Sequence[str], bootstrap: BootstrapOptions) -> Agreement:
    """Return the figures of `agreement`."""
    judged = scores.judged
    unit = bootstrap.unit
    if unit is not None:
        unit.check(judged.n_segments)
    draws = _draws(judged.n_segments, bootstrap)
    people = Human(scores.directions[""] * judged.scores, draws, None if unit is None else unit.of_segment)
    if len(judged.systems) == 2:
        warn_user(
            "of 2 systems a correlation is always 1 or -1, and pairwise accuracy 1 or 0: take more systems, or read "
            "the figures of outputs and segments."
        )
    figures = {name: Figures.of(people, metric, bootstrap.confidence, unit) for name, metric in scores.metrics.items()}
    for name, figure in figures.items():
        if figure.tied >= _NEARLY_ALL:
            warn_user(
                f"{name}: the best threshold of acc_eq calls {100 * figure.tied:.3g} percent of the pairs ties, so "
                "that acc_eq is little more than the share of people's ties"
            )
    values = {
        name: {**figure.values, "threshold": figure.threshold, "tied": figure.tied} for name, figure in figures.items()
    }
    return Agreement(
        judged.systems,
        int(people.known.any(axis=0).sum()),
        judged.n_judgements,
        {name: {key: _defined(value) for key, value in of_one.items()} for name, of_one in values.items()},
        {name: dict(figure.intervals) for name, figure in figures.items()},
        _significance(
            people, {name: metric.segments for name, metric in scores.metrics.items()}, figures, tested, bootstrap
        ),
        scores.n_left_out,
    )


def _significance(
    people: Human, scores: Mapping[str, FloatArray], figures: Mapping[str, Figures], tested: Sequence[str],
    bootstrap: BootstrapOptions,
) -> dict[str, Significance]:  # fmt: skip
    """Test every two metrics."""
    names = list(scores)
    if len(names) < 2:
        return {}
    tests: dict[tuple[str, str], dict[str, Difference]] = {}
    for a, b in combinations(names, 2):
        tests[a, b] = perm_both(people, scores[a], scores[b], tested, bootstrap.n_resamples, bootstrap.seed or 0)
        tests[b, a] = {
            key: Difference(-difference.stat, difference.p_reversed, difference.p)
            for key, difference in tests[a, b].items()
        }
    level = level_of(bootstrap.confidence)
    # Units have a warning of their own.
    n = FEWEST if bootstrap.unit is not None else int(people.known.any(axis=0).sum())
    result, found = {}, []
    for key in tested:
        p = {a: {b: _defined(tests[a, b][key].p) for b in names if b != a} for a in names}
        better = np.array([[a != b and (p[a].get(b) or 1.0) < level for b in names] for a in names])
        if better.any():
            found.append(key)
        ranked = ranking(np.nan_to_num(np.array([figures[name].values[key] for name in names]), nan=-np.inf), better)
        ranges = dict(zip(names, ranked.ranges, strict=True))
        result[key] = Significance(p, ranges, [[names[i] for i in part] for part in ranked.clusters])
    if found and n < FEWEST:
        warn_user(
            f"metrics differ significantly by {' and '.join(found)} though people judged only "
            f"{quantity(n, 'segment')}, too few to interpret p: compare metrics on hundreds of segments."
        )
    return result


def _defined(value: float) -> float | None:
    return None if isnan(value) else value


def _draws(n_segments: int, bootstrap: BootstrapOptions) -> Any:
    """Return how often each segment counts in each resample: no resamples of a single segment."""
    if bootstrap.confidence is None or n_segments < 2:
        return np.empty((0, n_segments), np.int64)
    generator = np.random.default_rng(bootstrap.seed)
    n = n_segments if bootstrap.unit is None else len(bootstrap.unit)
    drawn = generator.multinomial(n, np.full(n, 1 / n), bootstrap.n_resamples)
    return drawn if bootstrap.unit is None else drawn[:, bootstrap.unit.of_segment]


def _names(values: Any, argument: str) -> list[str]:
    names = [values] if isinstance(values, str) else values
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        fail(TypeError, argument, "a name or a list of names", shown(values))
    if len({*names}) < len(names):
        fail(ValueError, argument, "different names", shown(values))
    return list(names)


def _given(metrics: Any, judged: Judgements) -> tuple[dict[str, Any], dict[str, NamedScore]]:
    """Return the scores by name, with None for metrics that are to be computed, and these metrics by name."""
    objects: dict[str, Any] = {}
    named: dict[str, NamedScore] = {}
    if isinstance(metrics, Mapping):
        metric_types = NamedScore, Accumulator
        named = {
            name: NamedScore.of(value, "metrics") for name, value in metrics.items() if isinstance(value, metric_types)
        }
        values_of = {name: None if name in named else value for name, value in metrics.items()}
    else:
        for metric in metrics if isinstance(metrics, (list, tuple)) else [metrics]:
            objects[metric if isinstance(metric, str) else str(NamedScore.of(metric, "metrics"))] = metric
        if isinstance(metrics, (list, tuple)) and len(objects) < len(metrics):
            fail(ValueError, "metrics", "different names", shown(metrics))
        values_of = dict.fromkeys(objects)
    if not values_of:
        fail(ValueError, "metrics", "at least one metric", "none")
    for name in values_of:
        if values_of[name] is None and name not in named and judged.rows is not None and name in judged.rows[0]:
            values_of[name] = [row.get(name) for row in judged.rows]
    to_compute = [objects.get(name, name) for name, values in values_of.items() if values is None and name not in named]
    computed = scores_of(to_compute, argument="metrics") if to_compute else {}
    # As they are written.
    written = dict(
        zip((name for name in values_of if values_of[name] is None and name not in named), computed, strict=True)
    )
    return {written.get(name, name): values for name, values in values_of.items()}, {**named, **computed}


def _directions(scores: Mapping[str, Any], higher_is_better: Mapping[str, bool] | None) -> dict[str, int]:
    """Return 1 or -1 for every column of scores."""
    by_name = higher_is_better or {}
    if not isinstance(by_name, Mapping):
        fail(TypeError, "higher_is_better", "a dict from names of columns to True or False", shown(by_name))
    columns = [name for name, values in scores.items() if values is not None]
    for name in by_name:
        if name not in columns:
            got = shown(name) + (did_you_mean(name, columns) if isinstance(name, str) else "")
            fail(ValueError, "higher_is_better", "names of columns of scores; a metric has its own direction", got)
        flag(f"higher_is_better[{name!r}]", by_name[name])
    of_defaults = [with_defaults(METRICS[name]) for name in columns if name in METRICS]
    own = {metric.name: metric.scores.of(metric.scores.headline).higher_is_better for metric in of_defaults}
    return {name: 1 if by_name.get(name, own.get(name, True)) else -1 for name in columns}


class _TextsOfSystems(NamedTuple):
    """The texts of all systems, from which metrics are computed."""

    judged: Judgements
    columns: Mapping[str, str]
    predictions: Any
    references: Any
    sources: Any

    def corpora(self, score: NamedScore) -> list[tuple[Any, Corpus]]:
        """Return the segments and the texts of every system: predictions, and the columns that the metric may read."""
        inputs, rows = score.metric.inputs, self.judged.rows
        may_read: list[str] = [column for column in ("references", "sources") if column in inputs.names]
        if rows is not None:
            columns = [column for column in may_read if column in inputs.needed or self._column_of(column) in rows[0]]
            return self._of_rows(columns)
        if self.predictions is None:
            fail(TypeError, "predictions", f"texts by system, which {score.name} needs", "None")
        given = {column: getattr(self, column) for column in may_read}
        inputs.check(given, score.name)
        texts = {column: value for column, value in given.items() if value is not None}
        return [(slice(None), self._corpus(own, name, texts)) for name, own in self._by_system().items()]

    def _column_of(self, texts: str) -> str:
        return self.columns[texts.removesuffix("s")]

    def _by_system(self) -> dict[str, Any]:
        systems = self.judged.systems
        if isinstance(self.predictions, Mapping):
            by_name = {str(name): texts for name, texts in self.predictions.items()}
            for name in systems:
                if name not in by_name:
                    fail(ValueError, "predictions", f"texts of {name!r}, which people judged", f"{', '.join(by_name)}")
            return {name: by_name[name] for name in systems}
        if not isinstance(self.predictions, (list, tuple)) or len(self.predictions) != len(systems):
            allowed = f"a column of texts for each of {len(systems)} systems"
            fail(ValueError, "predictions", allowed, shown(self.predictions))
        return dict(zip(systems, self.predictions, strict=True))

    def _corpus(self, texts: Any, name: str, others: Mapping[str, Any]) -> Corpus:
        argument = f"predictions[{name!r}]"
        if isinstance(texts, (str, bytes)):
            fail(TypeError, argument, "a column of texts", shown(texts))
        column = text_column(texts, argument)
        if len(column) != self.judged.n_segments:
            allowed = f"a text for each of {self.judged.n_segments} segments"
            fail(ValueError, argument, allowed, str(len(column)))
        return corpus_of(column.tolist(), **others) if others else without_references(column)

    def _of_rows(self, others: Sequence[str]) -> list[tuple[Any, Corpus]]:
        predictions = texts_by_output(self.judged, self.columns["prediction"])
        extras = {
            column: texts_by_output(self.judged, self._column_of(column), may_be_lists=column == "references")
            for column in others
        }
        corpora: list[tuple[Any, Corpus]] = []
        for i, of_system in enumerate(predictions):
            segments = [at for at, text in enumerate(of_system) if text is not None]
            texts = [of_system[at] for at in segments]
            of_segments: dict[str, Any] = {
                column: [by_system[i][at] for at in segments] for column, by_system in extras.items()
            }
            if "references" in of_segments:
                of_segments["references"] = [
                    [reference] if isinstance(reference, str) else list(reference)
                    for reference in of_segments["references"]
                ]
            corpus = (
                corpus_of(texts, **of_segments)
                if of_segments
                else without_references(text_column(texts, "predictions"))
            )
            corpora.append((segments, corpus))
        return corpora


def _computed(score: NamedScore, texts: _TextsOfSystems) -> tuple[MetricScores, int]:
    """Return the scores of a metric of the registry, and its direction."""
    key, judged = score.key, texts.judged
    segments = np.full(judged.scores.shape, np.nan)
    every = []
    for row, (places, corpus) in zip(segments, texts.corpora(score), strict=True):
        accumulator = score.start(scores_alone=True)
        accumulator.metric.check_ready()
        inputs = accumulator.metric.inputs
        for column in inputs.lacking(corpus.given):
            who = inputs.reader(accumulator.metric.name)
            if judged.rows is None:
                fail(ValueError, column, f"texts, with which {who} scores", "None")
            name, got = texts.columns[column.removesuffix("s")], ", ".join(map(repr, judged.rows[0]))
            fail(ValueError, "human[0]", f"a text in {name!r}, with which {who} scores", f"a row of {got}")
        accumulator.update_corpus(corpus)
        row[places] = accumulator.segment_columns()[key]
        every.append((places, accumulator))
    sign = 1 if accumulator.metric.scores.of(key).higher_is_better else -1
    if accumulator.metric.combine == "mean":
        return MetricScores(sign * segments), sign
    rows = np.zeros((judged.n_segments, len(every), additive(accumulator).shape[1]))
    for i, (places, counted) in enumerate(every):
        rows[places, i] = additive(counted)
    factor = sign * accumulator.metric.scores.scale
    pooled = Pooled(rows, lambda sums: factor * corpus_scores(accumulator, sums)[key])
    return MetricScores(sign * segments, pooled), sign


def _refuse_missing(name: str, scores: MetricScores, judged: Judgements) -> None:
    """Refuse scores of texts that are no finite numbers, as the perplexity of what cannot be."""
    bad = np.argwhere(~np.isfinite(scores.segments) & ~np.isnan(judged.scores))
    if len(bad):
        system, segment = bad[0]
        value = abs(scores.segments[system, segment])
        fail(ValueError, f"{name} of {judged.systems[system]!r}, segment {segment}", "a finite score", f"{value:g}")
