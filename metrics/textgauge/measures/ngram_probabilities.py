"""Smoothed probabilities from a trie of n-grams."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray, IntArray, Ragged
from ..checks import MAX_ORDER, fail, flag, non_negative_float, one_of, positive_int, shown
from ..scores.ngram_smoothing import additive_probability, kneser_ney_step
from ..signatures import number, yes_no
from .ngram_trie import UNSEEN, NgramTrie

SMOOTHINGS = ("kneser-ney", "add-k", "mle")
PADDINGS = ("text", "nltk")


@dataclass(frozen=True)
class NgramOptions:
    """The options of an n-gram model, apart from the tokenizer.

    Attributes
    ----------
    order : int
        The highest order of n-grams, at most 1,000; the context has order - 1 tokens.
    smoothing : "kneser-ney", "add-k" or "mle"
        Interpolated Kneser-Ney; (count + k) / (context count + k types); or maximum likelihood,
        under which an unseen n-gram has probability 0 and the perplexity is infinite.
    k : float
        For "add-k": 1 is Laplace's smoothing, any other value Lidstone's.
    discount : float
        For "kneser-ney", in [0, 1]. nltk.lm takes 0.1.
    open_vocabulary : bool
        For "kneser-ney": discount unigrams as well and distribute that mass uniformly
        over the vocabulary and the unknown word, so that every text has a finite
        perplexity. False is nltk.lm: the unknown word has the probability of the words that
        `min_count` made unknown, 0 if there are none.
    min_count : int
        Words that occur less often than this in the texts of `fit` become the unknown word.
    padding : "text" or "nltk"
        "text": order - 1 start marks are context, never predicted, and one end mark is
        predicted after each text. "nltk": order - 1 marks on both sides that count as
        words, as in `nltk.lm.preprocessing`; then the probabilities of Kneser-Ney sum
        to slightly more than 1 inside the marks.
    """

    order: int = 3
    smoothing: str = "kneser-ney"
    k: float = 1.0
    discount: float = 0.75
    open_vocabulary: bool = True
    min_count: int = 1
    padding: str = "text"

    def __post_init__(self) -> None:
        """Check every option."""
        positive_int("order", self.order, MAX_ORDER)
        one_of("smoothing", self.smoothing, SMOOTHINGS)
        if non_negative_float("k", self.k) == 0:
            fail(ValueError, "k", "a number above 0 (`smoothing='mle'` is 0)", shown(self.k))
        if non_negative_float("discount", self.discount) > 1:
            fail(ValueError, "discount", "a number from 0 to 1", shown(self.discount))
        flag("open_vocabulary", self.open_vocabulary)
        positive_int("min_count", self.min_count)
        one_of("padding", self.padding, PADDINGS)

    @property
    def signature(self) -> dict[str, str]:
        """The fields of a signature: the options that the smoothing uses."""
        value = {"kneser-ney": f"[{number(self.discount)}]", "add-k": f"[{number(self.k)}]", "mle": ""}[self.smoothing]
        unknown = {"open": yes_no(self.open_vocabulary)} if self.smoothing == "kneser-ney" else {}
        return {
            "order": str(self.order),
            "smooth": self.smoothing + value,
            **unknown,
            "mincount": str(self.min_count),
            "pad": self.padding,
        }


@dataclass(frozen=True)
class OrderStatistics:
    """The counts that smoothing needs of one order; a context is a node one order below.

    `counts` has one value per n-gram: occurrences, or, for Kneser-Ney below the highest
    order, the number of distinct preceding words. `context_counts` are their sums per context,
    `n_followers` the numbers of distinct n-grams per context: int64 each.
    """

    counts: IntArray
    context_counts: IntArray
    n_followers: IntArray


class SmoothedTrie:
    """A trie with the smoothing statistics of every order; `n_types` is the number of predictable tokens."""

    def __init__(self, trie: NgramTrie, options: NgramOptions, n_types: int) -> None:
        """Sum the counts per context."""
        self.trie = trie
        self.options = options
        self.n_types = n_types
        self.orders = [self._order_statistics(order) for order in range(1, options.order + 1)]

    def probabilities(self, ids: Ragged) -> FloatArray:
        """Return the probability of every token that has order - 1 tokens before it in its text.

        Parameters
        ----------
        ids : Ragged of word ids

        Returns
        -------
        float64, shape (n_tokens,)
            Meaningless for the first order - 1 tokens of each text.
        """
        nodes = self.trie.find(ids)
        options = self.options
        if options.smoothing != "kneser-ney":
            k = options.k if options.smoothing == "add-k" else 0.0
            counts, context_counts, _ = self._at(options.order, nodes)
            return additive_probability(counts, context_counts, k, self.n_types)
        probabilities = np.full(len(ids.values), 1 / self.n_types)
        for order in range(1, options.order + 1):
            is_undiscounted = order == 1 and not options.open_vocabulary
            discount = 0.0 if is_undiscounted else options.discount
            probabilities = kneser_ney_step(*self._at(order, nodes), probabilities, discount)
        return probabilities

    def _at(self, order: int, nodes: list[IntArray]) -> tuple[IntArray, IntArray, IntArray]:
        """Return count, context count and number of followers of the n-gram that ends at each token."""
        statistics = self.orders[order - 1]
        node = nodes[order - 1]
        context = np.roll(nodes[order - 2], 1) if order > 1 else np.zeros(len(node), np.int64)
        counts = np.where(node == UNSEEN, 0, statistics.counts[node])
        totals = np.where(context == UNSEEN, 0, statistics.context_counts[context])
        return counts, totals, statistics.n_followers[context]

    def _order_statistics(self, order: int) -> OrderStatistics:
        level = self.trie.levels[order - 1]
        counts = level.counts
        if self.options.smoothing == "kneser-ney" and order < self.options.order:
            above = self.trie.levels[order]
            counts = np.bincount(above.suffixes[above.counts > 0], minlength=len(counts))
        contexts = self.trie.contexts(order) if order > 1 else np.zeros(len(counts), np.int64)
        n_contexts = len(self.trie.levels[order - 2].counts) if order > 1 else 1
        totals = np.bincount(contexts, counts, minlength=n_contexts).astype(np.int64)
        return OrderStatistics(counts, totals, np.bincount(contexts[level.counts > 0], minlength=n_contexts))
