"""What the types of ROUGE count in pairs of texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .. import engine
from ..arrays import Counts, FloatArray, IntArray, lengths_of
from ..input.columns import Corpus
from ..lazy import lazy
from ..metric.layout import first_of_best
from ..plain.pairs import UNIT_LCS, UNIT_UNION_LCS
from ..sums import ratio
from ..text import Tokenizer
from ..text.sentences import lines_of_sentences
from ..text.tokenizers import sentence_lengths, text_lengths
from .rouge_options import RougeOptions
from .rouge_types import RougeType

if TYPE_CHECKING:
    from ..plain import Texts, Tokens


# The fields of a row: matches, and the units of either side.
SIDES = ("matches", "prediction", "reference")


def rouge_tokens(corpus: Corpus, tokenizer: Tokenizer, options: RougeOptions) -> Tokens:
    """Tokenize the parts of the texts that are read, by sentences if a type needs them."""
    read, lines = as_read(corpus, options), None
    if not options.needs_sentences:
        return tokenizer.cut(read, given=corpus)
    if options.is_script and options.max_bytes is not None:
        # The script limits the texts of ROUGE-L and ROUGE-W differently from those of ROUGE-N.
        lines = _both(corpus, lambda texts: engine.kernel.first_bytes_of_long_line(texts, options.max_bytes or 0))
    elif options.split_summaries:
        lines = read.hypotheses, read.references
    if lines is not None and options.split_summaries:
        lines = lines_of_sentences(lines[0]), lines_of_sentences(lines[1])
    return tokenizer.cut(read, sentences=True, lines=lines, given=corpus)


def as_read(corpus: Corpus, options: RougeOptions) -> Corpus:
    """Return the texts up to `max_words` or `max_bytes`."""
    n_words, n_bytes = options.max_words, options.max_bytes
    if n_words is not None:
        sides = _both(corpus, lambda texts: engine.kernel.first_words(texts, n_words))
    elif n_bytes is not None:
        sides = _both(corpus, lambda texts: engine.kernel.first_bytes(texts, n_bytes))
    else:
        return corpus
    return Corpus(*sides, corpus.offsets, corpus.first)


def _both(corpus: Corpus, function: Callable[[Texts], Texts]) -> tuple[Texts, Texts]:
    return function(corpus.hypotheses), function(corpus.references)


# Of one type: matches, hypothesis units and reference units, shape (n_pairs,) each.
TypeCounts = tuple[Counts, Counts, Counts]
_UNIGRAMS = np.array([1], np.int32)


class TypesToCount:
    """Types, and which of them one call of the kernel counts together.

    Attributes
    ----------
    types : tuple of RougeType
    together, others : list of int
        Indices of the types that `pair_counts` counts, and of those that have a function each.
    units : int32, shape (len(together),)
        The code of what `pair_counts` counts: the order of n-grams, or `UNIT_LCS`, `UNIT_UNION_LCS`.
    are_weighted : bool
        Whether any type sums weights, so that its counts are not integers.
    """

    def __init__(self, types: Sequence[RougeType], unit_of: Mapping[str, int]) -> None:
        """Part the types; `unit_of` has the families that `pair_counts` counts."""
        self.types = tuple(types)
        self.together = [i for i, one in enumerate(types) if one.family in unit_of]
        self.others = [i for i, one in enumerate(types) if one.family not in unit_of]
        self.units = np.array([types[i].order or unit_of[types[i].family] for i in self.together], np.int32)
        self.are_weighted = any(one.family == "W" for one in types)


class Pairs:
    """A hypothesis and one of its references, for every reference.

    Every counting method returns matches, hypothesis units and reference units: three
    arrays of shape (n_pairs,).
    """

    unit_of: Mapping[str, int] = {"N": 1, "L": UNIT_LCS, "Lsum": UNIT_UNION_LCS}

    def __init__(self, tokens: Tokens, types: TypesToCount, n_threads: int) -> None:
        """Store the tokens; counts that several types share are computed once, on first use."""
        self.tokens, self.types, self.n_threads = tokens, types, n_threads
        self._skip_matches: dict[int | None, IntArray] = {}

    @property
    def selection_scores(self) -> FloatArray | None:
        """What makes a reference the best, shape (n_pairs, n_types); None: F."""
        return None

    @lazy
    def counts(self) -> Counts:
        """All types: shape (n_pairs, n_types, 3), int64 unless there is a weight."""
        types = self.types
        of_together = engine.kernel.pair_counts(self.tokens, types.units, False, self.n_threads)
        if not types.others:
            return np.asarray(of_together)
        dtype = np.float64 if types.are_weighted else np.int64
        counts = np.empty((len(self.references), len(types.types), 3), dtype)
        if types.together:
            counts[:, types.together] = of_together
        methods = {
            "L": self.script_lcs, "Lsum": self.script_lcs, "W": self.weighted_lcs, "S": self.skip_bigrams,
            "SU": self.skip_bigrams_and_unigrams,
        }  # fmt: skip
        for i in types.others:
            one = types.types[i]
            counts[:, i, 0], counts[:, i, 1], counts[:, i, 2] = methods[one.family](one)
        return counts

    @lazy
    def _lengths(self) -> tuple[IntArray, IntArray]:
        hypotheses, references = text_lengths(self.tokens)
        return self._repeated(hypotheses), references

    @property
    def hypotheses(self) -> IntArray:
        """The number of tokens of the hypothesis of every pair."""
        return self._lengths[0]

    @property
    def references(self) -> IntArray:
        """The number of tokens of the reference of every pair."""
        return self._lengths[1]

    def _repeated(self, of_hypotheses: IntArray) -> IntArray:
        """Repeat values of hypotheses for their pairs."""
        return np.repeat(of_hypotheses, lengths_of(np.asarray(self.tokens.segments, np.int64)) - 1)

    @lazy
    def _sentences(self) -> tuple[IntArray, IntArray, IntArray]:
        """Numbers of tokens in the sentences of every hypothesis, of every reference, and in every sentence."""
        hypotheses, references, of_sentences = sentence_lengths(self.tokens)
        return self._repeated(hypotheses), references, of_sentences

    def script_lcs(self, _: RougeType) -> TypeCounts:
        """Count the tokens of the union LCS; under a byte limit its sentences may be longer than the texts."""
        return self._script_hits, self.hypotheses, self._sentences[1]

    @lazy
    def _script_hits(self) -> IntArray:
        return np.asarray(engine.kernel.union_lcs(self.tokens, "texts", n_threads=self.n_threads))

    def weighted_lcs(self, rouge_type: RougeType) -> TypeCounts:
        """Return the weight of the WLCS, and of each text as one run."""
        matches = np.asarray(engine.kernel.weighted_lcs(self.tokens, rouge_type.weight, n_threads=self.n_threads))
        return matches, _powers(self.hypotheses, rouge_type.weight), _powers(self.references, rouge_type.weight)

    def skip_bigrams(self, rouge_type: RougeType) -> TypeCounts:
        """Count skip-bigrams."""
        if rouge_type.gap not in self._skip_matches:
            gap = -1 if rouge_type.gap is None else rouge_type.gap
            self._skip_matches[rouge_type.gap] = np.asarray(
                engine.kernel.skip_bigram_matches(self.tokens, gap, n_threads=self.n_threads)
            )
        hyp_totals, ref_totals = (
            skip_bigram_totals(lengths, rouge_type.gap) for lengths in (self.hypotheses, self.references)
        )
        return self._skip_matches[rouge_type.gap], hyp_totals, ref_totals

    def skip_bigrams_and_unigrams(self, rouge_type: RougeType) -> TypeCounts:
        """Count skip-bigrams and all unigrams."""
        matches, hyp_totals, ref_totals = self.skip_bigrams(rouge_type)
        return matches + self._shared_unigrams, hyp_totals + self.hypotheses, ref_totals + self.references

    @lazy
    def _shared_unigrams(self) -> IntArray:
        return np.asarray(engine.kernel.pair_counts(self.tokens, _UNIGRAMS, n_threads=self.n_threads))[:, 0, 0]


class ScriptPairs(Pairs):
    """The counts of the ROUGE-1.5.5 script, where they differ."""

    # The script limits the texts of an LCS differently.
    unit_of = {"N": 1}

    @property
    def selection_scores(self) -> FloatArray:
        """Recall: of ROUGE-L and ROUGE-W exact and weighted once, of the others with five decimals."""
        counts = self.counts
        flat = counts.reshape(len(counts), -1)
        scores = engine.kernel.f_scores(flat, [1.0] * counts.shape[1], rounded=True)
        found = np.reshape(scores, (*counts.shape[1:], len(counts)))[:, 1].T.copy()
        for i, rouge_type in enumerate(self.types.types):
            if rouge_type.family in ("L", "Lsum"):
                found[:, i] = ratio(counts[:, i, 0], counts[:, i, 2])
            elif rouge_type.family == "W":
                found[:, i] = _powers(
                    ratio(counts[:, i, 0], self._sentence_powers(rouge_type.weight)), 1 / rouge_type.weight
                )
        return found

    def weighted_lcs(self, rouge_type: RougeType) -> TypeCounts:
        """Return the weight of the union WLCS; as in the script, the reference's total is weighted twice."""
        hits = np.asarray(
            engine.kernel.union_weighted_lcs(self.tokens, rouge_type.weight, "texts", n_threads=self.n_threads)
        )
        base = self._sentence_powers(rouge_type.weight)
        return hits, _powers(self.hypotheses, rouge_type.weight), _powers(base, rouge_type.weight)

    def _sentence_powers(self, weight: float) -> FloatArray:
        """Sum length^weight over the sentences of every reference: float64, shape (n_pairs,)."""
        tokens = self.tokens
        n_sentences = lengths_of(np.asarray(tokens.text_sentences, np.int64))
        text_of = np.repeat(np.arange(len(n_sentences)), n_sentences)
        # Sequential sums, not differences of running sums, to equal the script's to the last bit.
        sums = np.bincount(text_of, _powers(self._sentences[2], weight), minlength=len(n_sentences)).astype(np.float64)
        is_reference = np.ones(len(sums), bool)
        is_reference[np.asarray(tokens.segments, np.int64)[:-1]] = False
        return sums[is_reference]

    def skip_bigrams_and_unigrams(self, rouge_type: RougeType) -> TypeCounts:
        """Count skip-bigrams and all unigrams but the last token of each text."""
        matches, hyp_totals, ref_totals = self.skip_bigrams(rouge_type)
        units = np.asarray(engine.kernel.pair_counts(self.tokens, _UNIGRAMS, drops_last=True, n_threads=self.n_threads))
        return matches + units[:, 0, 0], hyp_totals + units[:, 0, 1], ref_totals + units[:, 0, 2]


def largest_shares(counts: Counts, offsets: IntArray, *, empty: int = 0) -> Counts:
    """Return the largest precision and the largest recall over the references of every segment, each on its own.

    Parameters
    ----------
    counts : shape (n_pairs, n_types, 3)
        Matches, hypothesis units and reference units.
    offsets : int64, shape (n_segments + 1,)
        The pairs of every segment.
    empty : int
        What takes the place of all three in a pair of texts without units.

    Returns
    -------
    shape (n_segments, n_types, 4)
        Matches and hypothesis units of the pair with the largest precision, the first of equals; the reference units
        and the matches of that with the largest recall.
    """
    counts = np.where((counts[..., 1:] == 0).all(axis=-1, keepdims=True), empty, counts)
    parts = []
    for side in (1, 2):
        first = first_of_best(ratio(counts[..., 0], counts[..., side]), offsets)
        parts.append(np.take_along_axis(counts, first[..., None], axis=0))
    of_precision, of_recall = parts
    return np.concatenate([of_precision[..., :2], of_recall[..., 2:], of_recall[..., :1]], axis=-1)


def skip_bigram_totals(lengths: IntArray, gap: int | None) -> IntArray:
    """Count the skip-bigrams of texts with these numbers of tokens: int64, same shape.

    Examples
    --------
    >>> skip_bigram_totals(np.array([0, 1, 4]), None)
    array([0, 0, 6])
    >>> skip_bigram_totals(np.array([4]), 0)
    array([3])
    """
    width = np.maximum(lengths - 1, 0)
    if gap is not None:
        width = np.minimum(width, gap + 1)
    return width * lengths - width * (width + 1) // 2


def _powers(bases: npt.NDArray[np.number], exponent: float) -> FloatArray:
    """Raise to a power as the C library does: NumPy's ``**`` may differ in the last bit, which decides ties."""
    return np.float_power(bases, exponent)
