"""Texts, and two ways to score them."""

import pytest
import textgauge
from tiny_models import START

TEXTS = [
    "the cat sat on the mat",
    "a",
    "one, two: three!",
    "na\u00efve caf\u00e9s sell coffee",
    "dog",
    f"{START} is text",
    "cats and dogs",
]
# For tests that depend on positions or padding: both architectures, also in the quick run.
BOTH = pytest.mark.parametrize("folder", ["gpt2", "llama"], indirect=True)
LONG = "the cat sat on the mat, a dog barks. " * 4


def ids_of(tokenizer, text):
    return tokenizer(text, add_special_tokens=False, split_special_tokens=True).input_ids


def nll(texts, **options):
    return textgauge.perplexity(texts=texts, per_segment=True, **options)["segment_nll"]
