"""One batch through the model."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..checks import fail
from .loading import LoadedModel, torch_and_transformers

# Logits converted to float32 at a time: 16 MB.
PIECE = 1 << 22


class ScoredWindow(NamedTuple):
    """The token ids of one window of text `segment`; those from `first` on are scored.

    The first of these is number `at` among all scored tokens of the text.
    """

    segment: int
    ids: list[int]
    first: int
    at: int


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


def token_nll(loaded: LoadedModel, batch: list[ScoredWindow]) -> list[NDArray[np.float64]]:
    """Return the negative log-likelihood in nats of every scored token, window by window; it is taken in float32."""
    torch, _ = torch_and_transformers()
    model = loaded.model
    length = max(len(window.ids) for window in batch)
    # The logits at a position predict the next token.
    n_kept = length - min(window.first for window in batch) + 1
    inputs = _inputs(torch, loaded, batch, length, n_kept)
    with torch.no_grad():
        logits = model(**inputs).logits[:, -n_kept:]
    rows, places, targets = (
        torch.tensor(values, device=logits.device) for values in _predictions(batch, length - n_kept + 1)
    )
    nll = []
    for piece in _pieces(len(rows), logits.shape[-1]):
        scores = logits[rows[piece], places[piece]].float()
        predicted = scores.gather(1, targets[piece, None])[:, 0]
        nll.append((scores.logsumexp(dim=1) - predicted).cpu())
    ends = np.cumsum([len(window.ids) - window.first for window in batch])
    return np.split(torch.cat(nll).numpy().astype(np.float64), ends[:-1])


def _inputs(torch: Any, loaded: LoadedModel, batch: list[ScoredWindow], length: int, n_kept: int) -> dict[str, Any]:
    ids = np.zeros((len(batch), length), np.int64)
    mask = np.zeros((len(batch), length), np.int64)
    for row, window in enumerate(batch):
        ids[row, : len(window.ids)] = window.ids
        mask[row, : len(window.ids)] = 1
    n_words = loaded.model.get_input_embeddings().num_embeddings
    if ids.max() >= n_words:
        allowed = f"the tokenizer of {loaded.name}, with token ids below {n_words}"
        fail(ValueError, "tokenizer", allowed, f"token {int(ids.max())}")
    device = loaded.model.device
    inputs = {"input_ids": torch.from_numpy(ids).to(device), "attention_mask": torch.from_numpy(mask).to(device)}
    optional = {"use_cache": False, "logits_to_keep": n_kept}
    known = inspect.signature(loaded.model.forward).parameters
    return inputs | {name: value for name, value in optional.items() if name in known}


def _predictions(batch: list[ScoredWindow], first_kept: int) -> tuple[list[int], list[int], list[int]]:
    """Return the row of every scored token, the place of its logits among those kept, and its id."""
    rows = [row for row, window in enumerate(batch) for _ in window.ids[window.first :]]
    places = [t - first_kept for window in batch for t in range(window.first, len(window.ids))]
    targets = [token for window in batch for token in window.ids[window.first :]]
    return rows, places, targets


def _pieces(n_rows: int, n_words: int) -> Iterator[slice]:
    size = max(1, PIECE // n_words)
    for start in range(0, n_rows, size):
        yield slice(start, start + size)
