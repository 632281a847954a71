"""chrF's and TER's counts against sacreBLEU's, and against each other."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from quick import covering
from sacrebleu.metrics import CHRF
from sacrebleu.metrics.lib_ter import translation_edit_rate
from textgauge import plain
from textgauge.plain.ter import shifted

from kernel.material import few, listed, many, offsets, pairs_of, segments_of, small_segments, text, tokens_of

words = st.lists(st.sampled_from(["the", "cat", "(the)", "cats.", '"', "a", "\u732b", "no!?", "x-"]), max_size=12)
lines = st.one_of(text, words.map(" ".join))
corpora = st.lists(st.tuples(lines, st.lists(lines, min_size=1, max_size=3)), max_size=4)
OPTIONS = [
    {},
    {"word_order": 2},
    {"char_order": 3, "word_order": 1},
    {"word_order": 2, "whitespace": True},
    {"char_order": 12},
    {"char_order": 0, "word_order": 3},
]


def matches(kernel, corpus, options):
    options = {"char_order": 6, "word_order": 0, **options}
    hypotheses, references = (
        kernel.texts(side) for side in ([h for h, _ in corpus], [r for _, g in corpus for r in g])
    )
    bounds = offsets(len(group) for _, group in corpus)
    return listed(kernel.character_matches(hypotheses, references, bounds, **options))


@pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))
@few
@given(corpora)
def test_characters_are_counted_as_sacrebleu_does(kernel, options, corpus):
    official = CHRF(**options)
    expected = []
    for hypothesis, references in corpus:
        for reference in references:
            info = official._extract_reference_info([reference])
            expected.append(official._compute_segment_statistics(hypothesis, info))
    assert matches(kernel, corpus, options) == expected


@pytest.mark.parametrize("length", [0, 1, 5, 6, 63, 64, 65, 127, 128, 129, 500, 5000])
@pytest.mark.parametrize("letters", ["a", "ab", "abcdefgh", "a\u732b"])
def test_compiled_counts_long_texts_as_plain_does(compiled, letters, length):
    random = np.random.default_rng(length)
    rows = ["".join(random.choice(list(letters + " "), n)) for n in (length, length, length // 2, length + 1)]
    corpus = [(rows[0], [rows[1]]), (rows[2], rows[:2]), (rows[3], [rows[0], "", rows[0]]), ("", [rows[0]])]
    for options in ({}, {"word_order": 2, "whitespace": True}):
        assert matches(compiled, corpus, options) == matches(plain, corpus, options)


def edits(kernel, segments):
    return listed(kernel.translation_edits(tokens_of(kernel, segments)))


def official_edits(segments):
    return [list(translation_edit_rate(*pair)) for pair in pairs_of(segments)]


def test_a_segment_without_references_counts_nothing(kernel):
    assert matches(kernel, [("the cat", [])], {}) == []
    assert edits(kernel, [[[1, 2]]]) == []


@many
@given(small_segments)
def test_edits_are_sacrebleus(kernel, segments):
    assert edits(kernel, segments) == official_edits(segments)


@few
@given(segments_of(st.sampled_from([0, 1, 12, 25, 26, 40])))
def test_edits_of_longer_texts_are_sacrebleus(kernel, segment):
    assert edits(kernel, [segment]) == official_edits([segment])


@cache
def far_apart(sizes, n_kinds):
    """Segments and their official edits, which both kernels are compared with."""
    random = np.random.default_rng([*sizes, n_kinds])
    hypothesis, reference = (random.integers(0, n_kinds, size).tolist() for size in sizes)
    moved = [reference[8:25] + reference[:8], reference[:25]]
    segments = [[hypothesis, reference], moved]
    return segments, official_edits(segments)


@pytest.mark.parametrize(("sizes", "n_kinds"), covering([(45, 50), (1, 60), (60, 1), (2, 110), (70, 30)], [20, 2]))
def test_shifts_far_apart_and_lengths_that_differ_much(kernel, sizes, n_kinds):
    segments, official = far_apart(sizes, n_kinds)
    assert edits(kernel, segments) == official


@few
@given(small_segments)
def test_operations_lead_from_the_hypothesis_to_the_reference(kernel, segments):
    for left, right in pairs_of(segments):
        shifts, path = kernel.edit_operations(np.array(left, np.uint32), np.array(right, np.uint32))
        tokens = left
        for start, length, target in listed(shifts):
            tokens = shifted(tokens, (start, length, target))
        rest, made = iter(tokens), iter(right)
        for edit in path:
            old = next(rest) if edit != "i" else None
            new = next(made) if edit != "d" else None
            assert (old == new) == (edit == " ")
        assert (list(rest), list(made)) == ([], [])
        expected = translation_edit_rate(left, right)[0]
        assert len(listed(shifts)) + sum(edit != " " for edit in path) == expected


@few
@given(segments_of())
def test_compiled_operations_are_plain_operations(compiled, segment):
    left, right = (np.array(text, np.uint32) for text in segment[:2])
    assert listed(compiled.edit_operations(left, right)) == listed(plain.edit_operations(left, right))


@pytest.mark.parametrize("n_kinds", [40, *(pytest.param(n, marks=pytest.mark.slow) for n in (3, 4000))])
def test_compiled_operations_on_long_texts_are_plain_operations(compiled, n_kinds):
    """Beyond 256 tokens there are no bits: the table is filled, as far as a shift changes it."""
    random = np.random.default_rng(n_kinds)
    reference = random.integers(0, n_kinds, 270).tolist()
    hypothesis = reference.copy()
    for at in (20, 90, 200):
        moved = hypothesis[at : at + 3]
        del hypothesis[at : at + 3]
        hypothesis[at + 5 : at + 5] = moved
    del hypothesis[150:154]
    hypothesis[60] = hypothesis[230] = 0
    for edited in (hypothesis, hypothesis[:-30]):
        left, right = np.array(edited, np.uint32), np.array(reference, np.uint32)
        assert listed(compiled.edit_operations(left, right)) == listed(plain.edit_operations(left, right))
