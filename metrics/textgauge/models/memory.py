"""The texts that were embedded last, so that further calls need not embed them again."""

from __future__ import annotations

import sys
from collections import OrderedDict
from typing import Any, NamedTuple

# Bytes of the texts and of their vectors.
REMEMBERED = 64_000_000


class Known(NamedTuple):
    """A text that was embedded, shape (size,); whether it was cut, and whether it names special tokens."""

    vector: Any
    is_long: bool
    is_special: bool


class Memory:
    """The texts that were embedded last, of at most `REMEMBERED` bytes."""

    def __init__(self) -> None:
        """Start empty."""
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._n_bytes = 0

    def __contains__(self, text: str) -> bool:
        """Whether a text is remembered."""
        return text in self._known

    def recalled(self, text: str) -> Known:
        """Return what is known of a text, and mark the text as the most recently used."""
        self._known.move_to_end(text)
        return self._known[text]

    def keep(self, text: str, known: Known) -> None:
        """Add a text, and forget the least recently used texts beyond the limit of memory."""
        self._known[text] = known
        self._n_bytes += _n_bytes(text, known)
        while self._n_bytes > REMEMBERED:
            self._n_bytes -= _n_bytes(*self._known.popitem(last=False))


def _n_bytes(text: str, known: Known) -> int:
    return sys.getsizeof(text) + int(known.vector.nbytes)
