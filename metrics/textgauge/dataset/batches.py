"""Batches of `datasets` as texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..accumulation.accumulator import Accumulator
from ..accumulation.metric import check_given, check_needs
from ..checks import CountWarning, fail, shown, warn_user
from ..columns import Corpus, reference_column, text_column, without_references
from ..plain import Texts
from ..squad_rows import has_rows, reader_of


def corpus_in(
    batch: Any, prediction_column: str, reference_column_name: str | None, source_column: str | None,
    measures: Iterable[Accumulator], place: str = "batch",
) -> Corpus:  # fmt: skip
    """Return the texts of a batch.

    Parameters
    ----------
    batch : mapping, pyarrow.Table, pandas or polars DataFrame
        Columns by name.
    measures : iterable of Accumulator
        What will score them; references may be rows ``{"text": [...]}``, as SQuAD has them.
    place : str
        The name of the batch in messages.

    Raises
    ------
    ValueError
        If a column is missing.
    TypeError
        If a value is not text; the message names the column and the position in the batch.
    """
    check_columns(columns_of(batch), prediction_column, reference_column_name, source_column)

    def texts_of(name: str) -> Texts:
        return text_column(values_of(batch, name), f"{place}[{name!r}]")

    hypotheses = texts_of(prediction_column)
    sources = None if source_column is None else texts_of(source_column)
    if reference_column_name is None:
        return without_references(hypotheses, sources)
    references = values_of(batch, reference_column_name)
    if has_rows(references):
        return reader_of(measure.metric for measure in measures)(hypotheses, references)
    return Corpus(hypotheses, *reference_column(references, f"{place}[{reference_column_name!r}]"), sources=sources)


def all_rows(*batch: Any, **named: Any) -> tuple[Corpus, npt.NDArray[np.bool_]]:
    """Return `corpus_in`, and True for every row: shape (n_rows,)."""
    corpus = corpus_in(*batch, **named)
    return corpus, np.ones(len(corpus), np.bool_)


def good_rows(
    batch: Any, prediction_column: str, reference_column_name: str | None, source_column: str | None,
    measures: Iterable[Accumulator], place: str = "batch",
) -> tuple[Corpus, npt.NDArray[np.bool_]]:  # fmt: skip
    """Return `corpus_in` of the rows that are texts, and which rows these are: shape (n_rows,)."""
    asked = (prediction_column, reference_column_name, source_column)
    check_columns(columns_of(batch), *asked)
    try:
        return all_rows(batch, *asked, measures, place)
    except (TypeError, ValueError):
        # Looked at one by one: mostly there are none.
        names = [name for name in asked if name is not None]
        rows = [*zip(*(_plain(values_of(batch, name)) for name in names), strict=True)]

    def read(some: Sequence[Any]) -> Corpus:
        columns = {name: [row[i] for row in some] for i, name in enumerate(names)}
        if reference_column_name is not None:
            columns[reference_column_name] = [*map(_listed, columns[reference_column_name])]
        return corpus_in(columns, *asked, measures, place)

    def is_good(row: Any) -> bool:
        try:
            read([row])
        except (TypeError, ValueError):
            return False
        return True

    which = np.array([is_good(row) for row in rows], np.bool_)
    return read([row for row, is_kept in zip(rows, which.tolist(), strict=True) if is_kept]), which


def _plain(column: Any) -> list[Any]:
    """Return a column as Python objects."""
    return list(column.to_pylist() if hasattr(column, "to_pylist") else column)


def _listed(references: Any) -> Any:
    """Return a text as a list of it: one row may have a text where another has several."""
    return [references] if isinstance(references, str) else references


def warn_of_bad(n_bad: int, what: str) -> None:
    """Warn of rows that are no texts, and of what became of them."""
    if n_bad:
        warn_user(CountWarning(n_bad, f"bad [row was|rows were] {what}: a text or a reference is missing or no text."))


def columns_of(batch: Any) -> list[str]:
    """Return the names of the columns."""
    if isinstance(batch, pa.Table):
        return list(batch.column_names)
    try:
        return list(batch if isinstance(batch, Mapping) else batch.columns)
    except AttributeError:
        fail(TypeError, "batch", "columns by name, as `datasets` passes them", shown(batch))


def values_of(batch: Any, name: str) -> Any:
    """Return one column.

    Of a lazy batch it is the Arrow column: `map` writes columns back object by object once they are Python objects.
    """
    is_unread = name in getattr(batch, "keys_to_format", ())
    return batch.pa_table.column(name) if is_unread else batch[name]


def check_columns(
    names: Sequence[str], prediction_column: str, reference_column_name: str | None, source_column: str | None = None
) -> None:
    """Refuse a missing column."""
    chosen = {
        "prediction_column": prediction_column, "reference_column": reference_column_name,
        "source_column": source_column,
    }  # fmt: skip
    for argument, name in chosen.items():
        if name is not None and name not in names:
            fail(ValueError, argument, f"a column of the data set ({', '.join(map(repr, names))})", shown(name))


def check_pairs(
    measures: Iterable[Accumulator], reference_column_name: str | None, source_column: str | None = None
) -> None:
    """Refuse columns that a metric lacks or none takes, see `Metric.inputs`, and what needs all rows."""
    metrics = []
    for measure in measures:
        asked = measure.metric.reports_type()
        if measure.metric.sums(asked).kind == "all":
            measure.check_sums(asked)
        metrics.append(measure.metric)
    given = {"references": reference_column_name, "sources": source_column}
    check_given(metrics, given, needed="a column", spelled="{}_column")


def check_models(
    measures: Iterable[Accumulator], reference_column_name: str | None, source_column: str | None = None
) -> None:
    """Like `check_pairs`, for what the models of metrics use, which are loaded for that."""
    given = {"references": reference_column_name, "sources": source_column}
    check_needs([measure.metric for measure in measures], given, needed="a column", spelled="{}_column")
