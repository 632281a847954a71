"""Precision, recall and F from matches and totals; what moves a ROUGE score."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..checks import fail, flag, non_negative_float, shown
from ..ragged import FloatArray as FloatArray
from ..ragged import IntArray
from ..signatures import number

DEFAULT_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")


@dataclass(frozen=True)
class RougeOptions:
    """What can move a ROUGE score.

    Attributes
    ----------
    types : tuple of str
        "rouge1", "rouge2", ... for n-grams of any order, "rougeL", "rougeLsum".
    beta : float
        F's weight of recall against precision, see `f_measure`.
    split_summaries : bool
        Split texts into sentences at their end marks for rougeLsum; else only at newlines.
    """

    types: tuple[str, ...] = DEFAULT_TYPES
    beta: float = 1.0
    split_summaries: bool = False

    def __post_init__(self) -> None:
        """Check every option."""
        if isinstance(self.types, str) or not isinstance(self.types, Sequence) or not self.types:
            fail(TypeError, "rouge_types", "a list of ROUGE types", shown(self.types))
        for i, name in enumerate(self.types):
            if not isinstance(name, str) or not is_rouge_type(name):
                allowed = "'rougeL', 'rougeLsum' or 'rouge' and an order of at least 1"
                fail(ValueError, f"rouge_types[{i}]", allowed, shown(name))
        non_negative_float("beta", self.beta)
        flag("split_summaries", self.split_summaries)

    @property
    def signature(self) -> dict[str, str]:
        """What a signature says of them."""
        parts = {"types": ",".join(self.types), "beta": number(self.beta)}
        if "rougeLsum" in self.types:
            parts["sent"] = "marks" if self.split_summaries else "newline"
        return parts

    @property
    def max_order(self) -> int:
        """The highest n-gram order among the types, 0 if there is none."""
        return max((order_of(name) for name in self.types), default=0)


def is_rouge_type(name: str) -> bool:
    """Say whether `name` is "rougeN", "rougeL" or "rougeLsum"."""
    return re.fullmatch(r"rouge([1-9][0-9]*|L|Lsum)", name) is not None


def order_of(name: str) -> int:
    """Return N of "rougeN", 0 for the types without an order."""
    return int(name[5:]) if name[5:].isdigit() else 0


def share(part: npt.ArrayLike, whole: npt.ArrayLike) -> FloatArray:
    """Divide counts; a share of nothing is 0."""
    part, whole = np.asarray(part, np.float64), np.asarray(whole, np.float64)
    return np.divide(part, whole, out=np.zeros(np.broadcast(part, whole).shape), where=whole != 0)


def f_measure(precision: FloatArray, recall: FloatArray, beta: float = 1.0) -> FloatArray:
    """Return (1 + beta^2) P R / (R + beta^2 P), 0 where both are 0.

    References
    ----------
    Lin (2004), ROUGE, equation 4.

    Examples
    --------
    >>> float(f_measure(np.array(0.5), np.array(1.0)))
    0.6666666666666666
    """
    return share((1 + beta**2) * precision * recall, beta**2 * precision + recall)


def precision_recall_f(counts: npt.NDArray[np.int64], beta: float = 1.0) -> FloatArray:
    """Score counts of matches, hypothesis units and reference units.

    Parameters
    ----------
    counts : int64, shape (..., 3)
    beta : float
        How many times as important recall is as precision.

    Returns
    -------
    float64, shape (..., 3)
        Precision, recall, F.

    References
    ----------
    Lin (2004), ROUGE, sections 2 and 3.
    """
    precision = share(counts[..., 0], counts[..., 1])
    recall = share(counts[..., 0], counts[..., 2])
    return np.stack((precision, recall, f_measure(precision, recall, beta)), axis=-1)


def best_reference(counts: IntArray, offsets: IntArray, beta: float = 1.0) -> IntArray:
    """Keep, per segment and type, the counts of the reference with the best F, the first of equals.

    Parameters
    ----------
    counts : int64, shape (n_references, n_types, 3)
    offsets : int64, shape (n_segments + 1,)
        The references of segment i are ``counts[offsets[i]:offsets[i + 1]]``.
    beta : float

    Returns
    -------
    int64, shape (n_segments, n_types, 3)

    Examples
    --------
    >>> best_reference(np.array([[[1, 2, 3]], [[1, 2, 1]]]), np.array([0, 2])).tolist()
    [[[1, 2, 1]]]
    """
    if len(counts) == len(offsets) - 1:
        return counts
    f = precision_recall_f(counts, beta)[..., 2]
    best = np.repeat(np.maximum.reduceat(f, offsets[:-1]), np.diff(offsets), axis=0)
    index = np.where(f == best, np.arange(len(f))[:, None], len(f))
    chosen = np.minimum.reduceat(index, offsets[:-1])
    return np.take_along_axis(counts, chosen[..., None], axis=0)
