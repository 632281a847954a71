"""Warnings: what a score should not be read without, once per call."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt

from ..checks import CountWarning, printable, say
from ..columns import Corpus
from ..plain import Tokens
from ..text import Normalizer, Tokenizer
from ..text.sentences import has_sentences
from ..text.tokenizers import text_lengths

# Texts of either side that are looked at for sentences.
_SAMPLE = 16


class Notes:
    """What there is to warn of when a corpus is counted: nothing."""

    def warn(self) -> None:
        """Warn once of each, if there is anything to say."""


class LostText(Notes):
    """Counts texts that hold characters other than white space but no token."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        """Start at zero."""
        self.tokenizer = tokenizer
        self.count = 0

    def look(self, corpus: Corpus, tokens: Tokens) -> None:
        """Count in one chunk."""
        if tokens.n_empty:
            for texts, lengths in zip((corpus.hypotheses, corpus.references), text_lengths(tokens), strict=True):
                is_blank = np.asarray(texts.take(np.flatnonzero(lengths == 0)).blank())
                self.count += int(np.count_nonzero(is_blank == 0))

    def warn(self) -> None:
        """Warn once, if there is anything to say."""
        if self.count:
            say(CountWarning(self.count, printable(self._message())))

    def _message(self) -> str:
        drops = self.tokenizer.stop_words
        return (
            f"texts are not empty but have no token under the tokenizer "
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
            f"texts are not empty but have no token under the normalizer "
            f"{self.normalizer.name!r} and the tokenizer {self.tokenizer.name!r}, so that their F1 is 0; "
            "where such text is an answer use normalizer='lower' or tokenizer='character'."
        )


def warn_of_empty_order(corpus: npt.NDArray[np.number], orders: int) -> None:
    """Say which order of n-grams makes BLEU 0, where words match but no prediction is long enough for it.

    Parameters
    ----------
    corpus : shape (2 * orders + 2,)
        The summed statistics of `Bleu`.
    """
    empty = np.flatnonzero(corpus[orders : 2 * orders] == 0)
    if corpus[0] and len(empty):
        order = int(empty[0]) + 1
        say(
            f"BLEU is 0 since no prediction is long enough for a {order}-gram: "
            f"pass effective_order=True, max_order={order - 1} or a smoothing."
        )


class SummaryNotes(LostText):
    """The same of ROUGE, and what else its scores should not be read without."""

    def __init__(self, tokenizer: Tokenizer, *, is_unstemmed: bool) -> None:
        """Start at zero; `is_unstemmed` says that stems were asked for beside a tokenizer that makes none."""
        super().__init__(tokenizer)
        self.is_unstemmed = is_unstemmed
        self._may_lack_lines = False

    def look_for_lines(self, corpus: Corpus, tokens: Tokens) -> None:
        """See whether texts have several sentences, at least half of the first ones, and no newline between them."""
        if corpus.first == 0:
            sides = corpus.hypotheses, corpus.references
            sample = [side[row] for side in sides for row in range(min(_SAMPLE, len(side)))]
            self._may_lack_lines = 0 < sum(map(has_sentences, sample)) >= len(sample) / 2
        if self._may_lack_lines:
            bounds = np.asarray(tokens.text_sentences)
            self._may_lack_lines = bool((bounds[1:] - bounds[:-1] <= 1).all())

    def warn(self) -> None:
        """Warn once of each."""
        super().warn()
        if self._may_lack_lines:
            say(
                "rougeLsum is no more than rougeL here: texts have several sentences, but no newline between them; "
                "pass split_summaries=True, or put each sentence on its own line."
            )
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
        message = warning.message
        text = f"some {message.about}" if isinstance(message, CountWarning) else str(message)
        if text not in told:
            told.add(text)
            say(text, warning.category if not isinstance(message, CountWarning) else UserWarning)
