"""Scores that are missing, as where a judge gave no verdict: they are left out, and how many is said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ..checks import has_elements, in_number, listed, quantity, warn_user
from .units import Units, units_of


def items_of(values: Any) -> list[Any] | None:
    """Return the items of a column; None for what is no column."""
    if isinstance(values, np.ma.MaskedArray):  # What is masked is missing.
        return values.tolist()
    convert = getattr(values, "to_pylist", None) or getattr(values, "tolist", None)
    given = convert() if callable(convert) else values
    if isinstance(given, (str, bytes, Mapping, set, frozenset)) or not has_elements(given):
        return None
    return [*given]


def is_missing(item: Any) -> bool:
    """Return whether a score is missing: None, nan, or an empty text.

    Examples
    --------
    >>> [is_missing(item) for item in (None, float("nan"), "", 0, False, "0")]
    [True, True, True, False, False, False]
    """
    if item is None or type(item).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(item, str):
        return not item.strip()
    return isinstance(item, (float, np.floating)) and item != item


def known_segments(systems: Mapping[str, Any], unit: Any) -> tuple[dict[str, Any], Units | None]:
    """Return the scores of segments that all systems have a score of, and the units of these; warn of the others.

    Parameters
    ----------
    systems : dict of columns
        Columns of other forms, or of other lengths, are returned as they are, to be refused where they are read.
    unit : labels of all segments, or None
    """
    units = None if unit is None else units_of(unit)
    columns = {name: items_of(values) for name, values in systems.items()}
    sizes = {-1 if column is None else len(column) for column in columns.values()}
    if len(sizes) > 1 or -1 in sizes or (units is not None and {len(units.of_segment)} != sizes):
        return dict(systems), units
    lacking = {name: [is_missing(item) for item in column or ()] for name, column in columns.items()}
    is_known = ~np.any([*lacking.values()], axis=0)
    if is_known.all():
        return dict(systems), units
    by_system = [
        f"{name} has none for {quantity(sum(of_one), 'segment')}" for name, of_one in lacking.items() if any(of_one)
    ]
    warn_of_left_out(is_known, "segment", f": {listed(by_system)}")
    kept = {
        name: [item for item, known in zip(column or (), is_known.tolist(), strict=True) if known]
        for name, column in columns.items()
    }
    if units is not None:
        units = units_of([units.labels[i] for i in units.of_segment[is_known].tolist()], units.name)
    return kept, units


def warn_of_left_out(is_known: npt.NDArray[np.bool_], noun: str, why: str) -> None:
    """Say how many have no score."""
    n = int((~is_known).sum())
    warn_user(in_number(n, f"{n:,} of {quantity(len(is_known), noun)} [is|are] left out{why}"))
