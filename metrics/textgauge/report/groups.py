"""Scores by the length of the references, and F1 by the frequency of words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..accumulation.accumulator import Accumulator
from ..arrays import FloatArray, IntArray, lengths_of
from ..columns import Corpus
from ..text import Tokenizer
from ..text.vocabulary import token_column
from .charts import Group, Groups

# With fewer segments, groups and distributions are too small to be meaningful.
FEWEST = 10
_N_GROUPS = 5
_FREQUENCIES = (1, 2, 4, 10, 100, 1000)


def by_length(lengths: FloatArray, measures: Sequence[Accumulator], key: str) -> Groups | None:
    """Return the score of segments grouped by length, in groups of about the same size.

    Parameters
    ----------
    lengths : shape (n_segments,)
        The lengths of the references.
    measures : sequence of Accumulator
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
        sums = [(measure, rows[segments].sum(axis=0)) for measure, rows in zip(measures, columns, strict=True)]
        values = [float(measure.corpus_scores(total)[key]) * measure.metric.factor for measure, total in sums]
        label = span_of(int(whole[segments].min()), int(whole[segments].max()))
        groups.append(Group(label, len(segments), values))
    return Groups.of(groups, measures[0].metric.scale)


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
    group_of = np.searchsorted(_FREQUENCIES, np.bincount(found[0], minlength=n_words), side="right")
    bags = [_bag(ids, offsets, n_words) for ids, (_, offsets) in zip(found, sides, strict=True)]
    matches = [_common(bag, bags[0]) for bag in bags[1:]]
    n_reference, *n_system = (np.bincount(group_of[ids], minlength=len(_FREQUENCIES) + 1) for ids in found)
    n_matched = [np.bincount(group_of[kinds % n_words], n, minlength=len(n_reference)) for kinds, n in matches]
    groups = []
    # Words of group 0 are in no reference.
    for i, (low, end) in enumerate(pairwise((*_FREQUENCIES, None)), 1):
        if n_reference[i] and low is not None:
            label = "once" if low == 1 else span_of(low, None if end is None else end - 1)
            values = [float(2 * m[i] / (n[i] + n_reference[i])) for m, n in zip(n_matched, n_system, strict=True)]
            groups.append(Group(label, int(n_reference[i]), values))
    return Groups.of(groups)


def _bag(ids: IntArray, offsets: IntArray, n_words: int) -> tuple[IntArray, IntArray]:
    """Return every distinct pair of segment and word as one integer, ascending, and its count."""
    segment_of = np.repeat(np.arange(len(offsets) - 1), lengths_of(offsets))
    return np.unique(segment_of * n_words + ids, return_counts=True)


def _common(bag: tuple[IntArray, IntArray], other: tuple[IntArray, IntArray]) -> tuple[IntArray, IntArray]:
    kinds, first, second = np.intersect1d(bag[0], other[0], assume_unique=True, return_indices=True)
    return kinds, np.minimum(bag[1][first], other[1][second])
