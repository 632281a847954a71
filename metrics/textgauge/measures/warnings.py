"""Warnings: what a score should not be read without, once per call."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pyarrow.compute as pc

from ..checks import say
from ..columns import Corpus
from ..ragged import Ragged
from ..text import Normalizer, SiftedTokenizer, Tokenizer


class LostText:
    """Counts texts that hold characters other than white space but no token."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        """Start at zero."""
        self.tokenizer = tokenizer
        # By chunk: several threads look at a time.
        self._counts: dict[int, int] = {}

    @property
    def count(self) -> int:
        """The texts so far."""
        return sum(self._counts.values())

    def look(self, corpus: Corpus, hypotheses: Ragged, references: Ragged) -> None:
        """Count in one chunk."""
        count = 0
        for column, tokens in ((corpus.hypotheses, hypotheses), (corpus.references, references)):
            empty = np.flatnonzero(tokens.lengths == 0)
            if len(empty):
                trimmed = pc.utf8_trim_whitespace(column.take(empty))
                count += int(np.count_nonzero(pc.binary_length(trimmed)))
        self._counts[corpus.first] = count

    def warn(self) -> None:
        """Warn once, if there is anything to say."""
        if self.count:
            say(self._message())

    def _message(self) -> str:
        drops = isinstance(self.tokenizer, SiftedTokenizer) and self.tokenizer.stop_words
        return (
            f"{self.count} texts are not empty but have no token under the tokenizer "
            f"{self.tokenizer.name!r} {'that is no stop word ' if drops else ''}and score 0; "
            "for text outside a-z and 0-9 use "
            "tokenizer='unicode' or tokenizer='character'."
        )


class LostAnswers(LostText):
    """Counts texts that a normalizer and a tokenizer leave nothing of."""

    def __init__(self, normalizer: Normalizer, tokenizer: Tokenizer) -> None:
        """Start at zero."""
        super().__init__(tokenizer)
        self.normalizer = normalizer

    def _message(self) -> str:
        return (
            f"{self.count} texts are not empty but have no token under the normalizer "
            f"{self.normalizer.name!r} and the tokenizer {self.tokenizer.name!r}, so that their F1 is 0; "
            "where such text is an answer use normalizer='lower' or tokenizer='character'."
        )


class SummaryNotes(LostText):
    """The same of ROUGE, and what else its scores should not be read without."""

    def __init__(self, tokenizer: Tokenizer, *, is_unstemmed: bool) -> None:
        """Start at zero; `is_unstemmed` says that stems were asked for beside a tokenizer that makes none."""
        super().__init__(tokenizer)
        self.is_unstemmed = is_unstemmed

    def warn(self) -> None:
        """Warn once of each."""
        super().warn()
        if self.is_unstemmed:
            say(
                "use_stemmer=True changes nothing beside a tokenizer of your own, as in the reference module: "
                "stem in the tokenizer, or leave it out."
            )


@contextmanager
def told_once(told: set[str] | None = None) -> Iterator[None]:
    """Gather the warnings of many batches: each of them once, with "some" in place of its count.

    `told` holds what was said before, and takes up what is said now: Python forgets its own
    record of that whenever anyone enters `warnings.catch_warnings`.
    """
    told = set() if told is None else told
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        text = re.sub(r"^\d+ ", "some ", str(warning.message))
        if text not in told:
            told.add(text)
            say(text, warning.category)
