"""The base classes of the modules for `evaluate.load`."""

from ..checks import flag
from .comparison import TextComparison
from .metric import (
    AnswerMetric,
    ErrorRateMetric,
    GuessesMetric,
    ProgramMetric,
    QuestionMetric,
    TextMetric,
    TranslationMetric,
    TwoSampleMetric,
    UnpairedTextMetric,
    module_of,
)
from .other_tools import as_arrays, as_number, as_sacrebleu, as_sacrebleu_bleu, only

__all__ = [
    "AnswerMetric", "ErrorRateMetric", "GuessesMetric", "ProgramMetric", "QuestionMetric", "TextComparison",
    "TextMetric", "TranslationMetric", "TwoSampleMetric", "UnpairedTextMetric", "as_arrays", "as_number",
    "as_sacrebleu", "as_sacrebleu_bleu", "flag", "module_of", "only",
]  # fmt: skip
