"""Weighted longest common subsequences by the full table (Lin 2004, section 4), and ROUGE-1.5.5's union of them."""

from collections import Counter


def table(ref, hyp, weight):
    score = [[0.0] * (len(hyp) + 1) for _ in range(len(ref) + 1)]
    run = [[0] * (len(hyp) + 1) for _ in range(len(ref) + 1)]
    for i, r in enumerate(ref, 1):
        for j, h in enumerate(hyp, 1):
            if r == h:
                k = run[i - 1][j - 1]
                score[i][j] = score[i - 1][j - 1] + (k + 1) ** weight - k**weight
                run[i][j] = k + 1
            else:
                score[i][j] = max(score[i - 1][j], score[i][j - 1])
    return score


def wlcs(ref, hyp, weight):
    return table(ref, hyp, weight)[-1][-1]


def marks(ref, hyp, weight):
    score, i, j, found = table(ref, hyp, weight), len(ref), len(hyp), set()
    while i and j:
        if ref[i - 1] == hyp[j - 1]:
            i, j = i - 1, j - 1
            found.add(i)
        elif score[i - 1][j] >= score[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found


def union_hits(refs, hyps, weight, ref_words=None, hyp_words=None):
    """The script's walk: a run ends at a counted mark before an unmarked position or the end of its sentence."""
    left = Counter(ref_words if ref_words is not None else sum(refs, []))
    right = Counter(hyp_words if hyp_words is not None else sum(hyps, []))
    hits = 0.0
    for ref in refs:
        marked = set().union(*(marks(ref, hyp, weight) for hyp in hyps))
        run = 0
        for i in sorted(marked):
            if left[ref[i]] > 0 and right[ref[i]] > 0:
                left[ref[i]] -= 1
                right[ref[i]] -= 1
                run += 1
                if i + 1 not in marked:
                    hits += run**weight
                    run = 0
    return hits
