"""Scores during training: functions for the Trainer of transformers."""

from .metrics import TrainerMetrics, compute_metrics
from .token_ids import preprocess_logits_for_metrics

__all__ = ["TrainerMetrics", "compute_metrics", "preprocess_logits_for_metrics"]
