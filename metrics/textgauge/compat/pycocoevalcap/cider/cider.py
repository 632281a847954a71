"""`pycocoevalcap.cider.cider`."""

from __future__ import annotations

import numpy as np

from ....arrays import FloatArray
from ....checks import fail, shown
from ....measures.cider import cider
from ... import rest_when_asked
from ..tokenizer.ptbtokenizer import CUT, Captions, columns_of


class Cider:
    """CIDEr-D, which the package calls CIDEr.

    Parameters
    ----------
    test, refs : None
        The package has them and reads neither.
    n : int
        4; the tool counts n-grams up to 4 and fails for less.
    sigma : float
        The width of the penalty for another length.

    Examples
    --------
    >>> Cider().compute_score({1: ["a cat"], 2: ["a dog"]}, {1: ["a cat"], 2: ["a bird"]})[0]
    2.5
    """

    def __init__(self, test: None = None, refs: None = None, n: int = 4, sigma: float = 6.0) -> None:
        for name, value in (("test", test), ("refs", refs)):
            if value is not None:
                fail(ValueError, name, "None: captions are given to compute_score", shown(value))
        if n != 4:
            fail(ValueError, "n", "4", shown(n))
        self._sigma = sigma

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, FloatArray]:
        """Return the mean over images, and the score of each: float64, shape (n_images,)."""
        result = cider(*columns_of(gts, res), sigma=self._sigma, tokenizer=CUT, per_segment=True)
        return result["cider"], np.array(result["segment_cider"])

    def method(self) -> str:
        """Return "CIDEr"."""
        return "CIDEr"


__getattr__ = rest_when_asked("pycocoevalcap.cider.cider")
