"""Columns of texts: checked in a data frame before rows are read; in an Arrow batch, on a worker, with their errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..accumulation.accumulator import Accumulator
from ..checks import fail, in_number, line_to_install, shown
from ..dataset import check_models
from ..input.columns import Corpus, reference_column, text_column, without_references
from ..version import __version__

_TEXT, _TEXTS = "string", "array<string>"
# Text of a bounded length.
_BOUNDED = ("char(", "varchar(")
NULLS, EMPTY = "[null|nulls]", "[empty list|empty lists]"
_ALLOWED = {NULLS: "text in every row", EMPTY: "at least one reference in every row"}
Wrong = Counter[tuple[str, str, str]]


def pyspark_sql() -> Any:
    """Return `pyspark.sql`, or raise ImportError with the line that installs it."""
    try:
        import pyspark.sql
    except ImportError:
        raise ImportError(f"pyspark is not installed: {line_to_install('spark')}") from None
    return pyspark.sql


def check_table(dataframe: Any, prediction_column: Any, reference_column: Any, source_column: Any = None) -> None:
    """Raise for an object that is no data frame, and for columns that are not text."""
    if not isinstance(dataframe, pyspark_sql().DataFrame):
        fail(TypeError, "dataframe", "a pyspark.sql.DataFrame", shown(dataframe))
    check_column(dataframe, "prediction_column", prediction_column, (_TEXT,))
    if reference_column is not None:
        check_column(dataframe, "reference_column", reference_column, (_TEXT, _TEXTS))
    if source_column is not None:
        check_column(dataframe, "source_column", source_column, (_TEXT,))


def check_column(dataframe: Any, argument: str, name: Any, types: tuple[str, ...] = ()) -> None:
    """Refuse a missing or duplicate column, or one of another type than `types`, if given."""
    if not isinstance(name, str):
        fail(TypeError, argument, "the name of a column", shown(name))
    columns = dataframe.columns
    if columns.count(name) != 1:
        got = f"{name!r}, which occurs {columns.count(name)} times"
        fail(ValueError, argument, f"one column of the data frame ({', '.join(map(repr, columns))})", got)
    type_name = dataframe.schema[name].dataType.simpleString().partition(" collate")[0]
    plain = _TEXT if type_name.startswith(_BOUNDED) else type_name
    if types and plain not in types:
        fail(TypeError, f"{argument} {name!r}", f"a column of type {' or '.join(types)}", type_name)


def without_bounds(dataframe: Any) -> Any:
    """Cast columns of bounded text to string, since mapInArrow supports no others."""
    bounded = {name: spelled for name, spelled in dataframe.dtypes if spelled.startswith(_BOUNDED)}
    return dataframe.withColumns({name: column(name).cast(_TEXT) for name in bounded}) if bounded else dataframe


def column(name: str) -> Any:
    """Return a column by its name, in which any character is allowed."""
    quoted = name.replace("`", "``")
    return pyspark_sql().functions.col(f"`{quoted}`")


# ---- batches


def wrong_values(texts: Sequence[pa.Array], names: Sequence[str], *, has_sources: bool = False) -> Wrong:
    """Count nulls and empty lists of references, by kind of error, argument and column; sources come last."""
    wrong: Wrong = Counter()
    if has_sources:
        wrong[NULLS, "source_column", names[-1]] = texts[-1].null_count
        texts = texts[:-1]
    wrong[NULLS, "prediction_column", names[0]] = texts[0].null_count
    if len(texts) == 1:
        return +wrong
    references = texts[1]
    wrong[NULLS, "reference_column", names[1]] = references.null_count
    if pa.types.is_list(references.type) or pa.types.is_large_list(references.type):
        wrong[NULLS, "reference_column", names[1]] += pc.list_flatten(references).null_count
        n_empty = pc.sum(pc.equal(pc.list_value_length(references), 0)).as_py()
        wrong[EMPTY, "reference_column", names[1]] = n_empty or 0
    return +wrong


def are_good(texts: Sequence[pa.Array], *, has_sources: bool = False) -> Any:
    """Return which rows have no wrong value: bool, shape (n_rows,)."""
    good = np.ones(len(texts[0]), np.bool_)
    for column in texts:
        good &= column.is_valid().to_numpy(zero_copy_only=False)
    if len(texts) - has_sources == 1:
        return good
    references = texts[1]
    if pa.types.is_list(references.type) or pa.types.is_large_list(references.type):
        good &= pc.greater(pc.list_value_length(references), 0).fill_null(False).to_numpy(zero_copy_only=False)
        is_null = pc.list_flatten(references).is_null().to_numpy(zero_copy_only=False)
        good[pc.list_parent_indices(references).to_numpy()[is_null]] = False
    return good


def wrong_row(
    texts: Sequence[pa.Array], n_before: int = 0, keys: pa.Array | None = None, *, has_sources: bool = False
) -> str:
    """Name the first row with a wrong value: by its key, or by its place behind `n_before` rows of the partition."""
    row = int(np.argmin(are_good(texts, has_sources=has_sources)))
    if keys is not None:
        return f"the row with key {shown(keys[row].as_py()).rpartition(' (')[0]}"
    return f"row {n_before + row + 1} of {_partition()}"


def _partition() -> str:
    from pyspark import TaskContext

    context = TaskContext.get()
    return "a partition" if context is None else f"partition {context.partitionId()}"


def refuse_wrong(wrong: Wrong, where: str = "") -> None:
    """Raise if there are wrong values; the message names the column and their number."""
    for (what, argument, name), count in sorted(wrong.items()):
        fail(ValueError, f"{argument} {name!r}", _ALLOWED[what], f"{count} {in_number(count, what)}{where}")


def refusal_of_models(accumulators: Sequence[Accumulator], names: Sequence[str], *, has_sources: bool) -> str | None:
    """Return why a model cannot score these columns, or does not use one of them; None if all is well."""
    reference = names[1] if len(names) - has_sources > 1 else None
    try:
        check_models(accumulators, reference, names[-1] if has_sources else None)
    except ValueError as error:
        return str(error)
    return None


def corpus_of_batch(texts: Sequence[pa.Array], names: Sequence[str], *, has_sources: bool = False) -> Corpus:
    """Return the texts of the batch; sources come last."""
    hypotheses = text_column(texts[0], names[0])
    sources = text_column(texts[-1], names[-1]) if has_sources else None
    if len(texts) - has_sources == 1:
        return without_references(hypotheses, sources)
    return Corpus(hypotheses, *reference_column(texts[1], names[1]), sources=sources)


def check_version(version: str) -> None:
    """Raise if the version on the worker is not that of the driver."""
    if version != __version__:
        fail(RuntimeError, "textgauge on a worker", f"version {version} as on the driver", shown(__version__))
