"""Targets: the compiled kernel and its twin in plain Python, for all functions on texts."""

import numpy as np
import textgauge
from hypothesis import strategies as st
from laws import numbers
from measures.test_chrf_ter import CHRF_OPTIONS, TER_OPTIONS
from strategies import corpora, split, text
from textgauge import engine, plain
from textgauge.columns import text_column
from textgauge.text import NORMALIZERS, STEMMED_ROUGE, TOKENIZERS, prepared
from textgauge.text.vocabulary import text_sizes, token_column

from .rouges import KINDS, limits, stops

tokenizers = st.sampled_from([*TOKENIZERS.values(), STEMMED_ROUGE])
cases = st.sampled_from([False, True, "ascii"])


def on_both(action):
    """The results of an action on the kernel in use and on plain Python."""
    chosen, results = engine.kernel, []
    try:
        for kernel in (chosen, plain):
            engine.kernel = kernel
            results.append(action())
    finally:
        engine.kernel = chosen
    return results


def counted(kind, options, corpus):
    """Statistics and scores are equal to the last bit."""
    hyps, refs = split(corpus)

    def score():
        measure = kind(**options).update(hyps, refs)
        return numbers(measure.statistics), measure.statistics.values.dtype, measure.score()

    (statistics, *others), (of_plain, *others_of_plain) = on_both(score)
    assert np.array_equal(statistics, of_plain)
    assert others == others_of_plain


def marked(corpus, metric, name):
    """The same tokens match."""
    hyps, refs = split(corpus)
    options = {"tokenizer": name}
    there, here = on_both(lambda: textgauge.matches(hyps, refs, metric=metric, metric_options=options))
    assert there == here


def columns(lines, tokenizer, lowercase, strip, normalizer):
    """Columns become the same texts and tokens."""
    tokenizer = prepared(tokenizer, lowercase=lowercase, strip=strip)

    def taken():
        column = text_column(lines, "lines")
        tokens, offsets = token_column(tokenizer, column)
        normal = NORMALIZERS[normalizer].column(column).tolist()
        return column.tolist(), tokens.to_pylist(), offsets.tolist(), text_sizes(column).tolist(), normal

    there, here = on_both(taken)
    assert there == here


bleu = st.fixed_dictionaries(
    {"tokenizer": tokenizers, "max_order": st.integers(1, 9), "lowercase": cases, "strip": st.booleans()}
)
kinds = st.lists(st.sampled_from([*KINDS, "rougeLsum"]), min_size=1, max_size=4, unique=True)
rouge = st.tuples(
    st.fixed_dictionaries(
        {"rouge_types": kinds, "stopwords": stops, "jackknife": st.booleans()},
        optional={"split_summaries": st.booleans()},
    ),
    limits,
    st.one_of(
        st.fixed_dictionaries({"tokenizer": tokenizers}),
        st.fixed_dictionaries({"use_stemmer": st.booleans()}, optional={"preset": st.just("rouge-1.5.5")}),
    ),
).map(lambda parts: {**parts[0], **dict([parts[1]] if parts[1] else []), **parts[2]})
token_f1 = st.fixed_dictionaries(
    {"counting": st.sampled_from(["multiset", "set"]), "normalizer": st.sampled_from(list(NORMALIZERS)),
     "tokenizer": tokenizers}
)  # fmt: skip
TARGETS = {
    "kernels": (
        counted,
        st.one_of(
            st.tuples(st.just(textgauge.Bleu), bleu, corpora),
            st.tuples(st.just(textgauge.Rouge), rouge, corpora),
            st.tuples(st.just(textgauge.Rouge), rouge, corpora),
            st.tuples(st.just(textgauge.TokenF1), token_f1, corpora),
            st.tuples(st.just(textgauge.Chrf), CHRF_OPTIONS, corpora),
            st.tuples(st.just(textgauge.Ter), TER_OPTIONS, corpora),
        ),
    ),
    "kernels: matches": (
        marked,
        st.tuples(
            corpora,
            st.sampled_from(["bleu", "rouge2", "rougeL", "rougeLsum", "token_f1"]),
            st.sampled_from(list(TOKENIZERS)),
        ),
    ),
    "kernels: columns": (
        columns,
        st.tuples(st.lists(text, max_size=4), tokenizers, cases, st.booleans(), st.sampled_from(list(NORMALIZERS))),
    ),
}
