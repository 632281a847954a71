"""Completions of one prompt, each against the others."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import IntArray

DIVERSITY = "diversity"


def pairs_of_groups(prompts: list[Any], is_usable: npt.NDArray[np.bool_] | None) -> tuple[IntArray, IntArray]:
    """Return every completion with every other one of the same prompt, in order: int64, shape (n_pairs,) each.

    Examples
    --------
    >>> pairs_of_groups(["a", "a", "b", "a"], None)
    (array([0, 0, 1, 1, 3, 3]), array([1, 3, 0, 3, 0, 1]))
    """
    members: dict[str, list[int]] = {}
    for place, prompt in enumerate(prompts):
        if is_usable is None or is_usable[place]:
            # Messages are lists, which no dict takes as a key.
            members.setdefault(prompt if isinstance(prompt, str) else repr(prompt), []).append(place)
    pairs = [(one, other) for one_group in members.values() for one, other in permutations(one_group, 2)]
    rows, others = np.array(pairs, np.int64).reshape(-1, 2).T
    return rows, others
