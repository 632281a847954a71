"""The kernel in plain Python: every function by its paper's definition.

It runs where no compiled kernel is installed, and tests compare the compiled kernel with it. Both have
the same names, arguments and results: NumPy arrays of the kernel are (nested) lists here, arrays
of bytes are `bytes`. A map:

- `texts`: columns of texts; `limits`: their first words and bytes; `contents`: what readers of scores must know of them
- `scripts`: words with letters outside ASCII
- `characters`: the Unicode properties of characters, as a table that both kernels use
- `tokenizers`, `ptb`, `ptb_characters`, `answers`, `porter`: rules for tokens; `cutter`: from texts to tokens
- `tokens`: tokens as integers
- `ngrams`, `lcs`, `union_lcs`, `weighted_lcs`, `skip_bigrams`, `bags`: counts of common units;
  `pairs`: several of these at once; `ngram_index`, and a class of `lcs`: all texts against all others;
  `repeats`: n-grams that the texts of a group have in common
- `cider`: n-grams weighted by their documents
- `chrf`: character n-grams; `levenshtein`: edits; `joins`: edits of words that may be joined; `timed_edits`: of words
  that overlap in time; `assigned_edits`: of utterances, each in one of several channels; `ter`, `character`: edits and
  shifts; `trees`: edits of trees; `sari`: what a rewritten text keeps, deletes, adds
- `meteor`: alignments; `treebank`: nltk's words; `snowball`: a stemmer; `synsets`: words with their stems and synonyms
- `nist`: n-grams weighted by their information
- `scores`: from counts to BLEU, F, chrF, TER, WER, SARI and NIST
- `kendall`: pairs that two rankings order alike; `ties`: the best threshold for ties
- `sums`: sums without rounding; `resamples`: sums of rows drawn at random
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Not on first use: one function of each file has its name.
from .texts import Texts, arrow_texts, equal_pairs, folded, nested_texts, stripped, texts
from .union_lcs import union_lcs
from .weighted_lcs import union_weighted_lcs, weighted_lcs

if TYPE_CHECKING:
    from .cider import DocumentFrequencies as DocumentFrequencies
    from .cutter import Cutter as Cutter
    from .ptb import Lexer as Lexer
    from .synsets import WordNet as WordNet
    from .tokens import Tokens as Tokens

# By file, imported on first use: beside the compiled kernel most calls need none of them.
_NAMES = {
    "assigned_edits": ("assigned_channels", "assigned_edits"),
    "bags": ("bag_matches",),
    "character": ("character_edits",),
    "cider": ("DocumentFrequencies", "cider_scores"),
    "chrf": ("character_matches", "character_tokens", "word_tokens"),
    "contents": ("text_contents", "unsplit_texts"),
    "cutter": ("Cutter", "cut", "cut_with_contents", "normalized", "spaced", "token_texts"),
    "joins": ("joined_edits", "joined_paths"),
    "kendall": ("kendall_sums",),
    "lcs": ("LcsIndex", "lcs_path"),
    "levenshtein": ("LevenshteinIndex", "levenshtein_edits", "levenshtein_path"),
    "limits": ("first_bytes", "first_bytes_of_long_line", "first_words"),
    "meteor": (
        "meteor15_matches",
        "meteor15_rows",
        "meteor_matches",
        "meteor_rows",
        "paraphrase_table",
    ),
    "ngram_index": ("NgramIndex", "weighted_ngram_matches"),
    "ngrams": ("bleu_rows", "matched_orders"),
    "nist": ("NgramInformation",),
    "synsets": ("WordNet",),
    "pairs": ("pair_counts",),
    "ptb": ("Lexer",),
    "repeats": ("repeated_ngrams",),
    "resamples": ("exchanged_sums", "resampled_sums"),
    "sari": ("sari_counts", "sari_shares"),
    "scores": (
        "bleu_scores",
        "chrf_scores",
        "error_rates",
        "f_scores",
        "five_decimals",
        "meteor_scores",
        "nist_scores",
        "sari_scores",
        "ter_scores",
    ),
    "scripts": ("has_wide_words",),
    "skip_bigrams": ("skip_bigram_matches",),
    "sums": ("digit_sums", "exact_means"),
    "ter": ("edit_operations", "translation_edits"),
    "timed_edits": ("timed_edits",),
    "ties": ("SwappedGains", "most_gained"),
    "tokens": ("Tokens",),
    "trees": ("tree_distances", "tree_mapping"),
}
_FILE_OF = {name: file for file, names in _NAMES.items() for name in names}
__all__ = [
    "Texts", "arrow_texts", "equal_pairs", "folded", "nested_texts", "stripped", "texts", "union_lcs",
    "union_weighted_lcs", "weighted_lcs", *_FILE_OF,
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _FILE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # All of its names: the import has put the file in the place of a function of its name.
    file = import_module(f".{_FILE_OF[name]}", __name__)
    globals().update({own: getattr(file, own) for own in _NAMES[_FILE_OF[name]]})
    return globals()[name]
