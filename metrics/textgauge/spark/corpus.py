"""The score of a Spark data frame."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np

from ..checks import fail, refuse_idle, shown
from ..measures.registry import only_asked, start_with_reports
from ..measures.sums import intervals, summed
from ..options import Reports
from ..resampling import interval_options
from ..scores.exact_sums import from_digits, rounded
from . import partials
from .batches import blame, warn
from .tables import check_column, check_table, column, pyspark_sql

Sums = dict[str, dict[tuple[int, str], list[int]]]


def score(
    dataframe: Any,
    metric: str,
    *,
    prediction_column: str,
    reference_column: str,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    key_column: str | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Score a Spark data frame as one corpus.

    Every worker turns its Arrow batches into statistics and sums them, Spark adds up the sums,
    and the driver gets those alone, never text. The score is that of one machine to the last
    bit, however the rows are partitioned: counts are whole numbers, and the scores of segments
    that a measure averages are summed without rounding.

    The bounds of `confidence` are not those of one machine: there, every resample draws as many
    segments as there are, which no worker knows of the others. Here every row is drawn a
    Poisson-distributed number of times by a random function of `seed` and of its key, so the
    same keys give the same bounds to the last bit, however the rows are partitioned.

    Parameters
    ----------
    dataframe : pyspark.sql.DataFrame
    metric : str
        The name of a metric, or of one score such as "rougeL": as for `textgauge.scorer`.
    prediction_column, reference_column : str
        Columns of type string; references may also be of type array<string>.
    confidence, n_resamples, seed
        See `BootstrapOptions`; adds the bounds as `score` of the metric does.
    key_column : str or None
        A column that tells rows apart, of any type that Spark can hash; with `confidence` only.
        Rows with the same key are drawn together: with the name of its document in every
        row, whole documents are resampled.
    **options
        Those of the metric, and of what its `score` may be asked for those that need no segments:
        `detailed`, `all_orders`, `signature` and ``aggregator="mean"``.

    Raises
    ------
    ValueError
        If a value is null, naming the column and how many; if there are no rows.
    ImportError
        If pyspark is not installed.

    References
    ----------
    See `poisson_weights`.
    """
    drawn = Reports(confidence=confidence, n_resamples=n_resamples, seed=seed)
    refuse_idle({"n_resamples": n_resamples, "seed": seed}, drawn.idle())
    bootstrap = interval_options(confidence, n_resamples, seed)
    measure, reports = start_with_reports(metric, options)
    if not (measure.is_paired and measure.is_exact):
        fail(ValueError, "metric", "one that compares with references, and whose counts add up exactly", shown(metric))
    check_table(dataframe, prediction_column, reference_column)
    chosen = {partials.PREDICTION: column(prediction_column), partials.REFERENCE: column(reference_column)}
    if confidence is None and key_column is not None:
        fail(ValueError, "key_column", "None without confidence", shown(key_column))
    if confidence is not None:
        chosen[partials.KEY] = _key(dataframe, key_column)
    names = prediction_column, reference_column
    worker = partials.PartitionSums(
        measure, names, bootstrap.n_resamples if confidence is not None else 0, bootstrap.seed
    )
    sums = _reduced(dataframe.select(*(values.alias(name) for name, values in chosen.items())), worker)
    blame(Counter({partials.split_wrong(name): row[0] for (_, name), row in sums[partials.WRONG].items()}))
    if not sums[partials.SUM]:
        fail(ValueError, "dataframe", "at least one row", "none")
    warn({text: row[0] for (_, text), row in sums[partials.TOLD].items()})
    totals = _totals(sums)
    result: dict[str, Any] = summed(measure, totals[0], _reference_counts(sums)).score(**reports)
    if confidence is not None:
        if rounded(totals[0, -1:]) < 2:
            fail(ValueError, "dataframe", "at least 2 rows for an interval, since one alone does not vary", "1")
        result |= intervals(measure, rounded(totals[1:]), confidence, detailed=reports.get("detailed", False))
    return only_asked(result, measure, metric)


def _key(dataframe: Any, name: str | None) -> Any:
    """Return 64 bits of every row's key; a null is a key like any other."""
    if name is None:
        fail(ValueError, "key_column", "a column that tells rows apart, for confidence", "None")
    check_column(dataframe, "key_column", name)
    return pyspark_sql().functions.xxhash64(column(name))


def _reduced(texts: Any, worker: partials.PartitionSums) -> Sums:
    """Let the cluster add up the sums of all partitions: what they count, by kind, resample and name."""
    add = pyspark_sql().functions.sum
    rows = (
        texts.mapInArrow(worker, partials.SCHEMA)
        .groupBy(*partials.GROUP)
        .agg(*(add(digit).alias(digit) for digit in partials.DIGIT_COLUMNS))
        .collect()
    )
    sums: Sums = defaultdict(dict)
    for kind, name, resample, *digits in rows:
        sums[kind][resample, name] = digits
    return sums


def _totals(sums: Sums) -> Any:
    """Return the sums as whole numbers, see `from_digits`: shape (1 + n_resamples, n_columns)."""
    found = sums[partials.SUM]
    n_sums, n_columns = (max(axis) + 1 for axis in zip(*((i, int(name)) for i, name in found), strict=True))
    digits = np.array([found[i, str(c)] for i in range(n_sums) for c in range(n_columns)], np.int64)
    return from_digits(digits.T).reshape(n_sums, n_columns)


def _reference_counts(sums: Sums) -> frozenset[int]:
    return frozenset(int(name) for _, name in sums[partials.REFERENCES])
