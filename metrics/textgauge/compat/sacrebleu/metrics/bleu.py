"""`sacrebleu.metrics.bleu`."""

from sacrebleu.metrics.bleu import BLEUScore, BLEUSignature

from .counted import BLEU

__all__ = ["BLEU", "BLEUScore", "BLEUSignature"]
