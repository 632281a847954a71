"""Single segments: the compiled kernel against its twin, and both against the functions for columns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import text, words
from textgauge import plain

from kernel.material import table_for

RULES = ("rouge", "13a", "whitespace", "character", "zh", "intl")
UNITS = st.lists(st.sampled_from([-1, 0, 1, 2, 3, 7]), max_size=5)
segments = st.tuples(st.one_of(text, words), st.lists(st.one_of(text, words), max_size=3))


def cutter_of(kernel, rule, texts, stemmer=""):
    table = table_for(texts) if rule == "intl" else None
    return kernel.Cutter(rule, stemmer=stemmer, characters=table)


def numbers(values):
    return tuple(np.asarray(values).ravel().tolist())


@pytest.mark.parametrize("rule", RULES)
@given(segments=st.lists(segments, min_size=1, max_size=3), units=UNITS, order=st.integers(1, 70))
def test_one_segment_is_counted_as_a_column_of_one(kernel, rule, segments, units, order):
    texts = [text for segment in segments for text in (segment[0], *segment[1])]
    cutter = cutter_of(kernel, rule, texts, "porter" if rule == "rouge" else "")
    one = kernel.OneSegment(cutter)
    # One after the other with the same scratch.
    for hypothesis, references in segments:
        sides = kernel.texts([hypothesis]), kernel.texts(references)
        offsets = np.array([0, len(references)])
        tokens = kernel.cut(cutter, *sides, offsets, sentences=True)
        counts = kernel.pair_counts(tokens, np.array(units, np.int32))
        assert one.pair_counts(hypothesis, references, units) == numbers(counts)
        tokens = kernel.cut(cutter, *sides, offsets)
        lengths = numbers(np.diff(np.asarray(tokens.offsets)))
        assert (
            one.ngram_matches(hypothesis, references, order) == numbers(kernel.ngram_matches(tokens, order)) + lengths
        )


@pytest.mark.parametrize("rule", RULES)
@given(segment=segments, units=UNITS)
def test_the_kernel_counts_as_its_twin(compiled, rule, segment, units):
    hypothesis, references = segment
    kernels = compiled, plain
    ones = [kernel.OneSegment(cutter_of(kernel, rule, [hypothesis, *references])) for kernel in kernels]
    assert ones[0].pair_counts(hypothesis, references, units) == ones[1].pair_counts(hypothesis, references, units)
    assert ones[0].ngram_matches(hypothesis, references, 4) == ones[1].ngram_matches(hypothesis, references, 4)


def test_long_texts_are_counted_the_same(compiled):
    left, right = "a b c d\n" * 4000, "a b d c e\n" * 4000
    ones = [kernel.OneSegment(kernel.Cutter("rouge")) for kernel in (compiled, plain)]
    found = [one.pair_counts(left, [right], [1, 2]) for one in ones]
    assert found[0] == found[1] == (16000, 16000, 20000, 4000, 15999, 19999)


@pytest.mark.parametrize("bad", [None, 1, b"a"])
def test_values_that_are_not_text_are_refused(kernel, bad):
    one = kernel.OneSegment(kernel.Cutter("rouge"))
    for texts in ((bad, ["a"]), ("a", ["b", bad])):
        with pytest.raises(TypeError):
            one.pair_counts(*texts, [1])
        with pytest.raises(TypeError):
            one.ngram_matches(*texts, 1)
    with pytest.raises(UnicodeEncodeError):
        one.pair_counts("a", ["\ud800"], [1])


@pytest.mark.parametrize("units", [[-2], [65536]])
def test_there_are_no_other_units(compiled, units):
    with pytest.raises(ValueError, match="expected"):
        compiled.OneSegment(compiled.Cutter("rouge")).pair_counts("a", ["a"], units)


@pytest.mark.parametrize("order", [0, 65536])
def test_other_orders_are_refused(kernel, order):
    with pytest.raises(ValueError, match="max_order"):
        kernel.OneSegment(kernel.Cutter("rouge")).ngram_matches("a", ["a"], order)
