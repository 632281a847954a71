"""What changes a comparison: every option, in each face that takes it; and what only mirrors, moves or permutes it."""

import inspect
from functools import cache
from itertools import combinations

import numpy as np
import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from textgauge import resampling, sample
from textgauge.meta_evaluation import TESTED
from textgauge.resampling import PairedOptions, percentile_interval
from textgauge.resampling.plan import PlanOptions

pytestmark = pytest.mark.filterwarnings("ignore")
HYPS, GROUPS = sample.columns("translations")
REFS = [texts[0] for texts in GROUPS]
SYSTEMS = [[*REFS[:5], *HYPS[5:]], [*HYPS[:18], *REFS[18:]], [*HYPS[:22], "no", "no"]]
NUMBERS = np.random.default_rng(5).integers(0, 9, (3, 24)) / 8
RATINGS = dict(zip("abc", NUMBERS.tolist(), strict=True))
DOCS = [i // 2 for i in range(24)]
METRICS = {name: NUMBERS[[1, 0, 2]] ** power for name, power in (("x", 2), ("y", 5))}
VERDICTS = [
    {"item": i // 2, "first": "ab"[i % 2], "second": "ba"[i % 2], "winner": ("a", "b", "tie")[i * i % 5 % 3]}
    for i in range(24)
]
SIDES = {"predictions1": SYSTEMS[0], "predictions2": SYSTEMS[1], "references": REFS, "metric": "rouge1"}
PAIRED = {"bootstrap": resampling.paired_bootstrap, "permutation": resampling.paired_permutation}


def compare(**options):
    return textgauge.compare(SYSTEMS, REFS, **{"metric": "rouge1", **options})


def module(name):
    return lambda **options: textgauge.load(name, module_type="comparison").compute(**SIDES, **options)


# What is called, and what lists the options.
FACES = {
    "compare": (compare, PairedOptions),
    "all pairs": (lambda **options: compare(all_pairs=True, **options), PairedOptions),
    "several metrics": (lambda **options: compare(metric=["rouge1", "ter"], **options), PairedOptions),
    "systems": (lambda **options: resampling.compare_systems(NUMBERS, **options), resampling.compare_systems),
    **{name: (lambda test=test, **options: test(*NUMBERS[:2], **options), test) for name, test in PAIRED.items()},
    **{f"module {name}": (module(f"paired_{name}"), PairedOptions) for name in PAIRED},
    "plan": (lambda **options: textgauge.plan(*SYSTEMS[:2], REFS, metric="rouge1", **options), PlanOptions),
    "agreement": (lambda **options: textgauge.agreement(NUMBERS, METRICS, **options), textgauge.agreement),
    "raters": (
        lambda **options: textgauge.raters(RATINGS, **{"people": ["a"], **options}),
        textgauge.raters,
    ),
    "win_rates": (lambda **options: textgauge.win_rates(VERDICTS, **options), textgauge.win_rates),
    "pass_at_k": (
        lambda **options: textgauge.pass_at_k(NUMBERS[0] > 0.5, DOCS, **{"confidence": 0.95, **options}),
        textgauge.pass_at_k,
    ),
}  # fmt: skip
# Another value of every option, and what it changes of that which a face returns; of others, anything.
DRAWN = ("p", "interval")
VALUES = {
    "seed": (3, DRAWN), "n_resamples": (50, DRAWN), "unit": ([i // 3 for i in range(24)], DRAWN),
    "confidence": (0.8, ["interval"]), "p_value": ("one-sided", ["p"]), "test": ("bootstrap", ["p"]),
    "power": (0.9, []), "n_tests": (4, []), "difference": (0.2, []), "level": ("ordinal", DRAWN), "k": ([1, 2], []),
    "threshold": (0.0, ["interval"]), "human_higher_is_better": (False, DRAWN), "people": (["b"], ["p"]),
    "higher_is_better": ({"x": False}, DRAWN), "significance": (["system_pearson"], []),
}  # fmt: skip
WITHOUT = {("all pairs", "p_value"), *((f"module {name}", "test") for name in PAIRED)}


def leaves(value, place=""):
    """The parts of a result by their places."""
    value = value._asdict() if hasattr(value, "_asdict") else value
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return {k: v for key, part in parts for k, v in leaves(part, f"{place}/{key}").items()} if parts else {place: value}


@cache
def usual_leaves(face):
    return leaves(FACES[face][0](n_resamples=60))


def kinds(places):
    return {kind for place in places for kind in DRAWN if kind in place.split("/") or kind == "interval" in place}


@pytest.mark.parametrize(("face", "option"), [
    (face, option) for face, (_, about) in FACES.items() for option in VALUES
    if option in inspect.signature(about).parameters and (face, option) not in WITHOUT
])  # fmt: skip
def test_every_option_has_an_effect(face, option):
    value, changed = VALUES[option]
    before, after = usual_leaves(face), leaves(FACES[face][0](**{"n_resamples": 60, option: value}))
    differing = {place for place in {*before, *after} if before.get(place) != after.get(place)}
    assert differing
    assert kinds(differing) >= {*changed} & kinds(before)


ties = st.sampled_from([0.0, 0.5, 1.0])


@given(st.lists(st.tuples(ties, ties), min_size=4, max_size=8), st.sampled_from([1, 2, 3]))
def test_two_systems_by_definition_and_the_other_way_round(rows, size):
    """Units of `size` segments, of which the last one may have fewer."""
    first, second = np.array(rows).T
    options = {"n_resamples": 30, "seed": 3, "unit": None if size == 1 else [i // size for i in range(len(rows))]}
    sums = np.array([[*np.sum(rows[i : i + size], axis=0), len(rows[i : i + size])] for i in range(0, len(rows), size)])
    draws, masks = (
        next(draw(np.eye(len(sums)), 30, 3)) @ sums for draw in (resampling.resampled_sums, resampling.exchanged_sums)
    )
    gains, stat, eps = (draws[:, 1] - draws[:, 0]) / draws[:, 2], second.mean() - first.mean(), 1e-9
    exchanged = stat - 2 * (masks[:, 1] - masks[:, 0]) / len(rows)
    reached = {
        ("bootstrap", "two-sided"): abs(gains - stat) >= abs(stat) - eps,
        ("bootstrap", "one-sided"): gains - stat >= stat - eps,
        ("bootstrap", "sacrebleu"): abs(gains) - abs(gains).mean() >= abs(stat) - eps,
        ("permutation", "two-sided"): abs(exchanged) >= abs(stat) - eps,
        ("permutation", "one-sided"): exchanged >= stat - eps,
    }
    for (name, p_value), expected in reached.items():
        found = PAIRED[name](first, second, p_value=p_value, **options)
        assert found.p == (1 + expected.sum()) / 31
        assert found.wins == [np.mean(gains < -eps), np.mean(gains > eps)]
        assert found.confidence_interval == pytest.approx(percentile_interval(gains, 0.95, len(sums)).tolist(), abs=eps)
        turned = PAIRED[name](second, first, p_value=p_value, **options)
        assert (turned.stat, turned.wins, turned.detectable) == (-found.stat, found.wins[::-1], found.detectable)
        assert (turned.score1, turned.confidence_interval1) == (found.score2, found.confidence_interval2)
        assert turned.confidence_interval == pytest.approx([-bound for bound in found.confidence_interval[::-1]])
        assert turned.p == found.p if p_value != "one-sided" else turned.p + found.p >= 1
        moved = PAIRED[name](8 - 4 * second, 8 - 4 * first, p_value=p_value, **options)
        assert (moved.stat, moved.p, moved.wins) == (pytest.approx(4 * found.stat), found.p, found.wins)


@given(st.lists(st.tuples(*[ties] * 4), min_size=2, max_size=8), st.permutations(range(4)), st.sampled_from([*PAIRED]))
def test_systems_in_another_order_have_the_same_results(rows, order, test):
    columns = dict(zip("abcd", np.array(rows).T, strict=True))
    names = ["abcd"[i] for i in order]
    options = PairedOptions(test, 40)
    found, other = (
        resampling.compare_all({name: columns[name] for name in of}, None, options) for of in ("abcd", names)
    )
    for key in ("scores", "confidence_intervals", "rank_ranges"):
        assert getattr(other, key) == [getattr(found, key)[i] for i in order], key
    for key in ("stat", "p", "p_holm"):
        assert np.array_equal(getattr(other, key), np.array(getattr(found, key))[np.ix_(order, order)]), key
    assert [{names[i] for i in part} for part in other.clusters] == [
        {"abcd"[i] for i in part} for part in found.clusters
    ]
    assert other.detectable == found.detectable


def test_metrics_raters_and_verdicts_in_another_order_have_the_same_results():
    options = {"n_resamples": 40}
    found, turned = (
        textgauge.agreement(NUMBERS, {name: METRICS[name] for name in names}, significance=TESTED, **options)
        for names in ("xy", "yx")
    )
    assert (found.metrics, found.confidence_intervals) == (turned.metrics, turned.confidence_intervals)
    assert {key: (one.p, one.rank_ranges) for key, one in found.significance.items()} == {
        key: (one.p, one.rank_ranges) for key, one in turned.significance.items()
    }
    backwards = textgauge.agreement(NUMBERS[::-1], {name: one[::-1] for name, one in METRICS.items()}, confidence=None)
    for name, figures in found.metrics.items():
        # p of a pair is one-sided, and its draws are those of one side.
        figures["soft_pairwise_accuracy"] = backwards.metrics[name]["soft_pairwise_accuracy"]
        assert backwards.metrics[name] == pytest.approx(figures, abs=1e-12)
    one, other = (
        textgauge.raters({name: RATINGS[name] for name in names}, level="ordinal", people=["b"], **options)
        for names in ("abc", "cba")
    )
    assert (one.alpha, one.fleiss_kappa, one.agreement) == (other.alpha, other.fleiss_kappa, other.agreement)
    assert one.disagreement == other.disagreement
    for a, b in combinations("abc", 2):
        assert one.kappas[a][b] == other.kappas[b][a]
    of_one, of_other = one.judges["a"]["c"], other.judges["c"]["a"]
    assert (of_one.difference, of_one.p) == (-of_other.difference, of_other.p)
    turned = [{**row, "first": row["second"], "second": row["first"]} for row in VERDICTS]
    one, other = (textgauge.win_rates(rows, **options) for rows in (VERDICTS, turned))
    assert (one.first, one.consistent) == (1 - other.first, other.consistent)
    rates = one.systems["a"]
    assert rates["all"] == other.systems["a"]["all"]
    assert [1 - rate for rate in rates.values()] == [one.systems["b"][place] for place in ("all", "second", "first")]
