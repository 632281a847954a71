"""Several processes that evaluate together."""

from __future__ import annotations

import sys
from typing import Any, TypeVar

from ..arrays import IntArray

Part = TypeVar("Part")


def _group() -> Any:
    """Return torch.distributed if several processes run, else None."""
    torch = sys.modules.get("torch")
    group = None if torch is None else torch.distributed
    return group if group is not None and group.is_available() and group.is_initialized() else None


def share_of(rows: IntArray) -> IntArray:
    """Return the consecutive rows that this process scores; all processes together score all rows."""
    import numpy as np

    group = _group()
    return rows if group is None else np.array_split(rows, group.get_world_size())[group.get_rank()]


def in_order_of_rows(parts: list[Part]) -> list[Part]:
    """Gather the parts of all processes, in the order of the rows: for each call one part per process.

    Every process must call this, with the same number of parts.
    """
    group = _group()
    if group is None:
        return parts
    of_all: list[Any] = [None] * group.get_world_size()
    group.all_gather_object(of_all, parts)
    return [part for call in zip(*of_all, strict=True) for part in call]
