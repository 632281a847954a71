"""Scores of all texts against all others, of any metric.

matrix    scores block by block
pairwise  `textgauge.pairwise` and `textgauge.segment_scores`
mbr       `textgauge.mbr`: the best of many candidates
"""
