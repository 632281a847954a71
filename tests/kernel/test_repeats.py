"""The counts behind diversity: both kernels against the definition, and the compiled one against its twin."""

from hypothesis import given
from hypothesis import strategies as st
from textgauge.plain.ngrams import clipped_matches, ngrams

from kernel.material import changed, few, listed, texts_of_ids, tokens_of

small = st.integers(0, 9)


def groups(size):
    """Lists of texts that share much, with equal and empty ones."""

    def with_others(first):
        other = st.one_of(changed(first), st.just(first), st.just([]), texts_of_ids(size))
        return st.lists(other, max_size=5).map(lambda others: [first, *others])

    return st.lists(texts_of_ids(size).flatmap(with_others), max_size=4)


def by_definition(texts, order):
    """The three counts of every text: with its others, with what stands before, and in each other text."""
    rows = []
    for i, text in enumerate(texts):
        others = texts[:i] + texts[i + 1 :]
        grams = [tuple(text[k : k + order]) for k in range(len(text) - order + 1)]
        before = {gram for other in texts[:i] for gram in ngrams(other, order)}
        n_before = sum(gram in before or gram in grams[:k] for k, gram in enumerate(grams))
        in_others = sum(len({*grams} & {*ngrams(other, order)}) for other in others)
        rows.append([clipped_matches(text, others, order), n_before, in_others])
    return rows


@few
@given(groups(small))
def test_counts_are_those_of_the_definition(kernel, groups):
    expected = [
        [list(row) for row in zip(*(by_definition(texts, order) for order in (1, 2, 3)), strict=True)]
        for texts in groups
    ]
    found = listed(kernel.repeated_ngrams(tokens_of(kernel, groups), 3))
    assert found == [row for of_group in expected for row in of_group]
