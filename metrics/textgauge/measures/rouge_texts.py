"""Columns to the texts that ROUGE counts: limits, tokens and sentences."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

import pyarrow as pa

from ..checks import fail, flag, shown
from ..scores.rouge_options import SCRIPT, RougeOptions
from ..text import (
    STEMMED_ROUGE,
    TOKENIZERS,
    SiftedTokenizer,
    Stemmer,
    Tokenizer,
    first_bytes,
    first_bytes_of_long_line,
    first_words,
    irregular_forms,
    tokenizer_of,
    words_of,
)
from ..text.tokenizers import Place
from .texts import Texts, split_texts_of, texts_of


def rouge_texts(
    columns: list[pa.LargeStringArray], tokenizer: Tokenizer, place: Place, options: RougeOptions
) -> list[Texts]:
    """Tokenize columns with one vocabulary, by sentences where a type needs them."""
    limited = [limited_column(column, options) for column in columns]
    if not options.needs_sentences:
        return texts_of(limited, tokenizer, place)
    lines = None
    if options.is_script and options.max_bytes is not None:
        lines = [first_bytes_of_long_line(column, options.max_bytes) for column in columns]
    return split_texts_of(limited, tokenizer, place, at_end_marks=options.split_summaries, lines=lines)


def limited_column(column: pa.LargeStringArray, options: RougeOptions) -> pa.LargeStringArray:
    """Return the start of every text that is read."""
    if options.max_words is not None:
        return first_words(column, options.max_words)
    return column if options.max_bytes is None else first_bytes(column, options.max_bytes)


def rouge_tokenizer(
    tokenizer: str | Tokenizer | Callable[[str], list[str]] | None,
    *,
    preset: str | None,
    use_stemmer: bool,
    stopwords: str | os.PathLike[str] | Iterable[str] | None,
    exceptions: str | os.PathLike[str] | None,
) -> Tokenizer:
    """Return the tokenizer, with stop words and stems behind it."""
    flag("use_stemmer", use_stemmer)
    if preset and tokenizer is not None:
        fail(ValueError, "tokenizer", f"none beside preset={preset!r}, which has its own", shown(tokenizer))
    base = tokenizer_of(SCRIPT if preset else "rouge" if tokenizer is None else tokenizer)
    can_stem = preset is not None or base == TOKENIZERS["rouge"]
    if use_stemmer and not can_stem and not is_own(tokenizer):
        fail(ValueError, "use_stemmer", "False beside a tokenizer other than 'rouge'", shown(use_stemmer))
    words = frozenset() if stopwords is None else words_of(stopwords)
    forms = () if exceptions is None else irregular_forms(exceptions)
    stems = use_stemmer and can_stem
    if exceptions is not None and not stems:
        fail(ValueError, "exceptions", "None without use_stemmer=True and its tokenizer", shown(exceptions))
    if not preset and not words and not forms:
        return STEMMED_ROUGE if stems else base
    if not stems and not words:
        return base
    stemmer = Stemmer("porter155" if preset else "porter", forms) if stems else None
    return SiftedTokenizer.of(base, words, stemmer)


def is_own(tokenizer: object) -> bool:
    """Say whether a tokenizer is a function of the user's, which stems by itself if at all."""
    return callable(tokenizer) and not isinstance(tokenizer, Tokenizer)
