"""The page of `explain`: a score and its texts in self-contained HTML, no network.

results  accumulators and texts -> what the page shows
formulas formulas of sums -> MathML
charts   numbers -> text, axes, bins and groups, such as scores by length of the segments
pages    all of these -> HTML, by templates that draw, and escape all text
"""

from .pages import embedded, explain_page
from .results import Report

__all__ = ["Report", "embedded", "explain_page"]
