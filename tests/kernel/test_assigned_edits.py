"""Edits of utterances in channels: the kernel, its definition, and all assignments of a few utterances."""

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from quick import examples
from textgauge import plain

from kernel.material import listed

MANY = 10**9
texts = st.lists(st.integers(0, 2), max_size=6)


def arrays(*columns):
    words = [word for text in columns for word in text]
    return np.array(words, np.uint32), np.cumsum([0, *map(len, columns)])


def least(one, other):
    """Return the fewest edits, and of these the fewest substitutions."""
    row = [(j, 0) for j in range(len(other) + 1)]
    for i, word in enumerate(one, 1):
        above, row = row, [(i, 0)]
        for j, heard in enumerate(other):
            is_other = word != heard
            ways = [(above[j][0] + is_other, above[j][1] + is_other)]
            row.append(min([*ways, (above[j + 1][0] + 1, above[j + 1][1]), (row[j][0] + 1, row[j][1])]))
    return np.array(row[-1])


@settings(max_examples=examples(150))
@given(st.lists(texts, max_size=3), st.lists(texts, max_size=4))
def test_the_best_of_all_assignments_counts(kernel, channels, utterances):
    found = listed(kernel.assigned_edits(*arrays(*channels, *utterances), len(channels), MANY))
    sums = [(sum(map(len, utterances)), 0)] if not channels else []
    for way in product(range(len(channels)), repeat=len(utterances)) if channels else ():
        said = [[] for _ in channels]
        for to, utterance in zip(way, utterances, strict=True):
            said[to] += utterance
        sums.append(tuple(sum(least(*pair) for pair in zip(said, channels, strict=True)).tolist()))
    assert (sum(found[1:]), found[1]) == min(sums)
    assert (found[0] + found[1] + found[2], found[0] + found[1] + found[3]) == (
        sum(map(len, utterances)), sum(map(len, channels)),
    )  # fmt: skip


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.lists(st.integers(0, 3), max_size=12), max_size=3), st.lists(texts, max_size=5))
def test_the_kernel_counts_as_its_definition(compiled, channels, utterances):
    given_arrays = arrays(*channels, *utterances)
    found = listed(compiled.assigned_edits(*given_arrays, len(channels), MANY))
    assert found == plain.assigned_edits(*given_arrays, len(channels), MANY)


def test_long_sessions_have_wider_tables_and_a_bound(kernel, compiled):
    channel, utterances = [0, 1] * 9, [[0, 1] * 2] * 4
    given_arrays = arrays(channel, channel, *utterances)
    n_cells = 16 * 2 * 19 * 19
    assert listed(kernel.assigned_edits(*given_arrays, 2, n_cells))[0] == 16
    assert listed(kernel.assigned_edits(*given_arrays, 2, n_cells - 1)) == [-1] * 4
    assert listed(kernel.assigned_edits(*arrays(*[channel] * 60), 59, 2**62)) == [-1] * 4
    # Words that do not fit into halves of 32 bits: of each channel all but one are missing.
    long = arrays([7], [8], *[[7] * 1000, [8] * 1000] * 20)
    assert listed(compiled.assigned_edits(*long, 2, MANY)) == [2, 0, 39998, 0]
