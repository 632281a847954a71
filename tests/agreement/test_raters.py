"""Agreement of raters: recorded figures of other tools, their definitions, intervals against loops, and every edge."""

import gzip
import json
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import nan

import numpy as np
import pyarrow as pa
import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from quick import covering, examples

scipy_t = pytest.importorskip("scipy.stats").t

WEIGHTS = {"kappa_None": "kappa", "kappa_linear": "linear_kappa", "kappa_quadratic": "quadratic_kappa"}
LEVELS = ("nominal", "ordinal", "interval", "ratio")
FEW_UNITS = pytest.mark.filterwarnings("ignore:.*(resamples have no|units .* are drawn|most frequent one)")


def alpha(columns, level):
    """Krippendorff's alpha by its definition, a pair of ratings at a time."""
    exact = {x: x if isinstance(x, int) else Fraction(x) for column in columns for x in column if x is not None}
    units = [[exact[x] for x in unit if x is not None] for unit in zip(*columns, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    n = Counter(x for unit in units for x in unit)
    # Twice the rank: a factor of all distances is none of alpha.
    rank = {v: 2 * sum(n[w] for w in n if w < v) + n[v] for v in n}
    distance = {
        "nominal": lambda a, b: int(a != b),
        "ordinal": lambda a, b: (rank[a] - rank[b]) ** 2,
        "interval": lambda a, b: (a - b) ** 2,
        "ratio": lambda a, b: (Fraction(a - b) / (a + b)) ** 2 if a + b else 0,
    }[level]
    observed = sum(distance(a, b) * Fraction(2, len(unit) - 1) for unit in units for a, b in combinations(unit, 2))
    expected = 2 * sum(n[a] * n[b] * distance(a, b) for a, b in combinations(n, 2))
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
        of_level = cache(lambda level, row=row: textgauge.raters(named(row["ratings"]), level=level, confidence=None))
        for key, expected in row["official"].items():
            found = of_level("nominal" if key in WEIGHTS else key)
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
@pytest.mark.parametrize(("values", "by_unit"), covering([[1, 2, 3], [*range(70)]], [False, True]))
def test_intervals_are_those_of_a_loop(values, by_unit):
    random = np.random.default_rng(3)
    n = 60
    columns = [
        [None if random.random() < 0.2 else values[random.integers(len(values))] for _ in range(n)] for _ in "abc"
    ]
    unit = [i // 2 for i in range(n)] if by_unit else None
    n_drawn = n // 2 if by_unit else n
    places = np.random.default_rng(12345).integers(0, n_drawn, (6, n_drawn))
    weights = np.array([np.bincount(one, minlength=n_drawn) for one in places])
    weights = weights[:, unit] if by_unit else weights
    drawn = [[np.repeat(np.array(column, object), w).tolist() for column in columns] for w in weights]
    labels = sorted({x for a, b in zip(*columns[:2], strict=True) if None not in (a, b) for x in (a, b)})

    def bounds(figure, of_resamples, n_raters, is_used):
        units = {(i // 2 if by_unit else i) for i in range(n) if is_used([c[i] for c in columns[:n_raters]])}
        logs = -np.log(1 - figure)
        error = np.std([float(x) for x in of_resamples]) * (len(units) / (len(units) - 1)) ** 0.5 / (1 - figure)
        middle = 2 * logs + np.log(1 - np.median([float(x) for x in of_resamples]))
        t = scipy_t.ppf(0.975, len(units) - 1)
        return pytest.approx([max(-1, 1 - np.exp(-middle + t * error)), 1 - np.exp(-middle - t * error)], abs=1e-9)

    def two(unit):
        return sum(x is not None for x in unit) > 1

    for level in LEVELS:
        found = textgauge.raters(named(columns), level=level, n_resamples=6, unit=unit, people=["r0"])
        expected = bounds(found.alpha, [alpha(one, level) for one in drawn], 3, two)
        assert found.confidence_intervals["alpha"] == expected
        gains = [float(alpha(one[:2], level) - alpha([one[0], one[2]], level)) for one in drawn]
        judged = found.judges["r1"]["r2"]
        reach = scipy_t.ppf(0.975, n_drawn - 1) * np.std(gains) * (n_drawn / (n_drawn - 1)) ** 0.5
        gain = judged.difference
        assert judged.confidence_interval == pytest.approx([gain - reach, gain + reach], abs=1e-9)
        stays = np.random.default_rng(12345).integers(0, 2, (6, n_drawn))
        stays = stays[:, unit] if by_unit else stays
        extreme = 0
        for one in stays:
            first, second = (
                [columns[1][i] if stay == side else columns[2][i] for i, stay in enumerate(one)] for side in (1, 0)
            )
            exchanged = alpha([columns[0], first], level) - alpha([columns[0], second], level)
            extreme += abs(float(exchanged)) >= abs(gain) - 1e-12
        assert judged.p == (1 + extreme) / 7
    expected = bounds(found.fleiss_kappa, [*map(fleiss, drawn)], 3, lambda unit: None not in unit)
    assert found.confidence_intervals["fleiss_kappa"] == expected
    for weight in WEIGHTS.values():
        figure = found.kappas["r0"]["r1"][weight]
        expected = bounds(figure, [kappa(*one[:2], weight, labels) for one in drawn], 2, two)
        assert found.confidence_intervals["kappas"]["r0"]["r1"][weight] == expected


@pytest.mark.filterwarnings("ignore")
def test_drawn_tables_are_those_of_other_tools():
    krippendorff, metrics = pytest.importorskip("krippendorff"), pytest.importorskip("sklearn.metrics")
    random, n_compared = np.random.default_rng(5), 0
    n_cases = examples(120)
    for case in range(n_cases):
        values = [[0, 1], [1, 2, 3, 4, 5], [0.5, 1.25, 3, 8], [*range(30)]][case % 4]
        n, n_raters = int(random.integers(3, 40)), int(random.integers(2, 6))
        given = random.choice(values, (n_raters, n)).astype(float)
        given[1] = np.where(random.random(n) < 0.6, given[0], given[1])
        whole = given.copy()
        given[random.random(given.shape) < random.choice([0, 0.2])] = nan
        for level in LEVELS:
            ours = textgauge.raters(named(given.tolist()), level=level, confidence=None).alpha
            if ours is not None:
                theirs = krippendorff.alpha(given, level_of_measurement=level)
                assert abs(ours - theirs) <= 5e-16, (case, level)
                n_compared += 1
        first, second = (np.searchsorted(values, side).tolist() for side in whole[:2])
        found = textgauge.raters({"a": first, "b": second}, confidence=None).kappas["a"]["b"]
        for name, weights in (("kappa", None), ("linear_kappa", "linear"), ("quadratic_kappa", "quadratic")):
            if found[name] is not None:
                assert abs(found[name] - metrics.cohen_kappa_score(first, second, weights=weights)) <= 5e-16
                n_compared += 1
    assert n_compared > 5.8 * n_cases


def test_words_are_ratings():
    words = {"a": ["nan", "b", "b", None], "b": ["nan", "b", "nan", nan]}
    numbers = {"a": [1, 2, 2, None], "b": [1, 2, 1, None]}
    found = textgauge.raters(words, confidence=None)
    same = textgauge.raters(numbers, confidence=None)
    assert (found.alpha, found.n_missing) == (same.alpha, {"a": 1, "b": 1})
    assert found.kappas["a"]["b"]["linear_kappa"] is None
    assert found.undefined["a, b: linear_kappa"] == "words have no order: give `scale`"
    ordered = textgauge.raters(words, level="ordinal", scale=["nan", "b"], confidence=None)
    assert ordered.kappas["a"]["b"]["linear_kappa"] == same.kappas["a"]["b"]["linear_kappa"]
    assert ordered.alpha == textgauge.raters(numbers, level="ordinal", confidence=None).alpha


@FEW_UNITS
def test_what_is_undefined_has_a_reason():
    found = textgauge.raters({"a": [1, None], "b": [None, 1]})
    assert found.alpha is None
    assert found.undefined["alpha"] == "no item has two ratings"
    found = textgauge.raters({"a": [1, 1], "b": [1, 1]})
    assert found.alpha is None
    assert found.undefined["alpha"] == "all ratings are one value"
    with pytest.warns(UserWarning, match="resamples have no alpha"):
        found = textgauge.raters({"a": [1, 1, 1, 2], "b": [1, 1, 1, 2]}, n_resamples=200)
    # Both rated two items, without one of which nothing differs.
    rare = textgauge.raters({"a": [1, 2, *[1] * 9], "b": [1, 2, *[None] * 9]}, n_resamples=200)
    assert 30 < found.undefined_resamples["alpha"] < 100  # (3/4)^4 of them
    assert (rare.undefined_resamples["alpha"] > 100, rare.confidence_intervals["alpha"]) == (True, None)
    # An exchange that gives a judge only ratings of 1 leaves its alpha undefined: p counts the other exchanges.
    alike = textgauge.raters({"p": [1] * 4, "a": [2, 2, 1, 1], "b": [1, 1, 2, 2]}, people=["p"], n_resamples=200)
    assert (alike.judges["a"]["b"][0], alike.judges["a"]["b"][-1]) == (0, 1)
    # No item of 4 differs: by Clopper and Pearson up to 0.602 of all might, of 0.429 by chance.
    assert found.confidence_intervals["agreement"] == [pytest.approx(0.025**0.25), 1]
    assert found.confidence_intervals["alpha"] == [pytest.approx(1 - (1 - 0.025**0.25) / (24 / 56)), 1]


@pytest.mark.filterwarnings("ignore:.*resamples have no")
def test_few_ratings_are_warned_of():
    """Of 40 items 9, or 10, have another rating than the most frequent one."""
    given = {"a": [2] * 9 + [1] * 31, "b": [2] * 5 + [1] * 35}
    with pytest.warns(UserWarning, match="only 9 items have a rating other than the most frequent one"):
        textgauge.raters(given, n_resamples=20)
    textgauge.raters({**given, "b": [2] * 5 + [1] * 34 + [2]}, n_resamples=20)
    with pytest.warns(UserWarning, match="only 5 units have a rating"):
        textgauge.raters(given, n_resamples=5, unit=[i // 2 for i in range(40)])
    # Few units are told as such, not once more by their ratings.
    with pytest.warns(UserWarning, match="only 8 units .* are drawn") as told:
        textgauge.raters(given, n_resamples=5, unit=[i // 5 for i in range(40)])
    assert not [one for one in told if "a rating other than" in str(one.message)]


@FEW_UNITS
def test_ratios_of_numbers_below_0_are_warned_of():
    with pytest.warns(UserWarning, match="take interval"):
        textgauge.raters({"a": [-1, 2], "b": [1, 2]}, level="ratio", confidence=None)


@FEW_UNITS
def test_rows_are_columns():
    rows = [{"a": 1, "b": 1}, {"a": 2}, {"a": 2, "b": 1}]
    columns = {"a": [1, 2, 2], "b": [1, None, 1]}
    expected = textgauge.raters(columns, confidence=None)
    assert expected.n_missing == {"b": 1}
    # A rater may begin late: the first row need not name everyone.
    for order in ([0, 1, 2], [1, 0, 2], [1, 2, 0]):
        found = textgauge.raters([rows[i] for i in order], confidence=None)
        by_columns = {name: [column[i] for i in order] for name, column in columns.items()}
        assert found == textgauge.raters(by_columns, confidence=None)
    assert textgauge.raters(rows, confidence=None) == expected
    frame = pytest.importorskip("pandas").DataFrame(columns)
    assert textgauge.raters(frame, confidence=None) == expected
    assert textgauge.raters(pa.table(columns), confidence=None) == expected
    documents = ["x", "x", "y"]
    by_document = textgauge.raters(columns, unit=documents, n_resamples=50)
    assert textgauge.raters(frame.assign(doc=documents), unit="doc", n_resamples=50) == by_document
    of_rows = [{**row, "doc": document} for row, document in zip(rows, documents, strict=True)]
    assert textgauge.raters(of_rows, unit="doc", n_resamples=50) == by_document
    assert by_document.confidence_intervals != textgauge.raters(columns, n_resamples=50).confidence_intervals


def test_empty_cells_are_missing():
    rows = [{"a": "x", "b": "x"}, {"a": "", "b": "y"}, {"a": "y", "b": " "}, {"a": "y", "b": "x"}]
    found = textgauge.raters(rows, confidence=None)
    assert found == textgauge.raters({"a": ["x", None, "y", "y"], "b": ["x", "y", None, "x"]}, confidence=None)
    assert found.n_missing == {"a": 1, "b": 1}


@pytest.mark.parametrize(
    ("ratings", "options", "message"),
    [
        ({"a": [1]}, {}, "at least 2 raters"),
        ({"a": [1], "b": [1, 2]}, {}, r"^ratings\['b'\]: .*'a'.*\(1\).*got 2"),
        ({"a": [1], "b": [[]]}, {}, r"ratings\['b'\]\[0\]"),
        ({"a": [1], "b": [float("inf")]}, {}, r"ratings\['b'\]\[0\]"),
        ({"a": ["x"], "b": ["y"]}, {"level": "interval"}, "since ratings are words"),
        ({"a": [1], "b": [3]}, {"scale": [1, 2]}, r"a value of `scale`"),
        ({"a": [1], "b": [3]}, {"people": ["a"]}, "2 judges"),
        ({"a": [1], "b": [3]}, {"level": "ordnal"}, "level"),
        ([1], {}, "a dict from raters"),
        ([{"a": 1, "b": 2}, 3], {}, r"^ratings\[1\]: .*got 3"),
        ([{"a": 1, "b": 2}], {"unit": "doc"}, r"^ratings\[0\]: .*'doc'.*got a row of 'a', 'b'"),
        ({"a": [1], "b": [2]}, {"unit": "doc"}, "only where ratings are rows"),
    ],
)
def test_refused(ratings, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        textgauge.raters(ratings, **options)


@pytest.mark.filterwarnings("ignore:only .* items have", "ignore:.*resamples have no")
def test_no_interval_leaves_the_scale_of_its_figure():
    shifted = {"a": [*range(12)], "b": [*range(1, 12), 11]}
    for ratings in (shifted, {"a": [1, 2] * 6, "b": [2, 1] * 6}, {"a": [1, 2] * 6, "b": [1, 2] * 6}):
        bounds = textgauge.raters(ratings, seed=1).confidence_intervals
        figures = {**bounds, **bounds["kappas"]["a"]["b"]}
        for name, lowest in (("agreement", 0), ("alpha", -1), ("kappa", -1), ("fleiss_kappa", -1)):
            low, high = figures[name]
            assert lowest <= low <= high <= 1, name


@pytest.mark.filterwarnings("ignore")
def test_items_that_all_have_rated_are_complete():
    assert textgauge.raters({"a": [1, 2, None, 1], "b": [1, None, None, 2]}).n_complete == 2
