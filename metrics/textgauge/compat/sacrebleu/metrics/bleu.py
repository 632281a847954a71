"""`sacrebleu.metrics.bleu`."""

from __future__ import annotations

from typing import Any

import numpy as np
import sacrebleu
from sacrebleu.metrics.bleu import BLEUScore, BLEUSignature

from ....measures.bleu import Bleu
from ....measures.layout import Rows
from ....measures.measure import Measure
from .counted import Counted, measure_with

__all__ = ["BLEU", "BLEUScore", "BLEUSignature"]

# The tokenizers that the kernel has, by their classes.
_NAMES = {type(sacrebleu.BLEU(tokenize=name).tokenizer): name for name in ("none", "13a", "intl", "zh", "char")}


class BLEU(Counted, sacrebleu.BLEU):
    """sacreBLEU's BLEU, with its options.

    The kernel counts with the tokenizers "none", "13a", "intl", "zh" and "char", sacreBLEU itself with all others.

    Examples
    --------
    >>> bleu = BLEU()
    >>> bleu.corpus_score(["The dog bit the man.", "It was odd."], [["The dog bit the man.", "It was not."]]).score
    76.21991222319218
    """

    def _measure(self) -> Measure | None:
        name = _NAMES.get(type(self.tokenizer))
        options = {"lowercase": bool(self.lowercase), "max_order": self.max_ngram_order}
        return None if name is None else measure_with(Bleu, preset="sacrebleu", tokenizer=name, **options)

    def _ordered(self, rows: Rows) -> list[list[Any]]:
        names = ("translation_length", "reference_length", "matches", "totals")
        return np.column_stack([rows[name] for name in names]).tolist()
