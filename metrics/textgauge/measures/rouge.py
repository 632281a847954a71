"""ROUGE of texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..checks import fail, flag, one_of
from ..columns import Corpus, corpus_of
from ..counts import Groups, Masks, Sides, lcs_lengths, ngram_matches, ngram_totals, unigram_groups, union_lcs_hits
from ..ragged import IntArray
from ..resampling import BootstrapOptions, mean_intervals, median_of_bootstrap_means
from ..scores.rouge import DEFAULT_TYPES, FloatArray, RougeOptions, best_reference, order_of, precision_recall_f
from ..signatures import reference_counts
from ..signatures import signature as signed
from ..text import STEMMED_ROUGE, Tokenizer, tokenizer_of
from .averages import AveragedScores
from .texts import Texts, split_texts_of, texts_of
from .warnings import LostText

AGGREGATORS = ("mean", "bootstrap")


class Rouge(AveragedScores):
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
        self._n_references: frozenset[int] = frozenset()

    def update(self, predictions: Any, references: Any) -> Rouge:
        """Add segments; what is refused leaves everything as it was."""
        return self.update_corpus(corpus_of(predictions, references))

    def update_corpus(self, corpus: Corpus) -> Rouge:
        """Add segments that are in Arrow already."""
        lost = LostText(self.tokenizer)
        batches = [self._statistics(chunk, lost) for chunk in corpus.chunks()]
        self._batches += batches
        self._n_references |= reference_counts(corpus.reference_offsets)
        lost.warn()
        return self

    def __add__(self, other: Rouge) -> Rouge:
        """Merge two sets of segments that were scored with the same options."""
        if (self.tokenizer, self.options) != (other.tokenizer, other.options):
            fail(ValueError, "other", f"the options {self.options}", str(other.options))
        merged = Rouge(tokenizer=self.tokenizer)
        merged.options = self.options
        merged._batches = self._batches + other._batches
        merged._n_references = self._n_references | other._n_references
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

    @property
    def score_names(self) -> tuple[str, ...]:
        """The types, whose F is averaged."""
        return self.options.types

    def score_columns(self) -> FloatArray:
        """Return F of every segment: shape (n_segments, n_types)."""
        return self.segment_scores()[..., 2]

    def score(
        self,
        *,
        use_aggregator: bool = True,
        aggregator: str = "mean",
        detailed: bool = False,
        confidence: float | None = None,
        n_resamples: int = 1000,
        seed: int | None = None,
        signature: bool = False,
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
        confidence, n_resamples, seed
            See `BootstrapOptions`; adds ``confidence_intervals``, those of the means, in the
            form of the scores.
        signature : bool
            Adds ``signature``, the line that says what was computed.
        """
        bootstrap = BootstrapOptions(confidence, n_resamples, seed)
        one_of("aggregator", aggregator, AGGREGATORS)
        scores = self.segment_scores()
        if not flag("use_aggregator", use_aggregator):
            values: Any = np.moveaxis(scores, 0, -1).tolist()
            aggregator = "none"
        elif aggregator == "mean":
            values = scores.mean(axis=0).tolist()
        else:
            values = median_of_bootstrap_means(scores, seed).tolist()
            aggregator = f"bootstrap[{bootstrap.seed}]"
        result = self._by_type(values, detailed=flag("detailed", detailed))
        if confidence is not None:
            intervals = mean_intervals(scores, bootstrap).tolist()
            result["confidence_intervals"] = self._by_type(intervals, detailed=detailed)
        if flag("signature", signature):
            result["signature"] = self._signature(aggregator)
        return result

    def _by_type(self, values: Any, *, detailed: bool) -> dict[str, Any]:
        """Name precision, recall and F of every type."""
        if detailed:
            parts = ("precision", "recall", "fmeasure")
            return {t: dict(zip(parts, v, strict=True)) for t, v in zip(self.options.types, values, strict=True)}
        return {t: v[2] for t, v in zip(self.options.types, values, strict=True)}

    def _signature(self, aggregator: str) -> str:
        parts = {**self.options.signature, "tok": self.tokenizer.signature, "agg": aggregator}
        return signed(self._n_references, parts)

    def _statistics(self, corpus: Corpus, lost: LostText) -> IntArray:
        columns = [corpus.hypotheses, corpus.references]
        if "rougeLsum" in self.options.types:
            at_end_marks = self.options.split_summaries
            hyp, ref = split_texts_of(columns, self.tokenizer, corpus.place, at_end_marks=at_end_marks)
        else:
            hyp, ref = texts_of(columns, self.tokenizer, corpus.place)
        lost.look(corpus, hyp.tokens, ref.tokens)
        offsets = corpus.reference_offsets
        if len(corpus.references) != len(corpus):
            hyp = hyp.take(np.repeat(np.arange(len(corpus)), np.diff(offsets)))
        return best_reference(self._pair_statistics(hyp, ref), offsets, self.options.beta)

    def _pair_statistics(self, hyp: Texts, ref: Texts) -> IntArray:
        """Count every (hypothesis, reference) pair: int64, shape (n_pairs, n_types, 3)."""
        types, orders = self.options.types, self.options.max_order
        sides = Sides.of(hyp.tokens, ref.tokens, np.arange(len(ref.tokens) + 1))
        unigrams = unigram_groups(sides)
        masks = Masks.of(unigrams, sides)
        ngrams = ngram_matches(sides, orders, unigrams, masks)
        hyp_totals, ref_totals = ngram_totals(hyp.tokens, orders), ngram_totals(ref.tokens, orders)
        lcs = lcs_lengths(unigrams, sides, masks) if {"rougeL", "rougeLsum"} & {*types} else np.zeros(0, np.int64)
        counts = np.empty((len(ref.tokens), len(types), 3), np.int64)
        for i, name in enumerate(types):
            column = order_of(name) - 1
            if name == "rougeL":
                parts = (lcs, hyp.tokens.lengths, ref.tokens.lengths)
            elif name == "rougeLsum":
                parts = (_summary_hits(hyp, ref, lcs, sides, unigrams), hyp.joined.lengths, ref.joined.lengths)
            else:
                parts = (ngrams[:, column], hyp_totals[:, column], ref_totals[:, column])
            counts[:, i, 0], counts[:, i, 1], counts[:, i, 2] = parts
        return counts


def _summary_hits(hyp: Texts, ref: Texts, lcs: IntArray, sides: Sides, unigrams: Groups) -> IntArray:
    """Count the union LCS of every pair; of two single sentences it is their LCS."""
    split = (np.diff(hyp.sentence_offsets) != 1) | (np.diff(ref.sentence_offsets) != 1)
    if not split.any():
        return lcs
    if hyp.tokens.values is not hyp.sentences.values:
        sides = Sides.of(hyp.joined, ref.joined, np.arange(len(ref.tokens) + 1))
        unigrams = unigram_groups(sides)
    groups = unigrams.where(split[unigrams.segments(sides)])
    return np.where(split, union_lcs_hits(groups, sides.cut(hyp.sentences, ref.sentences)), lcs)


def rouge(
    predictions: Any,
    references: Any,
    *,
    use_aggregator: bool = True,
    aggregator: str = "mean",
    detailed: bool = False,
    confidence: float | None = None,
    n_resamples: int = 1000,
    seed: int | None = None,
    signature: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """Return ROUGE of a corpus: `Rouge` in one call.

    Examples
    --------
    >>> rouge(["the cat lay on the rug"], ["the cat sat on the mat"], rouge_types=["rouge1"])
    {'rouge1': 0.6666666666666666}
    """
    scored = Rouge(**options).update(predictions, references)
    return scored.score(
        use_aggregator=use_aggregator, aggregator=aggregator, detailed=detailed, confidence=confidence,
        n_resamples=n_resamples, seed=seed, signature=signature,
    )  # fmt: skip
