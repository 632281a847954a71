"""What a metric is made of."""

from .inputs import Inputs
from .layout import Field, Layout, Rows, Sums, scores_of
from .metric import Metric
from .notes import CountedNote, LostText, Misfit, Note, NotEnglish, Notes, TwoForms
from .scores import About, Explanation, Line, Score, Scores, Summary

__all__ = [
    "About", "CountedNote", "Explanation", "Field", "Inputs", "Layout", "Line",
    "LostText", "Metric", "Misfit", "NotEnglish", "Note", "Notes", "Rows", "Score", "Scores", "Summary", "Sums",
    "TwoForms", "scores_of",
]  # fmt: skip
