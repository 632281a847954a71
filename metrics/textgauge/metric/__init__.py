"""What a metric is made of."""

from .about import About, Explanation
from .counter import Counter, PairCounter
from .inputs import Inputs
from .layout import Field, Layout, References, Rows, each_score_of, scores_of
from .metric import Metric
from .notes import CountedNote, LostText, Misfit, Note, Notes, TwoForms
from .scores import Score, Scores
from .summary import Line, Summary
from .sums import Sums

__all__ = [
    "About", "CountedNote", "Counter", "Explanation", "Field", "Inputs", "Layout", "Line",
    "LostText", "Metric", "Misfit", "Note", "Notes", "PairCounter", "References", "Rows", "Score", "Scores", "Summary",
    "Sums", "TwoForms", "each_score_of", "scores_of",
]  # fmt: skip
