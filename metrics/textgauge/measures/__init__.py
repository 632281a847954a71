"""From text to score: accumulators of batches, one-call functions, and what a metric of your own is made of."""

from ..accumulation.accumulator import Accumulator, one_call
from ..metric.layout import Field, Layout, Rows
from ..metric.metric import About, Counter, Metric, PairCounter, Score
from ..metric.summary import Explanation

__all__ = [
    "About", "Accumulator", "Counter", "Explanation", "Field", "Layout", "Metric", "PairCounter", "Rows", "Score",
    "one_call",
]  # fmt: skip
