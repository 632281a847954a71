"""`sacrebleu.metrics.chrf`."""

from sacrebleu.metrics import chrf as original
from sacrebleu.metrics.chrf import CHRFScore, CHRFSignature

from ... import rest_of
from .counted import CHRF

__all__ = ["CHRF", "CHRFScore", "CHRFSignature"]

__getattr__ = rest_of(original)
