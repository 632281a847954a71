"""One vector of every text: the state of its last token in the last layer of a model, as MAUVE compares texts by."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import IntArray
from ..checks import fail
from .batching import Batch, Batches, Padded, bar_of, evaluation_mode, on_device
from .comet import Memory
from .encoder import stack_of
from .loading import LoadedModel, load, one_thread, torch_and_transformers
from .options import LoadingOptions
from .tokens import TruncatingTokenizer, limit_of

# Tokens with which it is tried whether a model looks at later ones.
_N_TRIED = 8

Vectors = NDArray[np.float32]


class KnownText(NamedTuple):
    """The vector of a text, the number of its tokens, and whether it was cut."""

    vector: Vectors
    n_tokens: int
    is_long: bool


class Features(NamedTuple):
    """The vectors of texts.

    Attributes
    ----------
    vectors : float32, shape (n_texts, size)
        Without texts that have no token of their own.
    n_tokens : int64, shape (n_texts,)
        Of the same texts, as the model reads them.
    n_empty, n_cut : int
        The numbers of texts without a token, and of those that are longer than the model reads.
    """

    vectors: Vectors
    n_tokens: IntArray
    n_empty: int
    n_cut: int


# What is remembered of models that are named, each as long as it is in memory, by the longest input.
_REMEMBERED: weakref.WeakKeyDictionary[Any, dict[int | None, Memory[str, KnownText]]] = weakref.WeakKeyDictionary()


def forget() -> None:
    """Forget all texts, so that they are read again."""
    _REMEMBERED.clear()


class FeatureModel:
    """A model of transformers, causal or an encoder, as a function from texts to vectors.

    Attributes
    ----------
    name : str
    identity : mapping from str to str
        Which model it is, for signatures.
    limit : int or None
        The most tokens of a text that the model reads.
    """

    def __init__(self, options: LoadingOptions, max_length: int, batch_size: int | None) -> None:
        """Load the model."""
        self._torch, _ = torch_and_transformers(options.extra)
        loaded: LoadedModel = load(options)
        self.name, self.identity, self._model = loaded.name, loaded.identity, stack_of(loaded.model)
        own = limit_of(self._model, loaded.tokenizer)
        self.limit = max_length if own is None else min(max_length, own)
        self._cutter = TruncatingTokenizer(loaded.tokenizer, self.limit)
        self._n_empty = len(self._cutter.cut([""]).ids[0])
        self._n_words = self._model.get_input_embeddings().num_embeddings
        self._pad = loaded.tokenizer.pad_token_id or 0
        known = inspect.signature(self._model.forward).parameters
        self._more = {"use_cache": False} if "use_cache" in known else {}
        # What a token says of a text does not depend on padding behind it, so that it costs nothing but time.
        is_padded = True if self._is_causal() else None
        self._batches = Batches(self._model, batch_size, is_padded=is_padded)
        # A model that is given may be trained between two calls.
        self._memory = Memory[str, KnownText]()
        if options.model is None:
            self._memory = _REMEMBERED.setdefault(loaded.model, {}).setdefault(self.limit, self._memory)

    @property
    def dtype(self) -> str:
        """The number type of the model."""
        return str(self._model.dtype).removeprefix("torch.")

    def features(self, texts: Sequence[str], name: str, *, verbose: bool = False) -> Features:
        """Return the vectors of texts, each distinct text embedded once, and those that came last remembered.

        `name` is that of the texts, for the bar of progress and messages.
        """
        distinct = [*dict.fromkeys(texts)]
        with bar_of(len(distinct), f"features of {name}", 0 if verbose else None) as bar, one_thread():
            known = {text: self._memory.recalled(text) for text in distinct if text in self._memory}
            bar.update(len(known))
            known |= self._embedded([text for text in distinct if text not in known], bar)
        kept: list[Any] = [known[text] for text in texts if known[text] is not None]
        size = self._model.config.get_text_config().hidden_size
        vectors = np.stack([text.vector for text in kept]) if kept else np.zeros((0, size), np.float32)
        wrong = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
        if len(wrong):
            place = [i for i, text in enumerate(texts) if known[text] is not None][wrong[0]]
            allowed = "finite states from the model (dtype float32 or bfloat16 may help)"
            fail(ValueError, f"{name}[{place}]", allowed, "NaN or infinity")
        n_tokens = np.array([text.n_tokens for text in kept], np.int64)
        return Features(vectors, n_tokens, len(texts) - len(kept), sum(text.is_long for text in kept))

    def _embedded(self, texts: list[str], bar: Any) -> dict[str, Any]:
        """Return what is known of new texts, None of those without a token of their own."""
        cut = self._cutter.cut(texts)
        found: dict[str, Any] = dict.fromkeys(texts)
        wanted = [i for i, ids in enumerate(cut.ids) if len(ids) > self._n_empty]
        bar.update(len(texts) - len(wanted))
        rows = [cut.ids[i] for i in wanted]

        def step(chosen: IntArray, batch: Batch) -> None:
            lengths = np.array([len(rows[i]) for i in chosen.tolist()], np.int64)
            states = self._states(batch)
            last = on_device(np.arange(len(chosen)) * states.shape[1] + lengths - 1, states.device)
            vectors = states.flatten(0, 1).index_select(0, last).float().cpu().numpy()
            for i, n, vector in zip(chosen.tolist(), lengths.tolist(), vectors, strict=True):
                place = wanted[i]
                # A view would keep the states of the whole batch.
                known = KnownText(vector.copy(), n, cut.is_long[place])
                found[texts[place]] = known
                self._memory.keep(texts[place], known)
            bar.update(len(chosen))

        with evaluation_mode(self._model), self._torch.inference_mode():
            self._batches.run(rows, self._pad, step, self._check)
        return found

    def _check(self, rows: Padded) -> None:
        rows.refuse_unknown("tokenizer", self.name, self._n_words)

    def _states(self, batch: Batch) -> Any:
        """Return the states of the last layer: shape (n_texts, n_tokens, size)."""
        outputs = self._model(input_ids=batch.ids, attention_mask=batch.mask, **self._more)
        states = getattr(outputs, "last_hidden_state", None)
        if states is None or states.shape[:2] != batch.ids.shape:
            fail(TypeError, "model", "a model with a state for every token", f"{self.name} without")
        return states

    def _is_causal(self) -> bool:
        """Return whether states do not depend on later tokens, which is tried once."""
        torch = self._torch
        first = torch.arange(_N_TRIED, device=self._model.device)[None] % self._n_words
        tried = torch.cat((first, first.flip(0, 1)), 1)
        if self.limit is not None and tried.shape[1] > self.limit:
            return False
        with evaluation_mode(self._model), torch.inference_mode():
            alone, among = (
                self._states(Batch(ids, torch.ones_like(ids), None))[:, :_N_TRIED].float() for ids in (first, tried)
            )
        scale = float(alone.abs().max())
        return bool((alone - among).abs().max() <= 0.01 * scale)
