"""What makes a metric of sacreBLEU one whose statistics our kernel counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, ClassVar

import sacrebleu
from sacrebleu.metrics.base import Metric

from ....accumulation.accumulator import Accumulator
from ....checks import listed, warn_user
from ....metric.layout import Rows
from ... import rows_of_texts

# The steps of the original's counting.
_STEPS = ("_preprocess_segment", "_extract_reference_info", "_compute_segment_statistics")
# Other inner names of the original, of the class and of its objects, that are replaced or read here.
_METHODS, _VALUES = ("_cache_references", "_extract_corpus_statistics"), ("_ref_cache", "_force")
# So many hypotheses that end so are taken for tokenized text.
_N_TOKENIZED, _TOKENIZED_END = 100, " ."


class CountedByKernel(Metric):
    """A metric of sacreBLEU whose statistics our kernel counts.

    sacreBLEU counts itself with a tokenizer or options that our metrics lack, texts that they refuse (such as lone
    surrogates), and in a derived class with a step of its own.
    """

    _has_own_steps: ClassVar[bool]
    _has_flat_references = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Check a subclass: whether it has steps of its own, or inner names that the original has no longer."""
        super().__init_subclass__(**kwargs)
        original = super()
        for name in _METHODS:
            getattr(original, name)
        cls._has_own_steps = any(getattr(cls, step) is not getattr(original, step) for step in _STEPS)

    def _accumulator(self) -> Accumulator | None:
        """Return the accumulator with the current options; None if it lacks one of them."""
        raise NotImplementedError

    def _ordered(self, rows: Rows) -> list[list[Any]]:
        """Return the rows of an accumulator as Python numbers in sacreBLEU's order."""
        raise NotImplementedError

    def _cache_references(self, references: Sequence[Sequence[Any]]) -> list[list[str]]:
        """Store the texts instead of what the original extracts from them; log their number as the original does."""
        self._has_flat_references = any(isinstance(texts, str) for texts in references)
        n_each = [*dict.fromkeys(map(len, references))]
        if self._has_flat_references:
            warn_user(
                "references are a list of strings, of which each character is scored as a reference, as in sacreBLEU: "
                "pass a list for every set of references, such as [references]."
            )
        elif len(n_each) > 1:
            warn_user(
                f"lists of references have {listed([*map(str, n_each)])} texts, of which the first {min(n_each)} are "
                "read, as in sacreBLEU: pass None where a hypothesis has fewer references."
            )
        segments = [[text for text in texts if text is not None] for texts in zip(*references, strict=False)]
        numbers = {len(texts) for texts in segments}
        self.num_refs = numbers.pop() if len(numbers) == 1 else -1
        return segments

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[Any]] | None
    ) -> list[list[Any]]:
        """Return the statistics of every segment."""
        segments = self._cache_references(references) if references else self._ref_cache
        if not segments:
            # Raises the original's error, or returns nothing.
            return super()._extract_corpus_statistics(hypotheses, references)
        if isinstance(hypotheses, str):
            warn_user(
                "hypotheses are a string, of which each character is scored as a hypothesis, as in sacreBLEU: pass a "
                "list of strings."
            )
        elif len(segments) != len(hypotheses) and not self._has_flat_references:
            n_scored, n_all = len(segments), len(hypotheses)
            told = (
                f"{n_scored} of {n_all} hypotheses are scored, as in sacreBLEU, since there are references for "
                f"{n_scored}"
                if n_scored < n_all
                else f"references for {n_scored} segments are cut to the first {n_all}, as in sacreBLEU, for so many "
                "hypotheses there are"
            )
            warn_user(
                f"{told}: pass a list for every set of references, each with a text for every hypothesis, "
                "not a list for every hypothesis."
            )
        pairs = list(zip(hypotheses, segments, strict=False))
        if not self._force and sum(text.endswith(_TOKENIZED_END) for text, _ in pairs) >= _N_TOKENIZED:
            # It warns in its own words, given such texts alone.
            sacrebleu.BLEU(tokenize="none").corpus_score([_TOKENIZED_END] * _N_TOKENIZED, [[""] * _N_TOKENIZED])
        accumulator = None if self._has_own_steps else self._accumulator()
        if accumulator is not None:
            rows = rows_of_texts(accumulator, [text for text, _ in pairs], [texts for _, texts in pairs])
            if rows is not None:
                return self._ordered(rows)
        return [self._originally_counted(*pair) for pair in pairs]

    def _originally_counted(self, hypothesis: str, references: list[str]) -> list[Any]:
        texts = self._extract_reference_info([self._preprocess_segment(text) for text in references])
        return self._compute_segment_statistics(self._preprocess_segment(hypothesis), texts)


def check_values(metric: Metric, *options: str) -> None:
    """Raise AttributeError for a value that the original has no longer: one of `_VALUES`, or of an option."""
    for name in (*_VALUES, *options):
        getattr(metric, name)


def _made(accumulator_type: type[Accumulator], **options: Any) -> Accumulator | None:
    """Return an accumulator without segments, made once; None if it refuses an option."""
    try:
        return accumulator_type(**options)
    except (TypeError, ValueError):
        return None


made: Callable[..., Accumulator | None] = lru_cache(maxsize=64, typed=True)(_made)
