"""Columns of Spark data frames, checked before any row is read."""

from __future__ import annotations

from typing import Any

from ..checks import fail, line_to_install, shown

_TEXT, _TEXTS = "string", "array<string>"
# Text of a bounded length.
_BOUNDED = ("char(", "varchar(")


def pyspark_sql() -> Any:
    """Return `pyspark.sql`, or raise ImportError with the line that installs it."""
    try:
        import pyspark.sql
    except ImportError:
        raise ImportError(f"pyspark is not installed: {line_to_install('spark')}") from None
    return pyspark.sql


def check_table(dataframe: Any, prediction_column: Any, reference_column: Any, source_column: Any = None) -> None:
    """Refuse what is not a data frame, and columns that are not text."""
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
