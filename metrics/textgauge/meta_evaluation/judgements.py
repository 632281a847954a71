"""People's scores and those of metrics as arrays of systems and segments, from tables of any form."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..arrays import FloatArray, IntArray
from ..checks import fail, has_elements, one_of, shown
from ..resampling.missing import is_missing
from ..resampling.units import Units, units_of

_NUMBER = "a finite number, or None where there is none"
_FORMS = "scores by system, an array of systems x segments, or rows of system, segment and score"


class IndexedRows(NamedTuple):
    """The rows of a table, and the system and the segment of each row: int64, shape (n_rows,) each."""

    rows: Sequence[Mapping[str, Any]]
    system_of: IntArray
    segment_of: IntArray


class Judgements(NamedTuple):
    """People's scores.

    Attributes
    ----------
    systems : list of str
    n_segments : int
    scores : float64, shape (n_systems, n_segments)
        Means of all ratings of an output; nan where there is none.
    n_judgements : int
        How many ratings there are.
    table : IndexedRows or None
        What they came in, if they came as rows.
    """

    systems: list[str]
    n_segments: int
    scores: FloatArray
    n_judgements: int
    table: IndexedRows | None = None

    @property
    def rows(self) -> Sequence[Mapping[str, Any]] | None:
        """The rows of the table."""
        return None if self.table is None else self.table.rows


def names_of_columns(given: Any, usual: Mapping[str, str]) -> dict[str, str]:
    """Return the names of columns by their role: the usual ones, or those that are given."""
    if given is not None and not isinstance(given, Mapping):
        fail(TypeError, "columns", f"a dict with other names of {', '.join(usual)}", shown(given))
    named = dict(usual)
    for role, name in (given or {}).items():
        named[one_of("columns", role, usual)] = name
    return named


def judgements_of(human: Any, columns: Mapping[str, str], *, may_lack: Collection[str] = ()) -> Judgements:
    """Return people's scores from any form; `columns` has the names of "system", "segment" and "human" in rows.

    Rows that have no column of one that they `may_lack` are those of one system, and of a segment each.
    """
    if _is_list(human) and not len(human):
        fail(ValueError, "human", "at least one score", "none")
    if (rows := rows_of(human)) is not None:
        return _from_rows(rows, columns, may_lack)
    if isinstance(human, Mapping):
        systems = list(map(str, human))
        scores = scores_by_system(human, systems, "human")
    else:
        scores = _array(human, "human")
        systems = [f"system {number}" for number in range(1, len(scores) + 1)]
    if not scores.size:
        fail(ValueError, "human", "at least one score", "none")
    return _checked(Judgements(systems, scores.shape[1], scores, int((~np.isnan(scores)).sum())))


def rows_of(table: Any) -> Sequence[Mapping[str, Any]] | None:
    """Return the rows of a table: a list of dicts, a pandas or polars frame, an Arrow table; None if it is none."""
    for method, more in (("to_pylist", ()), ("to_dicts", ()), ("to_dict", ("records",))):
        # A mapping of ours has none of these; an Arrow array has a list of no dicts.
        if hasattr(table, method) and hasattr(table, "columns"):
            if method == "to_pylist":
                from ..input.arrow import validate

                validate(table, "human")
            rows: Sequence[Mapping[str, Any]] = getattr(table, method)(*more)
            return rows
    if isinstance(table, (str, bytes, Mapping, np.ndarray)) or not _is_list(table):
        return None
    if len(table) and isinstance(table[0], Mapping):
        return list(table)
    return None


def _is_list(value: Any) -> bool:
    """Return whether a value has elements that may be counted before they are read."""
    return has_elements(value) and hasattr(value, "__len__")


def _from_rows(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str], may_lack: Collection[str]) -> Judgements:
    lacking = [name for name in may_lack if not any(isinstance(row, Mapping) and columns[name] in row for row in rows)]
    # With several systems nothing says which outputs are of one segment.
    lacking = lacking if "system" in lacking else []
    columns = {name: column for name, column in columns.items() if name not in lacking}
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping):
            fail(TypeError, f"human[{i}]", "a dict, as the rows before", shown(row))
        for name in columns.values():
            if name not in row:
                fail(ValueError, f"human[{i}]", f"a value of {name!r}", f"a row of {', '.join(map(repr, row))}")
    systems, system_of = ["system"], np.zeros(len(rows), np.int64)
    if "system" in columns:
        systems, system_of = _numbered(rows, columns["system"])
    segments, segment_of = [*map(str, range(len(rows)))], np.arange(len(rows))
    if "segment" in columns:
        segments, segment_of = _numbered(rows, columns["segment"])
    name = columns["human"]
    ratings = np.array([number(row[name], f"human[{i}][{name!r}]") for i, row in enumerate(rows)])
    is_rated = ~np.isnan(ratings)
    flat = system_of * len(segments) + segment_of
    size = len(systems) * len(segments)
    counts = np.bincount(flat[is_rated], minlength=size)
    sums = np.bincount(flat[is_rated], ratings[is_rated], minlength=size)
    means = np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0)
    shape = len(systems), len(segments)
    table = IndexedRows(rows, system_of, segment_of)
    return _checked(Judgements(systems, shape[1], means.reshape(shape), int(is_rated.sum()), table))


def _numbered(rows: Sequence[Mapping[str, Any]], name: str) -> tuple[list[str], IntArray]:
    """Return the distinct values of a column as texts, and the number of the value of every row."""
    seen: dict[str, int] = {}
    numbers = []
    for i, row in enumerate(rows):
        value = row[name]
        if value is None or value != value or value == "" or isinstance(value, (list, dict)):
            fail(ValueError, f"human[{i}][{name!r}]", f"the name or number of a {name}", shown(value))
        numbers.append(seen.setdefault(str(value), len(seen)))
    return list(seen), np.array(numbers, np.int64)


def _checked(judged: Judgements) -> Judgements:
    """Refuse systems that nobody judged."""
    unjudged = np.flatnonzero(np.isnan(judged.scores).all(axis=1))
    if len(unjudged):
        fail(ValueError, "human", "a score of every system", f"none of {judged.systems[unjudged[0]]!r}")
    return judged


def number(value: Any, argument: str) -> float:
    """Return a finite number, 1 or 0 for a truth value, or nan for what is missing: see `is_missing`."""
    if is_missing(value):
        return np.nan
    if isinstance(value, (bool, np.bool_)):
        return float(value)
    if isinstance(value, (str, bytes)) or not hasattr(type(value), "__float__"):
        fail(TypeError, argument, _NUMBER, shown(value))
    try:
        as_float = float(value)
    except (TypeError, ValueError, OverflowError):  # Of an array, a signaling NaN, an integer beyond all floats.
        as_float = np.inf
    if as_float in (np.inf, -np.inf):
        fail(ValueError, argument, _NUMBER, shown(value))
    return as_float


def scores_by_system(scores: Mapping[Any, Any], systems: Sequence[str], argument: str) -> FloatArray:
    """Return the scores of these systems, all of the same segments: shape (n_systems, n_segments)."""
    by_name = {str(name): values for name, values in scores.items()}
    for system in systems:
        if system not in by_name:
            fail(ValueError, argument, f"scores of {system!r}, which people judged", f"only {', '.join(by_name)}")
    rows = [column(by_name[system], f"{argument}[{system!r}]") for system in systems]
    for system, row in zip(systems, rows, strict=True):
        if len(row) != len(rows[0]):
            allowed = f"as many scores as {systems[0]!r} has ({len(rows[0])})"
            fail(ValueError, f"{argument}[{system!r}]", allowed, str(len(row)))
    return np.array(rows).reshape(len(rows), -1)


def column(values: Any, argument: str) -> FloatArray:
    """Return numbers, nan where there is none: shape (n,)."""
    if isinstance(values, (str, bytes, Mapping, set, frozenset)) or not _is_list(values):
        fail(TypeError, argument, "a list of numbers", shown(values))
    if isinstance(values, np.ma.MaskedArray):  # What is masked is missing.
        values = values.tolist()
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "iuf":
        bad = np.flatnonzero(np.isinf(values))
        if len(bad):
            fail(ValueError, f"{argument}[{bad[0]}]", _NUMBER, shown(float(values[bad[0]])))
        return values.astype(np.float64)
    items = values.to_pylist() if hasattr(values, "to_pylist") else values
    return np.array([number(value, f"{argument}[{i}]") for i, value in enumerate(items)], np.float64)


def _array(values: Any, argument: str) -> FloatArray:
    """Return an array of systems x segments."""
    if isinstance(values, (str, bytes, set, frozenset)) or not _is_list(values):
        fail(TypeError, argument, _FORMS, shown(values))
    rows = [column(row, f"{argument}[{i}]") for i, row in enumerate(values)]
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            fail(ValueError, f"{argument}[{i}]", f"as many scores as {argument}[0] has ({len(rows[0])})", str(len(row)))
    return np.array(rows).reshape(len(rows), -1)


def metric_scores(values: Any, judged: Judgements, argument: str, *, may_miss: bool = False) -> FloatArray:
    """Return a metric's scores: those of a column of the rows, or in the form of people's scores.

    Raises
    ------
    TypeError, ValueError
        For a value that is no number, another number of systems or segments, an output that people judged and the
        metric did not score, or rows of one output that differ.
    """
    if judged.table is not None:
        of_rows = column(values, argument)
        if len(of_rows) != len(judged.table.rows):
            allowed = f"a score for each row of `human` ({len(judged.table.rows)})"
            fail(ValueError, argument, allowed, str(len(of_rows)))
        scores = _spread(of_rows, judged.table, judged.scores.shape, argument)
    elif isinstance(values, Mapping):
        scores = scores_by_system(values, judged.systems, argument)
    else:
        scores = _array(values, argument)
    if scores.shape != judged.scores.shape:
        allowed = f"{judged.scores.shape[0]} systems x {judged.scores.shape[1]} segments, as people's scores"
        fail(ValueError, argument, allowed, " x ".join(map(str, scores.shape)))
    if not may_miss:
        _refuse_missing(scores, judged, argument)
    return scores


def _refuse_missing(scores: FloatArray, judged: Judgements, argument: str) -> None:
    missing = np.argwhere(np.isnan(scores) & ~np.isnan(judged.scores))
    if not len(missing):
        return
    system, segment = missing[0]
    place = f"[{judged.systems[system]!r}][{segment}]"
    if judged.table is not None:
        is_of_output = (judged.table.system_of == system) & (judged.table.segment_of == segment)
        place = f"[{np.flatnonzero(is_of_output)[0]}]"
    fail(ValueError, argument + place, "a score, since people judged this output", "none")


def _spread(values: FloatArray, table: IndexedRows, shape: tuple[int, ...], argument: str) -> FloatArray:
    """Return a column of the rows by system and segment; several rows of an output must agree."""
    has_value = np.flatnonzero(~np.isnan(values))
    at = np.ravel_multi_index((table.system_of[has_value], table.segment_of[has_value]), shape)
    _, first, group_of = np.unique(at, return_index=True, return_inverse=True)
    earlier, own = values[has_value[first[group_of]]], values[has_value]
    differing = np.flatnonzero(earlier != own)
    if len(differing):
        i = differing[0]
        allowed = f"{earlier[i]:g}, as an earlier row of this output"
        fail(ValueError, f"{argument}[{has_value[i]}]", allowed, f"{own[i]:g}")
    scores = np.full(shape, np.nan)
    scores.flat[at] = own
    return scores


def units_of_judged(judged: Judgements, unit: Any) -> Units | None:
    """Return the units of the segments from a label per segment, a label per row, or the name of a column."""
    if unit is None or judged.table is None:
        return None if unit is None else units_of(unit)
    rows, _, segment_of = judged.table
    of_rows = units_of_rows(rows, unit, "human") if isinstance(unit, str) else units_of(unit)
    if len(of_rows.of_segment) != len(rows):
        fail(ValueError, "unit", f"a label for each row of `human` ({len(rows)})", f"{len(of_rows.of_segment)}")
    by_segment = np.full(judged.n_segments, -1, np.int64)
    by_segment[segment_of[::-1]] = of_rows.of_segment[::-1]
    apart = np.flatnonzero(by_segment[segment_of] != of_rows.of_segment)
    if len(apart):
        of_first, own = (of_rows.labels[unit_of[apart[0]]] for unit_of in (by_segment[segment_of], of_rows.of_segment))
        allowed = f"{of_first!r}, as an earlier row of this segment"
        fail(ValueError, f"unit[{apart[0]}]", allowed, shown(own))
    return Units(of_rows.name, of_rows.labels, by_segment)


def units_of_rows(rows: Sequence[Any], name: str, argument: str) -> Units:
    """Return the units that a column of rows names; `argument` is for messages."""
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping) or name not in row:
            got = f"a row of {', '.join(map(repr, row))}" if isinstance(row, Mapping) else shown(row)
            fail(ValueError, f"{argument}[{i}]", f"a unit in {name!r}", got)
    return units_of([row[name] for row in rows], name)


def texts_by_output(judged: Judgements, name: str, *, may_be_lists: bool = False) -> list[list[Any]]:
    """Return a column of texts by system and segment, None where there is no row; rows of an output must agree."""
    texts: list[list[Any]] = [[None] * judged.n_segments for _ in judged.systems]
    if judged.table is None:
        return texts
    for i, (row, system, segment) in enumerate(zip(*judged.table, strict=True)):
        if name not in row:
            fail(ValueError, f"human[{i}]", f"a text in {name!r}", f"a row of {', '.join(map(repr, row))}")
        text = row[name]
        if not isinstance(text, str) and not (may_be_lists and _is_list(text) and len(text)):
            fail(TypeError, f"human[{i}][{name!r}]", "a text", shown(text))
        before = texts[system][segment]
        if before is not None and before != text:
            fail(ValueError, f"human[{i}][{name!r}]", "the text of an earlier row of this output", shown(text))
        texts[system][segment] = text
    return texts
