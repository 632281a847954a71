"""From text to score: accumulators of batches, one-call functions, and what a metric of your own is made of."""

from ..accumulation.accumulator import Accumulator, accumulator_of
from ..accumulation.functions import one_call
from ..metric import (
    About,
    Explanation,
    Field,
    Inputs,
    Layout,
    Metric,
    Rows,
    Score,
    Scores,
    Sums,
)

__all__ = [
    "About", "Accumulator", "Explanation", "Field", "Inputs", "Layout", "Metric", "Rows", "Score", "Scores",
    "Sums", "accumulator_of", "one_call",
]  # fmt: skip
