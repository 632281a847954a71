"""Texts to contextual embeddings: tokens as bert-score cuts them, and one layer of a model."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..arrays import IntArray
from ..checks import fail, shown
from ..text import NOWHERE, token_places
from .batching import Batch, Padded
from .loading import LoadedModel, torch_and_transformers
from .tokens import Cut, TruncatingTokenizer, limit_of

# The classes of tokenizers before whose text bert-score puts a space, and the types of models whose tokenizers are of
# these classes since transformers 5 only.
_SPACED = {"GPT2Tokenizer", "RobertaTokenizer"}
_SPACED_LATELY = {"bart", "led", "lilt", "longformer", "mvp"}


class Encoder:
    """One layer of a model as a function from texts to embeddings.

    Attributes
    ----------
    identity : mapping from str to str
        Which model it is, for signatures.
    limit : int or None
        The longest input, special tokens included: the smaller one of the tokenizer's and the model's own.
    n_empty : int
        The number of tokens of an empty text, all of them special.
    special : tuple of int
        The ids of the tokens at the start and the end, which weigh nothing.
    """

    def __init__(self, loaded: LoadedModel, layer: int, *, is_spaced: bool = True) -> None:
        """Check that the model has the layer; with `is_spaced` tokenizers of GPT-2 and RoBERTa get a leading space."""
        self.name, self.identity, self.tokenizer = loaded.name, loaded.identity, loaded.tokenizer
        self.model, self.layer = stack_of(loaded.model), layer
        n_layers = getattr(self.model.config.get_text_config(), "num_hidden_layers", 0)
        if layer > n_layers:
            fail(ValueError, "num_layers", f"a layer of {self.name}, from 0 to {n_layers}", shown(layer))
        self.is_first = layer < n_layers
        if self.tokenizer.pad_token_id is None:
            fail(
                ValueError, "tokenizer", f"a padding token, which that of {self.name} lacks: set its pad_token", "None"
            )
        names = {base.__name__.removesuffix("Fast") for base in type(self.tokenizer).__mro__}
        is_spaced = is_spaced and bool(names & _SPACED) and self.model.config.model_type not in _SPACED_LATELY
        self.before = " " if is_spaced else ""
        self.limit = limit_of(self.model, self.tokenizer)
        self._cutter = TruncatingTokenizer(self.tokenizer, self.limit)
        self.special = tuple(
            token for token in (self.tokenizer.cls_token_id, self.tokenizer.sep_token_id) if token is not None
        )
        self.n_empty = len(self.cut([""]).ids[0])
        self.n_words = self.model.get_input_embeddings().num_embeddings
        has_cache = "use_cache" in inspect.signature(self.model.forward).parameters
        self._more = {"use_cache": False} if has_cache else {}

    def cut(self, texts: Sequence[str]) -> Cut:
        """Return the tokens of texts, truncated to the limit: int32, shape (n_tokens,) each."""
        ids, is_long = self._cutter.cut(self._spaced(texts))
        return Cut([np.array(row, np.int32) for row in ids], is_long)

    def frequencies(self, texts: Sequence[str]) -> IntArray:
        """Return the number of texts that have each token: int64, shape (n_words,)."""
        counts = np.zeros(self.n_words, np.int64)
        for row in self.cut(texts).ids:
            counts[np.unique(row)] += 1
        return counts

    def places(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Return the characters of every token of `cut`, `NOWHERE` for one that is not in the text."""
        if not self.tokenizer.is_fast:
            words = [[self.tokenizer.decode([token]).strip() for token in row] for row in self.cut(texts).ids]
            return [token_places(text, row) for text, row in zip(texts, words, strict=True)]
        return [
            [
                _trimmed(text, *(place - len(self.before) + len(text) - len(text.lstrip()) for place in span))
                for span in row
            ]
            for text, row in zip(texts, self._cutter.places(self._spaced(texts)), strict=True)
        ]

    def _spaced(self, texts: Sequence[str]) -> list[str]:
        # An empty text stays empty: with a space it would have a token of its own.
        return [self.before + stripped if (stripped := text.strip()) else "" for text in texts]

    def check(self, rows: Padded) -> None:
        """Raise for tokens that are none of the model's vocabulary."""
        rows.refuse_unknown("tokenizer", self.name, self.n_words)

    def embed(self, batch: Batch) -> Any:
        """Return the embeddings of all tokens of a batch of texts, with norm 1.

        Returns
        -------
        torch.Tensor, float32, shape (n_tokens of all texts, size)
            On the device of the model, without padding.
        """
        torch, _ = torch_and_transformers()
        with torch.inference_mode():
            return torch.nn.functional.normalize(batch.text_of(self._hidden(batch)).float(), dim=-1)

    def _hidden(self, batch: Batch) -> Any:
        """Return the states of the layer: shape (n_texts, n_tokens, size)."""
        inputs = {"input_ids": batch.ids, "attention_mask": batch.mask, **self._more}
        layers = _layers_of(self.model) if self.is_first else None
        if self.is_first and layers is None:
            states = getattr(self.model(**inputs, output_hidden_states=True), "hidden_states", None)
            state = None if states is None else states[self.layer]
        else:
            # As bert-score: what follows the last layer, such as a normalization, follows the chosen one.
            with _first_of(layers, self.layer):
                state = getattr(self.model(**inputs), "last_hidden_state", None)
        if state is None or state.shape[:2] != batch.ids.shape:
            fail(TypeError, "model", "a model with a hidden state for every token", f"{self.name} without")
        return state


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out white space before a token."""
    start = max(start, 0)
    while start < end and text[start].isspace():
        start += 1
    return (start, end) if start < end else NOWHERE


def stack_of(model: Any) -> Any:
    """Return the layers of a model without its head, and of an encoder with a decoder the encoder alone."""
    base = getattr(model, "base_model", model)
    is_pair = hasattr(base, "encoder") and hasattr(base, "decoder")
    return base.encoder if is_pair else base


def _layers_of(model: Any) -> tuple[Any, str] | None:
    """Return the module that holds the list of layers, and its name there; None without exactly one such list."""
    torch, _ = torch_and_transformers()
    n_layers = model.config.get_text_config().num_hidden_layers
    lists: list[tuple[Any, str]] = []
    parents = [model]
    while parents and not lists:
        children = [(parent, *child) for parent in parents for child in parent.named_children()]
        lists = [
            (parent, name) for parent, name, child in children
            if isinstance(child, torch.nn.ModuleList) and len(child) == n_layers
        ]  # fmt: skip
        parents = [child for _, _, child in children]
    return lists[0] if len(lists) == 1 else None


@contextmanager
def _first_of(layers: tuple[Any, str] | None, n_layers: int) -> Iterator[None]:
    """Let a model have its first layers only."""
    if layers is None:
        yield
        return
    owner, name = layers
    every = getattr(owner, name)
    setattr(owner, name, every[:n_layers])
    try:
        yield
    finally:
        setattr(owner, name, every)
