"""Where predictions and references agree: the matching tokens of both, by their characters."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import engine
from ..arrays import FloatArray, lengths_of
from ..checks import fail
from ..columns import Corpus, corpus_of
from ..scores.rouge_types import order_of
from ..text import NOWHERE, Tokenizer, token_places
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
    """Do what `matches` does, for texts that were checked before."""
    engine.warn_if_plain()
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
    return Corpus(corpus.hypotheses.take(segment_of), corpus.references, np.arange(len(segment_of) + 1))


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
                for i, j in np.asarray(engine.kernel.lcs_path(hyp, ref)).reshape(-1, 2).tolist():
                    in_hypothesis.add(hyp_start + i)
                    in_reference.add(ref_start + j)
        return in_hypothesis, in_reference

    def _sentences(self, text: _Text) -> Iterator[tuple[int, npt.NDArray[np.uint32]]]:
        """Yield the tokens of every sentence and the position of the first."""
        if self.split is None:
            yield 0, text.ids
            return
        starts = [start for start, _ in placed_sentences(text.text, **self.split)]
        # A token that stands nowhere belongs to the sentence of the one before it.
        tokens = np.maximum.accumulate(np.array([start for start, _ in text.places], np.int64))
        sentence_of = np.searchsorted(starts, tokens, side="right")
        bounds = [0, *(np.flatnonzero(np.diff(sentence_of)) + 1).tolist(), len(text.ids)]
        for first, last in zip(bounds[:-1], bounds[1:], strict=True):
            yield first, text.ids[first:last]


class _Text(NamedTuple):
    """A text, the ids of its tokens, and where the tokens are."""

    text: str
    ids: npt.NDArray[np.uint32]
    places: list[tuple[int, int]]


def _text(written: str, rewritten: str, ids: npt.NDArray[np.uint32], tokenizer: Tokenizer) -> _Text:
    tokens = tokenizer.unstemmed(rewritten)
    if len(tokens) != len(ids):
        fail(ValueError, "tokenizer", f"the same {len(ids)} tokens for the same text again", str(len(tokens)))
    return _Text(written, ids, token_places(written, tokens))


def _marked(
    corpus: Corpus, measure: Any, orders: int, common: _Common | None = None
) -> tuple[list[list[Match]], list[list[Match]]]:
    """Return the matches of all hypotheses and of all references."""
    tokenizer = measure.tokenizer
    normal = measure.normalized(corpus) if hasattr(measure, "normalized") else corpus
    tokens = tokenizer.cut(normal)
    order_of, joins = map(np.asarray, engine.kernel.matched_orders(tokens, orders))
    offsets, ids = np.asarray(tokens.offsets).tolist(), np.asarray(tokens.ids)
    sides: tuple[list[list[Match]], list[list[Match]]] = ([], [])
    bounds = corpus.reference_offsets.tolist()
    at = 0
    for segment, (first, last) in enumerate(zip(bounds[:-1], bounds[1:], strict=True)):
        rows = [(corpus.hypotheses, normal.hypotheses, segment)]
        rows += [(corpus.references, normal.references, row) for row in range(first, last)]
        spans = [slice(offsets[at + i], offsets[at + i + 1]) for i in range(len(rows))]
        texts = [
            _text(written[row], rewritten[row], ids[span], tokenizer)
            for (written, rewritten, row), span in zip(rows, spans, strict=True)
        ]
        commons: list[set[int]] = [set() for _ in texts]
        if common is not None:
            commons = list(common(*texts))
        matched = [
            _matches(text, order_of[span].tolist(), joins[span].tolist(), in_common)
            for text, span, in_common in zip(texts, spans, commons, strict=True)
        ]
        sides[0].append(matched[0])
        sides[1].extend(matched[1:])
        at += len(rows)
    return sides


def _matches(text: _Text, orders: list[int], joins: list[int], common: set[int]) -> list[Match]:
    return [
        Match(*place, max(orders[i], 1), bool(joins[i]), i in common)
        for i, place in enumerate(text.places)
        if place != NOWHERE and (orders[i] or i in common)
    ]
