"""Text to token keys: tokenizers, stemming, one vocabulary for both sides."""

from .preparation import prepared
from .tokenizers import STEMMED_ROUGE, TOKENIZERS, Tokenizer, tokenizer_of

__all__ = ["STEMMED_ROUGE", "TOKENIZERS", "Tokenizer", "prepared", "tokenizer_of"]
