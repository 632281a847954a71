"""ROUGE of texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..arrays import Counts, FloatArray, IntArray, offsets_of
from ..checks import fail, flag, one_of, shown
from ..columns import Corpus
from ..resampling import median_of_bootstrap_means
from ..scores.rouge import precision_recall_f
from ..scores.rouge_options import SCRIPT, rouge_options
from ..text import STEMMED_ROUGE, TOKENIZERS, Tokenizer, irregular_forms, tokenizer_of, words_of
from .accumulator import settings_of
from .averages import AveragedScores
from .one_call import scored, with_options_of
from .rouge_counts import Pairs, ScriptPairs, as_read, over_references, rouge_tokens
from .script_averages import average_of_counts, average_of_scores
from .storage import refuse_rows, refuse_values
from .warnings import SummaryNotes

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
        default tokenizer only: another name is refused; a callable stems by itself, as in the
        reference module, and one warning says so. nltk's form of the stemmer, with the preset
        the script's.
    tokenizer : None, str or callable str -> list
        None and "rouge" are `rouge_score`'s: runs of a-z and 0-9, lower-cased.
    stopwords : path of a file with one word a line, or collection of str, optional
        Tokens to leave out, compared before stemming.
    exceptions : path of a folder with ``*.exc`` files, optional
        WordNet's irregular forms ("mice mouse"), which `use_stemmer` looks up before it stems;
        refused without it.

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
        weight: float | None = None,
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
        self._is_unstemmed = use_stemmer and is_own(tokenizer)

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
        is_weighted = np.array([kind.kind == "W" for kind in self.options.kinds])
        is_right = is_weighted | ((rows[..., 0] <= rows[..., 1]) & (rows[..., 0] <= rows[..., 2]))
        refuse_rows(np.asarray(is_right.all(axis=1)), rows, "no more matches than either side has")

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
        return as_read(corpus, self.options)

    def _lost(self) -> SummaryNotes:
        return SummaryNotes(self.tokenizer, is_unstemmed=self._is_unstemmed)

    def _counted(self, corpus: Corpus, lost: SummaryNotes) -> tuple[Counts, IntArray]:
        """Count a chunk: the rows of all trials, and the number of trials per segment."""
        tokens = rouge_tokens(corpus, self.tokenizer, self.options)
        lost.look(corpus, tokens)
        if self.options.splits_at_newlines:
            lost.look_for_lines(corpus, tokens)
        pairs = (ScriptPairs if self.options.is_script else Pairs)(tokens, self.options)
        return over_references(pairs.counts(), pairs, corpus.reference_offsets)

    @classmethod
    def idle(cls, *, use_aggregator: bool = True, aggregator: str | None = None, **drawn: Any) -> dict[str, str]:
        """Say which options of `score` change nothing beside the others, and what they need."""
        idle = super().idle(**drawn)
        if not use_aggregator:
            idle["aggregator"] = "with use_aggregator=False"
        elif aggregator == "bootstrap":
            idle.pop("seed", None)
        return idle

    @classmethod
    def check_reports(cls, *, aggregator: str | None = None, **others: Any) -> None:
        """Raise for options of `score` that could not work."""
        if aggregator is not None:
            one_of("aggregator", aggregator, AGGREGATORS)
        super().check_reports(**others)

    def score(
        self,
        *,
        use_aggregator: bool = True,
        aggregator: str | None = None,
        detailed: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        signature: bool = False,
    ) -> dict[str, Any]:
        """Return F per type.

        Parameters
        ----------
        use_aggregator : bool
            False gives the scores of all segments as lists; an aggregator is refused then.
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
        bootstrap = self._bootstrap(
            confidence=confidence, n_resamples=n_resamples, seed=seed, aggregator=aggregator,
            use_aggregator=flag("use_aggregator", use_aggregator),
        )  # fmt: skip
        default = SCRIPT if self.options.is_script else "mean"
        aggregator = one_of("aggregator", default if aggregator is None else aggregator, AGGREGATORS)
        values: Any
        if use_aggregator:
            values = self._aggregated(aggregator, seed).tolist()
        else:
            values, aggregator = np.moveaxis(self.segment_scores(), 0, -1).tolist(), "none"
        result = self.by_name(values, detailed=flag("detailed", detailed))
        result |= self._intervals(bootstrap, detailed=detailed)
        if flag("signature", signature):
            name = f"bootstrap[{bootstrap.seed}]" if aggregator == "bootstrap" else aggregator
            result["signature"] = self._signature(agg=name)
        return result

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


def rouge_tokenizer(
    tokenizer: str | Tokenizer | Callable[[str], list[str]] | None,
    *,
    preset: str | None,
    use_stemmer: bool,
    stopwords: str | os.PathLike[str] | Iterable[str] | None,
    exceptions: str | os.PathLike[str] | None,
) -> Tokenizer:
    """Return the tokenizer, with stop words and stems behind it."""
    flag("use_stemmer", use_stemmer)
    if preset and tokenizer is not None:
        fail(ValueError, "tokenizer", f"none beside preset={preset!r}, which has its own", shown(tokenizer))
    base = tokenizer_of(SCRIPT if preset else "rouge" if tokenizer is None else tokenizer)
    can_stem = preset is not None or base == TOKENIZERS["rouge"]
    if use_stemmer and not can_stem and not is_own(tokenizer):
        fail(ValueError, "use_stemmer", "False beside a tokenizer other than 'rouge'", shown(use_stemmer))
    words = frozenset() if stopwords is None else words_of(stopwords)
    forms = () if exceptions is None else irregular_forms(exceptions)
    stems = use_stemmer and can_stem
    if exceptions is not None and not stems:
        fail(ValueError, "exceptions", "None without use_stemmer=True and its tokenizer", shown(exceptions))
    if not preset and not words and not forms:
        return STEMMED_ROUGE if stems else base
    if not stems and not words:
        return base
    return base.with_options(
        stop_words=words, stemmer=("porter155" if preset else "porter") if stems else "", irregular=forms
    )


def is_own(tokenizer: object) -> bool:
    """Say whether a tokenizer is a function of the user's, which stems by itself if at all."""
    return callable(tokenizer) and not isinstance(tokenizer, Tokenizer)
