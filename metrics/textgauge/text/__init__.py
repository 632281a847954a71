"""Text to token keys: normalizers, tokenizers, stemming, one vocabulary for both sides."""

from .normalizers import NORMALIZERS, Normalizer, normalizer_of
from .preparation import prepared
from .tokenizers import STEMMED_ROUGE, TOKENIZERS, Tokenizer, tokenizer_of

__all__ = [
    "NORMALIZERS",
    "STEMMED_ROUGE",
    "TOKENIZERS",
    "Normalizer",
    "Tokenizer",
    "normalizer_of",
    "prepared",
    "tokenizer_of",
]
