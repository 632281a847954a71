"""The calculation of the character error rate: that of words, of characters."""

from __future__ import annotations

from .wer import WerExplainer


class CerExplainer(WerExplainer):
    """Explains the score of `CerMetric`."""
