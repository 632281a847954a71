"""`sacrebleu.metrics.chrf`."""

from typing import Any

from sacrebleu.metrics import chrf as original
from sacrebleu.metrics.chrf import CHRFScore, CHRFSignature

from .counted import CHRF

__all__ = ["CHRF", "CHRFScore", "CHRFSignature"]


def __getattr__(name: str) -> Any:
    """Return what else is in the module."""
    return getattr(original, name)
