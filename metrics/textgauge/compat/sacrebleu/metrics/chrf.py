"""`sacrebleu.metrics.chrf`."""

from __future__ import annotations

from typing import Any

import numpy as np
import sacrebleu
from sacrebleu.metrics.chrf import CHRFScore, CHRFSignature

from ....measures.chrf import Chrf
from ....measures.layout import Rows
from ....measures.measure import Measure
from .counted import Counted, measure_with

__all__ = ["CHRF", "CHRFScore", "CHRFSignature"]


class CHRF(Counted, sacrebleu.CHRF):
    """sacreBLEU's chrF, with its options.

    Examples
    --------
    >>> CHRF(word_order=2).sentence_score("the cat sat", ["the cat sits"])
    chrF2++ = 60.39
    """

    def _measure(self) -> Measure | None:
        return measure_with(
            Chrf, char_order=self.char_order, word_order=self.word_order, beta=self.beta,
            lowercase=bool(self.lowercase), whitespace=bool(self.whitespace), eps_smoothing=bool(self.eps_smoothing),
        )  # fmt: skip

    def _ordered(self, rows: Rows) -> list[list[Any]]:
        by_order = np.stack([rows[name] for name in ("prediction", "reference", "matches")], axis=-1)
        return by_order.reshape(len(by_order), -1).tolist()
