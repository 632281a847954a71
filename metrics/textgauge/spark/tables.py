"""What Spark hands over: columns by name, checked before any row is read."""

from __future__ import annotations

from typing import Any

from ..checks import fail, line_to_install, shown

_TEXT, _TEXTS = "string", "array<string>"
# Text of a bounded length.
_BOUNDED = ("char(", "varchar(")


def pyspark_sql() -> Any:
    """Return `pyspark.sql`, or say how to install it."""
    try:
        import pyspark.sql
    except ImportError:
        fail(ImportError, "pyspark", f"it to be installed: {line_to_install('spark')}", "no such package")
    return pyspark.sql


def check_table(dataframe: Any, prediction_column: Any, reference_column: Any) -> None:
    """Refuse what is no data frame, and columns that do not hold text."""
    if not isinstance(dataframe, pyspark_sql().DataFrame):
        fail(TypeError, "dataframe", "a pyspark.sql.DataFrame", shown(dataframe))
    check_column(dataframe, "prediction_column", prediction_column, (_TEXT,))
    if reference_column is not None:
        check_column(dataframe, "reference_column", reference_column, (_TEXT, _TEXTS))


def check_column(dataframe: Any, argument: str, name: Any, types: tuple[str, ...] = ()) -> None:
    """Refuse a column that is not there, there twice, or of another type; no `types` allow every one."""
    if not isinstance(name, str):
        fail(TypeError, argument, "the name of a column", shown(name))
    columns = dataframe.columns
    if columns.count(name) != 1:
        got = f"{name!r}, of which there are {columns.count(name)}"
        fail(ValueError, argument, f"one column of the data frame ({', '.join(map(repr, columns))})", got)
    kind = dataframe.schema[name].dataType.simpleString().partition(" collate")[0]
    plain = _TEXT if kind.startswith(_BOUNDED) else kind
    if types and plain not in types:
        fail(TypeError, f"{argument} {name!r}", f"a column of type {' or '.join(types)}", kind)


def without_bounds(dataframe: Any) -> Any:
    """Return the columns of bounded text as plain text: mapInArrow knows no others."""
    kinds = {name: kind for name, kind in dataframe.dtypes if kind.startswith(_BOUNDED)}
    return dataframe.withColumns({name: column(name).cast(_TEXT) for name in kinds}) if kinds else dataframe


def column(name: str) -> Any:
    """Return a column, whatever characters its name has."""
    quoted = name.replace("`", "``")
    return pyspark_sql().functions.col(f"`{quoted}`")
