"""Texts in batches: how many tokens at once, padding and mask, and the mode that a model runs in."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..arrays import IntArray
from ..checks import fail, warn_user
from .loading import torch_and_transformers

# Tokens for each text of `batch_size`.
TOKENS_PER_TEXT = 32
# The most tokens of a batch, padding included. On a processor more are hardly faster (`comparisons/README.md`), and on
# an accelerator its kernels are full.
ON_PROCESSOR, ON_ACCELERATOR = 640, 1 << 16
# An accelerator takes at least so many, whatever its memory, until it has none.
AT_LEAST = 2048
# The share of an accelerator's free memory that a batch may fill, and what is taken for free where a device does not
# say: bytes.
SHARE_OF_MEMORY, UNKNOWN_MEMORY = 0.25, 4 << 30
# The largest share of padding in a batch of more than so many tokens; a smaller one takes little time beside its start.
MOST_PADDING, FEW_ON_PROCESSOR, FEW_ON_ACCELERATOR = 0.1, 256, 2048

_Result = TypeVar("_Result")


class Padded(NamedTuple):
    """Token ids and mask of a batch: int64, shape (n_texts, n_tokens) each; the mask is 1 where there is text."""

    ids: NDArray[np.int64]
    mask: NDArray[np.int64]

    def refuse_unknown(self, argument: str, name: str, n_words: int) -> None:
        """Raise if an id is none of the vocabulary of the model `name`."""
        if self.ids.max() >= n_words:
            allowed = f"the tokenizer of {name}, with token ids below {n_words}"
            fail(ValueError, argument, allowed, f"token {int(self.ids.max())}")

    def on(self, device: Any) -> Batch:
        """Return ids and mask as tensors on a device."""
        places = None if self.mask.all() else np.flatnonzero(self.mask)
        return Batch(on_device(self.ids, device), on_device(self.mask, device), places)


class Batch(NamedTuple):
    """Token ids and mask as tensors, shape (n_texts, n_tokens) each, and the places of text, None without padding."""

    ids: Any
    mask: Any
    places: NDArray[np.int64] | None

    def text_of(self, states: Any) -> Any:
        """Return the states of all tokens but padding, text by text: shape (n_tokens of all texts, size)."""
        rows = states.flatten(0, 1)
        return rows if self.places is None else rows.index_select(0, on_device(self.places, rows.device))


def on_device(array: NDArray[Any], device: Any) -> Any:
    """Return an array as a tensor; nothing waits for the copy to an accelerator."""
    torch, _ = torch_and_transformers()
    tensor = torch.from_numpy(np.ascontiguousarray(array))
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor.to(device)


def padded(rows: Sequence[Any], pad: int) -> Padded:
    """Return the ids of texts as one matrix, filled up on the right with the id `pad`."""
    lengths = np.array([len(row) for row in rows], np.int64)
    is_text = np.arange(lengths.max(initial=0)) < lengths[:, None]
    ids = np.full(is_text.shape, pad, np.int64)
    ids[is_text] = np.concatenate(rows)
    return Padded(ids, is_text.astype(np.int64))


def pads(device: Any) -> bool:
    """Return whether texts of different lengths are in one batch.

    A processor gains nothing from padding, and its attention rounds less without a mask.
    """
    return bool(device.type != "cpu")


class Batches:
    """Runs a model over token sequences, as many at once as its device has memory for.

    Out of memory halves the batches, for the rest of the life of the object, and warns once.

    Attributes
    ----------
    device : torch.device
    budget : int
        The most tokens of a batch, padding included; a longer sequence is a batch of its own.
    """

    def __init__(
        self, model: Any, batch_size: int | None, *, is_padded: bool | None = None, n_outputs: int = 0,
        most_texts: int | None = None,
    ) -> None:  # fmt: skip
        """Choose the budget.

        Parameters
        ----------
        model : a model of transformers
        batch_size : int or None
            A bound of the budget, in texts of `TOKENS_PER_TEXT` tokens.
        is_padded : bool or None
            Whether sequences of different lengths are in one batch; None: if the device is no processor.
        n_outputs : int
            Numbers that the model computes for each token beside its states, such as logits.
        most_texts : int or None
            A bound of the sequences in a batch.
        """
        self.device, self._most_texts = model.device, most_texts
        self._is_padded = pads(self.device) if is_padded is None else is_padded
        self._model, self._n_outputs = model, n_outputs
        most = ON_PROCESSOR if self.device.type == "cpu" else ON_ACCELERATOR
        self.budget = most if batch_size is None else min(most, batch_size * TOKENS_PER_TEXT)
        self._n_bytes = None if self.device.type == "cpu" else int(free_memory(self.device) * SHARE_OF_MEMORY)
        self._has_told = False

    def run(
        self, sequences: Sequence[Any], pad: int, step: Callable[[IntArray, Batch], object],
        check: Callable[[Padded], None] | None = None,
    ) -> None:  # fmt: skip
        """Call `step` with batches, the longest sequences first.

        Parameters
        ----------
        sequences : sequence of sequences of int
        pad : int
            The id that fills up shorter sequences.
        step : callable
            Takes the numbers of the sequences of a batch, int64, and the batch; it is called again with a part of them
            where there is not enough memory.
        check : callable, optional
            May refuse ids.
        """
        torch, _ = torch_and_transformers()
        lengths = np.array([len(row) for row in sequences], np.int64)
        order = np.argsort(-lengths, kind="stable")
        lengths, start = lengths[order], 0
        while start < len(order):
            chosen = order[start : self._stop(lengths, start)]
            rows = padded([sequences[i] for i in chosen.tolist()], pad)
            if check is not None:
                check(rows)
            try:
                step(chosen, rows.on(self.device))
                start += len(chosen)
                continue
            except torch.OutOfMemoryError:
                if len(chosen) == 1:
                    raise
            # Behind the handler, since the error holds on to what did not fit.
            self._halve(rows.ids.size)

    def _stop(self, lengths: IntArray, start: int) -> int:
        """Return the end of the batch that begins at `start` of sequences in descending order of their lengths."""
        longest = int(lengths[start])
        n_texts = max(1, self._most_tokens(longest) // max(longest, 1))
        own = lengths[start : start + min(n_texts, self._most_texts or n_texts)]
        if not self._is_padded:
            return start + int(np.count_nonzero(own == longest))
        cells = longest * np.arange(1, len(own) + 1)
        few = FEW_ON_PROCESSOR if self.device.type == "cpu" else FEW_ON_ACCELERATOR
        is_full = (cells > few) & (cells - np.cumsum(own) > MOST_PADDING * cells)
        return start + (int(is_full.argmax()) if is_full.any() else len(own))

    def _most_tokens(self, longest: int) -> int:
        if self._n_bytes is None:
            return self.budget
        fitting = self._n_bytes // bytes_of_token(self._model, longest, self._n_outputs)
        return min(self.budget, max(fitting, AT_LEAST))

    def _halve(self, n_tokens: int) -> None:
        torch, _ = torch_and_transformers()
        self.budget = max(1, min(self.budget, n_tokens) // 2)
        gc.collect()
        if self.device.type == "cuda":
            torch.cuda.empty_cache()
        if not self._has_told:
            size = max(1, self.budget // TOKENS_PER_TEXT)
            warn_user(
                f"the device {self.device} has no memory for a batch of {n_tokens:,} tokens: batches are halved, and "
                f"all texts are scored; a smaller `batch_size`, such as {size}, saves the failed tries."
            )
        self._has_told = True


def free_memory(device: Any) -> int:
    """Return the bytes that an accelerator has left, those that torch holds in reserve included."""
    torch, _ = torch_and_transformers()
    module: Any = getattr(torch, device.type, None)
    if not hasattr(module, "mem_get_info"):
        return UNKNOWN_MEMORY
    reserved = module.memory_reserved(device) - module.memory_allocated(device)
    return int(module.mem_get_info(device)[0]) + int(reserved)


def bytes_of_token(model: Any, longest: int, n_outputs: int = 0) -> int:
    """Return about how many bytes a model needs for each token of a batch, whose longest text is given.

    The largest intermediate states of a layer, states in float32, and of eager attention the matrices.
    """
    config = model.config.get_text_config()
    size, item = getattr(config, "hidden_size", 0) or 1024, model.dtype.itemsize
    names = ("intermediate_size", "d_ff", "n_inner", "ffn_dim", "encoder_ffn_dim")
    inner = next((value for name in names if (value := getattr(config, name, None))), 4 * size)
    needed = item * (6 * size + 3 * inner) + 24 * size + n_outputs * (item + 4)
    if getattr(config, "_attn_implementation", None) == "eager":
        needed += longest * (getattr(config, "num_attention_heads", 0) or 16) * (2 * item + 4)
    return int(needed)


def one_behind(parts: Iterable[_Result]) -> Iterator[_Result]:
    """Yield every part after the next one was made: an accelerator works on that while the first is waited for."""
    return (part for part, _ in itertools.pairwise(itertools.chain(parts, [None])))  # type: ignore[misc]


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


SECONDS_BEFORE_BAR = 3


def bar_of(n_texts: int, name: str, delay: float | None = None) -> Any:
    """Return a bar of tqdm that counts texts, on stderr or in a notebook; it appears after `delay` seconds, None: 3."""
    from tqdm.auto import tqdm

    delay = SECONDS_BEFORE_BAR if delay is None else delay
    return tqdm(total=n_texts, desc=name, unit="text", delay=delay, leave=False)
