"""The base classes of the modules for `evaluate.load`."""

from ..checks import flag
from .comparison import TextComparison, comparison_arguments, comparison_info
from .metric import (
    AnswerMetric,
    ErrorRateMetric,
    QuestionMetric,
    TextMetric,
    TranslationMetric,
    UnpairedTextMetric,
    arguments,
    info,
    module_of,
)
from .other_tools import as_number, as_sacrebleu, as_sacrebleu_bleu, only

__all__ = [
    "AnswerMetric", "ErrorRateMetric", "QuestionMetric", "TextComparison", "TextMetric", "TranslationMetric",
    "UnpairedTextMetric", "arguments", "as_number", "as_sacrebleu", "as_sacrebleu_bleu", "comparison_arguments",
    "comparison_info", "flag", "info", "module_of", "only",
]  # fmt: skip
