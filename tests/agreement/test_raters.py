"""Agreement of raters: recorded figures of other tools, their definitions, intervals against loops, and every edge."""

import gzip
import json
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import nan

import numpy as np
import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st

WEIGHTS = {"kappa_None": "kappa", "kappa_linear": "linear_kappa", "kappa_quadratic": "quadratic_kappa"}
LEVELS = ("nominal", "ordinal", "interval", "ratio")
FEW_UNITS = pytest.mark.filterwarnings("ignore:.*(resamples have no|units .* are drawn)")


def alpha(columns, level):
    """Krippendorff's alpha by its definition, a pair of ratings at a time."""
    units = [[Fraction(x) for x in unit if x is not None] for unit in zip(*columns, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    n = Counter(x for unit in units for x in unit)
    rank = {v: sum(n[w] for w in n if w < v) + Fraction(n[v], 2) for v in n}
    distance = {
        "nominal": lambda a, b: Fraction(a != b),
        "ordinal": lambda a, b: (rank[a] - rank[b]) ** 2,
        "interval": lambda a, b: (a - b) ** 2,
        "ratio": lambda a, b: ((a - b) / (a + b)) ** 2 if a + b else Fraction(0),
    }[level]
    observed = sum(distance(a, b) * Fraction(2, len(unit) - 1) for unit in units for a, b in combinations(unit, 2))
    expected = sum(n[a] * n[b] * distance(a, b) for a in n for b in n)
    return 1 - observed * (sum(n.values()) - 1) / expected if expected else None


def kappa(first, second, weight, labels=None):
    """Cohen's kappa by its definition; `labels` are those of the items that both rated."""
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    labels = labels or sorted({x for pair in pairs for x in pair})
    places = [(labels.index(a), labels.index(b)) for a, b in pairs]
    w = {"kappa": lambda i, j: i != j, "linear_kappa": lambda i, j: abs(i - j), "quadratic_kappa": lambda i, j: (i - j) ** 2}[weight]  # fmt: skip # noqa: E501
    expected = sum(w(i, j) for i, _ in places for _, j in places)
    return 1 - Fraction(sum(w(i, j) for i, j in places) * len(places), expected) if expected else None


def fleiss(columns):
    units = [unit for unit in zip(*columns, strict=True) if None not in unit]
    n, counts = len(columns), Counter(x for unit in units for x in unit)
    if len(counts) < 2:
        return None
    observed = Fraction(sum(c * (c - 1) for unit in units for c in Counter(unit).values()), len(units) * n * (n - 1))
    chance = Fraction(sum(c * c for c in counts.values()), (len(units) * n) ** 2)
    return (observed - chance) / (1 - chance)


def named(columns):
    return {f"r{i}": column for i, column in enumerate(columns)}


def rounded(value):
    return None if value is None else float(value)


@pytest.mark.filterwarnings("ignore:numbers below 0")
def test_recorded_figures(shared):
    rows = json.loads(gzip.decompress((shared / "oracles/raters/raters-given.json.gz").read_bytes()))
    n = 0
    for row in rows:
        for key, expected in row["official"].items():
            level = "nominal" if key in WEIGHTS else key
            found = textgauge.raters(named(row["ratings"]), level=level, confidence=None)
            ours = found.kappas["r0"]["r1"][WEIGHTS[key]] if key in WEIGHTS else found.alpha
            n += 1
            # Where it is not defined the others raise, or answer nan, which is recorded as None.
            assert (ours is None) == (not isinstance(expected, float))
            assert ours is None or abs(ours - expected) <= 5e-16, (key, row["ratings"])
    assert n == 417


@given(st.lists(st.tuples(*[st.sampled_from([None, 0, 1, 2.5, 7, 0.1])] * 3), max_size=9))
def test_figures_are_their_definitions(units):
    columns = [[unit[i] for unit in units] for i in range(3)]
    for level in LEVELS:
        found = textgauge.raters(named(columns), level=level, confidence=None)
        assert found.alpha == rounded(alpha(columns, level))
        if found.alpha is not None:  # Items weigh by their ratings.
            sizes = [sum(x is not None for x in unit) for unit in units]
            parts = [(n, d) for n, d in zip(sizes, found.disagreement, strict=True) if d is not None]
            mean = sum(n * d for n, d in parts) / sum(n for n, _ in parts)
            assert 1 - mean == pytest.approx(found.alpha, abs=1e-12)
        assert found.fleiss_kappa == rounded(fleiss(columns))
        for weight in WEIGHTS.values():
            assert found.kappas["r0"]["r2"][weight] == rounded(kappa(columns[0], columns[2], weight))
        assert (found.alpha is None) == ("alpha" in found.undefined)


@FEW_UNITS
@pytest.mark.parametrize("values", [[1, 2, 3], [*range(90)]])
@pytest.mark.parametrize("by_unit", [False, True])
def test_intervals_are_those_of_a_loop(values, by_unit):
    random = np.random.default_rng(3)
    n = 60
    columns = [
        [None if random.random() < 0.2 else values[random.integers(len(values))] for _ in range(n)] for _ in "abc"
    ]
    unit = [i // 2 for i in range(n)] if by_unit else None
    n_drawn = n // 2 if by_unit else n
    weights = np.random.default_rng(12345).multinomial(n_drawn, [1 / n_drawn] * n_drawn, 12)
    weights = weights[:, unit] if by_unit else weights
    drawn = [[np.repeat(np.array(column, object), w).tolist() for column in columns] for w in weights]
    labels = sorted({x for a, b in zip(*columns[:2], strict=True) if None not in (a, b) for x in (a, b)})

    def bounds(values):
        return np.quantile([float(value) for value in values], [0.025, 0.975]).tolist()

    for level in LEVELS:
        found = textgauge.raters(named(columns), level=level, n_resamples=12, unit=unit, people=["r0"])
        assert found.confidence_intervals["alpha"] == pytest.approx(
            bounds(alpha(one, level) for one in drawn), abs=1e-12
        )
        gains = [alpha(one[:2], level) - alpha([one[0], one[2]], level) for one in drawn]
        judged = found.judges["r1"]["r2"]
        assert judged.confidence_interval == pytest.approx(bounds(gains), abs=1e-12)
        assert judged.p == min(1, 2 * (1 + min(sum(g <= 0 for g in gains), sum(g >= 0 for g in gains))) / 13)
    assert found.confidence_intervals["fleiss_kappa"] == pytest.approx(bounds(map(fleiss, drawn)), abs=1e-12)
    for weight in WEIGHTS.values():
        expected = bounds(kappa(*one[:2], weight, labels) for one in drawn)
        assert found.confidence_intervals["kappas"]["r0"]["r1"][weight] == pytest.approx(expected, abs=1e-12)


def test_words_are_ratings():
    words = {"a": ["nan", "b", "b", None], "b": ["nan", "b", "nan", nan]}
    numbers = {"a": [1, 2, 2, None], "b": [1, 2, 1, None]}
    found = textgauge.raters(words, confidence=None)
    same = textgauge.raters(numbers, confidence=None)
    assert (found.alpha, found.n_missing) == (same.alpha, 2)
    assert found.kappas["a"]["b"]["linear_kappa"] is None
    assert found.undefined["a, b: linear_kappa"] == "words have no order: give scale="
    ordered = textgauge.raters(words, level="ordinal", scale=["nan", "b"], confidence=None)
    assert ordered.kappas["a"]["b"]["linear_kappa"] == same.kappas["a"]["b"]["linear_kappa"]
    assert ordered.alpha == textgauge.raters(numbers, level="ordinal", confidence=None).alpha


def test_what_is_undefined_has_a_reason():
    found = textgauge.raters({"a": [1, None], "b": [None, 1]})
    assert found.alpha is None
    assert found.undefined["alpha"] == "no item has two ratings"
    found = textgauge.raters({"a": [1, 1], "b": [1, 1]})
    assert found.alpha is None
    assert found.undefined["alpha"] == "all ratings are one value"
    with pytest.warns(UserWarning, match="resamples have no alpha"):
        found = textgauge.raters({"a": [1, 1, 1, 2], "b": [1, 1, 1, 2]}, n_resamples=200)
    assert 30 < found.undefined_resamples["alpha"] < 100  # (3/4)^4 of them
    assert found.confidence_intervals["alpha"] == [1, 1]


def test_ratios_of_numbers_below_0_are_warned_of():
    with pytest.warns(UserWarning, match="take interval"):
        textgauge.raters({"a": [-1, 2], "b": [1, 2]}, level="ratio", confidence=None)


def test_rows_are_columns():
    rows = [{"a": 1, "b": 1}, {"a": 2}, {"a": 2, "b": 1}]
    columns = {"a": [1, 2, 2], "b": [1, None, 1]}
    assert textgauge.raters(rows, confidence=None) == textgauge.raters(columns, confidence=None)


@pytest.mark.parametrize(
    ("ratings", "options", "message"),
    [
        ({"a": [1]}, {}, "at least 2 raters"),
        ({"a": [1], "b": [1, 2]}, {}, r"ratings\['b'\]: expected as many ratings as 'a' has \(1\), got 2"),
        ({"a": [1], "b": [[]]}, {}, r"ratings\['b'\]\[0\]"),
        ({"a": [1], "b": [float("inf")]}, {}, r"ratings\['b'\]\[0\]"),
        ({"a": ["x"], "b": ["y"]}, {"level": "interval"}, "since ratings are words"),
        ({"a": [1], "b": [3]}, {"scale": [1, 2]}, r"a value of `scale`"),
        ({"a": [1], "b": [3]}, {"people": ["a"]}, "2 judges"),
        ({"a": [1], "b": [3]}, {"level": "ordnal"}, "level"),
        ([1], {}, "a dict from raters"),
    ],
)
def test_refused(ratings, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        textgauge.raters(ratings, **options)
