"""The page of `explain`: a score and its texts in self-contained HTML, no network.

results  accumulators and texts -> what the page shows
groups   scores by length of the segments, F1 by frequency of the words
formulas formulas of sums -> MathML
charts   numbers -> text, axes, bins and groups
pages    all of these -> HTML, by templates that draw, and escape all text
"""

from .pages import embedded, explain_page
from .results import Report

__all__ = ["Report", "embedded", "explain_page"]
