"""Translation edit rate: Snover et al. (2006), counted as in sacreBLEU, which follows Tercom."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor

from .integers import Integers, integers
from .tokens import Ids, Tokens

# Tercom's limits, and sacreBLEU's limit on the shifts tried per pair.
MAX_SHIFT_SIZE, MAX_SHIFT_DISTANCE, BEAM_WIDTH, MAX_CANDIDATES = 10, 50, 25, 1000
# The edits, as sacreBLEU writes them.
EQUAL, SUBSTITUTE, DELETE, INSERT = " ", "s", "d", "i"
_UNREACHED = 10**16
Shift = tuple[int, int, int]


def translation_edits(tokens: Tokens, n_threads: int = 1) -> list[list[float]]:
    """Count, per pair, the edits that turn the hypothesis into the reference.

    Edits are shifts, substitutions, insertions and deletions.

    Finding the fewest edits with shifts is NP-complete. Shifts are found greedily by Tercom's rules: the
    best shift is applied as long as one reduces the edit distance.

    Parameters
    ----------
    tokens : Tokens

    Returns
    -------
    float64, shape (n_pairs, 2)
        Edits, tokens of the reference, of which a mean over references is no whole number. Additive.

    References
    ----------
    Snover et al. (2006), A Study of Translation Edit Rate with Targeted Human Annotation, section 2;
    sacreBLEU, `lib_ter.py`.

    Examples
    --------
    >>> reference = "SAUDI ARABIA denied THIS WEEK information published in the AMERICAN new york times".split()
    >>> hypothesis = "THIS WEEK THE SAUDIS denied information published in the new york times".split()
    >>> number = {word: i for i, word in enumerate(dict.fromkeys(hypothesis + reference))}
    >>> ids = [number[word] for word in hypothesis + reference]
    >>> translation_edits(Tokens(ids, [0, len(hypothesis), len(ids)], [0, 2]))
    [[4.0, 13.0]]
    """
    rows = []
    for hypothesis, reference in tokens.pairs():
        shifts, path = edit_operations(hypothesis, reference)
        rows.append([float(len(shifts) + len(path) - path.count(EQUAL)), float(len(reference))])
    return rows


def edit_operations(hypothesis: Integers, reference: Integers) -> tuple[list[Shift], str]:
    """Return the shifts and other edits that `translation_edits` counts for one pair.

    Parameters
    ----------
    hypothesis, reference : uint32, shape (n_hypothesis_tokens,), (n_reference_tokens,)

    Returns
    -------
    shifts : list of (start, length, target)
        Each applies to the hypothesis after the shift before; see `shifted`.
    edits : str
        For the shifted hypothesis, from the left: " " equal tokens, "s" a substitution, "d" a deleted
        hypothesis token, "i" an inserted reference token.

    Examples
    --------
    >>> edit_operations([2, 3, 0, 1, 9], [0, 1, 2, 3, 4])
    ([(0, 2, 2)], '    s')
    """
    table = _Table(integers(hypothesis), integers(reference))
    shifts: list[Shift] = []
    n_tried = 0
    while table.reference:
        gain, shift, n_tried = _best_shift(table, n_tried)
        # sacreBLEU does not apply the shift at which it reaches the limit.
        if gain <= 0 or n_tried >= MAX_CANDIDATES:
            break
        shifts.append(shift)
        table.replace(shifted(table.hypothesis, shift))
    return shifts, table.edits()


def shifted(tokens: Ids, shift: Shift) -> Ids:
    """Move `length` tokens from `start` to before the token at `target`.

    A target inside or at the end of the moved tokens moves them by its distance from `start`, as in sacreBLEU.

    Examples
    --------
    >>> shifted([0, 1, 2, 3], (0, 1, 3)), shifted([0, 1, 2, 3], (2, 2, 1)), shifted([0, 1, 2, 3], (0, 2, 1))
    ([1, 2, 0, 3], [0, 2, 3, 1], [2, 0, 1, 3])
    """
    start, length, target = shift
    moved, rest = tokens[start : start + length], tokens[:start] + tokens[start + length :]
    place = target - length if target > start + length else target
    return rest[:place] + moved + rest[place:]


class _Table:
    """The table of edit distances of a hypothesis and a reference, computed near its diagonal.

    Attributes
    ----------
    hypothesis, reference : list of int
    rows : list of lists of int, shape (n_hypothesis_tokens + 1, n_reference_tokens + 1)
        The number of edits from the first i hypothesis tokens to the first j reference tokens.
    """

    def __init__(self, hypothesis: Ids, reference: Ids) -> None:
        self.hypothesis, self.reference = hypothesis, reference
        self._ratio = len(reference) / len(hypothesis) if hypothesis else 1.0
        # Wider if lengths differ much: else the beams of consecutive rows would not overlap.
        self._beam = BEAM_WIDTH if self._ratio / 2 <= BEAM_WIDTH else ceil(self._ratio / 2 + BEAM_WIDTH)
        self.rows = list(self._new_rows(hypothesis, [list(range(len(reference) + 1))]))

    def _new_rows(self, hypothesis: Ids, rows: list[list[int]]) -> list[list[int]]:
        """Return all rows for a hypothesis of the same length, whose first rows are given."""
        rows = rows.copy()
        for i in range(len(rows), len(hypothesis) + 1):
            rows.append(self._row(i, hypothesis[i - 1], rows[-1]))
        return rows

    def _row(self, i: int, token: int, above: list[int]) -> list[int]:
        n = len(self.reference) + 1
        diagonal = floor(i * self._ratio)
        low, high = max(0, diagonal - self._beam), min(n, diagonal + self._beam)
        if i == len(self.hypothesis):
            high = n
        row = [_UNREACHED] * low or [above[0] + 1]
        start = len(row)
        left = row[-1]
        columns = zip(self.reference[start - 1 : high - 1], above[start - 1 :], above[start:], strict=False)
        for other, corner, up in columns:
            if other != token:
                corner += 1
            least = up if up < left else left
            left = corner if corner <= least else least + 1
            row.append(left)
        return row + [_UNREACHED] * (n - len(row))

    def distance(self, hypothesis: Ids) -> int:
        """Return the edit distance of a hypothesis of the same length."""
        return self._from_difference(hypothesis)[-1][-1]

    def replace(self, hypothesis: Ids) -> None:
        """Replace the hypothesis by one of the same length."""
        self.rows = self._from_difference(hypothesis)
        self.hypothesis = hypothesis

    def _from_difference(self, hypothesis: Ids) -> list[list[int]]:
        n_known = 0
        while n_known < len(hypothesis) and hypothesis[n_known] == self.hypothesis[n_known]:
            n_known += 1
        return self._new_rows(hypothesis, self.rows[: n_known + 1])

    def edits(self) -> str:
        """Return the edits, traced from the end; ties prefer a match or substitution, then a deletion."""
        i, j = len(self.hypothesis), len(self.reference)
        edits = []
        while i or j:
            cost = self.rows[i][j]
            is_other = bool(i and j) and self.hypothesis[i - 1] != self.reference[j - 1]
            if i and j and self.rows[i - 1][j - 1] + is_other == cost:
                edits.append(SUBSTITUTE if is_other else EQUAL)
                i, j = i - 1, j - 1
            elif i and (j == 0 or self.rows[i - 1][j] + 1 == cost):
                edits.append(DELETE)
                i -= 1
            else:
                edits.append(INSERT)
                j -= 1
        return "".join(reversed(edits))


def _best_shift(table: _Table, n_tried: int) -> tuple[int, Shift, int]:
    """Return the number of edits that the best shift saves, the shift, and the number tried so far.

    Ties prefer the longest shift, then the earliest start, then the earliest target.
    """
    align, is_reference_wrong, is_hypothesis_wrong = _alignment(table.edits())
    before = table.rows[-1][-1]
    distances: dict[Shift, int] = {}
    best = (0, 0, 0, 0)
    for start, place, length in _equal_runs(table.hypothesis, table.reference):
        is_wrong = any(is_hypothesis_wrong[start : start + length]) and any(is_reference_wrong[place : place + length])
        if not is_wrong or start <= align[place] < start + length:
            continue
        # After the hypothesis tokens aligned with the token before the run, and with each token of the run.
        targets = [align[k] + 1 if k >= 0 else 0 for k in range(place - 1, place + length)]
        for k, target in enumerate(targets):
            if k and target == targets[k - 1]:
                continue
            shift = (start, length, target)
            if shift not in distances:
                distances[shift] = table.distance(shifted(table.hypothesis, shift))
            best = max(best, (before - distances[shift], length, -start, -target))
            n_tried += 1
        if n_tried >= MAX_CANDIDATES:
            break
    gain, length, start, target = best
    return gain, (-start, length, -target), n_tried


def _alignment(edits: str) -> tuple[list[int], list[bool], list[bool]]:
    """Return the last hypothesis token aligned up to every reference token, and which tokens of both are wrong."""
    align: list[int] = []
    is_reference_wrong: list[bool] = []
    is_hypothesis_wrong: list[bool] = []
    for edit in edits:
        if edit != INSERT:
            is_hypothesis_wrong.append(edit != EQUAL)
        if edit != DELETE:
            is_reference_wrong.append(edit != EQUAL)
            align.append(len(is_hypothesis_wrong) - 1)
    return align, is_reference_wrong, is_hypothesis_wrong


def _equal_runs(hypothesis: Ids, reference: Ids) -> Iterator[tuple[int, int, int]]:
    """Yield the starts of equal runs in both texts, within the distance limit, with every permitted length."""
    for start in range(len(hypothesis)):
        for place in range(max(0, start - MAX_SHIFT_DISTANCE), min(len(reference), start + MAX_SHIFT_DISTANCE + 1)):
            longest = min(MAX_SHIFT_SIZE, len(hypothesis) - start, len(reference) - place)
            for length in range(1, longest + 1):
                if hypothesis[start + length - 1] != reference[place + length - 1]:
                    break
                yield start, place, length
