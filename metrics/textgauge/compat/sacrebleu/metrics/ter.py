"""`sacrebleu.metrics.ter`."""

from sacrebleu.metrics.ter import TERScore, TERSignature

from .counted import TER

__all__ = ["TER", "TERScore", "TERSignature"]
