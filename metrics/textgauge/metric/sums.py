"""What may be done with the rows of segments: added, thrown away, resampled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from ..arrays import Counts, FloatArray

# The argument, what was allowed and what came, as for `checks.fail`.
Refusal = tuple[str, str, str]


@dataclass(frozen=True)
class Sums:
    """Whether the score of a corpus is a function of sums over its segments.

    Attributes
    ----------
    kind : "exact", "rounded", "ordered" or "whole"
        What the score of a corpus is a function of:

        - "exact": sums of whole numbers, which are the same in any order;
        - "rounded": sums of fractions;
        - "ordered": the segments in their order;
        - "whole": all segments at once, on which rows or a part of the result depend.
    refusal : (argument, allowed, got), or None
        For an error where only sums are there, or rows come batch by batch; None: it can be done.
    resamples : bool
        Whether intervals and comparisons are possible in spite of a refusal.
    add : callable or None
        What adds the numbers of segments, such as `one_by_one` of `textgauge.scores.ordered_sums`, where the tool of
        the metric's name rounds every sum; None: sums are exact, as they are for all where only sums are there.
    scales_mean : bool
        Whether a scale multiplies the rounded mean of what `add` adds; else the sum, before it is divided.
    mixes : bool
        Whether rows that different counters made, such as two models, may be added.
    """

    kind: Literal["exact", "rounded", "ordered", "whole"] = "exact"
    refusal: Refusal | None = None
    resamples: bool = True
    add: Callable[[FloatArray], float] | None = None
    scales_mean: bool = False
    mixes: bool = False

    def refused(self, asked: Any) -> Refusal | None:  # noqa: ARG002
        """Return why the score, with the options `asked` of `score`, is none of sums; None if it is."""
        return self.refusal

    def resampled(self, rows: Counts) -> Counts:
        """Return the rows that intervals resample, of those of segments or units; raise if they cannot be."""
        return rows
