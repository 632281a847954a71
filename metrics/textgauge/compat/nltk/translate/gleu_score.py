"""`nltk.translate.gleu_score`: Google BLEU of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....measures.google_bleu import GoogleBleu
from ... import accumulator_with, rest_when_asked
from ..tokens import Segment, counted

__all__ = ["corpus_gleu", "sentence_gleu"]


def sentence_gleu(references: Iterable[Segment], hypothesis: Segment, min_len: int = 1, max_len: int = 4) -> float:
    """Return Google BLEU of one hypothesis, a list of tokens; see `corpus_gleu`.

    Examples
    --------
    >>> sentence_gleu(["the cat is on the mat".split()], "the the the the the the the".split())
    0.09090909090909091
    """
    return corpus_gleu([references], [hypothesis], min_len, max_len)


def corpus_gleu(
    list_of_references: Sequence[Iterable[Segment]], hypotheses: Sequence[Segment], min_len: int = 1, max_len: int = 4
) -> float:
    """Return Google BLEU of a corpus, `textgauge.google_bleu`, from 0 to 1.

    Parameters
    ----------
    list_of_references : list of lists of lists of tokens
        For each hypothesis its references.
    hypotheses : list of lists of tokens
    min_len, max_len : int
        The lowest and the highest order of n-grams.

    Examples
    --------
    >>> corpus_gleu([[["a", "cat"]], [["the", "dog", "barks"]]], [["a", "cat"], ["a", "dog"]])
    0.4444444444444444
    """
    accumulator = accumulator_with(GoogleBleu, tokenizer="whitespace", min_len=min_len, max_len=max_len)
    return float(counted(accumulator, list_of_references, hypotheses).score()["google_bleu"])


__getattr__ = rest_when_asked("nltk.translate.gleu_score")
