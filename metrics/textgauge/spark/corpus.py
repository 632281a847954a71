"""The score of a Spark data frame: exact sums of each partition, on the workers, and the score of all sums."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa

from .. import version
from ..accumulation.accumulator import Accumulator, provenance
from ..accumulation.named_score import Metrics, NamedScore, scores_of
from ..accumulation.running import intervals, n_summands, summands, summed
from ..arrays import FloatArray, IntArray
from ..checks import Tally, fail, flag, refuse_without_effect, shown
from ..dataset import check_pairs, warn_of_bad
from ..options import Reports
from ..resampling import BootstrapOptions, Units, interval_options, poisson_weights
from ..signatures import with_interval
from ..sums import DIGITS, carried, digits_of, from_digits, rounded
from .columns import (
    Wrong,
    are_good,
    check_column,
    check_table,
    check_version,
    column,
    corpus_of_batch,
    pyspark_sql,
    refusal_of_models,
    refuse_wrong,
    wrong_row,
    wrong_values,
)

PREDICTION, REFERENCE, SOURCE = "prediction", "reference", "source"
KEY, KEY_TEXT = "row_key", "key_text"
# The kinds of rows of sums.
SUM, REFERENCES, MADE_BY, TOLD, WRONG, PLACE = "sum", "references", "made_by", "told", "wrong", "place"
REFUSED, SKIPPED = "refused", "skipped"
GROUP = ("kind", "name", "resample")
DIGIT_COLUMNS = tuple(f"digit{i}" for i in range(DIGITS))
SCHEMA = ", ".join(("kind string", "name string", "resample int", *(f"{name} bigint" for name in DIGIT_COLUMNS)))
_SEPARATOR = "\t"
# Rows whose weights are in memory at a time, so that they stay in a core's cache.
_BLOCK = 64
# Rows whose weighted digits float64 adds exactly: digits are below 2**32, weights far below 2**9.
_EXACT = 1 << 12
_ARROW = pa.schema(
    [("kind", pa.string()), ("name", pa.string()), ("resample", pa.int32()), *((c, pa.int64()) for c in DIGIT_COLUMNS)]
)
Sums = dict[str, dict[tuple[int, str], list[int]]]


def score(
    dataframe: Any,
    metric: Metrics,
    *,
    prediction_column: str,
    reference_column: str | None = None,
    source_column: str | None = None,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    key_column: str | None = None,
    skip_bad: bool = False,
    **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Score a Spark data frame as one corpus.

    Every worker turns its Arrow batches into statistics and sums them. Spark adds the sums, and
    the driver gets only these, never text. The score equals that of one machine to the last
    bit for any partitioning: counts are integers, and the scores of segments that a metric
    averages are summed without rounding; where one machine adds them in the order of rows, as ``squad`` does, the
    last bit may differ. What a model computes, as of "comet", moves with the batches, by up to 1e-6 a segment.

    The bounds of `confidence` differ from those on one machine, where every resample draws as many
    segments as there are, a number that no worker knows. Here the number of draws of a row is
    Poisson distributed, a random function of `seed` and the row's key, so that equal keys yield
    equal bounds to the last bit for any partitioning.

    Parameters
    ----------
    dataframe : pyspark.sql.DataFrame
    metric : str or object, or a list of these
        As for `textgauge.score_dataset`, with the options of its `score` that need no segments. Several metrics are
        scored in one pass; the result is a dict of their results.
    prediction_column, reference_column : str
        Columns of type string; references may also be of type array<string>. A model of "comet" may need none.
    source_column : str, optional
        The column with what every prediction translates, for metrics that read them, whose model every worker loads.
    confidence, n_resamples, seed
        See `BootstrapOptions`; adds the bounds under the keys of the metric's `score`.
    key_column : str or None
        A column that identifies rows, of any type that Spark can hash; with `confidence` only.
        Rows with equal keys are drawn together: with the names of documents as keys, whole
        documents are the units, whose number, and the name of the column, the signature has. Spark counts them in a
        job of its own.
    skip_bad : bool
        Leave out rows with nulls or without references: results then have their number as ``skipped``, and a warning
        says it.
    **options
        Of the `score` of all metrics, such as `signature`.

    Raises
    ------
    ValueError
        If values are null (the message names the column, their number, and one of the rows: by its key, or by its
        place in its partition), if there are no rows, or if a model lacks a column or no metric uses it.
    ImportError
        If pyspark is not installed.

    References
    ----------
    See `poisson_weights`.
    """
    drawn: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed}
    refuse_without_effect(drawn, Reports(confidence=confidence, **drawn).without_effect())
    bootstrap = interval_options(confidence, n_resamples, seed)
    flag("skip_bad", skip_bad)
    scores = scores_of(metric, reports=options)
    started = {name: score.start_with_reports() for name, score in scores.items()}
    accumulators = tuple(accumulator for accumulator, _ in started.values())
    for name, accumulator in zip(started, accumulators, strict=True):
        if not (accumulator.metric.inputs.has_references and accumulator.metric.sums.kind != "rounded"):
            fail(ValueError, "metric", "a metric with references and exact sums", shown(name))
    check_pairs(accumulators, reference_column, source_column)
    check_table(dataframe, prediction_column, reference_column, source_column)
    sides = {
        PREDICTION: prediction_column, REFERENCE: reference_column, SOURCE: source_column,
    }  # fmt: skip
    chosen = {side: column(name) for side, name in sides.items() if name is not None}
    names = tuple(name for name in sides.values() if name is not None)
    if confidence is None and key_column is not None:
        fail(ValueError, "key_column", "None without `confidence`", shown(key_column))
    if confidence is not None:
        chosen[KEY], chosen[KEY_TEXT] = _keys(dataframe, key_column)
    n_drawn = bootstrap.n_resamples if confidence is not None else 0
    worker = PartitionSums(
        accumulators, names, n_drawn, bootstrap.seed, has_sources=source_column is not None, skip_bad=skip_bad
    )
    sums = _reduced(dataframe.select(*(values.alias(name) for name, values in chosen.items())), worker)
    _refuse_wrong(sums)
    n_bad = sum(row[0] for row in sums[SKIPPED].values())
    if not sums[SUM]:
        allowed = "at least one row" + (" of texts" if n_bad else "")
        fail(ValueError, "dataframe", allowed, f"{n_bad:,} bad rows" if n_bad else "none")
    warn_of_bad(n_bad, "left out")
    Tally({text: row[0] for (_, text), row in sums[TOLD].items()}).warn()
    totals = _totals(sums)
    if confidence is not None and rounded(totals[0, -1:]) < 2:
        fail(ValueError, "dataframe", "at least 2 rows to resample", "1")
    if confidence is not None:
        bootstrap = replace(bootstrap, unit=_units(dataframe, str(key_column)))
    results = _results(scores, started, totals, sums, bootstrap)
    if skip_bad:
        results = {name: {**result, "skipped": n_bad} for name, result in results.items()}
    return results if isinstance(metric, (list, tuple, Mapping)) else [*results.values()][0]


def _results(
    scores: Mapping[str, NamedScore], started: Mapping[str, tuple[Accumulator, dict[str, Any]]], totals: Any,
    sums: Sums, bootstrap: BootstrapOptions,
) -> dict[str, dict[str, Any]]:  # fmt: skip
    """Return the result of every metric, whose sums stand side by side: shape (1 + n_resamples, n_columns)."""
    n_references = frozenset(int(name) for _, name in sums[REFERENCES])
    made_by = [json.loads(name) for _, name in sums[MADE_BY]]
    results, first = {}, 0
    for place, (name, (accumulator, reports)) in enumerate(started.items()):
        columns = slice(first, first + n_summands(accumulator))
        makers = frozenset(tuple(map(tuple, identity)) for of_batch in made_by for identity in of_batch[place])
        result: dict[str, Any] = summed(accumulator, totals[0, columns], n_references, makers).score(**reports)
        if bootstrap.confidence is not None:
            asked = accumulator.metric.reports_type(**reports)
            n_units = 0 if bootstrap.unit is None else len(bootstrap.unit)
            result |= intervals(accumulator, rounded(totals[1:, columns]), n_units, bootstrap, asked)
            if asked.signature:
                result["signature"] = with_interval(result["signature"], bootstrap)
        results[name], first = scores[name].only(result, accumulator.metric), columns.stop
    return results


def _refuse_wrong(sums: Sums) -> None:
    where = "".join(f", one in {name}" for _, name in sorted(sums[PLACE])[:1])
    n_wrong = {split_wrong(name): row[0] for (_, name), row in sums[WRONG].items()}
    refuse_wrong(Counter(n_wrong), where)
    if refusals := sums[REFUSED]:
        raise ValueError(min(refusal for _, refusal in refusals))


def _keys(dataframe: Any, name: str | None) -> tuple[Any, Any]:
    """Return a 64-bit hash of every row's key, and the key as text; null is a key, too."""
    if name is None:
        fail(ValueError, "key_column", "a column that identifies rows, for confidence", "None")
    check_column(dataframe, "key_column", name)
    return pyspark_sql().functions.xxhash64(column(name)), column(name).cast("string")


def _units(dataframe: Any, name: str) -> Units:
    """Return the units of the keys of rows, without the rows; warn if there are few units."""
    functions = pyspark_sql().functions
    # A null is a key, too.
    counted = functions.count_distinct(functions.xxhash64(column(name)))
    units = Units(name, range(dataframe.agg(counted).first()[0]), np.zeros(0, np.int64))
    units.warn_of_few()
    return units


def _reduced(texts: Any, worker: PartitionSums) -> Sums:
    """Return the sums over all partitions, which Spark adds, by kind, then by resample and name."""
    add = pyspark_sql().functions.sum
    rows = (
        texts.mapInArrow(worker, SCHEMA)
        .groupBy(*GROUP)
        .agg(*(add(digit).alias(digit) for digit in DIGIT_COLUMNS))
        .collect()
    )
    sums: Sums = defaultdict(dict)
    for kind, name, resample, *digits in rows:
        sums[kind][resample, name] = digits
    return sums


def _totals(sums: Sums) -> Any:
    """Return the sums as integers, see `from_digits`: shape (1 + n_resamples, n_columns)."""
    digits_of_sums = sums[SUM]
    n_sums, n_columns = (max(axis) + 1 for axis in zip(*((i, int(name)) for i, name in digits_of_sums), strict=True))
    digits = np.array([digits_of_sums[i, str(c)] for i in range(n_sums) for c in range(n_columns)], np.int64)
    return from_digits(digits.T).reshape(n_sums, n_columns)


# ---- one partition, on a worker


@dataclass(frozen=True)
class PartitionSums:
    """Sums the rows of one partition, for `mapInArrow`.

    Attributes
    ----------
    accumulators : tuple of Accumulator, empty
        Their columns of sums stand side by side.
    names : tuple of str
        The columns of predictions, and of references and of sources if there are any, as the user names them.
    has_sources : bool
        Whether the last column is that of sources.
    skip_bad : bool
        Whether rows with wrong values are left out, and counted.
    n_resamples : int
        Number of sums with Poisson weights, besides the plain sum, resample 0.
    seed : int or None
        See `poisson_weights`.
    """

    accumulators: tuple[Accumulator, ...]
    names: tuple[str, ...]
    n_resamples: int = 0
    seed: int | None = None
    has_sources: bool = False
    skip_bad: bool = False
    version: str = field(default_factory=lambda: version.__version__)

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield one batch of sums, with the columns of `SCHEMA`."""
        check_version(self.version)
        digits: Any = 0
        counts: dict[str, Counter[str]] = {of: Counter() for of in (REFERENCES, MADE_BY, REFUSED, PLACE, SKIPPED)}
        tally = Tally()
        wrong: Wrong = Counter()
        places = counts[PLACE]
        n_before = 0
        for batch in batches:
            texts = [batch.column(side) for side in self.sides]
            wrong_here = wrong_values(texts, self.names, has_sources=self.has_sources)
            if wrong_here and self.skip_bad:
                good = pa.array(are_good(texts, has_sources=self.has_sources))
                n_rows, batch = batch.num_rows, batch.filter(good)  # noqa: PLW2901
                counts[SKIPPED][""] += n_rows - batch.num_rows
                texts, wrong_here = [batch.column(side) for side in self.sides], Counter()
            if wrong_here and not wrong:
                keys = batch.column(KEY_TEXT) if self.n_resamples else None
                places[wrong_row(texts, n_before, keys, has_sources=self.has_sources)] += 1
            wrong += wrong_here
            n_before += batch.num_rows
            if wrong_here or batch.num_rows == 0:
                continue
            if refusal := refusal_of_models(self.accumulators, self.names, has_sources=self.has_sources):
                counts[REFUSED][refusal] += 1
                break
            with tally.collecting():
                corpus = corpus_of_batch(texts, self.names, has_sources=self.has_sources)
                accumulators = [
                    accumulator.without_segments().update_corpus(corpus) for accumulator in self.accumulators
                ]
            counts[REFERENCES].update(map(str, corpus.n_references))
            made_by = [provenance(accumulator)["counters"] for accumulator in accumulators]
            if any(made_by):
                counts[MADE_BY][json.dumps(made_by)] += 1
            keys = batch.column(KEY).to_numpy().view(np.uint64) if self.n_resamples else None
            digits = carried(digits + self._sums(digits_of(np.hstack([*map(summands, accumulators)])), keys))
        for name, counted in {**counts, TOLD: tally.counts}.items():
            yield _rows_of_counts(name, counted)
        yield _rows_of_counts(WRONG, Counter({_SEPARATOR.join(what): count for what, count in wrong.items()}))
        if np.ndim(digits):
            yield _rows_of_sums(digits)

    @property
    def sides(self) -> list[str]:
        """The columns of texts in a batch, in the order of `names`."""
        places = [PREDICTION, REFERENCE][: len(self.names) - self.has_sources]
        return [*places, SOURCE] if self.has_sources else places

    def _sums(self, digits: FloatArray, keys: Any) -> IntArray:
        """Return the plain and the resampled sums of the digits: shape (DIGITS, 1 + n_resamples, n_columns)."""
        n_digits, n_rows, n_columns = digits.shape
        sums = np.zeros((1 + self.n_resamples, n_digits * n_columns), np.int64)
        flat = np.moveaxis(digits, 1, 0).reshape(n_rows, -1)
        used = np.flatnonzero(flat.any(axis=0))
        flat = flat[:, used]
        for start in range(0, n_rows, _EXACT):
            rows = slice(start, start + _EXACT)
            sums[0, used] += flat[rows].sum(axis=0).astype(np.int64)
            if keys is not None:
                sums[1:, used] += self._resampled(flat[rows], keys[rows]).astype(np.int64)
        return np.moveaxis(sums.reshape(-1, n_digits, n_columns), 1, 0)

    def _resampled(self, rows: FloatArray, keys: Any) -> FloatArray:
        """Return the sums of rows under the weights of every resample: shape (n_resamples, n_columns)."""
        total = np.zeros((self.n_resamples, rows.shape[1]))
        for start in range(0, len(rows), _BLOCK):
            block = slice(start, start + _BLOCK)
            total += poisson_weights(keys[block], self.n_resamples, self.seed) @ rows[block]
        return total


def _rows_of_counts(kind: str, counts: Counter[str]) -> pa.RecordBatch:
    n = len(counts)
    zeros = [np.zeros(n, np.int64)] * (DIGITS - 1)
    return _batch([kind] * n, list(counts), np.zeros(n, np.int32), [np.array([*counts.values()], np.int64), *zeros])


def _rows_of_sums(digits: IntArray) -> pa.RecordBatch:
    _, n_sums, n_columns = digits.shape
    names = [str(i) for i in range(n_columns)] * n_sums
    resamples = np.repeat(np.arange(n_sums, dtype=np.int32), n_columns)
    return _batch([SUM] * len(names), names, resamples, list(digits.reshape(DIGITS, -1)))


def _batch(kinds: list[str], names: list[str], resamples: Any, digits: list[IntArray]) -> pa.RecordBatch:
    columns = [pa.array(kinds, pa.string()), pa.array(names, pa.string()), pa.array(resamples), *map(pa.array, digits)]
    return pa.RecordBatch.from_arrays(columns, schema=_ARROW)


def split_wrong(name: str) -> tuple[str, str, str]:
    """Return kind of error, argument and column."""
    what, argument, column = name.split(_SEPARATOR, 2)
    return what, argument, column
