"""`pycocoevalcap.bleu.bleu`."""

from __future__ import annotations

import sys

from ....checks import fail, shown
from ....measures.bleu import bleu
from ... import rest_when_asked
from ..tokenizer.ptbtokenizer import CUT, Captions, columns_of


class Bleu:
    """BLEU-1 to BLEU-n, with the closest reference length.

    Parameters
    ----------
    n : int
        The highest order.

    Examples
    --------
    >>> scores, by_image = Bleu(2).compute_score({1: ["a cat sat"]}, {1: ["a cat"]})
    {'testlen': 2, 'reflen': 3, 'guess': [2, 1], 'correct': [2, 1]}
    ratio: 0.6666666664444447
    >>> [round(score, 4) for score in scores]
    [0.6065, 0.6065]
    """

    def __init__(self, n: int = 4) -> None:
        self._n = n

    def compute_score(self, gts: Captions, res: Captions, verbose: int = 1) -> tuple[list[float], list[list[float]]]:
        """Return the scores of all images by order, and of each image: shapes (n,), (n, n_images).

        Parameters
        ----------
        gts, res : mapping of lists of str
            The captions of people, and the one to be scored, by image.
        verbose : 0 or 1
            Whether the counts of all images are printed, as the package does.
        """
        if verbose not in (0, 1):
            fail(ValueError, "verbose", "0 or 1: counts of each image are not printed", shown(verbose))
        options = {"preset": "coco", "tokenizer": CUT, "max_order": self._n}
        result = bleu(*columns_of(gts, res), **options, per_segment=True, counts=True)
        if verbose:
            counts, n, n_reference = result["counts"], result["translation_length"], result["reference_length"]
            told = {"testlen": n, "reflen": n_reference, "guess": counts["totals"], "correct": counts["matches"]}
            # The package adds these, so that nothing divides by 0.
            sys.stdout.write(f"{told}\nratio: {(n + 1e-15) / (n_reference + 1e-9)}\n")
        keys = [f"bleu{k}" for k in range(1, self._n + 1)]
        return [result[key] for key in keys], [result[f"segment_{key}"] for key in keys]

    def method(self) -> str:
        """Return "Bleu"."""
        return "Bleu"


__getattr__ = rest_when_asked("pycocoevalcap.bleu.bleu")
