"""Greedy matching of embeddings: precision and recall of every pair, and the best match of every token."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import FloatArray, IntArray
from ..input.columns import Corpus
from .batching import batches, budget_of, evaluation_mode
from .encoder import Encoder
from .loading import torch_and_transformers

# The texts of a pool are in memory at once as embeddings: so many batches, with so many bytes of text for a token.
POOL_BATCHES = 16
BYTES_PER_TOKEN = 4
# The tokens of references that are compared with one hypothesis at once.
MOST_TOKENS = 1 << 15


_Ids = NDArray[np.int32]


class _Embedded(NamedTuple):
    """The tokens of a text with norm 1, shape (n_tokens, size), and their share of its weight, shape (n_tokens,)."""

    tokens: Any
    shares: Any


class Best(NamedTuple):
    """The best match of every token of a pair, special tokens included.

    Attributes
    ----------
    hypothesis, reference : float64, shape (n_tokens,)
        The similarity of each token of the hypothesis, or of the reference, and its best match.
    in_reference, in_hypothesis : int64, shape (n_tokens,)
        Where that is in the other text.
    """

    hypothesis: FloatArray
    in_reference: IntArray
    reference: FloatArray
    in_hypothesis: IntArray


class Distinct:
    """The distinct texts of a corpus.

    Attributes
    ----------
    texts : list of str
        Without outer white space.
    hypotheses, references : int64, shape (n_segments,), (n_pairs,)
        Which of the texts each one is.
    """

    def __init__(self, corpus: Corpus) -> None:
        """Give every text a number."""
        numbers: dict[str, int] = {}
        self.hypotheses, self.references = (
            np.array([numbers.setdefault(text.strip(), len(numbers)) for text in side.tolist()], np.int64)
            for side in (corpus.hypotheses, corpus.references)
        )
        self.texts = [*numbers]
        self.offsets = corpus.reference_offsets

    def pools(self, n_bytes: int) -> list[IntArray]:
        """Return the segments in groups of about so many bytes of text, those with the longest references first.

        Segments with the same references follow each other, so that these are needed for a short time only.
        """
        sizes = np.array([len(text.encode()) for text in self.texts], np.int64)
        of_references = np.add.reduceat(sizes[self.references], self.offsets[:-1])
        order = np.lexsort((self.references[self.offsets[:-1]], -of_references))
        ends = np.cumsum((of_references + sizes[self.hypotheses])[order])
        cuts = np.searchsorted(ends, np.arange(n_bytes, ends[-1], n_bytes), side="right")
        return [pool for pool in np.split(order, np.unique(cuts)) if len(pool)]

    def pairs_of(self, segments: IntArray) -> IntArray:
        """Return the pairs of some segments."""
        return np.concatenate([np.arange(*self.offsets[[i, i + 1]]) for i in segments.tolist()])


class Matcher:
    """Scores pairs of texts: every text is embedded once, and forgotten after the last pair that needs it.

    Attributes
    ----------
    n_long : int
        The number of distinct texts that were truncated.
    """

    def __init__(self, encoder: Encoder, weights: FloatArray, batch_size: int) -> None:
        """Take the weight of every token of the vocabulary."""
        self.encoder, self.weights = encoder, weights
        # A processor gains nothing from padding, and its attention rounds less without a mask.
        self._is_padded = encoder.model.device.type != "cpu"
        self.budget, self.n_long = budget_of(batch_size, encoder.model.device), 0
        self._held: dict[int, _Embedded] = {}
        self._joined: tuple[list[int], Any] = [], None
        self._room: Any = None

    def scores(self, corpus: Corpus, bar: Any) -> FloatArray:
        """Return precision and recall of every pair: float64, shape (n_pairs, 2)."""
        scores = np.zeros((len(corpus.references), 2))
        for found in self._pools(corpus, bar, self._scores):
            torch, _ = torch_and_transformers()
            # At once: each copy from another device waits for it.
            scores[[pair for pairs, _ in found for pair in pairs]] = torch.cat([part for _, part in found]).cpu()
        return scores

    def best(self, corpus: Corpus, bar: Any) -> list[Best | None]:
        """Return the best match of every token of every pair; None for a pair with an empty text."""
        found: dict[int, Best | None] = {}
        for pool in self._pools(corpus, bar, self._best):
            for pairs, of_pairs in pool:
                found |= zip(pairs, of_pairs, strict=True)
        return [found[pair] for pair in range(len(corpus.references))]

    def hold(self, texts: Sequence[str]) -> IntArray:
        """Embed all texts, to keep; return the number of each."""
        numbers: dict[str, int] = {}
        places = np.array([numbers.setdefault(text.strip(), len(numbers)) for text in texts], np.int64)
        distinct = [*numbers]
        with evaluation_mode(self.encoder.model):
            self._embed(distinct, [*range(len(distinct))])
        return places

    def block(self, hypotheses: IntArray, references: IntArray) -> FloatArray:
        """Return precision and recall of all pairs of held texts: float64, shape (n_hypotheses, n_references, 2)."""
        torch, _ = torch_and_transformers()
        rows = [self._scores(one, references.tolist()) for one in hypotheses.tolist()]
        return np.asarray(torch.stack(rows).cpu().numpy(), np.float64)

    def _pools(
        self, corpus: Corpus, bar: Any, of_hypothesis: Callable[[int, list[int]], Any]
    ) -> Iterator[list[tuple[list[int], Any]]]:
        """Yield, pool by pool, the pairs of every hypothesis and what `of_hypothesis` returns about these."""
        distinct = Distinct(corpus)
        hypothesis_of = np.repeat(distinct.hypotheses, np.diff(distinct.offsets))
        pools = distinct.pools(POOL_BATCHES * self.budget * BYTES_PER_TOKEN)
        pairs_of = [distinct.pairs_of(pool) for pool in pools]
        texts_by_pool = [np.unique((hypothesis_of[pairs], distinct.references[pairs])) for pairs in pairs_of]
        last = np.zeros(len(distinct.texts), np.int64)
        for number, texts in enumerate(texts_by_pool):
            last[texts] = number
        with evaluation_mode(self.encoder.model):
            for number, (pairs, texts) in enumerate(zip(pairs_of, texts_by_pool, strict=True)):
                self._embed(distinct.texts, [text for text in texts.tolist() if text not in self._held])
                rows = sorted(zip(hypothesis_of[pairs].tolist(), pairs.tolist(), strict=True))
                groups = [(one, [pair for _, pair in group]) for one, group in groupby(rows, key=itemgetter(0))]
                yield [(own, of_hypothesis(one, distinct.references[own].tolist())) for one, own in groups]
                # A view would keep all texts of its batch in memory.
                kept = ((text, one) for text, one in self._held.items() if last[text] > number)
                self._held = {text: _Embedded(one.tokens.clone(), one.shares) for text, one in kept}
                self._joined = [], None
                bar.update(len(pools[number]))

    def _best(self, hypothesis: int, references: list[int]) -> list[Best | None]:
        one = self._held.get(hypothesis)
        others = [self._held.get(reference) for reference in references]
        return [None if one is None or other is None else _matched(one, other) for other in others]

    def _embed(self, texts: Sequence[str], wanted: list[int]) -> None:
        """Hold the embeddings of some texts, without those that have no token of their own."""
        torch, _ = torch_and_transformers()
        cut = self.encoder.cut([texts[i] for i in wanted])
        self.n_long += cut.n_long
        known = [(i, row) for i, row in zip(wanted, cut.ids, strict=True) if len(row) > self.encoder.n_empty]
        known.sort(key=lambda one: -len(one[1]))
        lengths = [len(row) for _, row in known]
        at = 0
        for rows in batches([row for _, row in known], self.budget, is_padded=self._is_padded):
            embedded = self.encoder.embed(rows)
            if at == 0:
                # Before the other batches: small pieces of memory between those of the model would scatter it.
                room = self._room_of(sum(lengths), embedded)
                shares = torch.from_numpy(np.concatenate([self._shares(row) for _, row in known])).to(room.device)
                parts = zip(known, room.split(lengths), shares.split(lengths), strict=True)
                self._held |= {i: _Embedded(tokens, of_tokens) for (i, _), tokens, of_tokens in parts}
            room[at : at + len(embedded)] = embedded
            at += len(embedded)

    def _room_of(self, n_tokens: int, like: Any) -> Any:
        """Return a place for the embeddings of so many tokens, the same for all pools if it is large enough."""
        if self._room is None or len(self._room) < n_tokens:
            self._room = like.new_empty((n_tokens, like.shape[1]))
        return self._room[:n_tokens]

    def _shares(self, ids: _Ids) -> NDArray[np.float32]:
        weights = self.weights[ids]
        total = weights.sum()
        return (weights / (total or 1.0)).astype(np.float32)

    def _scores(self, hypothesis: int, references: list[int]) -> Any:
        """Return precision and recall with each reference: shape (n_references, 2)."""
        torch, _ = torch_and_transformers()
        one = self._held.get(hypothesis)
        known = [text for text in references if text in self._held] if one is not None else []
        if one is None or not known:
            return torch.zeros((len(references), 2), device=self.encoder.model.device)
        found = torch.cat([self._compared(one, group) for group in self._groups(known)])
        if len(known) == len(references):
            return found
        scores = torch.zeros((len(references), 2), device=found.device)
        scores[[i for i, text in enumerate(references) if text in self._held]] = found
        return scores

    def _groups(self, texts: list[int]) -> list[list[int]]:
        """Return texts in groups of a bounded number of tokens."""
        ends = np.cumsum([len(self._held[text].tokens) for text in texts])
        cuts = np.searchsorted(ends, np.arange(MOST_TOKENS, ends[-1], MOST_TOKENS), side="right")
        return [texts[start:stop] for start, stop in itertools.pairwise([0, *np.unique(cuts).tolist(), len(texts)])]

    def _compared(self, one: _Embedded, texts: list[int]) -> Any:
        """Return precision and recall of a hypothesis with held texts: shape (n_texts, 2)."""
        torch, _ = torch_and_transformers()
        if self._joined[0] != texts:
            self._joined = texts, _joined([self._held[text] for text in texts])
        others, lengths = self._joined[1], [len(self._held[text].tokens) for text in texts]
        similarity = one.tokens @ others.tokens.T
        recall = [part.sum() for part in (similarity.amax(0) * others.shares).split(lengths)]
        best = torch.stack([part.amax(1) for part in similarity.split(lengths, dim=1)])
        return torch.stack((best @ one.shares, torch.stack(recall)), dim=1)


def _matched(one: _Embedded, other: _Embedded) -> Best:
    similarity = (one.tokens @ other.tokens.T).cpu().numpy()
    sides = (similarity, similarity.T)
    return Best(*(part for side in sides for part in (side.max(axis=1).astype(np.float64), side.argmax(axis=1))))


def _joined(parts: list[_Embedded]) -> _Embedded:
    torch, _ = torch_and_transformers()
    return parts[0] if len(parts) == 1 else _Embedded(*map(torch.cat, zip(*parts, strict=True)))
