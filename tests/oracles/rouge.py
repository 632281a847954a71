"""The ROUGE family for one hypothesis and several references, by its definitions (Lin 2004).

One reference gives (matches, hypothesis units, reference units); several are pooled,
averaged or searched for the best, and left out in turn (section 2.1).
"""

from collections import Counter
from itertools import combinations


def ngrams(tokens, order):
    return Counter(zip(*(tokens[start:] for start in range(order)), strict=False))


def lcs_table(hyp, ref, weight=1):
    """Lin (2004), section 4, figure 2: the weight of the (W)LCS of every two prefixes, by both their lengths."""
    scores, runs = Counter(), Counter()
    for i, token in enumerate(ref, 1):
        for j, other in enumerate(hyp, 1):
            if token == other:
                run = runs[i - 1, j - 1]
                scores[i, j] = scores[i - 1, j - 1] + (run + 1) ** weight - run**weight
                runs[i, j] = run + 1
            else:
                scores[i, j] = max(scores[i - 1, j], scores[i, j - 1])
    return scores


def skip_bigrams(tokens, gap=None):
    """All pairs in the order of the text with at most `gap` tokens between them."""
    pairs = combinations(range(len(tokens)), 2)
    return Counter((tokens[i], tokens[j]) for i, j in pairs if gap is None or j - i - 1 <= gap)


def overlap(left, right):
    return sum((left & right).values()), sum(left.values()), sum(right.values())


def counts(kind, hyp, ref):
    """`kind` is (letter, number): N and order, L, W and weight, S or SU and gap."""
    name, number = kind
    if name == "N":
        return overlap(ngrams(hyp, number), ngrams(ref, number))
    if name == "L":
        return lcs_table(hyp, ref)[len(ref), len(hyp)], len(hyp), len(ref)
    if name == "W":
        return lcs_table(hyp, ref, number)[len(ref), len(hyp)], len(hyp) ** number, len(ref) ** number
    sides = [skip_bigrams(side, number) for side in (hyp, ref)]
    if name == "SU":
        sides = [pairs + ngrams(side, 1) for pairs, side in zip(sides, (hyp, ref), strict=True)]
    return overlap(*sides)


def scores(kind, parts, alpha=0.5):
    """Precision, recall and F of (matches, hypothesis units, reference units)."""
    matches, hyp_units, ref_units = parts
    root = 1 / kind[1] if kind[0] == "W" else 1
    p, r = ((matches / units) ** root if units else 0.0 for units in (hyp_units, ref_units))
    below = (1 - alpha) * p + alpha * r
    return p, r, p * r / below if below else 0.0


def mean(rows):
    return tuple(sum(column) / len(rows) for column in zip(*rows, strict=True))


def rouge(kind, hyp, refs, rule="best", jackknife=False, alpha=0.5):
    """Precision, recall and F against several references."""
    if jackknife and len(refs) > 1:
        left_out = [refs[:i] + refs[i + 1 :] for i in range(len(refs))]
        return mean([rouge(kind, hyp, rest, rule, alpha=alpha) for rest in left_out])
    each = [counts(kind, hyp, ref) for ref in refs]
    if rule == "pooled":
        return scores(kind, tuple(map(sum, zip(*each, strict=True))), alpha)
    results = [scores(kind, parts, alpha) for parts in each]
    return mean(results) if rule == "average" else max(results, key=lambda result: result[2])
