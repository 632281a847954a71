"""CharCut of texts."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
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
    with the lowest score counts. Time grows with the square of the length of a text that repeats itself, else little
    more than with the length.

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
    candidates = _common(left, right, least)
    heapify(candidates)
    taken = bytearray(len(left)), bytearray(len(right))
    matches = []
    while candidates:
        one = candidates[0]
        places = _first_free(taken[0], one.starts, one.size), _first_free(taken[1], one.places, one.size)
        if min(places) >= 0:
            matches.append(Match(*places, one.size))
            for side, first in zip(taken, places, strict=True):
                side[first : first + one.size] = b"\1" * one.size
            continue
        most = min(_most_free(taken[0], one.starts), _most_free(taken[1], one.places))
        heappop(candidates)
        if (shorter := one.run.longest(most)) is not None:
            heappush(candidates, shorter)
    return sorted(matches)


def _first_free(taken: bytearray, starts: list[int], size: int) -> int:
    return next((start for start in starts if taken.find(1, start, start + size) < 0), -1)


def _most_free(taken: bytearray, starts: list[int]) -> int:
    """Return the most characters that are free behind one of the starts."""
    ends = ((taken.find(1, start), start) for start in starts)
    return max((end if end >= 0 else len(taken)) - start for end, start in ends)


class _Candidate(NamedTuple):
    """Equal substrings, in the order in which they match."""

    minus_size: int
    is_equally_often: bool
    how_often: int
    starts: list[int]
    places: list[int]
    run: _Run

    @property
    def size(self) -> int:
        """The number of characters."""
        return -self.minus_size


class _Run:
    """Common runs of tokens that go on alike wherever they occur, so that a longer one is as frequent as a shorter one.

    A text of n words and its copy have n (n + 1) / 2 common substrings, but n of these.
    """

    def __init__(self, sides: _Places, ends: list[int], first: int, last: int, known: _Windows | None) -> None:
        """Take the places on both sides, and where a run may end on the left: at ``ends[first:last]``."""
        self._sides, self._ends, self._first, self._last, self._known = sides, ends, first, last, known

    def longest(self, most: int) -> _Candidate | None:
        """Return the longest with at most so many characters; without those that are `known` with other places."""
        starts, places = self._sides
        at = bisect_right(self._ends, starts[0] + most, self._first, self._last)
        while at > self._first:
            at -= 1
            size = self._ends[at] - starts[0]
            if self._known is None or not self._known.have(starts[0], size):
                return _Candidate(-size, len(starts) == len(places), len(starts) + len(places), starts, places, self)
        return None


def _common(left: str, right: str, least: int) -> list[_Candidate]:
    """Return the common substrings, of each run the longest: of whole words, or of a word and what stands around it.

    Those of words may be shorter than `least` at the beginning or the end of both texts. What is found both ways has
    the places of the second.
    """
    words, characters = (_words(left), _words(right)), ([*_characters(left, 1)], [*_characters(right, -1)])
    runs = [*_of_tokens(*words, least, _Windows(left, right, least)), *_of_tokens(*characters, least, None)]
    return [one for one in (run.longest(len(left)) for run in runs) if one is not None]


class _Windows:
    """The words of two texts, each with what stands around it."""

    def __init__(self, left: str, right: str, least: int) -> None:
        """Cut both."""
        self._sides = [{*_around(_parts(text))} for text in (left, right)]
        self._text, self._least = left, least
        self._most = min(max(len(text) for text, _ in side) for side in self._sides)

    def have(self, start: int, size: int) -> bool:
        """Return whether `_characters` of both texts have a part of the left one in common."""
        if not self._least <= size <= self._most:
            return False
        part = self._text[start : start + size]
        return all(any(-1 < window.find(part) < limit for window, limit in side) for side in self._sides)


def _parts(text: str) -> list[str]:
    """Return words, and what stands before, between and behind them."""
    parts = re.split(r"(\w+)", text)
    return ["", *parts, ""] if len(parts) == 1 else parts


def _around(parts: list[str]) -> Iterator[tuple[str, int]]:
    """Yield every word with what is around it, and where the last match may start."""
    for i in range(0, len(parts) - 2, 2):
        yield "".join(parts[i : i + 3]), len(parts[i]) + len(parts[i + 1])


# A token with its place in the text, and whether a match may start there.
_Tokens = Sequence[tuple[str | int, int, bool]]


def _words(text: str) -> _Tokens:
    words = [word for word in re.split(r"(\W)", text) if word]
    places = accumulate(map(len, words), initial=0)
    return [(word, place, True) for word, place in zip(words, places, strict=False)]


def _characters(text: str, sign: int) -> Iterator[tuple[str | int, int, bool]]:
    """Yield the characters of each word with those before and behind it; a number that no other text has between."""
    parts = _parts(text)
    places = [*accumulate(map(len, parts), initial=0)]
    for i, (window, limit) in zip(range(0, len(parts), 2), _around(parts), strict=False):
        if i:
            yield sign * i, -1, False
        for at, character in enumerate(window):
            yield character, places[i] + at, at < limit


# Where equal substrings start in both texts.
_Places = tuple[list[int], list[int]]


def _of_tokens(left: _Tokens, right: _Tokens, least: int, known: _Windows | None) -> Iterator[_Run]:
    """Yield the common runs of tokens; of words, which have `known` ones, the short ones at the same end of both."""
    tokens, others = [token for token, *_ in left], [token for token, *_ in right]
    ends = [place + len(str(token)) for token, place, _ in left]
    todo = [([i for i, token in enumerate(left) if token[2]], [j for j, token in enumerate(right) if token[2]], 0)]
    while todo:
        starts, places, n = todo.pop()
        by_next, by_other = _by_next(tokens, starts, n), _by_next(others, places, n)
        for token, own in by_next.items():
            theirs = by_other.get(token)
            if theirs is None:
                continue
            end = min(len(left) - own[-1], len(right) - theirs[-1])
            for text, i in (*((tokens, i) for i in own[1:]), *((others, j) for j in theirs)):
                end = _alike_until(tokens, own[0], text, i, n + 1, end)
            todo.append((own, theirs, end))
            first = own[0]
            long = bisect_left(ends, left[first][1] + least, first + n, first + end)
            for k in range(first + n, long if known else 0):
                size = k + 1 - first
                if own[0] == theirs[0] == 0:
                    yield _Run(([0], [0]), ends, k, k + 1, known)
                elif own[-1] + size == len(left) and theirs[-1] + size == len(right):
                    at = own[-1] + size - 1
                    yield _Run(([left[own[-1]][1]], [right[theirs[-1]][1]]), ends, at, at + 1, known)
            if long < first + end:
                yield _Run(([left[i][1] for i in own], [right[j][1] for j in theirs]), ends, long, first + end, known)


# How many tokens are compared at once.
_STRIDE = 256


def _alike_until(left: list[str | int], i: int, right: list[str | int], j: int, n: int, most: int) -> int:
    """Return how many tokens behind two places are alike, which n are, but at most so many."""
    while n < most and left[i + n : i + n + _STRIDE] == right[j + n : j + n + _STRIDE]:
        n += _STRIDE
    while n < most and left[i + n] == right[j + n]:
        n += 1
    return min(n, most)


def _by_next(tokens: list[str | int], starts: list[int], n: int) -> dict[str | int, list[int]]:
    """Return the starts of runs by their token n behind the first."""
    found: dict[str | int, list[int]] = {}
    for start in starts:
        if start + n < len(tokens):
            found.setdefault(tokens[start + n], []).append(start)
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
