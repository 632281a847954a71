"""From rows of token ids to texts, as the kind of the tokenizer asks for."""

from __future__ import annotations

import inspect
from itertools import groupby
from typing import Any

import numpy as np

from ..checks import CountWarning, fail, flag, shown, warn_user
from .token_ids import IGNORED, Ids

# Where classes of transformers declare the option with which a tokenizer of CTC merges equal tokens.
_DECODERS = ("decode", "_decode", "convert_tokens_to_string")
_UNKNOWN = (
    "[label has|labels have] characters that the tokenizer does not know, which count on neither side: "
    "add them to its vocabulary, or take them out of the references"
)


class Decoder:
    """Decodes rows of token ids.

    Attributes
    ----------
    tokenizer : a tokenizer of transformers
        That of the processor, if one was given, which then decodes.
    is_ctc : bool
        Whether predictions are the frames of a CTC model: a token may fill several, and equal tokens that follow
        each other have another token between them, the blank.
    """

    def __init__(self, tokenizer: Any, ctc: bool | None) -> None:
        """Find out what kind of tokenizer it is; `ctc` is None for what the tokenizer says."""
        if not hasattr(tokenizer, "decode"):
            fail(TypeError, "tokenizer", "a tokenizer of transformers", shown(tokenizer))
        self._decode = tokenizer.decode
        self.tokenizer = getattr(tokenizer, "tokenizer", tokenizer)
        merges = any("group_tokens" in _parameters(self.tokenizer, name) for name in _DECODERS)
        # Frames are merged here, before special tokens are left out: the blank is one of them.
        self._settings = {"group_tokens": False} if merges else {}
        self.is_ctc = merges if ctc is None else flag("ctc", ctc)
        # GPT-2's is also the end of a text.
        ends = (getattr(self.tokenizer, f"{name}_token_id", None) for name in ("pad", "bos", "eos"))
        unknown = getattr(self.tokenizer, "unk_token_id", None)
        self._unknown = None if unknown in ends else unknown

    def predictions(self, ids: Ids) -> tuple[list[str], int]:
        """Return the texts of predictions, and their number of tokens without padding."""
        rows = _rows(ids)
        if self.is_ctc:
            rows = [[token for token, _ in groupby(row)] for row in rows]
        padding: Any = getattr(self.tokenizer, "pad_token_id", None)
        return self._texts(rows), sum(len(row) - row.count(padding) for row in rows)

    def labels(self, ids: Ids) -> list[str]:
        """Return the texts of labels; warn of those with unknown characters."""
        if self._unknown is not None and (n_unknown := int(np.count_nonzero((ids == self._unknown).any(axis=1)))):
            warn_user(CountWarning(n_unknown, _UNKNOWN))
        return self._texts(_rows(ids))

    def sources(self, ids: Ids) -> list[str]:
        """Return the texts that the model read."""
        # Marian's tokenizers may have a vocabulary for each language.
        is_apart = getattr(self.tokenizer, "separate_vocabs", False)
        return self._texts(_rows(ids), **({"use_source_tokenizer": True} if is_apart else {}))

    def _texts(self, rows: list[list[int]], **settings: bool) -> list[str]:
        """Decode rows one by one: of several at once Whisper's tokenizer keeps the prompts."""
        settings = {"skip_special_tokens": True, **self._settings, **settings}
        # The space before the first word is the tokenizer's.
        return [self._decode(row, **settings).strip() for row in rows]


def _parameters(owner: Any, name: str) -> tuple[str, ...]:
    try:
        return tuple(inspect.signature(getattr(owner, name)).parameters)
    except (AttributeError, TypeError, ValueError):
        return ()


def _rows(ids: Ids) -> list[list[int]]:
    """Return rows without -100."""
    return [row[keep].tolist() for row, keep in zip(ids, ids != IGNORED, strict=True)]
