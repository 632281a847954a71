"""A language model of n-gram counts: perplexity without a neural network."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..arrays import FloatArray, IntArray, Ragged, offsets_of
from ..checks import MAX_ORDER, fail, flag, non_negative_float, one_of, positive_int, refuse_unknown, shown
from ..input.arrow import text_array
from ..input.columns import text_column
from ..options import options_of
from ..plain import Texts
from ..signatures import number, yes_no
from ..sums import ratio
from ..text import NOWHERE, Tokenizer, tokenizer_of
from ..text.vocabulary import END, MARKS, START, UNKNOWN, Vocabulary, refuse_marks, text_sizes, token_column
from .text_models import TextModel

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


def additive_probability(counts: npt.ArrayLike, context_counts: npt.ArrayLike, k: float, n_types: int) -> FloatArray:
    """Return (count + k) / (count of the context + k n_types).

    k = 0 is the maximum-likelihood estimate (0 after an unseen context), k = 1 Laplace's,
    any other k Lidstone's.

    Parameters
    ----------
    counts, context_counts : shape (n_tokens,)
    k : float
    n_types : int
        Number of distinct words that can follow, including the unknown word.

    References
    ----------
    Chen and Goodman (1998), An empirical study of smoothing techniques for language
    modeling, section 2.1.

    Examples
    --------
    >>> additive_probability([2, 0], [3, 3], 1.0, 5).tolist()
    [0.375, 0.125]
    """
    return ratio(np.asarray(counts) + k, np.asarray(context_counts) + k * n_types)


def kneser_ney_step(
    counts: npt.ArrayLike,
    context_counts: npt.ArrayLike,
    n_followers: npt.ArrayLike,
    lower: npt.ArrayLike,
    discount: float,
) -> FloatArray:
    """Return (max(count - discount, 0) + discount n_followers lower) / count of the context.

    One order of interpolated Kneser-Ney: `counts` are occurrences at the highest order, and
    numbers of distinct preceding words below it. After an unseen context the result is
    `lower`.

    Parameters
    ----------
    counts, context_counts : shape (n_tokens,)
    n_followers : shape (n_tokens,)
        Number of distinct words after the context.
    lower : float64, shape (n_tokens,)
        The probability given the context shortened by one word.
    discount : float
        In [0, 1].

    References
    ----------
    Chen and Goodman (1998), section 2.7.

    Examples
    --------
    >>> kneser_ney_step([3], [4], [2], [0.1], 0.5).tolist()
    [0.65]
    """
    counts, context_counts = np.asarray(counts, np.float64), np.asarray(context_counts, np.float64)
    mass = np.maximum(counts - discount, 0.0) + discount * np.asarray(n_followers) * np.asarray(lower)
    return np.divide(mass, context_counts, out=np.array(lower, np.float64), where=context_counts > 0)


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
        by_order = [texts.values.astype(np.int64)]
        for length, level in enumerate(self.levels[1:], 2):
            nodes = np.full(len(texts.values), UNSEEN, np.int64)
            ends = np.flatnonzero(place >= length - 1)
            ends = ends[by_order[-1][ends - 1] != UNSEEN]
            keys = by_order[-1][ends - 1] * self.n_words + texts.values[ends]
            nodes[ends] = _index_of(keys, level.keys)
            by_order.append(nodes)
        return by_order

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


class NgramModel(TextModel):
    """A language model of word n-grams.

    `fit` counts n-grams, `score` returns the perplexity of other texts. Every text is one segment;
    its tokens are scored from left to right, then the end mark, which counts as a
    token. Words that `fit` has not seen become the unknown word ``<unk>``. The words
    ``<s>`` and ``</s>`` are refused in texts: the model puts these marks around a text.

    Parameters
    ----------
    order, smoothing, k, discount, open_vocabulary, min_count, padding
        See `NgramOptions`.
    tokenizer : str or callable str -> list of str

    Examples
    --------
    >>> model = NgramModel(2, "add-k", tokenizer="whitespace").fit(["a b", "a c"])
    >>> model
    <NgramModel(2, 'add-k', tokenizer='whitespace'): 3 words>
    >>> round(model.distribution(["a"])["b"], 4)          # (1 + 1) / (2 + 5)
    0.2857
    >>> round(model.score(["a b"])["corpus_perplexity"], 4)  # (3/7 * 2/7 * 2/6) ** (-1/3)
    2.9044
    """

    def __init__(
        self,
        order: int = 3,
        smoothing: str = "kneser-ney",
        *,
        tokenizer: str | Tokenizer | Callable[[str], list[str]] = "13a",
        **options: Any,
    ) -> None:
        """Check and store the options."""
        refuse_unknown(options, NgramOptions.__dataclass_fields__, "NgramModel")
        self.tokenizer = tokenizer_of(tokenizer)
        self.options = NgramOptions(order, smoothing, **options)
        self._vocabulary: Vocabulary | None = None

    def __repr__(self) -> str:
        size = "not fitted" if self._vocabulary is None else f"{len(self._vocabulary.words):,} words"
        options, tokenizer = self.options, self.tokenizer.name
        return f"<NgramModel({options.order}, {options.smoothing!r}, tokenizer={tokenizer!r}): {size}>"

    def fit(self, texts: Any) -> NgramModel:
        """Count the n-grams of `texts`, which replace earlier counts; return the model."""
        column = text_column(texts, "texts")
        if len(column) == 0:
            fail(ValueError, "texts", "at least one text", "none")
        tokens, offsets = self._tokens(column)
        vocabulary = Vocabulary.of(tokens, self.options.min_count)
        ids = self._padded(vocabulary.ids(tokens, offsets))
        is_predicted = np.ones(len(ids.values), bool) if self.options.padding == "nltk" else ids.values != START
        trie = NgramTrie.of(ids, is_predicted, self.options.order, len(vocabulary))
        self._vocabulary = vocabulary
        self._smoothed = SmoothedTrie(trie, self.options, len(self._types()))
        return self

    def log_probs(self, texts: Any) -> list[list[float]]:
        """Return the natural logarithms of the probabilities of all tokens and the end mark, -inf for 0, per text."""
        values, offsets = self._log_probs(text_column(texts, "texts"))
        return [row.tolist() for row in np.split(values, offsets[1:-1])] if len(offsets) > 1 else []

    def statistics(self, texts: Any) -> FloatArray:
        """Return nll, tokens, bytes and words per text, see `Perplexity.statistics`."""
        column = text_column(texts, "texts")
        values, offsets = self._log_probs(column)
        n_tokens = np.diff(offsets)
        nll = np.bincount(np.repeat(np.arange(len(column)), n_tokens), -values, minlength=len(column))
        return np.column_stack((nll, n_tokens, text_sizes(column)))

    def surprises(self, texts: Sequence[str]) -> list[list[tuple[int, int, float]]]:
        """Return start, end and surprise in bits of every token with a place; end marks are empty, behind the text."""
        surprises = []
        for text, log_probs in zip(texts, self.log_probs(texts), strict=True):
            places = self.tokenizer.places(text, self.tokenizer.unstemmed(text))
            ends = [(len(text), len(text))] * (len(log_probs) - len(places))
            placed = zip([*places, *ends], log_probs, strict=True)
            surprises.append([(*place, -value / math.log(2)) for place, value in placed if place != NOWHERE])
        return surprises

    @property
    def signature(self) -> dict[str, str]:
        """The fields of a signature for the model."""
        return {"model": "ngrams", **self.options.signature, "tok": self.tokenizer.signature}

    def score(self, texts: Any, **options: Any) -> dict[str, Any]:
        """Return the perplexities of `texts`; for the options see `Perplexity.score`."""
        from ..accumulation.named_score import NamedScore

        scored: Any = NamedScore("perplexity", {"model": self}).start()
        refuse_unknown(
            options, [option.name for option in options_of(scored.metric_type.reports_type)], "NgramModel.score"
        )
        result: dict[str, Any] = scored.update_texts(texts).score(**options)
        return result

    def distribution(self, context: Sequence[str] = ()) -> dict[str, float]:
        """Return the probability of every token that can follow `context` at the start of a text.

        The keys are the words of the vocabulary, ``<unk>``, ``</s>`` for the end of the
        text and, with ``padding="nltk"``, ``<s>``; the values sum to 1.
        """
        vocabulary = self._fitted()
        tokens = text_array(text_column(context, "context"))
        refuse_marks(tokens, np.arange(len(tokens) + 1), "context")
        before = vocabulary.ids(tokens, np.array([0, len(tokens)])).values
        marked = np.concatenate((np.full(self.options.order - 1, START), before))
        marked = marked[len(marked) - (self.options.order - 1) :]
        following = self._types()
        rows = np.column_stack((np.tile(marked, (len(following), 1)), following))
        ends = (np.arange(len(rows)) + 1) * rows.shape[1] - 1
        probabilities = self._smoothed.probabilities(Ragged(rows.ravel(), offsets_of([rows.shape[1]] * len(rows))))[
            ends
        ]
        names = [*MARKS, *vocabulary.words.to_pylist()]
        return dict(zip([names[i] for i in following], probabilities.tolist(), strict=True))

    def _tokens(self, column: Texts) -> tuple[pa.LargeStringArray, IntArray]:
        tokens, offsets = token_column(self.tokenizer, column)
        refuse_marks(tokens, offsets, "texts")
        return tokens, offsets

    def _fitted(self) -> Vocabulary:
        if self._vocabulary is None:
            fail(ValueError, "model", "an NgramModel after fit(texts)", "a model without counts")
        return self._vocabulary

    def _padded(self, ids: Ragged) -> Ragged:
        n_start = self.options.order - 1
        n_end = 1 if self.options.padding == "text" else n_start
        offsets = offsets_of(ids.lengths + n_start + n_end)
        values = np.full(offsets[-1], START, np.int64)
        shift = np.repeat(offsets[:-1] + n_start - ids.offsets[:-1], ids.lengths)
        values[np.arange(len(ids.values)) + shift] = ids.values
        for i in range(1, n_end + 1):
            values[offsets[1:] - i] = END
        return Ragged(values, offsets)

    def _types(self) -> IntArray:
        """Return the ids of all tokens that can be predicted."""
        marks = [UNKNOWN]
        if self.options.padding == "text":
            marks = [UNKNOWN, END]
        elif self.options.order > 1:
            marks = [UNKNOWN, START, END]
        return np.concatenate((marks, np.arange(len(MARKS), len(self._fitted()))))

    def _log_probs(self, column: Texts) -> tuple[FloatArray, IntArray]:
        tokens, offsets = self._tokens(column)
        ids = self._padded(self._fitted().ids(tokens, offsets))
        is_scored = np.ones(len(ids.values), bool)
        for i in range(self.options.order - 1):
            is_scored[ids.offsets[:-1] + i] = False
        with np.errstate(divide="ignore"):
            values = np.log(self._smoothed.probabilities(ids)[is_scored])
        return values, offsets_of(ids.lengths - (self.options.order - 1))
