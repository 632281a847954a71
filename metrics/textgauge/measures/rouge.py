"""ROUGE of texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..checks import fail, flag, one_of
from ..columns import Corpus
from ..ragged import FloatArray, IntArray, lengths_of, offsets_of
from ..resampling import BootstrapOptions, median_of_bootstrap_means
from ..scores.rouge import precision_recall_f
from ..scores.rouge_options import SCRIPT, rouge_options
from ..scores.rouge_types import DEFAULT_WEIGHT
from ..text import Tokenizer
from .accumulator import settings_of
from .averages import AveragedScores
from .one_call import scored, with_options_of
from .rouge_pairs import Counts, Pairs, ScriptPairs
from .rouge_references import over_references
from .rouge_texts import rouge_texts, rouge_tokenizer
from .script_averages import average_of_counts, average_of_scores
from .storage import refuse_values
from .warnings import LostText

PER_TOKEN = f"{SCRIPT}-per-token"
AGGREGATORS = ("mean", "bootstrap", SCRIPT, PER_TOKEN)


class Rouge(AveragedScores):
    """ROUGE, batch by batch: holds counts per segment, never text.

    `statistics` has matches, hypothesis units and reference units: shape (n_segments, n_types,
    3), int64, or float64 with "rougeW" among the types. With `jackknife`, or the average over
    several references, a segment has a row for each of its `n_trials`.

    Parameters
    ----------
    rouge_types, beta, alpha, weight, split_summaries, multi_reference, jackknife, max_words, max_bytes, preset
        See `RougeOptions`.
    use_stemmer : bool
        Replace tokens of more than three characters by their Porter stems; with the
        default tokenizer only. nltk's form of the stemmer, with the preset the script's.
    tokenizer : None, str or callable str -> list
        None is `rouge_score`'s: runs of a-z and 0-9, lower-cased.
    stopwords : path of a file with one word a line, or collection of str, optional
        Tokens to leave out, compared before stemming.
    exceptions : path of a folder with ``*.exc`` files, optional
        WordNet's irregular forms ("mice mouse"), which `use_stemmer` looks up before it stems.

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
        beta: float | None = None,
        alpha: float | None = None,
        weight: float = DEFAULT_WEIGHT,
        split_summaries: bool = False,
        multi_reference: str | None = None,
        jackknife: bool = False,
        stopwords: str | os.PathLike[str] | Iterable[str] | None = None,
        exceptions: str | os.PathLike[str] | None = None,
        max_words: int | None = None,
        max_bytes: int | None = None,
        preset: str | None = None,
    ) -> None:
        """Check and keep the options."""
        super().__init__()
        self.options = rouge_options(
            rouge_types, preset=preset, beta=beta, alpha=alpha, weight=weight, split_summaries=split_summaries,
            multi_reference=multi_reference, jackknife=jackknife, max_words=max_words, max_bytes=max_bytes,
        )  # fmt: skip
        self.tokenizer = rouge_tokenizer(
            tokenizer, preset=preset, use_stemmer=use_stemmer, stopwords=stopwords, exceptions=exceptions
        )

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

    def segment_scores(self) -> FloatArray:
        """Precision, recall and F of every segment: shape (n_segments, n_types, 3)."""
        options = self.options
        scores = precision_recall_f(
            self.statistics, options.beta, alpha=options.alpha, weights=options.weights, rounded=options.is_script
        )
        n_trials = self.n_trials
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

    def score(
        self,
        *,
        use_aggregator: bool = True,
        aggregator: str | None = None,
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
        aggregator : "mean", "bootstrap", "rouge-1.5.5" or "rouge-1.5.5-per-token"
            "bootstrap" is the reference module's median of 1,000 resampled means, for
            the `seed` that was given to `evaluate.load`. "rouge-1.5.5" is what the script
            prints as the average: the mean over its 1,000 resamples, which depend on the order
            of the segments; "rouge-1.5.5-per-token" is that of its option -t 1, which sums
            counts over segments. The default is "mean", with the preset "rouge-1.5.5".
        detailed : bool
            True gives a dict of precision, recall and fmeasure per type.
        confidence, n_resamples, seed
            See `BootstrapOptions`; adds ``confidence_intervals``, those of the means, in the
            form of the scores.
        signature : bool
            Adds ``signature``, the line that says what was computed.
        """
        bootstrap = BootstrapOptions(confidence, n_resamples, seed)
        default = SCRIPT if self.options.is_script else "mean"
        aggregator = one_of("aggregator", default if aggregator is None else aggregator, AGGREGATORS)
        values: Any
        if flag("use_aggregator", use_aggregator):
            values = self._aggregated(aggregator, seed).tolist()
        else:
            values, aggregator = np.moveaxis(self.segment_scores(), 0, -1).tolist(), "none"
        result = self.by_name(values, detailed=flag("detailed", detailed))
        result |= self._intervals(bootstrap, detailed=detailed)
        if flag("signature", signature):
            name = f"bootstrap[{bootstrap.seed}]" if aggregator == "bootstrap" else aggregator
            result["signature"] = self._signature(agg=name)
        return result

    def by_name(self, values: Any, *, detailed: bool = False) -> dict[str, Any]:
        """Name what stands in the place of precision, recall and F of every type."""
        if detailed:
            parts = ("precision", "recall", "fmeasure")
            return {t: dict(zip(parts, v, strict=True)) for t, v in zip(self.options.types, values, strict=True)}
        return {t: v[2] for t, v in zip(self.options.types, values, strict=True)}

    def _aggregated(self, aggregator: str, seed: int | None) -> FloatArray:
        """Return precision, recall and F of the corpus: shape (n_types, 3)."""
        if aggregator == PER_TOKEN:
            if (self.n_trials != 1).any():
                fail(ValueError, "aggregator", "another one beside averages over references", PER_TOKEN)
            return average_of_counts(self.statistics, self.options.f_alpha).average
        if aggregator == "mean":
            return self.mean_scores()
        scores = self.segment_scores()
        return average_of_scores(scores).average if aggregator == SCRIPT else median_of_bootstrap_means(scores, seed)

    def _counted(self, corpus: Corpus, lost: LostText) -> tuple[Counts, IntArray]:
        """Count a chunk: the rows of all trials, and the number of trials per segment."""
        options, offsets = self.options, corpus.reference_offsets
        hyp, ref = rouge_texts([corpus.hypotheses, corpus.references], self.tokenizer, corpus.place, options)
        lost.look(corpus, hyp.tokens, ref.tokens)
        if len(corpus.references) != len(corpus):
            hyp = hyp.take(np.repeat(np.arange(len(corpus)), lengths_of(offsets)))
        pairs = (ScriptPairs if options.is_script else Pairs)(hyp, ref, options)
        return over_references(
            pairs.counts(), offsets, options.multi_reference, jackknife=options.jackknife, merits=pairs.merits
        )


@with_options_of(Rouge, Rouge.score)
def rouge(predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
    """Return ROUGE of a corpus: `Rouge` in one call.

    The options are those of `Rouge` and of its `score`.

    Examples
    --------
    >>> rouge(["the cat lay on the rug"], ["the cat sat on the mat"], rouge_types=["rouge1"])
    {'rouge1': 0.6666666666666666}
    """
    return scored(Rouge, predictions, references, options)
