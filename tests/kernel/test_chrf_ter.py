"""TER's edits against sacreBLEU's, and characters of long texts by both kernels."""

from functools import cache
from random import Random
from string import punctuation

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from quick import covering
from sacrebleu.metrics.lib_ter import translation_edit_rate
from textgauge import plain
from textgauge.plain.ter import shifted

from kernel.material import few, listed, offsets, pairs_of, segments_of, small_segments, text, tokens_of

words = st.lists(st.sampled_from(["the", "cat", "(the)", "cats.", '"', "a", "\u732b", "no!?", "x-"]), max_size=12)
lines = st.one_of(text, words.map(" ".join))
corpora = st.lists(st.tuples(lines, st.lists(lines, min_size=1, max_size=3)), max_size=4)


def matches(kernel, corpus, options):
    options = {"char_order": 6, "word_order": 0, **options}
    hypotheses, references = (
        kernel.texts(side) for side in ([h for h, _ in corpus], [r for _, g in corpus for r in g])
    )
    bounds = offsets(len(group) for _, group in corpus)
    return listed(kernel.character_matches(hypotheses, references, bounds, **options))


def test_every_mark_of_ascii_at_an_end_of_a_word_is_one(kernel):
    for mark in map(chr, range(0x21, 0x7F)):
        line, parts = f"{mark} {mark}a a{mark} {mark}{mark} {mark}bc bc{mark} {mark}a{mark}", []
        for word in line.split():
            at = len(word) - 1 if word[-1] in punctuation else int(word[0] in punctuation)
            parts += filter(None, (word[:at], word[at:]))
        numbers = {part: number for number, part in enumerate(dict.fromkeys(parts))}
        assert listed(kernel.word_tokens(kernel.texts([line])).ids) == [numbers[part] for part in parts], mark


@pytest.mark.slow
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


@few
@given(segments_of(st.sampled_from([0, 1, 12, 25, 26, 40])))
def test_edits_are_sacrebleus(kernel, segment):
    assert edits(kernel, [segment]) == official_edits([segment])


@cache
def far_apart(sizes, n_kinds):
    """Segments and their official edits, which both kernels are compared with."""
    random = np.random.default_rng([*sizes, n_kinds])
    hypothesis, reference = (random.integers(0, n_kinds, size).tolist() for size in sizes)
    moved = [reference[8:25] + reference[:8], reference[:25]]
    segments = [[hypothesis, reference], moved]
    return segments, official_edits(segments)


@pytest.mark.parametrize(
    ("sizes", "n_kinds"),
    [
        *covering([(30, 34), (1, 60), (60, 1), (2, 110), (70, 30)], [2, 20]),
        *(pytest.param((45, 50), n, marks=pytest.mark.slow) for n in (2, 20)),
    ],
)
def test_shifts_far_apart_and_lengths_that_differ_much(kernel, sizes, n_kinds):
    segments, official = far_apart(sizes, n_kinds)
    assert edits(kernel, segments) == official


def drawn_text(random, n, n_kinds):
    return [random.randrange(n_kinds) for _ in range(n)]


def with_runs_moved(seed):
    """A text, and the same with up to five runs of up to 13 tokens elsewhere."""
    random = Random(seed)
    n_kinds = random.choice([3, 8, 30])
    tokens = drawn_text(random, random.randrange(5, 70), n_kinds)
    moved = list(tokens)
    for _ in range(random.randrange(1, 6)):
        start, length = random.randrange(len(moved)), random.randrange(1, 14)
        run = moved[start : start + length]
        del moved[start : start + length]
        to = random.randrange(len(moved) + 1)
        moved[to:to] = run
    return tokens, moved


def with_many_shifts(seed):
    """Two texts of few kinds, of whose shifts more than 1,000 are worth a try."""
    random = Random(seed)
    n = random.randrange(24, 44)
    return drawn_text(random, n, random.choice([2, 2, 3])), drawn_text(random, n, 2)


def one_token_moved(n, *, forward):
    tokens = [*range(1, n + 1)]
    pair = [0, *tokens], [*tokens, 0]
    return pair if forward else pair[::-1]


def without_its_beginning(n):
    """Two texts of 60 tokens, of which the second goes on `n` tokens later, then otherwise."""
    return [*range(60)], [*range(n, 60), *range(100, 100 + n)]


def few_tokens_far_away(seed):
    """A few tokens at some places of a long text: the beam gets wider with the ratio of the lengths."""
    random = Random(seed)
    n = random.randrange(2, 5)
    long = [0] * random.randrange(51 * n, 80 * n)
    for token in range(1, n + 1):
        long[random.randrange(len(long))] = token
    return [*range(1, n + 1)], long


# Each is another figure where a bound is one more or one less, or a tie of shifts falls otherwise: each bound by name,
# with the official number of edits.
AT_BOUNDS = {
    "a run of 10 and one of 11": (with_runs_moved(109), 2),
    "50 words and not 49": (with_runs_moved(187), 3),
    "50 words and not 51": (with_runs_moved(1157), 6),
    **{f"{n} words {way}": (one_token_moved(n, forward=way == "on"), found)
       for n, found in ((49, 1), (50, 1), (51, 2)) for way in ("on", "back")},
    "1,000 shifts and not 999": (with_many_shifts(1517), 8),
    "1,000 shifts and not 1,001": (with_many_shifts(5420), 8),
    **{f"a beam of 25 on {n}": (without_its_beginning(n), found) for n, found in ((24, 48), (25, 50), (26, 60))},
    **{f"a beam as wide as half the ratio, {seed}": (few_tokens_far_away(seed), found)
       for seed, found in ((20, 289), (46, 125), (53, 311))},
    "of equal shifts the longest": (with_runs_moved(3), 3),
    "then the one from the earliest place": (with_runs_moved(10), 3),
    "then the one to the earliest place": (with_runs_moved(20), 7),
    "a run that does not stand by itself": (with_runs_moved(55), 6),
}  # fmt: skip


@pytest.mark.parametrize("name", AT_BOUNDS)
def test_edits_at_the_bounds_of_the_search(kernel, name):
    pair, found = AT_BOUNDS[name]
    assert edits(kernel, [pair]) == [[found, len(pair[1])]]


@pytest.mark.slow
@pytest.mark.parametrize("name", AT_BOUNDS)
def test_edits_at_the_bounds_are_official(name):
    pair, found = AT_BOUNDS[name]
    assert official_edits([pair]) == [[found, len(pair[1])]]


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
