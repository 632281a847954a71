"""Columns with the scores of rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from .. import version
from ..checks import fail, shown
from ..measures.named import scores_of_segments, start_measure
from .batches import blame, check_version, measured, tallied, warn, wrong_values
from .tables import check_table, pyspark_sql


def add_scores(
    dataframe: Any, metric: str, *, prediction_column: str, reference_column: str, prefix: str = "", **options: Any
) -> Any:
    """Add the scores of every row to a Spark data frame, as columns of type double.

    Nothing is computed before Spark asks for the rows, so a null or an empty list of references
    stops that job, with an error that names the column and how many the batch has. Text that
    became nothing is counted in the log of the workers, once for each partition.

    Parameters
    ----------
    dataframe, metric, prediction_column, reference_column
        As for `score`.
    prefix : str
        Stands before the names of the new columns: "bleu", one per type of ROUGE, or
        "precision", "recall", "f1" and "exact_match".
    **options
        Those of `Bleu`, `Rouge` or `TokenF1`.

    Returns
    -------
    pyspark.sql.DataFrame

    Raises
    ------
    ValueError
        If the data frame has a column of that name already.
    """
    measure = start_measure(metric, options)
    if not isinstance(prefix, str):
        fail(TypeError, "prefix", "a str", shown(prefix))
    check_table(dataframe, prediction_column, reference_column)
    columns, types = dataframe.columns, pyspark_sql().types
    added = [prefix + name for name in scores_of_segments((measure + measure).update([""], [""]))]
    for name in added:
        if name in columns:
            fail(ValueError, "prefix", f"one that makes the column {name!r} a new one", shown(prefix))
    # mapInArrow cannot resolve names with a point, nor one that two columns have.
    plain = [f"column{i}" for i in range(len(columns))]
    worker = RowScores(measure, (prediction_column, reference_column), columns.index(prediction_column),
                       columns.index(reference_column), len(added))  # fmt: skip
    schema = types.StructType(dataframe.toDF(*plain).schema.fields)
    for name in worker.added:
        schema.add(name, types.DoubleType())
    return dataframe.toDF(*plain).mapInArrow(worker, schema).toDF(*columns, *added)


@dataclass(frozen=True)
class RowScores:
    """Appends score columns to the batches of one partition, for `mapInArrow`.

    Attributes
    ----------
    measure : an empty accumulator of `measures`
    names : tuple of str
        The prediction and the reference column, as their owner calls them.
    prediction, reference : int
        Where these columns are in a batch.
    n_scores : int
        How many columns `scores_of_segments` has.
    """

    measure: Any
    names: tuple[str, str]
    prediction: int
    reference: int
    n_scores: int
    version: str = field(default_factory=lambda: version.__version__)

    @property
    def added(self) -> list[str]:
        """The new columns of the batches."""
        return [f"score{i}" for i in range(self.n_scores)]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield every batch with its scores."""
        check_version(self.version)
        told: Counter[str] = Counter()
        for batch in batches:
            texts = batch.column(self.prediction), batch.column(self.reference)
            blame(wrong_values(*texts, self.names), f" in a batch of {batch.num_rows} rows")
            with tallied(told):
                scores = self._scores(*texts)
            columns = [*batch.columns, *map(pa.array, scores)]
            yield pa.RecordBatch.from_arrays(columns, names=[*batch.schema.names, *self.added])
        warn(told)

    def _scores(self, predictions: pa.Array, references: pa.Array) -> list[Any]:
        if len(predictions) == 0:
            return [np.zeros(0)] * self.n_scores
        scored, _ = measured(self.measure, predictions, references, self.names)
        return [np.asarray(column, np.float64) for column in scores_of_segments(scored).values()]
