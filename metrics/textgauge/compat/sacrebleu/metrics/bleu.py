"""`sacrebleu.metrics.bleu`."""

from typing import Any

from sacrebleu.metrics import bleu as original
from sacrebleu.metrics.bleu import BLEUScore, BLEUSignature

from .counted import BLEU

__all__ = ["BLEU", "BLEUScore", "BLEUSignature"]


def __getattr__(name: str) -> Any:
    """Return what else is in the module."""
    return getattr(original, name)
