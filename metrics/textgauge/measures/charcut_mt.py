"""CharCut of texts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

from ..accumulation.accumulator import Accumulator, one_call
from ..checks import quantity
from ..metric import About, Explanation, Field, Layout, Line, Metric, PairCounter, Rows, Score, Scores, Summary
from ..options import Options, option
from ..scores.ratios import ratio


@dataclass(frozen=True)
class CharcutOptions(Options):
    """The share of the characters of both texts that do not match, or are at another place; 0 is best, 1 worst.

    White space at the ends of a text is dropped. Counts are summed over the segments; of several references, the one
    with the lowest score counts. Time grows with the square of the length of a text, and faster for texts that repeat
    themselves: it is made for sentences.

    References: Lardilleux and Lepage (2017), CHARCUT: Human-Targeted Character-Based MT Evaluation with Loose
    Differences. The figures are those of charcut 1.1.1, in which a newline starts another segment.
    """

    match_size: int = option(
        3, "The fewest characters that match, but for words at the same end of both.", at_least=1, on_page=True
    )
    alt_norm: bool = option(False, "Divide by twice the characters of the prediction, not by those of both texts.")


class Match(NamedTuple):
    """Equal characters of two texts: where they start in each, and how many there are."""

    start: int
    place: int
    size: int


class Comparison(NamedTuple):
    """What two texts have in common: matches in the same order, and shifted ones. The rest is in one text alone."""

    matches: list[Match]
    shifts: list[Match]


def compared(prediction: str, reference: str, least: int) -> Comparison:
    """Compare two texts as `charcut` does.

    The longest common substrings match first, none across another; see `_common`. Those in the largest part with the
    same order on both sides stay, the others are shifts. A shift that goes farther than e to the number of its
    characters is none.

    Examples
    --------
    >>> compared("sat the cat", "the cat sat", 3)
    Comparison(matches=[Match(start=4, place=0, size=7)], shifts=[Match(start=0, place=8, size=3)])
    """
    all_matches = _greedy(prediction, reference, least)
    kept = _in_order(all_matches)
    matches, shifts = [], []
    for match in all_matches:
        distance = 0 if match in kept else _distance(match, kept)
        if distance == 0:
            matches.append(match)
        # Beyond 700, `math.exp` overflows, in charcut as well.
        elif match.size > 700 or math.exp(match.size) >= distance:
            shifts.append(match)
    return Comparison(matches, shifts)


def _greedy(left: str, right: str, least: int) -> list[Match]:
    """Return the matches: of equally long ones, first those that occur unequally often, then the rarest, the first."""
    rest = sorted(
        ((text, *places) for text, places in _common(left, right, least).items()),
        key=lambda c: (-len(c[0]), len(c[1]) == len(c[2]), len(c[1]) + len(c[2]), c[1]),
    )
    taken = bytearray(len(left)), bytearray(len(right))
    matches = []
    while rest:
        text, (start, *_), (place, *_) = rest[0]
        matches.append(Match(start, place, len(text)))
        for side, first in zip(taken, (start, place), strict=True):
            side[first : first + len(text)] = b"\1" * len(text)
        rest = [
            (text, starts, places)
            for text, *both in rest
            if (starts := _free(taken[0], both[0], len(text))) and (places := _free(taken[1], both[1], len(text)))
        ]
    return sorted(matches)


def _free(taken: bytearray, starts: list[int], size: int) -> list[int]:
    return [start for start in starts if taken.find(1, start, start + size) < 0]


def _common(left: str, right: str, least: int) -> dict[str, tuple[list[int], list[int]]]:
    """Return the common substrings and where they start: of whole words, or of a word and what stands around it.

    Those of words may be shorter than `least` at the beginning or the end of both texts. What is found both ways has
    the places of the second.
    """
    of_words = _of_tokens(_words(left), _words(right), least, has_ends=True)
    return of_words | _of_tokens([*_characters(left, 1)], [*_characters(right, -1)], least, has_ends=False)


# A token with its place in the text, and whether a match may start there.
_Tokens = Sequence[tuple[str | int, int, bool]]


def _words(text: str) -> _Tokens:
    words = [word for word in re.split(r"(\W)", text) if word]
    places = accumulate(map(len, words), initial=0)
    return [(word, place, True) for word, place in zip(words, places, strict=False)]


def _characters(text: str, sign: int) -> Iterator[tuple[str | int, int, bool]]:
    """Yield the characters of each word with those before and behind it; a number that no other text has between."""
    parts = re.split(r"(\w+)", text)
    parts = ["", *parts, ""] if len(parts) == 1 else parts
    places = [*accumulate(map(len, parts), initial=0)]
    for i in range(0, len(parts) - 2, 2):
        if i:
            yield sign * i, -1, False
        for j in range(i, i + 3):
            for place, character in enumerate(parts[j], places[j]):
                yield character, place, j < i + 2


def _of_tokens(left: _Tokens, right: _Tokens, least: int, *, has_ends: bool) -> dict[str, tuple[list[int], list[int]]]:
    """Return the common runs of tokens, as texts with their places on both sides."""
    found: dict[str, tuple[list[int], list[int]]] = {}
    todo = [([i for i, token in enumerate(left) if token[2]], [j for j, token in enumerate(right) if token[2]], 0)]
    while todo:
        starts, others, n = todo.pop()
        by_next, by_other = _by_next(left, starts, n), _by_next(right, others, n)
        for token, own in by_next.items():
            theirs = by_other.get(token)
            if theirs is None:
                continue
            todo.append((own, theirs, n + 1))
            text = "".join(str(token) for token, *_ in left[own[0] : own[0] + n + 1])
            if len(text) < least:
                if not has_ends:
                    continue
                if own[0] == theirs[0] == 0:
                    own, theirs = own[:1], theirs[:1]
                elif own[-1] + n + 1 == len(left) and theirs[-1] + n + 1 == len(right):
                    own, theirs = own[-1:], theirs[-1:]
                else:
                    continue
            found[text] = [left[i][1] for i in own], [right[j][1] for j in theirs]
    return found


def _by_next(tokens: _Tokens, starts: list[int], n: int) -> dict[str | int, list[int]]:
    """Return the starts of runs by their token n behind the first."""
    found: dict[str | int, list[int]] = {}
    for start in starts:
        if start + n < len(tokens):
            found.setdefault(tokens[start + n][0], []).append(start)
    return found


def _in_order(matches: list[Match]) -> set[Match]:
    """Return the matches that `difflib` finds in the same order on both sides.

    The longest run, in characters, that both sides have without another match between is taken, the first of equals;
    then those before it on both sides, and those behind.
    """
    by_place = sorted(range(len(matches)), key=lambda i: matches[i].place)
    rank = {i: k for k, i in enumerate(by_place)}
    kept: set[Match] = set()
    todo = [(0, len(matches), 0, len(matches))]
    while todo:
        first, last, low, high = todo.pop()
        runs: list[range] = []
        for i in range(first, last):
            if not low <= rank[i] < high:
                continue
            if runs and runs[-1].stop == i and rank[i] == rank[i - 1] + 1:
                runs[-1] = range(runs[-1].start, i + 1)
            else:
                runs.append(range(i, i + 1))
        if runs:
            best = max(runs, key=lambda run: sum(matches[i].size for i in run))
            kept.update(matches[i] for i in best)
            todo += [(first, best.start, low, rank[best.start]), (best.stop, last, rank[best[-1]] + 1, high)]
    return kept


def _distance(shift: Match, kept: set[Match]) -> int:
    """Return over how many characters of the prediction a match was shifted: to the farthest match that it crosses."""
    crossed = sorted(match for match in kept if (match.start < shift.start) == (match.place > shift.place))
    if crossed[0].start < shift.start:
        return shift.start - crossed[0].start
    last = crossed[-1]
    return abs(last.start + last.size - shift.start - shift.size)


class CharcutMetric(Metric):
    """CharCut (Lardilleux and Lepage 2017)."""

    name = "charcut_mt"
    options_type = CharcutOptions
    about = About("CharCut", lambda _: _EXPLANATION, unit="character")
    scores = Scores(Score("charcut_mt", higher_is_better=False, perfect=0.0))
    options: CharcutOptions

    def counted_by(self) -> PairCounter:
        """Return the counter."""
        return PairCounter(Layout([Field("cost"), Field("characters")]), self._costs)

    def _costs(self, prediction: str, reference: str) -> tuple[int, int]:
        """Return the characters that do not match, or are shifted, and by how many they are divided."""
        prediction, reference = prediction.strip(), reference.strip()
        matches, shifts = compared(prediction, reference, self.options.match_size)
        n, n_shifted = len(prediction) + len(reference), sum(shift.size for shift in shifts)
        cost = n - 2 * sum(match.size for match in matches) - n_shifted
        n = 2 * len(prediction) if self.options.alt_norm else n
        return min(cost, n), n

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Divide the cost by the characters; without any, 0."""
        score = ratio(rows["cost"], rows["characters"])
        return {"charcut_mt": score if rows.values.ndim > 1 else score.item()}

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return the score as a table."""
        line = Line("CharCut", (result[self.name],), self.name, is_headline=True)
        least = quantity(self.options.match_size, "character")
        return Summary(self.about.title, ("score",), [line], [f"matches of at least {least}; lower is better"])


class CharcutMt(Accumulator, metric=CharcutMetric):
    """CharCut, batch by batch: an accumulator that stores two integers per segment, never text. Lower is better.

    `statistics` has the fields ``cost`` and ``characters``: int64.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}

    Examples
    --------
    >>> CharcutMt().update(["sat the cat"], ["the cat sat"]).score()
    {'charcut_mt': 0.22727272727272727}
    """


_EXPLANATION: Explanation = Explanation(
    "CharCut",
    "How many characters would someone have to mark as wrong?",
    (
        "The longest parts that both texts have match first, down to three characters, within words as well.",
        "Matches at another place than most are shifts, if they did not go too far.",
        "The score is the share of all characters, of both texts, that do not match, plus the shifted ones counted "
        "once. Counts are summed over all segments first. Lower is better.",
    ),
    "A part of three letters can match by chance, within quite different words.",
)
charcut_mt = one_call(CharcutMt)
