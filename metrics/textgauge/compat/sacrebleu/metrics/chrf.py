"""`sacrebleu.metrics.chrf`."""

from __future__ import annotations

from typing import Any

import numpy as np
import sacrebleu
from sacrebleu.metrics import chrf as original
from sacrebleu.metrics.chrf import CHRFScore, CHRFSignature

from ....accumulation.accumulator import Accumulator
from ....measures.chrf import Chrf
from ....metric.layout import Rows
from ... import rest_of
from .by_kernel import CountedByKernel, check_values, made

__all__ = ["CHRF", "CHRFScore", "CHRFSignature"]


class CHRF(CountedByKernel, sacrebleu.CHRF):
    """sacreBLEU's chrF, with its options.

    Examples
    --------
    >>> CHRF(word_order=2).sentence_score("the cat sat", ["the cat sits"])
    chrF2++ = 60.39
    """

    def _accumulator(self) -> Accumulator | None:
        flags = {name: bool(getattr(self, name)) for name in ("lowercase", "whitespace", "eps_smoothing")}
        return made(Chrf, char_order=self.char_order, word_order=self.word_order, beta=self.beta, **flags)

    def _ordered(self, rows: Rows) -> list[list[Any]]:
        by_order = np.stack([rows[name] for name in ("prediction", "reference", "matches")], axis=-1)
        return by_order.reshape(len(by_order), -1).tolist()


check_values(CHRF(), "lowercase", "whitespace", "eps_smoothing", "char_order", "word_order", "beta")
__getattr__ = rest_of(original)
