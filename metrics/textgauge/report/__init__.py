"""The page of `explain`: a score and its texts in self-contained HTML, no network.

results  accumulators and texts -> what the page shows
charts   numbers -> axes, bins, groups by length of the segments and by frequency of the words
formulas formulas of sums -> MathML
pages    all of these -> HTML, by templates that draw, and escape all text
explain  `textgauge.explain`: texts -> a calculation, which a notebook displays as the page
"""

from .pages import embedded, explain_page
from .results import Report

__all__ = ["Report", "embedded", "explain_page"]
