"""What a metric is made of."""

from .former import Counter, PairCounter, References
from .inputs import Inputs
from .layout import Field, Layout, Rows, Sums, scores_of
from .metric import Metric
from .notes import CountedNote, LostText, Misfit, Note, Notes, TwoForms
from .scores import About, Explanation, Line, Score, Scores, Summary

__all__ = [
    "About", "CountedNote", "Counter", "Explanation", "Field", "Inputs", "Layout", "Line",
    "LostText", "Metric", "Misfit", "Note", "Notes", "PairCounter", "References", "Rows", "Score", "Scores", "Summary",
    "Sums", "TwoForms", "scores_of",
]  # fmt: skip
