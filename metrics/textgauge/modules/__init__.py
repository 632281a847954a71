"""The base classes of the modules for `evaluate.load`."""

from ..checks import flag
from .comparison import TextComparison
from .metric import (
    AnswerMetric,
    ErrorRateMetric,
    QuestionMetric,
    SamplesMetric,
    TextMetric,
    TranslationMetric,
    UnpairedTextMetric,
    module_of,
)
from .other_tools import as_number, as_sacrebleu, as_sacrebleu_bleu, only

__all__ = [
    "AnswerMetric", "ErrorRateMetric", "QuestionMetric", "SamplesMetric", "TextComparison", "TextMetric",
    "TranslationMetric", "UnpairedTextMetric", "as_number", "as_sacrebleu", "as_sacrebleu_bleu", "flag", "module_of",
    "only",
]  # fmt: skip
