"""BLEU of texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..checks import fail
from ..columns import Corpus, corpus_of
from ..counts import Sides, ngram_matches, ngram_totals
from ..ragged import IntArray, Ragged
from ..scores.bleu import BleuOptions, BleuScore, bleu_score
from ..text import Tokenizer, tokenizer_of
from .warnings import LostText


class Bleu:
    """BLEU, batch by batch: holds integers per segment, never text.

    Parameters
    ----------
    tokenizer : str or callable str -> list
    max_order, smooth, reference_length, weights
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
        tokenizer: str | Tokenizer | Callable[[str], list[str]] = "13a",
        max_order: int = 4,
        smooth: bool = False,
        reference_length: str = "shortest",
        weights: Sequence[float] | None = None,
    ) -> None:
        """Check and keep the options."""
        self.tokenizer = tokenizer_of(tokenizer)
        self.options = BleuOptions(max_order, smooth, reference_length, weights)
        self._batches: list[npt.NDArray[np.number]] = []

    def update(self, predictions: Any, references: Any) -> Bleu:
        """Add segments; what is refused leaves everything as it was."""
        return self.update_corpus(corpus_of(predictions, references))

    def update_corpus(self, corpus: Corpus) -> Bleu:
        """Add segments that are in Arrow already."""
        lost = LostText(self.tokenizer)
        batches = [self._statistics(chunk, lost) for chunk in corpus.chunks()]
        self._batches += batches
        lost.warn()
        return self

    def __add__(self, other: Bleu) -> Bleu:
        """Merge two sets of segments that were scored with the same options."""
        if (self.tokenizer, self.options) != (other.tokenizer, other.options):
            fail(ValueError, "other", f"the options {self.options}", str(other.options))
        merged = Bleu(tokenizer=self.tokenizer)
        merged.options = self.options
        merged._batches = self._batches + other._batches
        return merged

    @property
    def statistics(self) -> npt.NDArray[np.number]:
        """One additive row per segment: shape (n_segments, 2 * max_order + 2)."""
        if not self._batches:
            fail(ValueError, "predictions", "at least one segment", "none")
        return np.concatenate(self._batches)

    def score(self, *, per_segment: bool = False) -> dict[str, Any]:
        """Return the pooled score with the keys of the reference `bleu` module.

        `per_segment` adds ``segment_bleu``, the BLEU of every segment by itself.
        """
        statistics = self.statistics
        corpus = statistics.sum(axis=0)
        score = bleu_score(corpus, self.options)
        result = _plain(score, corpus)
        if per_segment:
            result["segment_bleu"] = bleu_score(statistics, self.options).bleu.tolist()
        return result

    def _statistics(self, corpus: Corpus, lost: LostText) -> npt.NDArray[np.number]:
        hyp, ref = self.tokenizer.encode((corpus.hypotheses, corpus.references))
        lost.look(corpus, hyp, ref)
        order = self.options.max_order
        lengths = _reference_lengths(hyp, ref, corpus.reference_offsets, self.options.reference_length)
        return np.column_stack(
            (
                ngram_matches(Sides.of(hyp, ref, corpus.reference_offsets), order),
                ngram_totals(hyp, order),
                hyp.lengths,
                lengths,
            )
        )


def _reference_lengths(hyp: Ragged, ref: Ragged, offsets: IntArray, which: str) -> npt.NDArray[np.number]:
    """Return the reference length of every segment; float64 for "average", else int64."""
    starts, lengths = offsets[:-1], ref.lengths
    if which == "shortest":
        return np.minimum.reduceat(lengths, starts)
    if which == "average":
        return np.add.reduceat(lengths, starts) / np.diff(offsets)
    distance = np.abs(lengths - np.repeat(hyp.lengths, np.diff(offsets)))
    # The smallest (distance, length) of a segment, compared as one integer.
    scale = int(lengths.max(initial=0)) + 1
    return np.minimum.reduceat(distance * scale + lengths, starts) % scale


def _plain(score: BleuScore, corpus: npt.NDArray[np.number]) -> dict[str, Any]:
    return {
        "bleu": float(score.bleu),
        "precisions": score.precisions.tolist(),
        "brevity_penalty": float(score.brevity_penalty),
        "length_ratio": float(score.length_ratio),
        "translation_length": int(corpus[-2]),
        "reference_length": corpus[-1].item(),
    }


def bleu(predictions: Any, references: Any, *, per_segment: bool = False, **options: Any) -> dict[str, Any]:
    """Return BLEU of a corpus: `Bleu` in one call.

    Examples
    --------
    >>> bleu(["the cat sat on the mat"], [["the cat sat on the mat", "a cat"]])["bleu"]
    1.0
    """
    return Bleu(**options).update(predictions, references).score(per_segment=per_segment)
