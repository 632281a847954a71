"""Tokens: errors and properties."""

import numpy as np
import pytest
from hypothesis import given

from kernel.material import few, small_segments, tokens_of


@few
@given(small_segments)
def test_texts_without_tokens_are_counted(kernel, segments):
    assert tokens_of(kernel, segments).n_empty == sum(not text for segment in segments for text in segment)


def zeros(n, dtype):
    """Zeros that take no memory until they are written."""
    try:
        return np.zeros(n, dtype)
    except MemoryError:
        pytest.skip("no address space for so many")


def test_more_tokens_than_ids_and_places_have_bits_for_are_refused(compiled):
    n = 2**32 - 2
    ids = zeros(n, np.uint32)
    with pytest.raises(ValueError, match="fewer than 2"):
        compiled.Tokens(ids, np.array([0, n]), np.array([0, 1]))
    for call in (compiled.lcs_path, compiled.edit_operations):
        with pytest.raises(ValueError, match="fewer than 2"):
            call(ids, ids[:1])
        with pytest.raises(ValueError, match="fewer than 2"):
            call(ids[:1], ids)


def test_longer_texts_than_places_of_characters_have_bits_for_are_refused(compiled):
    n = 2**32 - 2
    long, short = (compiled.arrow_texts(np.array([0, size]), zeros(n, np.uint8), None) for size in (n, 1))
    for sides in ((long, short), (short, long)):
        with pytest.raises(ValueError, match="fewer than 2"):
            compiled.character_matches(*sides, np.array([0, 1]), 6, 0)


BAD_TOKENS = {
    "descending offsets": ([0, 1], [0, 2, 1, 2], [0, 3]),
    "offsets beyond the ids": ([0, 1], [0, 3], [0, 1]),
    "offsets that do not begin at 0": ([0, 1], [1, 2], [0, 1]),
    "offsets that leave ids over": ([0, 1], [0, 1], [0, 1]),
    "no offsets": ([], [], [0]),
    "a segment without a hypothesis": ([0, 1], [0, 1, 2], [0, 0, 2]),
    "a text without a segment": ([0, 1], [0, 1, 2], [0, 1]),
    "an id that is not dense": ([0, 2], [0, 1, 2], [0, 2]),
    "an id that is dense only elsewhere": ([0, 1, 0, 0], [0, 1, 2, 4], [0, 1, 2, 3]),
    "a sentence beyond its ids": ([0], [0, 1], [0, 1], [0], [0, 2], [0, 1]),
    "too few texts of sentences": ([0], [0, 1], [0, 1], [0], [0, 1], [0]),
    "sentences beyond the sentences": ([0], [0, 1], [0, 1], [0], [0, 1], [0, 2]),
    "an id of a sentence that is not dense": ([0], [0, 1], [0, 1], [2], [0, 1], [0, 1]),
}


@pytest.mark.parametrize("name", BAD_TOKENS)
def test_tokens_that_are_none_are_refused(kernel, name):
    parts = [np.array(part, np.uint32 if i in (0, 3) else np.int64) for i, part in enumerate(BAD_TOKENS[name])]
    with pytest.raises(ValueError, match="expected"):
        kernel.Tokens(*parts)
