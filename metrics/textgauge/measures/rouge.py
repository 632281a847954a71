"""ROUGE of texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..checks import fail, flag, non_negative_float, one_of, shown
from ..columns import Corpus, corpus_of
from ..counts import lcs_lengths, ngram_matches, ngram_totals, union_lcs_hits
from ..ragged import IntArray, Ragged
from ..resampling import median_of_bootstrap_means
from ..scores.rouge import FloatArray, precision_recall_f
from ..text import STEMMED_ROUGE, Tokenizer, tokenizer_of
from ..text.sentences import split_sentences
from .warnings import LostText

DEFAULT_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
AGGREGATORS = ("mean", "bootstrap")
CHUNK = 1024


@dataclass(frozen=True)
class RougeOptions:
    """What can move a ROUGE score.

    Attributes
    ----------
    types : tuple of str
        "rouge1", "rouge2", ... for n-grams of any order, "rougeL", "rougeLsum".
    beta : float
        F's weight of recall against precision, see `f_measure`.
    split_summaries : bool
        Split texts into sentences at their end marks for rougeLsum; else only at newlines.
    """

    types: tuple[str, ...] = DEFAULT_TYPES
    beta: float = 1.0
    split_summaries: bool = False

    def __post_init__(self) -> None:
        """Check every option."""
        if isinstance(self.types, str) or not isinstance(self.types, Sequence) or not self.types:
            fail(TypeError, "rouge_types", "a list of ROUGE types", shown(self.types))
        for i, name in enumerate(self.types):
            if not isinstance(name, str) or not re.fullmatch(r"rouge([1-9][0-9]*|L|Lsum)", name):
                allowed = "'rougeL', 'rougeLsum' or 'rouge' and an order of at least 1"
                fail(ValueError, f"rouge_types[{i}]", allowed, shown(name))
        non_negative_float("beta", self.beta)
        flag("split_summaries", self.split_summaries)

    @property
    def max_order(self) -> int:
        """The highest n-gram order among the types, 0 if there is none."""
        return max((order_of(name) for name in self.types), default=0)


def order_of(name: str) -> int:
    """Return N of "rougeN", 0 for the types without an order."""
    return int(name[5:]) if name[5:].isdigit() else 0


class Rouge:
    """ROUGE, batch by batch: holds integers per segment, never text.

    Parameters
    ----------
    rouge_types, beta, split_summaries
        See `RougeOptions`.
    use_stemmer : bool
        Replace tokens of more than three characters by their Porter stems; with the
        default tokenizer only.
    tokenizer : None, str or callable str -> list
        None is `rouge_score`'s: runs of a-z and 0-9, lower-cased.

    Examples
    --------
    >>> Rouge(rouge_types=["rougeL"]).update(["the cat sat"], ["the cat sat down"]).score()
    {'rougeL': 0.8571428571428571}
    """

    def __init__(
        self,
        *,
        rouge_types: Sequence[str] | None = None,
        use_stemmer: bool = False,
        tokenizer: str | Tokenizer | Callable[[str], list[str]] | None = None,
        beta: float = 1.0,
        split_summaries: bool = False,
    ) -> None:
        """Check and keep the options."""
        flag("use_stemmer", use_stemmer)
        if tokenizer is None:
            self.tokenizer = STEMMED_ROUGE if use_stemmer else tokenizer_of("rouge")
        else:
            # As in the reference module, a tokenizer of one's own decides about stemming itself.
            self.tokenizer = tokenizer_of(tokenizer)
        types: Any = DEFAULT_TYPES if rouge_types is None else rouge_types
        if not isinstance(types, str) and isinstance(types, Sequence):
            types = tuple(dict.fromkeys(types))
        self.options = RougeOptions(types, beta, split_summaries)
        self._batches: list[IntArray] = []

    def update(self, predictions: Any, references: Any) -> Rouge:
        """Add segments; what is refused leaves everything as it was."""
        return self.update_corpus(corpus_of(predictions, references))

    def update_corpus(self, corpus: Corpus) -> Rouge:
        """Add segments that are in Arrow already."""
        lost = LostText(self.tokenizer)
        batches = [self._statistics(chunk, lost) for chunk in corpus.chunks(CHUNK)]
        self._batches += batches
        lost.warn()
        return self

    def __add__(self, other: Rouge) -> Rouge:
        """Merge two sets of segments that were scored with the same options."""
        if (self.tokenizer, self.options) != (other.tokenizer, other.options):
            fail(ValueError, "other", f"the options {self.options}", str(other.options))
        merged = Rouge(tokenizer=self.tokenizer)
        merged.options = self.options
        merged._batches = self._batches + other._batches
        return merged

    @property
    def statistics(self) -> IntArray:
        """Matches, hypothesis units and reference units: shape (n_segments, n_types, 3)."""
        if not self._batches:
            fail(ValueError, "predictions", "at least one segment", "none")
        return np.concatenate(self._batches)

    def segment_scores(self) -> FloatArray:
        """Precision, recall and F of every segment: shape (n_segments, n_types, 3)."""
        return precision_recall_f(self.statistics, self.options.beta)

    def score(
        self,
        *,
        use_aggregator: bool = True,
        aggregator: str = "mean",
        detailed: bool = False,
        seed: int | None = None,
    ) -> dict[str, Any]:
        """Return F per type.

        Parameters
        ----------
        use_aggregator : bool
            False gives the scores of all segments as lists.
        aggregator : "mean" or "bootstrap"
            "bootstrap" is the reference module's median of 1,000 resampled means, for
            the `seed` that was given to `evaluate.load`.
        detailed : bool
            True gives a dict of precision, recall and fmeasure per type.
        """
        one_of("aggregator", aggregator, AGGREGATORS)
        scores = self.segment_scores()
        if not flag("use_aggregator", use_aggregator):
            values: Any = np.moveaxis(scores, 0, -1).tolist()
        elif aggregator == "mean":
            values = scores.mean(axis=0).tolist()
        else:
            values = median_of_bootstrap_means(scores, seed).tolist()
        parts = ("precision", "recall", "fmeasure")
        if flag("detailed", detailed):
            return {t: dict(zip(parts, v, strict=True)) for t, v in zip(self.options.types, values, strict=True)}
        return {t: v[2] for t, v in zip(self.options.types, values, strict=True)}

    def _statistics(self, corpus: Corpus, lost: LostText) -> IntArray:
        hyp, ref = self.tokenizer.encode((corpus.hypotheses, corpus.references))
        lost.look(corpus, hyp, ref)
        offsets = corpus.reference_offsets
        segment_of = np.repeat(np.arange(len(corpus)), np.diff(offsets))
        paired = hyp if len(segment_of) == len(hyp) else hyp.take(segment_of)
        by_pair = self._pair_statistics(corpus, segment_of, paired, ref)
        return _best_reference(by_pair, offsets, self.options.beta)

    def _pair_statistics(self, corpus: Corpus, segment_of: IntArray, hyp: Ragged, ref: Ragged) -> IntArray:
        """Count every (hypothesis, reference) pair: int64, shape (n_pairs, n_types, 3)."""
        orders = self.options.max_order
        pair_offsets = np.arange(len(ref) + 1)
        matches = ngram_matches(hyp, ref, pair_offsets, orders)
        hyp_totals, ref_totals = ngram_totals(hyp, orders), ngram_totals(ref, orders)
        columns = []
        for name in self.options.types:
            order = order_of(name)
            if order:
                column = (matches[:, order - 1], hyp_totals[:, order - 1], ref_totals[:, order - 1])
            elif name == "rougeL":
                column = (lcs_lengths(hyp, ref), hyp.lengths, ref.lengths)
            else:
                column = self._summary_statistics(corpus, segment_of)
            columns.append(np.column_stack(column))
        return np.stack(columns, axis=1)

    def _summary_statistics(self, corpus: Corpus, segment_of: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """Union-LCS hits and token counts of the sentences of every pair."""
        sides = [
            split_sentences(column, at_end_marks=self.options.split_summaries)
            for column in (corpus.hypotheses, corpus.references)
        ]
        encoded = self.tokenizer.encode([sentences for sentences, _ in sides])
        hyp, ref = (_nested(tokens, offsets) for tokens, (_, offsets) in zip(encoded, sides, strict=True))
        hits = union_lcs_hits([hyp[i] for i in segment_of], ref)
        lengths = [np.array([sum(map(len, text)) for text in texts], np.int64) for texts in (hyp, ref)]
        return hits, lengths[0][segment_of], lengths[1]


def _nested(tokens: Ragged, sentence_offsets: IntArray) -> list[list[list[int]]]:
    values, bounds = tokens.values.tolist(), tokens.offsets.tolist()
    rows = [values[start:stop] for start, stop in zip(bounds[:-1], bounds[1:], strict=True)]
    cuts = sentence_offsets.tolist()
    return [rows[start:stop] for start, stop in zip(cuts[:-1], cuts[1:], strict=True)]


def _best_reference(counts: IntArray, offsets: IntArray, beta: float) -> IntArray:
    """Keep, per segment and type, the counts of the reference with the best F, the first of equals."""
    if len(counts) == len(offsets) - 1:
        return counts
    f = precision_recall_f(counts, beta)[..., 2]
    best = np.repeat(np.maximum.reduceat(f, offsets[:-1]), np.diff(offsets), axis=0)
    index = np.where(f == best, np.arange(len(f))[:, None], len(f))
    chosen = np.minimum.reduceat(index, offsets[:-1])
    return np.take_along_axis(counts, chosen[..., None], axis=0)


def rouge(
    predictions: Any,
    references: Any,
    *,
    use_aggregator: bool = True,
    aggregator: str = "mean",
    detailed: bool = False,
    seed: int | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Return ROUGE of a corpus: `Rouge` in one call.

    Examples
    --------
    >>> rouge(["the cat lay on the rug"], ["the cat sat on the mat"], rouge_types=["rouge1"])
    {'rouge1': 0.6666666666666666}
    """
    scored = Rouge(**options).update(predictions, references)
    return scored.score(use_aggregator=use_aggregator, aggregator=aggregator, detailed=detailed, seed=seed)
