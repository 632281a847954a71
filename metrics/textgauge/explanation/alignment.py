"""The matching tokens of predictions and references, as spans of characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import engine
from ..arrays import IntArray, lengths_of
from ..checks import fail, quantity
from ..input.columns import Corpus
from ..metric.layout import Rows, best_pairs
from ..metric.metric import Metric, selection_scores_of
from ..text import NOWHERE, Tokenizer
from ..text.sentences import placed_sentences

if TYPE_CHECKING:
    from ..plain import Tokens


class Match(NamedTuple):
    """A token that matches: an element of an `Alignment`.

    Attributes
    ----------
    start, end : int
        Its characters are ``text[start:end]``.
    weight : float
        How much it counts: the highest order of a matched n-gram that contains it, bits of surprise
        under a language model, 1 for metrics with neither.
    joins : bool
        Whether a matched n-gram contains it and the next token.
    is_common : bool
        Whether it is part of what the score counts: of the longest common subsequence, of a common
        skip-bigram, or, for TER, a match without a shift; False for scores with none of these.
    partner : (int, int) or None
        The characters of the token that it is joined to, in the scored reference or in the prediction, and
        `weight` is their similarity; None for metrics that join no two tokens.
    """

    start: int
    end: int
    weight: float
    joins: bool
    is_common: bool
    partner: tuple[int, int] | None = None


MatchedSides = tuple[list[list[Match]], list[list[Match]]]


@dataclass(frozen=True)
class Alignment:
    """The matching tokens of one segment: an element of the result of `textgauge.matches`.

    Attributes
    ----------
    prediction : list of Match
        Tokens of the prediction that match the best reference, or all references together if the metric
        counts them together.
    references : list of lists of Match
        Tokens of every reference that match the prediction.
    best : int
        Index of the reference that the segment is scored with, the first of equals; 0 if not `is_alone`.
    is_alone : bool
        Whether the segment is scored with one reference only.
    """

    prediction: list[Match]
    references: list[list[Match]]
    best: int
    is_alone: bool = True

    def __repr__(self) -> str:
        """Return a line: how many tokens match, of the prediction and of the reference that is scored."""
        theirs = len(self.references[self.best]) if self.best < len(self.references) else 0
        return f"<Alignment, {len(self.prediction)} tokens of the prediction, {theirs} of reference {self.best}>"


class Alignments(list[Alignment]):
    """The result of `textgauge.matches`: a list whose representation is short."""

    def __repr__(self) -> str:
        """Return a line with the number of segments."""
        return f"<Alignments of {quantity(len(self), 'segment')}>"


def unaligned(corpus: Corpus) -> list[Alignment]:
    """Return no matches for every segment."""
    return [Alignment([], [[]] * n, 0, is_alone=False) for n in lengths_of(corpus.reference_offsets).tolist()]


def pairs_of(corpus: Corpus) -> Corpus:
    """Return one segment per reference, each with its prediction."""
    segment_of = np.repeat(np.arange(len(corpus)), lengths_of(corpus.reference_offsets))
    sources = None if corpus.sources is None else corpus.sources.take(segment_of)
    offsets = np.arange(len(segment_of) + 1)
    return Corpus(corpus.hypotheses.take(segment_of), corpus.references, offsets, sources=sources)


def best_pairs_of(metric: Metric, corpus: Corpus, key: str) -> IntArray:
    """Return the places, among `pairs_of`, of the pairs that score the segments: int64, shape (n_segments,)."""
    rows = metric.rows(pairs_of(corpus), metric.notes())
    along = rows.layout.along
    if metric.scores.of(key).has_own_best:
        rows = Rows(rows.layout, rows.values, selection_scores=selection_scores_of(metric, rows, key))
    of_key = along.index(key) if rows.selection_scores is not None and key in along else 0
    return best_pairs(rows, corpus.reference_offsets, partial(selection_scores_of, metric, key=key))[:, of_key]


def aligned_with_best(corpus: Corpus, metric: Metric, key: str, sides: MatchedSides) -> list[Alignment]:
    """Align every prediction with the reference that it is scored with.

    Parameters
    ----------
    metric : Metric
    key : str
        The score that the reference is chosen for.
    sides : matches of the prediction and of the reference of every pair of `pairs_of`
    """
    hypotheses, references = sides
    offsets = corpus.reference_offsets
    chosen = offsets[:-1] if len(references) == len(corpus) else best_pairs_of(metric, corpus, key)
    spans = zip(offsets[:-1].tolist(), offsets[1:].tolist(), chosen.tolist(), strict=True)
    return [Alignment(hypotheses[best], references[first:last], best - first) for first, last, best in spans]


class CommonTokens:
    """Marks tokens of the longest common subsequence; for ROUGE-Lsum of the union over sentences."""

    def __init__(self, *, by_sentence: bool = False, at_end_marks: bool = False) -> None:
        """Set whether sentences are matched one by one, and whether end marks end a sentence."""
        self.by_sentence, self.at_end_marks = by_sentence, at_end_marks

    def __call__(self, hypothesis: PlacedText, reference: PlacedText) -> tuple[set[int], set[int]]:
        """Return the positions of the tokens on both sides."""
        sides = [_kinds(self._sentences(text)) for text in (hypothesis, reference)]
        having: dict[int, list[int]] = {}
        for sentence, (ids, _) in enumerate(sides[0]):
            for token in np.unique(ids).tolist():
                having.setdefault(token, []).append(sentence)
        marks: tuple[list[set[int]], ...] = tuple([set() for _ in side] for side in sides)
        for other, (ref, _) in enumerate(sides[1]):
            for sentence in {sentence for token in np.unique(ref).tolist() for sentence in having.get(token, ())}:
                for i, j in np.asarray(engine.kernel.lcs_path(sides[0][sentence][0], ref)).reshape(-1, 2).tolist():
                    marks[0][sentence].add(i)
                    marks[1][other].add(j)
        in_hypothesis, in_reference = (
            {start + i for (_, starts), found in zip(side, of_side, strict=True) for start in starts for i in found}
            for side, of_side in zip(sides, marks, strict=True)
        )
        return in_hypothesis, in_reference

    def _sentences(self, text: PlacedText) -> Iterator[tuple[int, npt.NDArray[np.uint32]]]:
        """Yield the tokens of every sentence and the position of the first."""
        if not self.by_sentence:
            yield 0, text.ids
            return
        starts = [start for start, _ in placed_sentences(text.text, at_end_marks=self.at_end_marks)]
        # A token without a place belongs to the sentence of the token before.
        tokens = np.maximum.accumulate(np.array([start for start, _ in text.places], np.int64))
        sentence_of = np.searchsorted(starts, tokens, side="right")
        bounds = [0, *(np.flatnonzero(np.diff(sentence_of)) + 1).tolist(), len(text.ids)]
        for first, last in zip(bounds[:-1], bounds[1:], strict=True):
            yield first, text.ids[first:last]


def _kinds(sentences: Iterator[tuple[int, npt.NDArray[np.uint32]]]) -> list[tuple[npt.NDArray[np.uint32], list[int]]]:
    """Return every distinct sentence with the tokens at which it starts: equal sentences have equal matches."""
    distinct: dict[bytes, tuple[npt.NDArray[np.uint32], list[int]]] = {}
    for start, ids in sentences:
        distinct.setdefault(np.asarray(ids, np.uint32).tobytes(), (ids, []))[1].append(start)
    return list(distinct.values())


class SkipBigrams:
    """Marks tokens of common skip-bigrams: of each, the first min(n, m) of n on one side and m on the other."""

    def __init__(self, gap: int | None) -> None:
        """Set how many tokens may be between the two, None for any number."""
        self.gap = gap

    def __call__(self, hypothesis: PlacedText, reference: PlacedText) -> tuple[set[int], set[int]]:
        """Return the positions of the tokens on both sides."""
        distinct, ids = np.unique(np.concatenate((hypothesis.ids, reference.ids)), return_inverse=True)
        sides = [_Skipped(side, len(distinct), self.gap) for side in np.split(ids, [len(hypothesis.ids)])]
        for left in np.intersect1d(sides[0].ids, sides[1].ids).tolist():
            allowed = np.minimum(*(side.rights(left) for side in sides))
            if allowed.any():
                for side in sides:
                    side.mark(left, allowed)
        in_hypothesis, in_reference = (set(np.flatnonzero(side.is_marked).tolist()) for side in sides)
        return in_hypothesis, in_reference


class _Skipped:
    """The skip-bigrams of one text; `ids` are dense and shared by both texts."""

    def __init__(self, ids: IntArray, n_kinds: int, gap: int | None) -> None:
        self.ids, self.n_kinds = ids, n_kinds
        self.width = len(ids) if gap is None else gap + 1
        self.is_marked = np.zeros(len(ids), np.bool_)
        order = np.argsort(ids, kind="stable")
        starts = np.searchsorted(ids[order], np.arange(n_kinds + 1))
        self.places = np.split(order, starts[1:-1])
        # Index of each token among the tokens that equal it.
        self.rank = np.empty(len(ids), np.int64)
        self.rank[order] = np.arange(len(ids)) - np.repeat(starts[:-1], np.diff(starts))

    def _after(self, left: int) -> Iterator[tuple[int, slice]]:
        for place in self.places[left].tolist():
            yield place, slice(place + 1, place + 1 + self.width)

    def rights(self, left: int) -> IntArray:
        """Count the skip-bigrams that begin with a token, by the second token: int64, shape (n_distinct,)."""
        counts = np.zeros(self.n_kinds, np.int64)
        for _, window in self._after(left):
            np.add.at(counts, self.ids[window], 1)
        return counts

    def mark(self, left: int, allowed: IntArray) -> None:
        """Mark the tokens of the first skip-bigrams that begin with a token, at most `allowed` of each."""
        allowed, first = allowed.copy(), np.zeros(self.n_kinds, np.int64)
        for place, window in self._after(left):
            tokens, rank = self.ids[window], self.rank[window]
            # Assigned in reverse, so that the rank of the first of equal tokens in the window stays.
            first[tokens[::-1]] = rank[::-1]
            is_matched = rank - first[tokens] < allowed[tokens]
            if is_matched.any():
                self.is_marked[place] = True
                self.is_marked[window] |= is_matched
                np.subtract.at(allowed, tokens[is_matched], 1)


class PlacedText(NamedTuple):
    """A text with the ids, spans and written forms of its tokens; a token that is not in the text has `NOWHERE`."""

    text: str
    ids: npt.NDArray[np.uint32]
    places: list[tuple[int, int]]
    tokens: Sequence[Any]

    def written(self, i: int) -> str:
        """Return a token as the text has it, or as the tokenizer wrote it."""
        place = self.places[i]
        return str(self.tokens[i]) if place == NOWHERE else self.text[slice(*place)]


def _placed(written: str, rewritten: str, ids: npt.NDArray[np.uint32], tokenizer: Tokenizer) -> PlacedText:
    tokens = tokenizer.unstemmed(rewritten)
    if len(tokens) != len(ids):
        fail(ValueError, "tokenizer", f"{len(ids)} tokens, as before for the same text", str(len(tokens)))
    return PlacedText(written, ids, tokenizer.places(written, tokens), tokens)


def matched(
    corpus: Corpus, tokenizer: Tokenizer, orders: int, common: CommonTokens | SkipBigrams | None = None,
    normal: Corpus | None = None,
) -> MatchedSides:  # fmt: skip
    """Return the matches of all hypotheses and of all references.

    Parameters
    ----------
    orders : int
        The highest order of n-grams that are marked.
    common : CommonTokens or SkipBigrams, optional
        Marks common subsequences or skip-bigrams.
    normal : Corpus, optional
        The normalized texts, if the tokenizer gets these.
    """
    tokens = tokenizer.cut(corpus if normal is None else normal)
    order_of, joins = map(np.asarray, engine.kernel.matched_orders(tokens, orders))
    sides: MatchedSides = ([], [])
    at = 0
    for texts in placed_texts(corpus, tokens, tokenizer, normal):
        commons: list[set[int]] = [set() for _ in texts]
        if common is not None:
            commons = list(common(*texts))
        matched = []
        for text, in_common in zip(texts, commons, strict=True):
            span = slice(at, at + len(text.ids))
            matched.append(_matches(text, order_of[span].tolist(), joins[span].tolist(), in_common))
            at += len(text.ids)
        sides[0].append(matched[0])
        sides[1].extend(matched[1:])
    return sides


def aligned_with_all(corpus: Corpus, tokenizer: Tokenizer, orders: int) -> list[Alignment]:
    """Align every prediction with all its references together; see `matched`."""
    hypotheses, references = matched(corpus, tokenizer, orders)
    bounds = corpus.reference_offsets.tolist()
    spans = zip(bounds[:-1], bounds[1:], strict=True)
    return [Alignment(h, references[a:b], 0, is_alone=False) for h, (a, b) in zip(hypotheses, spans, strict=True)]


def placed_texts(
    corpus: Corpus, tokens: Tokens, tokenizer: Tokenizer, normal: Corpus | None = None
) -> Iterator[list[PlacedText]]:
    """Yield the texts of every segment, the hypothesis first, with the places of their tokens; see `matched`."""
    normal = corpus if normal is None else normal
    offsets, ids = np.asarray(tokens.offsets).tolist(), np.asarray(tokens.ids)
    bounds = corpus.reference_offsets.tolist()
    at = 0
    for segment, (first, last) in enumerate(zip(bounds[:-1], bounds[1:], strict=True)):
        rows = [(corpus.hypotheses, normal.hypotheses, segment)]
        rows += [(corpus.references, normal.references, row) for row in range(first, last)]
        spans = [slice(offsets[at + i], offsets[at + i + 1]) for i in range(len(rows))]
        yield [
            _placed(written[row], rewritten[row], ids[span], tokenizer)
            for (written, rewritten, row), span in zip(rows, spans, strict=True)
        ]
        at += len(rows)


def _matches(text: PlacedText, orders: list[int], joins: list[int], common: set[int]) -> list[Match]:
    return [
        Match(*place, max(orders[i], 1), bool(joins[i]), i in common)
        for i, place in enumerate(text.places)
        if place != NOWHERE and (orders[i] or i in common)
    ]
