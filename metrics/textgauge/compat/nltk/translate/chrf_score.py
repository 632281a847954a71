"""`nltk.translate.chrf_score`: chrF of texts, or of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from .... import engine
from ....accumulation.accumulator import rows_of
from ....checks import fail, shown
from ....input.columns import corpus_of
from ....measures.chrf import Chrf
from ... import NO_NOTES, accumulator_with, rest_when_asked
from ..tokens import check_lengths

__all__ = ["corpus_chrf", "sentence_chrf"]


def sentence_chrf(
    reference: str | Iterable[str], hypothesis: str | Iterable[str], min_len: int = 1, max_len: int = 6,
    beta: float = 3.0, ignore_whitespace: bool = True,
) -> float:  # fmt: skip
    """Return chrF of one text or list of tokens; see `corpus_chrf`.

    Examples
    --------
    >>> round(sentence_chrf("the cat is on the mat", "the the the the the the the"), 4)
    0.1468
    """
    return corpus_chrf([reference], [hypothesis], min_len, max_len, beta, ignore_whitespace)


def corpus_chrf(
    references: Sequence[str | Iterable[str]], hypotheses: Sequence[str | Iterable[str]], min_len: int = 1,
    max_len: int = 6, beta: float = 3.0, ignore_whitespace: bool = True,
) -> float:  # fmt: skip
    """Return the mean over segments of chrF, which averages F over orders, from 0 to 1.

    It is not sacreBLEU's chrF, which sums counts over segments and averages precision and recall: that is
    `textgauge.chrf`.

    Parameters
    ----------
    references, hypotheses : list of str, or of lists of tokens
        One reference for each hypothesis; tokens are joined by spaces.
    min_len, max_len : int
        The lowest and the highest order of n-grams of characters.
    beta : float
        In F, recall is beta times as important as precision.
    ignore_whitespace : bool
        Leave white space out.

    Examples
    --------
    >>> round(corpus_chrf(["a cat", "the dog"], [["a", "cat"], "a dog"], max_len=2), 4)
    0.7335
    """
    check_lengths("references", references, hypotheses)
    if not 1 <= min_len <= max_len:
        fail(ValueError, "min_len", f"a whole number from 1 to `max_len={max_len}`", shown(min_len))
    accumulator = accumulator_with(
        Chrf, char_order=max_len, beta=beta, eps_smoothing=True, whitespace=not ignore_whitespace
    )
    texts = [
        [segment if isinstance(segment, str) else " ".join(segment) for segment in side]
        for side in (hypotheses, references)
    ]
    engine.warn_if_plain()
    counts = np.concatenate([rows.values for rows in rows_of(accumulator, corpus_of(*texts), NO_NOTES)])
    of_orders = counts.reshape(len(counts), 3, max_len)[:, :, min_len - 1 :].reshape(len(counts), -1)
    return float(np.mean(engine.kernel.chrf_scores(of_orders, float(beta), True)))


__getattr__ = rest_when_asked("nltk.translate.chrf_score")
