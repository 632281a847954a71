"""Segments that come as tokens, which our metrics take as texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from typing import Any

from ...accumulation.accumulator import Accumulator, add_rows, rows_of
from ...checks import fail, warn_user
from ...engine import warn_if_plain
from ...input.columns import Corpus, corpus_of
from .. import NO_NOTES

Segment = Iterable[Hashable]


def in_numbers(hypotheses: Iterable[Segment], references: Iterable[Iterable[Segment]]) -> Corpus:
    """Return tokens as texts, in which a number stands for each: white space cuts tokens of any kind apart again.

    Examples
    --------
    >>> corpus = in_numbers([["New York", "is"]], [[["is", "New York"], "is"]])
    >>> corpus.hypotheses.tolist(), corpus.references.tolist()
    (['0 1'], ['1 0', '2 3'])
    """
    numbers: defaultdict[Hashable, str] = defaultdict(lambda: str(len(numbers)))

    def text(tokens: Segment) -> str:
        return " ".join([numbers[token] for token in tokens])

    return corpus_of(
        [text(tokens) for tokens in hypotheses], [[text(reference) for reference in group] for group in references]
    )


def counted(accumulator: Accumulator, list_of_references: Sequence[Any], hypotheses: Sequence[Any]) -> Accumulator:
    """Return an accumulator with the rows of segments of tokens.

    Raises
    ------
    ValueError
        If there are no segments, a segment has no reference, or there are more hypotheses than lists of references.
    """
    check_lengths("list_of_references", list_of_references, hypotheses)
    list_of_references = [[*group] for group in list_of_references]
    of_sides = {"hypotheses": hypotheses, "references": chain.from_iterable(list_of_references)}
    strings = [side for side, texts in of_sides.items() if any(isinstance(text, str) for text in texts)]
    if strings:
        more = ", and a list of them for each hypothesis" * ("references" in strings)
        warn_user(
            f"{' and '.join(strings)} are strings, of which each character is scored as a word, as in nltk: pass lists "
            f"of words{more}."
        )
    warn_if_plain()
    counted = accumulator.without_segments()
    # nltk has no warnings of the texts, and those of ours would speak of numbers.
    for rows in rows_of(accumulator, in_numbers(hypotheses, list_of_references), NO_NOTES):
        add_rows(counted, rows, {})
    return counted


def check_lengths(name: str, references: Sequence[Any], hypotheses: Sequence[Any]) -> None:
    """Raise ValueError for no segments, and for different numbers of hypotheses and references."""
    if len(references) != len(hypotheses):
        fail(ValueError, name, f"as many as there are hypotheses, {len(hypotheses)}", str(len(references)))
    if not len(hypotheses):
        fail(ValueError, "hypotheses", "at least one segment", "none")
