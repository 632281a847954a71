"""Targets: metrics with any of their options, against naive twins and other tools."""

import numpy as np
import pytest
import textgauge
from hypothesis import strategies as st
from laws import numbers
from measures.test_chrf_ter import CHRF_OPTIONS, TER_OPTIONS, test_chrf_is_sacrebleus, test_ter_is_sacrebleus
from measures.test_chrf_ter import corpora as even_corpora
from oracles import token_f1 as twin
from oracles.bleu import corpus_bleu
from parity.test_bleu_tools import (
    nltk_options,
    sacrebleu_options,
    test_preset_moses,
    test_preset_mteval,
    test_preset_nltk,
    test_preset_sacrebleu,
    token_corpora,
)
from rouge_score.rouge_scorer import RougeScorer
from strategies import corpora, is_assigned
from textgauge.text import TOKENIZERS, prepared
from textgauge.text.sentences import lines_of_sentences

from .texts import TWINS

ROUGE_TYPES = ["rouge1", "rouge2", "rouge4", "rougeL", "rougeLsum"]
names = st.sampled_from(list(TOKENIZERS))


def split(corpus):
    return [hyp for hyp, _ in corpus], [refs for _, refs in corpus]


def bleu(corpus, options):
    """Pooled and per segment, for any tokenizer."""
    hyps, refs = split(corpus)
    tokens = prepared(TOKENIZERS[options["tokenizer"]], lowercase=options["lowercase"], strip=options["strip"])
    hyp_tokens, ref_tokens = [tokens(h) for h in hyps], [[tokens(r) for r in group] for group in refs]
    result = textgauge.bleu(hyps, refs, per_segment=True, **options)
    order, smooth = options["max_order"], options["smooth"]
    expected = corpus_bleu(hyp_tokens, ref_tokens, order, smooth)
    assert result["bleu"] == pytest.approx(expected, abs=1e-12, rel=0)
    each = [corpus_bleu([h], [r], order, smooth) for h, r in zip(hyp_tokens, ref_tokens, strict=True)]
    assert result["segment_bleu"] == pytest.approx(each, abs=1e-12, rel=0)


class Cut:
    def __init__(self, tokenize):
        self.tokenize = tokenize


def rouge(corpus, name, stemmed, at_end_marks):
    """Every type against rouge_score, with its own tokenizer or with the definition of one of ours."""
    hyps, refs = split(corpus)
    own = {"use_stemmer": stemmed} if name == "rouge" else {"tokenizer": name}
    official = RougeScorer(ROUGE_TYPES, **({"use_stemmer": stemmed} if name == "rouge" else {
        "tokenizer": Cut(TOKENIZERS[name].unstemmed)}))  # fmt: skip
    counted = textgauge.Rouge(rouge_types=ROUGE_TYPES, split_summaries=at_end_marks, **own).update(hyps, refs)
    found = counted.score(use_aggregator=False, detailed=True)
    lines = sentence_lines if at_end_marks else str
    for i, (hyp, group) in enumerate(corpus):
        plain = official.score_multi(group, hyp)
        summaries = official.score_multi([lines(ref) for ref in group], lines(hyp))
        for kind in ROUGE_TYPES:
            expected = summaries[kind] if kind == "rougeLsum" else plain[kind]
            assert tuple(column[i] for column in found[kind].values()) == pytest.approx(
                tuple(expected), abs=1e-12, rel=0
            )


def sentence_lines(line):
    return lines_of_sentences(textgauge.columns.text_column([line], "line"))[0]


def token_f1(corpus, counting, normalizer, tokenizer):
    """Best reference by F1, separately by exact match."""
    hyps, refs = split(corpus)
    counted = textgauge.TokenF1(counting=counting, normalizer=normalizer, tokenizer=tokenizer).update(hyps, refs)

    def bag(line):
        tokens = TOKENIZERS[tokenizer](TWINS[normalizer](line))
        return set(tokens) if counting == "set" else tokens

    normal = TWINS[normalizer]
    columns = counted.segment_columns()
    for (hyp, group), *scores in zip(corpus, columns["f1"], columns["exact_match"], strict=True):
        f1 = max(precision_recall_f1(bag(hyp), bag(ref))[2] for ref in group)
        exact = float(any(normal(hyp) == normal(ref) for ref in group))
        assert scores == pytest.approx([f1, exact], abs=1e-12, rel=0)


def precision_recall_f1(hyp, ref):
    if isinstance(hyp, set):
        common = len(hyp & ref)
        return (0, 0, 2 * common / (len(hyp) + len(ref)) if common else 0)
    return twin.precision_recall_f1(hyp, ref)


def chunks(corpus, cuts):
    """The division of a corpus into batches does not change the statistics, bit for bit."""
    hyps, refs = split(corpus)
    for kind in (textgauge.Bleu, textgauge.Rouge, textgauge.TokenF1, textgauge.Chrf, textgauge.Ter):
        whole = kind().update(hyps, refs)
        parts = sorted({0, len(hyps), *(cut % (len(hyps) + 1) for cut in cuts)})
        joined = kind()
        for start, stop in zip(parts, parts[1:], strict=False):
            joined = joined + kind().update(hyps[start:stop], refs[start:stop])
        assert np.array_equal(numbers(whole.statistics), numbers(joined.statistics))
        assert whole.score() == joined.score()


def of(test):
    """The body of a property test of the suite."""
    return test.hypothesis.inner_test


bleu_options = st.fixed_dictionaries(
    {
        "tokenizer": names,
        "max_order": st.integers(1, 7),
        "smooth": st.booleans(),
        "lowercase": st.sampled_from([False, True, "ascii"]),
        "strip": st.booleans(),
    }
)
assigned = corpora.filter(lambda corpus: is_assigned([line for hyp, refs in corpus for line in (hyp, *refs)]))
TARGETS = {
    "bleu": (bleu, st.tuples(corpora, bleu_options)),
    "bleu-sacrebleu": (of(test_preset_sacrebleu), st.tuples(assigned, sacrebleu_options())),
    "bleu-nltk": (of(test_preset_nltk), st.tuples(token_corpora, nltk_options())),
    "bleu-mteval": (of(test_preset_mteval), st.tuples(corpora)),
    "bleu-moses": (of(test_preset_moses), st.tuples(corpora)),
    "chrf": (of(test_chrf_is_sacrebleus), st.tuples(even_corpora, CHRF_OPTIONS)),
    "ter": (of(test_ter_is_sacrebleus), st.tuples(even_corpora, TER_OPTIONS)),
    "rouge": (rouge, st.tuples(corpora, names, st.booleans(), st.booleans())),
    "token_f1": (
        token_f1,
        st.tuples(corpora, st.sampled_from(["multiset", "set"]), st.sampled_from(list(TWINS)), names),
    ),
    "chunks": (chunks, st.tuples(corpora, st.lists(st.integers(0, 9), max_size=3))),
}
