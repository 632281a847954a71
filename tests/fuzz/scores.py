"""Targets: metrics with any of their options, against naive twins and other tools."""

import numpy as np
import pytest
import textgauge
from hypothesis import strategies as st
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
from strategies import corpora, is_assigned, split
from textgauge.text import TOKENIZERS, prepared
from textgauge.text.sentences import lines_of_sentences

from .texts import TWINS, of

F1_PARTS = ("precision", "recall", "f1", "exact_match")
ROUGE_TYPES = ["rouge1", "rouge2", "rouge4", "rougeL", "rougeLsum"]
names = st.sampled_from(list(TOKENIZERS))


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
    alone = [textgauge.bleu([h], [r], **options)["bleu"] for h, r in zip(hyps, refs, strict=True)]
    assert alone == pytest.approx(each, abs=1e-12, rel=0)
    if smooth:
        assert result["segment_bleu"] == alone


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
    return lines_of_sentences(textgauge.input.columns.text_column([line], "line"))[0]


def token_f1(corpus, options):
    """Per segment, to the last bit: the reference with the best F1, and any that is equal."""
    normalize = TWINS.get(options["normalizer"], options["normalizer"])
    cut = TOKENIZERS.get(options["tokenizer"], str.split)
    bag = set if options["counting"] == "set" else list
    result = textgauge.token_f1(*split(corpus), per_segment=True, **options)
    for i, (hyp, refs) in enumerate(corpus):
        scores = [twin.precision_recall_f1(*(bag(cut(normalize(text))) for text in (hyp, ref))) for ref in refs]
        best = max(scores, key=lambda score: score[2])
        exact = any(normalize(hyp) == normalize(ref) for ref in refs)
        assert tuple(result[f"segment_{key}"][i] for key in F1_PARTS) == (*best, exact)
    for key in F1_PARTS:
        assert result[key] == pytest.approx(np.mean(result[f"segment_{key}"]), abs=1e-12, rel=0)


token_f1_options = st.fixed_dictionaries(
    {
        "counting": st.sampled_from(["multiset", "set"]),
        "normalizer": st.sampled_from([*TWINS, str.strip]),
        "tokenizer": st.one_of(names, st.just(str.split)),
    }
)
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
    "token_f1": (token_f1, st.tuples(corpora, token_f1_options)),
}
