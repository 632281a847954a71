"""Which tokens match, by counting from left to right; where tokens stand, character by character."""

from collections import Counter

from oracles.lcs import table


def matched_orders(hyp, refs, orders):
    """Highest matched order of every token, and whether a match goes on behind it; the hypothesis comes first."""
    texts = [hyp, *refs]
    marks = [([0] * len(text), [False] * len(text)) for text in texts]
    for n in range(1, orders + 1):
        counts = [Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1)) for text in texts]
        most = Counter()
        for count in counts[1:]:
            most |= count
        for text, (order_of, joins), allowed in zip(texts, marks, [most] + [counts[0]] * len(refs), strict=True):
            seen = Counter()
            for i in range(len(text) - n + 1):
                gram = tuple(text[i : i + n])
                if seen[gram] < allowed[gram]:
                    order_of[i : i + n] = [n] * n
                    joins[i : i + n - 1] = [True] * (n - 1)
                seen[gram] += 1
    return marks


def lcs_path(hyp, ref):
    """One longest common subsequence: matches first, hypothesis tokens are dropped only if that loses nothing."""
    cells, i, j, path = table(ref, hyp), len(ref), len(hyp), []
    while i and j:
        if ref[i - 1] == hyp[j - 1]:
            i, j = i - 1, j - 1
            path.append((j, i))
        elif cells[i][j - 1] > cells[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return path[::-1]


def runs(text, fold, is_inside):
    """Runs of folded characters that are inside, as places in the text."""
    characters = [(c, i) for i, character in enumerate(text) for c in fold(character)]
    places, start = [], None
    for k, (c, i) in enumerate([*characters, (" ", len(text))]):
        if is_inside(c) and start is None:
            start = i
        elif not is_inside(c) and start is not None:
            places.append((start, characters[k - 1][1] + 1))
            start = None
    return places
