"""`sacrebleu.metrics.bleu`."""

from sacrebleu.metrics import bleu as original
from sacrebleu.metrics.bleu import BLEUScore, BLEUSignature

from ... import rest_of
from .counted import BLEU

__all__ = ["BLEU", "BLEUScore", "BLEUSignature"]

__getattr__ = rest_of(original)
