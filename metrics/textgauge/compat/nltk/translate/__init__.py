"""`nltk.translate`: scores of lists of tokens."""

from ... import rest_when_asked
from . import bleu_score, chrf_score, gleu_score, meteor_score, nist_score
from .bleu_score import sentence_bleu as bleu
from .chrf_score import sentence_chrf as chrf
from .gleu_score import sentence_gleu as gleu
from .meteor_score import meteor_score as meteor
from .nist_score import sentence_nist as nist

__all__ = [
    "bleu", "bleu_score", "chrf", "chrf_score", "gleu", "gleu_score", "meteor", "meteor_score", "nist", "nist_score",
]  # fmt: skip

__getattr__ = rest_when_asked("nltk.translate")
