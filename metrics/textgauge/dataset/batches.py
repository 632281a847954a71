"""Batches of `datasets` as texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from ..checks import fail, shown
from ..columns import Corpus, reference_column, text_column, without_references
from ..measures.measure import Measure
from ..squad_rows import has_rows, reader_of


def corpus_in(
    batch: Any, prediction_column: str, reference_column_name: str | None, measures: Iterable[Measure],
    source: str = "batch",
) -> Corpus:  # fmt: skip
    """Return the texts of a batch.

    Parameters
    ----------
    batch : mapping, pyarrow.Table, pandas or polars DataFrame
        Columns by name.
    measures : iterable of Measure
        What will score them; references may be rows ``{"text": [...]}``, as SQuAD has them.
    source : str
        The name of the batch in messages.

    Raises
    ------
    ValueError
        If a column is missing.
    TypeError
        If a value is not text; the message names the column and the position in the batch.
    """
    check_columns(columns_of(batch), prediction_column, reference_column_name)
    hypotheses = text_column(values_of(batch, prediction_column), f"{source}[{prediction_column!r}]")
    if reference_column_name is None:
        return without_references(hypotheses)
    references = values_of(batch, reference_column_name)
    if has_rows(references):
        return reader_of(measures)(hypotheses, references)
    return Corpus(hypotheses, *reference_column(references, f"{source}[{reference_column_name!r}]"))


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


def check_columns(names: Sequence[str], prediction_column: str, reference_column_name: str | None) -> None:
    """Refuse a missing column."""
    chosen = {"prediction_column": prediction_column, "reference_column": reference_column_name}
    for argument, name in chosen.items():
        if name is not None and name not in names:
            fail(ValueError, argument, f"a column of the data set ({', '.join(map(repr, names))})", shown(name))


def check_pairs(measures: Iterable[Measure], reference_column_name: str | None) -> None:
    """Refuse missing references where a metric needs them, references where one uses none, and what needs all rows."""
    for measure in measures:
        if measure.needs_all:
            measure.check_sums(measure.reports_type())
        if measure.has_references and reference_column_name is None:
            fail(TypeError, "reference_column", f"a column, which {measure.name} needs", "None")
        if not measure.has_references and reference_column_name is not None:
            allowed = f"None, since {measure.name} uses no references"
            fail(TypeError, "reference_column", allowed, shown(reference_column_name))
