"""MAUVE of given features: figures of mauve-text, the paper's definition worked by hand, seeds, batches, refusals."""

import gzip
import json
import math
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
import textgauge
from textgauge.measures.mauve import Mauve, area_under, divergence_curve, frontier_integral, relative_entropy

pytest.importorskip("faiss")
pytest.importorskip("sklearn")
pytestmark = [
    pytest.mark.filterwarnings("ignore:MAUVE of .* moves with every text"),
    pytest.mark.filterwarnings("ignore:builtin type"),
]
KEYS = ("mauve", "frontier_integral", "mauve_star", "frontier_integral_star", "num_buckets", "p_hist", "q_hist",
        "divergence_curve")  # fmt: skip
# NumPy's logarithms of processors with wide vectors differ in the last bit.
USUAL_NUMPY = {"NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR"}
LIVE = """
import json, sys, warnings
import numpy as np
warnings.filterwarnings("ignore")
import faiss, mauve
faiss.omp_set_num_threads(1)
found = []
for seed, n, m, size, options in json.load(sys.stdin):
    random = np.random.RandomState(seed)
    p, q = random.randn(n, size).astype(np.float32), (random.randn(m, size) + 0.5).astype(np.float32)
    got = mauve.compute_mauve(p_features=p, q_features=q, **options)
    found.append({key: np.asarray(value).tolist() for key, value in vars(got).items()})
json.dump(found, sys.stdout)
"""


def sides(seed, n, m, size):
    random = np.random.RandomState(seed)
    return random.randn(n, size).astype(np.float32), (random.randn(m, size) + 0.5).astype(np.float32)


def score(p, q, **options):
    return textgauge.mauve(predictions_features=p, references_features=q, **options)


def recorded_features(case):
    """Return the features that the recorded figures are of: clusters of normal vectors."""
    centres = np.random.RandomState(case["features_seed"]).randn(case["n_centres"], case["width"]) * 2

    def side(n, shift, seed):
        random = np.random.RandomState(seed)
        which = random.randint(0, case["n_centres"], n)
        return (centres[which] + random.randn(n, case["width"]) * 0.5 + shift).astype(np.float32)

    first = case["features_seed"]
    return side(case["n_p"], 0.0, first + 1), side(case["n_q"], case["shift"], first + 2)


def test_every_figure_of_mauve_text_to_the_last_bit(shared):
    recorded = json.loads(gzip.decompress((shared / "oracles/hub/mauve-given.json.gz").read_bytes()))
    faiss, sklearn = pytest.importorskip("faiss"), pytest.importorskip("sklearn")
    if (
        f"faiss {faiss.__version__} " not in recorded["made_by"]
        or f"learn {sklearn.__version__}," not in (recorded["made_by"])
    ):
        pytest.skip(f"other versions than {recorded['made_by']}")
    for case in recorded["cases"]:
        found = score(*recorded_features(case), **case["options"])
        assert {key: found[key] for key in KEYS} == {key: case[key] for key in KEYS}


@pytest.mark.slow
def test_beside_mauve_text_of_this_environment():
    # A folder of that name beside the tests is no package.
    pytest.importorskip("mauve.compute_mauve", reason="mauve-text is not installed")
    cases = [
        [1, 40, 60, 6, {}], [2, 300, 200, 24, {"num_buckets": 7, "mauve_scaling_factor": 2}],
        [3, 30, 30, 40, {"kmeans_explained_var": 0.5, "divergence_curve_discretization_size": 9}],
        [4, 120, 90, 1, {"seed": 3, "kmeans_num_redo": 1, "kmeans_max_iter": 2}],
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", LIVE], input=json.dumps(cases), env={**os.environ, **USUAL_NUMPY}, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    theirs = json.loads(done.stdout[done.stdout.index("[{") :])
    for (*made, options), expected in zip(cases, theirs, strict=True):
        found = score(*sides(*made), **options)
        assert {key: found[key] for key in KEYS} == {key: expected[key] for key in KEYS}


def test_definitions_by_hand():
    p, q = np.array([0.5, 0.5, 0.0]), np.array([0.5, 0.0, 0.5])
    assert relative_entropy(p, (p + q) / 2) == pytest.approx(0.5 * math.log(2))
    # One mixture, in equal parts: exp(-ln(2) / 2) on both axes.
    middle = math.sqrt(0.5)
    curve = divergence_curve(p, q, n_points=3, factor=1)
    assert curve[[0, 2, 4]].tolist() == [[1, 0], pytest.approx([middle, middle]), [0, 1]]
    # Trapezoids: two of the three points are as wide as they are high.
    assert area_under(np.array([[1, 0], [middle, middle], [0, 1]])) == pytest.approx(
        middle * (1 + middle) / 2 + (1 - middle) * middle / 2
    )
    # Buckets of one side alone: a quarter of what is in them, each way; equal ones nothing.
    assert frontier_integral(p, q) == 2 * (0.5 / 4 + 0.5 / 4)
    assert frontier_integral(np.array([0.75, 0.25]), np.array([0.25, 0.75])) == pytest.approx(
        2 * 2 * (1 / 4 - 0.75 * 0.25 * math.log(3) / 0.5 / 2)
    )


@pytest.mark.filterwarnings("ignore:MAUVE of")
def test_there_is_a_bucket_for_ten_texts_of_the_smaller_sample():
    p, q = sides(0, 60, 60, 2)
    for n in (14, 16, 25, 35, 56):
        for pair in ((p[:n], q), (p, q[:n])):
            # Halves go to the even number, as in mauve-text.
            assert score(*pair).num_buckets == max(2, round(n / 10))


def test_equal_samples_and_samples_apart():
    p, q = sides(0, 100, 100, 4)
    equal = score(p, p)
    assert (equal.mauve, equal.frontier_integral, equal.num_buckets) == (pytest.approx(1, abs=1e-15), 0, 10)
    apart = score(p * 0.01 + [1, 0, 0, 0], q * 0.01 - [1, 0, 0, 0], num_buckets=2)
    assert apart["frontier_integral"] == 1
    assert apart["mauve"] < 0.01
    # Nothing varies: all in one bucket.
    assert score(np.ones((30, 3)), np.ones((20, 3)))["mauve"] == pytest.approx(1, abs=1e-15)
    # Of a vector of zeros there is no direction.
    assert 0 < score(np.eye(30, 3), np.eye(20, 3))["mauve"] <= 1


def test_seeds_have_a_mean_and_a_spread():
    p, q = sides(5, 150, 150, 6)
    alone = [score(p, q, seed=seed) for seed in range(7, 10)]
    several = score(p, q, seed=7, n_seeds=3)
    for key in KEYS[:4]:
        values = [one[key] for one in alone]
        assert several["by_seed"][key] == values
        assert several[key] == pytest.approx(np.mean(values), rel=1e-15)
        assert several["std"][key] == pytest.approx(np.std(values, ddof=1))
    assert several["std"]["mauve"] > 0
    assert several["p_hist"] == alone[0]["p_hist"]
    assert "std" not in alone[0]


def test_batches_sums_pickles_and_tables():
    p, q = sides(3, 60, 45, 5)
    whole = score(p, q)
    parts = Mauve().update(predictions_features=p[:20]).update(references_features=q)
    rest = Mauve().update(predictions_features=p[20:])
    assert len(parts + rest) == 105
    for accumulator in (
        parts + rest,
        pickle.loads(pickle.dumps(parts + rest)),
        Mauve.from_arrow((parts + rest).to_arrow()),
    ):
        assert accumulator.score() == whole
    with pytest.raises(ValueError, match="^predictions: .*got none"):
        Mauve().update(references_features=q).score()
    with pytest.raises(ValueError, match="^other: .*seed"):
        parts + Mauve(seed=3).update(predictions_features=p)


def test_results_have_keys_and_attributes():
    found = score(*sides(1, 40, 40, 3), signature=True)
    assert found.p_hist == found["p_hist"]
    assert sum(found.p_hist) == pytest.approx(1)
    assert len(found.divergence_curve) == 27
    assert "|seed:25|seeds:1|faiss:" in found.signature
    json.dumps(found)
    with pytest.raises(AttributeError, match="no 'p_hists', but mauve"):
        found.p_hists  # noqa: B018


@pytest.mark.parametrize("make", [lambda p: p.tolist(), lambda p: p.astype(np.float64), tuple])
def test_forms_of_features(make):
    p, q = sides(2, 50, 40, 4)
    assert score(make(p), make(q))["mauve"] == score(p, q)["mauve"]


def test_tensors():
    torch = pytest.importorskip("torch")
    p, q = sides(2, 50, 40, 4)
    assert score(torch.tensor(p, requires_grad=True), torch.tensor(q)) == score(p, q)
    halves = torch.tensor(p).bfloat16(), torch.tensor(q).bfloat16()
    assert score(*halves) == score(*(half.float().numpy() for half in halves))


P, Q = sides(0, 30, 20, 3)
WITH_NAN = np.where(np.arange(90).reshape(30, 3) == 13, np.nan, P)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: textgauge.mauve(), "^predictions: .*`predictions_features`.*got None"),
        (lambda: textgauge.mauve(predictions_features=P), "^references: .*got None"),
        (lambda: textgauge.mauve(["a"], references_features=Q, predictions_features=P),
         "`predictions_features` cannot be given with `predictions`"),
        (lambda: score(P, Q[:, :2]), "^references_features: .*got 2"),
        (lambda: score(P, Q[0]), r"^references_features: .*got shape \(3,\) of float32"),
        (lambda: score(P, "text"), "^references_features: .*got 'text'"),
        (lambda: score(P[:0], Q), r"^predictions_features: .*got shape \(0, 3\)"),
        (lambda: score(WITH_NAN, Q), r"^predictions_features\[4\]\[1\]: .*got nan"),
        (lambda: score(P, Q, num_buckets=51), "^num_buckets: .*50.*got 51"),
        (lambda: score(P, Q, num_buckets=1), "^num_buckets: .*got 1"),
        (lambda: score(P, Q, confidence=0.95), "`confidence` cannot be given, since a resample repeats texts"),
        (lambda: score(P, Q, model_id="gpt2"), "`model_id` cannot be given with features"),
        (lambda: score(P, Q, buckets=3), "num_buckets"),
    ],
)  # fmt: skip
def test_refused(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


def test_few_texts_are_told():
    p, q = sides(0, 499, 500, 3)
    with pytest.warns(UserWarning, match="MAUVE of 499 predictions moves with every text") as told:
        score(p, q, num_buckets=3)
    assert len(told) == 1


def test_resamples_lie_beside_the_score():
    # Why there are no intervals: of two samples of one distribution all resamples score lower.
    random = np.random.RandomState(0)
    p, q = random.randn(2, 400, 8).astype(np.float32)
    whole = score(p, q)["mauve"]
    resamples = [score(*(side[random.randint(0, 400, 400)] for side in (p, q)))["mauve"] for _ in range(10)]
    assert max(resamples) < whole
