"""Scores of rows, for `Dataset.map`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import NoneType
from typing import Any

import numpy as np
import pyarrow as pa

from .. import version
from ..accumulation.accumulator import Accumulator
from ..accumulation.registry import Metrics, asked_of, metric_options_in, options_by_metric, refuse_same_keys, start
from ..accumulation.warnings import told_once
from ..checks import fail, flag, shown
from .batches import all_rows, check_models, check_pairs, good_rows, warn_of_bad

FloatColumns = dict[str, Any]


@dataclass(frozen=True)
class Scorer:
    """Adds the scores of every row to a batch; see `scorer`.

    Attributes
    ----------
    metrics : mapping
        The options of every metric by its name.
    version : str
        The version of textgauge, part of the fingerprint that `datasets` computes, so that its cache
        does not return rows scored by another version.
    """

    metrics: Mapping[str, Mapping[str, Any]]
    prediction_column: str
    reference_column: str | None
    source_column: str | None = None
    prefix: str = ""
    skip_bad: bool = False
    version: str = field(default_factory=lambda: version.__version__)

    def __post_init__(self) -> None:
        """Check everything before any row is read."""
        for name in ("prediction_column", "reference_column", "source_column", "prefix"):
            value = getattr(self, name)
            if not (isinstance(value, str) or (name in ("reference_column", "source_column") and value is None)):
                fail(TypeError, name, "a str", shown(value))
        flag("skip_bad", self.skip_bad)
        measures = self._start()
        check_pairs(measures.values(), self.reference_column, self.source_column)
        refuse_same_keys(measures.items(), "metric")

    def __call__(self, batch: Any) -> Any:
        """Score a batch, or one row.

        Parameters
        ----------
        batch : mapping, pyarrow.Table, pandas or polars DataFrame
            The argument of `map`'s function, in any format of the data set.

        Returns
        -------
        dict or table
            For a mapping, the new columns, float64; for a table or DataFrame, the same with the
            new columns added, as `map` requires; for one row, plain numbers.
        """
        if _is_row(batch, self.prediction_column):
            columns = self._scores({name: [batch[name]] for name in batch})
            return {name: float(column[0]) for name, column in columns.items()}
        columns = self._scores(batch)
        return columns if isinstance(batch, Mapping) else _with_columns(batch, columns)

    def _start(self) -> dict[str, Accumulator]:
        return {name: start(name, options) for name, options in self.metrics.items()}

    def _scores(self, batch: Any) -> FloatColumns:
        """Score every row: float64, shape (n_rows,) per column; bad rows that are skipped have NaN."""
        measures = self._start()
        columns: FloatColumns = {}
        read = good_rows if self.skip_bad else all_rows
        with told_once():
            corpus, is_good = read(
                batch, self.prediction_column, self.reference_column, self.source_column, measures.values()
            )
            check_models(measures.values(), self.reference_column, self.source_column)
            for name, measure in measures.items():
                keys = asked_of(measure.metric, name)
                found = measure.update_corpus(corpus).segment_columns() if len(corpus) else dict.fromkeys(keys, ())
                for key in keys:
                    columns[self.prefix + key] = column = np.full(len(is_good), np.nan)
                    column[is_good] = found[key]
        warn_of_bad(len(is_good) - len(corpus), "given the score NaN")
        return columns


def _is_row(batch: Any, prediction_column: str) -> bool:
    """Return whether `map` runs without batched=True."""
    # Asking a lazy batch for its column would read it.
    is_mapping = isinstance(batch, Mapping) and type(batch).__name__ != "LazyBatch"
    return is_mapping and isinstance(batch.get(prediction_column, ()), (str, NoneType))


def _with_columns(table: Any, columns: FloatColumns) -> Any:
    if isinstance(table, pa.Table):
        for name, column in columns.items():
            table = table.drop_columns([name]) if name in table.column_names else table
            table = table.append_column(name, pa.array(column))
        return table
    if hasattr(table, "assign"):
        return table.assign(**columns)
    return table.with_columns(**type(table)(columns).to_dict())


def scorer(
    metric: Metrics, *, prediction_column: str, reference_column: str | None = None,
    source_column: str | None = None, prefix: str = "", skip_bad: bool = False,
    metric_options: Mapping[str, Any] | None = None, **options: Any,
) -> Scorer:  # fmt: skip
    """Return a callable that adds scores to the rows of a data set.

    For ``dataset.map(scorer(...), batched=True)``, in any number of processes, in any format and
    when streaming. It can be pickled, and its fingerprint in `datasets` depends only on the
    arguments and the version of textgauge.

    Parameters
    ----------
    metric : str, list of str, or dict
        The name of a metric, such as "bleu", "perplexity" or "comet", or of one score, "rougeL";
        several of these; or a dict from names to the options of each.
    prediction_column, reference_column : str
        Columns with a text per row; references may also be lists of texts. A metric without
        references needs no column of them.
    source_column : str, optional
        The column with what every prediction translates, for "comet".
    prefix : str
        Prefix of the names of the new columns, one per score, such as "bleu" or "rougeL".
    skip_bad : bool
        Give rows that are no texts the score NaN, and warn of their number, instead of raising.
    metric_options : mapping, optional
        The options of the metric, or of all of several that have them: see `Bleu`, `Rouge`, `Chrf`, `Ter`,
        `TokenF1`, `Perplexity`. They may be keywords of the call instead.

    Examples
    --------
    >>> add_scores = scorer("rougeL", prediction_column="summary", reference_column="gold")
    >>> add_scores({"summary": ["a cat", "a dog"], "gold": ["a cat", "the dog"]})
    {'rougeL': array([1. , 0.5])}
    """
    options = dict(metric_options_in("scorer", metric, metric_options, options))
    return Scorer(
        options_by_metric(metric, options), prediction_column, reference_column, source_column, prefix, skip_bad
    )
