"""Completions of one prompt, each against the others."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, IntArray

DIVERSITY = "diversity"


def groups_of(prompts: list[Any], is_usable: npt.NDArray[np.bool_] | None) -> list[IntArray]:
    """Return the places of the completions of every prompt, of those that can be scored.

    Examples
    --------
    >>> groups_of(["a", "b", "a"], None)
    [array([0, 2]), array([1])]
    """
    members: dict[str, list[int]] = {}
    for place, prompt in enumerate(prompts):
        if is_usable is None or is_usable[place]:
            # Messages are lists, which no dict takes as a key.
            members.setdefault(prompt if isinstance(prompt, str) else repr(prompt), []).append(place)
    return [np.array(places) for places in members.values()]


def mean_of_others(scores: FloatArray) -> FloatArray:
    """Return the mean of every row of a square without its diagonal: float64, shape (n_rows,)."""
    others = scores * (1 - np.eye(len(scores)))
    return np.asarray(others.sum(axis=1) / (len(scores) - 1))
