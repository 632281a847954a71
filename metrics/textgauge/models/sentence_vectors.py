"""The encoders of COMET: texts to tokens, tokens to one vector each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from ..checks import fail, shown
from .batching import Batch
from .checkpoints import Checkpoint
from .files import first_line, pretrained
from .loading import Devices, torch_and_transformers, with_weights
from .tokens import Cut, TruncatingTokenizer


class _Family(NamedTuple):
    """The class of transformers, the number of marks between joined texts, and whether these have types."""

    auto_class: str
    n_separators: int = 2
    has_types: bool = False


# RemBERT knows types too, but COMET does not pass them on.
_FAMILIES = {
    "XLM-RoBERTa": _Family("XLMRobertaModel"), "XLM-RoBERTa-XL": _Family("XLMRobertaXLModel"),
    "MiniLM": _Family("BertModel"), "BERT": _Family("BertModel", 1, True), "RemBERT": _Family("RemBertModel", 1),
}  # fmt: skip
_TOKENIZER_OF_MINILM = "xlm-roberta-base"
_WEIGHTS, _MIX = "encoder.model.", "layerwise_attention."


class JoinedTexts(NamedTuple):
    """Texts of segments joined in several orders.

    Attributes
    ----------
    orders : list of list of list of int
        By order and segment, the ids.
    first : list of int
        Where the texts after the prediction begin.
    n_long, n_special : int
        The number of segments that were cut, and of texts that name special tokens.
    """

    orders: list[list[list[int]]]
    first: list[int]
    n_long: int
    n_special: int


class PooledVectors(NamedTuple):
    """A vector of every text, shape (n_texts, size), and the states from which tags are read, or None."""

    vectors: Any
    tagged: Any


class _TokenCounts(NamedTuple):
    """The tokens of every text, its own without a context, and those that are averaged: float32, shape (n_texts, 1)."""

    text: Any
    own: Any
    kept: Any


class SentenceEncoder:
    """The encoder of a checkpoint, with its mixture of layers.

    Attributes
    ----------
    limit, text_limit : int
        The most tokens of an input, and of one text, marks of start and end included.
    size : int
        The length of a vector.
    keys : set of str
        The names of its weights in the checkpoint.
    """

    def __init__(
        self, checkpoint: Checkpoint, encoder: str | None, dtype: str, devices: Devices, *, is_joint: bool
    ) -> None:
        """Load configuration and tokenizer by name, and the weights from the checkpoint."""
        settings = checkpoint.settings
        family = _FAMILIES.get(settings["encoder_model"])
        if family is None:
            checkpoint.refuse(f"an encoder_model of {', '.join(_FAMILIES)}", shown(settings["encoder_model"]))
        self._family, self._is_joint = family, is_joint
        name = encoder or settings["pretrained_model"]
        config, self.tokenizer = _config_and_tokenizer(checkpoint, name, is_given=encoder is not None)
        self.model = self._loaded(checkpoint, config, dtype, devices)
        self.device = self.model.device
        self.limit, self.size = config.max_position_embeddings - 2, config.hidden_size
        self.text_limit = self.limit - 2
        self._cutter = TruncatingTokenizer(self.tokenizer, self.text_limit)
        self._last = config.num_hidden_layers
        self.keys = {key for key in checkpoint.state if key.startswith(_WEIGHTS)}
        self._pool = "cls" if is_joint else settings["pool"]
        if self._pool not in ("avg", "cls", "default", "max"):
            checkpoint.refuse("a pool of avg, cls, default, max", shown(self._pool))
        layer = settings["sent_layer" if is_joint else "layer"]
        self._is_normed = layer == "mix" and self._pool != "default" and settings["layer_norm"] is True
        self._shares = self._shares_of(checkpoint, layer)
        if self._pool == "default":
            self._shares = {self._last: 1.0}
        self._tagged_layer = (
            self._layer(checkpoint, settings["word_layer"]) if settings.get("word_level_training") else -1
        )
        ids = (getattr(self.tokenizer, f"{mark}_token_id") for mark in ("pad", "cls", "sep", "bos", "eos", "mask"))
        self._special = {token for token in ids if token is not None}

    def _loaded(self, checkpoint: Checkpoint, config: Any, dtype: str, devices: Devices) -> Any:
        """Return the model with the weights of the checkpoint."""
        torch, transformers = torch_and_transformers("comet")
        model_type = getattr(transformers, self._family.auto_class)
        if config.model_type != model_type.config_class.model_type:
            allowed = f"an encoder of type {model_type.config_class.model_type} for the weights"
            checkpoint.refuse(allowed, f"{shown(config.model_type)} (`encoder` names another)")
        weights = {
            key.removeprefix(_WEIGHTS): value for key, value in checkpoint.state.items()
            if key.startswith(_WEIGHTS) and ".pooler." not in key and not key.endswith("position_ids")
        }  # fmt: skip
        model, missing, unknown = with_weights(
            model_type, config, weights, getattr(torch, dtype), devices, checkpoint.location, self._family.auto_class,
            add_pooling_layer=False,
        )  # fmt: skip
        checkpoint.refuse_keys(*({_WEIGHTS + key for key in keys} for keys in (missing, unknown)))
        return model

    def _shares_of(self, checkpoint: Checkpoint, layer: Any) -> dict[int, float]:
        """Return the weight of every layer that has one."""
        if layer != "mix":
            return {self._layer(checkpoint, layer): 1.0}
        names = [f"{_MIX}scalar_parameters.{i}" for i in range(self._last + 1)]
        own = {f"{_MIX}gamma", *names}
        checkpoint.refuse_keys(own - checkpoint.state.keys(), ())
        self.keys |= own
        scalars = np.array([checkpoint.state[name].double().item() for name in names])
        is_sparse = checkpoint.settings["layer_transformation"] == "sparsemax"
        shares = checkpoint.state[f"{_MIX}gamma"].double().item() * (sparsemax if is_sparse else _softmax)(scalars)
        return {i: share for i, share in enumerate(shares.tolist()) if share}

    def _layer(self, checkpoint: Checkpoint, layer: Any) -> int:
        if type(layer) is not int or not 0 <= layer <= self._last:
            checkpoint.refuse(f"a layer from 0 to {self._last}", shown(layer))
        return int(layer)

    @property
    def is_mean(self) -> bool:
        """Whether a vector is the mean of the tokens of its text."""
        return self._pool == "avg"

    # ---- tokens

    def cut(self, texts: Sequence[str]) -> Cut:
        """Return the tokens of texts, marks of start and end included, cut at the limit of one text."""
        return self._cutter.cut(texts)

    def places(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Return the characters of every token of `cut`."""
        return self._cutter.places(texts)

    def names_special(self, ids: Sequence[int], *, has_context: bool = False) -> bool:
        """Return whether a text, between its marks, names special tokens, other than the separators of a context."""
        special = self._special - {self.tokenizer.sep_token_id} if has_context else self._special
        return not special.isdisjoint(ids[1:-1])

    def joined(self, sides: Sequence[Sequence[str]], orders: Sequence[tuple[int, ...]]) -> JoinedTexts:
        """Return the texts of segments as one sequence for each order of sides, the prediction first."""
        numbers: dict[str, int] = {}
        places = [[numbers.setdefault(text, len(numbers)) for text in side] for side in sides]
        cut = self.cut([*numbers])
        tokenizer, pad = self.tokenizer, self.tokenizer.pad_token_id
        inner = [[token for token in row if token != pad][1:-1] for row in cut.ids]
        between = [tokenizer.sep_token_id] * self._family.n_separators
        by_order, long = [], set()
        for order in orders:
            rows = []
            for i in range(len(sides[0])):
                first, *others = (inner[places[side][i]] for side in order)
                row = [tokenizer.cls_token_id, *first, *(token for other in others for token in (*between, *other))]
                rows.append([*row, tokenizer.sep_token_id][: self.limit])
                if len(row) >= self.limit:
                    long.add(i)
            by_order.append(rows)
        n_special = sum(map(self.names_special, cut.ids))
        return JoinedTexts(by_order, [len(inner[place]) + 2 for place in places[0]], len(long), n_special)

    # ---- vectors

    def pooled(
        self, batch: Batch, *, first: Sequence[int] | None = None, wants_tags: bool = False,
        leaves_out_context: bool = False,
    ) -> PooledVectors:  # fmt: skip
        """Return one vector of every text of a batch: a mixture of layers, each pooled as soon as it is computed.

        `first` says where the texts after the prediction begin. With `leaves_out_context` the mean is that of the first
        token and of all behind the last separator but one.
        """
        torch, _ = torch_and_transformers("comet")
        ids, mask = batch.ids, batch.mask
        total: Any = None
        tagged: Any = None
        # The mask says what is text. A padding token that the text itself names is left out, as COMET does.
        is_kept = (mask.bool() & (ids != self.tokenizer.pad_token_id))[..., None]
        is_own = mask.bool()
        if leaves_out_context:
            # The separators from each token on; of a text alone there is one, at its end.
            separators = (is_own & (ids == self.tokenizer.sep_token_id)).flip(1).cumsum(1).flip(1)
            is_own = is_own & (separators < 2)
            is_own[:, 0] = True
            is_kept = is_kept & is_own[..., None]
        counts = _TokenCounts(*(one.sum(1).reshape(-1, 1).float() for one in (mask, is_own, is_kept)))

        def see(layer: int, states: Any) -> None:
            nonlocal total, tagged
            states = states.to(self.device).float()
            if layer in self._shares:
                part = self._shares[layer] * self._reduced(states, mask, is_kept, counts)
                total = part if total is None else total + part
            if wants_tags and layer == self._tagged_layer:
                tagged = states

        types = {}
        if self._family.has_types and first is not None:
            places = torch.arange(ids.shape[1], device=self.device)
            types = {"token_type_ids": (places >= torch.tensor(first, device=self.device)[:, None]).long()}
        with self._watched(see):
            see(self._last, self.model(ids, attention_mask=mask, **types).last_hidden_state)
        if self._pool == "max":
            total = total.masked_fill(~is_kept, float("-inf")).amax(1)
        return PooledVectors(total, tagged)

    @contextmanager
    def _watched(self, see: Any) -> Iterator[None]:
        """Call `see` with the input of every layer: all at once would take many times the memory of one."""

        def watch(layer: int) -> Any:
            return lambda _, args, keywords: see(layer, args[0] if args else keywords["hidden_states"])

        modules = [*self.model.encoder.layer]
        handles = [module.register_forward_pre_hook(watch(i), with_kwargs=True) for i, module in enumerate(modules)]
        try:
            yield
        finally:
            for handle in handles:
                handle.remove()

    def _reduced(self, states: Any, mask: Any, is_kept: Any, counts: _TokenCounts) -> Any:
        """Pool the states of a layer, or only normalize them for the maximum, which needs their mixture."""
        if self._pool == "avg":
            # A padding token that the text names is left out, but counted.
            part = states.masked_fill(~is_kept, 0.0).sum(1) / counts.own
            weight = counts.kept / counts.own
        else:
            part, weight = (states, 1.0) if self._pool == "max" else (states[:, 0], 1.0)
        if not self._is_normed:
            return part
        # Over all tokens of a text and all their features at once.
        is_padding, n = ~mask.bool()[..., None], counts.text * self.size
        mean = states.masked_fill(is_padding, 0.0).sum((1, 2))[:, None] / n
        variance = ((states - mean[..., None]) ** 2).masked_fill(is_padding, 0.0).sum((1, 2))[:, None] / n
        deviation = (variance + 1e-12).sqrt()
        if self._pool == "max":
            mean, deviation = mean[..., None], deviation[..., None]
        return (part - weight * mean) / deviation


def _config_and_tokenizer(checkpoint: Checkpoint, name: str, *, is_given: bool) -> tuple[Any, Any]:
    """Return the configuration and the tokenizer of an encoder, without its weights."""
    _, transformers = torch_and_transformers("comet")
    is_minilm = checkpoint.settings["encoder_model"] == "MiniLM" and not is_given
    what = f"the configuration and the tokenizer of the encoder of {checkpoint.name}"
    try:
        about = "encoder", what, "FacebookAI/xlm-roberta-large", "a local folder with both"
        config = pretrained(transformers.AutoConfig, name, *about)
        words = _TOKENIZER_OF_MINILM if is_minilm else name
        tokenizer = pretrained(transformers.AutoTokenizer, words, *about)
    except (ValueError, TypeError, KeyError) as error:
        fail(OSError, "encoder", f"{what}, on the Hub or in a local folder", f"{name}: {first_line(error)}")
    if tokenizer.pad_token_id is None or not tokenizer.is_fast:
        fail(ValueError, "encoder", "a fast tokenizer with a padding token", f"that of {name}")
    return config, tokenizer


def _softmax(scalars: Any) -> Any:
    powers = np.exp(scalars - scalars.max())
    return powers / powers.sum()


def sparsemax(scalars: Any) -> Any:
    """Return the point of the simplex next to the scalars (Martins and Astudillo, 2016, algorithm 1).

    Examples
    --------
    >>> sparsemax(np.array([0.5, 0.1, -2.0])).round(3).tolist()
    [0.7, 0.3, 0.0]
    """
    top = np.sort(scalars)[::-1]
    excess = np.cumsum(top) - 1
    n = int((top * np.arange(1, len(top) + 1) > excess).sum())
    return np.maximum(scalars - excess[n - 1] / n, 0.0)
