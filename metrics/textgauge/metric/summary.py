"""A result as a table."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple


class Line(NamedTuple):
    """A line of a table.

    Attributes
    ----------
    label : str
    values : tuple of float
        One value for each of the last of `Summary.heads`.
    key : str
        The key of its interval in the result; empty without one.
    is_headline : bool
    full : float or None
        The last value that fills a bar, which starts at 0; None for a value without a bar.
    """

    label: str
    values: tuple[float, ...]
    key: str = ""
    is_headline: bool = False
    full: float | None = 1.0

    def filled(self, value: float) -> float | None:
        """Return the part of a bar that a value fills, None if it has no bar."""
        return None if self.full is None else min(max(value / self.full, 0.0), 1.0)


class Summary(NamedTuple):
    """A result as a table.

    Attributes
    ----------
    title : str
    heads : tuple of str
        The names of the values of a line.
    lines : sequence of Line
    below : sequence of str
        The lines below the table.
    """

    title: str
    heads: tuple[str, ...]
    lines: Sequence[Line]
    below: Sequence[str]


def interval_in(result: Mapping[str, Any], line: Line) -> list[float] | None:
    """Return the interval of the last value of a line, if the result has it."""
    if line.is_headline and "confidence_interval" in result:
        bounds: Any = result["confidence_interval"]
    else:
        bounds = result.get("confidence_intervals", {}).get(line.key)
    return [*bounds.values()][-1] if isinstance(bounds, dict) else bounds


def times(value: Any, factor: float) -> Any:
    """Multiply numbers, also in lists and dicts; leave other values as they are."""
    if isinstance(value, str) or value is None:
        return value
    if isinstance(value, dict):
        return {key: times(part, factor) for key, part in value.items()}
    return [times(part, factor) for part in value] if isinstance(value, list) else value * factor


@cache
def _kept(unscaled: frozenset[str]) -> frozenset[str]:
    return frozenset(("counts", *unscaled, *(f"segment_{key}" for key in unscaled)))


def scaled(result: Mapping[str, Any], factor: float, unscaled: Collection[str]) -> dict[str, Any]:
    """Return a result with its scores multiplied, except counts, the signature and the keys in `unscaled`."""
    kept = _kept(frozenset(unscaled))
    return {
        key: value if key in kept
        else value * factor if type(value) is float
        else scaled(value, factor, unscaled) if key == "confidence_intervals"
        else times(value, factor)
        for key, value in result.items()
    }  # fmt: skip
