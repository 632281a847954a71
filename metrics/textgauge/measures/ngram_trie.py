"""All n-grams of a set of texts with their counts, in arrays, without a Python object per n-gram."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..arrays import IntArray, Ragged

UNSEEN = -1


@dataclass(frozen=True)
class Level:
    """The distinct n-grams of one order, sorted by context, then by last word.

    Attributes
    ----------
    keys : int64, shape (n_nodes,)
        ``context * n_words + last word``, ascending; the context is a node one level below.
    counts : int64, shape (n_nodes,)
        Occurrences of the n-gram that end on a counted word.
    suffixes : int64, shape (n_nodes,)
        The node, one level below, of the n-gram without its first word.
    """

    keys: IntArray
    counts: IntArray
    suffixes: IntArray


@dataclass(frozen=True)
class NgramTrie:
    """The n-grams of every order up to ``len(levels)``; `n_words` is the size of the vocabulary.

    Examples
    --------
    >>> texts = Ragged(np.array([0, 1, 0, 1, 2]), np.array([0, 5]))     # a b a b c
    >>> trie = NgramTrie.of(texts, np.ones(5, bool), order=2, n_words=3)
    >>> trie.levels[1].counts                                   # a b, b a, b c
    array([2, 1, 1])
    >>> trie.find(Ragged(np.array([0, 1, 1, 1]), np.array([0, 2, 4])))[1]   # (none) a b, (none) b b
    array([-1,  0, -1, -1])
    """

    levels: tuple[Level, ...]
    n_words: int

    @classmethod
    def of(cls, texts: Ragged, is_counted: npt.NDArray[np.bool_], order: int, n_words: int) -> NgramTrie:
        """Collect the n-grams within each text.

        Parameters
        ----------
        texts : Ragged of word ids in [0, n_words)
        is_counted : bool, shape (n_tokens,)
            False for tokens that occur only as the context of others.
        order : int
        n_words : int
        """
        place = _place_in_text(texts)
        nodes = texts.values.astype(np.int64)
        counts = np.bincount(nodes[is_counted], minlength=n_words)
        levels = [Level(np.arange(n_words), counts, np.zeros(n_words, np.int64))]
        for length in range(2, order + 1):
            ends = np.flatnonzero(place >= length - 1)
            keys, first, node = np.unique(
                nodes[ends - 1] * n_words + texts.values[ends], return_index=True, return_inverse=True
            )
            counts = np.bincount(node[is_counted[ends]], minlength=len(keys))
            levels.append(Level(keys, counts, nodes[ends[first]]))
            nodes = np.full(len(texts.values), UNSEEN, np.int64)
            nodes[ends] = node
        return cls(tuple(levels), n_words)

    def find(self, texts: Ragged) -> list[IntArray]:
        """Return, per order, the node of the n-gram that ends at each token.

        Returns
        -------
        list of int64, shape (n_tokens,)
            `UNSEEN` where the n-gram does not occur or would begin before its text.
        """
        place = _place_in_text(texts)
        found = [texts.values.astype(np.int64)]
        for length, level in enumerate(self.levels[1:], 2):
            nodes = np.full(len(texts.values), UNSEEN, np.int64)
            ends = np.flatnonzero(place >= length - 1)
            ends = ends[found[-1][ends - 1] != UNSEEN]
            keys = found[-1][ends - 1] * self.n_words + texts.values[ends]
            nodes[ends] = _index_of(keys, level.keys)
            found.append(nodes)
        return found

    def contexts(self, order: int) -> IntArray:
        """Return the context of every n-gram of an order above 1, a node one level below."""
        return self.levels[order - 1].keys // self.n_words


def _place_in_text(texts: Ragged) -> IntArray:
    return np.arange(len(texts.values)) - np.repeat(texts.offsets[:-1], texts.lengths)


def _index_of(keys: IntArray, known: IntArray) -> IntArray:
    """Return the index of each key in `known`, which is ascending, or `UNSEEN`."""
    if len(known) == 0:
        return np.full(len(keys), UNSEEN, np.int64)
    index = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(known[index] == keys, index, UNSEEN)
