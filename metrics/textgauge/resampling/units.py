"""Units: segments that a resample draws, or exchanges, together, such as those of a document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import IntArray
from ..checks import fail, has_elements, shown, warn_user
from ..lazy import lazy

# A bootstrap of fewer units, or segments, varies less than these themselves do: see comparisons/few_units.py.
FEW_UNITS = 100
# Of fewer units no interval is reliable where their scores are skew.
FEWEST_UNITS = 10
# The name of units whose labels have none.
_UNNAMED = "given"
LABEL = "a label, a text or a number"
# The names of columns that mostly say which segments belong together.
USUAL = re.compile(r"(doc|document|problem|speaker|session)(_?id)?", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Units:
    """Which segments belong together.

    Attributes
    ----------
    name : str
        What the labels are called, such as the name of their column.
    labels : list
        The label of every unit, in the order of their first segments.
    of_segment : int64, shape (n_segments,)
        The unit of every segment, a place in `labels`.
    """

    name: str
    labels: Sequence[Any]
    of_segment: IntArray

    def __len__(self) -> int:
        """Return the number of units."""
        return len(self.labels)

    @lazy
    def sizes(self) -> IntArray:
        """The number of segments of every unit: int64, shape (n_units,)."""
        return np.bincount(self.of_segment, minlength=len(self))

    @lazy
    def _order(self) -> IntArray | None:
        """The segments unit by unit; None if the segments are in that order already."""
        is_sorted = bool((self.of_segment[1:] >= self.of_segment[:-1]).all())
        return None if is_sorted else np.argsort(self.of_segment, kind="stable")

    def check(self, n_segments: int) -> None:
        """Raise unless every segment has a label, and there are two units to draw; warn of few units."""
        if len(self.of_segment) != n_segments:
            fail(ValueError, "unit", f"a label for every segment ({n_segments})", f"{len(self.of_segment)}")
        if len(self) < 2:
            fail(ValueError, "unit", "at least 2 different units to draw", f"{len(self)} ({self.name})")
        self.warn_of_few()

    def warn_of_few(self) -> None:
        """Warn of so few units that even corrected intervals miss the score too often."""
        if len(self) < FEWEST_UNITS:
            warn_user(
                f"only {len(self)} units ({self.name}) are drawn: with fewer than {FEWEST_UNITS} even corrected "
                "intervals miss the score more often than they say; take texts of more units."
            )

    def warn_of_bootstrap(self) -> None:
        """Warn of a p of the bootstrap that is too small, since the units are few."""
        if len(self) < FEW_UNITS:
            warn_user(
                f"p of the bootstrap is too small with fewer than {FEW_UNITS} units: {len(self)} ({self.name}) are "
                "drawn; take the permutation test."
            )

    def summed(self, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Sum the rows of every unit: shape (n_segments, *axes) to (n_units, *axes).

        Examples
        --------
        >>> units_of(["a", "b", "a"]).summed(np.array([[1, 10], [2, 20], [3, 30]])).tolist()
        [[4, 40], [2, 20]]
        """
        starts = np.cumsum(self.sizes) - self.sizes
        return np.asarray(np.add.reduceat(rows if self._order is None else rows[self._order], starts, axis=0))


def units_of(labels: Any, name: str | None = None, argument: str = "unit") -> Units:
    """Return the units that labels of segments make.

    Parameters
    ----------
    labels : list, NumPy or Arrow array, pandas Series, or Units
        A text or a number for every segment; segments with equal labels are one unit.
    name : str, optional
        What they are called; by default the name that the column itself has.
    argument : str
        For messages.

    Raises
    ------
    TypeError
        For labels that are no column, or a label that is missing or no text or number.

    Examples
    --------
    >>> units_of([7, 7, 9]).of_segment.tolist()
    [0, 0, 1]
    """
    if isinstance(labels, Units):
        return labels
    if isinstance(labels, (str, bytes, dict, set, frozenset)) or not has_elements(labels):
        fail(TypeError, argument, f"{LABEL}, for every segment", shown(labels))
    own = getattr(labels, "name", None)
    convert = getattr(labels, "to_pylist", None) or getattr(labels, "tolist", None)
    items = convert() if callable(convert) else list(labels)
    if not isinstance(items, list):
        fail(TypeError, argument, f"{LABEL}, for every segment", shown(labels))
    if not {*map(type, items)} <= {str, int} or None in items:
        # Those of NumPy, such as a row of pandas has.
        items = [item.item() if isinstance(item, np.generic) else item for item in items]
        for i, item in enumerate(items):
            if not is_label(item):
                fail(TypeError, f"{argument}[{i}]", LABEL, shown(item))
    seen: dict[Any, int] = {}
    of_segment = np.fromiter((seen.setdefault(item, len(seen)) for item in items), np.int64, len(items))
    return Units(name or (own if isinstance(own, str) and own else _UNNAMED), [*seen], of_segment)


def is_label(item: Any) -> bool:
    """Return whether a value names a unit: a text or a number."""
    item = item.item() if isinstance(item, np.generic) else item
    # Of a missing number in a column of pandas only a NaN is left.
    return isinstance(item, (str, int, float)) and not isinstance(item, bool) and item == item


def warn_of_unused(names: Iterable[str], way_out: str) -> None:
    """Warn if a column has the name of units, which nothing draws; `way_out` says how to.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_of_unused(["text", "doc_id"], "give unit=")
    >>> str(caught[0].message).rpartition("; ")[2]
    'give unit='
    """
    usual_name = next((name for name in names if USUAL.fullmatch(name)), None)
    if usual_name is not None:
        warn_user(
            f"intervals and p-values draw segments one by one: if those of one {usual_name!r} are alike, they are too "
            f"narrow and too small; {way_out}"
        )
