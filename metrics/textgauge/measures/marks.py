"""Texts cut into marked and unmarked pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

STRONGEST = 4


class Match(NamedTuple):
    """A token that matches: an element of an `Alignment`.

    Attributes
    ----------
    start, end : int
        Its characters are ``text[start:end]``.
    order : int
        The highest order of a matched n-gram that contains it, at least 1.
    joins : bool
        Whether a matched n-gram contains it and the next token.
    is_common : bool
        Whether it is part of what the score counts: of the longest common subsequence, of a common
        skip-bigram, or, for TER, a match without a shift; False for scores with none of these.
    """

    start: int
    end: int
    order: int
    joins: bool
    is_common: bool


class Piece(NamedTuple):
    """A part of a text.

    Attributes
    ----------
    text : str
    level : int
        How strongly it is marked, 0 (not at all) to `STRONGEST`.
    is_common : bool
        Whether it is underlined.
    """

    text: str
    level: int
    is_common: bool


class Mark(NamedTuple):
    """A line of the legend."""

    level: int
    is_common: bool
    meaning: str


@dataclass(frozen=True)
class Marking:
    """How the matches of a score are shown.

    Attributes
    ----------
    levels : tuple of int
        The level of order 1, 2, ...
    counted : int
        The lowest order that counts for the score; a match with `is_common` always counts.
    legend : tuple of Mark
    """

    levels: tuple[int, ...]
    counted: int
    legend: tuple[Mark, ...]

    @classmethod
    def of_orders(cls, max_order: int, unit: str = "word") -> Marking:
        """Mark n-grams of all orders, longer ones more strongly: all of them count."""
        levels = tuple(-(-order * STRONGEST // max(max_order, 1)) for order in range(1, max_order + 1))
        shown = [order for order in range(1, max_order + 1) if order == max_order or levels[order] > levels[order - 1]]
        return cls(levels, 1, tuple(Mark(levels[n - 1], False, _matched(n, unit)) for n in shown))

    @classmethod
    def of_order(cls, order: int) -> Marking:
        """Mark n-grams of one order, and less strongly shorter ones, which do not count."""
        strong = Mark(3, False, f"{_matched(order, 'word')} (counts)")
        weak = Mark(1, False, "only in a shorter match (does not count)")
        return cls((*[1] * (order - 1), 3), order, (strong, weak) if order > 1 else (strong,))

    @classmethod
    def of_common(cls, common: str, other: str, *, other_counts: bool = False) -> Marking:
        """Underline matches with `is_common` and mark others less strongly; `common` and `other` describe them."""
        return cls((1,), 1 if other_counts else 2, (Mark(2, True, common), Mark(1, False, other)))

    @classmethod
    def of_tokens(cls, meaning: str) -> Marking:
        """Mark single tokens."""
        return cls((1,), 1, (Mark(1, False, meaning),))

    def is_counted(self, match: Match) -> bool:
        """Return whether a match counts for the score."""
        return match.is_common or match.order >= self.counted

    def pieces(self, text: str, matches: Sequence[Match]) -> list[Piece]:
        """Cut a text into pieces, which together are the text.

        The characters between two tokens belong to the n-gram that joins them.

        Examples
        --------
        >>> marking = Marking.of_order(2)
        >>> joined = [Match(0, 3, 2, True, False), Match(4, 7, 2, False, False)]
        >>> [(piece.text, piece.level) for piece in marking.pieces("the cat sat", joined)]
        [('the cat', 3), (' sat', 0)]
        """
        pieces: list[tuple[list[str], tuple[int, bool]]] = []
        at, gap = 0, (0, False)
        for i, match in enumerate(matches):
            mark = (2 if match.is_common else self.levels[match.order - 1], match.is_common)
            _add(pieces, text[at : match.start], gap)
            _add(pieces, text[max(at, match.start) : match.end], mark)
            at = max(at, match.end)
            follows = matches[i + 1] if match.joins and i + 1 < len(matches) else None
            gap = (min(mark[0], self.levels[follows.order - 1]), False) if follows else (0, False)
        _add(pieces, text[at:], (0, False))
        return [Piece("".join(parts), *mark) for parts, mark in pieces]


def _add(pieces: list[tuple[list[str], tuple[int, bool]]], text: str, mark: tuple[int, bool]) -> None:
    if not text:
        return
    # Adjacent matches stay separate unless the text between them is marked as well.
    if pieces and pieces[-1][1] == mark:
        pieces[-1][0].append(text)
    else:
        pieces.append(([text], mark))


_NUMBERS = {2: "two", 3: "three", 4: "four"}


def _matched(order: int, unit: str) -> str:
    if order == 1:
        return "in both texts"
    return f"{_NUMBERS.get(order, order)} {unit}s in a row in both texts"
