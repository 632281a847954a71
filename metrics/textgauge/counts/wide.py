"""The LCS of one lane, its reference bits in one Python integer of any width."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import isqrt

import numpy as np

from ..ragged import Ragged
from .lanes import Lanes

# All masks of a lane of this width fit 8 MB; of a wider one only those of recent tokens are kept.
ALL_MASKS_UP_TO = 1 << 13
KEPT_MASKS = 1 << 10


def _masks(lanes: Lanes, runs: list[int], width: int) -> Callable[[int], int]:
    """Return the function that gives the reference bits of a run as an integer."""
    if width <= ALL_MASKS_UP_TO:
        distinct = np.unique(runs)
        bits = Ragged(lanes.bits, lanes.run_opens).take(distinct)
        masks = dict.fromkeys(distinct.tolist(), 0)
        for run, bit in zip(np.repeat(distinct, bits.lengths).tolist(), bits.values.tolist(), strict=True):
            masks[run] |= 1 << bit
        return masks.__getitem__

    @lru_cache(KEPT_MASKS)
    def mask(run: int) -> int:
        bits = lanes.bits[lanes.run_opens[run] : lanes.run_opens[run + 1]]
        flags = np.zeros(int(bits.max()) + 1, np.uint8)
        flags[bits] = 1
        return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")

    return mask


def _runs(lanes: Lanes, lane: int) -> list[int]:
    return lanes.run_of[lanes.offsets[lane] : lanes.offsets[lane + 1]].tolist()


def wide_length(lanes: Lanes, lane: int) -> int:
    """Return the LCS length of one lane.

    References
    ----------
    Hyyro (2004), Bit-parallel LCS-length computation revisited, figure 1.
    """
    runs, width = _runs(lanes, lane), int(lanes.widths[lane])
    mask = _masks(lanes, runs, width)
    full = state = (1 << width) - 1
    for run in runs:
        matched = mask(run) & state
        state = ((state + matched) | (state ^ matched)) & full
    return (state ^ full).bit_count()


def wide_marks(lanes: Lanes, lane: int) -> list[int]:
    """Return the reference bits on one LCS of a lane, the one that `lane_marks` takes.

    The states before every hundredth or so token are kept and those between recomputed
    from them: memory grows with the square root of the text.
    """
    runs, width = _runs(lanes, lane), int(lanes.widths[lane])
    mask = _masks(lanes, runs, width)
    has_gap = lanes.has_gap[lanes.offsets[lane] : lanes.offsets[lane + 1]].tolist()
    full = (1 << width) - 1
    stride = isqrt(len(runs)) + 1
    kept = [full]
    for start in range(0, len(runs), stride):
        kept.append(_states(kept[-1], runs[start : start + stride], mask, full)[-1])
    marked = []
    below = full
    for start in reversed(range(0, len(runs), stride)):
        states = _states(kept[start // stride], runs[start : start + stride], mask, full)
        for i in reversed(range(len(states))):
            matches, grown = mask(runs[start + i]), states[i] ^ full
            stops = grown if has_gap[start + i] else grown | matches
            top = (stops & below).bit_length() - 1
            is_hit = top >= 0 and bool(matches >> top & 1)
            if is_hit:
                marked.append(top)
            below &= (1 << (top + (not is_hit))) - 1
    return marked


def _states(state: int, runs: list[int], mask: Callable[[int], int], full: int) -> list[int]:
    """Return the state after each token."""
    states = []
    for run in runs:
        matched = mask(run) & state
        state = ((state + matched) | (state ^ matched)) & full
        states.append(state)
    return states
