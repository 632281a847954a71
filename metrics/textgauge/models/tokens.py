"""Texts to token ids, cut at the longest input of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

# Beyond it `model_max_length` says that there is no limit.
_ENDLESS = 1 << 30
# What a configuration may call the longest input.
_LENGTHS = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length")


class Cut(NamedTuple):
    """The token ids of some texts, special tokens included, and which of the texts were cut."""

    ids: list[Any]
    is_long: list[bool]

    @property
    def n_long(self) -> int:
        """The number of texts that were cut."""
        return sum(self.is_long)


class TruncatingTokenizer:
    """Cuts texts into tokens, at most `limit` of each text; None: all of them."""

    def __init__(self, tokenizer: Any, limit: int | None) -> None:
        """Take a tokenizer of transformers."""
        self.tokenizer, self.limit = tokenizer, limit

    def cut(self, texts: Sequence[str]) -> Cut:
        """Return the tokens of texts."""
        ids = self._encoded(texts)["input_ids"] if texts else []
        is_long = [self.limit is not None and len(row) > self.limit for row in ids]
        long = [i for i, is_cut in enumerate(is_long) if is_cut]
        if long:
            # Only these again: what stands behind a cut depends on the tokenizer.
            for i, row in zip(long, self._short([texts[i] for i in long])["input_ids"], strict=True):
                ids[i] = row
        return Cut(ids, is_long)

    def places(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Return the characters of every token of `cut`, which a fast tokenizer knows."""
        places: list[list[tuple[int, int]]] = self._short(texts, return_offsets_mapping=True)["offset_mapping"]
        return places

    def _short(self, texts: Sequence[str], **options: Any) -> Any:
        cut = {} if self.limit is None else {"truncation": True, "max_length": self.limit}
        return self._encoded(texts, **cut, **options)

    def _encoded(self, texts: Sequence[str], **options: Any) -> Any:
        # Explicit, since a tokenizer may have been saved with padding or truncation.
        arguments = {
            "padding": False, "truncation": False, "return_token_type_ids": False, "return_attention_mask": False,
            "verbose": False, **options,
        }  # fmt: skip
        return self.tokenizer([*texts], **arguments)


def context_of(model: Any) -> int | None:
    """Return the longest input of a model, None if its configuration does not say."""
    config = model.config.get_text_config()
    for name in _LENGTHS:
        length = getattr(config, name, None)
        if isinstance(length, int) and length > 0:
            return length
    return None


def limit_of(model: Any, tokenizer: Any) -> int | None:
    """Return the longest input of a model and its tokenizer.

    Embeddings of positions that skip the padding's own number have fewer.
    """
    places = [
        module.num_embeddings - module.padding_idx - 1 for name, module in model.named_modules()
        if name.rpartition(".")[2] == "position_embeddings" and getattr(module, "padding_idx", None) is not None
    ]  # fmt: skip
    limits = [limit for limit in (tokenizer.model_max_length, context_of(model), *places) if limit is not None]
    limit = min(limits)
    return None if limit > _ENDLESS else int(limit)
