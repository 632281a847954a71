"""Several samples of a problem: the chance that one of k is right, or all of k."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import comb, fsum
from typing import Any

import numpy as np

from ..arrays import FloatArray, IntArray
from ..checks import fail, flag, has_elements, positive_int, quantity, real_number, shown, within
from ..notebook import Table, interval_text
from .intervals import bootstrap_scores, interval_options, percentile_interval, width_of_alike
from .missing import is_missing, items_of, warn_of_left_out
from .units import Units, units_of

_BINARY = "0 or 1, or a `threshold` from which on a score counts as right"


class PassRates(dict[str, Any]):
    """The rates of `pass_at_k` by name: a dict that a notebook displays as a table."""

    def _repr_html_(self) -> str:
        """Return a row for each rate, with its interval if there is one."""
        bounds = self.get("confidence_intervals", {})
        rows = [
            [name, f"{rate:.4f}", *([interval_text(bounds[name], 4)] if bounds else [])]
            for name, rate in self.items()
            if name != "confidence_intervals"
        ]
        return Table("problems", ["score", *(["interval"] if bounds else [])], rows).html()


def pass_at_k(
    scores: Any, problems: Any = None, k: Any = 1, *, threshold: float | None = None, confidence: float | None = None,
    n_resamples: int | None = None, seed: int | None = None, skip_bad: bool = False,
) -> PassRates:  # fmt: skip
    """Return how many problems are solved, where each has several samples.

    ``pass@k`` is the chance that at least one of k samples is right, by the unbiased estimator of Chen et al. (2021),
    to the last bit that of the Hub's `code_eval`; ``pass^k`` the chance that all of k are right (Yao et al. 2024);
    ``avg@n`` the mean over problems of the mean score of their samples. Each is a mean over problems.

    Parameters
    ----------
    scores : column of numbers, or dict
        The score of every sample, 0 or 1, or True or False; other numbers need a `threshold`. Or a dict from
        problems to lists of such scores, which has problems without samples, too; or the results of the module
        `code_eval`.
    problems : labels of samples, optional
        The problem of every sample, a text or a number; None for a dict.
    k : int or list of int
    threshold : float, optional
        Scores of at least this count as right.
    confidence : float, optional
        Adds ``confidence_intervals``, which resample problems, not samples.
    n_resamples, seed
        See `BootstrapOptions`.
    skip_bad : bool
        Leave samples out that have no score, as where a judge gave no verdict: None, nan, or an empty text. A warning
        says how many. By default they are refused.

    Returns
    -------
    dict
        Floats under ``pass@K`` and ``pass^K`` for every k, and ``avg@n``.

    Raises
    ------
    TypeError
        For a score that is no number, or a problem without a label.
    ValueError
        If a problem has fewer than k samples, or none: the message names it; if a score is neither 0 nor 1 without a
        threshold, or the lengths differ.

    References
    ----------
    Chen et al. (2021), Evaluating Large Language Models Trained on Code, section 2.1; Yao et al. (2024), tau-bench,
    section 3.

    Examples
    --------
    >>> pass_at_k([1, 0, 0, 0, 1, 1, 1, 0], ["a"] * 4 + ["b"] * 4, k=[1, 2])
    {'pass@1': 0.5, 'pass@2': 0.75, 'pass^1': 0.5, 'pass^2': 0.25, 'avg@n': 0.5}
    """
    bootstrap = interval_options(confidence, n_resamples, seed)
    ks = _checked_ks(k)
    values, units, place_of = _samples(scores, problems, skip_bad=flag("skip_bad", skip_bad))
    right, n = _right(values, threshold, place_of), units.sizes
    for label, size in zip(units.labels, n.tolist(), strict=True):
        if size < max(ks):
            allowed = f"at least {quantity(max(ks), 'sample')} of every problem, for pass@{max(ks)}"
            fail(ValueError, "problems", allowed, f"{size or 'none'} of {shown(label)}")
    c = units.summed(right)
    columns = {f"pass@{one}": _each(_at_least_one, n, c, one) for one in ks}
    columns |= {f"pass^{one}": _each(_all, n, c, one) for one in ks}
    columns["avg@n"] = units.summed(values) / n
    result: dict[str, Any] = {key: float(column.mean()) for key, column in columns.items()}
    result["avg@n"] = fsum(columns["avg@n"].tolist()) / len(n)
    if confidence is not None:
        units.check(len(values))
        rows = np.stack([*columns.values()], axis=1)
        drawn = bootstrap_scores(
            rows, lambda sums: sums / len(rows), n_resamples=bootstrap.n_resamples, seed=bootstrap.seed
        )
        bounds = percentile_interval(drawn, confidence, len(rows))
        bounds[:-1] = np.clip(bounds[:-1], 0.0, 1.0)
        bounds[-1] = np.clip(bounds[-1], min(values.min(), 0.0), max(values.max(), 1.0))
        width = width_of_alike(len(rows), confidence)
        for i, column in enumerate(rows.T):
            # A problem is solved with a chance above 0 at most as often as a share of 0 can be: see `width_of_alike`.
            if column.min() == column.max() and column[0] in (0.0, 1.0):
                bounds[i] = (0.0, width) if column[0] == 0 else (1.0 - width, 1.0)
        result["confidence_intervals"] = dict(zip(columns, bounds.tolist(), strict=True))
    return PassRates(result)


def _checked_ks(k: Any) -> list[int]:
    ks = [
        positive_int("k", one) for one in ([k] if isinstance(k, (int, np.integer, str)) or not has_elements(k) else k)
    ]
    if not ks or len({*ks}) < len(ks):
        fail(ValueError, "k", "a whole number of at least 1, or different ones", shown(k))
    return ks


def _samples(scores: Any, problems: Any, *, skip_bad: bool) -> tuple[FloatArray, Units, Callable[[int], str]]:
    """Return the score of every sample, the samples of every problem, and what a message calls a sample."""
    if isinstance(scores, Mapping):
        if problems is not None:
            fail(TypeError, "problems", "None, since `scores` has the problems", shown(problems))
        for label, of_one in scores.items():
            if isinstance(of_one, (str, bytes)) or not has_elements(of_one):
                fail(TypeError, f"scores[{label!r}]", "a list with the scores of its samples", shown(of_one))
        lists = {label: [*map(_score_of, of_one)] for label, of_one in scores.items()}
        n_each = [*map(len, lists.values())]
        of_sample = np.repeat(np.arange(len(lists)), n_each).astype(np.int64)
        units = Units("problem", [*lists], of_sample)
        scores = [value for of_one in lists.values() for value in of_one]
        first_of = np.cumsum([0, *n_each])
    elif problems is None:
        fail(TypeError, "problems", "the problem of every sample", "None")
    else:
        units = units_of(problems, argument="problems")
    # Where samples stood before those without a score were left out.
    places = np.arange(len(units.of_segment))
    items = items_of(scores) if skip_bad else None
    is_known = np.array([not is_missing(item) for item in items or ()], bool)
    if not is_known.all() and len(is_known) == len(units.of_segment):
        warn_of_left_out(is_known, "sample", ", without a score")
        scores = [item for item in items or () if not is_missing(item)]
        units = Units(units.name, units.labels, units.of_segment[is_known])
        places = np.flatnonzero(is_known)

    def place_of(i: int) -> str:
        if problems is not None:
            return f"scores[{places[i] if i < len(places) else i}]"
        problem = of_sample[places[i]]
        return f"scores[{units.labels[problem]!r}][{places[i] - first_of[problem]}]"

    values = _numbers(scores, place_of)
    if len(values) != len(units.of_segment):
        fail(ValueError, "problems", f"the problem of every sample ({len(values)})", f"{len(units.of_segment)}")
    if not len(units):
        fail(ValueError, "scores", "at least one sample", "none")
    return values, units, place_of


def _score_of(sample: Any) -> Any:
    """Return the score of a sample, also of a pair with its number, as results of the Hub's modules have them."""
    if isinstance(sample, (tuple, list)) and len(sample) == 2 and isinstance(sample[1], Mapping):
        return sample[1].get("passed", sample)
    return sample


def _numbers(scores: Any, place_of: Callable[[int], str]) -> FloatArray:
    convert = getattr(scores, "to_pylist", None) or getattr(scores, "tolist", None)
    given = convert() if callable(convert) else scores
    if isinstance(given, (str, bytes, set, frozenset)) or not has_elements(given):
        fail(TypeError, "scores", "a number for every sample", shown(scores))
    given = list(given)
    if {*map(type, given)} <= {bool, int, float} and np.isfinite(values := np.array(given, np.float64)).all():
        return values
    numbers = []
    for i, value in enumerate(given):
        number = float(value) if isinstance(value, bool) else real_number(place_of(i), value, "a number")
        if not abs(number) < float("inf"):
            fail(ValueError, place_of(i), "a finite number", shown(value))
        numbers.append(number)
    return np.array(numbers, np.float64)


def _right(values: FloatArray, threshold: float | None, place_of: Callable[[int], str]) -> IntArray:
    """Return 1 for right samples, else 0."""
    if threshold is not None:
        return (values >= within("threshold", threshold, None, None, "a number, or None")).astype(np.int64)
    wrong = np.flatnonzero((values != 0) & (values != 1))
    if len(wrong):
        fail(ValueError, place_of(int(wrong[0])), _BINARY, f"{values[wrong[0]]:g}")
    return values.astype(np.int64)


def _each(chance: Any, n: IntArray, c: IntArray, k: int) -> FloatArray:
    return np.array([chance(*one, k) for one in zip(n.tolist(), c.tolist(), strict=True)])


@lru_cache(1 << 16)
def _at_least_one(n: int, c: int, k: int) -> float:
    """Return 1 - comb(n - c, k) / comb(n, k), multiplied in the order of the Hub's `estimate_pass_at_k`."""
    if n - c < k:
        return 1.0
    return float(1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1)))


@lru_cache(1 << 16)
def _all(n: int, c: int, k: int) -> float:
    return comb(c, k) / comb(n, k)
