"""Metrics for frameworks of evaluation: a file for each, over the statistics per sample of `corpus_score`."""
