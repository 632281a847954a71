"""Greedy matching of embeddings: precision and recall of pairs, and the best match of every token."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..arrays import FloatArray, IntArray
from ..input.columns import Corpus
from .batching import Batches, evaluation_mode, on_device, one_behind
from .encoder import Encoder
from .loading import torch_and_transformers

# The texts of a pool are in memory at once as embeddings: so many batches, and at most so many tokens, with so many
# bytes of text for a token.
POOL_BATCHES, POOL_TOKENS = 8, 1 << 18
BYTES_PER_TOKEN = 4
# Numbers that are computed with at once where pairs are matched, on a processor and on an accelerator.
ON_PROCESSOR, ON_ACCELERATOR = 1 << 18, 1 << 27
# Texts whose lengths differ by less than that are matched at once.
STEP = 16

_Found = TypeVar("_Found")


_Ids = NDArray[np.int32]


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
        """Give a number to every distinct text of both sides."""
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
    n_long, n_weightless : int
        The numbers of distinct texts that were truncated, and whose tokens all weigh nothing.
    """

    def __init__(self, encoder: Encoder, weights: FloatArray, batch_size: int | None) -> None:
        """Take the weight of every token of the vocabulary."""
        self.encoder, self.weights, self.n_long, self.n_weightless = encoder, weights, 0, 0
        self._batches = Batches(encoder.model, batch_size)
        self._held = _Held(0)

    def scores(self, corpus: Corpus, bar: Any) -> FloatArray:
        """Return precision and recall of every pair: float64, shape (n_pairs, 2)."""
        scores = np.zeros((len(corpus.references), 2))
        with evaluation_mode(self.encoder.model):
            for pairs, of_pool in one_behind(self._pools(corpus, bar, self._held_scores)):
                scores[pairs] = of_pool.cpu().numpy()
        return scores

    def best(self, corpus: Corpus, bar: Any) -> list[Best | None]:
        """Return the best match of every token of every pair; None for a pair with an empty text."""
        best: list[Best | None] = [None] * len(corpus.references)
        with evaluation_mode(self.encoder.model):
            for pairs, matches in self._pools(corpus, bar, self._best):
                for pair, match in zip(pairs.tolist(), matches, strict=True):
                    best[pair] = match
        return best

    def hold(self, texts: Sequence[str]) -> IntArray:
        """Embed all texts, to keep; return the number of each."""
        numbers: dict[str, int] = {}
        places = np.array([numbers.setdefault(text.strip(), len(numbers)) for text in texts], np.int64)
        self._held = _Held(len(numbers))
        with evaluation_mode(self.encoder.model):
            self._embed([*numbers], np.arange(len(numbers)))
        return places

    def block(self, hypotheses: IntArray, references: IntArray) -> FloatArray:
        """Return precision and recall of all pairs of held texts: float64, shape (n_hypotheses, n_references, 2)."""
        torch, _ = torch_and_transformers()
        scores, held = np.zeros((len(hypotheses), len(references), 2)), self._held
        own, others = held.lengths[hypotheses], held.lengths[references]
        with torch.inference_mode():
            for columns in _parts(self._most // max(held.width, 1), others):
                other, rows, parts = held.padded(references[columns]), [], []
                for row in _parts(self._most // other.shares.numel(), own):
                    rows.append(row)
                    parts.append(_crossed(torch, held.padded(hypotheses[row]), other))
                if rows:
                    scores[np.ix_(np.concatenate(rows), columns)] = torch.cat(parts).cpu().numpy()
        return scores

    @property
    def _most(self) -> int:
        return ON_PROCESSOR if self._batches.device.type == "cpu" else ON_ACCELERATOR

    def _pools(
        self, corpus: Corpus, bar: Any, of_pairs: Callable[[IntArray, IntArray, IntArray], _Found]
    ) -> Iterator[_Found]:
        """Yield, pool by pool, what `of_pairs` returns of pairs, with the texts of their two sides."""
        distinct = Distinct(corpus)
        self._held = _Held(len(distinct.texts))
        hypothesis_of = np.repeat(distinct.hypotheses, np.diff(distinct.offsets))
        n_tokens = min(POOL_BATCHES * self._batches.budget, POOL_TOKENS)
        pools = distinct.pools(n_tokens * BYTES_PER_TOKEN)
        pairs_of = [distinct.pairs_of(pool) for pool in pools]
        texts_by_pool = [np.unique((hypothesis_of[pairs], distinct.references[pairs])) for pairs in pairs_of]
        first, last = np.full(len(distinct.texts), -1, np.int64), np.zeros(len(distinct.texts), np.int64)
        for number, texts in enumerate(texts_by_pool):
            first[texts[first[texts] < 0]] = number
            last[texts] = number
        for number, (pairs, texts) in enumerate(zip(pairs_of, texts_by_pool, strict=True)):
            self._embed(distinct.texts, texts[first[texts] == number])
            yield of_pairs(pairs, hypothesis_of[pairs], distinct.references[pairs])
            self._held.keep(last > number)
            bar.update(len(pools[number]))

    def _embed(self, texts: Sequence[str], wanted: IntArray) -> None:
        """Hold the embeddings of some texts, without those that have no token of their own."""
        cut = self.encoder.cut([texts[i] for i in wanted.tolist()])
        self.n_long += cut.n_long
        lengths = np.array([len(row) for row in cut.ids], np.int64)
        order = np.argsort(-lengths, kind="stable")
        order = order[lengths[order] > self.encoder.n_empty]
        rows = [cut.ids[i] for i in order.tolist()]
        if not rows:
            return
        shares = [self._shares(row) for row in rows]
        self.n_weightless += sum(not part.any() for part in shares)
        held = self._held
        starts, of_tokens = held.add(wanted[order], lengths[order]), np.concatenate(shares)

        def step(chosen: IntArray, batch: Any) -> None:
            # Batches have the longest sequences first, as the rows are.
            held.write(int(starts[chosen[0]]), self.encoder.embed(batch), of_tokens)

        self._batches.run(rows, self.encoder.tokenizer.pad_token_id, step, self.encoder.check)

    def _shares(self, ids: _Ids) -> NDArray[np.float32]:
        weights = self.weights[ids]
        total = weights.sum()
        return (weights / (total or 1.0)).astype(np.float32)

    def _held_scores(self, pairs: IntArray, hypotheses: IntArray, references: IntArray) -> tuple[IntArray, Any]:
        """Return pairs without an empty text, and their precision and recall on the device: shape (n_pairs, 2)."""
        torch, _ = torch_and_transformers()
        held = self._held
        lengths = held.lengths[hypotheses], held.lengths[references]
        # The texts take more room than their products, unless they are very long.
        order = [*_parts(self._most // max(held.width, 1) // 2, *lengths)]
        if not order:
            return pairs[:0], torch.zeros((0, 2))
        with torch.inference_mode():
            parts = [_paired(torch, *(held.padded(side[part]) for side in (hypotheses, references))) for part in order]
            return pairs[np.concatenate(order)], torch.cat(parts)

    def _best(self, pairs: IntArray, hypotheses: IntArray, references: IntArray) -> tuple[IntArray, list[Best | None]]:
        sides = (map(self._held.tokens_of, side.tolist()) for side in (hypotheses, references))
        return pairs, [_matched(*both) for both in zip(*sides, strict=True)]


class _Block(NamedTuple):
    """Texts as one block: tokens, shape (n_texts, n_tokens, size), their shares of weight, and whether they are text.

    Padding has zeros; `is_text` is None without any.
    """

    tokens: Any
    shares: Any
    is_text: Any


class _Held:
    """The embeddings of texts, one after another, and the share of each token in the weight of its text.

    Attributes
    ----------
    lengths : int64, shape (n_texts,)
        The numbers of tokens of the texts, 0 of those that are not held.
    """

    def __init__(self, n_texts: int) -> None:
        """Hold none."""
        self.lengths, self._starts = np.zeros((2, n_texts), np.int64)
        # Behind a token of zeros, which is padding.
        self._stop = 1
        self._tokens: Any = None
        self._shares: Any = None

    @property
    def width(self) -> int:
        """The size of an embedding."""
        return 0 if self._tokens is None else int(self._tokens.shape[1])

    def add(self, texts: IntArray, lengths: IntArray) -> IntArray:
        """Make room for texts; return where the tokens of each begin."""
        starts = self._stop + np.cumsum(lengths) - lengths
        self._starts[texts], self.lengths[texts] = starts, lengths
        self._first, self._stop = self._stop, self._stop + int(lengths.sum())
        return starts

    def write(self, at: int, embedded: Any, shares: NDArray[np.float32]) -> None:
        """Keep the embeddings of a batch; `shares` are those of all texts that were added last."""
        torch, _ = torch_and_transformers()
        with torch.inference_mode():
            if at == self._first:
                # Before the other batches: small pieces of memory between those of the model would scatter it.
                self._grow(embedded)
                self._shares[self._first : self._stop] = on_device(shares, embedded.device)
            self._tokens[at : at + len(embedded)] = embedded

    def _grow(self, like: Any) -> None:
        old, old_shares = self._tokens, self._shares
        if old is None or len(old) < self._stop:
            self._tokens, self._shares = like.new_empty((self._stop, like.shape[1])), like.new_empty(self._stop)
            self._tokens[0], self._shares[0] = 0.0, 0.0
            if old is not None:
                self._tokens[: self._first], self._shares[: self._first] = old[: self._first], old_shares[: self._first]

    def keep(self, is_kept: NDArray[np.bool_]) -> None:
        """Forget the embeddings of all texts but some."""
        torch, _ = torch_and_transformers()
        kept = np.flatnonzero(is_kept & (self.lengths > 0))
        kept = kept[np.argsort(self._starts[kept])]
        lengths = self.lengths[kept]
        self.lengths[~is_kept] = 0
        starts = 1 + np.cumsum(lengths) - lengths
        if len(kept):
            with torch.inference_mode():
                moved = np.repeat(self._starts[kept] - starts, lengths) + np.arange(1, 1 + lengths.sum())
                index = on_device(moved, self._tokens.device)
                for room in (self._tokens, self._shares):
                    room[1 : 1 + len(index)] = room.index_select(0, index)
        self._starts[kept], self._stop = starts, 1 + int(lengths.sum())

    def tokens_of(self, text: int) -> Any:
        """Return the embeddings of a text, shape (n_tokens, size), None if it is not held."""
        n, start = int(self.lengths[text]), int(self._starts[text])
        return self._tokens[start : start + n] if n else None

    def padded(self, texts: IntArray) -> _Block:
        """Return texts as one block."""
        lengths = self.lengths[texts]
        at = np.arange(lengths.max())
        is_text = at < lengths[:, None]
        places = np.where(is_text, self._starts[texts][:, None] + at, 0)
        index = on_device(places.ravel(), self._tokens.device)
        tokens, shares = (
            room.index_select(0, index).unflatten(0, places.shape) for room in (self._tokens, self._shares)
        )
        return _Block(tokens, shares, None if is_text.all() else index.unflatten(0, places.shape) > 0)


def _parts(n_tokens: int, *lengths: IntArray) -> Iterator[IntArray]:
    """Yield which texts, or pairs of texts, are matched at once: of similar lengths, and none that is empty.

    Parameters
    ----------
    n_tokens : int
        The most tokens of either side, padding included, but for one text.
    *lengths : int64, shape (n_texts,) each
    """
    known = np.flatnonzero(np.all([side > 0 for side in lengths], axis=0))
    steps = np.array([side[known] // STEP for side in lengths])
    order = np.lexsort(steps)
    is_new = (np.diff(steps[:, order]) != 0).any(axis=0)
    for group in np.split(known[order], np.flatnonzero(is_new) + 1):
        n_texts = max(1, n_tokens // max(int(side[group].max(initial=1)) for side in lengths))
        for start in range(0, len(group), n_texts):
            yield group[start : start + n_texts]


def _paired(torch: Any, own: _Block, other: _Block) -> Any:
    """Return precision and recall of pairs: shape (n_pairs, 2)."""
    return _scores(torch, own.tokens @ other.tokens.mT, own, other)


def _crossed(torch: Any, own: _Block, other: _Block) -> Any:
    """Return precision and recall of all texts with all others: shape (n_texts, n_others, 2)."""
    product = own.tokens.flatten(0, 1) @ other.tokens.flatten(0, 1).T
    similarity = product.unflatten(1, other.shares.shape).unflatten(0, own.shares.shape).transpose(1, 2)
    sides = (_Block(*(part if part is None else part[:, None] for part in own)), other)
    return _scores(torch, similarity, *sides)


def _scores(torch: Any, similarity: Any, own: _Block, other: _Block) -> Any:
    """Return precision and recall from the similarity of tokens, shape (..., n_tokens, n_tokens of the other text)."""
    low = float("-inf")
    rows = similarity if other.is_text is None else similarity.masked_fill(~other.is_text[..., None, :], low)
    columns = similarity if own.is_text is None else similarity.masked_fill(~own.is_text[..., :, None], low)
    return torch.stack(((rows.amax(-1) * own.shares).sum(-1), (columns.amax(-2) * other.shares).sum(-1)), -1)


def _matched(own: Any, other: Any) -> Best | None:
    if own is None or other is None:
        return None
    similarity = (own @ other.T).cpu().numpy()
    sides = (similarity, similarity.T)
    return Best(*(part for side in sides for part in (side.max(axis=1).astype(np.float64), side.argmax(axis=1))))
