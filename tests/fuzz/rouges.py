"""Targets: all types of ROUGE with all of its options, by Lin's paper and as the ROUGE-1.5.5 script counts."""

import pytest
import textgauge
from hypothesis import strategies as st
from oracles import rouge as family
from oracles.rouge155 import first_bytes, first_words, rouge155
from strategies import corpora
from textgauge.plain.porter import STEMMERS
from textgauge.text import TOKENIZERS

KINDS = {
    "rouge1": ("N", 1), "rouge2": ("N", 2), "rouge7": ("N", 7), "rougeL": ("L", None), "rougeW": ("W", 1.2),
    "rougeW-2": ("W", 2.0), "rougeS": ("S", None), "rougeS0": ("S", 0), "rougeS4": ("S", 4), "rougeSU": ("SU", None),
    "rougeSU9": ("SU", 9),
}  # fmt: skip
PARTS = ("precision", "recall", "fmeasure")
# The twins enumerate every pair of tokens.
LONGEST = 160


def stem_of(dialect):
    """Tokens of three characters and less are never stemmed."""
    return lambda token: token if len(token) < 4 else STEMMERS[dialect](token)


def short(corpus):
    return [(hyp[:LONGEST], [ref[:LONGEST] for ref in refs]) for hyp, refs in corpus]


def options_of(rule, jackknife, limit, stop_words):
    """What both targets say in the same words."""
    options = {"jackknife": jackknife, "stopwords": stop_words, "use_aggregator": False, "detailed": True}
    return {**options, **({} if rule is None else {"multi_reference": rule}), **dict([limit] if limit else [])}


def results(corpus, kinds, options):
    """Per type and segment precision, recall and F."""
    found = textgauge.rouge([hyp for hyp, _ in corpus], [refs for _, refs in corpus], rouge_types=kinds, **options)
    return {kind: list(zip(*(found[kind][part] for part in PARTS), strict=True)) for kind in kinds}


def limited(text, limit):
    if limit is None:
        return text
    return {"max_words": first_words, "max_bytes": first_bytes}[limit[0]](text, limit[1])


def rouge_family(corpus, kinds, rule, jackknife, limit, stop_words, alpha, name, stemmed):
    """Lin's definitions, for any tokenizer."""
    stem = stem_of("porter") if stemmed else str
    tokenize = TOKENIZERS[name]

    def tokens(text):
        return [stem(token) for token in tokenize(limited(text, limit)) if token not in stop_words]

    options = options_of(rule, jackknife, limit, stop_words) | {"alpha": alpha}
    options |= {"use_stemmer": True} if stemmed else {"tokenizer": name}
    found = results(corpus, kinds, options)
    for kind, rows in found.items():
        for (hyp, refs), row in zip(corpus, rows, strict=True):
            parts = tokens(hyp), [tokens(ref) for ref in refs]
            expected = family.rouge(KINDS[kind], *parts, rule or "best", jackknife, alpha)
            # References of equal F may differ in what F leaves out.
            kept = slice(2, 3) if (rule or "best") == "best" and alpha in (0, 1) else slice(3)
            assert row[kept] == pytest.approx(expected[kept], abs=1e-9)


def rouge_script(corpus, kinds, rule, jackknife, limit, stop_words, alpha, stemmed):
    """The script's figures, within the fifth decimal."""
    options = options_of(rule, jackknife, limit, stop_words) | {"alpha": alpha, "use_stemmer": stemmed}
    found = results(corpus, kinds, {**options, "preset": "rouge-1.5.5"})
    cuts = dict([limit] if limit else [])
    for kind, rows in found.items():
        for (hyp, refs), row in zip(corpus, rows, strict=True):
            allowed = rouge155(
                KINDS[kind], hyp, refs, rule or "pooled", jackknife, alpha,
                (cuts.get("max_words"), cuts.get("max_bytes")), stop_words, stem_of("porter155") if stemmed else str,
            )  # fmt: skip
            assert any(row == pytest.approx(expected, abs=1.1e-5) for expected in allowed), (kind, row, allowed)


stops = st.lists(st.sampled_from(["the", "a", "cat", "running", "5", "b", "Mr", "x1"]), max_size=3, unique=True)
limits = st.none() | st.tuples(st.sampled_from(["max_words", "max_bytes"]), st.integers(1, 60))
shared = (
    corpora.map(short),
    st.lists(st.sampled_from(list(KINDS)), min_size=1, max_size=3, unique=True),
    st.sampled_from([None, "best", "average", "pooled"]),
    st.booleans(),
    limits,
    stops,
    st.sampled_from([0.5, 0.5, 0.0, 0.3, 1.0]),
)
# Not ROUGE's own tokens and no stems where the tokenizer is another.
family_inputs = st.tuples(*shared, st.sampled_from(list(TOKENIZERS)), st.booleans()).filter(
    lambda given: not given[-1] or given[-2] == "rouge"
)
TARGETS = {
    "rouge-family": (rouge_family, family_inputs),
    "rouge-1.5.5": (rouge_script, st.tuples(*shared, st.booleans())),
}
