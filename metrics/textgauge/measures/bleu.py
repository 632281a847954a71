"""BLEU of texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import engine
from ..arrays import Counts, FloatArray, IntArray
from ..checks import fail, flag, one_of, shown
from ..columns import Corpus
from ..resampling import bootstrap_interval
from ..scores.bleu import BleuScore, bleu_score, order_statistics
from ..scores.bleu_options import BleuOptions
from ..scores.exact_sums import exact_sums
from ..text import Tokenizer, prepared, tokenizer_of
from ..text.tokenizers import text_lengths
from ..threads import threads_for
from .accumulator import TextAccumulator, settings_of
from .one_call import scored, with_options_of
from .presets import PRESETS, given
from .storage import refuse_rows
from .warnings import LostText, warn_of_empty_order


class Bleu(TextAccumulator):
    """BLEU, batch by batch: holds integers per segment, never text.

    `statistics` has matches and totals per order and both lengths: shape (n_segments, 2 *
    options.counted_orders + 2), int64, or float64 for the average of reference lengths.

    Parameters
    ----------
    preset : "evaluate", "sacrebleu", "nltk", "mteval-v13a" or "moses"
        Sets every option that is None to what that tool does, see `PRESETS`. Without one
        it is "evaluate", the reference `bleu` module.
    tokenizer : str or callable str -> list
        A name in `TOKENIZERS`, or "ja-mecab", "ko-mecab", "flores101", "flores200" or
        "spm", which are sacreBLEU's own and need its extras.
    lowercase : False, True or "ascii"
        True lower-cases the text, "ascii" only A to Z and only after the tokenizer.
    strip : bool
        Remove white space at the end of every text first, as sacreBLEU does.
    smooth : bool
        The reference module's name for ``smoothing="add-one"``.
    max_order, smoothing, smooth_value, effective_order, weights, reference_length, counting
        See `BleuOptions`.

    Examples
    --------
    >>> first = Bleu().update(["the cat sat on the mat"], ["the cat sat on the mat"])
    >>> second = Bleu().update(["a dog"], [["the dog", "a dog barks"]])
    >>> (first + second).score()["translation_length"]
    8
    """

    def __init__(
        self,
        *,
        preset: str | None = None,
        tokenizer: str | Tokenizer | Callable[[str], list[str]] | None = None,
        max_order: int = 4,
        smooth: bool = False,
        smoothing: str | None = None,
        smooth_value: float | None = None,
        effective_order: bool = False,
        weights: Sequence[float] | None = None,
        reference_length: str | None = None,
        lowercase: bool | str | None = None,
        strip: bool | None = None,
        counting: str | None = None,
    ) -> None:
        """Check and keep the options."""
        super().__init__()
        chosen = PRESETS["evaluate" if preset is None else one_of("preset", preset, PRESETS)]
        if flag("smooth", smooth):
            if smoothing is not None:
                fail(ValueError, "smoothing", "None together with smooth=True", shown(smoothing))
            smoothing = "add-one"
        if smoothing is None and smooth_value is None:
            smooth_value = chosen.smooth_value
        self.options = BleuOptions(
            max_order,
            given(smoothing, chosen.smoothing),
            smooth_value,
            effective_order,
            weights,
            given(reference_length, chosen.reference_length),
            given(counting, chosen.counting),
        )
        self.lowercase = given(lowercase, chosen.lowercase)
        self.strip = given(strip, chosen.strip)
        base = tokenizer_of(given(tokenizer, chosen.tokenizer))
        self.tokenizer = prepared(base, lowercase=self.lowercase, strip=self.strip)

    @property
    def _settings(self) -> dict[str, Any]:
        text = {"lowercase": self.lowercase, "strip": self.strip, "tokenizer": self.tokenizer}
        return {**settings_of(self.options), **text}

    @property
    def signature(self) -> str:
        """What was computed, in sacreBLEU's form; more keys where an option is not sacreBLEU's."""
        return self._signature()

    @property
    def _described(self) -> dict[str, str]:
        parts = self.options.signature
        case = {False: "mixed", True: "lc", "ascii": "lc-ascii"}[self.lowercase]
        strip = {} if self.strip else {"strip": "no"}
        return {"case": case, "eff": parts.pop("eff"), "tok": self.tokenizer.signature, **parts, **strip}

    @property
    def _zero_row(self) -> npt.NDArray[np.number]:
        return np.zeros(
            2 * self.options.counted_orders + 2, "f8" if self.options.reference_length == "average" else "i8"
        )

    def _check_rows(self, rows: Counts) -> None:
        super()._check_rows(rows)
        orders = self.options.counted_orders
        n_ngrams = rows[:, -2, None] - np.arange(orders)
        is_right = rows[:, orders:-2] == np.maximum(n_ngrams, 1 if self.options.counting == "nltk" else 0)
        is_right &= rows[:, :orders] <= np.maximum(n_ngrams, 0)
        refuse_rows(is_right.all(axis=1), rows, "matches, totals and lengths that texts can have")

    @property
    def additive(self) -> FloatArray:
        """What `corpus_scores` takes sums of: shape (n_segments, n_columns)."""
        if self.options.looks_at_last_segment:
            allowed = "one that looks at no single segment, for intervals, comparisons and sums"
            fail(ValueError, "smoothing", allowed, f"{shown(self.options.smoothing)} with nltk's counting")
        return self.statistics.astype(np.float64)

    def observed_scores(self) -> dict[str, FloatArray]:
        """Return the score of the corpus, as `score` has it: shape ()."""
        return self.corpus_scores(exact_sums(self.additive).astype(np.float64))

    def corpus_scores(self, sums: FloatArray) -> dict[str, FloatArray]:
        """Score weighted sums of `additive`, shape (..., n_columns): pooled counts."""
        return {"bleu": bleu_score(sums, self.options).bleu}

    def score(
        self,
        *,
        per_segment: bool = False,
        all_orders: bool = False,
        signature: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
    ) -> dict[str, Any]:
        """Return the pooled score with the keys of the reference `bleu` module.

        Parameters
        ----------
        per_segment : bool
            Adds ``segment_bleu``, the BLEU of every segment by itself.
        all_orders : bool
            Adds ``bleu1`` to ``bleuN`` for N = max_order, each with uniform weights.
        signature : bool
            Adds ``signature``, the line that says what was computed.
        confidence, n_resamples, seed
            See `BootstrapOptions`; adds ``confidence_interval``, the bounds around ``bleu``.
        """
        bootstrap = self._bootstrap(confidence=confidence, n_resamples=n_resamples, seed=seed)
        statistics = self.statistics if len(self._some_batches) > 1 else self._batches[0]
        corpus = exact_sums(statistics)
        result = _plain(bleu_score(corpus, self.options, statistics[-1]), corpus)
        if result["bleu"] == 0:
            warn_of_empty_order(corpus, self.options.counted_orders)
        if flag("all_orders", all_orders):
            result |= self._all_orders(corpus, statistics[-1])
        if flag("per_segment", per_segment):
            result["segment_bleu"] = bleu_score(statistics, self.options).bleu.tolist()
        if flag("signature", signature):
            result["signature"] = self.signature
        if confidence is not None:
            interval = bootstrap_interval(self.additive, lambda sums: self.corpus_scores(sums)["bleu"], bootstrap)
            result["confidence_interval"] = interval.tolist()
        return result

    def _all_orders(self, corpus: npt.NDArray[np.number], last: npt.NDArray[np.number]) -> dict[str, float]:
        if self.options.weights is not None:
            fail(ValueError, "weights", "None together with all_orders=True", shown(self.options.weights))
        scores = {}
        for order in range(1, self.options.max_order + 1):
            statistics, options = order_statistics(np.stack((corpus, last)), self.options, order)
            scores[f"bleu{order}"] = float(bleu_score(statistics[0], options, statistics[1]).bleu)
        return scores

    def _counted(self, corpus: Corpus, lost: LostText) -> Counts:
        tokens = self.tokenizer.cut(corpus)
        lost.look(corpus, tokens)
        orders = self.options.counted_orders
        hypotheses, references = text_lengths(tokens)
        rows = np.empty((len(corpus), 2 * orders + 2), self._zero_row.dtype)
        rows[:, :orders] = engine.kernel.ngram_matches(tokens, orders, n_threads=threads_for(len(corpus)))
        totals = hypotheses[:, None] - np.arange(orders)
        rows[:, orders:-2] = np.maximum(totals, 1 if self.options.counting == "nltk" else 0)
        rows[:, -2] = hypotheses
        rows[:, -1] = reference_lengths(hypotheses, references, corpus.reference_offsets, self.options.reference_length)
        return rows


def reference_lengths(hypotheses: IntArray, references: IntArray, offsets: IntArray, which: str) -> Counts:
    """Choose one length among the references of every segment.

    Parameters
    ----------
    hypotheses, references : int64, shapes (n_segments,) and (n_references,)
        Their tokens.
    offsets : int64, shape (n_segments + 1,)
    which : "shortest", "closest" or "average"
        Of equally close ones the shorter.

    Returns
    -------
    shape (n_segments,)
        float64 for "average", else int64; additive.

    Examples
    --------
    >>> reference_lengths(np.array([7]), np.array([11, 8, 6]), np.array([0, 3]), "closest")
    array([6])
    """
    if len(references) == len(hypotheses):
        return references
    starts = offsets[:-1]
    if which == "shortest":
        return np.minimum.reduceat(references, starts)
    if which == "average":
        return np.add.reduceat(references, starts) / np.diff(offsets)
    distance = np.abs(references - np.repeat(hypotheses, np.diff(offsets)))
    # The smallest (distance, length) of a segment, compared as one integer.
    scale = int(references.max(initial=0)) + 1
    return np.minimum.reduceat(distance * scale + references, starts) % scale


def _plain(score: BleuScore, corpus: npt.NDArray[np.number]) -> dict[str, Any]:
    return {
        "bleu": float(score.bleu),
        "precisions": score.precisions.tolist(),
        "brevity_penalty": float(score.brevity_penalty),
        "length_ratio": float(score.length_ratio),
        "translation_length": int(corpus[-2]),
        "reference_length": corpus[-1].item(),
    }


@with_options_of(Bleu, Bleu.score)
def bleu(predictions: Any, references: Any, **options: Any) -> dict[str, Any]:
    """Return BLEU of a corpus: `Bleu` in one call.

    The options are those of `Bleu` and of its `score`.

    Examples
    --------
    >>> bleu(["the cat sat on the mat"], [["the cat sat on the mat", "a cat"]])["bleu"]
    1.0
    """
    return scored(Bleu, predictions, references, options)
