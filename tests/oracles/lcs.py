"""Longest common subsequences by the full table (Lin 2004, sections 3.1 and 3.2)."""

from collections import Counter


def table(ref, hyp):
    cells = [[0] * (len(hyp) + 1) for _ in range(len(ref) + 1)]
    for i, r in enumerate(ref, 1):
        for j, h in enumerate(hyp, 1):
            cells[i][j] = cells[i - 1][j - 1] + 1 if r == h else max(cells[i - 1][j], cells[i][j - 1])
    return cells


def lcs_length(ref, hyp):
    return table(ref, hyp)[-1][-1]


def lcs_marks(ref, hyp):
    """Reference positions on one LCS: matches first, then hypothesis tokens are dropped only if that loses nothing."""
    cells, i, j, marks = table(ref, hyp), len(ref), len(hyp), set()
    while i and j:
        if ref[i - 1] == hyp[j - 1]:
            i, j = i - 1, j - 1
            marks.add(i)
        elif cells[i][j - 1] > cells[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return marks


def union_hits(refs, hyps):
    """Union LCS of reference sentences against all hypothesis sentences, each token clipped on both sides."""
    marked = Counter(ref[i] for ref in refs for i in set().union(*(lcs_marks(ref, hyp) for hyp in hyps)))
    return sum((marked & Counter(token for hyp in hyps for token in hyp)).values())
