"""The kernel in plain Python: every function by its paper's definition.

It runs where no compiled kernel is installed, and tests compare the compiled kernel with it. Both have
the same names, arguments and results: NumPy arrays of the kernel are (nested) lists here, arrays
of bytes are `bytes`. A map:

- `texts`: columns of texts; `limits`: their first words and bytes
- `characters`: the Unicode properties of characters, as a table that both kernels use
- `tokenizers`, `answers`, `porter`: rules for tokens; `cutter`: from texts to tokens
- `tokens`: tokens as integers
- `ngrams`, `lcs`, `union_lcs`, `weighted_lcs`, `skip_bigrams`, `bags`: counts of common units;
  `pairs`: several of these at once; `ngram_index`, and a class of `lcs`: all texts against all others;
  `repeats`: n-grams that the texts of a group have in common
- `chrf`: character n-grams; `ter`: edits and shifts
- `scores`: from counts to BLEU, F, chrF and TER
- `kendall`: pairs that two rankings order alike
- `sums`: sums without rounding; `resamples`: sums of rows drawn at random
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Not on first use: one function of each file has its name.
from .texts import Texts, arrow_texts, folded, nested_texts, stripped, texts
from .union_lcs import union_lcs
from .weighted_lcs import union_weighted_lcs, weighted_lcs

if TYPE_CHECKING:
    from .bags import bag_matches
    from .chrf import character_matches, character_tokens, word_tokens
    from .cutter import Cutter, cut, normalized, token_texts
    from .kendall import kendall_sums
    from .lcs import LcsIndex, lcs_path
    from .limits import first_bytes, first_bytes_of_long_line, first_words
    from .ngram_index import NgramIndex, weighted_ngram_matches
    from .ngrams import bleu_rows, matched_orders
    from .pairs import pair_counts
    from .repeats import repeated_ngrams
    from .resamples import exchanged_sums, resampled_sums
    from .scores import bleu_scores, chrf_scores, f_scores, five_decimals, ter_scores
    from .skip_bigrams import skip_bigram_matches
    from .sums import digit_sums
    from .ter import edit_operations, translation_edits
    from .tokens import Tokens

__all__ = [
    "Cutter", "LcsIndex", "NgramIndex", "Texts", "Tokens", "arrow_texts", "bag_matches", "bleu_rows", "bleu_scores",
    "character_matches", "character_tokens", "chrf_scores", "cut", "digit_sums", "edit_operations",
    "exchanged_sums", "f_scores", "first_bytes", "first_bytes_of_long_line", "first_words", "five_decimals",
    "folded", "kendall_sums", "lcs_path", "matched_orders", "nested_texts", "normalized",
    "pair_counts", "repeated_ngrams", "resampled_sums", "skip_bigram_matches", "stripped", "ter_scores", "texts",
    "token_texts", "translation_edits", "union_lcs", "union_weighted_lcs", "weighted_lcs", "weighted_ngram_matches",
    "word_tokens",
]  # fmt: skip

# Imported on first use: beside the compiled kernel most calls need none of them.
_FILES = (
    "answers", "bags", "chrf", "cutter", "kendall", "lcs", "limits", "ngram_index", "ngrams", "pairs", "porter",
    "repeats", "resamples", "scores", "skip_bigrams", "sums", "ter", "tokenizers", "tokens",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _FILES:
        return import_module(f".{name}", __name__)
    if name in __all__:
        modules = (import_module(f".{file}", __name__) for file in _FILES)
        value = globals()[name] = next(getattr(module, name) for module in modules if hasattr(module, name))
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
