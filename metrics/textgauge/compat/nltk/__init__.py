"""`nltk`, whose scores of translations, `nltk.translate`, count in our kernel; everything else is nltk's own."""

from .. import rest_when_asked
from . import translate
from .translate import bleu, chrf, gleu, meteor, nist

__all__ = ["bleu", "chrf", "gleu", "meteor", "nist", "translate"]

__getattr__ = rest_when_asked("nltk")
