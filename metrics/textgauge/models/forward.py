"""Batches of windows through a language model: the likelihood of every scored token."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import IntArray
from .batching import Batch, Batches, Padded, on_device
from .loading import LoadedModel, torch_and_transformers

# Logits converted to float32 at a time, on a processor and on an accelerator: 16 MB and 512 MB.
PIECE, PIECE_ON_ACCELERATOR = 1 << 22, 1 << 27
# Tokens with which it is tried whether the head of a model is all that follows its states.
_N_TRIED = 8


class ScoredWindow(NamedTuple):
    """The token ids of one window of text `segment`; those from `first` on are scored.

    The first of these is number `at` among all scored tokens of the text.
    """

    segment: int
    ids: list[int]
    first: int
    at: int


class Likelihoods:
    """A language model as a function from windows to the negative log-likelihoods of their scored tokens.

    Where the head is all that follows the model's last states, which is tried once, logits are computed piece by piece
    and for scored tokens alone.
    """

    def __init__(self, loaded: LoadedModel, batch_size: int | None) -> None:
        """Choose the size of batches; `batch_size` is the most windows of one."""
        self._torch, _ = torch_and_transformers()
        self._loaded, self._model = loaded, loaded.model
        self._n_words = loaded.model.get_input_embeddings().num_embeddings
        self._known = inspect.signature(loaded.model.forward).parameters
        self._head = self._split()
        n_outputs = 0 if self._head is not None else self._n_words
        # Causal attention never looks at padding, so that it changes nothing on a processor either.
        self._batches = Batches(loaded.model, None, is_padded=True, n_outputs=n_outputs, most_texts=batch_size)

    def of(self, windows: Sequence[ScoredWindow]) -> Any:
        """Return the negative log-likelihoods in nats of the scored tokens, window by window, on the device.

        Returns
        -------
        torch.Tensor, float32, shape (n_scored_tokens,)
        """
        counts = np.array([len(window.ids) - window.first for window in windows], np.int64)
        starts, first = np.cumsum(counts) - counts, np.array([window.first for window in windows], np.int64)
        with self._torch.inference_mode():
            nll = self._torch.empty(int(counts.sum()), device=self._model.device)

            def step(rows: IntArray, batch: Batch) -> None:
                of_batch = [windows[i].ids for i in rows.tolist()]
                found = self._nll(batch, of_batch, first[rows])
                places = np.repeat(starts[rows], counts[rows]) + _counted(counts[rows])
                nll[on_device(places, nll.device)] = found.to(nll.device)

            # No state of a token depends on padding behind it, so that any id will do: a padding token may be none of
            # the model's words.
            self._batches.run([window.ids for window in windows], 0, step, self._check)
        return nll

    def _check(self, rows: Padded) -> None:
        rows.refuse_unknown("tokenizer", self._loaded.name, self._n_words)

    def _nll(self, batch: Batch, ids: list[list[int]], first: IntArray) -> Any:
        lengths = np.array([len(row) for row in ids], np.int64)
        n_scored = lengths - first
        rows, places = np.repeat(np.arange(len(ids)), n_scored), np.repeat(first, n_scored) + _counted(n_scored)
        targets = np.concatenate([row[start:] for row, start in zip(ids, first.tolist(), strict=True)])
        # What is at a place predicts the next token.
        width = batch.ids.shape[1]
        if self._head is not None:
            states = self._head[0](**self._inputs(batch)).last_hidden_state
            of_states = self._head[1]
        else:
            n_kept = width - int(first.min()) + 1
            states, of_states = self._model(**self._inputs(batch, logits_to_keep=n_kept)).logits, None
        flat, kept = states.flatten(0, 1), states.shape[1]
        at = on_device(rows * kept + places - 1 - (width - kept), flat.device)
        target = on_device(np.asarray(targets, np.int64), flat.device)
        most = PIECE if flat.device.type == "cpu" else PIECE_ON_ACCELERATOR
        size = max(1, most // self._n_words)
        found = []
        for start in range(0, len(at), size):
            scores = flat.index_select(0, at[start : start + size])
            scores = (scores if of_states is None else of_states(scores)).float()
            wanted = target[start : start + size].to(scores.device)
            found.append(scores.logsumexp(dim=1) - scores.gather(1, wanted[:, None])[:, 0])
        return self._torch.cat(found)

    def _inputs(self, batch: Batch, **more: Any) -> dict[str, Any]:
        optional = {"use_cache": False, **more}
        return {
            "input_ids": batch.ids, "attention_mask": batch.mask,
            **{name: value for name, value in optional.items() if name in self._known},
        }  # fmt: skip

    def _split(self) -> tuple[Any, Any] | None:
        """Return the model of the states and the head; None where logits are more than the head of these."""
        model, torch = self._model, self._torch
        base, head = getattr(model, "base_model", model), getattr(model, "get_output_embeddings", lambda: None)()
        if base is model or head is None:
            return None
        ids = torch.arange(_N_TRIED, device=model.device)[None] % self._n_words
        inputs = self._inputs(Batch(ids, torch.ones_like(ids), None))
        try:
            with torch.inference_mode():
                states = base(**inputs).last_hidden_state
                is_equal = torch.equal(head(states).float(), model(**inputs).logits.float())
        except (AttributeError, RuntimeError, TypeError):
            return None
        return (base, head) if is_equal else None


def _counted(counts: NDArray[np.int64]) -> IntArray:
    """Return 0, 1, ... for each of some counts."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
