"""The parts of a text that a score counts: matches with weights, and texts cut into marked pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf
from operator import itemgetter
from typing import NamedTuple

from ..input.columns import Corpus
from .alignment import Alignment, Match, unaligned

Align = Callable[[Corpus], list[Alignment]]

STRONGEST = 4


class Piece(NamedTuple):
    """A part of a text.

    Attributes
    ----------
    text : str
    level : int
        How strongly it is marked, 0 (not at all) to `STRONGEST`.
    is_common : bool
        Whether it is underlined.
    joined : (int, int) or None
        The first character of a token, and that of the one that it is joined to.
    weight : float
        How similar these two are.
    """

    text: str
    level: int
    is_common: bool
    joined: tuple[int, int] | None = None
    weight: float = 0.0


class Mark(NamedTuple):
    """A line of the legend; `brackets` stand around such a word where there are no colours, "" for none."""

    level: int
    is_common: bool
    meaning: str
    brackets: str = "[]"


@dataclass(frozen=True)
class Marks:
    """The parts of a text that a score counts, and how these parts are shown.

    Attributes
    ----------
    align : callable
        Returns the matches of a corpus, an `Alignment` per segment.
    levels : tuple of (float, int)
        The weights, ascending, from which on a match is marked with a level.
    counts_from : float
        The lowest weight that counts for the score; a match with `is_common` always counts.
    legend : tuple of Mark
    verb : str
        What counted tokens do, as in "3 of 5 tokens match"; empty where nothing is marked.
    are_errors : bool
        Whether the marks are errors, which are shown in other colours than matches.
    """

    align: Callable[[Corpus], list[Alignment]]
    levels: tuple[tuple[float, int], ...]
    counts_from: float
    legend: tuple[Mark, ...]
    verb: str = "match"
    are_errors: bool = False

    @classmethod
    def none(cls) -> Marks:
        """Return marks of nothing, for a metric that says nothing about single tokens."""
        return cls(unaligned, (), inf, (), "")

    @classmethod
    def of_orders(cls, max_order: int, align: Align, unit: str = "word") -> Marks:
        """Return marks of n-grams of all orders, all of which count, longer n-grams more strongly."""
        levels = [(order, -(-order * STRONGEST // max(max_order, 1))) for order in range(1, max_order + 1)]
        shown = sorted({level for _, level in levels})
        legend = (
            Mark(strength, False, _matched([n for n, level in levels if level == strength], unit)) for strength in shown
        )
        return cls(align, tuple(levels), 1, tuple(legend))

    @classmethod
    def of_order(cls, order: int, align: Align) -> Marks:
        """Mark n-grams of one order, and less strongly shorter ones, which do not count."""
        strong = Mark(3, False, f"{_matched([order], 'word')} (counts)")
        if order == 1:
            return cls(align, ((1, 3),), 1, (strong,))
        weak = Mark(1, False, "only in a shorter match (does not count)", "{}")
        return cls(align, ((1, 1), (order, 3)), order, (strong, weak))

    @classmethod
    def of_common(cls, common: str, other: str, align: Align, *, other_counts: bool = False) -> Marks:
        """Underline matches with `is_common` and mark others less strongly; `common` and `other` describe them.

        `other` is empty where there are no others.
        """
        others = (Mark(1, False, other, "{}"),) if other else ()
        return cls(align, ((1, 1),), 1 if other_counts else 2, (Mark(2, True, common), *others))

    @classmethod
    def of_tokens(cls, meaning: str, align: Align) -> Marks:
        """Mark single tokens."""
        return cls(align, ((1, 1),), 1, (Mark(1, False, meaning),))

    @property
    def colours(self) -> str:
        """The first letter of the classes of a page, before the level."""
        return "e" if self.are_errors else "m"

    def level(self, weight: float) -> int:
        """Return how strongly a match of this weight is marked, 0 to `STRONGEST`."""
        strongest = 0
        for least, level in self.levels:
            if least <= weight:
                strongest = level
        return strongest

    def is_counted(self, match: Match) -> bool:
        """Return whether a match counts for the score."""
        return match.is_common or match.weight >= self.counts_from

    def pieces(self, text: str, matches: Sequence[Match]) -> list[Piece]:
        """Cut a text into pieces, which together are the text.

        The characters between two tokens belong to the n-gram that joins them.

        Examples
        --------
        >>> marks = Marks.of_order(2, lambda corpus: [])
        >>> joined = [Match(0, 3, 2, True, False), Match(4, 7, 2, False, False)]
        >>> [(piece.text, piece.level) for piece in marks.pieces("the cat sat", joined)]
        [('the cat', 3), (' sat', 0)]
        """
        parts: list[tuple[str, _Marked]] = []
        at: int = 0
        gap: _Marked = (0, False, None, 0.0)
        levels = [*[self.level(match.weight) for match in matches], 0]
        for match, own, following in zip(matches, levels, levels[1:], strict=False):
            joined = None if match.partner is None else (match.start, match.partner[0])
            level = 2 if match.is_common else own
            mark = (level, match.is_common, joined, 0.0 if joined is None else match.weight)
            parts += [(text[at : match.start], gap), (text[max(at, match.start) : match.end], mark)]
            at = max(at, match.end)
            gap = (min(level, following) if match.joins else 0, False, None, 0.0)
        parts.append((text[at:], (0, False, None, 0.0)))
        # Adjacent matches stay separate unless the text between them is marked as well.
        runs = groupby(filter(_TEXT, parts), _MARK)
        return [Piece("".join(map(_TEXT, run)), *mark) for mark, run in runs]


_Marked = tuple[int, bool, tuple[int, int] | None, float]
_TEXT, _MARK = itemgetter(0), itemgetter(1)


def _matched(orders: Sequence[int], unit: str) -> str:
    if orders[-1] == 1:
        return "in both texts"
    n = " to ".join(map(str, dict.fromkeys((orders[0], orders[-1]))))
    return f"{n} {unit}s in a row in both texts"
