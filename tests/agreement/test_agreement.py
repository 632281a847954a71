"""Agreement with people: the figures against the toolkit of WMT and their definitions, and every edge."""

import gzip
import json
import re
import warnings
from itertools import permutations
from math import nan

import numpy as np
import pyarrow as pa
import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from textgauge.meta_evaluation import FIGURES, SYSTEM_LEVEL, TESTED
from textgauge.meta_evaluation.figures import _interval
from textgauge.resampling import percentile_interval, units_of

from agreement.definitions import accuracy_with_ties, figures, soft_accuracy

pytestmark = pytest.mark.filterwarnings("ignore:of 2 systems a correlation is always")
# Of the toolkit's file, by ours.
RECORDED = {
    "system_pearson": "system_pearson", "pairwise_accuracy": "system_pairwise_accuracy", "acc_eq": "acc_eq",
    "segment_pearson": "pearson_none", "segment_kendall": "kendall_b_none", "pearson_by_segment": "pearson_item",
    "kendall_by_segment": "kendall_b_item", "pearson_by_system": "pearson_sys", "kendall_by_system": "kendall_b_sys",
}  # fmt: skip
PEOPLE = {"a": [0, 1, 3, 4, 2, 1], "b": [1, 2, 3, 5, 2, 4], "c": [0, 1, 1, 2, 0, 1]}
OURS = {"a": [0.1, 0.3, 0.6, 0.9, 0.4, 0.3], "b": [0.2, 0.3, 0.7, 0.9, 0.5, 0.6], "c": [0.1, 0.2, 0.3, 0.2, 0.1, 0.2]}
OF_ALL, OF_PAIRS = {"segment_pearson", "segment_kendall"}, {"pairwise_accuracy", "soft_pairwise_accuracy", "acc_eq"}
QUICK = {"n_resamples": 50}


@pytest.fixture(scope="module")
def recorded(shared):
    return json.loads(gzip.decompress((shared / "oracles/agreement.json.gz").read_bytes()))


@pytest.mark.filterwarnings("ignore:.*calls .* percent of the pairs ties")
def test_figures_are_those_of_the_toolkit(recorded):
    human = dict(zip(recorded["systems"], recorded["human"], strict=True))
    found = textgauge.agreement(human, recorded["metrics"], confidence=None, significance=())
    assert (found.systems, found.n_segments, found.n_judgements) == (recorded["systems"], 527, 8 * 527)
    for name, expected in recorded["figures"].items():
        for ours, theirs in RECORDED.items():
            assert found.metrics[name][ours] == pytest.approx(expected[theirs], abs=1e-12), (name, ours)
        assert found.metrics[name]["soft_pairwise_accuracy"] == pytest.approx(expected["spa"], abs=2e-3)


@pytest.mark.filterwarnings("ignore:.*calls .* percent of the pairs ties")
def test_metrics_are_computed_by_name(recorded):
    texts, human = recorded["texts"], dict(zip(recorded["systems"], recorded["human"], strict=True))
    given = {"predictions": texts["systems"], "references": texts["reference"]}
    found = textgauge.agreement(human, ["chrf", "ter"], **given, confidence=None, significance=())
    chrf = found.metrics["chrf"]
    for ours in ("segment_pearson", "segment_kendall", "kendall_by_segment", "acc_eq"):
        assert chrf[ours] == pytest.approx(recorded["figures"]["sentence_chrf"][RECORDED[ours]], abs=1e-12)
    # The score of a system is that of its corpus.
    for name, way in (("chrf", 1), ("ter", -1)):
        score = getattr(textgauge, name)
        corpora = [way * score(texts["systems"][one], texts["reference"])[name] for one in human]
        expected = np.corrcoef([np.mean(of_one) for of_one in human.values()], corpora)[0, 1]
        assert found.metrics[name]["system_pearson"] == pytest.approx(expected, abs=1e-12)


some_scores = st.integers(0, 4).map(lambda n: n / 2)


@st.composite
def tables(draw):
    n_systems, n_segments = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    rows = st.lists(some_scores, min_size=n_segments, max_size=n_segments)
    judged = st.lists(st.one_of(some_scores, st.just(nan)), min_size=n_segments, max_size=n_segments)
    judged = judged.filter(lambda row: any(value == value for value in row))
    return [draw(st.lists(one, min_size=n_systems, max_size=n_systems)) for one in (judged, rows)]


@given(tables())
def test_figures_are_those_of_the_definitions(drawn):
    human, metric = drawn
    found = textgauge.agreement(human, {"ours": metric}, confidence=None).metrics["ours"]
    expected_of = {**figures(human, metric), "soft_pairwise_accuracy": soft_accuracy(human, metric)}
    assert {*expected_of} == {*FIGURES}
    for name, expected in expected_of.items():
        value = nan if found[name] is None else found[name]
        assert value == pytest.approx(expected, abs=1e-12, nan_ok=True), name


@given(tables())
def test_threshold_and_accuracy(drawn):
    human, metric = map(np.array, drawn)
    found = textgauge.agreement(human, {"ours": metric}, confidence=None).metrics["ours"]
    if found["acc_eq"] is None:
        return
    tied = np.where(np.abs(metric[:, None] - metric) <= found["threshold"], 0, np.sign(metric[:, None] - metric))
    right, shares = [], []
    for s in range(human.shape[1]):
        i, j = np.triu_indices(len(human), 1)
        differences = human[i, s] - human[j, s]
        known = ~np.isnan(differences)
        if known.any():
            right.append(np.mean(np.sign(differences[known]) == tied[i, j, s][known]))
            shares.append(np.mean(tied[i, j, s][known] == 0))
    assert found["acc_eq"] == pytest.approx(np.mean(right), abs=1e-12)
    assert found["tied"] == pytest.approx(np.mean(shares), abs=1e-12)


def judged_twice(n_systems, n_segments, *, missing=()):
    random = np.random.default_rng(3)
    quality = random.normal(size=(n_systems, n_segments))
    human, metric = (np.round(quality + random.normal(size=quality.shape), 1) for _ in range(2))
    for place in missing:
        human[place] = nan
    return human, metric


def constant_system():
    human, metric = judged_twice(3, 12)
    # A mean of 0.1 is none to the last bit.
    metric[0] = 0.1
    return human, metric


RESAMPLED = {
    "few are missing": judged_twice(4, 14, missing=[(1, 3), (2, 7)]),
    "segments without pairs": judged_twice(2, 12, missing=[(0, slice(0, 12, 3)), (1, slice(1, 12, 3))]),
    "resamples without a system": judged_twice(3, 6, missing=[(2, slice(1, 6))]),
    "resamples without pairs": judged_twice(2, 5, missing=[(0, slice(2)), (1, slice(3, 5))]),
    "mostly without a system": judged_twice(3, 4, missing=[(i, [s for s in range(4) if s != i]) for i in range(3)]),
    "a constant system": constant_system(),
}


@pytest.mark.parametrize("case", RESAMPLED)
@pytest.mark.filterwarnings("ignore:.*percent of the pairs ties")
def test_intervals_by_definition(case):
    human, metric = RESAMPLED[case]
    n, n_segments = 25, human.shape[1]
    intervals = textgauge.agreement(human, {"ours": metric}, n_resamples=n, seed=5).confidence_intervals["ours"]
    drawn = {}
    for counts in np.random.default_rng(5).multinomial(n_segments, np.full(n_segments, 1 / n_segments), n):
        at = np.repeat(np.arange(n_segments), counts)
        # Copies of a segment tie with each other, also for Kendall.
        for name, value in figures(human[:, at].tolist(), metric[:, at].tolist()).items():
            drawn.setdefault(name, []).append(value)
    for name, values in drawn.items():
        defined = [value for value in values if value == value]
        if 2 * len(defined) <= n:
            assert intervals[name] is None, name
        else:
            least = 0.0 if name in ("pairwise_accuracy", "soft_pairwise_accuracy", "acc_eq", "accuracy") else -1.0
            expected = np.clip(percentile_interval(np.array(defined), 0.95, n_segments), least, 1.0)
            assert intervals[name] == pytest.approx(expected.tolist(), abs=1e-9), name
    is_rare = case == "mostly without a system"
    assert (intervals["pairwise_accuracy"] is None) == is_rare


def as_rows(people=PEOPLE, **columns):
    return [
        {"system": system, "segment": i, "score": score, **{name: of[system][i] for name, of in columns.items()}}
        for system, scores in people.items() for i, score in enumerate(scores)
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["rows", "arrow", "pandas", "array", "columns"])
def test_every_form_of_scores_gives_the_same(form):
    expected = textgauge.agreement(PEOPLE, {"ours": OURS}, **QUICK)
    rows = as_rows(ours=OURS)
    if form == "pandas":
        human, metrics = pytest.importorskip("pandas").DataFrame(rows), ["ours"]
    elif form == "array":
        human, metrics = np.array([*PEOPLE.values()]), {"ours": [*OURS.values()]}
    elif form == "columns":
        human, metrics = rows, {"ours": [row["ours"] for row in rows]}
    else:
        human, metrics = (pa.Table.from_pylist(rows) if form == "arrow" else rows), "ours"
    found = textgauge.agreement(human, metrics, **QUICK)
    names = ["system 1", "system 2", "system 3"] if form == "array" else [*PEOPLE]
    assert found == expected._replace(systems=names)


def test_names_of_systems_may_be_numbers():
    people, texts = {1: [1, 2], 2: [2, 0]}, {1: ["a b", "b"], 2: ["a c", "c"]}
    found = textgauge.agreement(people, "rougeL", predictions=texts, references=["a c", "b d"], **QUICK)
    as_texts = ({str(name): values for name, values in one.items()} for one in (people, texts))
    people, texts = as_texts
    assert found == textgauge.agreement(people, "rougeL", predictions=texts, references=["a c", "b d"], **QUICK)
    assert found.systems == ["1", "2"]


def test_rows_with_texts():
    texts = {"x": ["a b c", "d e"], "y": ["a b d", "d f"]}
    rows = [
        {"who": who, "nr": i, "mqm": -3 * i - (who == "y"), "output": text, "gold": [["a b c"], ["d e", "d"]][i]}
        for who, of_one in texts.items() for i, text in enumerate(of_one)
    ]  # fmt: skip
    named = {"system": "who", "segment": "nr", "human": "mqm", "prediction": "output", "reference": "gold"}
    metrics = ["rougeL", "chrf(word_order=2)"]
    found = textgauge.agreement(rows, metrics, columns=named)
    expected = textgauge.agreement(
        {"x": [0, -3], "y": [-1, -4]}, metrics, predictions=texts, references=[["a b c"], ["d e", "d"]],
    )  # fmt: skip
    assert found == expected
    assert found.metrics["chrf(word_order=2)"]["pairwise_accuracy"] == 1


@pytest.mark.parametrize("name", TESTED)
def test_p_values_do_not_depend_on_confidence(name):
    human, good, bad = good_and_bad(4, 12)
    found = [
        textgauge.agreement(human, {"x": good, "y": bad}, significance=name, confidence=level, **QUICK).significance
        for level in (None, 0.95)
    ]
    assert found[0] == found[1]


@pytest.mark.filterwarnings("ignore:.*percent of the pairs ties")
def test_computed_ter_equals_given_scores():
    texts = {"x": ["a b c", "d e", "f"], "y": ["b b d", "d d f", "g f"], "z": ["c", "e e", "h f f"]}
    refs, people = ["a b c", "d e f", "f"], {"x": [3, 1, 2], "y": [1, 2, 2], "z": [2, 2, 3]}
    found = textgauge.agreement(people, "ter", predictions=texts, references=refs, **QUICK).metrics["ter"]
    segments = {one: textgauge.segment_scores("ter", texts[one], refs) for one in texts}
    expected = textgauge.agreement(people, {"ter": segments}, **QUICK).metrics["ter"]
    same = [key for key in FIGURES if key not in SYSTEM_LEVEL]
    assert {key: found[key] for key in same} == pytest.approx({key: expected[key] for key in same}, abs=1e-12)
    corpora = {one: [textgauge.ter(texts[one], refs)["ter"]] * 3 for one in texts}
    of_systems = textgauge.agreement(people, {"ter": corpora}, **QUICK).metrics["ter"]
    assert found["system_pearson"] == pytest.approx(of_systems["system_pearson"], abs=1e-12)


@pytest.mark.parametrize("name", ["rougeL", "chrf"])
def test_references_of_rows(name):
    texts = {"x": ["a b c", "d e", "f"], "y": ["a b d", "d f", "g f"], "z": ["c", "e e", "h f"]}
    golds = {"x": ["a b c", "d", "f h"], "y": ["a b", "f f", "g g"], "z": [["c d", "d"], "d e", "f"]}
    people = {"x": [3, 1, 2], "y": [1, 2, 2], "z": [2, 2, 3]}
    rows = as_rows(people, prediction=texts, reference=golds)
    lists = {one: [[gold] if isinstance(gold, str) else gold for gold in golds[one]] for one in golds}
    segments = {one: textgauge.segment_scores(name, texts[one], lists[one]) for one in texts}
    found = textgauge.agreement(rows, name, **QUICK).metrics[name]
    expected = textgauge.agreement(people, {name: segments}, **QUICK).metrics[name]
    # The score of a system is the mean of its segments, or that of its corpus.
    same = FIGURES if name == "rougeL" else [key for key in FIGURES if key not in SYSTEM_LEVEL]
    assert {key: found[key] for key in same} == {key: expected[key] for key in same}
    if name == "chrf":
        corpora = {one: [textgauge.chrf(texts[one], lists[one])["chrf"]] * 3 for one in texts}
        of_systems = textgauge.agreement(people, {name: corpora}, **QUICK).metrics[name]
        assert found["system_pearson"] == pytest.approx(of_systems["system_pearson"], abs=1e-12)


@pytest.mark.filterwarnings("ignore:.*percent of the pairs ties")
@pytest.mark.parametrize("column", ["prediction", "reference"])
def test_rows_of_one_output_have_one_text(column):
    texts = {name: ["a b"] * 6 for name in PEOPLE}
    rows = as_rows(prediction=texts, reference=texts)
    again = [*rows, {**rows[2], column: "b a"}]
    with pytest.raises(ValueError, match=rf"^human\[18\]\['{column}'\]: .*got 'b a'"):
        textgauge.agreement(again, "chrf", **QUICK)
    assert textgauge.agreement([*rows, rows[2]], "chrf", **QUICK).n_judgements == 19


@pytest.mark.parametrize("last", [0.5, 0.75])
def test_rows_of_one_output(last):
    rows = [{"system": s, "segment": g, "score": s + g} for s in range(3) for g in range(4)] + [
        {"system": 0, "segment": 0, "score": 1}
    ]
    scores = [0.625, *(0.1 * i for i in range(1, 12)), last]
    with pytest.raises(ValueError, match=rf"^metrics\['m'\]\[12\]: .*0\.625.*got {last}$"):
        textgauge.agreement(rows, {"m": scores})
    assert textgauge.agreement(rows, {"m": [*scores[:-1], 0.625]}).n_judgements == 13


def test_text_of_no_probability():
    texts = {name: ["the cat"] * 6 for name in PEOPLE}
    texts["b"] = ["the cat"] * 3 + ["the bird"] * 3
    closed = "perplexity(ngram_train=['the cat', 'the dog'], ngram_smoothing='mle')"
    message = f"^{re.escape(closed)} of 'b', segment 3: .*got inf"
    with pytest.raises(ValueError, match=message):
        textgauge.agreement(PEOPLE, closed, predictions=texts, **QUICK)


def test_several_and_missing_ratings():
    rows = as_rows(ours=OURS)
    twice = [*rows, {**rows[0], "score": 4}, {**rows[3], "score": None}, {**rows[5], "score": nan}]
    people = {**PEOPLE, "a": [2, *PEOPLE["a"][1:]]}
    found = textgauge.agreement(twice, "ours", **QUICK)
    assert found.n_judgements == 19
    assert found == textgauge.agreement(people, {"ours": OURS}, **QUICK)._replace(n_judgements=19)


def test_what_is_masked_is_missing():
    masked = np.ma.masked_array([[9.0, 2, 3, 4], [1, 2, 9, 3]], mask=[[1, 0, 0, 0], [0, 0, 1, 0]])
    missing = [[nan, 2, 3, 4], [1, 2, nan, 3]]
    ours = [[1, 2, 3, 5], [1, 3, 2, 3]]
    assert textgauge.agreement(masked, {"x": ours}, **QUICK) == textgauge.agreement(missing, {"x": ours}, **QUICK)
    unscored = np.ma.masked_array(ours, mask=[[0, 0, 0, 0], [0, 1, 0, 0]])
    with pytest.raises(ValueError, match=r"^metrics\['x'\]\['system 2'\]\[1\]: .*got none"):
        textgauge.agreement(masked, {"x": unscored}, **QUICK)


def test_directions():
    negated = {name: [-value for value in values] for name, values in OURS.items()}
    penalties = {name: [-value for value in values] for name, values in PEOPLE.items()}
    expected = textgauge.agreement(PEOPLE, {"ours": OURS}, **QUICK)
    more = [
        textgauge.agreement(PEOPLE, {"ours": negated}, higher_is_better={"ours": False}, **QUICK),
        textgauge.agreement(penalties, {"ours": OURS}, human_higher_is_better=False, **QUICK),
    ]
    assert more == [expected, expected]
    ter = textgauge.agreement(PEOPLE, {"ter": negated}, **QUICK)
    assert ter.metrics["ter"] == expected.metrics["ours"]


@pytest.mark.parametrize(
    ("people", "ours", "defined"),
    [
        ({"a": [1, 2, 3]}, {"a": [1, 3, 2]}, {*OF_ALL, "pearson_by_system", "kendall_by_system"}),
        ({"a": [1, 1], "b": [1, 1]}, {"a": [1, 2], "b": [3, 4]}, OF_PAIRS),
        ({"a": [1, 2], "b": [0, 3]}, {"a": [5, 5], "b": [5, 5]}, OF_PAIRS),
        ({"a": [1, None], "b": [None, 2]}, {"a": [1, 2], "b": [3, 4]},
         {*OF_ALL, "system_pearson", "system_spearman", "pairwise_accuracy"}),
        ({"a": [1], "b": [2]}, {"a": [1], "b": [2]}, {*FIGURES} - {"pearson_by_system", "kendall_by_system"}),
    ],
    ids=["one system", "constant people", "constant metric", "no overlap", "one segment"],
)  # fmt: skip
def test_what_is_not_defined_is_none(people, ours, defined):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*percent of the pairs ties")
        found = textgauge.agreement(people, {"ours": ours, "same": ours}, **QUICK)
    assert {name for name in FIGURES if found.metrics["ours"][name] is not None} == defined
    for key, tested in found.significance.items():
        assert tested.clusters == [["ours", "same"]]
        # Two copies of a metric never differ.
        assert tested.p == {
            "ours": {"same": 1.0 if key in defined else None},
            "same": {"ours": 1.0 if key in defined else None},
        }
    json.dumps(found, allow_nan=False)


def test_two_systems_have_a_figure():
    found = textgauge.agreement({"a": [1, 2, 4], "b": [0, 3, 1]}, {"x": {"a": [1, 2, 3], "b": [1, 1, 1]}}, **QUICK)
    assert found.metrics["x"]["system_pearson"] == pytest.approx(1)
    assert found.metrics["x"]["pairwise_accuracy"] == 1


@pytest.mark.filterwarnings("ignore:.*percent of the pairs ties")
def test_equal_systems_in_any_order():
    scores = [0.1, 0.2, 0.3, 0.7, 0.6]
    human = {"a": scores, "b": scores[::-1], "c": [0, 0, 0, 0, 0]}
    found = textgauge.agreement(human, {"x": human}, **QUICK).metrics["x"]
    assert (found["pairwise_accuracy"], found["system_spearman"]) == (1, 1)
    constant = {name: [0.1, 0.2, 0.7][i:] + [0.1, 0.2, 0.7][:i] for i, name in enumerate("abc")}
    assert textgauge.agreement(constant, {"x": human_of(constant)}, **QUICK).metrics["x"]["system_pearson"] is None


def test_equal_systems_tie():
    orders = [list(order) for order in permutations([0.1, 0.2, 0.3, 0.7])]
    human = {f"system {i}": scores for i, scores in enumerate(orders)}
    ours = {name: [i % 2, 1 - i % 2, 0, 0] for i, name in enumerate(human)}
    found = textgauge.agreement(human, {"x": ours}, **QUICK).metrics["x"]
    assert found["pairwise_accuracy"] == 1
    rising = {name: [i] * 4 for i, name in enumerate(human)}
    found = textgauge.agreement(human, {"x": rising}, **QUICK).metrics["x"]
    assert (found["system_pearson"], found["system_spearman"]) == (None, None)


def test_a_single_segment_has_no_intervals():
    found = textgauge.agreement({"a": [1], "b": [2], "c": [4]}, {"x": {"a": [1], "b": [3], "c": [2]}}, **QUICK)
    assert {*found.confidence_intervals["x"].values()} == {None}
    assert found.metrics["x"]["system_pearson"] is not None


def test_segments_that_nobody_judged_are_not_counted():
    people = {"a": [1, None, 2, None], "b": [0, None, None, None]}
    ours = {"a": [1, 1, 2, 2], "b": [2, 2, 1, 1]}
    found = textgauge.agreement(people, {"x": ours}, **QUICK)
    assert (found.n_segments, found.n_judgements) == (2, 3)


def good_and_bad(n_systems=5, n_segments=150):
    random = np.random.default_rng(4)
    quality = random.normal(size=(n_systems, 1)) + random.normal(size=(n_systems, n_segments))
    human, good, bad = (quality + random.normal(size=quality.shape) * noise for noise in (0.3, 0.3, 4))
    return human, good, bad


@pytest.mark.parametrize("key", TESTED)
def test_better_metric_is_significant(key):
    human, good, bad = good_and_bad()
    options = {"significance": [key], "n_resamples": 200, "confidence": None}
    p = textgauge.agreement(human, {"good": good, "bad": bad}, **options).significance[key].p
    assert p["bad"]["good"] > 0.8
    if key == "acc_eq":
        assert p["good"]["bad"] < 0.01
    # Both say how often one differs by chance as much; what is equal counts for both.
    assert p["good"]["bad"] + p["bad"]["good"] >= 1
    swapped = textgauge.agreement(human, {"bad": bad, "good": good}, **options).significance[key].p
    assert swapped["bad"]["good"] > 0.8


def test_p_value_at_any_scale():
    human, good, bad = good_and_bad(4, 30)
    found = [
        textgauge.agreement(
            human, {"x": good, "y": scale * bad + shift}, significance=TESTED, n_resamples=200, confidence=None
        ).significance
        for scale, shift in ((1, 0), (100, 0), (1e-3, 0), (1, 50))
    ]
    assert found[1:] == [found[0]] * 3
    # Not all of them are at an end.
    assert any(0.05 < one.p["x"]["y"] < 1 for one in found[0].values())


@pytest.mark.filterwarnings("ignore:.*percent of the pairs ties")
def test_p_values_on_a_grid():
    random = np.random.default_rng(0)
    human, first = random.integers(0, 3, (4, 8)), random.integers(0, 4, (4, 8))
    # The same scores elsewhere: standardizing changes both alike.
    second = random.permutation(first.reshape(-1)).reshape(first.shape)
    found = textgauge.agreement(
        human, {"x": first, "y": second}, significance=["acc_eq"], n_resamples=60, seed=3
    ).significance["acc_eq"].p["x"]["y"]  # fmt: skip
    human = human.astype(float).tolist()

    def difference(swap):
        sides = np.where(swap, second, first), np.where(swap, first, second)
        return np.subtract(*(accuracy_with_ties(human, side.tolist()) for side in sides))

    swaps = np.random.default_rng(3).integers(0, 2, (60, 4, 8), dtype=np.bool_)
    observed = difference(np.zeros((4, 8), bool))
    assert found == (1 + sum(difference(swap) >= observed - 1e-12 for swap in swaps)) / 61


def test_ranks_are_at_the_level_of_confidence():
    human, good, bad = good_and_bad(3, 20)
    found = {
        level: textgauge.agreement(human, {"x": good, "y": bad}, significance="acc_eq", confidence=level, seed=1)
        .significance["acc_eq"]
        for level in (None, 0.5, 0.95, 0.999999)
    }  # fmt: skip
    p = found[0.95].p["x"]["y"]
    for level, one in found.items():
        # The resamples of intervals have no part in it.
        assert one.p == found[None].p
        is_better = p < 1 - (0.95 if level is None else level)
        assert one.rank_ranges == ({"x": [1, 1], "y": [2, 2]} if is_better else {"x": [1, 2], "y": [1, 2]}), level
    assert found[0.5].clusters == [["x"], ["y"]]
    assert found[0.999999].clusters == [["x", "y"]]


def test_a_metric_without_a_figure_stands_last():
    human, good, bad = good_and_bad(4, 20)
    flat = np.zeros_like(human)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*percent of the pairs ties")
        found = textgauge.agreement(
            human, {"flat": flat, "good": good, "bad": bad}, significance=["system_pearson"], **QUICK
        )
    assert found.metrics["flat"]["system_pearson"] is None
    assert found.significance["system_pearson"].clusters[-1][-1] == "flat"


@pytest.mark.parametrize("factor", [2.0**-1000, 2.0**1000])
def test_figures_at_any_scale(factor):
    other = {name: values[::-1] for name, values in OURS.items()}
    scaled = [{name: [value * factor for value in values] for name, values in one.items()} for one in (OURS, other)]
    expected = textgauge.agreement(PEOPLE, {"x": OURS, "y": other}, **QUICK)
    found = textgauge.agreement(PEOPLE, dict(zip("xy", scaled, strict=True)), **QUICK)
    for name in "xy":
        assert {**found.metrics[name], "threshold": found.metrics[name]["threshold"] / factor} == expected.metrics[name]
    assert found.confidence_intervals == expected.confidence_intervals
    assert found.significance == expected.significance


def human_of(people):
    return {name: list(range(len(values))) for name, values in people.items()}


def test_threshold_of_all_ties():
    people = {"a": [1] * 9 + [2], "b": [1] * 10}
    random = np.random.default_rng(0)
    with pytest.warns(UserWarning, match="noise: the best threshold of acc_eq calls 100 percent of the pairs ties"):
        textgauge.agreement(people, {"noise": {"a": random.random(10) - 1, "b": random.random(10)}}, **QUICK)
    for n in (18, 19):
        people = {"a": [1] * n + [2] * (20 - n), "b": [1] * 20}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            textgauge.agreement(people, {"people": people}, **QUICK)
        assert ("calls 95 percent" in " ".join(str(one.message) for one in caught)) == (n == 19)


@pytest.mark.parametrize("n_without", [1, 2])
def test_most_resamples_have_no_figure(n_without):
    assert (_interval(np.array([0.5] * 2 + [nan] * n_without), 0.95, 4, 0.0) is None) == (n_without == 2)


def texts_of_all(text):
    return {name: [text] * 6 for name in PEOPLE}


@pytest.mark.parametrize(
    ("human", "metrics", "message"),
    [
        ({"a": [1, "2"], "b": [1, 2]}, {"x": OURS}, r"^human\['a'\]\[1\]: .*got '2'"),
        ({"a": [1, np.inf], "b": [1, 2]}, {"x": OURS}, r"^human\['a'\]\[1\]: .*got inf"),
        ({"a": [1, [2]], "b": [1, 2]}, {"x": OURS}, r"human\['a'\]\[1\]"),
        (np.array([[1, -np.inf]]), {"x": [[1, 2]]}, r"human\[0\]\[1\]"),
        ([[1, 10**400]], {"x": [[1, 2]]}, r"^human\[0\]\[1\]: "),
        (np.ones((1, 2, 3)), {"x": [[1, 2]]}, r"^human\[0\]\[0\]: "),
        (np.zeros((1, 2), "datetime64[s]"), {"x": [[1, 2]]}, r"^human\[0\]\[0\]: "),
        ({"a": [1, 2], "b": [1]}, {"x": OURS}, r"^human\['b'\]: .*'a'.*\(2\).*got 1"),
        ({"a": [1, 2], "b": [1, 2, 3]}, {"x": OURS}, r"^human\['b'\]: .*'a'.*\(2\).*got 3"),
        ({"a": [1, 2], "b": [None, nan]}, {"x": OURS}, "^human: .*got none of 'b'"),
        ({"a": [1, 2], "z": [1, 2]}, {"x": OURS}, r"^metrics\['x'\]: .*'z'.*got only a, b, c"),
        (PEOPLE, {"x": {**OURS, "c": [1] * 5}}, r"^metrics\['x'\]\['c'\]: .*got 5"),
        (PEOPLE, {"x": {**OURS, "c": [1] * 5 + [None]}}, r"^metrics\['x'\]\['c'\]\[5\]: .*got none"),
        (PEOPLE, {"x": {**OURS, "c": [1] * 5 + [nan]}}, r"metrics\['x'\]\['c'\]\[5\]"),
        (PEOPLE, {"x": np.ones((3, 5))}, r"^metrics\['x'\]: .*got 3 x 5"),
        ({}, {"x": OURS}, "^human: .*got none$"),
        ([], {"x": OURS}, "^human: .*got none$"),
        ({"a": []}, {"x": OURS}, "^human: .*got none$"),
        ([[1, 2], [1]], {"x": OURS}, r"^human\[1\]: .*\(2\).*got 1"),
        (PEOPLE, {"x": "OURS"}, r"^metrics\['x'\]: .*got 'OURS'"),
        (PEOPLE, ["chrf", "chrf"], r"^metrics: .*got \['chrf', 'chrf'\]"),
        ("people.csv", {"x": OURS}, "^human: .*got 'people.csv'"),
        (PEOPLE, {}, "metrics: expected at least one metric"),
        (PEOPLE, ["chrf"], "^predictions: .*got None"),
        (PEOPLE, ["chrff"], "^metrics: .*got 'chrff'"),
        ([{"system": "a", "segment": 1}], "x", r"^human\[0\]: .*'score'.*got a row of 'system'"),
        ([{"system": "a", "segment": 1, "score": 1}, 3], "x", r"^human\[1\]: .*got 3"),
        ([{"system": None, "segment": 1, "score": 1}], "x", r"^human\[0\]\['system'\]: .*got None"),
        ([{"system": "a", "segment": "", "score": 1}], "x", r"^human\[0\]\['segment'\]: .*got ''"),
        ([{"system": "a", "segment": 1, "score": "good"}], "x", r"^human\[0\]\['score'\]: .*got 'good'"),
        (as_rows(), {"x": [1.0]}, r"^metrics\['x'\]: .*`human`.*\(18\).*got 1"),
        ([*as_rows(ours=OURS), {**as_rows(ours=OURS)[2], "ours": 7}], "ours", r"\['ours'\]\[18\]: .*0.6.*got 7"),
        (as_rows(), {"x": OURS}, r"^metrics\['x'\]: .*got \{'a': \[0.1, 0.3"),
        (as_rows(), "chrf", r"^human\[0\]: .*'prediction'.*got a row of 'system'"),
        (as_rows(prediction=texts_of_all("a")), "chrf", r"^human\[0\]: .*'reference'.*got a row of 'system'"),
        (as_rows(prediction=texts_of_all(5), reference=texts_of_all("a")), "chrf",
         r"^human\[0\]\['prediction'\]: .*got 5"),
    ],
)  # fmt: skip
def test_wrong_scores_are_refused_with_their_place(human, metrics, message):
    with pytest.raises((TypeError, ValueError), match=message):
        textgauge.agreement(human, metrics)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"significance": ["kendall"]}, "^significance: .*got 'kendall'"),
        ({"significance": 5}, "^significance: .*got 5"),
        ({"significance": ["acc_eq", 5]}, r"^significance: .*got \['acc_eq', 5\]"),
        ({"significance": ["acc_eq"] * 2}, r"^significance: .*got \['acc_eq', 'acc_eq'\]"),
        ({"higher_is_better": ["x"]}, r"^higher_is_better: .*got \['x'\]"),
        ({"columns": {"human": "mqm"}}, r"^columns: .*got \{'human': 'mqm'\}"),
        ({"columns": {"metric": "x"}}, "^columns: .*got 'metric'"),
        ({"higher_is_better": {"y": False}}, "^higher_is_better: .*got 'y'"),
        ({"higher_is_better": {"x": 1}}, r"^higher_is_better\['x'\]: .*got 1"),
        ({"human_higher_is_better": 0}, "^human_higher_is_better: .*got 0"),
        ({"confidence": 2}, "confidence"),
        ({"n_resamples": 0}, "n_resamples"),
        ({"seed": -1}, "seed"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        textgauge.agreement(PEOPLE, {"x": OURS}, **options)


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        ({"a": ["x"] * 6, "b": ["x"] * 6}, ["x"] * 6, "^predictions: .*'c'.*got a, b"),
        ([["x"] * 6] * 2, ["x"] * 6, r"^predictions: .*got \[\['x', 'x', 'x"),
        ([["x"] * 6, ["x"] * 5, ["x"] * 6], ["x"] * 6, r"^predictions\['b'\]: .*got 5"),
        ([["x"] * 6, "text", ["x"] * 6], ["x"] * 6, r"^predictions\['b'\]: .*got 'text'"),
        ([["x"] * 6] * 3, None, "^references: .*got None"),
    ],
)
def test_wrong_texts_are_refused(predictions, references, message):
    with pytest.raises((TypeError, ValueError), match=message):
        textgauge.agreement(PEOPLE, "chrf", predictions=predictions, references=references)


@pytest.mark.parametrize("name", ["predictions", "references"])
def test_rows_have_their_own_texts(name):
    with pytest.raises(ValueError, match=rf"{name}: .*got \['x', 'x', 'x"):
        textgauge.agreement(as_rows(ours=OURS), "ours", **{name: ["x"] * 6})


def test_systems_that_nobody_judged_are_left_out():
    expected = textgauge.agreement(PEOPLE, {"x": OURS}, **QUICK)
    assert textgauge.agreement(PEOPLE, {"x": {"other": [1] * 6, **OURS}}, **QUICK) == expected


def test_inputs_are_unchanged_and_results_are_plain():
    human, metric = np.array([*PEOPLE.values()], float), np.array([*OURS.values()])
    human[0, 0] = nan
    before = human.copy(), metric.copy()
    human.flags.writeable = metric.flags.writeable = False
    found = textgauge.agreement(human, {"x": metric, "y": metric[::-1]}, **QUICK)
    np.testing.assert_array_equal(human, before[0])
    np.testing.assert_array_equal(metric, before[1])
    assert json.loads(json.dumps(found)) is not None
    assert textgauge.agreement(human, {"x": metric, "y": metric[::-1]}, **QUICK) == found


def test_warning_of_two_systems():
    two = {name: PEOPLE[name] for name in "ab"}
    with pytest.warns(UserWarning, match="of 2 systems a correlation is always 1 or -1"):
        textgauge.agreement(two, {"ours": OURS}, **QUICK)
    textgauge.agreement(PEOPLE, {"ours": OURS}, **QUICK)


def test_rows_of_one_system_need_no_names():
    rows = [{"score": people, "judge": ours} for people, ours in zip(PEOPLE["a"], OURS["a"], strict=True)]
    alone = textgauge.agreement(rows, ["judge"], **QUICK)
    named = textgauge.agreement({"a": PEOPLE["a"]}, {"judge": {"a": OURS["a"]}}, **QUICK)
    assert (alone.systems, alone.n_segments, alone.n_judgements) == (["system"], 6, 6)
    assert (alone.metrics, alone.confidence_intervals) == (named.metrics, named.confidence_intervals)
    for missing in ({"score": 1}, {"score": 1, "segment": 2}):
        with pytest.raises(ValueError, match=r"^human\[0\]: .*'system', got "):
            textgauge.agreement([missing, {"score": 1, "system": "a", "segment": 2}], {"x": [1, 2]})
    with pytest.raises(ValueError, match=r"^human\[0\]: .*'mt'.*got a row of 'score'"):
        textgauge.agreement(rows, ["judge"], columns={"system": "mt"})


def kappa_of(people, judge):
    n = len(people)
    right = sum(a == b for a, b in zip(people, judge, strict=True)) / n
    chance = sum((people.count(c) / n) * (judge.count(c) / n) for c in {*people, *judge})
    return (right - chance) / (1 - chance)


def test_judges_by_classes():
    people, judge = [1, 1, 1, 1, 0, 0, 1, 1, 1, 1], [True, True, True, False, False, True, True, True, True, True]
    found = textgauge.agreement({"a": people}, {"judge": {"a": judge}, "ours": {"a": [0.1 * i for i in range(10)]}})
    figures = found.metrics["judge"]
    assert (figures["accuracy"], figures["base_rate"]) == pytest.approx((0.8, 0.8))
    assert figures["kappa"] == pytest.approx(kappa_of(people, [*map(int, judge)]))
    low, high = found.confidence_intervals["judge"]["kappa"]
    assert low < figures["kappa"] < high
    assert "kappa" not in found.metrics["ours"]
    always = textgauge.agreement({"a": people}, {"judge": {"a": [1] * 10}}).metrics["judge"]
    assert (always["accuracy"], always["kappa"]) == pytest.approx((0.8, 0.0))


def test_kappa_is_that_of_a_textbook():
    """Cohen (1960), table 1: proportions of 200 cases in three classes, by two judges who agree in 29 percent."""
    shares = [[0.25, 0.13, 0.12], [0.12, 0.02, 0.16], [0.03, 0.15, 0.02]]
    pairs = [(i, j) for i, row in enumerate(shares) for j, share in enumerate(row) for _ in range(round(200 * share))]
    people, judge = ([float(pair[side]) for pair in pairs] for side in (0, 1))
    figures = textgauge.agreement({"a": people}, {"judge": {"a": judge}}, confidence=None).metrics["judge"]
    assert figures["kappa"] == pytest.approx(kappa_of(people, judge))
    assert figures["accuracy"] == pytest.approx(0.29)


@pytest.mark.parametrize(
    ("people", "judge", "are_classes"),
    [
        ([0, 1, 2, 2], [0, 1, 1, 0], True),
        ([0, 1, 1, 0], [0, 1, 2, 2], True),
        ([0, 1, 2, 2], [0, 1, 3, 3], False),
        ([0, 1, 1, 0], [2, 3, 3, 2], False),
        ([0, 0.5, 1, 1], [0, 1, 1, 0.5], False),
        ([-1, 0, 1, 1], [-1, 1, 1, 0], True),
        (range(10), [0, 1] * 5, True),
        (range(11), [0] * 11, False),
    ],
)
def test_which_scores_are_classes(people, judge, are_classes):
    """At most 10 whole numbers, those of one side among those of the other."""
    figures = textgauge.agreement({"a": [*people]}, {"judge": {"a": judge}}, confidence=None).metrics["judge"]
    assert ["kappa" in figures, "accuracy" in figures, "base_rate" in figures] == [are_classes] * 3


UNITS = ["x", "y", "x", "z", "z", "y"]


@pytest.mark.filterwarnings("ignore:only 3 units")
def test_units_are_whole():
    """As if the segments of a unit stood for one: every draw has all of them or none."""
    found = textgauge.agreement(PEOPLE, {"ours": OURS, "theirs": PEOPLE}, unit=UNITS, n_resamples=60)
    generator = np.random.default_rng(12345)
    draws = generator.multinomial(3, np.full(3, 1 / 3), 60)[:, [0, 1, 0, 2, 2, 1]]
    expected = []
    for draw in draws:
        taken = np.repeat(np.arange(6), draw)
        people, ours = ({name: np.array(of[name])[taken] for name in of} for of in (PEOPLE, OURS))
        figures = textgauge.agreement(people, {"ours": ours}, confidence=None).metrics["ours"]
        expected.append(figures["segment_kendall"])
    expected = [value for value in expected if value is not None]
    bounds = percentile_interval(np.array(expected), 0.95, len(units_of(UNITS)))
    assert bounds[1] > 1 == found.confidence_intervals["ours"]["segment_kendall"][1]
    assert found.confidence_intervals["ours"]["segment_kendall"][0] == pytest.approx(bounds[0])
    # Three units of three systems have 512 swaps of their scores, where six segments have 262,144.
    assert found.significance["acc_eq"].p["theirs"]["ours"] >= 1 / 512 - 0.02
    # But for the p-values of soft accuracy, which exchange units, too.
    alone = textgauge.agreement(PEOPLE, {"ours": OURS, "theirs": PEOPLE}, n_resamples=9).metrics["ours"]
    differ = {name for name, value in found.metrics["ours"].items() if value != pytest.approx(alone[name])}
    assert differ == {"soft_pairwise_accuracy"}


@pytest.mark.filterwarnings("ignore:only 3 units")
def test_rows_name_units_by_a_column():
    rows = [
        {"system": name, "segment": i, "score": PEOPLE[name][i], "doc": UNITS[i], "ours": OURS[name][i]}
        for i in range(6) for name in PEOPLE
    ]  # fmt: skip
    found = textgauge.agreement(rows, ["ours"], unit="doc", **QUICK)
    assert found == textgauge.agreement(PEOPLE, {"ours": OURS}, unit=UNITS, **QUICK)
    assert found == textgauge.agreement(rows, ["ours"], unit=[row["doc"] for row in rows], **QUICK)
    with pytest.warns(UserWarning, match="those of one 'doc' are alike.*unit= draws them as a whole"):
        textgauge.agreement(rows, ["ours"], **QUICK)
    with pytest.raises(ValueError, match=r"^human\[0\]: .*'docs'.*got a row of 'system'"):
        textgauge.agreement(rows, ["ours"], unit="docs")
    for place, message in (
        (4, r"\[4\]: .*'y'.*got 'other'"),
        (5, r"\[5\]: .*'y'.*got 'other'"),
        (3, r"\[4\]: .*'other'.*got 'y'"),
    ):
        wrong = [{**row, "doc": "other"} if i == place else row for i, row in enumerate(rows)]
        with pytest.raises(ValueError, match=f"^unit{message}"):
            textgauge.agreement(wrong, ["ours"], unit="doc")
    with pytest.raises(ValueError, match=r"^unit: .*`human`.*\(18\).*got 6"):
        textgauge.agreement(rows, ["ours"], unit=UNITS)
    with pytest.raises(ValueError, match=r"^unit: .*\(6\).*got 2"):
        textgauge.agreement(PEOPLE, {"ours": OURS}, unit=["a", "b"])


@pytest.mark.filterwarnings("ignore:.*percent of the pairs ties")
def test_what_notebooks_display():
    def cells(found):
        rows = re.findall("<tr>(.*?)</tr>", found._repr_html_())
        return [[*filter(None, re.split("<[^>]*>", row))] for row in rows]

    human, good, bad = good_and_bad(5, 40)
    found = textgauge.agreement(human, {"bad": bad, "good": good}, significance=["acc_eq"], **QUICK)
    table = {row[0]: row[1:] for row in cells(found)}
    assert [*table][-4:] == ["acc_eq", "rank by acc_eq", "threshold", "tied"]
    assert table["agreement with people"] == ["bad", "good"]
    low, high = found.confidence_intervals["bad"]["acc_eq"]
    assert table["acc_eq"][0] == f"{found.metrics['bad']['acc_eq']:.3f} [{low:.3f}, {high:.3f}]"
    assert table["rank by acc_eq"] == ["2", "1"]
    assert table["tied"] == [f"{found.metrics[name]['tied']:.3f}" for name in ("bad", "good")]
    assert "5 systems, 40 segments, 200 judgements" in found._repr_html_()
    alone = textgauge.agreement({"a": [1, 2, 3]}, {"x": {"a": [1, 3, 2]}}, confidence=None)
    # What is not defined has no row.
    assert ["segment_pearson", "0.500"] in cells(alone)
    assert {"system_pearson", "acc_eq"}.isdisjoint(row[0] for row in cells(alone))
    assert "1 system, 3 segments, 3 judgements" in alone._repr_html_()


@pytest.mark.parametrize("form", ["columns", "rows"])
def test_missing_verdicts_are_left_out(form):
    lacking = {**OURS, "b": [0.2, None, 0.7, 0.9, nan, 0.6]}
    people = {**PEOPLE, "b": [1, None, 3, 5, None, 4]}
    human, columns = (
        (PEOPLE, {"x": lacking, "y": OURS}) if form == "columns" else (as_rows(x=lacking, y=OURS), ["x", "y"])
    )
    found = textgauge.agreement(human, columns, **QUICK, skip_bad=True)
    expected = textgauge.agreement(people, {"x": lacking, "y": lacking}, **QUICK)
    assert found == expected._replace(n_judgements=18, n_left_out={"x": 2})
    assert "left out: 2 outputs without x" in found._repr_html_()
    with pytest.raises(ValueError, match="expected a score"):
        textgauge.agreement(human, columns, **QUICK)
    with pytest.raises(ValueError, match="an output of 'a' that people judged and all metrics scored"):
        textgauge.agreement(PEOPLE, {"x": {**OURS, "a": [nan] * 6}}, **QUICK, skip_bad=True)


@pytest.mark.filterwarnings("ignore:.*the best threshold of acc_eq")
def test_metrics_are_computed_without_what_is_left_out():
    rows = as_rows(x=OURS)
    for i, row in enumerate(rows):
        row |= {"prediction": f"the cat {'sat on' * (i % 3)} the mat {i % 5}", "reference": "the cat sat on the mat"}
    known = [row for row in rows if row["segment"] != 2 or row["system"] != "b"]
    lacking = [row if row in known else {**row, "x": ""} for row in rows]
    assert len(known) == len(rows) - 1
    for metric in ("chrf", "rougeL"):
        found = textgauge.agreement(lacking, ["x", metric], **QUICK, skip_bad=True)
        expected = textgauge.agreement(known, ["x", metric], **QUICK)
        assert found == expected._replace(n_judgements=18, n_left_out={"x": 1})


def test_missing_values_of_pandas_are_missing_verdicts():
    pandas = pytest.importorskip("pandas")
    people = {"a": [1, pandas.NA, 3, 4], "b": [2, 3, pandas.NaT, 5]}
    scores = {"a": [0.1, 0.2, 0.3, 0.4], "b": [0.2, 0.3, 0.5, 0.6]}
    found, expected = (
        textgauge.agreement(human, {"x": scores}, confidence=None, significance=())
        for human in (people, {"a": [1, None, 3, 4], "b": [2, 3, "", 5]})
    )
    assert found == expected
    assert found.n_judgements == 6


def test_few_segments_are_told_where_metrics_differ_significantly():
    people = {"a": [1, 2, 3, 4], "b": [2, 3, 4, 5], "c": [0, 4, 1, 3]}
    worse = {"a": [4, 3, 2, 1], "b": [3, 4, 1, 2], "c": [5, 1, 3, 2]}
    with pytest.warns(UserWarning, match="by acc_eq though people judged only 4 segments, too few") as told:
        found = textgauge.agreement(people, {"good": people, "worse": worse}, significance=["acc_eq"])
    assert len(told) == 1
    assert found.significance["acc_eq"].p["good"]["worse"] < 0.05
    # Of more segments nothing is said.
    people, worse = ({name: [*of_one, *of_one] for name, of_one in side.items()} for side in (people, worse))
    textgauge.agreement(people, {"good": people, "worse": worse}, significance=["acc_eq"])
