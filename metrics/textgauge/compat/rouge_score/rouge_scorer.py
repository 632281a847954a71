"""`rouge_score.rouge_scorer`: ROUGE of one pair of texts."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ...accumulation.accumulator import Accumulator
from ...measures.rouge import Rouge
from ...measures.rouge_counts import SIDES
from .. import importing, rest_of, rows_of_texts
from .scoring import Score, fmeasure

with importing("rouge_score", least="0.1.2"):
    import nltk
    from rouge_score import rouge_scorer as original
    from rouge_score.tokenizers import DefaultTokenizer

_LCS = ("rougeL", "rougeLsum")
_TYPES = frozenset((*_LCS, *(f"rouge{n}" for n in range(1, 10))))


class RougeScorer(original.RougeScorer):
    """rouge_score's scorer, over our kernel.

    rouge_score counts itself with a tokenizer other than its own, and texts that are no `str` or have lone surrogates.

    Examples
    --------
    >>> scorer = RougeScorer(["rouge1", "rougeL"], use_stemmer=True)
    >>> scorer.score("The cats sat on the mat.", "the cat is on the mat")["rougeL"]
    Score(precision=0.8333333333333334, recall=0.8333333333333334, fmeasure=0.8333333333333334)
    """

    def score(self, target: Any, prediction: Any) -> dict[str, Score]:
        """Return precision, recall and F by type."""
        is_own = type(self._tokenizer) is DefaultTokenizer
        accumulator = _accumulator(tuple(self.rouge_types), self._tokenizer._stemmer is not None) if is_own else None
        if accumulator is not None:
            types = accumulator.options.types
            has_sentences = self._split_summaries and "rougeLsum" in types
            texts = [_lines(text) if has_sentences else text for text in (prediction, target)]
            rows = rows_of_texts(accumulator, texts[:1], [texts[1:]])
            if rows is not None:
                sides = (rows[side][0].tolist() for side in SIDES)
                return {name: _score(name, *row) for name, *row in zip(types, *sides, strict=True)}
        scores: dict[str, Score] = super().score(target, prediction)
        return scores


__getattr__ = rest_of(original)


@lru_cache(maxsize=64)
def _accumulator(types: tuple[str, ...], use_stemmer: bool) -> Accumulator | None:
    is_known = types and _TYPES.issuperset(types)
    return Rouge(rouge_types=types, use_stemmer=use_stemmer) if is_known else None


def _lines(text: Any) -> Any:
    """Put the sentences that nltk finds on separate lines."""
    if not isinstance(text, str):
        return text
    return "\n".join(sentence.replace("\n", " ") for sentence in nltk.sent_tokenize(text))


def _score(name: str, matches: int, n_prediction: int, n_target: int) -> Score:
    # As in rouge_score: integers where an LCS has no tokens.
    if name in _LCS and not (n_prediction and n_target):
        return Score(precision=0, recall=0, fmeasure=0)
    precision, recall = matches / max(n_prediction, 1), matches / max(n_target, 1)
    return Score(precision, recall, fmeasure(precision, recall))
