"""Models that score texts; torch is imported when used.

options      which model, and how it is loaded
files        where the files of a model are, and how they are read
loading      models of transformers and their tokenizers; linear layers by the faster library
tokens       texts to tokens, truncated to the longest input
batching     texts in batches, and a bar of their progress
scoring      likelihoods of texts: windows of token sequences
encoder      embeddings of texts: matching
features     one vector of every text: buckets
learned      what models of learned metrics have in common: loading, the texts that are read, scores
metricx      MetricX's models
bleurt       BLEURT's models
comet        COMET's models: checkpoints, sentence_vectors (encoder), spans
pairs        models that read two texts as one, such as FrugalScore's: consistency
math_engine  Math-Verify in processes of their own, each running math_program
ngrams       a model of n-gram counts
text_models  models that say their own statistics; probabilities of the user
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .options import ModelOptions, changed

if TYPE_CHECKING:
    from .loading import clear_models
    from .scoring import model_signature, text_statistics, text_surprises

__all__ = ["ModelOptions", "changed", "clear_models", "model_signature", "text_statistics", "text_surprises"]

# Imported on first use: every program needs the options, few the rest.
_HOMES = {
    "clear_models": "loading",
    "model_signature": "scoring",
    "text_statistics": "scoring",
    "text_surprises": "scoring",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    return globals()[name]
