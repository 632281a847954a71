"""Where predictions and references agree: the matching tokens of both, by their characters."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ..checks import fail
from ..columns import Corpus, corpus_of
from ..counts import Sides, lcs_path, matched_orders
from ..ragged import FloatArray, IntArray, Ragged, lengths_of, offsets_of
from ..scores.rouge_types import order_of
from ..text import NOWHERE, SiftedTokenizer, Tokenizer, token_places
from ..text.sentences import placed_sentences
from .named import NamedScore, score_named


class Match(NamedTuple):
    """A token that matches.

    Attributes
    ----------
    start, end : int
        It is ``text[start:end]``.
    order : int
        The highest order of the matched n-grams that it is in, at least 1.
    joins : bool
        Whether a matched n-gram goes on with the next token.
    is_common : bool
        Whether it is on the longest common subsequence; always False where the score has none.
    """

    start: int
    end: int
    order: int
    joins: bool
    is_common: bool


@dataclass(frozen=True)
class Alignment:
    """The matching tokens of one segment.

    Attributes
    ----------
    prediction : list of Match
        For BLEU against all references together, else against the best one.
    references : list of lists of Match
        Of every reference against the prediction.
    best : int
        The reference that the segment is scored with, the first of equals; 0 for BLEU.
    """

    prediction: list[Match]
    references: list[list[Match]]
    best: int


def matches(
    predictions: Any, references: Any, *, metric: str = "bleu", metric_options: Mapping[str, Any] | None = None
) -> list[Alignment]:
    """Say which tokens of every prediction and reference match.

    An n-gram matches as often as both sides have it, and the first occurrences are taken.
    "rougeN" gives orders 1 to N, of which only N counts for the score; "rougeL" and
    "rougeLsum" single tokens and the longest common subsequence; "token_f1" single tokens,
    also with ``counting="set"``. Beyond `max_words` and `max_bytes` nothing matches.

    Parameters
    ----------
    predictions, references
        As for `corpus_of`.
    metric, metric_options
        As for `compare`.

    Examples
    --------
    >>> text = "the cat sat"
    >>> [aligned] = matches([text], ["A cat sat down"], metric="rouge2")
    >>> [(text[m.start : m.end], m.order) for m in aligned.prediction]
    [('cat', 2), ('sat', 2)]
    """
    return aligned(corpus_of(predictions, references), score_named(metric), metric_options)


def aligned(corpus: Corpus, named: NamedScore, options: Mapping[str, Any] | None = None) -> list[Alignment]:
    """Do what `matches` does, for texts that are in Arrow already."""
    return [alignment for chunk in corpus.chunks() for alignment in _aligned(chunk, named, options)]


def _aligned(corpus: Corpus, named: NamedScore, options: Mapping[str, Any] | None) -> Iterator[Alignment]:
    measure: Any = named.start(options)
    # A limit leaves the start of a text, so that places in it are places in the text.
    corpus = measure.as_read(corpus)
    offsets = corpus.reference_offsets
    if named.key == "bleu":
        hypotheses, references = _marked(corpus, measure, measure.options.max_order)
        for hypothesis, first, last in zip(hypotheses, offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
            yield Alignment(hypothesis, references[first:last], 0)
        return
    pairs = _pairs(corpus)
    orders = order_of(named.key) or 1
    if named.key.startswith(("rougeL", "rougeW")):
        is_summary = named.key == "rougeLsum"
        split = {"at_end_marks": measure.options.split_summaries} if is_summary else None
        hypotheses, references = _marked(pairs, measure, orders, _Common(split))
    else:
        hypotheses, references = _marked(pairs, measure, orders)
    scores = _pair_scores(measure, named.key, pairs) if len(pairs) > len(corpus) else np.zeros(len(pairs))
    for first, last in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        best = int(np.argmax(scores[first:last]))
        yield Alignment(hypotheses[first + best], references[first:last], best)


def _pairs(corpus: Corpus) -> Corpus:
    """Put the prediction beside each of its references."""
    segment_of = np.repeat(np.arange(len(corpus)), lengths_of(corpus.reference_offsets))
    hypotheses = corpus.hypotheses.take(pa.array(segment_of))
    return Corpus(hypotheses, corpus.references, np.arange(len(segment_of) + 1))


def _pair_scores(measure: Any, key: str, pairs: Corpus) -> FloatArray:
    """Score every pair by itself; what there is to warn of is said when the corpus is scored."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        measure.update_corpus(pairs)
    scores: FloatArray = measure.corpus_scores(measure.additive)[key]
    return scores


class _Common:
    """Marks tokens of the longest common subsequence; of summaries, of the union over their sentences."""

    def __init__(self, split: Mapping[str, Any] | None) -> None:
        self.split = split

    def __call__(self, hypothesis: _Text, reference: _Text) -> tuple[set[int], set[int]]:
        in_hypothesis: set[int] = set()
        in_reference: set[int] = set()
        sentences = [self._sentences(hypothesis), self._sentences(reference)]
        for ref_start, ref in sentences[1]:
            for hyp_start, hyp in sentences[0]:
                path = lcs_path(hyp, ref)
                in_hypothesis.update(hyp_start + i for i, _ in path)
                in_reference.update(ref_start + i for _, i in path)
        return in_hypothesis, in_reference

    def _sentences(self, text: _Text) -> Iterator[tuple[int, list[int]]]:
        """Yield the tokens of every sentence and the position of the first."""
        if self.split is None:
            yield 0, text.keys
            return
        starts = [start for start, _ in placed_sentences(text.text, **self.split)]
        # A token that stands nowhere belongs to the sentence of the one before it.
        tokens = np.maximum.accumulate(np.array([start for start, _ in text.places], np.int64))
        sentence_of = np.searchsorted(starts, tokens, side="right")
        bounds = [0, *(np.flatnonzero(np.diff(sentence_of)) + 1).tolist(), len(text.keys)]
        for first, last in zip(bounds[:-1], bounds[1:], strict=True):
            yield first, text.keys[first:last]


class _Text(NamedTuple):
    """A text, its token keys, and where the tokens stand."""

    text: str
    keys: list[int]
    places: list[tuple[int, int]]


def _texts(column: pa.LargeStringArray, normal: pa.LargeStringArray, keys: Ragged, tokenizer: Tokenizer) -> list[_Text]:
    flat, bounds = keys.values.tolist(), keys.offsets.tolist()
    texts = []
    for written, rewritten, first, last in zip(
        column.to_pylist(), normal.to_pylist(), bounds[:-1], bounds[1:], strict=True
    ):
        tokens = list(tokenizer.tokens(rewritten))
        if isinstance(tokenizer, SiftedTokenizer):
            tokens = [token for token in tokens if token not in tokenizer.stop_words]
        if len(tokens) != last - first:
            fail(ValueError, "tokenizer", f"the same {last - first} tokens for the same text again", str(len(tokens)))
        texts.append(_Text(written, flat[first:last], token_places(written, tokens)))
    return texts


def _marked(
    corpus: Corpus, measure: Any, orders: int, common: _Common | None = None
) -> tuple[list[list[Match]], list[list[Match]]]:
    """Return the matches of all hypotheses and of all references."""
    tokenizer, normalizer = measure.tokenizer, getattr(measure, "normalizer", None)
    columns = corpus.hypotheses, corpus.references
    normal = columns if normalizer is None else (normalizer.column(columns[0]), normalizer.column(columns[1]))
    hyp_keys, ref_keys = tokenizer.encode(normal)
    order_of, joins = matched_orders(Sides.of(hyp_keys, ref_keys, corpus.reference_offsets), orders)
    hypotheses = _texts(columns[0], normal[0], hyp_keys, tokenizer)
    references = _texts(columns[1], normal[1], ref_keys, tokenizer)
    texts = hypotheses + references
    commons: list[set[int]] = [set() for _ in texts]
    if common is not None:
        for i, (hypothesis, reference) in enumerate(zip(hypotheses, references, strict=True)):
            commons[i], commons[len(hypotheses) + i] = common(hypothesis, reference)
    offsets = offsets_of([len(text.keys) for text in texts])
    marked = list(_matches(texts, offsets, order_of, joins, commons))
    return marked[: len(hypotheses)], marked[len(hypotheses) :]


def _matches(
    texts: Sequence[_Text], offsets: IntArray, order_of: IntArray, joins: Any, commons: Sequence[set[int]]
) -> Iterator[list[Match]]:
    orders, joined, bounds = order_of.tolist(), joins.tolist(), offsets.tolist()
    for text, first, common in zip(texts, bounds[:-1], commons, strict=True):
        yield [
            Match(*place, max(orders[first + i], 1), joined[first + i], i in common)
            for i, place in enumerate(text.places)
            if place != NOWHERE and (orders[first + i] or i in common)
        ]
