"""Minimum Bayes risk: expected scores are those of mbrs 0.1.8, which takes them from sacreBLEU."""

import math
from collections import Counter

import numpy as np
import pytest
import sacrebleu
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.helpers import extract_all_char_ngrams, extract_all_word_ngrams, extract_word_ngrams
from strategies import overlapping

CANDIDATES = [
    "the cat sat on the mat",
    "a cat sat on the mat.",
    "the mat sat",
    "dogs bark loudly",
    "the cat sat on the mat",
]
REFERENCES = ["a cat sat on a mat", "the cat is on the mat", "", "cats sit"]
WEIGHTS = [0.5, 3, 0, 1]
EXPECTED = {
    "sacrebleu": lambda h, r: sacrebleu.sentence_bleu(h, [r]).score,
    "chrf": lambda h, r: sacrebleu.sentence_chrf(h, [r]).score,
    "ter": lambda h, r: sacrebleu.sentence_ter(h, [r]).score,
}
pytestmark = pytest.mark.filterwarnings("ignore")


def expected(metric, candidates, references, weights=None):
    """As `mbrs.functional.expectation` of the matrix of `mbrs.metrics`."""
    scores = np.array([[EXPECTED[metric](h, r) for r in references] for h in candidates])
    return np.average(scores, axis=1, weights=weights)


def summed(bags, weights):
    total = Counter()
    for bag, weight in zip(bags, weights, strict=True):
        for ngram, n in bag.items():
            total[ngram] += weight * n
    return total


def aggregated_chrf(candidates, references, weights, word_order=0):
    """As `MetricChrF.expected_scores_reference_aggregation`."""
    scorer = CHRF(word_order=word_order)

    def orders_of(text):
        words = scorer._remove_punctuation(text)
        return extract_all_char_ngrams(text, 6, False) + [
            extract_word_ngrams(words, n) for n in range(1, word_order + 1)
        ]

    sums = [summed(bags, weights) for bags in zip(*map(orders_of, references), strict=True)]
    scores = []
    for text in candidates:
        counts = []
        for bag, total in zip(orders_of(text), sums, strict=True):
            matches = sum(min(n, total[ngram]) for ngram, n in bag.items())
            counts += [sum(bag.values()) if total.total() else 0, total.total(), matches]
        scores.append(scorer._compute_f_score(counts))
    return scores


def aggregated_bleu(candidates, references, weights):
    """As `MetricBLEU.expected_scores_reference_aggregation`."""
    scorer = BLEU(effective_order=True)
    bags, lengths = zip(
        *(extract_all_word_ngrams(scorer._preprocess_segment(text), 1, 4) for text in references), strict=True
    )
    total, length = summed(bags, weights), np.dot(weights, lengths)
    scores = []
    for text in candidates:
        bag, n_words = extract_all_word_ngrams(scorer._preprocess_segment(text), 1, 4)
        correct, n_ngrams = [0.0] * 4, [0] * 4
        for ngram, n in bag.items():
            n_ngrams[len(ngram) - 1] += n
            correct[len(ngram) - 1] += min(n, total[ngram])
        # sacreBLEU's `compute_bleu` has an int for the length of the references.
        score = BLEU.compute_bleu(correct, n_ngrams, n_words, n_words, "exp", None, effective_order=True).score
        scores.append(score * (math.exp(1 - length / n_words) if 0 < n_words < length else 1.0))
    return scores


@pytest.mark.parametrize("metric", EXPECTED)
def test_expected_scores(metric, kernel):
    best = np.argmin if metric == "ter" else np.argmax
    for references, weights in ((None, None), (REFERENCES, None), (REFERENCES, WEIGHTS), (None, range(5))):
        # BLEU has an option `weights`, too.
        found = textgauge.mbr(CANDIDATES, metric=metric, references=references, weights=weights)
        wanted = expected(metric, CANDIDATES, references or CANDIDATES, weights)
        assert np.abs(found.scores - wanted).max() <= 1e-12
        assert found.best == best(found.scores)
        assert type(found.best) is int
        assert found.scores.dtype == np.float64


@pytest.mark.parametrize("word_order", [0, 2])
def test_references_that_are_summed(word_order, kernel):
    for references, weights in ((REFERENCES, WEIGHTS), (REFERENCES, [1] * 4), (CANDIDATES, [1] * 5)):
        share = np.array(weights) / sum(weights)
        call = {"references": references, "weights": weights, "aggregate": True}
        found = textgauge.mbr(CANDIDATES, metric=textgauge.Chrf(word_order=word_order), **call).scores
        assert np.abs(found - aggregated_chrf(CANDIDATES, references, share, word_order)).max() <= 1e-12
        found = textgauge.mbr(CANDIDATES, metric="sacrebleu", **call).scores
        assert np.abs(found - aggregated_bleu(CANDIDATES, references, share)).max() <= 1e-12
    own = textgauge.mbr(CANDIDATES, metric="chrf", aggregate=True).scores
    assert (own == textgauge.mbr(CANDIDATES, metric="chrf", aggregate=True, references=CANDIDATES).scores).all()
    # One reference is its own mean.
    assert textgauge.mbr(["a cat"], metric="rouge1", references=["a dog"], aggregate=True).scores.tolist() == [0.5]


def test_the_figures_of_fastchrf():
    # fastchrf 0.2.1: aggregate_chrf([["the cat sat", "a dog"]], [["a cat sat.", "the dog", "dogs"]])
    found = textgauge.mbr(
        ["the cat sat", "a dog"], metric="chrf", references=["a cat sat.", "the dog", "dogs"], aggregate=True
    )
    assert found.scores == pytest.approx([34.48836861276683, 25.302313354363825], rel=1e-14)


lists = st.lists(st.lists(overlapping, min_size=1, max_size=5), min_size=1, max_size=4)


@given(lists, st.sampled_from(["chrf", "bleu", "rougeL", "rougeLsum", "sari"]))
def test_many_lists_are_each_for_itself(candidates, metric):
    given = {"references": REFERENCES, "weights": WEIGHTS}
    columns = {name: [values[i % 3 :] for i in range(len(candidates))] for name, values in given.items()}
    sources = {"sources": [REFERENCES[i % 4] for i in range(len(candidates))]} if metric == "sari" else {}
    for options in (sources, {"references": columns["references"], **sources}, {**columns, **sources}):
        together = textgauge.mbr(candidates, metric=metric, **options)
        alone = [
            textgauge.mbr(one, metric=metric, **{name: of_lists[i] for name, of_lists in options.items()})
            for i, one in enumerate(candidates)
        ]
        assert together.best.tolist() == [one.best for one in alone]
        assert all((a == b.scores).all() for a, b in zip(together.scores, alone, strict=True))


def test_threads_and_blocks_change_nothing(monkeypatch):
    lists = [CANDIDATES, REFERENCES, CANDIDATES[:2]]
    whole = textgauge.mbr(lists, metric="chrf")
    monkeypatch.setattr("textgauge.threads.threads_for", lambda *_: 3)
    assert all((a == b).all() for a, b in zip(whole.scores, textgauge.mbr(lists, metric="chrf").scores, strict=True))
    assert (textgauge.mbr(CANDIDATES, metric="chrf").scores == whole.scores[0]).all()


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ([], {}, "^candidates: .*got none"),
        ("a cat", {}, "^candidates: .*got 'a cat'"),
        ([["a"], []], {}, r"^candidates\[1\]: .*got none"),
        ([["a"], "b"], {}, r"^candidates\[1\]: .*got 'b'"),
        (["a", 3], {}, r"^candidates\[1\]: .*got 3"),
        ([["a", None]], {}, r"^candidates\[0\]\[1\]: .*got None"),
        (["a"], {"references": []}, "^references: .*got none"),
        ([["a"]], {"references": ["a"]}, r"^references\[0\]: .*got 'a'"),
        ([["a"]], {"references": [["a"], ["b"]]}, "^references: .*got 2"),
        ([["a"]], {"references": "a"}, "^references: .*got 'a'"),
        (["a"], {"weights": [1, 2]}, "^weights: "),
        (["a"], {"weights": "x"}, "^weights: .*got 'x'"),
        (["a", "b"], {"weights": [1, -1]}, "^weights: "),
        (["a", "b"], {"weights": [0, 0]}, "^weights: "),
        (["a", "b"], {"weights": [1, math.inf]}, "^weights: "),
        ([["a", "b"]], {"weights": [[1]]}, r"^weights\[0\]: .*got \[1\]"),
        (["a"], {"aggregate": 1}, "^aggregate: .*got 1"),
        (["a"], {"metric": "ter", "aggregate": True}, "^aggregate: .*'ter'.*got True"),
        (["a"], {"metric": "rougeL", "aggregate": True}, "^aggregate: .*'rougeL'.*got True"),
        (["a"], {"metric": "perplexity"}, "^metric: .*got 'perplexity'"),
        (["a"], {"sources": "b"}, "`sources` cannot be given, since chrf uses no sources"),
        ([["a"]], {"sources": ["b"]}, "`sources` cannot be given, since chrf uses no sources"),
        (["a"], {"metric": "bleu(reference_length='average')"}, "^reference_length: .*got 'average'"),
        (["a"], {"metric": "none"}, "^metric: (?!.*perplexity).*got 'none'"),
    ],
)  # fmt: skip
def test_wrong_input_is_refused_by_name(given, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        textgauge.mbr(given, **{"metric": "chrf", **options})


@pytest.mark.parametrize("n_bytes", [1, 60])
def test_weights_stay_with_their_references_over_several_blocks(n_bytes, monkeypatch):
    monkeypatch.setattr("textgauge.all_pairs.matrix.CHUNK_BYTES", n_bytes)
    monkeypatch.setattr("textgauge.all_pairs.matrix.N_PAIRS_OF_ROW", 2)
    monkeypatch.setattr("textgauge.all_pairs.matrix.N_PAIRS", 2)
    monkeypatch.setattr("textgauge.all_pairs.matrix.N_SINGLE_PAIRS", 2)
    for metric in ("chrf", "ter"):
        for references, weights in ((REFERENCES, WEIGHTS), (None, [5, 1, 0, 2, 9])):
            found = textgauge.mbr(CANDIDATES, metric=metric, references=references, weights=weights)
            wanted = expected(metric, CANDIDATES, references or CANDIDATES, weights)
            assert found.scores == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("scale", [1e307, 4e-323])
def test_extreme_weights(scale):
    weights = [2 * scale, 4 * scale, 8 * scale, 16 * scale, 2 * scale]
    for aggregate in (False, True):
        found = textgauge.mbr(CANDIDATES, metric="chrf", weights=weights, aggregate=aggregate)
        wanted = textgauge.mbr(CANDIDATES, metric="chrf", weights=[1, 2, 4, 8, 1], aggregate=aggregate)
        assert found.scores.tolist() == wanted.scores.tolist()


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("metric", ["rougeL", "rougeW"])
@pytest.mark.parametrize("aggregate", [False, True])
def test_advice_comes_once_for_all_lists(metric, aggregate):
    if aggregate:
        metric = "rouge1"
    one = ["\u732b", "a cat", "\u72ac"]
    for lists in (one, [one], [["a cat", "a dog"], one], [one, one, ["a", "b"]]):
        with pytest.warns(UserWarning, match="texts are not empty|letters outside a-z") as caught:
            textgauge.mbr(lists, metric=metric, aggregate=aggregate)
        assert len(caught) == 1
