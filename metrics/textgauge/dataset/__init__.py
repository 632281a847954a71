"""Scores of the rows of a data set, and of a data set larger than memory."""

from .corpus import score_dataset
from .scorer import Scorer, scorer

__all__ = ["Scorer", "score_dataset", "scorer"]
