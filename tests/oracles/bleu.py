"""BLEU by its definition: Papineni et al. (2002), with Lin and Och's add-one on demand."""

import math
from collections import Counter
from functools import reduce
from operator import or_


def ngrams(tokens, order):
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def clipped_matches(hyp, refs, order):
    """Each n-gram counts at most as often as the reference that has most of it."""
    most = reduce(or_, (ngrams(ref, order) for ref in refs), Counter())
    return sum((ngrams(hyp, order) & most).values())


def corpus_bleu(hyps, refs, max_order=4, smooth=False):
    add = 1 if smooth else 0
    precisions = []
    for n in range(1, max_order + 1):
        matches = sum(clipped_matches(h, r, n) for h, r in zip(hyps, refs, strict=True)) + add
        total = sum(max(len(h) - n + 1, 0) for h in hyps) + add
        precisions.append(matches / total if total else 0.0)
    hyp_length, ref_length = sum(map(len, hyps)), sum(min(map(len, r)) for r in refs)
    if not hyp_length or not ref_length or min(precisions) == 0:
        return 0.0
    penalty = min(1.0, math.exp(1 - ref_length / hyp_length))
    return penalty * math.exp(sum(map(math.log, precisions)) / max_order)
