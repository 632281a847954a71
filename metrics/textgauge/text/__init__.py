"""From text to tokens: normalizers, tokenizers, stop words, sentences, and places of tokens in their text."""

from .normalizers import NORMALIZERS, Normalizer, normalizer_of
from .places import NOWHERE, token_places
from .replacements import Replacements, replacements_of
from .tokenizers import STEMMED_ROUGE, TOKENIZERS, Tokenizer, prepared, tokenize, tokenizer_of
from .word_lists import irregular_forms, words_of

__all__ = [
    "NORMALIZERS", "NOWHERE", "STEMMED_ROUGE", "TOKENIZERS", "Normalizer", "Replacements", "Tokenizer",
    "irregular_forms", "normalizer_of", "prepared", "replacements_of", "token_places", "tokenize", "tokenizer_of",
    "words_of",
]  # fmt: skip
