"""`pycocoevalcap.rouge.rouge`."""

from __future__ import annotations

import numpy as np

from ....arrays import FloatArray
from ....measures.rouge import rouge
from ....measures.rouge_options import COCO_BETA
from ....sums import in_pairs
from ... import rest_when_asked
from ..tokenizer.ptbtokenizer import Captions, columns_of


class Rouge:
    """ROUGE-L with beta 1.2, of the largest precision and the largest recall over references, each on its own.

    Words are what single spaces separate, so that two empty captions score 1, as in the tool.

    Attributes
    ----------
    beta : float
        In F, recall is beta times as important as precision; it may be set.

    Examples
    --------
    >>> Rouge().compute_score({1: ["a b c d e f", "a"]}, {1: ["a b"]})[0]
    1.0
    """

    def __init__(self) -> None:
        self.beta: float = COCO_BETA

    def calc_score(self, candidate: list[str], refs: list[str]) -> float:
        """Return the score of one caption, a list of one text, against those of people.

        Examples
        --------
        >>> Rouge().calc_score(["a cat"], ["the cat", "a cat sat"])
        0.7721518987341772
        """
        return float(self.compute_score({0: refs}, {0: candidate})[0])

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, FloatArray]:
        """Return the mean over images, and the score of each: float64, shape (n_images,)."""
        columns, options = columns_of(gts, res), {"multi_reference": "largest", "tokenizer": _by_space}
        result = rouge(*columns, rouge_types=["rougeL"], beta=self.beta, per_segment=True, **options)
        scores = np.array(result["segment_rougeL"])
        return in_pairs(scores) / len(scores), scores

    def method(self) -> str:
        """Return "Rouge"."""
        return "Rouge"


def _by_space(text: str) -> list[str]:
    return text.split(" ")


__getattr__ = rest_when_asked("pycocoevalcap.rouge.rouge")
