"""The base classes of the modules for `evaluate.load`."""

from ..checks import flag
from .comparison import TextComparison
from .hub_results import as_arrays, as_number, as_sacrebleu, as_sacrebleu_bleu, only
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

__all__ = [
    "AnswerMetric", "ErrorRateMetric", "GuessesMetric", "ProgramMetric", "QuestionMetric", "TextComparison",
    "TextMetric", "TranslationMetric", "TwoSampleMetric", "UnpairedTextMetric", "as_arrays", "as_number",
    "as_sacrebleu", "as_sacrebleu_bleu", "flag", "module_of", "only",
]  # fmt: skip
