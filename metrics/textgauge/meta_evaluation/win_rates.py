"""Win rates of systems that judges compare two at a time, and what the place and the length of an answer do to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..arrays import FloatArray, IntArray
from ..checks import fail, quantity, shown
from ..notebook import Table, displayed, interval_text
from ..resampling import BootstrapOptions, Units, percentile_interval, units_of
from ..resampling.intervals import width_of_alike
from ..resampling.missing import is_missing, items_of
from .judgements import names_of_columns, number, rows_of, units_of_rows
from .reliability import resamples

# The names of columns by what they hold.
COLUMNS = {
    "winner": "winner", "first": "first", "second": "second", "item": "item", "first_length": "first_length",
    "second_length": "second_length",
}  # fmt: skip
PLACES = ("all", "first", "second")
BIASES = ("first", "longer", "consistent")
_TIE = "tie"


@displayed
class WinRates(NamedTuple):
    """How often systems win, and how far that depends on the place and the length of their answers.

    Attributes
    ----------
    systems : dict of dict of float, or None
        By system its win rate over "all" verdicts, and over those where its answer stood "first" or "second". A tie is
        half a win. None where there is no verdict.
    first : float or None
        Bias of position: the win rate of answers that stood first, as if every two systems had stood in both orders
        equally often. 0.5 is no bias. None if no two systems stood in both orders.
    longer : float or None
        The win rate of longer answers; None without lengths, or if all are equal.
    consistent : float or None
        The share of pairs of verdicts on one item and two systems, one in each order, that name the same winner, or
        both a tie; None without items, or without such pairs.
    confidence_intervals : dict
        ``["systems"][name]["all"]`` and so on, and by figure: lists of 2 floats, or None.
    n_verdicts, n_ties, n_missing : int
        The verdicts, those that are ties, and how many rows have none, which are left out.
    """

    systems: dict[str, dict[str, float | None]]
    first: float | None
    longer: float | None
    consistent: float | None
    confidence_intervals: dict[str, Any]
    n_verdicts: int
    n_ties: int
    n_missing: int

    def counts(self) -> str:
        """Say how many verdicts, ties and missing verdicts there are."""
        sizes = (self.n_verdicts, "verdict"), (self.n_ties, "tie"), (self.n_missing, "missing verdict")
        return ", ".join(quantity(*size) for size in sizes)

    def _table(self) -> Table:
        """Return a row per system, with its rates by place, and a row per bias."""
        bounds = self.confidence_intervals
        rows = [
            [name, *(_shown(rates[place], bounds.get("systems", {}).get(name, {}).get(place)) for place in PLACES)]
            for name, rates in self.systems.items()
        ]
        rows += [[f"bias: {name}", _shown(getattr(self, name), bounds.get(name))] for name in BIASES]
        return Table("Win rates", PLACES, rows, [self.counts()])


def _shown(value: float | None, bounds: list[float] | None) -> str:
    return "" if value is None else f"{value:.3f} {interval_text(bounds, 3)}".rstrip()


def win_rates(
    verdicts: Any, *, columns: Mapping[str, str] | None = None, confidence: float | None = 0.95,
    n_resamples: int = 1000, seed: int | None = None, unit: Any = None,
) -> WinRates:  # fmt: skip
    """Compute how often systems win where a judge compares two answers, by the place of the answers.

    Parameters
    ----------
    verdicts : rows, or dict of columns
        A list of dicts, an Arrow table, a data frame, or lists by name. Their columns:

        - "first", "second": the systems whose answers stood first and second;
        - "winner": the name of one of the two, "first" or "second", or the name of the column of one; "tie", or a text
          that begins so. None, nan and empty texts are missing verdicts, which are left out, and counted;
        - "item", if there: what was asked, for pairs of verdicts in both orders;
        - "first_length", "second_length", if there: numbers, or the answers, whose characters are counted.
    columns : dict from str to str, optional
        Other names of these columns, such as ``{"first": "model_a", "second": "model_b"}``.
    confidence : float or None
        Level of the intervals; None for none.
    n_resamples, seed
        See `BootstrapOptions`.
    unit : labels of rows, or str, optional
        Rows with equal labels are drawn together: a label for each, or the name of a column; by default the rows of an
        item, or single rows without items.

    Returns
    -------
    WinRates

    Raises
    ------
    TypeError, ValueError
        For a verdict that names neither system, a row without a column, an answer compared with one of its own system.

    References
    ----------
    Zheng et al. (2023), Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena, section 3.3; Wang et al. (2024), Large
    Language Models are not Fair Evaluators.

    Examples
    --------
    >>> found = win_rates(
    ...     {"first": ["a", "b", "a", "b"], "second": ["b", "a", "b", "a"], "winner": ["a", "b", "tie", None]},
    ...     confidence=None,
    ... )
    >>> found.systems["a"], found.first, found.n_missing
    ({'all': 0.5, 'first': 0.75, 'second': 0.0}, 0.875, 1)
    """
    named = names_of_columns(columns, COLUMNS)
    rows = _rows(verdicts)
    has_item = any(named["item"] in row for row in rows)
    unit = named["item"] if unit is None and has_item else unit
    bootstrap = BootstrapOptions(confidence, n_resamples, seed, _units(rows, unit))
    table = _Table.of(rows, named, has_item=has_item)
    n_units = len(rows) if bootstrap.unit is None else len(bootstrap.unit)
    given = None if confidence is None else bootstrap.unit
    # Of one unit there are no intervals.
    if given is not None and (n_units > 1 or len(given.of_segment) != len(rows)):
        given.check(len(rows))
    figures = table.figures()
    sums = np.stack([table.columns.sum(axis=0)])
    exact = {key: _defined(float(figure_of(sums)[0])) for key, figure_of in figures.items()}
    bounds: dict[tuple[str, str], list[float] | None] = {}
    if confidence is not None and n_units > 1:
        drawn = np.concatenate([weights @ table.columns for weights in resamples(len(rows), bootstrap)])
        units = bootstrap.unit or units_of(range(len(rows)))
        bounds = {key: _interval(exact[key], figure_of(drawn), confidence, units) for key, figure_of in figures.items()}
    by_system = {name: {place: exact[name, place] for place in PLACES} for name in table.systems}
    intervals: dict[str, Any] = {name: bounds.get(("", name)) for name in BIASES} if bounds else {}
    if bounds:
        intervals["systems"] = {name: {place: bounds[name, place] for place in PLACES} for name in table.systems}
    first, longer, consistent = (exact["", name] for name in BIASES)
    n_missing = len(rows) - table.n_verdicts
    return WinRates(by_system, first, longer, consistent, intervals, table.n_verdicts, table.n_ties, n_missing)


class _Table(NamedTuple):
    """Verdicts as columns that add up over rows.

    Attributes
    ----------
    systems : list of str
    columns : float64, shape (n_rows, 2 * n_orders + 4)
        Of every order of two systems whether it is that of the row, then what its first one wins: 1, 0 or 0.5; whether
        one answer is longer, and what it wins; pairs of verdicts in both orders, and those that are alike.
    orders : int64, shape (n_orders, 2)
        The systems that stand first and second.
    """

    systems: list[str]
    columns: FloatArray
    orders: IntArray
    n_verdicts: int
    n_ties: int

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Any]], named: Mapping[str, str], *, has_item: bool) -> _Table:
        systems: dict[str, int] = {}
        orders: dict[tuple[int, int], int] = {}
        order_of, wins = np.full(len(rows), -1), np.full(len(rows), np.nan)
        has_lengths = any(named["first_length"] in row or named["second_length"] in row for row in rows)
        lengths = np.zeros((len(rows), 4))
        for i, row in enumerate(rows):
            first, second = (_system(row, named[side], i) for side in ("first", "second"))
            if first == second:
                fail(ValueError, f"verdicts[{i}]", "two different systems", f"{first!r} twice")
            pair = tuple(systems.setdefault(name, len(systems)) for name in (first, second))
            wins[i] = _won(row, named, first, second, i)
            if np.isnan(wins[i]):
                continue
            order_of[i] = orders.setdefault(pair, len(orders))  # type: ignore[arg-type]
            if has_lengths:
                sizes = [_length(row, named[side], i) for side in ("first_length", "second_length")]
                if sizes[0] != sizes[1] and not np.isnan(sizes).any():
                    lengths[i, :2] = 1, wins[i] if sizes[0] > sizes[1] else 1 - wins[i]
        known = np.flatnonzero(order_of >= 0)
        columns = np.zeros((len(rows), 2 * len(orders)))
        columns[known, order_of[known]] = 1
        columns[known, len(orders) + order_of[known]] = wins[known]
        if has_item:
            lengths[:, 2:] = _in_both_orders(rows, named["item"], wins, order_of, [*orders])
        pairs = np.array([*orders], np.int64).reshape(-1, 2)
        return cls([*systems], np.hstack((columns, lengths)), pairs, len(known), int((wins == 0.5).sum()))  # noqa: PLR2004

    def figures(self) -> dict[tuple[str, str], Callable[[FloatArray], FloatArray]]:
        """Return what computes each figure from sums of the columns: shape (n, n_columns) to (n,)."""
        n, place = len(self.orders), {(a, b): i for i, (a, b) in enumerate(self.orders.tolist())}
        found: dict[tuple[str, str], Callable[[FloatArray], FloatArray]] = {}
        for i, name in enumerate(self.systems):
            as_first, as_second = (np.flatnonzero(self.orders[:, side] == i) for side in (0, 1))

            def of_places(sums: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
                won = sums[:, n + first].sum(axis=1) + (sums[:, second] - sums[:, n + second]).sum(axis=1)
                return _share(won, sums[:, first].sum(axis=1) + sums[:, second].sum(axis=1))

            none = np.zeros(0, np.int64)
            for key, sides in zip(PLACES, ((as_first, as_second), (as_first, none), (none, as_second)), strict=True):
                found[name, key] = lambda sums, sides=sides, of=of_places: of(sums, *sides)  # type: ignore[misc]
        both = [(i, place[b, a]) for (a, b), i in place.items() if a < b and (b, a) in place]
        one, other = np.array(both, np.int64).reshape(-1, 2).T

        def of_first(sums: FloatArray) -> FloatArray:
            counts = sums[:, one] + sums[:, other]
            rates = [_share(sums[:, n + side], sums[:, side]) for side in (one, other)]
            rate = (rates[0] + rates[1]) / 2
            # A resample may lack an order.
            counts = np.where(np.isfinite(rate), counts, 0.0)
            return _share((counts * np.nan_to_num(rate)).sum(axis=1), counts.sum(axis=1))

        found["", "first"] = of_first
        found["", "longer"] = lambda sums: _share(sums[:, -3], sums[:, -4])
        found["", "consistent"] = lambda sums: _share(sums[:, -1], sums[:, -2])
        return found


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.asarray(np.divide(part, whole, out=np.full(whole.shape, np.nan), where=whole > 0))


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else value


def _interval(figure: float | None, drawn: FloatArray, confidence: float, unit: Units) -> list[float] | None:
    defined = drawn[np.isfinite(drawn)]
    if figure is None or 2 * len(defined) <= len(drawn):
        return None
    if figure in (0.0, 1.0):
        width = width_of_alike(len(unit), confidence)
        return [1 - width, 1.0] if figure else [0.0, width]
    return np.clip(percentile_interval(defined, confidence, len(unit)), 0, 1).tolist()


def _rows(verdicts: Any) -> list[Mapping[str, Any]]:
    if isinstance(verdicts, Mapping):
        lists: dict[str, list[Any]] = {}
        for name, values in verdicts.items():
            if (items := items_of(values)) is None:
                fail(TypeError, f"verdicts[{name!r}]", "a column of values", shown(values))
            lists[name] = items
        longest = max(map(len, lists.values()), default=0)
        for name, items in lists.items():
            if len(items) != longest:
                fail(ValueError, f"verdicts[{name!r}]", f"as many values as others ({longest})", str(len(items)))
        rows: Any = [dict(zip(lists, values, strict=True)) for values in zip(*lists.values(), strict=True)]
    else:
        rows = rows_of(verdicts)
    if rows is None or not all(isinstance(row, Mapping) for row in rows):
        fail(TypeError, "verdicts", "rows, or a dict of columns, of first, second and winner", shown(verdicts))
    if not len(rows):
        fail(ValueError, "verdicts", "at least one verdict", "none")
    return [*rows]


def _units(rows: Sequence[Mapping[str, Any]], unit: Any) -> Units | None:
    if unit is None:
        return None
    return units_of_rows(rows, unit, "verdicts") if isinstance(unit, str) else units_of(unit)


def _system(row: Mapping[str, Any], name: str, i: int) -> str:
    if name not in row:
        fail(ValueError, f"verdicts[{i}]", f"a system in {name!r}", f"a row of {', '.join(map(repr, row))}")
    value = row[name]
    if is_missing(value) or not isinstance(value, (str, int, float, np.generic)):
        fail(ValueError, f"verdicts[{i}][{name!r}]", "the name of a system", shown(value))
    return str(value)


def _won(row: Mapping[str, Any], named: Mapping[str, str], first: str, second: str, i: int) -> float:
    """Return what the first answer wins: 1, 0, or 0.5 for a tie; nan for a missing verdict."""
    name = named["winner"]
    if name not in row:
        fail(ValueError, f"verdicts[{i}]", f"a verdict in {name!r}", f"a row of {', '.join(map(repr, row))}")
    value = row[name]
    if is_missing(value):
        return float("nan")
    text = str(value).strip()
    of_first, of_second = {first, "first", named["first"]}, {second, "second", named["second"]}
    if text in of_first and text in of_second:
        fail(ValueError, f"verdicts[{i}][{name!r}]", "a word for one of the two answers", f"{text!r}, which is both")
    if text in of_first or text in of_second:
        return float(text in of_first)
    if not text.lower().startswith(_TIE):
        allowed = f"{first!r}, {second!r}, 'first', 'second' or 'tie', or None for a missing verdict"
        fail(ValueError, f"verdicts[{i}][{name!r}]", allowed, shown(value))
    return 0.5


def _length(row: Mapping[str, Any], name: str, i: int) -> float:
    if name not in row:
        fail(ValueError, f"verdicts[{i}]", f"a length in {name!r}", f"a row of {', '.join(map(repr, row))}")
    value = row[name]
    return float(len(value)) if isinstance(value, str) else number(value, f"verdicts[{i}][{name!r}]")


def _in_both_orders(
    rows: Sequence[Mapping[str, Any]], name: str, wins: FloatArray, order_of: IntArray, orders: Sequence[Any]
) -> FloatArray:
    """Return pairs of verdicts of an item in both orders, and those that are alike, at its first row: shape (n, 2)."""
    items = units_of_rows(rows, name, "verdicts").of_segment.tolist()
    found = np.zeros((len(rows), 2))
    # By item and pair of systems: the first row, and how often either order had each outcome for the lower system.
    seen: dict[tuple[int, int, int], tuple[int, list[dict[float, int]]]] = {}
    for i, (item, order) in enumerate(zip(items, order_of.tolist(), strict=True)):
        if order < 0:
            continue
        a, b = orders[order]
        _, outcomes = seen.setdefault((item, min(a, b), max(a, b)), (i, [{}, {}]))
        outcome = wins[i] if a < b else 1 - wins[i]
        side = outcomes[int(a < b)]
        side[outcome] = side.get(outcome, 0) + 1
    for i, (one, other) in seen.values():
        found[i] += (
            sum(one.values()) * sum(other.values()),
            sum(n * other.get(outcome, 0) for outcome, n in one.items()),
        )
    return found
