"""From texts to the counts of ROUGE for every pair of hypothesis and reference."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from .. import engine
from ..arrays import Counts, FloatArray, IntArray, lengths_of
from ..columns import Corpus
from ..lazy import lazy
from ..plain import Texts, Tokens
from ..plain.pairs import UNIT_LCS, UNIT_UNION_LCS
from ..scores.ratios import ratio
from ..text import Tokenizer
from ..text.sentences import lines_of_sentences
from ..text.tokenizers import sentence_lengths, text_lengths
from .layout import Layout, Rows
from .rouge_options import RougeOptions
from .rouge_types import DEFAULT_WEIGHT, RougeType, type_of

Column = tuple[Counts, Counts, Counts]
# The fields of a row: matches, and the units of either side.
SIDES = ("matches", "prediction", "reference")
# The kinds of ROUGE that `pair_counts` counts, and their unit code; that of n-grams is the order.
_UNITS = {"N": 1, "L": UNIT_LCS, "Lsum": UNIT_UNION_LCS}
# The script limits the texts of an LCS differently.
_SCRIPT_UNITS = {"N": 1}
_UNIGRAMS = np.array([1], np.int32)


def rouge_tokens(corpus: Corpus, tokenizer: Tokenizer, options: RougeOptions) -> Tokens:
    """Tokenize the parts of the texts that are read, by sentences if a type needs them."""
    read = as_read(corpus, options)
    lines = None
    if options.needs_sentences and options.is_script and options.max_bytes is not None:
        # The script limits the texts of ROUGE-L and ROUGE-W differently from those of ROUGE-N.
        lines = _both(corpus, lambda texts: engine.kernel.first_bytes_of_long_line(texts, options.max_bytes or 0))
    elif options.needs_sentences and options.split_summaries:
        lines = read.hypotheses, read.references
    if lines is not None and options.split_summaries:
        lines = lines_of_sentences(lines[0]), lines_of_sentences(lines[1])
    return tokenizer.cut(read, sentences=options.needs_sentences, lines=lines)


def as_read(corpus: Corpus, options: RougeOptions) -> Corpus:
    """Return the texts up to `max_words` or `max_bytes`."""
    n_words, n_bytes = options.max_words, options.max_bytes
    if n_words is not None:
        sides = _both(corpus, lambda texts: engine.kernel.first_words(texts, n_words))
    elif n_bytes is not None:
        sides = _both(corpus, lambda texts: engine.kernel.first_bytes(texts, n_bytes))
    else:
        return corpus
    return Corpus(*sides, corpus.reference_offsets, corpus.first)


def _both(corpus: Corpus, function: Callable[[Texts], Texts]) -> tuple[Texts, Texts]:
    return function(corpus.hypotheses), function(corpus.references)


class Pairs:
    """A hypothesis and one of its references, for every reference.

    Every counting method returns matches, hypothesis units and reference units: three
    arrays of shape (n_pairs,).
    """

    def __init__(self, tokens: Tokens, options: RougeOptions, n_threads: int) -> None:
        """Store the tokens; counts that several types share are computed once, on first use."""
        self.tokens, self.options, self.n_threads = tokens, options, n_threads
        self._skip_matches: dict[int | None, IntArray] = {}

    def rows(self, layout: Layout) -> Rows:
        """Count all types."""
        return Rows(layout, self.counts.reshape(len(self.counts), -1), merits=self.merits)

    @property
    def merits(self) -> FloatArray | None:
        """What makes a reference the best, shape (n_pairs, n_types); None: F."""
        return None

    @lazy
    def counts(self) -> Counts:
        """All types: shape (n_pairs, n_types, 3), int64 unless there is a weight."""
        together, units, others = _split_types(self.options.types, is_script=self.options.is_script)
        counted = engine.kernel.pair_counts(self.tokens, units, n_threads=self.n_threads)
        if not others:
            return np.asarray(counted)
        kind = np.float64 if self.options.is_weighted else np.int64
        counts = np.empty((len(self.references), len(self.options.kinds), 3), kind)
        if together:
            counts[:, together] = counted
        methods = {
            "L": self.script_lcs, "Lsum": self.script_lcs, "W": self.weighted_lcs, "S": self.skip_bigrams,
            "SU": self.skip_bigrams_and_unigrams,
        }  # fmt: skip
        for i in others:
            kind_of_rouge = self.options.kinds[i]
            counts[:, i, 0], counts[:, i, 1], counts[:, i, 2] = methods[kind_of_rouge.kind](kind_of_rouge)
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

    def script_lcs(self, _: RougeType) -> Column:
        """Count the tokens of the union LCS; under a byte limit its sentences may be longer than the texts."""
        return self._script_hits, self.hypotheses, self._sentences[1]

    @lazy
    def _script_hits(self) -> IntArray:
        return np.asarray(engine.kernel.union_lcs(self.tokens, "texts", n_threads=self.n_threads))

    def weighted_lcs(self, kind: RougeType) -> Column:
        """Return the weight of the WLCS, and of each text as one run."""
        matches = np.asarray(engine.kernel.weighted_lcs(self.tokens, kind.weight, n_threads=self.n_threads))
        return matches, _powers(self.hypotheses, kind.weight), _powers(self.references, kind.weight)

    def skip_bigrams(self, kind: RougeType) -> Column:
        """Count skip-bigrams."""
        if kind.gap not in self._skip_matches:
            gap = -1 if kind.gap is None else kind.gap
            self._skip_matches[kind.gap] = np.asarray(
                engine.kernel.skip_bigram_matches(self.tokens, gap, n_threads=self.n_threads)
            )
        hyp_totals, ref_totals = (
            skip_bigram_totals(lengths, kind.gap) for lengths in (self.hypotheses, self.references)
        )
        return self._skip_matches[kind.gap], hyp_totals, ref_totals

    def skip_bigrams_and_unigrams(self, kind: RougeType) -> Column:
        """Count skip-bigrams and all unigrams."""
        matches, hyp_totals, ref_totals = self.skip_bigrams(kind)
        return matches + self._shared_unigrams, hyp_totals + self.hypotheses, ref_totals + self.references

    @lazy
    def _shared_unigrams(self) -> IntArray:
        return np.asarray(engine.kernel.pair_counts(self.tokens, _UNIGRAMS, n_threads=self.n_threads))[:, 0, 0]


@lru_cache(maxsize=64)
def _split_types(types: tuple[str, ...], *, is_script: bool) -> tuple[list[int], npt.NDArray[np.int32], list[int]]:
    """Return the indices of the types that `pair_counts` counts, their unit codes, and the other indices."""
    unit_of = _SCRIPT_UNITS if is_script else _UNITS
    kinds = [type_of(name, DEFAULT_WEIGHT, "rouge_types") for name in types]
    together = [i for i, kind in enumerate(kinds) if kind.kind in unit_of]
    units = [kinds[i].order or unit_of[kinds[i].kind] for i in together]
    return together, np.array(units, np.int32), [i for i in range(len(kinds)) if i not in together]


class ScriptPairs(Pairs):
    """The counts of the ROUGE-1.5.5 script, where they differ."""

    @property
    def merits(self) -> FloatArray:
        """Recall: of ROUGE-L and ROUGE-W exact and weighted once, of the others with five decimals."""
        counts = self.counts
        flat = counts.reshape(len(counts), -1)
        scores = engine.kernel.f_scores(flat, [1.0] * counts.shape[1], rounded=True)
        merits = np.reshape(scores, counts.shape)[..., 1].copy()
        for i, kind in enumerate(self.options.kinds):
            if kind.kind in ("L", "Lsum"):
                merits[:, i] = ratio(counts[:, i, 0], counts[:, i, 2])
            elif kind.kind == "W":
                merits[:, i] = _powers(ratio(counts[:, i, 0], self._sentence_powers(kind.weight)), 1 / kind.weight)
        return merits

    def weighted_lcs(self, kind: RougeType) -> Column:
        """Return the weight of the union WLCS; as in the script, the reference's total is weighted twice."""
        hits = np.asarray(engine.kernel.union_weighted_lcs(self.tokens, kind.weight, "texts", n_threads=self.n_threads))
        base = self._sentence_powers(kind.weight)
        return hits, _powers(self.hypotheses, kind.weight), _powers(base, kind.weight)

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

    def skip_bigrams_and_unigrams(self, kind: RougeType) -> Column:
        """Count skip-bigrams and all unigrams but the last token of each text."""
        matches, hyp_totals, ref_totals = self.skip_bigrams(kind)
        units = np.asarray(engine.kernel.pair_counts(self.tokens, _UNIGRAMS, drops_last=True, n_threads=self.n_threads))
        return matches + units[:, 0, 0], hyp_totals + units[:, 0, 1], ref_totals + units[:, 0, 2]


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
