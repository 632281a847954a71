"""The LCS of single lanes, their reference bits in Python integers of any width."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import isqrt

import numpy as np

from .lanes import Lanes

# All masks of a lane of this width fit 8 MB; of a wider one only those of recent tokens are kept.
ALL_MASKS_UP_TO = 1 << 13
KEPT_MASKS = 1 << 10
# Bits: all states of a lane fit 4 MB.
ALL_STATES_UP_TO = 1 << 25


class Wide:
    """One lane after the other; the lanes of a reference text, which follow each other, share their masks."""

    def __init__(self, lanes: Lanes) -> None:
        """Take the bits of all runs out of NumPy."""
        self._lanes = lanes
        self._bits, self._opens = lanes.bits.tolist(), lanes.run_opens.tolist()
        self._text, self._masks = -1, dict[int, int]()

    def length(self, lane: int) -> int:
        """Return the LCS length of one lane.

        References
        ----------
        Hyyro (2004), Bit-parallel LCS-length computation revisited, figure 1.
        """
        runs, mask, full = self._opened(lane)
        state = full
        for run in runs:
            matched = mask(run) & state
            state = ((state + matched) | (state ^ matched)) & full
        return (state ^ full).bit_count()

    def marks(self, lane: int) -> list[int]:
        """Return the reference bits on one LCS of a lane, the one that `lane_marks` takes.

        Of long texts the states before every hundredth or so token are kept and those between
        recomputed from them: memory grows with the square root of the text.
        """
        runs, mask, full = self._opened(lane)
        has_gap = self._lanes.has_gap[self._lanes.offsets[lane] : self._lanes.offsets[lane + 1]].tolist()
        stride = len(runs) if len(runs) * full.bit_length() <= ALL_STATES_UP_TO else isqrt(len(runs)) + 1
        kept = [full]
        for start in range(0, len(runs) - stride, stride):
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

    def _opened(self, lane: int) -> tuple[list[int], Callable[[int], int], int]:
        """Return the runs of a lane, the function that gives the reference bits of one, and all its bits."""
        lanes, width = self._lanes, int(self._lanes.widths[lane])
        runs = lanes.run_of[lanes.offsets[lane] : lanes.offsets[lane + 1]].tolist()
        full = (1 << width) - 1
        if width > ALL_MASKS_UP_TO:
            return runs, lru_cache(KEPT_MASKS)(self._packed), full
        if self._text != lanes.reference_text[lane]:
            self._text, self._masks = int(lanes.reference_text[lane]), {}
        for run in set(runs).difference(self._masks):
            self._masks[run] = sum(1 << bit for bit in self._bits[self._opens[run] : self._opens[run + 1]])
        return runs, self._masks.__getitem__, full

    def _packed(self, run: int) -> int:
        bits = self._lanes.bits[self._opens[run] : self._opens[run + 1]]
        flags = np.zeros(int(bits.max()) + 1, np.uint8)
        flags[bits] = 1
        return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def _states(state: int, runs: list[int], mask: Callable[[int], int], full: int) -> list[int]:
    """Return the state after each token."""
    states = []
    for run in runs:
        matched = mask(run) & state
        state = ((state + matched) | (state ^ matched)) & full
        states.append(state)
    return states
