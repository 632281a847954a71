"""`sacrebleu.metrics.ter`."""

from sacrebleu.metrics import ter as original
from sacrebleu.metrics.ter import TERScore, TERSignature

from ... import rest_of
from .counted import TER

__all__ = ["TER", "TERScore", "TERSignature"]

__getattr__ = rest_of(original)
