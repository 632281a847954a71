"""`sacrebleu.metrics.ter`."""

from typing import Any

from sacrebleu.metrics import ter as original
from sacrebleu.metrics.ter import TERScore, TERSignature

from .counted import TER

__all__ = ["TER", "TERScore", "TERSignature"]


def __getattr__(name: str) -> Any:
    """Return what else is in the module."""
    return getattr(original, name)
