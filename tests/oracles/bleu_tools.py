"""BLEU as two scripts define it, each from its own rules: mteval-v13a.pl and multi-bleu.perl."""

import math
import re
from functools import reduce
from operator import add

from oracles.bleu import clipped_matches

ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
PERL_UNICODE_SPACE = r"[\t\n\x0b\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
PERL_BYTE_SPACE = r"[ \t\n\r\f\v]+"


def mteval_tokens(text):
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in ENTITIES:
        text = text.replace(entity, character)
    text = "".join(c.lower() if "A" <= c <= "Z" else c for c in f" {text} ")
    text = re.sub(r"([{-~\[-` -&(-+:-@/])", r" \1 ", text)
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    text = re.sub(r"([0-9])(-)", r"\1 \2 ", text)
    return [token for token in re.split(PERL_UNICODE_SPACE, text) if token]


def moses_tokens(text):
    return [token for token in re.split(PERL_BYTE_SPACE, text) if token]


def counted(hyps, refs):
    matches = [sum(clipped_matches(h, r, n) for h, r in zip(hyps, refs, strict=True)) for n in range(1, 5)]
    totals = [sum(max(len(h) - n + 1, 0) for h in hyps) for n in range(1, 5)]
    closest = (min(map(len, r), key=lambda n: (abs(n - len(h)), n)) for h, r in zip(hyps, refs, strict=True))
    return matches, totals, sum(closest)


def mteval_bleu(hyps, refs):
    """Individual scores are summed as logarithms; an order without n-grams adds 0."""
    matches, totals, ref_length = counted(
        [mteval_tokens(h) for h in hyps], [[mteval_tokens(r) for r in group] for group in refs]
    )
    penalty = math.exp(min(0, 1 - ref_length / totals[0])) if totals[0] else 0
    score, smooth = 0.0, 1
    for match, total in zip(matches, totals, strict=True):
        if total and match:
            score += math.log(match / total)
        elif total:
            smooth *= 2
            score += math.log(1 / (smooth * total))
    return math.exp(score / 4) * penalty


def multi_bleu(hyps, refs):
    matches, totals, ref_length = counted(
        [moses_tokens(h) for h in hyps], [[moses_tokens(r) for r in group] for group in refs]
    )
    if not all(matches) or not ref_length:
        return 0.0
    penalty = math.exp(1 - ref_length / totals[0]) if totals[0] < ref_length else 1.0
    # Perl adds one after the other, which Python's `sum` does not from 3.12 on.
    logs = reduce(add, (math.log(m / t) for m, t in zip(matches, totals, strict=True)))
    return penalty * math.exp(logs / 4)
