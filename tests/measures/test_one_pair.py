"""One call with one segment: results and warnings of an accumulator, to the last bit."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quick import covering, examples
from strategies import segment, words
from textgauge import Bleu, Rouge, bleu, rouge

texts = st.one_of(segment, words, words.map(lambda text: text + " a b c a"))
BLEU_OPTIONS = [
    {}, {"preset": "sacrebleu"}, {"preset": "nltk"}, {"preset": "mteval-v13a"}, {"smoothing": "floor"},
    {"smooth": True}, {"max_order": 1}, {"smoothing": "exp", "max_order": 6}, {"reference_length": "closest"},
    {"reference_length": "average"}, {"tokenizer": "intl"}, {"tokenizer": "unicode"}, {"tokenizer": str.split},
    {"lowercase": True}, {"lowercase": "ascii"}, {"strip": True}, {"effective_order": True}, {"weights": (1, 0, 0, 1)},
]  # fmt: skip
ROUGE_OPTIONS = [
    {}, {"use_stemmer": True}, {"rouge_types": ["rouge1", "rouge3"]}, {"rouge_types": ["rougeL"]}, {"beta": 2.0},
    {"rouge_types": ["rougeW", "rougeS4", "rouge1"]}, {"split_summaries": True}, {"tokenizer": "unicode"},
    {"tokenizer": "13a", "lowercase": True}, {"tokenizer": str.split}, {"max_words": 3}, {"alpha": 0.3},
    {"multi_reference": "average"}, {"jackknife": True}, {"preset": "rouge-1.5.5"}, {"stopwords": ["the", "a"]},
]  # fmt: skip
REPORTS = st.sampled_from([{}, {"per_segment": True}, {"per_segment": False}, {"counts": True}])


def said(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        return repr(call()), [str(one.message) for one in caught]


@pytest.mark.parametrize("options", BLEU_OPTIONS, ids=str)
@settings(max_examples=examples(40))
@given(hypothesis=texts, references=st.lists(texts, min_size=1, max_size=3), copies=st.booleans(), reports=REPORTS)
def test_bleu(options, hypothesis, references, copies, reports):
    references = [hypothesis, *references] if copies else references
    given_here = references[0] if len(references) == 1 else references
    found = said(lambda: bleu([hypothesis], [given_here], **options, **reports))
    assert found == said(lambda: Bleu(**options).update([hypothesis], [references]).score(**reports))


@pytest.mark.parametrize(
    ("n_orders", "options"),
    covering([2, 7, 8, 9, 16, 130], [{}, {"effective_order": True}, {"preset": "nltk", "smoothing": "epsilon"}]),
)
def test_pair_among_others(n_orders, options):
    """To the last bit: NumPy adds 8 numbers and more in another order if they do not lie side by side."""
    random = np.random.default_rng(n_orders)
    sides = [[" ".join(random.choice(["a", "b"], n_orders + 20)) for _ in range(60)] for _ in range(2)]
    for weights in (None, [*random.random(n_orders)], [*random.permutation([0, *random.random(n_orders - 1)])]):
        given_here = {"smoothing": "floor", **options, "max_order": n_orders, "weights": weights}
        together = bleu(*sides, **given_here, per_segment=True)["segment_bleu"]
        assert together == [bleu([hyp], [ref], **given_here)["bleu"] for hyp, ref in zip(*sides, strict=True)]


@pytest.mark.parametrize("options", ROUGE_OPTIONS, ids=str)
@settings(max_examples=examples(40))
@given(hypothesis=texts, references=st.lists(texts, min_size=1, max_size=2), reports=REPORTS)
def test_rouge(options, hypothesis, references, reports):
    given_here = references[0] if len(references) == 1 else references
    found = said(lambda: rouge([hypothesis], [given_here], **options, **reports))
    assert found == said(lambda: Rouge(**options).update([hypothesis], [references]).score(**reports))


@pytest.mark.parametrize("function", [bleu, rouge])
def test_values_that_are_not_text_are_refused_by_position(function):
    for references in ([["a", 5]], [5], [["a", None]]):
        with pytest.raises(TypeError, match=r"references\[0\]"):
            function(["a b c d e"], references)
    with pytest.raises(ValueError, match=r"predictions\[0\]"):
        function(["a b c d \ud800"], ["a b c d e"])
    with pytest.raises(ValueError, match=r"references\[0\]"):
        function(["a b c d e"], ["a b c d \ud800"])
