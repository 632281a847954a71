"""One partition, on a worker: exact sums of its statistics, as rows that Spark adds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from .. import version
from ..accumulation.accumulator import Accumulator
from ..accumulation.running import summands
from ..arrays import FloatArray, IntArray
from ..checks import Tally
from ..resampling import poisson_weights
from ..sums import DIGITS, carried, digits_of
from .batches import Wrong, are_good, check_version, corpus_of_batch, refusal_of_models, wrong_row, wrong_values

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


@dataclass(frozen=True)
class PartitionSums:
    """Sums the rows of one partition, for `mapInArrow`.

    Attributes
    ----------
    measures : tuple of Accumulator, empty
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

    measures: tuple[Accumulator, ...]
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
            found = wrong_values(texts, self.names, has_sources=self.has_sources)
            if found and self.skip_bad:
                good = pa.array(are_good(texts, has_sources=self.has_sources))
                n_rows, batch = batch.num_rows, batch.filter(good)  # noqa: PLW2901
                counts[SKIPPED][""] += n_rows - batch.num_rows
                texts, found = [batch.column(side) for side in self.sides], Counter()
            if found and not wrong:
                keys = batch.column(KEY_TEXT) if self.n_resamples else None
                places[wrong_row(texts, n_before, keys, has_sources=self.has_sources)] += 1
            wrong += found
            n_before += batch.num_rows
            if found or batch.num_rows == 0:
                continue
            if refusal := refusal_of_models(self.measures, self.names, has_sources=self.has_sources):
                counts[REFUSED][refusal] += 1
                break
            with tally.collecting():
                corpus = corpus_of_batch(texts, self.names, has_sources=self.has_sources)
                measures = [measure.without_segments().update_corpus(corpus) for measure in self.measures]
            counts[REFERENCES].update(map(str, corpus.n_references))
            made_by = [measure.provenance()["counters"] for measure in measures]
            if any(made_by):
                counts[MADE_BY][json.dumps(made_by)] += 1
            keys = batch.column(KEY).to_numpy().view(np.uint64) if self.n_resamples else None
            digits = carried(digits + self._sums(digits_of(np.hstack([*map(summands, measures)])), keys))
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
