"""Columns with the scores of rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from .. import version
from ..accumulation.accumulator import Accumulator
from ..accumulation.named_score import Metrics, columns_by_key, scores_of
from ..checks import Tally, fail, flag, shown
from ..dataset import check_pairs, scores_of_rows, warn_of_bad
from .columns import (
    Wrong,
    are_good,
    check_table,
    check_version,
    corpus_of_batch,
    pyspark_sql,
    refusal_of_models,
    refuse_wrong,
    without_bounds,
    wrong_row,
    wrong_values,
)

# The column with a worker's reason not to score a batch.
_REFUSAL = "refusal"


def add_scores(
    dataframe: Any, metric: Metrics, *, prediction_column: str, reference_column: str | None = None,
    source_column: str | None = None, prefix: str = "", skip_bad: bool = False,
) -> Any:  # fmt: skip
    """Add the scores of every row to a Spark data frame, as columns of type double.

    Spark computes the scores lazily, so a null or an empty list of references fails the later job, with an error
    of Spark that names the column, the number of such values in the batch, and a row. Texts without tokens are counted
    in the log of the workers, once per partition. Columns of type char and varchar come back as string.

    Parameters
    ----------
    dataframe, metric, prediction_column, reference_column
        As for `score`. A metric without references takes no `reference_column`:
        ``textgauge.Perplexity(model=...)`` with an `NgramModel`, which Spark sends to the workers.
    source_column : str, optional
        As for `score`.
    prefix : str
        Prefix of the names of the new columns, one per score, such as "bleu" or "rougeL"; options follow the name
        where two would have the same.
    skip_bad : bool
        Give rows with nulls or without references the score NaN; the logs of the workers have their number.

    Returns
    -------
    pyspark.sql.DataFrame

    Raises
    ------
    ValueError
        If the data frame already has a column of such a name, in any case unless ``spark.sql.caseSensitive`` is set.
    """
    scores = [*scores_of(metric).values()]
    accumulators = [score.start() for score in scores]
    check_pairs(accumulators, reference_column, source_column)
    names = columns_by_key(zip(scores, (accumulator.metric for accumulator in accumulators), strict=True), "metric")
    for accumulator in accumulators:
        accumulator.metric.check_ready()
    flag("skip_bad", skip_bad)
    if not isinstance(prefix, str):
        fail(TypeError, "prefix", "a str", shown(prefix))
    check_table(dataframe, prediction_column, reference_column, source_column)
    columns, types = dataframe.columns, pyspark_sql().types
    keys = tuple(map(tuple, names))
    added = [prefix + name for of_one in names for name in of_one.values()]
    # Spark reads names without regard to case unless it is told to.
    is_sensitive = dataframe.sparkSession.conf.get("spark.sql.caseSensitive", "false") == "true"
    taken = {*columns} if is_sensitive else {*map(str.lower, columns)}
    for name in added:
        if (name if is_sensitive else name.lower()) in taken:
            fail(ValueError, "prefix", f"a prefix for which {name!r} is a new column", shown(prefix))
    # mapInArrow cannot resolve names with a dot, nor duplicate names.
    plain = [f"column{i}" for i in range(len(columns))]
    sides = tuple(name for name in (prediction_column, reference_column, source_column) if name is not None)
    places = tuple(map(columns.index, sides))
    worker = RowScores(
        tuple(accumulators), sides, places, keys, has_sources=source_column is not None, skip_bad=skip_bad
    )
    texts = without_bounds(dataframe.toDF(*plain))
    schema = types.StructType([*texts.schema.fields])
    for name in worker.added:
        schema.add(name, types.DoubleType())
    schema.add(_REFUSAL, types.StringType())
    return _checked(texts.mapInArrow(worker, schema)).toDF(*columns, *added)


def _checked(scored: Any) -> Any:
    """Let Spark raise a worker's refusal: its message comes first; that of a Python error follows a traceback.

    It is a condition on rows, so that the job fails even if it does not use the scores.
    """
    functions = pyspark_sql().functions
    refusal = functions.col(_REFUSAL)
    refused = functions.raise_error(refusal).cast("boolean")
    return scored.where(functions.when(refusal.isNull(), True).otherwise(refused)).drop(_REFUSAL)


@dataclass(frozen=True)
class RowScores:
    """Appends score columns to the batches of one partition, for `mapInArrow`.

    Attributes
    ----------
    accumulators : tuple of Accumulator, empty
    names : tuple of str
        The columns of predictions, and of references and of sources if there are any, as the user names them.
    places : tuple of int
        The positions of these columns in a batch.
    keys : tuple of tuples of str
        The names of the scores of a row, for every accumulator.
    has_sources : bool
        Whether the last column is that of sources.
    skip_bad : bool
        Whether rows with wrong values get the score NaN.
    """

    accumulators: tuple[Accumulator, ...]
    names: tuple[str, ...]
    places: tuple[int, ...]
    keys: tuple[tuple[str, ...], ...]
    has_sources: bool = False
    skip_bad: bool = False
    version: str = field(default_factory=lambda: version.__version__)

    @property
    def added(self) -> list[str]:
        """The new columns of the batches."""
        return [f"score{i}" for i in range(sum(map(len, self.keys)))]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield every batch with its scores, or with the reason for refusal in every row."""
        check_version(self.version)
        tally = Tally()
        n_before = n_bad = 0
        for batch in batches:
            texts = [batch.column(place) for place in self.places]
            wrong = wrong_values(texts, self.names, has_sources=self.has_sources)
            good = np.ones(batch.num_rows, np.bool_)
            if wrong and self.skip_bad:
                good, wrong = are_good(texts, has_sources=self.has_sources), Counter()
                texts = [column.filter(pa.array(good)) for column in texts]
                n_bad += int((~good).sum())
            refusal = self._refusal(wrong, texts, n_before)
            refusal = refusal or refusal_of_models(self.accumulators, self.names, has_sources=self.has_sources)
            n_before += batch.num_rows
            scores = [np.full(batch.num_rows, np.nan) for _ in self.added]
            if refusal is None:
                with tally.collecting():
                    scores = self._scores(texts, good)
            columns = [*batch.columns, *map(pa.array, scores), pa.array([refusal] * batch.num_rows, pa.string())]
            yield pa.RecordBatch.from_arrays(columns, names=[*batch.schema.names, *self.added, _REFUSAL])
        tally.warn()
        warn_of_bad(n_bad, "given the score NaN")

    def _scores(self, texts: Sequence[pa.Array], good: Any) -> list[Any]:
        corpus = corpus_of_batch(texts, self.names, has_sources=self.has_sources)
        every = zip(self.accumulators, self.keys, strict=True)
        return [
            column for accumulator, keys in every for column in scores_of_rows(accumulator, keys, corpus, good).values()
        ]

    def _refusal(self, wrong: Wrong, texts: Sequence[pa.Array], n_before: int) -> str | None:
        if not wrong:
            return None
        row = wrong_row(texts, n_before, has_sources=self.has_sources)
        try:
            refuse_wrong(wrong, f" in a batch of {len(texts[0])} rows, one in {row}")
        except ValueError as error:
            return str(error)
        return None
