"""Texts to negative log-likelihoods under a causal language model; torch is imported when used."""

from .loading import clear_models
from .options import ModelOptions
from .scoring import text_statistics

__all__ = ["ModelOptions", "clear_models", "text_statistics"]
