"""The compiled kernel: `plain` explains its functions, which have the same names and arguments."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

# The classes of both kernels have the same methods; values that are lists there are arrays here.
from .plain import Cutter as Cutter
from .plain import DocumentFrequencies as DocumentFrequencies
from .plain import LcsIndex as LcsIndex
from .plain import LevenshteinIndex as LevenshteinIndex
from .plain import Lexer as Lexer
from .plain import NgramIndex as NgramIndex
from .plain import NgramInformation as NgramInformation
from .plain import SwappedGains as SwappedGains
from .plain import Texts as Texts
from .plain import Tokens as Tokens
from .plain import WordNet as WordNet

_Integers = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]
_Rows = npt.NDArray[Any]
_Ids = npt.NDArray[np.uint32]
_Bytes = npt.NDArray[np.uint8]
_Contents = tuple[str, int, int, int, int, bytes, tuple[int, ...]]

def build_info() -> str: ...
def texts(values: list[Any] | tuple[Any, ...]) -> Texts | int: ...
def nested_texts(values: list[Any] | tuple[Any, ...]) -> tuple[Texts, _Integers] | int: ...
def arrow_texts(offsets: npt.NDArray[np.int32] | _Integers, data: _Bytes, holder: Any) -> Texts: ...
def stripped(texts: Texts) -> Texts: ...
def equal_pairs(hypotheses: Texts, references: Texts, reference_offsets: _Integers | None) -> _Integers: ...
def folded(
    texts: Texts,
    characters: bytearray,
    fill_page: Callable[[int], None],
    fold: Callable[[str], str] | None,
    n_threads: int = 1,
) -> Texts: ...
def text_contents(hypotheses: Texts, references: Texts, n_threads: int = 1) -> tuple[_Contents, _Contents] | None: ...
def unsplit_texts(texts: Texts) -> int: ...
def has_wide_words(text: bytes, most: float, most_of_one: float) -> bool: ...
def first_words(texts: Texts, n_words: int) -> Texts: ...
def first_bytes(texts: Texts, n_bytes: int) -> Texts: ...
def first_bytes_of_long_line(texts: Texts, n_bytes: int) -> Texts: ...
def cut(
    cutter: Cutter,
    hypotheses: Texts,
    references: Texts,
    reference_offsets: _Integers | None,
    sentences: bool = False,
    lines: Sequence[Texts] | None = None,
    n_threads: int = 1,
) -> Tokens: ...
def cut_with_contents(
    cutter: Cutter,
    hypotheses: Texts,
    references: Texts,
    reference_offsets: _Integers | None,
    given: Sequence[Texts],
    sentences: bool = False,
    lines: Sequence[Texts] | None = None,
    n_threads: int = 1,
) -> tuple[Tokens, tuple[_Contents, _Contents] | None]: ...
def token_texts(cutter: Cutter, texts: Texts) -> tuple[_Integers, _Integers, _Bytes]: ...
def spaced(cutter: Cutter, texts: Texts) -> Texts: ...
def normalized(cutter: Cutter, texts: Texts) -> list[str]: ...
def cider_scores(
    frequencies: DocumentFrequencies,
    hypotheses: Texts,
    references: Texts,
    reference_offsets: _Integers | None,
    variant: str = "D",
    sigma: float = 6.0,
    repetition: Sequence[float] | _Floats = (),
    n_threads: int = 1,
) -> _Floats: ...
def bleu_rows(tokens: Tokens, max_order: int, least: int = 0, which: int = 1, n_threads: int = 1) -> _Rows: ...
def matched_orders(tokens: Tokens, max_order: int, n_threads: int = 1) -> tuple[npt.NDArray[np.uint16], _Bytes]: ...
def pair_counts(
    tokens: Tokens, units: npt.NDArray[np.int32], drops_last: bool = False, n_threads: int = 1
) -> _Integers: ...
def repeated_ngrams(tokens: Tokens, max_order: int, n_threads: int = 1) -> _Integers: ...
def lcs_path(hypothesis: _Ids, reference: _Ids) -> _Integers: ...
def union_lcs(tokens: Tokens, limits: str = "sentences", n_threads: int = 1) -> _Integers: ...
def weighted_lcs(tokens: Tokens, weight: float, n_threads: int = 1) -> _Floats: ...
def union_weighted_lcs(tokens: Tokens, weight: float, limits: str = "sentences", n_threads: int = 1) -> _Floats: ...
def skip_bigram_matches(tokens: Tokens, gap: int, n_threads: int = 1) -> _Integers: ...
def bag_matches(tokens: Tokens, as_sets: bool = False, n_threads: int = 1) -> _Integers: ...
def character_matches(
    hypotheses: Texts,
    references: Texts,
    reference_offsets: _Integers | None,
    char_order: int,
    word_order: int,
    *,
    whitespace: bool = False,
    n_threads: int = 1,
) -> _Integers: ...
def character_edits(
    hypotheses: Texts, references: Texts, reference_offsets: _Integers | None, n_threads: int = 1
) -> _Floats: ...
def character_tokens(texts: Texts, whitespace: bool = False) -> Tokens: ...
def word_tokens(texts: Texts) -> Tokens: ...
def weighted_ngram_matches(
    tokens: Tokens, max_order: int, n_rows: int, first_column: int, weights: _Floats
) -> _Floats: ...
def joined_edits(
    cutter: Cutter,
    hypotheses: Texts,
    references: Texts,
    reference_offsets: _Integers | None,
    aligner: int = 2,
    n_threads: int = 1,
) -> tuple[Tokens, _Integers]: ...
def assigned_edits(ids: _Ids, offsets: _Integers, n_channels: int, most_cells: int) -> _Integers: ...
def assigned_channels(ids: _Ids, offsets: _Integers, n_channels: int) -> _Integers: ...
def timed_edits(ids: _Ids, offsets: _Integers, times: _Floats, n_hypotheses: int, n_threads: int = 1) -> _Integers: ...
def joined_paths(cutter: Cutter, hypotheses: Texts, references: Texts, aligner: int = 2) -> list[str]: ...
def levenshtein_edits(tokens: Tokens, aligner: int = 0, n_threads: int = 1) -> _Integers: ...
def levenshtein_path(hypothesis: _Ids, reference: _Ids, aligner: int = 0) -> str: ...
def tree_distances(
    labels: _Ids,
    left: _Ids,
    contents: _Ids,
    offsets: _Integers,
    tokens: _Ids,
    content_offsets: _Integers,
    pairs: _Integers,
    most_pairs: int,
    n_threads: int = 1,
) -> _Floats: ...
def tree_mapping(
    labels: _Ids,
    left: _Ids,
    contents: _Ids,
    offsets: _Integers,
    tokens: _Ids,
    content_offsets: _Integers,
    most_pairs: int,
) -> _Integers: ...
def sari_shares(tokens: Tokens, rule: int, n_threads: int = 1) -> _Floats: ...
def sari_counts(tokens: Tokens, n_threads: int = 1) -> _Integers: ...
def translation_edits(tokens: Tokens, n_threads: int = 1) -> _Floats: ...
def edit_operations(hypothesis: _Ids, reference: _Ids) -> tuple[list[tuple[int, int, int]], str]: ...
def digit_sums(values: _Floats) -> _Integers | int: ...
def exact_means(parts: Iterable[Sequence[_Floats]], factor: float = 1.0, n_threads: int = 1) -> list[float] | float: ...
def resampled_sums(
    rows: _Integers | _Floats, seed: int, first: int, n_resamples: int, n_threads: int = 1
) -> _Integers | _Floats: ...
def exchanged_sums(
    rows: _Integers | _Floats, seed: int, first: int, n_resamples: int, n_threads: int = 1
) -> _Integers | _Floats: ...
def bleu_scores(
    rows: _Rows,
    max_order: int,
    smoothing: int = 0,
    value: float = 0.0,
    *,
    weights: Sequence[float] = (),
    effective_order: bool = False,
    counting: int = 0,
    percent: bool = False,
    last: Sequence[float] = (),
) -> _Floats | list[float]: ...
def f_scores(
    rows: _Rows,
    weights: Sequence[float] = (1.0,),
    beta: float = 1.0,
    alpha: float = -1.0,
    rounded: bool = False,
    n_threads: int = 1,
) -> _Floats | list[float]: ...
def chrf_scores(
    rows: _Rows, beta: float = 2.0, eps_smoothing: bool = False, percent: bool = False, parts: bool = False
) -> _Floats | list[float]: ...
def meteor_scores(
    rows: _Rows, alpha: float = 0.9, beta: float = 3.0, gamma: float = 0.5, n_threads: int = 1
) -> _Floats | list[float]: ...
def ter_scores(rows: _Rows) -> _Floats | list[float]: ...
def error_rates(rows: _Rows) -> _Floats | list[float]: ...
def sari_scores(
    rows: _Rows, f_of_deletion: bool = True, mean_first: bool = False, n_threads: int = 1
) -> _Floats | list[float]: ...
def nist_scores(rows: _Rows) -> _Floats | list[float]: ...
def five_decimals(values: _Floats) -> _Floats: ...
def kendall_sums(
    first: _Integers, second: _Integers, segment_of: _Integers, weights: _Integers, n_threads: int = 1
) -> _Integers: ...
def most_gained(
    gains: _Floats, segment_of: _Integers, ends: _Integers, weights: _Floats, n_threads: int = 1
) -> _Floats: ...
def meteor_rows(
    ids: _Ids,
    offsets: _Integers,
    hypotheses: _Integers,
    references: _Integers,
    words: tuple[_Rows, ...],
    n_threads: int = 1,
) -> _Integers: ...
def meteor_matches(
    ids: _Ids, offsets: _Integers, hypotheses: _Integers, references: _Integers, words: tuple[_Rows, ...]
) -> _Integers: ...
def meteor15_rows(
    ids: _Ids,
    offsets: _Integers,
    hypotheses: _Integers,
    references: _Integers,
    words: tuple[_Rows, ...],
    table: tuple[_Rows, ...],
    matchers: int,
    beam_size: int,
    n_threads: int = 1,
) -> _Integers: ...
def meteor15_matches(
    ids: _Ids,
    offsets: _Integers,
    hypotheses: _Integers,
    references: _Integers,
    words: tuple[_Rows, ...],
    table: tuple[_Rows, ...],
    matchers: int,
    beam_size: int,
) -> _Integers: ...
def paraphrase_table(text: bytes) -> tuple[bytes, _Ids, _Ids, _Ids, _Ids]: ...
