"""Text to token keys: normalizers, tokenizers, stemming, one vocabulary for both sides."""

from .normalizers import NORMALIZERS, Normalizer, normalizer_of
from .places import NOWHERE, token_places
from .preparation import prepared
from .tokenizers import STEMMED_ROUGE, TOKENIZERS, Tokenizer, tokenizer_of

__all__ = [
    "NORMALIZERS",
    "NOWHERE",
    "STEMMED_ROUGE",
    "TOKENIZERS",
    "Normalizer",
    "Tokenizer",
    "normalizer_of",
    "prepared",
    "token_places",
    "tokenizer_of",
]
