"""The drop-in import for EASSE's SARI: its recorded figures, and the package itself where it is installed."""

import inspect
import re

import pytest
import textgauge
from hypothesis import given, settings
from hypothesis import strategies as st
from measures.test_counting_modules import fails, recorded
from quick import examples
from textgauge.compat.easse import sari as ours

# How EASSE is called for what the recorded calls are named.
CALLS = {
    "easse": {},
    "easse_precision": {"use_f1_for_deletion": False},
    "easse_paper": {"use_paper_version": True},
    "easse_paper_precision": {"use_paper_version": True, "use_f1_for_deletion": False},
    "easse_legacy": {"legacy": True},
    "easse_intl_cased": {"tokenizer": "intl", "lowercase": False},
}
SOURCES, PREDICTIONS = ["The big cat sat there, quietly.", "A dog barks."], ["the cat sat there", "A Dog barks"]
REFERENCES = [["The cat sat quietly.", "a dog barks"], ["A cat was there", "The dog barked."]]
words = st.lists(st.sampled_from(["the", "The", "a", "cat,", "dog.", "3,5", "É", "(x)"]), max_size=7).map(" ".join)
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("called", CALLS)
def test_recorded_figures(shared, called):
    n = 0
    for (predictions, references, sources), call, _, expected in recorded(shared, "rivals_sari"):
        if call != called or fails(expected) or not isinstance(expected, list):
            continue
        groups = [[one] if isinstance(one, str) else one for one in references]
        if len({*map(len, groups)}) > 1:
            continue
        streams = [[*texts] for texts in zip(*groups, strict=True)]
        parts = ours.get_corpus_sari_operation_scores(sources, predictions, streams, **CALLS[called])
        total = ours.corpus_sari(sources, predictions, streams, **CALLS[called])
        assert [total, *parts] == pytest.approx(expected, rel=1e-12, abs=1e-12)
        n += 1
    assert n > 50


@pytest.mark.parametrize(
    ("options", "figures"),
    [
        ({}, (11.805555555555555, 39.807692307692314, 82.77417027417027)),
        ({"use_f1_for_deletion": False}, (11.805555555555555, 39.807692307692314, 90.41666666666667)),
        ({"use_paper_version": True}, (11.811023622047244, 42.061611374407576, 83.03686396677053)),
        ({"legacy": True}, (7.142857142857144, 29.166666666666664, 92.75)),
        ({"tokenizer": "intl", "lowercase": False}, (0.0, 19.047619047619047, 84.36026936026937)),
    ],
)
def test_figures_of_easse(options, figures):
    found = ours.get_corpus_sari_operation_scores(SOURCES, PREDICTIONS, REFERENCES, **options)
    assert found == pytest.approx(figures, rel=1e-12)
    assert ours.corpus_sari(SOURCES, PREDICTIONS, REFERENCES, **options) == pytest.approx(sum(figures) / 3, rel=1e-12)


@pytest.mark.slow
@settings(max_examples=examples(60))
@given(st.lists(st.tuples(words, words, words, words), min_size=1, max_size=3), st.sampled_from([*CALLS.values()]))
def test_the_package_itself(rows, options):
    theirs = pytest.importorskip("easse.sari", reason="EASSE is not installed")
    sources, predictions, *references = ([*side] for side in zip(*rows, strict=True))
    for name in ("corpus_sari", "get_corpus_sari_operation_scores"):
        found, expected = (getattr(one, name)(sources, predictions, references, **options) for one in (ours, theirs))
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_arguments_of_the_package():
    names = [
        "orig_sents", "sys_sents", "refs_sents", "lowercase", "tokenizer", "legacy", "use_f1_for_deletion",
        "use_paper_version",
    ]  # fmt: skip
    for name in ours.__all__:
        assert [*inspect.signature(getattr(ours, name)).parameters] == names


def test_what_is_refused():
    texts = SOURCES, PREDICTIONS, REFERENCES
    for tokenizer in ("moses", "penn"):
        with pytest.raises(ValueError, match="^tokenizer: expected one of '13a', 'intl', 'none'"):
            ours.corpus_sari(*texts, tokenizer=tokenizer)
    with pytest.raises(ValueError, match="^use_paper_version: .*`legacy=True`.*got True"):
        ours.corpus_sari(*texts, legacy=True, use_paper_version=True)
    for wrong in ([], "ab", ["a", "b"]):
        with pytest.raises(TypeError, match=f"^refs_sents: .*got {re.escape(repr(wrong))}"):
            ours.corpus_sari(SOURCES, PREDICTIONS, wrong)
    # A list for every source, as other metrics take them.
    with pytest.raises(ValueError, match=r"^refs_sents\[0\]: .*got 3"):
        ours.corpus_sari(SOURCES, PREDICTIONS, [["a", "b", "c"], ["d", "e", "f"]])
    assert (
        ours.corpus_sari(*texts)
        == textgauge.sari(
            PREDICTIONS, [[*group] for group in zip(*REFERENCES, strict=True)], sources=SOURCES, counting="easse"
        )["sari"]
    )
