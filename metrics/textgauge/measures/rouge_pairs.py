"""Counting pairs of one hypothesis and one reference: a method per kind of ROUGE."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..counts import (
    Groups,
    Masks,
    Sides,
    lcs_lengths,
    limits_elsewhere,
    ngram_matches,
    ngram_totals,
    skip_bigram_matches,
    skip_bigram_totals,
    unigram_groups,
    union_lcs_hits,
    weighted_lcs,
    weighted_union_hits,
)
from ..lazy import lazy
from ..ragged import FloatArray, IntArray, Ragged, lengths_of
from ..scores.rouge import five_decimals, precision_recall_f, share
from ..scores.rouge_options import RougeOptions
from ..scores.rouge_types import RougeType
from .texts import Texts

Counts = npt.NDArray[np.number]
Column = tuple[Counts, Counts, Counts]


class Pairs:
    """Texts side by side, one reference per hypothesis.

    Every counting method returns matches, hypothesis units and reference units: three
    arrays of shape (n_pairs,).
    """

    def __init__(self, hypotheses: Texts, references: Texts, options: RougeOptions) -> None:
        """Keep both sides; what several types need is counted once, when the first asks."""
        self.hyp, self.ref, self.options = hypotheses, references, options
        self._skip_matches: dict[int | None, IntArray] = {}

    def __len__(self) -> int:
        return len(self.ref.tokens)

    def counts(self) -> Counts:
        """Count all types: shape (n_pairs, n_types, 3), int64 unless there is a weight."""
        kinds = self.options.kinds
        counts = np.empty((len(self), len(kinds), 3), np.float64 if self.options.is_weighted else np.int64)
        methods = {
            "N": self.ngrams, "L": self.lcs, "Lsum": self.summary_lcs, "W": self.weighted_lcs,
            "S": self.skip_bigrams, "SU": self.skip_bigrams_and_unigrams,
        }  # fmt: skip
        for i, kind in enumerate(kinds):
            counts[:, i, 0], counts[:, i, 1], counts[:, i, 2] = methods[kind.kind](kind)
        return counts

    def merits(self, counts: Counts) -> FloatArray:
        """Say how good each reference is when the best is looked for: shape (n_pairs, n_types)."""
        options = self.options
        return precision_recall_f(counts, options.beta, alpha=options.alpha, weights=options.weights)[..., 2]

    @lazy
    def sides(self) -> Sides:
        """All tokens in one numbering."""
        return Sides.of(self.hyp.tokens, self.ref.tokens, np.arange(len(self) + 1))

    @lazy
    def unigrams(self) -> Groups:
        """The tokens that both sides have."""
        return unigram_groups(self.sides)

    @lazy
    def masks(self) -> Masks:
        """What equals what, for all but long texts."""
        return Masks.of(self.sides)

    @lazy
    def _ngrams(self) -> Column:
        # No text has n-grams longer than itself.
        longest = max(int(side.tokens.lengths.max(initial=0)) for side in (self.hyp, self.ref))
        orders = min(self.options.max_order, longest)
        matches = ngram_matches(self.sides, orders, self.masks)
        return matches, ngram_totals(self.hyp.tokens, orders), ngram_totals(self.ref.tokens, orders)

    @lazy
    def _lcs(self) -> IntArray:
        return lcs_lengths(self.sides, self.masks)

    @lazy
    def is_split(self) -> npt.NDArray[np.bool_]:
        """Where either side is not exactly one sentence."""
        return (lengths_of(self.hyp.sentence_offsets) != 1) | (lengths_of(self.ref.sentence_offsets) != 1)

    @lazy
    def is_same_text(self) -> bool:
        """Whether sentences hold the same tokens as texts."""
        return all(side.tokens.values is side.sentences.values for side in (self.hyp, self.ref))

    @lazy
    def sentence_unigrams(self) -> tuple[Groups, Sides]:
        """The unigrams of all sentences of a text together, and the sentences as the texts of `Sides`."""
        sides = self.sides
        if not self.is_same_text:
            sides = Sides.of(self.hyp.joined, self.ref.joined, np.arange(len(self) + 1))
        groups = self.unigrams if self.is_same_text else unigram_groups(sides)
        return groups, sides.cut(self.hyp.sentences, self.ref.sentences)

    @lazy
    def _union_lcs(self) -> IntArray:
        """The union LCS of every pair; of two single sentences it is their LCS."""
        if not self.is_split.any():
            return self._lcs
        groups, sides = self.sentence_unigrams
        groups = groups.where(self.is_split[groups.segments(sides)])
        return np.where(self.is_split, union_lcs_hits(groups, sides), self._lcs)

    def ngrams(self, kind: RougeType) -> Column:
        """Count n-grams."""
        matches, hyp_totals, ref_totals = self._ngrams
        column = kind.order - 1
        if column >= matches.shape[1]:
            return (np.zeros(len(self), np.int64),) * 3
        return matches[:, column], hyp_totals[:, column], ref_totals[:, column]

    def lcs(self, _: RougeType) -> Column:
        """Count the tokens of the LCS."""
        return self._lcs, self.hyp.tokens.lengths, self.ref.tokens.lengths

    def summary_lcs(self, _: RougeType) -> Column:
        """Count the tokens of the union LCS."""
        return self._union_lcs, self.hyp.joined.lengths, self.ref.joined.lengths

    def weighted_lcs(self, kind: RougeType) -> Column:
        """Sum the weights of the WLCS; a text counts as one run."""
        matches = weighted_lcs(self.unigrams, self.sides, kind.weight)
        return matches, _powers(self.hyp.tokens, kind.weight), _powers(self.ref.tokens, kind.weight)

    def skip_bigrams(self, kind: RougeType) -> Column:
        """Count skip-bigrams."""
        if kind.gap not in self._skip_matches:
            self._skip_matches[kind.gap] = skip_bigram_matches(self.unigrams, self.sides, kind.gap)
        matches = self._skip_matches[kind.gap]
        hyp_totals, ref_totals = (skip_bigram_totals(side.tokens.lengths, kind.gap) for side in (self.hyp, self.ref))
        return matches, hyp_totals, ref_totals

    def skip_bigrams_and_unigrams(self, kind: RougeType) -> Column:
        """Count skip-bigrams and all unigrams."""
        matches, hyp_totals, ref_totals = self.skip_bigrams(kind)
        shared = np.zeros(len(self), np.int64)
        np.add.at(shared, self.unigrams.segments(self.sides), np.minimum(*self.unigrams.sizes))
        return matches + shared, hyp_totals + self.hyp.tokens.lengths, ref_totals + self.ref.tokens.lengths


class ScriptPairs(Pairs):
    """Counting as the ROUGE-1.5.5 script does, where that differs."""

    def merits(self, counts: Counts) -> FloatArray:
        """Recall: of ROUGE-L and ROUGE-W exact and weighted once, of the others with five decimals."""
        merits = five_decimals(share(counts[..., 0], counts[..., 2]))
        for i, kind in enumerate(self.options.kinds):
            if kind.kind in ("L", "Lsum"):
                merits[:, i] = share(counts[:, i, 0], counts[:, i, 2])
            elif kind.kind == "W":
                merits[:, i] = share(counts[:, i, 0], self._sentence_powers(kind.weight)) ** (1 / kind.weight)
        return merits

    @lazy
    def _limits(self) -> IntArray | None:
        """How often tokens of sentences count: as often as both texts have them."""
        if self.is_same_text:
            return None
        return limits_elsewhere(*self.sentence_unigrams, self.unigrams, self.sides)

    def lcs(self, _: RougeType) -> Column:
        """Count the tokens of the union LCS, of sentences that a byte limit may have left longer than the texts."""
        hits = self._union_lcs if self._limits is None else union_lcs_hits(*self.sentence_unigrams, self._limits)
        return hits, self.hyp.tokens.lengths, self.ref.joined.lengths

    def summary_lcs(self, kind: RougeType) -> Column:
        """Count as for ROUGE-L, which is the summary-level one."""
        return self.lcs(kind)

    def weighted_lcs(self, kind: RougeType) -> Column:
        """Sum the weights of runs on the union WLCS; the reference's total is weighted twice."""
        hits = weighted_union_hits(*self.sentence_unigrams, kind.weight, self._limits)
        return hits, _powers(self.hyp.tokens, kind.weight), self._sentence_powers(kind.weight) ** kind.weight

    def _sentence_powers(self, weight: float) -> FloatArray:
        """Sum length^weight over the sentences of every reference: float64, shape (n_pairs,)."""
        text_of = np.repeat(np.arange(len(self)), lengths_of(self.ref.sentence_offsets))
        # One after the other, not as differences of running sums: equal to the script's to the last bit.
        sums = np.zeros(len(self))
        sums += np.bincount(text_of, _powers(self.ref.sentences, weight), minlength=len(self))
        return sums

    def skip_bigrams_and_unigrams(self, kind: RougeType) -> Column:
        """Count skip-bigrams and all unigrams but the last token of each text."""
        matches, hyp_totals, ref_totals = self.skip_bigrams(kind)
        sides, groups = self.sides, self.unigrams
        group_at = np.full(len(sides.values), len(groups))
        group_at[groups.positions] = groups.group_of
        sizes = []
        for size, texts, start in zip(
            groups.sizes, (self.hyp.tokens, self.ref.tokens), (0, sides.n_hypothesis_tokens), strict=True
        ):
            lasts = texts.offsets[1:][texts.lengths > 0] - 1 + start
            sizes.append(size - np.bincount(group_at[lasts], minlength=len(groups) + 1)[:-1])
        shared = np.zeros(len(self), np.int64)
        np.add.at(shared, groups.segments(sides), np.minimum(*sizes))
        units = (np.maximum(side.tokens.lengths - 1, 0) for side in (self.hyp, self.ref))
        return matches + shared, hyp_totals + next(units), ref_totals + next(units)


def _powers(rows: Ragged, weight: float) -> FloatArray:
    return rows.lengths.astype(np.float64) ** weight
