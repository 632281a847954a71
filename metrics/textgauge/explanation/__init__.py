"""Explanations of scores: marks and places in texts, the steps of a calculation.

explain     `textgauge.matches`, where predictions and references agree; the calculation for `textgauge.explain`
explainer   the base class of explainers, of which the file of a metric in `measures` has a subclass
derivation  the steps of a calculation, as text; words that several metrics need
alignment   the matching tokens of two texts, as spans of characters
marks       what a match counts, and texts cut into marked pieces
"""
