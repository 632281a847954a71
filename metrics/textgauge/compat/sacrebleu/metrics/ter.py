"""`sacrebleu.metrics.ter`."""

from __future__ import annotations

from typing import Any

import sacrebleu
from sacrebleu.metrics import ter as original
from sacrebleu.metrics.ter import TERScore, TERSignature

from ....accumulation.accumulator import Accumulator
from ....measures.ter import Ter
from ....metric.layout import Rows
from ... import rest_of
from .by_kernel import CountedByKernel, check_values, made

__all__ = ["TER", "TERScore", "TERSignature"]

_TERCOM = type(sacrebleu.TER().tokenizer)


class TER(CountedByKernel, sacrebleu.TER):
    """sacreBLEU's translation edit rate, with its options.

    Examples
    --------
    >>> TER().corpus_score(["the cat on the mat sat", "a dog"], [["the cat sat on the mat", "a dog"]]).num_edits
    1
    """

    def _accumulator(self) -> Accumulator | None:
        flags = ("normalized", "no_punct", "asian_support", "case_sensitive")
        is_own = type(self.tokenizer) is _TERCOM
        return made(Ter, **{name: bool(getattr(self, name)) for name in flags}) if is_own else None

    def _ordered(self, rows: Rows) -> list[list[Any]]:
        return [[*row] for row in zip(rows["edits"].tolist(), rows["reference"].tolist(), strict=True)]


check_values(TER(), "tokenizer", "normalized", "no_punct", "asian_support", "case_sensitive")
__getattr__ = rest_of(original)
