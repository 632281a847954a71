"""What the modules for `evaluate.load` share: checked input straight to Arrow, plain results."""

from ..checks import flag, one_of
from ..resampling import interval_options
from .comparison import TextComparison
from .metric import TextMetric, UnpairedTextMetric

__all__ = ["TextComparison", "TextMetric", "UnpairedTextMetric", "flag", "interval_options", "one_of"]
