"""Edits of utterances in channels, and of words with times: the kernel, its definition, all assignments of a few."""

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
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


def cost_of(way, channels, utterances):
    """Return the edits and substitutions of an assignment."""
    said = [[] for _ in channels]
    for to, utterance in zip(way, utterances, strict=True):
        said[to] += utterance
    return sum(least(*pair) for pair in zip(said, channels, strict=True)).tolist()


@settings(max_examples=examples(150))
@given(st.lists(texts, max_size=3), st.lists(texts, max_size=4))
def test_the_best_of_all_assignments_counts(kernel, channels, utterances):
    found = listed(kernel.assigned_edits(*arrays(*channels, *utterances), len(channels), MANY))
    sums = [(sum(map(len, utterances)), 0)] if not channels else []
    for way in product(range(len(channels)), repeat=len(utterances)) if channels else ():
        sums.append(tuple(cost_of(way, channels, utterances)))
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
    way = listed(compiled.assigned_channels(*given_arrays, len(channels)))
    assert way == plain.assigned_channels(*given_arrays, len(channels))
    if channels:
        assert cost_of(way, channels, utterances) == [sum(found[1:]), found[1]]


def test_of_equally_good_channels_the_first_has_an_utterance(kernel):
    assert listed(kernel.assigned_channels(*arrays([0], [0], [1], [2], []), 2)) == [0, 1, 0]
    assert listed(kernel.assigned_channels(*arrays([1], [1, 2], [5], [], [1], [2]), 2)) == [0, 0, 1, 1]
    assert listed(kernel.assigned_channels(*arrays([1], [2]), 0)) == [-1, -1]
    assert listed(kernel.assigned_channels(*arrays([1], [2]), 2)) == []


def heard(draw, n_channels):
    """Draw long utterances, and channels with some of their words wrong, missing or in another channel."""
    vocabulary = draw.choice([2, 30, 2000])
    channels, utterances = [[] for _ in range(n_channels)], []
    for _ in range(draw.randint(1, 24)):
        utterances.append([draw.randrange(vocabulary) for _ in range(draw.randint(0, 14))])
        channel = draw.choice(channels)
        for word in utterances[-1]:
            error = draw.random() / draw.choice([0.05, 0.4, 1])
            channel = draw.choice(channels) if error < 0.1 else channel
            channel += [word] if error > 0.9 else [draw.randrange(vocabulary)] if error > 0.5 else []
    return channels, utterances


def dense(channels, utterances):
    """Return the fewest edits and substitutions, by tables of all places."""
    edit = 1 << 20
    costs = edit * sum(np.indices([len(channel) + 1 for channel in channels], np.int64))
    for utterance in filter(None, utterances):
        tried = []
        for axis, channel in enumerate(channels):
            row = np.moveaxis(costs, axis, 0).copy()
            for word in utterance:
                before, row = row, row + edit
                for j, other in enumerate(channel):
                    one = np.minimum(before[j + 1], row[j]) + edit
                    row[j + 1] = np.minimum(one, before[j] + (other != word) * (edit + 1))
            tried.append(np.moveaxis(row, 0, axis))
        costs = np.minimum.reduce(tried)
    return divmod(int(costs.flat[-1]), edit)


@settings(max_examples=examples(40), deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 3))
def test_places_that_are_left_out_are_on_no_best_way(compiled, draw, n_channels):
    channels, utterances = heard(draw, n_channels)
    given_arrays = arrays(*channels, *utterances)
    found = listed(compiled.assigned_edits(*given_arrays, n_channels, 10**12))
    assert (sum(found[1:]), found[1]) == dense(channels, utterances)
    way = listed(compiled.assigned_channels(*given_arrays, n_channels))
    assert cost_of(way, channels, utterances) == [sum(found[1:]), found[1]]


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
    way = listed(compiled.assigned_channels(*long, 2))
    assert (len(way), way.count(1), way.index(1) % 2) == (40, 1, 1)


def test_more_places_than_numbers_are_no_memory(compiled):
    """One more than the words of each of 64 channels: as a product of 64 bits that is 0."""
    with pytest.raises((ValueError, MemoryError)):
        compiled.assigned_channels(*arrays(*[[1]] * 64, [1], [1]), 64)
    assert listed(compiled.assigned_edits(*arrays(*[[1]] * 64, [1], [1]), 64, 2**64 - 2)) == [-1] * 4


def timed_arrays(*timed_texts):
    words = [word for text in timed_texts for word in text]
    return (
        np.array([word[0] for word in words], np.uint32), np.cumsum([0, *map(len, timed_texts)]),
        np.array([time for word in words for time in word[1:]], np.float64),
    )  # fmt: skip


numbers = st.integers(0, 12) | st.floats(-2, 14, allow_nan=False)
timed = st.tuples(st.integers(0, 2), numbers, st.integers(0, 3) | st.floats(0, 3)).map(
    lambda word: (word[0], word[1], word[1] + word[2])
)
# Most speakers do not talk over themselves, whose words are in order.
timed_texts = st.lists(timed, max_size=12) | st.lists(timed, max_size=12).map(
    lambda text: sorted(text, key=lambda w: w[1:])
)


@settings(max_examples=examples(300))
@given(st.lists(timed_texts, min_size=1, max_size=4), st.integers(0, 4), st.integers(1, 2))
def test_the_kernel_counts_times_as_its_definition(compiled, given_texts, n_hypotheses, n_threads):
    given_arrays, n = timed_arrays(*given_texts), min(n_hypotheses, len(given_texts))
    found = compiled.timed_edits(*given_arrays, n, n_threads)
    assert np.asarray(found).reshape(-1, 4).tolist() == plain.timed_edits(*given_arrays, n)


# All texts of up to three words: of equally many edits those with fewest substitutions count.
@settings(max_examples=examples(100))
@example([words for n in range(4) for words in product("abc", repeat=n)])
@given(st.lists(st.lists(st.sampled_from("abc"), max_size=9), min_size=2, max_size=2))
def test_words_of_one_time_have_the_edits_of_kaldialign(kernel, written):
    texts = [[("abc".index(word), 0.0, 1.0) for word in words] for words in written]
    found = np.asarray(kernel.timed_edits(*timed_arrays(*texts, *texts), len(texts))).reshape(-1, 4)
    joined = [*map(" ".join, written)]
    sides = kernel.texts(joined * len(joined)), kernel.texts([text for text in joined for _ in joined])
    wanted = kernel.levenshtein_edits(kernel.cut(kernel.Cutter("spaces"), *sides, None), 2)
    assert found.tolist() == np.asarray(wanted).reshape(-1, 4).tolist()


def test_words_that_only_touch_do_not_overlap(kernel):
    early, late = [(0, 0.0, 1.0)], [(0, 1.0, 2.0)]
    assert listed(kernel.timed_edits(*timed_arrays(early, late), 1)) == [[0, 0, 1, 1]]
    assert listed(kernel.timed_edits(*timed_arrays(early, [(0, 0.99, 2.0)]), 1)) == [[1, 0, 0, 0]]
    # Beside a word that is said all the while, too.
    around, before, behind = (1, 0.0, 9.0), (0, 1.0, 5.0), (0, 3.0, 9.0)
    assert listed(kernel.timed_edits(*timed_arrays([around, before], [(0, 5.0, 6.0)]), 1)) == [[0, 1, 0, 1]]
    assert listed(kernel.timed_edits(*timed_arrays([behind, around], [(0, 2.0, 3.0)]), 1)) == [[0, 1, 0, 1]]
