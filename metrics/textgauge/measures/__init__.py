"""From text to score: accumulators of batches, one-call functions, and what a metric of your own is made of."""

from .layout import Field, Layout, Rows
from .measure import Measure
from .metric import About
from .one_call import one_call
from .summary import Explanation

__all__ = ["About", "Explanation", "Field", "Layout", "Measure", "Rows", "one_call"]
