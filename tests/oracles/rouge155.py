"""The ROUGE-1.5.5 script on one text and its references, from its rules: limits, stop words, stems, unions."""

import re
from collections import Counter

from oracles.rouge import lcs_table, mean, ngrams, overlap, skip_bigrams


def first_words(text, n_words):
    """The text before the first word beyond the limit; white space at the start of a line follows an empty word."""
    for word in re.finditer("[^ \t\n\r\v\f]+", text):
        before = text[text.rfind("\n", 0, word.start()) + 1 : word.start()]
        n_words -= 2 if before and not before.strip(" \t\r\v\f") else 1
        if n_words < 0:
            return text[: word.start()]
    return text


def first_bytes(text, n_bytes):
    kept = bytearray()
    for byte in text.encode():
        if byte != ord("\n"):
            if n_bytes == 0:
                # Newlines after the last byte are kept only at the end of the text.
                return kept.rstrip(b"\n").decode(errors="ignore")
            n_bytes -= 1
        kept.append(byte)
    return text


def first_bytes_of_long_line(text, n_bytes):
    kept = []
    for line in text.encode().split(b"\n"):
        kept.append(line[:n_bytes])
        if len(line) >= n_bytes:
            break
    return b"\n".join(kept).decode(errors="ignore")


def tokens(text, stop_words=(), stem=str):
    lowered = "".join(c.lower() if "A" <= c <= "Z" else c for c in text)
    return [stem(word) for word in re.findall("[a-z0-9]+", lowered) if word not in stop_words]


class Text:
    """Its words for n-grams and skip-bigrams, its sentences for what is a union."""

    def __init__(self, text, max_words, max_bytes, stop_words, stem):
        lines = text
        if max_words is not None:
            text = lines = first_words(text, max_words)
        if max_bytes is not None:
            text, lines = first_bytes(text, max_bytes), first_bytes_of_long_line(text, max_bytes)
        self.words = tokens(text, stop_words, stem)
        self.sentences = [tokens(line, stop_words, stem) for line in lines.split("\n")]


def marked(hyps, ref, weight=1.0):
    """Positions of a sentence on its LCS with any other: from the ends, of two ways back the one without its token."""
    places = set()
    for hyp in hyps:
        scores, i, j = lcs_table(hyp, ref, weight), len(ref), len(hyp)
        while i and j:
            if ref[i - 1] == hyp[j - 1]:
                i, j = i - 1, j - 1
                places.add(i)
            elif scores[i - 1, j] >= scores[i, j - 1]:
                i -= 1
            else:
                j -= 1
    return places


def union_hits(hyps, refs, allowed):
    tokens_marked = Counter(ref[i] for ref in refs for i in marked(hyps, ref))
    return (tokens_marked & allowed).total()


def weighted_hits(hyps, refs, allowed, weight):
    """Runs of marked tokens that count; one that does not neither adds to a run nor ends it."""
    left, hits = Counter(allowed), 0.0
    for ref in refs:
        run, places = 0, marked(hyps, ref, weight)
        for i in sorted(places):
            if not left[ref[i]]:
                continue
            left[ref[i]] -= 1
            run += 1
            if i + 1 not in places:
                hits, run = hits + run**weight, 0
    return hits


def counts(kind, hyp, ref):
    name, number = kind
    if name == "N":
        return overlap(ngrams(hyp.words, number), ngrams(ref.words, number))
    allowed = Counter(hyp.words) & Counter(ref.words)
    if name == "L":
        hits = union_hits(hyp.sentences, ref.sentences, allowed)
        return hits, len(hyp.words), sum(map(len, ref.sentences))
    if name == "W":
        hits = weighted_hits(hyp.sentences, ref.sentences, allowed, number)
        return hits, len(hyp.words) ** number, sum(len(s) ** number for s in ref.sentences) ** number
    pairs = [skip_bigrams(side.words, number) for side in (hyp, ref)]
    if name == "SU":
        pairs = [p + Counter(side.words[:-1]) for p, side in zip(pairs, (hyp, ref), strict=True)]
    return overlap(*pairs)


def share(kind, part, whole):
    return min((part / whole) ** (1 / kind[1] if kind[0] == "W" else 1), 1.0) if whole else 0.0


def five(value):
    return float(f"{value:.5f}")


def scores(kind, parts, alpha):
    precision, recall = (five(share(kind, parts[0], units)) for units in parts[1:])
    below = (1 - alpha) * precision + alpha * recall
    return precision, recall, five(precision * recall / below if below else 0.0)


def merit(kind, parts):
    """What the best reference has most of: recall, of ROUGE-W against a total that is weighted once."""
    if kind[0] == "W":
        return share(kind, parts[0], parts[2] ** (1 / kind[1]))
    recall = share(kind, parts[0], parts[2])
    return recall if kind[0] == "L" else five(recall)


def rouge155(kind, hyp, refs, rule="pooled", jackknife=False, alpha=0.5, limits=(None, None), stop_words=(), stem=str):
    """All possible results: equally good references may differ in precision."""
    hyp, *refs = (Text(text, *limits, stop_words, stem) for text in (hyp, *refs))
    each = [counts(kind, hyp, ref) for ref in refs]
    if rule == "average":
        return [mean([scores(kind, parts, alpha) for parts in each])]
    trials = [each[:i] + each[i + 1 :] for i in range(len(each))] if jackknife and len(each) > 1 else [each]
    if rule == "pooled":
        return [mean([scores(kind, tuple(map(sum, zip(*trial, strict=True))), alpha) for trial in trials])]
    found = [()]
    for trial in trials:
        most = max(merit(kind, parts) for parts in trial)
        best = {scores(kind, parts, alpha) for parts in trial if merit(kind, parts) > most - 1e-12}
        found = [(*before, result) for before in found for result in best]
    return [mean(results) for results in found]
