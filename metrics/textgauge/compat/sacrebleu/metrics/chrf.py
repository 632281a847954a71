"""`sacrebleu.metrics.chrf`."""

from sacrebleu.metrics.chrf import CHRFScore, CHRFSignature

from .counted import CHRF

__all__ = ["CHRF", "CHRFScore", "CHRFSignature"]
