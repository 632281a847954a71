"""`sacrebleu.metrics`: BLEU, chrF and TER, and their scores."""

from sacrebleu.metrics import METRICS as ORIGINALS

from .bleu import BLEU, BLEUScore
from .chrf import CHRF, CHRFScore
from .ter import TER, TERScore

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]

METRICS = {**ORIGINALS, "BLEU": BLEU, "CHRF": CHRF, "TER": TER}
