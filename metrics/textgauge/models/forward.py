"""One batch through the model."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .batching import padded
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


def token_nll(loaded: LoadedModel, batch: list[ScoredWindow]) -> list[NDArray[np.float64]]:
    """Return the negative log-likelihood in nats of every scored token, window by window; it is taken in float32."""
    torch, _ = torch_and_transformers()
    model = loaded.model
    length = max(len(window.ids) for window in batch)
    # The logits at a position predict the next token.
    n_kept = length - min(window.first for window in batch) + 1
    inputs = _inputs(loaded, batch, n_kept)
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


def _inputs(loaded: LoadedModel, batch: list[ScoredWindow], n_kept: int) -> dict[str, Any]:
    rows = padded([window.ids for window in batch])
    rows.refuse_unknown("tokenizer", loaded.name, loaded.model.get_input_embeddings().num_embeddings)
    ids, mask = rows.on(loaded.model.device)
    inputs = {"input_ids": ids, "attention_mask": mask}
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
