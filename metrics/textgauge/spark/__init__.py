"""Scores of Spark data frames, computed on the workers.

From columns to scores:

    tables     checks of columns; the import of pyspark
    batches    from one Arrow batch to statistics, on a worker
    partials   from one partition to exact sums, on a worker
    corpus     `score`: from the sums of all partitions to one score
    rows       `add_scores`: columns with the scores of the rows
"""

from .corpus import score
from .rows import add_scores

__all__ = ["add_scores", "score"]
