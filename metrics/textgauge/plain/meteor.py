"""METEOR: the alignment of nltk (Banerjee and Lavie 2005) and that of METEOR 1.5 (Denkowski and Lavie 2014).

Texts come as words by number. `words` is what is known of each word, six arrays: stems (equal numbers are equal
stems; for nltk numbers of words), offsets into the next array, what it is related to (METEOR 1.5: synsets; nltk:
its synonyms, by number), whether it is a function word, its length, its number in the table of paraphrases or
`NO_WORD`. `table` has the phrases as a tree, four arrays: the last word of a phrase, where its children begin, where
its paraphrases begin, the paraphrases; node 0 is the empty phrase, and children stand together, by ascending word.
"""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

from .integers import Integers

NO_WORD = 0xFFFFFFFF
EXACT, STEM, SYNONYM, PARAPHRASE = range(4)


class MatchedRun(NamedTuple):
    """A run of `n` words of the reference from `at` that matches `n_own` words of the hypothesis from `own`."""

    at: int
    n: int
    own: int
    n_own: int
    matcher: int


class _Path(NamedTuple):
    """A way from left to right over the reference."""

    credit: int
    chunks: int
    distance: int
    own_used: int  # bits
    used: int
    end: int  # behind the last match
    own_end: int
    matches: tuple[MatchedRun, ...]

    def taking(self, match: MatchedRun, distance: int) -> _Path:
        """Return the path that goes on with a match."""
        # Half credits are cut to whole numbers, on each side: one word by stem, synonym or paraphrase is worth nothing.
        whole = match.matcher == EXACT
        credit = match.n + match.n_own if whole else match.n // 2 + match.n_own // 2
        is_new = (self.end, self.own_end) != (match.at, match.own)
        return _Path(
            self.credit + credit, self.chunks + is_new, distance,
            self.own_used | _bits(match.own, match.n_own), self.used | _bits(match.at, match.n),
            match.at + match.n, match.own + match.n_own, (*self.matches, match),
        )  # fmt: skip


def meteor15_rows(
    ids: Integers,
    offsets: Integers,
    hypotheses: Integers,
    references: Integers,
    words: tuple[Any, ...],
    table: tuple[Any, ...],
    matchers: int,
    beam_size: int,
    n_threads: int = 1,
) -> list[list[int]]:
    """Align pairs as METEOR 1.5 does, and count.

    Parameters
    ----------
    ids : uint32, shape (n_tokens,)
        The words of all texts.
    offsets : int64, shape (n_texts + 1,)
    hypotheses, references : int64, shape (n_pairs,)
        The texts of every pair.
    words, table : tuples of arrays
        See above.
    matchers : int
        The bits of those that match: 1 exact, 2 stem, 4 synonym, 8 paraphrase.
    beam_size : int
        How many paths go on behind every word of the reference.

    Returns
    -------
    int64, shape (n_pairs, 23)
        Words of the hypothesis, of the reference, function words of both; for every matcher the matched content words
        of both, then the matched function words of both; chunks; matched words of both. All but the last three are in
        the unit of `lengths`. Chunks are 0 where both texts match as one. Additive.

    References
    ----------
    Denkowski and Lavie (2014), Meteor Universal, section 3; Denkowski and Lavie (2011), Meteor 1.3, section 2.
    """
    rows = []
    for hypothesis, reference in _pairs(ids, offsets, hypotheses, references):
        alignment = _aligned(hypothesis, reference, words, table, matchers, beam_size)
        rows.append(_counts(hypothesis, reference, words, alignment))
    return rows


def meteor15_matches(
    ids: Integers,
    offsets: Integers,
    hypotheses: Integers,
    references: Integers,
    words: tuple[Any, ...],
    table: tuple[Any, ...],
    matchers: int,
    beam_size: int,
) -> list[list[int]]:
    """Return the alignment of one pair: place and length in the reference, in the hypothesis, and the matcher."""
    [(hypothesis, reference)] = _pairs(ids, offsets, hypotheses, references)
    return [list(match) for match in _aligned(hypothesis, reference, words, table, matchers, beam_size)]


def meteor_rows(
    ids: Integers,
    offsets: Integers,
    hypotheses: Integers,
    references: Integers,
    words: tuple[Any, ...],
    n_threads: int = 1,
) -> list[list[int]]:
    """Align pairs as nltk does; return matches, chunks, words of the hypothesis and of the reference for each."""
    rows = []
    for hypothesis, reference in _pairs(ids, offsets, hypotheses, references):
        matches = _aligned_greedily(hypothesis, reference, words)
        ends = [(-1, -1), *((match.at + 1, match.own + 1) for match in matches)]
        chunks = sum(end != (match.at, match.own) for end, match in zip(ends, matches, strict=False))
        rows.append([len(matches), chunks, len(hypothesis), len(reference)])
    return rows


def meteor_matches(
    ids: Integers, offsets: Integers, hypotheses: Integers, references: Integers, words: tuple[Any, ...]
) -> list[list[int]]:
    """Return the alignment of one pair as nltk has it, by place in the hypothesis; see `meteor15_matches`."""
    [(hypothesis, reference)] = _pairs(ids, offsets, hypotheses, references)
    return [list(match) for match in _aligned_greedily(hypothesis, reference, words)]


def paraphrase_table(text: bytes) -> tuple[bytes, list[int], list[int], list[int], list[int]]:
    r"""Read the table of METEOR 1.5: lines of a probability, a phrase, and its paraphrase.

    Returns
    -------
    (vocabulary, words, first, offsets, entries)
        The words, a line each; then `table` as above.

    Examples
    --------
    >>> paraphrase_table(b"0.1\nthe car\nauto\n0.2\nauto\nthe car\n")
    (b'the\ncar\nauto\n', [0, 0, 2, 1], [1, 3, 4, 4, 4], [0, 0, 0, 1, 2], [3, 2])
    """
    ids: dict[bytes, int] = {}
    children: list[dict[int, int]] = [{}]

    def node_of(line: bytes) -> int:
        node = 0
        for word in filter(None, line.removesuffix(b"\r").split(b" ")):
            number = ids.setdefault(word, len(ids))
            if number not in children[node]:
                children[node][number] = len(children)
                children.append({})
            node = children[node][number]
        return node

    lines = text.removesuffix(b"\n").split(b"\n") if text else []
    for at in range(0, len(lines), 3):
        if not re.fullmatch(rb"[0-9.eE+-]+", lines[at].removesuffix(b"\r")):
            raise ValueError(f"line {at + 1}: expected a number")
    pairs = [(node_of(a), node_of(b)) for a, b in zip(lines[1::3], lines[2::3], strict=False)]
    pairs = [pair for pair in pairs if all(pair)]
    # Breadth first, so that the children of a node stand together.
    order, last, first = [0], [0], [1]
    for node in order:
        found = sorted(children[node].items())
        order += [child for _, child in found]
        last += [word for word, _ in found]
        first.append(first[-1] + len(found))
    place = {node: at for at, node in enumerate(order)}
    entries: list[list[int]] = [[] for _ in order]
    for phrase, paraphrase in pairs:
        entries[place[phrase]].append(place[paraphrase])
    offsets = [0]
    for own in entries:
        offsets.append(offsets[-1] + len(own))
    vocabulary = b"".join(word + b"\n" for word in ids)
    return vocabulary, last, first, offsets, [node for own in entries for node in own]


def _pairs(
    ids: Integers, offsets: Integers, hypotheses: Integers, references: Integers
) -> Iterator[tuple[list[int], list[int]]]:
    texts = [[int(word) for word in ids[int(i) : int(j)]] for i, j in zip(offsets, offsets[1:], strict=False)]
    for i, j in zip(hypotheses, references, strict=True):
        yield texts[int(i)], texts[int(j)]


def _bits(start: int, n: int) -> int:
    return ((1 << n) - 1) << start


def _aligned(
    hypothesis: Sequence[int],
    reference: Sequence[int],
    words: tuple[Any, ...],
    table: tuple[Any, ...],
    matchers: int,
    beam_size: int,
) -> tuple[MatchedRun, ...]:
    matches = _matches(hypothesis, reference, words, table, matchers)
    own_cover, cover = [0] * len(hypothesis), [0] * len(reference)
    for match in (match for found in matches for match in found):
        for i in range(match.own, match.own + match.n_own):
            own_cover[i] += 1
        for j in range(match.at, match.at + match.n):
            cover[j] += 1

    def is_alone(match: MatchedRun) -> bool:
        runs = own_cover[match.own : match.own + match.n_own] + cover[match.at : match.at + match.n]
        return all(n == 1 for n in runs)

    # Matches that overlap no other are fixed.
    fixed = {match.at: match for found in matches for match in found if is_alone(match)}
    own_used = sum(_bits(match.own, match.n_own) for match in fixed.values())
    used = sum(_bits(match.at, match.n) for match in fixed.values())
    paths = [_Path(0, 0, 0, own_used, used, -1, -1, ())]
    for j, found in enumerate(matches):
        further: list[_Path] = []
        for path in paths:
            if j in fixed:
                further.append(path.taking(fixed[j], path.distance))
            elif path.used >> j & 1:
                further.append(path)
            else:
                # As in the tool, the distance of a match is that of the paths that go on without it.
                distance = path.distance
                for match in found:
                    if path.own_used & _bits(match.own, match.n_own) or path.used & _bits(match.at, match.n):
                        continue
                    further.append(path.taking(match, distance))
                    distance += abs(match.own - match.at)
                further.append(path._replace(distance=distance))

        # A chunk counts when it ends.
        def merit(path: _Path, end: int = j + 1) -> tuple[int, int, int]:
            return -path.credit, path.chunks - (path.end >= end), path.distance

        paths = sorted(further, key=merit)[:beam_size]
    # Behind the reference all chunks have ended; of equal paths the first counts.
    return min(paths, key=lambda path: (-path.credit, path.chunks, path.distance)).matches


def _matches(
    hypothesis: Sequence[int],
    reference: Sequence[int],
    words: tuple[Any, ...],
    table: tuple[Any, ...],
    matchers: int,
) -> list[list[MatchedRun]]:
    """Return all matches by place in the reference, in the order in which the beam tries them."""
    stems, starts, related = words[:3]
    synsets = [{int(x) for x in related[starts[i] : starts[i + 1]]} for i in range(len(stems))]
    found: list[list[MatchedRun]] = [[] for _ in reference]
    alike: dict[int, Callable[[int, int], bool]] = {
        EXACT: lambda a, b: a == b,
        STEM: lambda a, b: a != b and stems[a] == stems[b],
        SYNONYM: lambda a, b: a != b and not synsets[a].isdisjoint(synsets[b]),
    }
    # Of two equal texts only equal words match.
    asked = [m for m in range(4) if matchers >> m & 1 and (m == EXACT or hypothesis != reference)]
    for matcher in asked:
        if matcher < PARAPHRASE:
            for j, b in enumerate(reference):
                found[j] += [MatchedRun(j, 1, i, 1, matcher) for i, a in enumerate(hypothesis) if alike[matcher](a, b)]
    if PARAPHRASE in asked:
        phrases, own_phrases = (_phrases(text, words[5], table) for text in (reference, hypothesis))
        # A pair that the table has in both directions matches twice, so that it is never alone.
        for node, j, n in phrases:
            for paraphrase in _entries(table, node):
                found[j] += [MatchedRun(j, n, i, k, PARAPHRASE) for own, i, k in own_phrases if own == paraphrase]
        for own, i, k in own_phrases:
            for paraphrase in _entries(table, own):
                for node, j, n in phrases:
                    if node == paraphrase:
                        found[j].append(MatchedRun(j, n, i, k, PARAPHRASE))
    return found


def _phrases(text: Sequence[int], numbers: Any, table: tuple[Any, ...]) -> list[tuple[int, int, int]]:
    """Return the phrases of a text that the table has: node, place, length."""
    found = []
    for at in range(len(text)):
        node = 0
        for n, word in enumerate(text[at:], 1):
            node = _child(table, node, int(numbers[word]))
            if not node:
                break
            found.append((node, at, n))
    return found


def _child(table: tuple[Any, ...], node: int, word: int) -> int:
    last, first = table[:2]
    if word == NO_WORD or node + 1 >= len(first):
        return 0
    low, high = int(first[node]), int(first[node + 1])
    at = bisect_left(last, word, low, high)
    return at if at < high and last[at] == word else 0


def _entries(table: tuple[Any, ...], node: int) -> list[int]:
    offsets, entries = table[2:]
    return [int(one) for one in entries[int(offsets[node]) : int(offsets[node + 1])]]


def _counts(
    hypothesis: Sequence[int], reference: Sequence[int], words: tuple[Any, ...], alignment: Sequence[MatchedRun]
) -> list[int]:
    functions, lengths = words[3:5]
    counts = [0] * 23
    for side, text in enumerate((hypothesis, reference)):
        counts[side] = sum(int(lengths[word]) for word in text)
        counts[2 + side] = sum(int(lengths[word]) for word in text if functions[word])
    end = (-1, -1)
    for match in alignment:
        runs = (hypothesis[match.own : match.own + match.n_own], reference[match.at : match.at + match.n])
        for side, run in enumerate(runs):
            for word in run:
                counts[4 + 4 * match.matcher + side + 2 * bool(functions[word])] += int(lengths[word])
            counts[21 + side] += len(run)
        counts[20] += end != (match.at, match.own)
        end = (match.at + match.n, match.own + match.n_own)
    if counts[20:] == [1, len(hypothesis), len(reference)]:
        counts[20] = 0
    return counts


def _aligned_greedily(hypothesis: Sequence[int], reference: Sequence[int], words: tuple[Any, ...]) -> list[MatchedRun]:
    stems, starts, related = words[:3]

    def synonyms(word: int) -> set[int]:
        return {int(x) for x in related[starts[word] : starts[word + 1]]}

    # What is left after the second stage stays stemmed, so synonyms are those of the stem.
    alike: tuple[Callable[[int, int], bool], ...] = (
        lambda a, b: a == b,
        lambda a, b: stems[a] == stems[b],
        lambda a, b: int(stems[b]) in synonyms(int(stems[a])),
    )
    own_left, left = list(range(len(hypothesis))), list(range(len(reference)))
    matches = []
    for matcher, are_alike in zip(count(), alike, strict=False):
        for i in own_left[::-1]:
            for j in left[::-1]:
                if are_alike(hypothesis[i], reference[j]):
                    matches.append(MatchedRun(j, 1, i, 1, matcher))
                    own_left.remove(i)
                    left.remove(j)
                    break
    return sorted(matches, key=lambda match: match.own)
