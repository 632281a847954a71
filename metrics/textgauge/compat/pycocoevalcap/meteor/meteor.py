"""`pycocoevalcap.meteor.meteor`."""

from __future__ import annotations

from ....measures.meteor15 import meteor15
from ... import rest_when_asked
from ..tokenizer.ptbtokenizer import Captions, columns_of


class Meteor:
    """METEOR 1.5 as the package calls it, without Java; its data are read out of an installed pycocoevalcap.

    Examples
    --------
    >>> Meteor().method()
    'METEOR'
    """

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, list[float]]:
        """Return the score of all images, from sums of their counts, and of each image.

        Raises
        ------
        FileNotFoundError
            Where the data are not found; the message says how to get them.
        """
        result = meteor15(*columns_of(gts, res), per_segment=True)
        return result["meteor15"], result["segment_meteor15"]

    def method(self) -> str:
        """Return "METEOR"."""
        return "METEOR"


__getattr__ = rest_when_asked("pycocoevalcap.meteor.meteor")
