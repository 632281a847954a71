"""`nltk.translate.nist_score`: NIST of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....measures.nist_mt import NistMt
from ... import accumulator_with, rest_when_asked
from ..tokens import Segment, counted

__all__ = ["corpus_nist", "sentence_nist"]


def sentence_nist(references: Iterable[Segment], hypothesis: Segment, n: int = 5) -> float:
    """Return NIST of one hypothesis, a list of tokens; see `corpus_nist`.

    Examples
    --------
    >>> round(sentence_nist(["the cat sat".split(), "a cat sat down".split()], "the cat sat down".split(), n=2), 4)
    1.9388
    """
    return corpus_nist([references], [hypothesis], n)


def corpus_nist(list_of_references: Sequence[Iterable[Segment]], hypotheses: Sequence[Segment], n: int = 5) -> float:
    """Return NIST of a corpus, `textgauge.nist_mt` with nltk's counting; it has no upper bound.

    Where no hypothesis is long enough for an order, it adds 0, with a warning; nltk divides by zero.

    Parameters
    ----------
    list_of_references : list of lists of lists of tokens
        For each hypothesis its references.
    hypotheses : list of lists of tokens
    n : int
        The highest order of n-grams.

    Examples
    --------
    >>> corpus_nist([[["a", "cat"]], [["the", "dog"]]], [["a", "cat"], ["a", "dog"]], n=1)
    1.5
    """
    accumulator = accumulator_with(NistMt, n=n, western_lang=False)
    return float(counted(accumulator, list_of_references, hypotheses).score()["nist_mt"])


__getattr__ = rest_when_asked("nltk.translate.nist_score")
