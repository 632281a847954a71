"""Scores of Spark data frames, computed where their rows are.

tables     which columns, of which types; pyspark itself
batches    one Arrow batch to statistics, on a worker
partials   one partition to exact sums, on a worker
corpus     `score`: the sums of all partitions to one score
rows       `add_scores`: columns with the scores of the rows
"""

from .corpus import score
from .rows import add_scores

__all__ = ["add_scores", "score"]
