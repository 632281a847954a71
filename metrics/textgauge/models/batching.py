"""Texts in batches, sorted by length: how many tokens at once, padding and mask, and the mode that a model runs in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Sized
from contextlib import contextmanager
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..checks import fail
from .loading import torch_and_transformers

# A batch has at most so many tokens, padding included, for each text of `batch_size`.
TOKENS_PER_TEXT = 32
# And on a processor at most so many: the model's memory for larger ones would be more than that of a pool.
UNPADDED_TOKENS = 320

_Row = TypeVar("_Row", bound=Sized)


class Padded(NamedTuple):
    """Token ids and mask of a batch: int64, shape (n_texts, n_tokens) each; the mask is 1 where there is a token."""

    ids: NDArray[np.int64]
    mask: NDArray[np.int64]

    def refuse_unknown(self, argument: str, name: str, n_words: int) -> None:
        """Raise if an id is none of the vocabulary of the model `name`."""
        if self.ids.max() >= n_words:
            allowed = f"the tokenizer of {name}, with token ids below {n_words}"
            fail(ValueError, argument, allowed, f"token {int(self.ids.max())}")

    def on(self, device: Any) -> Batch:
        """Return the same as tensors on a device."""
        torch, _ = torch_and_transformers()
        return Batch(*(torch.from_numpy(array).to(device) for array in self))


class Batch(NamedTuple):
    """Token ids and mask as tensors, shape (n_texts, n_tokens) each."""

    ids: Any
    mask: Any


def padded(rows: Sequence[Any], pad: int = 0) -> Padded:
    """Return the ids of texts as one matrix, filled up on the right with the id `pad`."""
    ids = np.full((len(rows), max(map(len, rows))), pad, np.int64)
    mask = np.zeros(ids.shape, np.int64)
    for i, row in enumerate(rows):
        ids[i, : len(row)], mask[i, : len(row)] = row, 1
    return Padded(ids, mask)


def budget_of(batch_size: int, device: Any) -> int:
    """Return the most tokens of a batch."""
    most = batch_size * TOKENS_PER_TEXT
    return most if device.type != "cpu" else min(most, UNPADDED_TOKENS)


def batches(rows: list[_Row], budget: int, *, is_padded: bool) -> Iterator[list[_Row]]:
    """Yield texts, sorted by length, with at most `budget` tokens of input at once, or one text.

    Only with `is_padded` texts of different lengths are in one batch.
    """
    for _, group in [(0, rows)] if is_padded else groupby(rows, key=len):
        left, start = [*group], 0
        while start < len(left):
            stop = start + max(1, budget // len(left[start]))
            yield left[start:stop]
            start = stop


def batches_of(
    sequences: Sequence[list[int]], batch_size: int, device: Any, check: Callable[[Padded], None] | None = None
) -> Iterator[tuple[list[int], Batch]]:
    """Yield sequences, the longest first, as batches, and the place of each of these; `check` may refuse ids.

    On a processor all sequences of a batch have the same length, so that no score depends on others.
    """
    order = sorted(range(len(sequences)), key=lambda i: -len(sequences[i]))
    start = 0
    budget = budget_of(batch_size, device)
    for rows in batches([sequences[i] for i in order], budget, is_padded=device.type != "cpu"):
        batch = padded(rows)
        if check is not None:
            check(batch)
        yield order[start : start + len(rows)], batch.on(device)
        start += len(rows)


@contextmanager
def evaluation_mode(model: Any) -> Iterator[None]:
    """Switch dropout off, and restore the mode of every module afterwards."""
    training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        yield
    finally:
        for module in training:
            module.training = True
