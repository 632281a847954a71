"""Equal to sacreBLEU's --confidence, --paired-bs and --paired-ar: statistics exactly, p within resampling error."""

import gzip
import random
import time

import pytest
import textgauge
from quick import first
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest
from textgauge import engine

AS_SACREBLEU = "bleu(preset='sacrebleu')"


def lines(path):
    return gzip.decompress(path.read_bytes()).decode().split("\n")[:-1]


@pytest.fixture(scope="module")
def made_up():
    """A reference and three systems that get 50, 47 and 60 percent of its words right."""
    rng = random.Random(5)
    reference = [[rng.choice("abcdefgh") for _ in range(rng.randint(5, 25))] for _ in range(200)]
    systems = [
        [" ".join(word if rng.random() < right else rng.choice("abcdefgh") for word in line) for line in reference]
        for right in (0.50, 0.47, 0.60)
    ]
    return systems, [" ".join(line) for line in reference]


@pytest.fixture(scope="module")
def real(shared):
    # A part of the test set, so that the differences are not all beyond doubt.
    read = {name: lines(shared / f"data/wmt22/de-en.{name}.txt.gz")[:300] for name in ("Online-A", "PROMT", "refA")}
    return [read["PROMT"], read["Online-A"]], read["refA"]


@pytest.fixture(params=["made_up", "real"])
def corpus(request):
    return request.getfixturevalue(request.param)


def close_p(p, n_resamples):
    """4 standard errors of two simulations, and a count more or less."""
    return pytest.approx(p, abs=4 * (2 * p * (1 - p) / n_resamples) ** 0.5 + 1 / n_resamples)


@pytest.mark.filterwarnings("ignore:predictions and references differ in apostrophes")
@pytest.mark.parametrize(
    ("test", "theirs", "n_resamples", "p_value"),
    first(1, [("bootstrap", "bs", 2000, "sacrebleu"), ("permutation", "ar", 4000, "two-sided")]),
)
def test_paired_tests(corpus, test, theirs, n_resamples, p_value):
    systems, reference = corpus
    named = [(str(i), system) for i, system in enumerate(systems)]
    bleu = BLEU(references=[reference])
    _, official = PairedTest(named, {"bleu": bleu}, None, test_type=theirs, n_samples=n_resamples)()
    baseline, *others = official["BLEU"]
    ours = textgauge.compare(
        systems, reference, metric=AS_SACREBLEU, test=test, n_resamples=n_resamples, p_value=p_value
    )
    for result, other in zip(ours, others, strict=True):
        assert result.score1 * 100 == pytest.approx(baseline.score, abs=1e-9)
        assert result.stat * 100 == pytest.approx(other.score - baseline.score, abs=1e-9)
        assert result.p == close_p(other.p_value, n_resamples)
        if test == "bootstrap":
            low, high = result.confidence_interval2
            # The ends of an interval from 2,000 resamples scatter by 3 to 4 percent of its half width.
            assert (high - low) * 50 == pytest.approx(other.ci, rel=0.15)


@pytest.mark.parametrize(("name", "official"), first(2, [("sacrebleu", BLEU()), ("chrf", CHRF()), ("ter", TER())]))
def test_confidence(corpus, name, official):
    [[system, *_], reference] = corpus
    # TER of sacreBLEU takes 10 ms a line.
    texts, refs = (side[: 30 if name == "ter" else None] for side in (system, reference))
    official = official.corpus_score(texts, [refs], n_bootstrap=2000)
    mean, width = float(official._mean), float(official._ci)
    result = getattr(textgauge, name)(texts, refs, confidence=0.95, n_resamples=2000)
    low, high = result["confidence_interval"]
    assert low < result[name] < high
    assert (high - low) / 2 == pytest.approx(width, rel=0.15)
    assert (high + low) / 2 == pytest.approx(mean, abs=0.15 * width)


@pytest.mark.slow
@pytest.mark.skipif(engine.kernel is engine.plain, reason="plain Python is not fast")
@pytest.mark.filterwarnings("ignore:p and interval contradict")
def test_ten_systems_are_compared_many_times_as_fast():
    rng = random.Random(1)
    words = [f"w{i}" for i in range(2000)]
    reference = [rng.choices(words, k=20) for _ in range(2000)]
    systems = [
        [" ".join(word if rng.random() < 0.7 else rng.choice(words) for word in line) for line in reference]
        for _ in range(10)
    ]
    lines = [" ".join(line) for line in reference]
    named = [(str(i), system) for i, system in enumerate(systems)]

    def seconds(call):
        start = time.process_time()
        call()
        return time.process_time() - start

    bleu = BLEU(references=[lines])
    theirs = seconds(PairedTest(named, {"bleu": bleu}, None, test_type="bs", n_samples=1000))
    ours = min(seconds(lambda: textgauge.compare(systems, lines, metric="sacrebleu")) for _ in range(3))
    # Where this was written 53 times, on one core as on two.
    assert theirs > 25 * ours
