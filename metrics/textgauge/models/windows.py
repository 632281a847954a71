"""Texts to token sequences, of start token, prefix and text; and sequences to the windows that a model reads."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..checks import fail
from .loading import LoadedModel
from .options import ModelOptions


class TokenSequence(NamedTuple):
    """The tokens of one text after start token and prefix.

    Attributes
    ----------
    segment : int
        The position of the text in the corpus.
    ids : list of int
    n_before : int
        The number of tokens before the text.
    first : int
        The first token that is scored: one of the text, with at least one token before it.
    scored_text : str
        The characters of the tokens that are scored.
    places : list of (int, int), or None
        The characters of each token of the text; None if the tokenizer does not know them.
    """

    segment: int
    ids: list[int]
    n_before: int
    first: int
    scored_text: str
    places: list[tuple[int, int]] | None


class SequenceMaker:
    """Tokenizes texts under the options.

    The names of special tokens in a text are ordinary text. Prefix and text are tokenized
    separately, so that the text has the same tokens after every prefix.
    """

    def __init__(self, loaded: LoadedModel, options: ModelOptions, context: int | None) -> None:
        """Store what does not depend on the text; `context` is the model's longest input."""
        self.tokenizer = loaded.tokenizer
        has_start = options.add_start_token and self.tokenizer.bos_token_id is not None
        self.start: list[int] = [self.tokenizer.bos_token_id] if has_start else []
        self.is_sliding = options.stride is not None
        self.cut = None if self.is_sliding else options.max_length
        self.context = context

    def make(self, segments: list[int], texts: list[str], prefixes: list[str] | None) -> list[TokenSequence]:
        """Return the sequences of some texts; `segments` are their positions in the corpus."""
        encoded = self._encode(texts)
        before = self._encode(prefixes).ids if prefixes is not None else [[]] * len(texts)
        parts = zip(segments, texts, before, encoded.ids, encoded.spans, strict=True)
        return [self._sequence(*part) for part in parts]

    def _sequence(
        self, segment: int, text: str, prefix: list[int], ids: list[int], spans: list[tuple[int, int]] | None
    ) -> TokenSequence:
        n_ids = len(ids)
        if self.cut is not None:
            room = self.cut - len(self.start)
            ids = ids[:room]
            prefix = prefix[max(0, len(prefix) - (room - len(ids))) :]
        before = self.start + prefix
        if not self.is_sliding and self.context is not None and len(before) + len(ids) > self.context:
            allowed = (
                f"at most {self.context} tokens, the model's context (`max_length` truncates, `stride` slides a window)"
            )
            fail(
                ValueError,
                f"predictions[{segment}]",
                allowed,
                f"{len(before) + len(ids)}, start token and prefix included",
            )
        n_skipped = 0 if before else min(1, len(ids))
        if n_skipped or len(ids) < n_ids:
            text = self._slice(text, ids, spans, n_skipped)
        places = None if spans is None else spans[: len(ids)]
        return TokenSequence(segment, before + ids, len(before), len(before) + n_skipped, text, places)

    def _slice(self, text: str, ids: list[int], spans: list[tuple[int, int]] | None, n_skipped: int) -> str:
        if n_skipped >= len(ids):
            return ""
        if spans is None:
            return str(self.tokenizer.decode(ids[n_skipped:], clean_up_tokenization_spaces=False))
        return text[spans[n_skipped][0] : spans[len(ids) - 1][1]]

    def _encode(self, texts: list[str]) -> _Encoded:
        if not self.tokenizer.is_fast:
            # transformers 4: a slow tokenizer ignores the option when called on several texts.
            tokens = [self.tokenizer.tokenize(text, split_special_tokens=True) for text in texts]
            return _Encoded([self.tokenizer.convert_tokens_to_ids(row) for row in tokens], [None] * len(texts))
        # Explicit, since a tokenizer may have been saved with padding or truncation.
        encoded: Any = self.tokenizer(
            texts, add_special_tokens=False, split_special_tokens=True, padding=False, truncation=False,
            return_attention_mask=False, return_token_type_ids=False, return_offsets_mapping=True, verbose=False,
        )  # fmt: skip
        return _Encoded(encoded["input_ids"], encoded["offset_mapping"])


class _Encoded(NamedTuple):
    """Token ids per text and, where the tokenizer knows them, the characters of each token."""

    ids: list[list[int]]
    spans: list[Any]


class Window(NamedTuple):
    """Tokens `start` to `stop` of a sequence; those from `first` on are scored."""

    start: int
    stop: int
    first: int


def windows(n_tokens: int, first: int, size: int | None, stride: int | None) -> list[Window]:
    """Cover the tokens from `first` to `n_tokens`, each of them scored in one window.

    Parameters
    ----------
    n_tokens : int
    first : int
        The first token that is scored, at least 1.
    size : int or None
        The longest window; None: no limit.
    stride : int or None
        Tokens that each window after the first adds, fewer than `size`; None: one window.

    Examples
    --------
    >>> [tuple(window) for window in windows(10, 1, size=4, stride=3)]
    [(0, 4, 1), (3, 7, 4), (6, 10, 7)]
    >>> [tuple(window) for window in windows(6, 5, size=4, stride=1)]     # a long prefix
    [(2, 6, 5)]
    """
    if first >= n_tokens:
        return []
    if size is None or stride is None:
        return [Window(0, n_tokens, first)]
    covered: list[Window] = []
    stop = min(n_tokens, max(size, first + stride))
    while first < n_tokens:
        covered.append(Window(max(0, stop - size), stop, first))
        first, stop = stop, min(n_tokens, stop + stride)
    return covered
