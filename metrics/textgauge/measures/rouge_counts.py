"""What ROUGE keeps of texts: counts per segment, and the scores of segments."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..columns import Corpus
from ..ragged import FloatArray, IntArray, lengths_of, offsets_of
from ..scores.rouge import precision_recall_f
from ..scores.rouge_options import RougeOptions
from .accumulator import settings_of
from .averages import AveragedScores
from .rouge_pairs import Counts, Pairs, ScriptPairs
from .rouge_references import over_references
from .rouge_texts import limited_column, rouge_texts
from .storage import refuse_values
from .warnings import SummaryNotes


class RougeCounts(AveragedScores):
    """Counts of ROUGE per segment; `Rouge` says what stands in a row."""

    options: RougeOptions
    _is_unstemmed: bool

    @property
    def _settings(self) -> dict[str, Any]:
        return {**settings_of(self.options), "tokenizer": self.tokenizer}

    @property
    def _described(self) -> dict[str, str]:
        return {**self.options.signature, "tok": self.tokenizer.signature}

    @property
    def _zero_row(self) -> Counts:
        return np.zeros((len(self.options.types), 3), np.float64 if self.options.is_weighted else np.int64)

    @property
    def _rows(self) -> list[Counts]:
        return [counts for counts, _ in self._batches]

    @property
    def _rows_per_segment(self) -> IntArray | None:
        return self.n_trials if self.options.has_trials else None

    def _take_rows(self, rows: Counts, per_segment: IntArray | None) -> None:
        self._batches = [(rows, np.ones(len(rows), np.int64) if per_segment is None else per_segment)]

    def _check_rows(self, rows: Counts) -> None:
        if not self.options.is_weighted:
            super()._check_rows(rows)
        refuse_values(rows, (rows >= 0) & np.isfinite(rows), "finite sums of at least 0")

    @property
    def n_trials(self) -> IntArray:
        """How many rows of `statistics` each segment has: int64, shape (n_segments,)."""
        return np.concatenate([np.zeros(0, np.int64), *(n_trials for _, n_trials in self._batches)])

    def _scored(self, batch: tuple[Counts, IntArray]) -> FloatArray:
        """Precision, recall and F of every segment: shape (n_segments, n_types, 3)."""
        (counts, n_trials), options = batch, self.options
        scores = precision_recall_f(
            counts, options.beta, alpha=options.alpha, weights=options.weights, rounded=options.is_script
        )
        if len(scores) == len(n_trials):
            return scores
        return np.add.reduceat(scores, offsets_of(n_trials)[:-1]) / n_trials[:, None, None]

    @property
    def score_names(self) -> tuple[str, ...]:
        """The types, whose F is averaged."""
        return self.options.types

    def score_columns(self) -> FloatArray:
        """Return F of every segment: shape (n_segments, n_types)."""
        return self.segment_scores()[..., 2]

    def by_name(self, values: Any, *, detailed: bool = False) -> dict[str, Any]:
        """Name what stands in the place of precision, recall and F of every type."""
        if detailed:
            parts = ("precision", "recall", "fmeasure")
            return {t: dict(zip(parts, v, strict=True)) for t, v in zip(self.options.types, values, strict=True)}
        return {t: v[2] for t, v in zip(self.options.types, values, strict=True)}

    def as_read(self, corpus: Corpus) -> Corpus:
        """Return the texts up to `max_words` or `max_bytes`."""
        hypotheses, references = (limited_column(side, self.options) for side in (corpus.hypotheses, corpus.references))
        return Corpus(hypotheses, references, corpus.reference_offsets, corpus.first)

    def _lost(self) -> SummaryNotes:
        return SummaryNotes(self.tokenizer, is_unstemmed=self._is_unstemmed)

    def _counted(self, corpus: Corpus, lost: SummaryNotes) -> tuple[Counts, IntArray]:
        """Count a chunk: the rows of all trials, and the number of trials per segment."""
        options, offsets = self.options, corpus.reference_offsets
        hyp, ref = rouge_texts([corpus.hypotheses, corpus.references], self.tokenizer, corpus.place, options)
        lost.look(corpus, hyp.tokens, ref.tokens)
        if options.splits_at_newlines:
            lost.look_for_lines(corpus, (hyp, ref))
        if len(corpus.references) != len(corpus):
            hyp = hyp.take(np.repeat(np.arange(len(corpus)), lengths_of(offsets)))
        pairs = (ScriptPairs if options.is_script else Pairs)(hyp, ref, options)
        return over_references(
            pairs.counts(), offsets, options.multi_reference, jackknife=options.jackknife, merits=pairs.merits
        )
