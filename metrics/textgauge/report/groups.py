"""Scores by the length of the references, and F1 by the frequency of words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import FloatArray, IntArray, lengths_of
from ..columns import Corpus
from ..measures.measure import Measure
from ..text import TOKENIZERS, Tokenizer
from ..text.vocabulary import token_column
from .charts import Group, Groups

# With fewer segments, groups and distributions are too small to be meaningful.
FEWEST = 10
_N_GROUPS = 5
_FREQUENCIES = (1, 2, 4, 10, 100, 1000)


def by_length(lengths: FloatArray, measures: Sequence[Measure], key: str) -> Groups | None:
    """Return the score of segments grouped by length, in groups of about the same size.

    Parameters
    ----------
    lengths : shape (n_segments,)
        The lengths of the references.
    measures : sequence of Measure
        Measures of these segments, one per system.
    key : str
        The key of the score.
    """
    whole = np.rint(lengths).astype(np.int64)
    if len(whole) < FEWEST:
        return None
    ends = np.unique(np.quantile(whole, np.arange(1, _N_GROUPS + 1) / _N_GROUPS, method="nearest"))
    group_of = np.searchsorted(ends, whole)
    columns = [measure.additive for measure in measures]
    groups = []
    for i in range(len(ends)):
        segments = np.flatnonzero(group_of == i)
        values = [
            float(measure.corpus_scores(rows[segments].sum(axis=0))[key]) * measure.scale
            for measure, rows in zip(measures, columns, strict=True)
        ]
        label = span_of(int(whole[segments].min()), int(whole[segments].max()))
        groups.append(Group(label, len(segments), values))
    return Groups.of(groups, measures[0].scale)


def span_of(low: int, high: int | None) -> str:
    """Format a range of integers.

    Examples
    --------
    >>> span_of(4, 9), span_of(4, 4), span_of(1000, None)
    ('4 to 9', '4', '1,000+')
    """
    if high is None:
        return f"{low:,}+"
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def by_frequency(corpora: Sequence[Corpus], tokenizer: Tokenizer) -> Groups | None:
    """Return F1 of the words of every system, grouped by the frequency of a word in the first references.

    Matches with the first reference are clipped counts.

    Parameters
    ----------
    corpora : sequence of Corpus
        One per system, with the same references.
    """
    references = corpora[0].references.take(corpora[0].reference_offsets[:-1])
    try:
        sides = [token_column(tokenizer, texts) for texts in (references, *(c.hypotheses for c in corpora))]
    except TypeError:
        # A user's function may return tokens that are not text.
        return None
    words = pc.dictionary_encode(pa.concat_arrays([tokens for tokens, _ in sides]))
    n_words = len(words.dictionary)
    # `np.asarray` of an Arrow array imports pandas, half of the time of a small page.
    ids = np.from_dlpack(words.indices).astype(np.int64)
    found = np.split(ids, np.cumsum([len(tokens) for tokens, _ in sides])[:-1])
    bags = [_bag(ids, offsets, n_words) for ids, (_, offsets) in zip(found, sides, strict=True)]
    group_of = np.searchsorted(_FREQUENCIES, np.bincount(found[0], minlength=n_words), side="right")
    totals = [_by_group(bag, group_of, n_words) for bag in bags]
    matches = [_by_group(_common(bag, bags[0]), group_of, n_words) for bag in bags[1:]]
    groups = []
    # Words of group 0 are in no reference.
    for i, (low, end) in enumerate(pairwise((*_FREQUENCIES, None)), 1):
        if totals[0][i] and low is not None:
            label = "once" if low == 1 else span_of(low, None if end is None else end - 1)
            values = [float(2 * m[i] / (t[i] + totals[0][i])) for m, t in zip(matches, totals[1:], strict=True)]
            groups.append(Group(label, int(totals[0][i]), values))
    return Groups.of(groups)


def words_of(measure: Measure, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
    """Return the texts that the measure tokenizes, and a tokenizer for words."""
    texts, tokenizer = measure.as_cut(corpus)
    return texts, TOKENIZERS["unicode"] if measure.about.unit == "character" else tokenizer


def _bag(ids: IntArray, offsets: IntArray, n_words: int) -> tuple[IntArray, IntArray]:
    """Return every distinct pair of segment and word as one integer, ascending, and its count."""
    segment_of = np.repeat(np.arange(len(offsets) - 1), lengths_of(offsets))
    kinds, counts = np.unique(segment_of * n_words + ids, return_counts=True)
    return kinds, counts


def _common(bag: tuple[IntArray, IntArray], other: tuple[IntArray, IntArray]) -> tuple[IntArray, IntArray]:
    kinds, first, second = np.intersect1d(bag[0], other[0], assume_unique=True, return_indices=True)
    return kinds, np.minimum(bag[1][first], other[1][second])


def _by_group(bag: tuple[IntArray, IntArray], group_of: IntArray, n_words: int) -> IntArray:
    kinds, counts = bag
    return np.bincount(group_of[kinds % n_words], counts, minlength=len(_FREQUENCIES) + 1).astype(np.int64)
