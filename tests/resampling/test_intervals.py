"""Intervals of the metrics are those of resampled texts."""

from functools import partial

import numpy as np
import pytest
import textgauge
from option_values import PRESETS_AND_SMOOTHINGS
from textgauge.resampling import resampled_sums, rouge_programs
from textgauge.resampling.intervals import small_sample_factor

pytestmark = pytest.mark.filterwarnings("ignore:two systems differ in only", "ignore:the interval.* no width")

HYPS = ["the cat sat on the mat", "a dog barks", "a bird sings in a tree", "no", "it rains and it pours"]
REFS = ["the cat is on the mat", "the dog barks", "a bird sings in the tree", "yes", "it rains , it pours"]


PAIRS = [[ref, hyp[:9]] for ref, hyp in zip(REFS, HYPS, strict=True)]
ROUGE = {"rouge_types": ["rouge1", "rougeL"]}
PROBS = [[1 / 2, 1 / 4], [1 / 8], [1 / 16, 1, 1 / 3], [0.9], [0.2, 0.7]]
# The function, its columns, its options, and the forms of its result that leave the intervals as they are.
INTERVALS = {
    "bleu": (textgauge.bleu, (HYPS, PAIRS), {"smooth": True}, [{}]),
    "bleu, mean length": (textgauge.bleu, (HYPS, PAIRS), {"smooth": True, "reference_length": "average"}, [{}]),
    "rouge": (textgauge.rouge, (HYPS, REFS), ROUGE, [{}, {"use_aggregator": False}, {"aggregator": "bootstrap"}]),
    "rouge, detailed": (textgauge.rouge, (HYPS, REFS), {**ROUGE, "detailed": True}, [{}]),
    "token_f1": (textgauge.token_f1, (HYPS, REFS), {}, [{}]),
    "chrf": (textgauge.chrf, (HYPS, PAIRS), {}, [{}]),
    "perplexity": (lambda probs, **o: textgauge.perplexity(probs=probs, **o), (PROBS,), {}, [{}]),
}
SCALES = {"chrf": (0, 100), "perplexity": (1, None)}
HEADLINES = ("bleu", "chrf", "corpus_perplexity")


def leaves(value):
    """The numbers of nested results, in their order."""
    return [one for part in value.values() for one in leaves(part)] if isinstance(value, dict) else [value]


@pytest.mark.parametrize("name", INTERVALS)
def test_intervals_are_those_of_resampled_texts(name):
    score, columns, options, forms = INTERVALS[name]
    # Of 61 resamples a bound is one of them, whatever the score is a function of.
    (weights,) = resampled_sums(np.eye(len(HYPS), dtype=int), 61, 4)
    draws = [np.repeat(range(len(HYPS)), row) for row in weights.astype(int)]
    drawn = [score(*([column[i] for i in draw] for column in columns), **options) for draw in draws]
    for form in forms:
        result = score(*columns, confidence=0.8, n_resamples=61, seed=4, **options, **form)
        if "confidence_interval" in result:
            found, key = [result["confidence_interval"]], next(key for key in HEADLINES if key in result)
            values = [[one[key]] for one in drawn]
        else:
            found, values = leaves(result["confidence_intervals"]), [leaves(one) for one in drawn]
        # Those of perplexity are of its logarithm.
        to, back = (np.log, np.exp) if name == "perplexity" else (np.array, np.array)
        bounds, middle = np.quantile(to(values), (0.1, 0.9), axis=0).T, np.median(to(values), axis=0)[:, None]
        wider = back(middle + small_sample_factor(len(HYPS), 0.8) * (bounds - middle))
        wider = np.clip(wider, *SCALES.get(name, (0, 1)))
        assert np.array(found) == pytest.approx(wider, rel=1e-9, abs=1e-12)
        assert {type(bound) for bounds in found for bound in bounds} == {float}


@pytest.mark.parametrize("name", INTERVALS)
def test_interval_leaves_the_score_as_it_is(name):
    score, columns, options, _ = INTERVALS[name]
    asked = {"confidence": 0.6, "n_resamples": 50, **options}
    plain, with_interval = score(*columns, **options), score(*columns, **asked)
    assert {key: with_interval[key] for key in plain} == plain
    assert score(*columns, **asked) == with_interval
    assert score(*columns, **asked, seed=1) != with_interval


def test_how_many_resamples_are_drawn_unasked():
    hyps = [" ".join(str(n % k) for n in range(k + 9)) for k in range(1, 40)]
    refs = [" ".join(str(n % 7) for n in range(30))] * len(hyps)
    asked = {n: textgauge.rouge(hyps, refs, confidence=0.9, n_resamples=n) for n in (None, 999, 1000)}
    assert asked[None] == asked[1000] != asked[999]
    for test, n in (("bootstrap", 1000), ("permutation", 10_000)):
        unasked, right, wrong = (
            textgauge.compare([HYPS, REFS[:4] + HYPS[4:]], REFS, test=test, confidence=None, n_resamples=n_resamples)
            for n_resamples in (None, n, n - 1)
        )
        assert unasked == right != wrong


@pytest.mark.parametrize("score", [textgauge.bleu, textgauge.rouge, textgauge.token_f1])
def test_invalid_intervals_are_refused(score):
    with pytest.raises(ValueError, match="^confidence: .*got 0.95"):
        score(HYPS[:1], REFS[:1], confidence=0.95)
    with pytest.raises(ValueError, match="^n_resamples: .*got 0"):
        score(HYPS, REFS, confidence=0.95, n_resamples=0)
    for confidence in (0, 1, 95):
        with pytest.raises(ValueError, match="^confidence: .*between"):
            score(HYPS, REFS, confidence=confidence)


@pytest.mark.parametrize(("preset", "smoothing"), PRESETS_AND_SMOOTHINGS)
def test_every_bleu_is_compared_as_it_is_scored(preset, smoothing):
    options = {"preset": preset, "smoothing": smoothing}
    if preset == "nltk" and smoothing in ("chen-cherry-5", "chen-cherry-6", "chen-cherry-7"):
        for call in (
            lambda: textgauge.compare([HYPS, REFS], REFS, metric=textgauge.Bleu(**options)),
            lambda: textgauge.bleu(HYPS, REFS, confidence=0.9, **options),
        ):
            with pytest.raises(ValueError, match=f"^smoothing: .*got '?{smoothing}"):
                call()
        return
    [result] = textgauge.compare([HYPS, REFS], REFS, metric=textgauge.Bleu(**options), n_resamples=5)
    assert result.score1 == textgauge.bleu(HYPS, REFS, **options)["bleu"]
    assert result.score2 == textgauge.bleu(REFS, REFS, **options)["bleu"]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"metric": "blue"}, ValueError, "^metric: .*got 'blue'"),
        ({"metric": "rouge0"}, ValueError, "^metric: .*got 'rouge0'"),
        ({"metric": None}, TypeError, "^metric: .*got None"),
        ({"metric": "rouge"}, ValueError, "^metric: .*got 'rouge'"),
        ({"systems": [HYPS, HYPS[1:]]}, ValueError, r"^systems\[1\]: .*got 4"),
        ({"systems": [HYPS]}, ValueError, "^systems: .*got 1 in all"),
        ({"systems": "ab"}, TypeError, "^systems: .*got 'ab'"),
        ({"systems": [HYPS, [1] * 5]}, TypeError, r"^systems\[1\]\[0\]: .*got 1"),
        ({"n_resamples": 0}, ValueError, "^n_resamples: .*got 0"),
        ({"test": "anova"}, ValueError, "^test: .*got 'anova'"),
    ],
)
def test_bad_input(arguments, error, message):
    with pytest.raises(error, match=message):
        textgauge.compare(**{"systems": [HYPS, HYPS], "references": REFS, **arguments})


@pytest.mark.parametrize("name", ["sacrebleu", "chrf", "ter", "rouge", "token_f1"])
def test_a_signature_says_what_an_interval_was_drawn_from(name):
    call = partial(getattr(textgauge, name), ["a b c", "d"], ["a b d", "d"], signature=True)
    plain, drawn = call()["signature"], call(confidence=0.9, n_resamples=9, seed=2**40)["signature"]
    assert drawn == plain.replace("nrefs:1|", f"nrefs:1|bs:9|seed:{2**40}|")
    assert call(confidence=0.5)["signature"] == plain.replace("nrefs:1|", "nrefs:1|bs:1000|seed:12345|")


def test_a_signature_has_the_resamples_where_sacrebleu_has_them():
    theirs = pytest.importorskip("sacrebleu").metrics.BLEU()
    hyps, refs = ["a b c d e"] * 5, ["a b c d f"] * 5
    theirs.corpus_score(hyps, [refs], n_bootstrap=7)
    ours = textgauge.sacrebleu(hyps, refs, signature=True, confidence=0.9, n_resamples=7)["signature"]
    assert ours.rpartition("|")[0] == str(theirs.get_signature()).rpartition("|")[0]


def test_bounds_of_one_resample():
    # Of 1 resample 0.025 are outside on either side. The upper bound has the place 1 - 0.025 - 1, which the script cuts
    # to 0 and goes on from by -0.025 of the step to the next one, which is not there: 0.
    found = rouge_programs.interval(np.array([[0.5, 0.0]]))
    assert found.average.tolist() == [0.5, 0.0]
    assert found.low.tolist() == found.high.tolist() == [pytest.approx(0.5 + 0.5 * 0.025), 0.0]
    # Of 40 the bounds are between the first and second, and the second last and the last: at the fraction of the upper.
    found = rouge_programs.interval(np.arange(40.0)[::-1, None])
    assert (found.low[0], found.high[0]) == (pytest.approx(1.0), pytest.approx(38.0))
    found = rouge_programs.interval(np.arange(10.0)[:, None], confidence=90)
    assert (found.average[0], found.low[0], found.high[0]) == (4.5, pytest.approx(0.5), pytest.approx(8.5))
