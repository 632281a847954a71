"""What explains a score: marks and places in texts, the steps of its calculation.

explain     `textgauge.matches`, where predictions and references agree; the calculation for `textgauge.explain`
explainer   what explains a metric: its file in `measures` has a subclass of its own
derivation  the steps of a calculation, as text; words that several metrics need
alignment   the matching tokens of two texts, as spans of characters
marks       what a match counts, and texts cut into marked pieces
"""
