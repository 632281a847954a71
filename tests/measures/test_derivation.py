"""The sum behind a score: its last line is the score, and its parts are the numbers of the formula."""

import pytest
import textgauge
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import corpora
from textgauge import NgramModel
from textgauge.measures.bleu_options import PRESETS
from textgauge.measures.explain import derived
from textgauge.measures.marks import STRONGEST
from textgauge.measures.registry import METRICS, score_named

HOSTILE = ["", "a", "&quot; &amp;quot;", "猫 が座った。", "\u0130\u212a ß", "a\n\nb \x85", "the the the", "\x00 \u202e"]
OPTIONS = {
    "bleu": [
        {}, *({"preset": name} for name in PRESETS), {"effective_order": True}, {"weights": [0.5, 0.5], "max_order": 2},
        {"smoothing": "exp"}, {"smoothing": "floor", "max_order": 2}, {"reference_length": "average"},
        {"tokenizer": "character", "max_order": 9, "weights": [0, *[0.125] * 8]}, {"smoothing": "chen-cherry-7"},
    ],
    "sacrebleu": [{}, {"smoothing": "none"}],
    "chrf": [{}, {"word_order": 2}, {"eps_smoothing": True}, {"whitespace": True, "beta": 1.0}, {"lowercase": True}],
    "ter": [{}, {"normalized": True}, {"case_sensitive": True}],
    "rouge": [
        {"rouge_types": ["rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS", "rougeSU4"]},
        {"use_stemmer": True, "beta": 0.5}, {"jackknife": True}, {"multi_reference": "average"},
        {"preset": "rouge-1.5.5"}, {"max_words": 3, "tokenizer": "unicode"}, {"beta": 2.0},
    ],
    "token_f1": [{}, {"counting": "set"}, {"normalizer": "mlqa:zh", "tokenizer": "character"}],
    "squad": [{}],
}  # fmt: skip


def cases():
    for name, every in OPTIONS.items():
        yield from (pytest.param(name, options, id=f"{name} {options}") for options in every)


def test_every_metric_with_references_is_here():
    assert OPTIONS.keys() == {name for name in METRICS if METRICS[name].has_references}


def summed(name, options, predictions, references):
    measure = METRICS[name](**options)
    corpus = measure.corpus_of(predictions, references)
    return measure.update_corpus(corpus), corpus


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "options"), cases())
@settings(max_examples=12, deadline=None)
@given(corpora)
@example([(text, HOSTILE[::-1][i : i + 1] + ["a"]) for i, text in enumerate(HOSTILE)])
@example([("the cat sat on the mat", ["the cat is on the mat", "on the mat the cat sat"])])
def test_the_last_line_is_the_score(name, options, rows):
    predictions, references = map(list, zip(*rows, strict=True))
    measure, corpus = summed(name, options, predictions, references)
    observed = measure.observed_scores()
    for key in measure.score_names:
        whole = derived(measure, key, corpus)
        assert whole.score == float(observed[key]) * measure.scale
        assert whole.steps[-1].value == whole.score
        assert str(whole).splitlines()
        for i, one in enumerate(whole.segments or [whole]):
            alone, texts = summed(name, options, predictions[i : i + 1], references[i : i + 1])
            assert one.score == float(alone.observed_scores()[key]) * measure.scale
            assert "".join(piece.text for piece in one.texts[0][1]) == predictions[i]
            assert all(0 <= piece.level <= STRONGEST for _, pieces in one.texts for piece in pieces)
            of_rows = derived(alone, key, texts)
            assert [(step.label, step.cells) for step in one.steps] == [(s.label, s.cells) for s in of_rows.steps]
