"""To how many decimals two tools agree."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .tools import Scores


@dataclass(frozen=True)
class Agreement:
    """How far two sets of figures lie apart.

    Attributes
    ----------
    difference : float
        The largest absolute difference; infinite where one of two figures is not a number.
    where : str
        The figure with that difference: "rougeL[17]" is that of segment 17.
    n_figures : int
        How many figures were compared.
    """

    difference: float
    where: str
    n_figures: int

    @property
    def decimals(self) -> int | None:
        """To how many decimals they agree, see `decimals`; None if they are equal."""
        return decimals(self.difference)


def agreement(ours: Scores, theirs: Scores) -> Agreement:
    """Compare every figure of theirs with ours of the same name.

    Raises
    ------
    ValueError
        If we do not have one of theirs, or not as often: nothing is left out silently.

    Examples
    --------
    >>> agreement({"rouge1": [0.5, 0.25], "rouge2": [0.1]}, {"rouge1": [0.5, 0.2498]}).where
    'rouge1[1]'
    """
    largest = Agreement(-1.0, "", 0)
    for name, values in theirs.items():
        if len(ours.get(name, ())) != len(values):
            raise ValueError(f"{name}: expected {len(values)} figures of ours, got {len(ours.get(name, ()))}")
        for i, (our, their) in enumerate(zip(ours[name], values, strict=True)):
            apart = abs(our - their)
            apart = math.inf if math.isnan(apart) else apart
            if apart > largest.difference:
                largest = Agreement(apart, f"{name}[{i}]" if len(values) > 1 else name, 0)
    if not largest.where:
        raise ValueError("theirs: expected at least one figure, got none")
    return Agreement(largest.difference, largest.where, sum(map(len, theirs.values())))


def decimals(difference: float) -> int | None:
    """Return the largest d for which the difference is at most half a unit of decimal d.

    Examples
    --------
    >>> decimals(0.004), decimals(1e-16), decimals(0.7), decimals(0.0)
    (2, 15, 0, None)
    """
    if difference == 0:
        return None
    return max(0, math.floor(-math.log10(2 * difference))) if math.isfinite(difference) else 0
