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

import numpy as np

from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..arrays import IntArray, offsets_of
from ..checks import quantity
from ..explanation.alignment import Alignment, Match, MatchedSides, aligned_with_best, best_pairs_of, pairs_of
from ..explanation.derivation import Derivation, Step, figure
from ..explanation.explainer import Explainer
from ..explanation.marks import Marks
from ..input.columns import Corpus
from ..metric import About, Explanation, Field, Layout, Metric, Rows, Score, Scores
from ..options import Options, option
from ..sums import ratio


@dataclass(frozen=True)
class CharcutOptions(Options):
    """The share of the characters of both texts that do not match, or are at another place; 0 is best, 1 worst.

    White space at the ends of a text is dropped. Counts are summed over the segments; of several references, the one
    with the lowest score counts. Time grows little more than with the length of a text, even if that repeats itself.

    References: Lardilleux and Lepage (2017), CHARCUT: Human-Targeted Character-Based MT Evaluation with Loose
    Differences. The figures are those of charcut 1.1.1, in which a newline starts another segment.
    """

    match_size: int = option(
        3, "The fewest characters that match, but for words at the same end of both.", at_least=1, on_page=True
    )
    alt_norm: bool = option(False, "Divide by twice the characters of the prediction, not by those of both texts.")


class CommonSubstring(NamedTuple):
    """A substring that two texts have: where it starts in each of them, and its number of characters."""

    start: int
    place: int
    size: int


class CommonSubstrings(NamedTuple):
    """The substrings that two texts have: those in the same order in both, and those that are shifted."""

    matches: list[CommonSubstring]
    shifts: list[CommonSubstring]


def compared(prediction: str, reference: str, least: int) -> CommonSubstrings:
    """Compare two texts as `charcut` does.

    The longest common substrings match first, none across another; see `_common`. Those in the largest part with the
    same order on both sides stay, the others are shifts. A shift that goes farther than e to the number of its
    characters is none.

    Examples
    --------
    >>> matches, shifts = compared("sat the cat", "the cat sat", 3)
    >>> matches, shifts
    ([CommonSubstring(start=4, place=0, size=7)], [CommonSubstring(start=0, place=8, size=3)])
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
    return CommonSubstrings(matches, shifts)


def _greedy(left: str, right: str, least: int) -> list[CommonSubstring]:
    """Return the matches: of equally long ones, first those that occur unequally often, then the rarest, the first."""
    candidates = [run.longest(len(left)) for run in _common(left, right, least)]
    todo = [one for one in candidates if one is not None]
    heapify(todo)
    ours, theirs = _Side(left), _Side(right)
    matches = []
    while todo:
        size, run = -todo[0].minus_size, todo[0].run
        starts, places = run.places
        # Runs that are longer than anything that is free need no look at where they start.
        most = min(ours.largest, theirs.largest)
        if size <= most:
            most = min(ours.most_free(starts), theirs.most_free(places))
        if size <= most:
            matches.append(CommonSubstring(ours.take(starts, size), theirs.take(places, size), size))
            continue
        heappop(todo)
        if (shorter := run.longest(most)) is not None:
            heappush(todo, shorter)
    return sorted(matches)


class _Side:
    """A text, and which of its characters match nothing yet."""

    def __init__(self, text: str) -> None:
        self._taken = bytearray(len(text))
        # Of every place, how many characters are free from there on.
        self._free = np.arange(len(text), 0, -1)
        self.largest = len(text)

    def most_free(self, starts: IntArray) -> int:
        """Return the most characters that are free behind one of the starts."""
        if len(starts) >= _MANY:
            return int(self._free[starts].max())
        return max(self._free_from(start) for start in starts.tolist())

    def _free_from(self, start: int) -> int:
        end = self._taken.find(1, start)
        return (end if end >= 0 else len(self._taken)) - start

    def take(self, starts: IntArray, size: int) -> int:
        """Return the first start that has so many free characters, and take these."""
        if len(starts) >= _MANY:
            start = int(starts[self._free[starts] >= size].min())
        else:
            start = min(start for start in starts.tolist() if self._taken.find(1, start, start + size) < 0)
        self._taken[start : start + size] = b"\1" * size
        self._free[start : start + size] = 0
        first = self._taken.rfind(1, 0, start) + 1
        self._free[first:start] = np.arange(start - first, 0, -1)
        self.largest = int(self._free.max())
        return start


# From so many starts on arrays are faster than lists.
_MANY = 32


class _Candidate(NamedTuple):
    """Equal substrings, in the order in which they match: no two are equally long and start at the same place."""

    minus_size: int
    is_equally_often: bool
    how_often: int
    start: int
    run: _Run


class _Run:
    """Common runs of tokens that go on alike wherever they occur, so that a longer one is as frequent as a shorter one.

    A text of n words and its copy have n (n + 1) / 2 common substrings, but n of these.
    """

    def __init__(
        self, places: tuple[IntArray, IntArray], start: int, ends: list[int], first: int, last: int,
        known: _Windows | None,
    ) -> None:  # fmt: skip
        """Take the places on both sides, the first on the left, and where runs from there end: ``ends[first:last]``."""
        self.places, self._start = places, start
        self._ends, self._first, self._last, self._known = ends, first, last, known

    def longest(self, most: int) -> _Candidate | None:
        """Return the longest with at most so many characters; without those that are `known` with other places."""
        at = bisect_right(self._ends, self._start + most, self._first, self._last)
        n_left, n_right = map(len, self.places)
        while at > self._first:
            at -= 1
            size = self._ends[at] - self._start
            if self._known is None or not self._known.have(self._start, size):
                return _Candidate(-size, n_left == n_right, n_left + n_right, self._start, self)
        return None


def _common(left: str, right: str, least: int) -> Iterator[_Run]:
    """Yield the common substrings, in runs: of whole words, or of a word and what stands around it.

    Those of words may be shorter than `least` at the beginning or the end of both texts. What is found both ways has
    the places of the second.
    """
    yield from _of_tokens(_words(left), _words(right), least, _Windows(left, right, least))
    yield from _of_tokens([*_characters(left, 1)], [*_characters(right, -1)], least, None)


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


def _of_tokens(left: _Tokens, right: _Tokens, least: int, known: _Windows | None) -> Iterator[_Run]:
    """Yield common runs of tokens; for words, also short runs that are a prefix or a suffix of both texts.

    Where the suffixes of both texts are sorted, those that begin alike stand together: an interval for every run.
    """
    n_left, end = len(left), (-1, 0, False)
    ids: dict[str | int | None, int] = {}
    # Each text has an end of its own, so that nothing is alike beyond it.
    numbers = [
        ids.setdefault(token, len(ids)) for token in (*(one[0] for one in left), None, *(one[0] for one in right))
    ]
    suffixes, alike = _suffixes(np.array([*numbers, len(ids)]))
    _, places, may_start = map(np.array, zip(*[(0, *one[1:]) for one in (*left, end, *right, end)], strict=True))
    kept = np.flatnonzero(may_start[suffixes])
    if len(kept) < 2:
        return
    starts = suffixes[kept]
    is_left = starts < n_left
    ours, theirs = (places[starts[is_side]] for is_side in (is_left, ~is_left))
    between = np.minimum.reduceat(alike[: kept[-1] + 1], kept[:-1] + 1)
    by_start = np.full(len(suffixes), -1)
    by_start[starts] = np.arange(len(starts))
    place_of: list[int] = by_start.tolist()
    ends = [place + len(str(token)) for token, place, _ in left]
    n_ours, n_theirs = (offsets_of(is_side).tolist() for is_side in (is_left, ~is_left))
    for low, high, n, n_alike, first in _intervals(between.tolist(), np.where(is_left, starts, len(suffixes)).tolist()):
        if n_ours[low] == n_ours[high] or n_theirs[low] == n_theirs[high]:
            continue
        long = bisect_left(ends, left[first][1] + least, first + n, first + n_alike)
        for k in range(first + n, long if known else 0):
            size = k + 1 - first
            for at, other in ((0, 0), (n_left - size, len(right) - size)):
                both = place_of[at], place_of[n_left + 1 + other]
                if low <= min(both) and max(both) < high:
                    one = np.array([left[at][1]]), np.array([right[other][1]])
                    yield _Run(one, left[at][1], ends, at + size - 1, at + size, known)
                    break
        if long < first + n_alike:
            found = ours[n_ours[low] : n_ours[high]], theirs[n_theirs[low] : n_theirs[high]]
            yield _Run(found, left[first][1], ends, long, first + n_alike, known)


def _suffixes(numbers: IntArray) -> tuple[IntArray, IntArray]:
    """Return the starts of all suffixes in their order, and how many numbers each has in common with the one before.

    The numbers are from 0 to that of their kinds, and the last one is there once. Manber and Myers (1993), Suffix
    arrays: a new method for on-line string searches: from the order by so many numbers follows that by twice as many.
    """
    n, width = len(numbers), 1
    ranks = [numbers]
    while ranks[-1].max() < n - 1:
        behind = np.zeros(n, np.int64)
        behind[:-width] = ranks[-1][width:] + 1
        keys = ranks[-1] * (n + 1) + behind
        order = np.argsort(keys, kind="stable")
        rank = np.zeros(n, np.int64)
        rank[order[1:]] = np.cumsum(np.diff(keys[order]) != 0)
        ranks.append(rank)
        width *= 2
    order = np.argsort(ranks[-1])
    alike = np.zeros(n, np.int64)
    for rank in reversed(ranks[:-1]):
        width //= 2
        alike[1:] += width * (rank[order[:-1] + alike[1:]] == rank[order[1:] + alike[1:]])
    return order, alike


def _intervals(alike: list[int], starts: list[int]) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield the intervals of sorted suffixes that begin alike, of which two neighbours have so many tokens in common.

    Of each its first suffix and its last, exclusive; how many tokens these have in common with others as well, and
    how many only with each other; the least of their starts.
    """
    # Intervals that are still open: their first suffix, what they have in common, the least start so far.
    todo = [(0, 0, starts[0])]
    first, n_open, least = todo[0]
    for last, n in enumerate([*alike, 0], 1):
        at, start = last - 1, starts[last - 1]
        while n_open > n:
            at, start = first, start if start < least else least
            todo.pop()
            n_alike, (first, n_open, least) = n_open, todo[-1]
            yield at, last, n if n > n_open else n_open, n_alike, start
        if n_open < n:
            todo.append((at, n, start))
        elif start < least:
            todo[-1] = (first, n_open, start)
        first, n_open, least = todo[-1]


def _in_order(matches: list[CommonSubstring]) -> set[CommonSubstring]:
    """Return the matches that `difflib` finds in the same order on both sides.

    The longest run, in characters, that both sides have without another match between is taken, the first of equals;
    then those before it on both sides, and those behind.
    """
    by_place = sorted(range(len(matches)), key=lambda i: matches[i].place)
    rank = {i: k for k, i in enumerate(by_place)}
    kept: set[CommonSubstring] = set()
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


def _distance(shift: CommonSubstring, kept: set[CommonSubstring]) -> int:
    """Return over how many characters of the prediction a match was shifted: to the farthest match that it crosses."""
    crossed = sorted(match for match in kept if (match.start < shift.start) == (match.place > shift.place))
    if crossed[0].start < shift.start:
        return shift.start - crossed[0].start
    last = crossed[-1]
    return abs(last.start + last.size - shift.start - shift.size)


class CharcutMtMetric(Metric):
    """CharCut (Lardilleux and Lepage 2017).

    `statistics` has the fields ``cost`` and ``characters``: int64.

    Examples
    --------
    >>> CharcutMt().update(["sat the cat"], ["the cat sat"]).score()
    {'charcut_mt': 0.22727272727272727}
    """

    name = "charcut_mt"
    options_type = CharcutOptions
    about = About("CharCut", lambda _: _EXPLANATION, unit="character")
    scores = Scores(Score("charcut_mt", higher_is_better=False, perfect=0.0))
    layout = Layout([Field("cost"), Field("characters")])
    options: CharcutOptions

    def count_pair(self, prediction: str, reference: str) -> tuple[int, int]:
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

    def below(self, result: Mapping[str, Any]) -> list[str]:  # noqa: ARG002
        """Return how long matches are at least."""
        return [f"matches of at least {quantity(self.options.match_size, 'character')}; lower is better"]


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
CharcutMt = accumulator_of(CharcutMtMetric)
charcut_mt = one_call(CharcutMt)


class CharcutExplainer(Explainer, metric=CharcutMtMetric):
    """Explains the scores of `CharcutMtMetric`."""

    metric: CharcutMtMetric

    def marks(self, key: str) -> Marks:
        """Mark what matches in the same order, and what was shifted; the rest is missing in the other text."""
        return Marks.of_common(
            "matches, in the same order", "matches in another place: a shift", lambda corpus: self._align(corpus, key),
            other_counts=True,
        )  # fmt: skip

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the parts of a segment that match, were shifted, or are in one text alone; then the share of these."""
        steps = []
        if segment is not None:
            [best] = best_pairs_of(self.metric, segment, key).tolist()
            prediction, reference = (text.strip() for text in pairs_of(segment).pairs()[best])
            found = self._compared(prediction, reference)
            parts = {
                "matches": [prediction[one.start : one.start + one.size] for one in found.matches],
                "shifts": [prediction[one.start : one.start + one.size] for one in found.shifts],
                "deleted": _rest(prediction, [(one.start, one.size) for side in found for one in side]),
                "inserted": _rest(reference, [(one.place, one.size) for side in found for one in side]),
            }
            for label, texts in parts.items():
                n = figure(sum(map(len, texts)))
                steps.append(Step(label, (n,), examples=(*texts,), meaning=_MEANINGS[label]))
        cost, n = figure(rows["cost"]), figure(rows["characters"])
        whose = "twice those of the prediction" if self.metric.options.alt_norm else "of both texts"
        steps += [
            Step("cost", (cost,), meaning="characters that are deleted, inserted or shifted"),
            Step("characters", (n,), meaning=whose),
        ]
        title, score = self.metric.about.title, float(self.metric.formula(rows)[key])
        formula = f"{cost} / {n}" if rows["characters"] else "there are no characters"
        return Derivation(title, (*steps, Step(title, formula=formula, value=score, meaning="lower is better")))

    def sizes(self, corpus: Corpus) -> tuple[IntArray, IntArray]:
        """Return the number of characters of every prediction and reference, without white space at their ends."""
        sides = corpus.hypotheses.tolist(), corpus.references.tolist()
        hypotheses, references = (np.array([len(text.strip()) for text in side], np.int64) for side in sides)
        return hypotheses, references

    def _compared(self, prediction: str, reference: str) -> CommonSubstrings:
        return compared(prediction, reference, self.metric.options.match_size)

    def _align(self, corpus: Corpus, key: str) -> list[Alignment]:
        """Match with the reference that the segment is scored with, character by character."""
        pairs = pairs_of(corpus)
        sides: MatchedSides = ([], [])
        for prediction, reference in pairs.pairs():
            found = self._compared(prediction.strip(), reference.strip())
            runs = [(one, is_kept) for is_kept, ones in ((True, found.matches), (False, found.shifts)) for one in ones]
            for side, text, starts in (
                (sides[0], prediction, [(one.start, one.size, is_kept) for one, is_kept in runs]),
                (sides[1], reference, [(one.place, one.size, is_kept) for one, is_kept in runs]),
            ):
                before = len(text) - len(text.lstrip())
                side.append([
                    Match(before + at, before + at + 1, 1, at + 1 < start + size, is_kept)
                    for start, size, is_kept in sorted(starts)
                    for at in range(start, start + size)
                ])  # fmt: skip
        return aligned_with_best(corpus, self.metric, key, sides)


_MEANINGS = {
    "matches": "parts of both texts, in the same order",
    "shifts": "parts of both texts, in another place",
    "deleted": "what the prediction alone has",
    "inserted": "what the reference alone has",
}


def _rest(text: str, spans: list[tuple[int, int]]) -> list[str]:
    """Return what is left of a text beside some spans."""
    rest, at = [], 0
    for start, size in [*sorted(spans), (len(text), 0)]:
        if start > at:
            rest.append(text[at:start])
        at = start + size
    return rest
