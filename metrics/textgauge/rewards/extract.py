"""The part of a completion that counts: see `textgauge.text.extract`."""

from ..text.extract import extractor

__all__ = ["extractor"]
