"""Agreement of raters, such as people and judges, on the same items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from ..arrays import FloatArray
from ..checks import fail, in_number, one_of, quantity, shown, warn_user
from ..notebook import Table, displayed, interval_text
from ..resampling import BootstrapOptions, Units, units_of
from ..resampling.missing import is_missing, items_of
from ..resampling.units import FEWEST_UNITS
from .correlations import BoolArray
from .judgements import rows_of, units_of_rows
from .reliability import (
    LEVELS,
    WEIGHTS,
    Ratings,
    Resampled,
    agreement_interval,
    alpha,
    disagreements,
    exchange_p,
    expected_disagreement,
    fleiss_kappa,
    kappa,
    percent_agreement,
    resampled_agreement,
    resampled_alpha,
    resampled_fleiss,
    resampled_kappa,
    resamples,
    t_reach,
)

_FORM = "a dict from raters to lists of ratings, or rows with a column per rater"
_RATING = "a finite number, a word, or None, nan or an empty text for a missing rating"


class JudgeDifference(NamedTuple):
    """How much better one judge agrees with people than another does.

    Attributes
    ----------
    difference : float or None
        Alpha of people and the first judge less that of people and the second.
    confidence_interval : list of 2 floats, or None
    p : float or None
        Two-sided, of the permutation test that exchanges the ratings of both judges, item by item or unit by unit.
    """

    difference: float | None
    confidence_interval: list[float] | None
    p: float | None


@displayed
class RaterAgreement(NamedTuple):
    """How far raters agree.

    Attributes
    ----------
    raters : list of str
    level : str
    n_items, n_ratings : int
        The items, those with a rating or without, and the ratings that are there.
    n_missing : dict of int
        How many ratings are missing, by rater; raters who rated all items are not in it.
    alpha, fleiss_kappa, agreement : float or None
        Krippendorff's alpha of items with two ratings or more; Fleiss' kappa of the `n_complete` items that all rated;
        the share of pairs of ratings of an item that are equal.
    n_complete : int
    kappas : dict of dict of dict of float, int or None
        ``kappas[a][b]`` has "kappa", Cohen's, "linear_kappa" and "quadratic_kappa", "alpha", "agreement", and the
        number of "items" that both rated.
    disagreement : list of float or None
        Of every item the mean disagreement of its pairs of ratings, by that expected by chance: 1 less the mean over
        ratings is alpha. None for an item with less than two ratings.
    judges : dict of dict of JudgeDifference
        ``judges[a][b]`` for judges beside `people`.
    confidence_intervals : dict
        By figure, and ``["kappas"][a][b]`` by figure: lists of 2 floats or None.
    undefined : dict of str
        Why a figure is None.
    undefined_resamples : dict of int
        How many resamples had no such figure; the interval is that of the others.
    """

    raters: list[str]
    level: str
    n_items: int
    n_ratings: int
    n_missing: dict[str, int]
    alpha: float | None
    fleiss_kappa: float | None
    agreement: float | None
    n_complete: int
    kappas: dict[str, dict[str, dict[str, float | int | None]]]
    disagreement: list[float | None]
    judges: dict[str, dict[str, JudgeDifference]]
    confidence_intervals: dict[str, Any]
    undefined: dict[str, str]
    undefined_resamples: dict[str, int]

    def missing(self) -> list[str]:
        """Say how many ratings are missing, by rater."""
        return [f"missing: {quantity(n, 'rating')} of {name}" for name, n in self.n_missing.items()]

    def _table(self) -> Table:
        """Return the figures of all raters, then those of every two."""
        bounds = self.confidence_intervals
        rows = [
            [f"all: {name}", "-" if value is None else f"{value:.4f}", interval_text(bounds.get(name), 4)]
            for name, value in (
                ("alpha", self.alpha), ("fleiss_kappa", self.fleiss_kappa), ("agreement", self.agreement)
            )
        ]  # fmt: skip
        rows += [
            [f"{a}, {b}: {name}", "-" if value is None else f"{value:.4f}", interval_text(of_pair.get(name), 4)]
            for a, of_a in self.kappas.items()
            for b, figures in of_a.items()
            for of_pair in [bounds.get("kappas", {}).get(a, {}).get(b, {})]
            for name, value in figures.items()
            if name != "items"
        ]
        below = [f"{quantity(self.n_items, 'item')}, {self.level}", *self.missing()]
        return Table("Agreement of raters", ["figure", "value", "interval"], rows, below)


def raters(
    ratings: Any, *, level: str = "nominal", scale: Sequence[Any] | None = None, people: Sequence[str] | None = None,
    confidence: float | None = 0.95, n_resamples: int = 1000, seed: int | None = None, unit: Any = None,
) -> RaterAgreement:  # fmt: skip
    """Compute how far raters agree on the same items, with intervals.

    Figures are computed in fractions and rounded once. A figure that is not defined, as where all ratings are one
    value, is None, and ``undefined`` says why.

    Parameters
    ----------
    ratings : dict of columns by rater, or rows
        Numbers or words, as many of each rater; None, nan and empty texts are missing. Rows, a list of dicts, an Arrow
        table or a data frame, have a column per rater. The word "nan" is a word.
    level : str
        What distances of ratings mean to alpha: "nominal", only whether they are equal; "ordinal", their ranks;
        "interval", the squares of their differences; "ratio", those in proportion to their sums.
    scale : sequence, optional
        All values in ascending order; words need it beyond the level nominal, and for weighted kappas.
    people : sequence of str, optional
        The raters who are people: the others are judges, whose alpha with people is compared, every two.
    confidence : float or None
        Level of the intervals; None for none, nor for tests of judges.
    n_resamples, seed
        See `BootstrapOptions`.
    unit : labels of items, or str, optional
        Items with equal labels, such as those of one document, are drawn together; for rows a label for each, or the
        name of a column.

    Returns
    -------
    RaterAgreement

    Raises
    ------
    TypeError, ValueError
        For a rating that is no word or finite number, raters with other numbers of ratings, words without a scale
        where their order counts.

    Warns
    -----
    UserWarning
        If resamples have no figure; if fewer than 10 items, or units, have a rating other than the most frequent one;
        of fewer than 10 units; of negative numbers at the level ratio.

    References
    ----------
    Krippendorff (2011), Computing Krippendorff's Alpha-Reliability; Cohen (1968), Weighted kappa; Fleiss (1971),
    Measuring nominal scale agreement among many raters.

    Examples
    --------
    >>> found = raters({"anna": [1, 2, None, 3], "judge": [1, 3, 2, 3]}, level="ordinal", confidence=None)
    >>> found.alpha, found.kappas["anna"]["judge"]["kappa"], found.n_missing
    (0.7777777777777778, 0.5, {'anna': 1})
    """
    one_of("level", level, LEVELS)
    bootstrap = BootstrapOptions(confidence, n_resamples, seed, _units(ratings, unit))
    names, columns = _columns(ratings, unit if isinstance(unit, str) else None)
    given, is_ordered = _ratings(names, columns, level, scale)
    judges = _judges(names, people)
    n_items = given.codes.shape[1]
    if bootstrap.unit is not None:
        bootstrap.unit.check(n_items)
    figures = _Figures(given, names, level, is_ordered, judges)
    exact = {key: None if value is None else float(value) for key, value in figures.exact().items()}
    bounds, n_undefined, p = figures.intervals(bootstrap, exact)
    if bounds:
        _warn_of_few(given, bootstrap.unit)
    if n_undefined:
        key, most = max(n_undefined.items(), key=lambda entry: entry[1])
        warn_user(
            f"{most:,} of {bootstrap.n_resamples:,} resamples have no {': '.join(key)}, as where all drawn ratings "
            "are one value: its interval is that of the others; take more items."
        )
    pairs = [*combinations(names, 2)]
    n_pair = {pair: int((given.codes[[names.index(one) for one in pair]] >= 0).all(axis=0).sum()) for pair in pairs}
    kappas: dict[str, dict[str, dict[str, float | int | None]]] = {}
    of_pairs: dict[str, dict[str, dict[str, list[float] | None]]] = {}
    for a, b in pairs:
        keys = [key for key in exact if key[:-1] == (f"{a}, {b}",)]
        kappas.setdefault(a, {})[b] = {**{key[-1]: exact[key] for key in keys}, "items": n_pair[a, b]}
        of_pairs.setdefault(a, {})[b] = {key[-1]: bounds[key] for key in keys if key in bounds}
    differences: dict[str, dict[str, JudgeDifference]] = {}
    for a, b in combinations(judges, 2):
        key = (f"{a} than {b}", "difference")
        differences.setdefault(a, {})[b] = JudgeDifference(exact[key], bounds.get(key), p.get(key))
    intervals: dict[str, Any] = {key[0]: bound for key, bound in bounds.items() if len(key) == 1}
    n_known = int((given.codes >= 0).sum())
    lacking = (given.codes < 0).sum(axis=1).tolist()
    return RaterAgreement(
        names, level, n_items, n_known, {name: n for name, n in zip(names, lacking, strict=True) if n}, exact["alpha",],
        exact["fleiss_kappa",],
        exact["agreement",], int((given.codes >= 0).all(axis=0).sum()), kappas, _of_items(given, level), differences,
        {**intervals, "kappas": of_pairs} if bounds else {}, figures.reasons(exact),
        {": ".join(key): n for key, n in n_undefined.items()},
    )  # fmt: skip


class _Figures(NamedTuple):
    """All figures by key: one word of all raters, two of a pair."""

    ratings: Ratings
    names: list[str]
    level: str
    is_ordered: bool
    judges: list[str]

    def _parts(self) -> dict[str, Ratings]:
        places = {name: i for i, name in enumerate(self.names)}
        return {f"{a}, {b}": self.ratings.of_raters((places[a], places[b])) for a, b in combinations(self.names, 2)}

    def _with_people(self) -> dict[str, Ratings]:
        people = [i for i, name in enumerate(self.names) if name not in self.judges]
        return {name: self.ratings.of_raters([*people, self.names.index(name)]) for name in self.judges}

    def _weights(self) -> Sequence[Any]:
        return WEIGHTS if self.is_ordered else WEIGHTS[:1]

    def exact(self) -> dict[tuple[str, ...], Fraction | None]:
        """Return all figures, exactly; None where one is not defined."""
        found: dict[tuple[str, ...], Fraction | None] = {
            ("alpha",): alpha(self.ratings, self.level), ("fleiss_kappa",): fleiss_kappa(self.ratings),
            ("agreement",): percent_agreement(self.ratings),
        }  # fmt: skip
        for name, pair in self._parts().items():
            found |= {(name, weight): None for weight in WEIGHTS}
            found |= {(name, weight): kappa(pair, weight) for weight in self._weights()}
            found[name, "alpha"] = alpha(pair, self.level)
            found[name, "agreement"] = percent_agreement(pair)
        of_judge = {name: alpha(of_one, self.level) for name, of_one in self._with_people().items()}
        for a, b in combinations(self.judges, 2):
            first, second = of_judge[a], of_judge[b]
            found[f"{a} than {b}", "difference"] = None if first is None or second is None else first - second
        return found

    def _resampled(self) -> dict[tuple[str, ...], tuple[Resampled, BoolArray, float]]:
        """Return what computes each figure of resamples, the items it is of, and what of pairs differs by chance."""
        level, everyone = self.level, self.ratings.of_raters(range(len(self.names)))
        complete = self.ratings.complete()
        found = {
            ("alpha",): _entry(resampled_alpha(everyone, level), everyone),
            ("fleiss_kappa",): _entry(resampled_fleiss(complete), complete),
            ("agreement",): (*_entry(resampled_agreement(everyone), everyone)[:2], 1.0),
        }
        for name, pair in self._parts().items():
            for weight in self._weights():
                found[name, weight] = _entry(resampled_kappa(pair, weight), pair)  # type: ignore[index]
            found[name, "alpha"] = _entry(resampled_alpha(pair, level), pair)  # type: ignore[index]
            found[name, "agreement"] = (*_entry(resampled_agreement(pair), pair)[:2], 1.0)  # type: ignore[index]
        return found  # type: ignore[return-value]

    def intervals(
        self, bootstrap: BootstrapOptions, exact: Mapping[tuple[str, ...], float | None]
    ) -> tuple[
        dict[tuple[str, ...], list[float] | None], dict[tuple[str, ...], int], dict[tuple[str, ...], float | None]
    ]:
        """Return intervals, how many resamples had no figure, and p of differences."""
        n_items = self.ratings.codes.shape[1]
        unit_of = np.arange(n_items) if bootstrap.unit is None else bootstrap.unit.of_segment
        confidence = bootstrap.confidence
        if confidence is None or len(np.unique(unit_of)) < 2:
            return {}, {}, {}
        entries = {key: entry for key, entry in self._resampled().items() if exact[key] is not None}
        ratings = self._with_people()
        with_people = {name: resampled_alpha(of_one, self.level) for name, of_one in ratings.items()}
        drawn: dict[Any, list[FloatArray]] = {key: [] for key in (*entries, *with_people)}
        for weights in resamples(n_items, bootstrap):
            for key, (figure_of, _, _) in entries.items():
                drawn[key].append(figure_of(weights))
            for name, figure_of in with_people.items():
                drawn[name].append(figure_of(weights))
        bounds: dict[tuple[str, ...], list[float] | None] = dict.fromkeys(exact)
        n_undefined: dict[tuple[str, ...], int] = {}
        p: dict[tuple[str, ...], float | None] = {}
        for key, (_, is_of, by_chance) in entries.items():
            values = np.concatenate(drawn[key])
            defined, n_used = values[np.isfinite(values)], len(np.unique(unit_of[is_of]))
            if len(defined) < len(values):
                n_undefined[key] = len(values) - len(defined)
            if 2 * len(defined) > len(values) and n_used > 1:
                lowest = 0.0 if key[-1] == "agreement" else -1.0
                bounds[key] = agreement_interval(exact[key] or 0.0, defined, n_used, confidence, by_chance, lowest)
        for a, b in combinations(self.judges, 2):
            key, figure = (f"{a} than {b}", "difference"), exact[f"{a} than {b}", "difference"]
            gains = np.concatenate(drawn[a]) - np.concatenate(drawn[b])
            defined = gains[np.isfinite(gains)]
            if len(defined) < len(gains):
                n_undefined[key] = len(gains) - len(defined)
            if figure is not None and 2 * len(defined) > len(gains):
                reach = t_reach(defined, len(np.unique(unit_of)), confidence)
                bounds[key] = [figure - reach, figure + reach]
                p[key] = exchange_p(ratings[a], ratings[b], self.level, figure, bootstrap)
        return bounds, n_undefined, p

    def reasons(self, exact: Mapping[tuple[str, ...], float | None]) -> dict[str, str]:
        """Say why figures are not defined."""
        parts = self._parts()
        reasons = {}
        for key in (key for key, value in exact.items() if value is None):
            if key[-1] == "difference":
                reasons[": ".join(key)] = "alpha of people and a judge is not defined"
                continue
            of = parts[key[0]] if len(key) == 2 else self.ratings.of_raters(range(len(self.names)))
            if key[-1] in WEIGHTS[1:] and not self.is_ordered:
                reason = "words have no order: give `scale`"
            elif key == ("fleiss_kappa",):
                complete = self.ratings.complete()
                reason = "no item has a rating of all" if not sum(complete.counts()) else "all ratings are one value"
            else:
                reason = "no item has two ratings" if not sum(of.counts()) else "all ratings are one value"
            reasons[": ".join(key)] = reason
        return reasons


def _entry(figure_of: Resampled, ratings: Ratings) -> tuple[Resampled, BoolArray, float]:
    return figure_of, ratings.n_of_item > 1, float(expected_disagreement(ratings, "nominal"))


def _warn_of_few(ratings: Ratings, unit: Units | None) -> None:
    """Warn of so few items, or units, with a rating other than the most frequent one that no interval is reliable."""
    counts = ratings.counts()
    has_other = ((ratings.codes >= 0) & (ratings.codes != int(np.argmax(counts)))).any(axis=0)
    n = int(has_other.sum()) if unit is None else len(np.unique(unit.of_segment[has_other]))
    if n < FEWEST_UNITS and (unit is None or len(unit) >= FEWEST_UNITS):
        noun = "item" if unit is None else "unit"
        few = in_number(n, f"{n} {noun}[ has|s have]")
        warn_user(
            f"only {few} a rating other than the most frequent one: of fewer than {FEWEST_UNITS} intervals miss the "
            f"figure more often than they say; take more {noun}s."
        )


def _of_items(ratings: Ratings, level: str) -> list[float | None]:
    pairable = ratings.of_raters(range(len(ratings.codes)))
    expected = expected_disagreement(pairable, level)
    if not expected:
        return [None] * ratings.codes.shape[1]
    sizes = pairable.n_of_item.tolist()
    return [
        None if summed is None else float(summed / (n * (n - 1)) / expected)
        for n, summed in zip(sizes, disagreements(pairable, level), strict=True)
    ]


def _units(ratings: Any, unit: Any) -> Units | None:
    """Return the units of a label for each item, or of a column of rows."""
    if not isinstance(unit, str):
        return None if unit is None else units_of(unit)
    rows = rows_of(ratings)
    if not rows:
        fail(TypeError, "unit", "a label for each item; the name of a column only where ratings are rows", shown(unit))
    return units_of_rows(rows, unit, "ratings")


def _columns(ratings: Any, unit: str | None) -> tuple[list[str], list[list[Any]]]:
    given: Any = ratings
    if rows := rows_of(ratings):
        for i, row in enumerate(rows):
            if not isinstance(row, Mapping):
                fail(TypeError, f"ratings[{i}]", "a dict, as the rows before", shown(row))
        names_of_columns = dict.fromkeys(name for row in rows for name in row if name != unit)
        given = {name: [row.get(name) for row in rows] for name in names_of_columns}
    elif not isinstance(ratings, Mapping):
        fail(TypeError, "ratings", _FORM, shown(ratings))
    for name in given:
        if not isinstance(name, str):
            fail(TypeError, "ratings", "names of raters", shown(name))
    names = [*given]
    if len(names) < 2:
        fail(ValueError, "ratings", "at least 2 raters", str(len(names)))
    columns = []
    for name, values in given.items():
        items = items_of(values) if hasattr(values, "__len__") else None
        if items is None:
            fail(TypeError, f"ratings[{name!r}]", "a list of ratings", shown(values))
        columns.append([_rating(item, f"ratings[{name!r}][{i}]") for i, item in enumerate(items)])
        if len(columns[-1]) != len(columns[0]):
            allowed = f"as many ratings as {names[0]!r} has ({len(columns[0])})"
            fail(ValueError, f"ratings[{name!r}]", allowed, str(len(columns[-1])))
    return names, columns


def _rating(item: Any, argument: str) -> Any:
    item = item.item() if isinstance(item, np.generic) else item
    if is_missing(item):
        return None
    if not isinstance(item, (str, bool, int, float, Fraction)):
        fail(TypeError, argument, _RATING, shown(item))
    if isinstance(item, float) and not isfinite(item):
        fail(ValueError, argument, _RATING, shown(item))
    return item


def _ratings(
    names: list[str], columns: list[list[Any]], level: str, scale: Sequence[Any] | None
) -> tuple[Ratings, bool]:
    """Return the ratings by places among their values, and whether these have an order."""
    found = {item for column in columns for item in column if item is not None}
    has_words = any(isinstance(item, str) for item in found)
    if scale is not None:
        if isinstance(scale, str) or not isinstance(scale, Sequence) or len({*scale}) < len(scale):
            fail(TypeError, "scale", "a list of different values, in ascending order", shown(scale))
        values = [*scale]
        for name, column in zip(names, columns, strict=True):
            for i, item in enumerate(column):
                if item is not None and item not in values:
                    fail(ValueError, f"ratings[{name!r}][{i}]", "a value of `scale`", shown(item))
    elif has_words:
        values = sorted(found, key=lambda item: (isinstance(item, str), item))
    else:
        values = sorted(found)
    is_ordered = scale is not None or not has_words
    words = any(isinstance(item, str) for item in values)
    if level != "nominal" and (not is_ordered or (words and level != "ordinal")):
        way_out = "nominal, or ordinal with scale=" if words else "nominal"
        fail(ValueError, "level", f"{way_out}, since ratings are words", shown(level))
    numbers = tuple(Fraction(i if words else item) for i, item in enumerate(values))
    if level == "ratio" and numbers and min(numbers) < 0:
        warn_user(
            "numbers below 0 have no ratio to others, so that alpha at the level ratio means little: take interval"
        )
    places = {value: i for i, value in enumerate(values)}
    codes = np.array([[-1 if item is None else places[item] for item in column] for column in columns], np.int64)
    return Ratings(codes.reshape(len(names), -1), values, numbers), is_ordered


def _judges(names: list[str], people: Sequence[str] | None) -> list[str]:
    if people is None:
        return []
    if isinstance(people, str) or not isinstance(people, Sequence) or not people:
        fail(TypeError, "people", "a list of raters", shown(people))
    for name in people:
        one_of("people", name, names)
    judges = [name for name in names if name not in people]
    if len(judges) < 2:
        fail(ValueError, "people", "raters who leave at least 2 judges to compare", shown(people))
    return judges
