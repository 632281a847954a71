"""Warnings that a reader of a score needs, once per call."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ..checks import CountWarning, printable, say
from ..columns import Corpus
from ..plain import Tokens
from ..text import Normalizer, Tokenizer
from ..text.sentences import has_sentences
from ..text.tokenizers import text_lengths

# Number of texts per side whose sentences and scripts are examined; number of characters examined for the script.
_SAMPLE, _START = 16, 200
# Thai, Lao, Burmese, Khmer, kana, Chinese characters: scripts without spaces between words.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
# Share of lost letters; accented names in English text stay below it.
_MOST_LOST = 0.03
# Characters of such a script per token; words have one to three.
_LONG_TOKEN = 4


LACKS_LINES = (
    "rougeLsum equals rougeL here, since texts have several sentences but no newline between them; "
    "pass `split_summaries=True`, or put each sentence on its own line."
)


class Notes:
    """Collector of reasons to warn while a corpus is counted: none."""

    def warn(self) -> None:
        """Warn once for each reason."""


class LostText(Notes):
    """Counts texts with characters but without tokens, and checks whether the tokenizer fits the script.

    Attributes
    ----------
    refuses_words : bool
        Whether segments of one token each indicate that the tokens of one text were passed.
    """

    refuses_words = True

    def __init__(self, tokenizer: Tokenizer) -> None:
        """Start at zero."""
        self.tokenizer = tokenizer
        self.count = 0
        self._n_words = 0
        self._advice = ""

    def look(self, corpus: Corpus, tokens: Tokens) -> None:
        """Examine one chunk."""
        if corpus.first == 0:
            self._advice = misfit(corpus, self.tokenizer)
        if self.refuses_words and (corpus.first == 0 or self._n_words):
            of_sides = text_lengths(tokens)
            are_words = all(len(side) and side.min() == 1 == side.max() for side in of_sides)
            self._n_words = self._n_words + len(corpus) if are_words else 0
        if tokens.n_empty:
            for texts, lengths in zip((corpus.hypotheses, corpus.references), text_lengths(tokens), strict=True):
                is_blank = np.asarray(texts.take(np.flatnonzero(lengths == 0)).blank())
                self.count += int(np.count_nonzero(is_blank == 0))

    def warn(self) -> None:
        """Warn once, if there is a reason."""
        if self.count:
            say(CountWarning(self.count, printable(self._message())))
        elif self._advice:
            say(self._advice)
        elif self._n_words > 1:
            say(
                "every prediction and every reference is a single token: if they are the tokens of one text, join "
                'them, " ".join(tokens), and pass a list with that one text.'
            )

    def _message(self) -> str:
        drops = self.tokenizer.stop_words
        return (
            f"texts are not empty but have no token under the tokenizer "
            f"{self.tokenizer.name!r} {'that is no stop word ' if drops else ''}and score 0; "
            "for text outside a-z and 0-9 use `tokenizer='unicode'` or `tokenizer='character'`."
        )


def fits_ascii(text: str) -> bool:
    """Return whether so few letters are outside ASCII that `misfit` would be empty."""
    text = text[:_START]
    if text.isascii():
        return True
    wide = sum(character.isalpha() for character in text if character > "\x7f")
    return wide <= _MOST_LOST * sum(map(str.isalpha, text))


def misfit(corpus: Corpus, tokenizer: Tokenizer) -> str:
    """Return advice if a tokenizer does not fit the script of the first texts, else an empty string."""
    if tokenizer.function is not None:
        return ""
    n_letters = n_lost = n_unspaced = n_tokens = 0
    for side in (corpus.hypotheses, corpus.references):
        for text in side.slice(0, min(_SAMPLE, len(side))).tolist():
            start = text[:_START]
            if start.isascii():
                n_letters += len(start)
                continue
            tokens = replace(tokenizer, stop_words=frozenset(), stemmer="", irregular=())(start)
            letters = sum(map(str.isalpha, start))
            n_letters, n_tokens = n_letters + letters, n_tokens + len(tokens)
            n_lost += letters - min(letters, sum(sum(map(str.isalpha, token)) for token in tokens))
            n_unspaced += len(_UNSPACED.findall(start))
    # Other tokenizers lose only the letters of entities such as &quot;.
    if tokenizer.rule.startswith("rouge") and n_lost > _MOST_LOST * n_letters:
        return (
            f"the tokenizer {tokenizer.name!r} drops letters outside a-z, which splits or removes words: use "
            "`tokenizer='unicode'`, or 'character' for text without spaces."
        )
    if n_unspaced > n_letters / 2 and n_unspaced > _LONG_TOKEN * n_tokens:
        return (
            f"the tokenizer {tokenizer.name!r} does not split text without spaces, so its long tokens rarely match: "
            "use `tokenizer='zh'` (Chinese), 'ja-mecab' (Japanese) or 'character' (Thai and others)."
        )
    return ""


class LostAnswers(LostText):
    """Counts texts without tokens after a normalizer and a tokenizer."""

    refuses_words = False

    def __init__(self, normalizer: Normalizer, tokenizer: Tokenizer) -> None:
        """Start at zero."""
        super().__init__(tokenizer)
        self.normalizer = normalizer

    def _message(self) -> str:
        return (
            f"texts are not empty but have no token under the normalizer "
            f"{self.normalizer.name!r} and the tokenizer {self.tokenizer.name!r}, so their F1 is 0; "
            "if such text can be an answer, use `normalizer='lower'` or `tokenizer='character'`."
        )


def warn_of_empty_order(matches: npt.NDArray[np.number], totals: npt.NDArray[np.number]) -> None:
    """Warn if BLEU is 0 because no prediction has n-grams of some order, though words match.

    Parameters
    ----------
    matches, totals : shape (n_orders,)
        Summed over the corpus.
    """
    empty = np.flatnonzero(totals == 0)
    if matches[0] and len(empty):
        order = int(empty[0]) + 1
        say(
            f"BLEU is 0 because no prediction is long enough for a {order}-gram: "
            f"pass `effective_order=True`, `max_order={order - 1}` or a smoothing."
        )


def warn_as_nltk(matches: npt.NDArray[np.number]) -> None:
    """Warn as nltk does without smoothing: an order without matches, shape (n_orders,), makes BLEU almost 0."""
    empty = np.flatnonzero(matches == 0)
    if matches[0] and len(empty):
        say(
            f"the predictions share no {int(empty[0]) + 1}-gram with their references, so BLEU is almost 0 despite "
            "matches of lower orders: lower `max_order`, or choose a smoothing, as nltk's SmoothingFunction does."
        )


class SummaryNotes(LostText):
    """Collector of the reasons to warn for ROUGE."""

    def __init__(self, tokenizer: Tokenizer, *, is_unstemmed: bool) -> None:
        """Start at zero; `is_unstemmed` says that `use_stemmer` was set with a tokenizer that does not stem."""
        super().__init__(tokenizer)
        self.is_unstemmed = is_unstemmed
        self._may_lack_lines = False

    def look_for_lines(self, corpus: Corpus, tokens: Tokens) -> None:
        """Check whether at least half of the first texts have several sentences, and none has lines."""
        if corpus.first == 0:
            sides = corpus.hypotheses, corpus.references
            sample = [side[row] for side in sides for row in range(min(_SAMPLE, len(side)))]
            self._may_lack_lines = 0 < sum(map(has_sentences, sample)) >= len(sample) / 2
        if self._may_lack_lines:
            bounds = np.asarray(tokens.text_sentences)
            self._may_lack_lines = bool((bounds[1:] - bounds[:-1] <= 1).all())

    def warn(self) -> None:
        """Warn once for each reason."""
        super().warn()
        if self._may_lack_lines:
            say(LACKS_LINES)
        if self.is_unstemmed:
            say(
                "`use_stemmer=True` has no effect with your own tokenizer, as in the reference module: "
                "stem in the tokenizer, or omit the option."
            )


@contextmanager
def told_once(told: set[str] | None = None) -> Iterator[None]:
    """Collect the warnings of many batches and raise each once, with "some" in place of its count.

    `told` are the texts already warned of, and gets new ones: Python forgets its own record
    whenever `warnings.catch_warnings` is entered.
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
