"""Naive definitions: whole tables, lists of all pairs."""

from collections import Counter
from itertools import chain, combinations


def ngrams(tokens, n):
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def clipped(hypothesis, references, n):
    """Papineni et al. (2002), section 2.1."""
    most = Counter()
    for reference in references:
        most |= ngrams(reference, n)
    return sum((ngrams(hypothesis, n) & most).values())


def matched_orders(hypothesis, references, orders):
    """Highest matched order of every token, and whether a match contains the next one; hypothesis first."""
    texts = [hypothesis, *references]
    marks = [([0] * len(text), [0] * len(text)) for text in texts]
    for n in range(1, orders + 1):
        counts = [ngrams(text, n) for text in texts]
        most = Counter()
        for count in counts[1:]:
            most |= count
        for text, (order_of, joins), allowed in zip(texts, marks, [most] + [counts[0]] * len(references), strict=True):
            seen = Counter()
            for i in range(len(text) - n + 1):
                gram = tuple(text[i : i + n])
                if seen[gram] < allowed[gram]:
                    order_of[i : i + n] = [n] * n
                    joins[i : i + n - 1] = [1] * (n - 1)
                seen[gram] += 1
    return marks


def table(reference, hypothesis):
    """Lin (2004), section 3.1."""
    cells = [[0] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    for i, r in enumerate(reference, 1):
        for j, h in enumerate(hypothesis, 1):
            cells[i][j] = cells[i - 1][j - 1] + 1 if r == h else max(cells[i - 1][j], cells[i][j - 1])
    return cells


def lcs_length(reference, hypothesis):
    return table(reference, hypothesis)[-1][-1]


def lcs_path(hypothesis, reference):
    """Matches first; hypothesis tokens are dropped only if that loses nothing."""
    cells, i, j, path = table(reference, hypothesis), len(reference), len(hypothesis), []
    while i and j:
        if reference[i - 1] == hypothesis[j - 1]:
            i, j = i - 1, j - 1
            path.append([j, i])
        elif cells[i][j - 1] > cells[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return path[::-1]


def joined(lists):
    return list(chain.from_iterable(lists))


def union_hits(references, hypotheses, hypothesis_words=None, reference_words=None):
    """Union LCS of reference sentences with all hypothesis sentences, each token clipped on both sides."""
    marked = Counter(r[i] for r in references for i in {i for h in hypotheses for _, i in lcs_path(h, r)})
    words = (
        (joined(hypotheses), joined(references)) if hypothesis_words is None else (hypothesis_words, reference_words)
    )
    return sum((marked & Counter(words[0]) & Counter(words[1])).values())


def weighted_table(reference, hypothesis, weight):
    """Lin (2004), section 4."""
    score = [[0.0] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    run = [[0] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    for i, r in enumerate(reference, 1):
        for j, h in enumerate(hypothesis, 1):
            if r == h:
                k = run[i - 1][j - 1]
                score[i][j] = score[i - 1][j - 1] + (k + 1) ** weight - k**weight
                run[i][j] = k + 1
            else:
                score[i][j] = max(score[i - 1][j], score[i][j - 1])
    return score


def wlcs(reference, hypothesis, weight):
    return weighted_table(reference, hypothesis, weight)[-1][-1]


def weighted_marks(reference, hypothesis, weight):
    score, i, j, found = weighted_table(reference, hypothesis, weight), len(reference), len(hypothesis), set()
    while i and j:
        if reference[i - 1] == hypothesis[j - 1]:
            i, j = i - 1, j - 1
            found.add(i)
        elif score[i - 1][j] >= score[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found


def weighted_union_hits(references, hypotheses, weight, hypothesis_words=None, reference_words=None):
    """ROUGE-1.5.5's walk: a run ends at a counted mark before an unmarked position or the end of its sentence."""
    left = Counter(joined(hypotheses) if hypothesis_words is None else hypothesis_words)
    right = Counter(joined(references) if reference_words is None else reference_words)
    hits = 0.0
    for reference in references:
        marked = set().union(*(weighted_marks(reference, h, weight) for h in hypotheses))
        run = 0
        for i in sorted(marked):
            if left[reference[i]] > 0 and right[reference[i]] > 0:
                left[reference[i]] -= 1
                right[reference[i]] -= 1
                run += 1
                if i + 1 not in marked:
                    hits += run**weight
                    run = 0
    return hits


def skip_matches(hypothesis, reference, gap):
    """Lin (2004), section 5: all pairs in order with at most `gap` tokens between, any number if it is -1."""
    counts = []
    for tokens in (hypothesis, reference):
        pairs = combinations(range(len(tokens)), 2)
        counts.append(Counter((tokens[i], tokens[j]) for i, j in pairs if gap < 0 or j - i - 1 <= gap))
    return sum((counts[0] & counts[1]).values())
