"""Scores of all texts against all others: matrices, pairs, the best of many candidates."""
