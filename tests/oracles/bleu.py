"""BLEU by its definition: Papineni et al. (2002), with Lin and Och's add-one on demand."""

import math

from textgauge.plain.ngrams import clipped_matches


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
