"""`sacrebleu.metrics.ter`."""

from __future__ import annotations

from typing import Any

import sacrebleu
from sacrebleu.metrics.ter import TERScore, TERSignature

from ....measures.layout import Rows
from ....measures.measure import Measure
from ....measures.ter import Ter
from .counted import Counted, measure_with

__all__ = ["TER", "TERScore", "TERSignature"]

_TERCOM = type(sacrebleu.TER().tokenizer)


class TER(Counted, sacrebleu.TER):
    """sacreBLEU's translation edit rate, with its options.

    Examples
    --------
    >>> TER().corpus_score(["the cat on the mat sat", "a dog"], [["the cat sat on the mat", "a dog"]]).num_edits
    1
    """

    def _measure(self) -> Measure | None:
        if type(self.tokenizer) is not _TERCOM:
            return None
        return measure_with(
            Ter, normalized=bool(self.normalized), no_punct=bool(self.no_punct),
            asian_support=bool(self.asian_support), case_sensitive=bool(self.case_sensitive),
        )  # fmt: skip

    def _ordered(self, rows: Rows) -> list[list[Any]]:
        return [[*row] for row in zip(rows["edits"].tolist(), rows["reference"].tolist(), strict=True)]
