"""From text to score: accumulators of batches, one-call functions, and what a metric of your own is made of."""

from ..accumulation.accumulator import Accumulator, one_call
from ..accumulation.layout import Field, Layout, Rows
from ..accumulation.metric import About, Counter, Metric, PairCounter, Score
from ..accumulation.summary import Explanation

__all__ = [
    "About", "Accumulator", "Counter", "Explanation", "Field", "Layout", "Metric", "PairCounter", "Rows", "Score",
    "one_call",
]  # fmt: skip
