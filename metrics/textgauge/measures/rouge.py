"""ROUGE of texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..checks import fail, flag, one_of
from ..ragged import FloatArray
from ..resampling import median_of_bootstrap_means
from ..scores.rouge_options import SCRIPT, rouge_options
from ..text import Tokenizer
from .one_call import scored, with_options_of
from .rouge_counts import RougeCounts
from .rouge_texts import is_own, rouge_tokenizer
from .script_averages import average_of_counts, average_of_scores

PER_TOKEN = f"{SCRIPT}-per-token"
AGGREGATORS = ("mean", "bootstrap", SCRIPT, PER_TOKEN)


class Rouge(RougeCounts):
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

    @classmethod
    def idle(cls, *, use_aggregator: bool = True, aggregator: str | None = None, **drawn: Any) -> dict[str, str]:
        """Say which options of `score` change nothing beside the others, and what they need."""
        idle = super().idle(**drawn)
        if not use_aggregator:
            idle["aggregator"] = "with use_aggregator=False"
        elif aggregator == "bootstrap":
            idle.pop("seed", None)
        return idle

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
