"""The drop-in import for jiwer: its results, for drawn texts and for its transforms."""

import doctest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quick import examples

jiwer = pytest.importorskip("jiwer", reason="jiwer is not installed: pip install textgauge[compat]")
ours = pytest.importorskip("textgauge.compat.jiwer")

texts = st.lists(st.sampled_from(["a", "b", "ab", "c\td", "  ", "\u00a0", "e\u0301", "x.", ""]), max_size=9).map(
    " ".join
)
pairs = st.lists(st.tuples(texts, texts), min_size=1, max_size=4)


@settings(max_examples=examples(100))
@given(pairs)
def test_results_are_those_of_jiwer(drawn):
    references, hypotheses = map(list, zip(*drawn, strict=True))
    assert ours.process_words(references, hypotheses) == jiwer.process_words(references, hypotheses)
    theirs = jiwer.process_characters(references, hypotheses)
    assert ours.process_characters(references, hypotheses) == theirs
    assert ours.visualize_alignment(ours.process_characters(references, hypotheses)) == jiwer.visualize_alignment(
        theirs
    )
    for name in ("wer", "mer", "wil", "wip", "cer"):
        assert getattr(ours, name)(references, hypotheses) == getattr(jiwer, name)(references, hypotheses)
        assert getattr(ours, name)(references[0], hypotheses[0]) == getattr(jiwer, name)(references[0], hypotheses[0])


def test_transforms_and_errors_are_those_of_jiwer():
    standard = {"reference_transform": ours.wer_standardize, "hypothesis_transform": ours.wer_standardize}
    both = "She won't go <unk>", "she will NOT go"
    assert ours.wer(*both, **standard) == jiwer.wer(*both, **standard) == 0
    lower = ours.Compose([ours.ToLowerCase(), ours.ReduceToListOfListOfWords()])
    for side, texts in (("hypothesis", ("a cat", "A Cat")), ("reference", ("A Cat", "a cat"))):
        one = {f"{side}_transform": lower}
        for name in ("wer", "mer", "wil"):
            assert getattr(ours, name)(*texts, **one) == getattr(jiwer, name)(*texts, **one) == 0
    for wrong in ((["a", "b"], ["a"]), ("a", ["a", "b"])):
        messages = []
        for tool in (ours, jiwer):
            with pytest.raises(ValueError, match="their lengths must match") as caught:
                tool.wer(*wrong)
            messages.append(str(caught.value))
        assert messages[0] == messages[1]
    for name in ("wer", "mer", "wil", "wip", "cer"):
        assert getattr(ours, name)([], []) == getattr(jiwer, name)([], [])
    with pytest.raises(AttributeError):
        ours.nothing_of_this_name  # noqa: B018


def test_examples_of_its_docstrings():
    found = doctest.testmod(ours)
    assert found.attempted > 0
    assert found.failed == 0
