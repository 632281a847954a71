"""`rouge_score.scoring`: scores, and the confidence intervals of their means."""

from .. import importing

with importing("rouge_score"):
    from rouge_score.scoring import AggregateScore, BaseScorer, BootstrapAggregator, Score, fmeasure

__all__ = ["AggregateScore", "BaseScorer", "BootstrapAggregator", "Score", "fmeasure"]
