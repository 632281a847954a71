"""Edits of words with times: the kernel and its definition, and what times forbid."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from quick import examples
from textgauge import plain

from kernel.material import listed


def arrays(*texts):
    words = [word for text in texts for word in text]
    return (
        np.array([word[0] for word in words], np.uint32), np.cumsum([0, *map(len, texts)]),
        np.array([time for word in words for time in word[1:]], np.float64),
    )  # fmt: skip


numbers = st.integers(0, 12) | st.floats(-2, 14, allow_nan=False)
timed = st.tuples(st.integers(0, 2), numbers, st.integers(0, 3) | st.floats(0, 3)).map(
    lambda word: (word[0], word[1], word[1] + word[2])
)
# Most speakers do not talk over themselves, whose words are in order.
texts = st.lists(timed, max_size=12) | st.lists(timed, max_size=12).map(lambda text: sorted(text, key=lambda w: w[1:]))


@settings(max_examples=examples(300))
@given(st.lists(texts, min_size=1, max_size=4), st.integers(0, 4), st.integers(1, 2))
def test_the_kernel_counts_as_its_definition(compiled, given_texts, n_hypotheses, n_threads):
    given_arrays, n = arrays(*given_texts), min(n_hypotheses, len(given_texts))
    found = compiled.timed_edits(*given_arrays, n, n_threads)
    assert np.asarray(found).reshape(-1, 4).tolist() == plain.timed_edits(*given_arrays, n)


@settings(max_examples=examples(100))
@given(st.lists(st.integers(0, 2), max_size=9), st.lists(st.integers(0, 2), max_size=9))
def test_words_of_one_time_have_the_edits_of_kaldialign(kernel, one, other):
    sides = [[(word, 0.0, 1.0) for word in side] for side in (one, other)]
    columns = (kernel.texts([" ".join(map(str, side))]) for side in (one, other))
    pair = kernel.cut(kernel.Cutter("spaces"), *columns, None)
    wanted = listed(kernel.levenshtein_edits(pair, 2))
    assert np.asarray(kernel.timed_edits(*arrays(*sides), 1)).reshape(-1, 4).tolist() == wanted


def test_words_that_only_touch_do_not_overlap(kernel):
    early, late = [(0, 0.0, 1.0)], [(0, 1.0, 2.0)]
    assert listed(kernel.timed_edits(*arrays(early, late), 1)) == [[0, 0, 1, 1]]
    assert listed(kernel.timed_edits(*arrays(early, [(0, 0.99, 2.0)]), 1)) == [[1, 0, 0, 0]]
    # Beside a word that is said all the while, too.
    around, before, behind = (1, 0.0, 9.0), (0, 1.0, 5.0), (0, 3.0, 9.0)
    assert listed(kernel.timed_edits(*arrays([around, before], [(0, 5.0, 6.0)]), 1)) == [[0, 1, 0, 1]]
    assert listed(kernel.timed_edits(*arrays([behind, around], [(0, 2.0, 3.0)]), 1)) == [[0, 1, 0, 1]]
