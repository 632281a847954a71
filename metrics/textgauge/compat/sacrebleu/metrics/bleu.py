"""`sacrebleu.metrics.bleu`."""

from __future__ import annotations

from typing import Any

import sacrebleu
from sacrebleu.metrics import bleu as original
from sacrebleu.metrics.bleu import BLEUScore, BLEUSignature

from ....accumulation.accumulator import Accumulator
from ....measures.bleu import Bleu
from ....metric.layout import Rows
from ... import rest_of
from .by_kernel import CountedByKernel, check_values, made

__all__ = ["BLEU", "BLEUScore", "BLEUSignature"]

# The tokenizers that the kernel has, by their classes.
_NAMES = {type(sacrebleu.BLEU(tokenize=name).tokenizer): name for name in ("none", "13a", "intl", "zh", "char")}


class BLEU(CountedByKernel, sacrebleu.BLEU):
    """sacreBLEU's BLEU, with its options.

    The kernel counts with the tokenizers "none", "13a", "intl", "zh" and "char", sacreBLEU itself with all others.

    Examples
    --------
    >>> bleu = BLEU()
    >>> bleu.corpus_score(["The dog bit the man.", "It was odd."], [["The dog bit the man.", "It was not."]]).score
    76.21991222319218
    """

    def _accumulator(self) -> Accumulator | None:
        name = _NAMES.get(type(self.tokenizer))
        options = {"lowercase": bool(self.lowercase), "max_order": self.max_ngram_order}
        return None if name is None else made(Bleu, preset="sacrebleu", tokenizer=name, **options)

    def _ordered(self, rows: Rows) -> list[list[Any]]:
        names = ("translation_length", "reference_length", "matches", "totals")
        columns = (rows[name].tolist() for name in names)
        return [[*lengths, *matches, *totals] for *lengths, matches, totals in zip(*columns, strict=True)]


check_values(BLEU(), "tokenizer", "lowercase", "max_ngram_order")
__getattr__ = rest_of(original)
