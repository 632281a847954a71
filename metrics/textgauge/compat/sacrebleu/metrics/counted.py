"""sacreBLEU's BLEU, chrF and TER, whose statistics our kernel counts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
import sacrebleu
from sacrebleu.metrics.base import Metric

from ....accumulation.accumulator import Accumulator
from ....accumulation.layout import Rows
from ....measures.bleu import Bleu
from ....measures.chrf import Chrf
from ....measures.ter import Ter
from ...counting import counted

# The steps of the original's counting.
_STEPS = ("_preprocess_segment", "_extract_reference_info", "_compute_segment_statistics")
# So many hypotheses that end so are taken for tokenized text.
_N_TOKENIZED, _TOKENIZED_END = 100, " ."
# The tokenizers that the kernel has, by their classes.
_NAMES = {type(sacrebleu.BLEU(tokenize=name).tokenizer): name for name in ("none", "13a", "intl", "zh", "char")}
_TERCOM = type(sacrebleu.TER().tokenizer)


class Counted(Metric):
    """A metric of sacreBLEU whose statistics our kernel counts.

    sacreBLEU counts itself with a tokenizer or options that our measures lack, texts that they refuse (such as lone
    surrogates), and in a derived class with a step of its own.
    """

    _has_own_steps: ClassVar[bool]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Look for steps of its own."""
        super().__init_subclass__(**kwargs)
        original = super()
        cls._has_own_steps = any(getattr(cls, step) is not getattr(original, step) for step in _STEPS)

    def _measure(self) -> Accumulator | None:
        """Return the measure with the current options; None if it lacks one of them."""
        raise NotImplementedError

    def _ordered(self, rows: Rows) -> list[list[Any]]:
        """Return the rows of a measure as Python numbers in sacreBLEU's order."""
        raise NotImplementedError

    def _cache_references(self, references: Sequence[Sequence[Any]]) -> list[list[str]]:
        """Keep the texts, where the original keeps what it extracts from them; tell their number as it does."""
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
        pairs = list(zip(hypotheses, segments, strict=False))
        if not self._force and sum(text.endswith(_TOKENIZED_END) for text, _ in pairs) >= _N_TOKENIZED:
            # It warns in its own words, given such texts alone.
            sacrebleu.BLEU(tokenize="none").corpus_score([_TOKENIZED_END] * _N_TOKENIZED, [[""] * _N_TOKENIZED])
        measure = None if self._has_own_steps else self._measure()
        rows = None if measure is None else counted(measure, [text for text, _ in pairs], [texts for _, texts in pairs])
        if rows is None:
            return [self._originally_counted(*pair) for pair in pairs]
        return self._ordered(rows)

    def _originally_counted(self, hypothesis: str, references: list[str]) -> list[Any]:
        texts = self._extract_reference_info([self._preprocess_segment(text) for text in references])
        return self._compute_segment_statistics(self._preprocess_segment(hypothesis), texts)


class BLEU(Counted, sacrebleu.BLEU):
    """sacreBLEU's BLEU, with its options.

    The kernel counts with the tokenizers "none", "13a", "intl", "zh" and "char", sacreBLEU itself with all others.

    Examples
    --------
    >>> bleu = BLEU()
    >>> bleu.corpus_score(["The dog bit the man.", "It was odd."], [["The dog bit the man.", "It was not."]]).score
    76.21991222319218
    """

    def _measure(self) -> Accumulator | None:
        name = _NAMES.get(type(self.tokenizer))
        options = {"lowercase": bool(self.lowercase), "max_order": self.max_ngram_order}
        return None if name is None else _made(Bleu, preset="sacrebleu", tokenizer=name, **options)

    def _ordered(self, rows: Rows) -> list[list[Any]]:
        names = ("translation_length", "reference_length", "matches", "totals")
        columns = (rows[name].tolist() for name in names)
        return [[*lengths, *matches, *totals] for *lengths, matches, totals in zip(*columns, strict=True)]


class CHRF(Counted, sacrebleu.CHRF):
    """sacreBLEU's chrF, with its options.

    Examples
    --------
    >>> CHRF(word_order=2).sentence_score("the cat sat", ["the cat sits"])
    chrF2++ = 60.39
    """

    def _measure(self) -> Accumulator | None:
        flags = {name: bool(getattr(self, name)) for name in ("lowercase", "whitespace", "eps_smoothing")}
        return _made(Chrf, char_order=self.char_order, word_order=self.word_order, beta=self.beta, **flags)

    def _ordered(self, rows: Rows) -> list[list[Any]]:
        by_order = np.stack([rows[name] for name in ("prediction", "reference", "matches")], axis=-1)
        return by_order.reshape(len(by_order), -1).tolist()


class TER(Counted, sacrebleu.TER):
    """sacreBLEU's translation edit rate, with its options.

    Examples
    --------
    >>> TER().corpus_score(["the cat on the mat sat", "a dog"], [["the cat sat on the mat", "a dog"]]).num_edits
    1
    """

    def _measure(self) -> Accumulator | None:
        flags = ("normalized", "no_punct", "asian_support", "case_sensitive")
        is_own = type(self.tokenizer) is _TERCOM
        return _made(Ter, **{name: bool(getattr(self, name)) for name in flags}) if is_own else None

    def _ordered(self, rows: Rows) -> list[list[Any]]:
        return [[*row] for row in zip(rows["edits"].tolist(), rows["reference"].tolist(), strict=True)]


@lru_cache(maxsize=64, typed=True)
def _made(kind: type[Accumulator], **options: Any) -> Accumulator | None:
    """Return a measure without segments, made once; None if it refuses an option."""
    try:
        return kind(**options)
    except (TypeError, ValueError):
        return None
