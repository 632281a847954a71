"""Scores of Spark data frames, computed on the workers.

From columns to scores:

    columns    checks of columns, in data frames and in Arrow batches on a worker; the import of pyspark
    corpus     `score`: exact sums of every partition, on a worker, and from all of them to one score
    rows       `add_scores`: columns with the scores of the rows
"""

from .corpus import score
from .rows import add_scores

__all__ = ["add_scores", "score"]
