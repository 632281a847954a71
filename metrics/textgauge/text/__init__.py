"""Text to token keys: normalizers, limits, tokenizers, stop words, stemming, one vocabulary for both sides."""

from .limits import first_bytes, first_bytes_of_long_line, first_words
from .normalizers import NORMALIZERS, Normalizer, normalizer_of
from .places import NOWHERE, token_places
from .preparation import prepared
from .sifted import SiftedTokenizer
from .stemmers import Stemmer, irregular_forms, words_of
from .tokenizers import STEMMED_ROUGE, TOKENIZERS, Tokenizer, tokenizer_of

__all__ = [
    "NORMALIZERS", "NOWHERE", "STEMMED_ROUGE", "TOKENIZERS", "Normalizer", "SiftedTokenizer", "Stemmer", "Tokenizer",
    "first_bytes", "first_bytes_of_long_line", "first_words", "irregular_forms", "normalizer_of", "prepared",
    "token_places", "tokenizer_of", "words_of",
]  # fmt: skip
