"""Scores of all texts against all others, of any metric.

counts    what a metric computes of all pairs at once
matrix    scores block by block
pairwise  `textgauge.pairwise` and `textgauge.segment_scores`
mbr       `textgauge.mbr`: the best of many candidates
"""
