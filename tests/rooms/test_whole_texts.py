import numpy as np
import pytest
import textgauge.counts.whole_texts as whole_texts
from hypothesis import given
from hypothesis import strategies as st
from textgauge.counts import distinct, equal_texts
from textgauge.ragged import Ragged

rows = st.lists(st.lists(st.sampled_from([0, 1, 2, 2**63]), max_size=6), max_size=8)
# The same rows on both sides, or small ones, so that equal pairs come up.
pairs = st.one_of(
    rows.map(lambda left: (left, left)),
    st.lists(st.tuples(*[st.lists(st.integers(0, 1), max_size=2)] * 2)).map(
        lambda both: ([a for a, _ in both], [b for _, b in both])
    ),
)


def ragged(lists):
    filled = Ragged.from_rows([[0] * len(row) for row in lists])
    return Ragged(np.array([value for row in lists for value in row], np.uint64), filled.offsets)


@given(pairs)
def test_equal_texts_have_the_same_tokens_in_the_same_order(both):
    left, right = both
    expected = [a == b for a, b in zip(left, right, strict=True)]
    assert equal_texts(ragged(left), ragged(right)).tolist() == expected


@given(rows, st.booleans())
def test_equal_rows_have_one_name(lists, all_hashes_collide):
    with pytest.MonkeyPatch.context() as patch:
        if all_hashes_collide:
            patch.setattr(whole_texts, "_MULTIPLIER", np.uint64(0))
        names = whole_texts.equal_rows(ragged(lists)).tolist()
    assert [lists[name] for name in names] == lists
    if not all_hashes_collide:
        assert names == [lists.index(row) for row in lists]


@given(rows)
def test_distinct_makes_sets(lists):
    sets = distinct(ragged(lists))
    cut = [sets.values[a:b].tolist() for a, b in zip(sets.offsets[:-1], sets.offsets[1:], strict=True)]
    assert cut == [sorted(set(row)) for row in lists]
