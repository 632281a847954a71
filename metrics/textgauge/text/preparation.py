"""What happens to text around a tokenizer: lower-casing, and stripping the end of a line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..checks import fail, flag, shown
from .bytes import Spans
from .characters import WHITE_SPACE
from .tokenizers import Cutter, Tokenizer

_ASCII_LOWER = np.array([ord(chr(i).lower()) if i < 128 else i for i in range(256)], np.uint8)
_ASCII_LOWERED = {i: int(_ASCII_LOWER[i]) for i in range(128)}


def prepared(tokenizer: Tokenizer, *, lowercase: bool | str, strip: bool) -> Tokenizer:
    """Return a tokenizer that changes the text as well.

    Parameters
    ----------
    lowercase : False, True or "ascii"
        True lower-cases text before it is cut, "ascii" A to Z in its tokens.
    strip : bool
        Remove white space at the end of a text, which 13a, intl and zh would look at.
    """
    if not (isinstance(lowercase, bool) or lowercase == "ascii"):
        fail(ValueError, "lowercase", "False, True or 'ascii'", shown(lowercase))
    if not flag("strip", strip) and lowercase is False:
        return tokenizer
    cut = None if tokenizer.cut is None else PreparedCutter(tokenizer.cut, lowercase, strip)
    return replace(tokenizer, tokens=PreparedDefinition(tokenizer.tokens, lowercase, strip), cut=cut)


@dataclass(frozen=True)
class PreparedDefinition:
    """A definition with the preparation; compares and pickles by its fields."""

    tokens: Callable[[str], list[str]]
    lowercase: bool | str
    strip: bool

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of one text."""
        text = text.rstrip() if self.strip else text
        tokens = self.tokens(text.lower() if self.lowercase is True else text)
        # What a callable gives besides lists of str is judged by the tokenizer, not here.
        if self.lowercase != "ascii" or not isinstance(tokens, (list, tuple)):
            return tokens
        return [token.translate(_ASCII_LOWERED) if isinstance(token, str) else token for token in tokens]


@dataclass(frozen=True)
class PreparedCutter:
    """The same on whole columns."""

    cut: Cutter
    lowercase: bool | str
    strip: bool

    def __call__(self, column: pa.LargeStringArray) -> Spans:
        """Cut a column."""
        column = pc.utf8_rtrim(column, characters=WHITE_SPACE) if self.strip else column
        found = self.cut(_lowered(column) if self.lowercase is True else column)
        return replace(found, data=_ASCII_LOWER[found.data]) if self.lowercase == "ascii" else found


def _lowered(column: pa.LargeStringArray) -> pa.LargeStringArray:
    if pc.all(pc.string_is_ascii(column)).as_py() in (True, None):
        return pc.ascii_lower(column)
    # Arrow's lower-casing knows no final sigma and another Unicode version.
    return pa.array([text.lower() for text in column.to_pylist()], pa.large_string())
