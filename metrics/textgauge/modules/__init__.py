"""What the modules for `evaluate.load` share: checked input straight to Arrow, plain results."""

from ..checks import flag, one_of
from ..resampling import BootstrapOptions
from .comparison import TextComparison
from .metric import TextMetric, UnpairedTextMetric

__all__ = ["BootstrapOptions", "TextComparison", "TextMetric", "UnpairedTextMetric", "flag", "one_of"]
