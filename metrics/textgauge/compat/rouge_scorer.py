"""`rouge_score.rouge_scorer`: ROUGE of one pair of texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from .. import engine
from ..checks import fail, say, shown
from ..columns import known_texts
from ..plain.pairs import UNIT_LCS, UNIT_UNION_LCS
from ..text import STEMMED_ROUGE, TOKENIZERS
from ..text.sentences import lines_of_sentences
from .scoring import BaseScorer, Score
from .writable import writable

_LCS = {"rougeL": UNIT_LCS, "rougeLsum": UNIT_UNION_LCS}
# As in rouge_score: integers where a text has no tokens to compare.
_NO_TOKENS, _NO_MATCH = Score(0, 0, 0), Score(0.0, 0.0, 0.0)


class RougeScorer(BaseScorer):
    """Scores pairs of a target and a prediction.

    Parameters
    ----------
    rouge_types : sequence of str
        "rouge1" to "rouge9", "rougeL", "rougeLsum".
    use_stemmer : bool
        Stem words of more than three letters by Porter's rules.
    split_summaries : bool
        Find the sentences of "rougeLsum" with nltk; by default every line is one. Where nltk or its model is not
        installed, sentences end at end marks, with a warning.
    tokenizer : object with a method `tokenize` str -> list, optional
        Replaces the tokenizer of rouge_score and its stemmer.

    Examples
    --------
    >>> scorer = RougeScorer(["rouge1", "rougeL"], use_stemmer=True)
    >>> scorer.score("The cats sat on the mat.", "the cat is on the mat")["rougeL"]
    Score(precision=0.8333333333333334, recall=0.8333333333333334, fmeasure=0.8333333333333334)
    """

    def __init__(
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Any = None,
    ) -> None:
        engine.warn_if_plain()
        self.rouge_types = rouge_types
        self._tokenizer = tokenizer or None
        self._cut = STEMMED_ROUGE if use_stemmer else TOKENIZERS["rouge"]
        self._split_summaries = split_summaries

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Return precision, recall and F by type.

        Raises
        ------
        ValueError
            If a type is not one of those above.
        """
        plan, units = _plan(tuple(self.rouge_types))
        return _scores(plan, self._counts(prediction, (target,), units))

    def score_multi(self, targets: Sequence[str], prediction: str) -> dict[str, Score]:
        """Return for every type the scores with the target of the best F, the first of equals."""
        plan, units = _plan(tuple(self.rouge_types))
        given = tuple(targets)
        if not given and plan:
            fail(ValueError, "targets", "at least one text", "none")
        counts = self._counts(prediction, given, units)
        n = 3 * len(plan)
        scores = [_scores(plan, counts[i * n : (i + 1) * n]) for i in range(len(given))]
        return {name: max((one[name] for one in scores), key=_f_of) for name, _ in plan}

    def _counts(self, prediction: str, targets: tuple[str, ...], units: tuple[int, ...]) -> Sequence[int]:
        """Return matches, units of the prediction and of the target, for every target and type."""
        if self._tokenizer is not None or self._split_summaries:
            return self._counts_of_sentences(prediction, targets, units)
        return self._counts_of_lines([_text(text) for text in (prediction, *targets)], units)

    def _counts_of_lines(self, texts: list[str], units: tuple[int, ...]) -> Sequence[int]:
        sides, bounds = (known_texts(texts[:1]), known_texts(texts[1:])), np.array([0, len(texts) - 1])
        tokens = engine.kernel.cut(self._cut.cutter, *sides, bounds, sentences=UNIT_UNION_LCS in units)
        return _listed(engine.kernel.pair_counts(tokens, np.array(units, np.int32)))

    def _counts_of_sentences(self, prediction: str, targets: tuple[str, ...], units: tuple[int, ...]) -> Sequence[int]:
        texts = [prediction, *targets]
        if self._tokenizer is None:
            texts = [_text(text) for text in texts]
            if UNIT_UNION_LCS in units:
                texts = ["\n".join(one.replace("\n", " ") for one in _sentences(text)) for text in texts]
            return self._counts_of_lines(texts, units)
        numbering = _Numbering(self._tokenizer.tokenize)
        # As in rouge_score, "rougeLsum" alone never tokenizes a whole text.
        wholes = [[]] * len(texts) if units == (UNIT_UNION_LCS,) else [numbering.ids(text) for text in texts]
        split = _sentences if self._split_summaries else _lines
        sentences = [[numbering.ids(one) for one in split(text)] for text in texts] if UNIT_UNION_LCS in units else []
        return _pair_counts(wholes, sentences, units)


@lru_cache(maxsize=256)
def _plan(types: tuple[str, ...]) -> tuple[tuple[tuple[str, bool], ...], tuple[int, ...]]:
    """Return the types, each with whether it is an LCS, and their units for the kernel."""
    names = tuple(dict.fromkeys(types))
    return tuple((name, name in _LCS) for name in names), tuple(map(_unit_of, names))


def _unit_of(name: str) -> int:
    if name in _LCS:
        return _LCS[name]
    if not re.match("rouge[1-9]$", name):
        fail(ValueError, "rouge_types", "rouge1 to rouge9, rougeL or rougeLsum", shown(name))
    return int(name[5:])


def _scores(plan: Iterable[tuple[str, bool]], counts: Sequence[int]) -> dict[str, Score]:
    """Score the matches, units of the prediction and units of the target of every type."""
    result = {}
    three = iter(counts)
    for (name, is_lcs), matches, n_prediction, n_target in zip(plan, three, three, three):  # noqa: B905
        if matches:
            precision, recall = matches / n_prediction, matches / n_target
            result[name] = Score(precision, recall, 2 * precision * recall / (precision + recall))
        else:
            result[name] = _NO_TOKENS if is_lcs and not (n_prediction and n_target) else _NO_MATCH
    return result


def _f_of(score: Score) -> float:
    return score.fmeasure


def _text(value: Any) -> str:
    """Return the text of a value that rouge_score accepts: a `str`, or UTF-8 bytes."""
    # Other types raise the AttributeError that rouge_score raises.
    lowered = value.lower()
    if isinstance(lowered, bytes):
        value = value.decode()
    elif not isinstance(lowered, str):
        fail(TypeError, "target, prediction", "str", shown(value))
    return writable(value)


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


def _sentences(text: str) -> list[str]:
    """Return the sentences that nltk finds; without nltk, sentences end at end marks."""
    try:
        from nltk import sent_tokenize

        found: list[str] = sent_tokenize(text)
    except (ImportError, LookupError):
        say("nltk or its model 'punkt_tab' is not installed: sentences end at end marks, and rougeLsum may differ")
        return _lines(lines_of_sentences(known_texts([text]))[0])
    return [sentence for sentence in found if sentence]


class _Numbering:
    """Gives tokens numbers in the order in which they first appear."""

    def __init__(self, tokenize: Any) -> None:
        self._tokenize = tokenize
        self._number: dict[Any, int] = {}

    def ids(self, text: str) -> list[int]:
        number = self._number
        return [number.setdefault(token, len(number)) for token in self._tokenize(text)]


def _pair_counts(wholes: list[list[int]], sentences: list[list[list[int]]], units: tuple[int, ...]) -> Sequence[int]:
    """Count token ids: those of the prediction, then those of every target."""
    arrays = [*_joined(wholes), np.array([0, len(wholes)])]
    if sentences:
        ids, offsets = _joined([one for text in sentences for one in text])
        arrays += [ids, offsets, np.cumsum([0, *map(len, sentences)])]
    return _listed(engine.kernel.pair_counts(engine.kernel.Tokens(*arrays), np.array(units, np.int32)))


def _listed(counts: Any) -> Sequence[int]:
    numbers: list[int] = np.asarray(counts).ravel().tolist()
    return numbers


def _joined(rows: list[list[int]]) -> tuple[Any, Any]:
    """Return the ids of all rows and the offsets of the rows."""
    return np.array([i for row in rows for i in row], np.uint32), np.cumsum([0, *map(len, rows)])
