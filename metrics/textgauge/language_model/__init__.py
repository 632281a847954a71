"""Texts to negative log-likelihoods under a causal language model; torch is imported when used."""

from .loading import clear_models
from .options import ModelOptions, changed
from .scoring import model_signature, text_statistics

__all__ = ["ModelOptions", "changed", "clear_models", "model_signature", "text_statistics"]
