"""Padding, which accelerators need, moves no score: every kind of model, with a padding token that is not 0."""

import numpy as np
import pytest
from quick import covering
from tiny_models import load_comet

PREDICTIONS = ["the cat sat on the mat", "a dog", "one, two: three!", "", "[PAD] sat [PAD]", "zz " * 12, "coffee", "a"]
SOURCES = ["a cat sat", "", "one two", "the cat", "mat", "the mat " * 8, "a dog barks", "b"]
REFERENCES = ["the cat sat on a mat", "a dog barks", "one two three", "a", "sat", "the cat " * 6, "cell", "a"]
APART = [
    {}, {"layer_norm": True}, {"pool": "max"}, {"pool": "max", "layer_norm": True}, {"pool": "cls"},
    {"pool": "cls", "layer_norm": True}, {"pool": "default"}, {"layer": 2}, {"layer": 0, "pool": "max"},
    {"layer_transformation": "sparsemax", "layer_norm": True},
]  # fmt: skip


def scored(folder, encoder=None, *, references=REFERENCES, sources=SOURCES, batch_size=None):
    columns = {"sources": sources, "references": references}
    given = {name: column for name, column in columns.items() if column is not None}
    return load_comet(folder, encoder).score(PREDICTIONS, given, batch_size)


def assert_padding_moves_nothing(padding, *given, **columns):
    before = scored(*given, **columns)
    size = padding()
    after = scored(*given, batch_size=size, **columns)
    assert np.abs(after.scores - before.scores).max() < 1e-5
    # What a test of scores that are all alike would say means nothing.
    assert np.std(before.scores) > 1e-3
    assert {*after.parts} == {*before.parts}
    for name, part in before.parts.items():
        assert np.abs(after.parts[name] - part).max() < 1e-5
    return before.spans, after.spans


@pytest.mark.parametrize("settings", APART, ids=str)
def test_models_that_embed_each_text_alone(saved, padding, settings):
    assert_padding_moves_nothing(padding, saved("regression_metric", **settings)[0])


@pytest.mark.parametrize(
    ("family", "kind"),
    covering(["XLM-RoBERTa-XL", "MiniLM", "BERT", "RemBERT"], ["regression_metric", "unified_metric"]),
)
def test_families(saved, padding, family, kind):
    folder, _ = saved(kind, family)
    assert_padding_moves_nothing(padding, folder, folder / "encoder" if family == "MiniLM" else None)


def test_models_without_references(saved, padding):
    folder, _ = saved("referenceless_regression_metric", layer_norm=True)
    assert_padding_moves_nothing(padding, folder, references=None)


@pytest.mark.parametrize("settings", [{}, {"layer_norm": True}, {"sent_layer": 1}], ids=str)
def test_models_that_read_texts_as_one(saved, padding, settings):
    assert_padding_moves_nothing(padding, saved("unified_metric", **settings)[0])


@pytest.mark.parametrize("columns", [{}, {"references": None}, {"sources": None}], ids=str)
def test_error_spans(saved, padding, columns):
    before, after = assert_padding_moves_nothing(padding, saved("xcomet_metric", layer_norm=True)[0], **columns)
    assert sum(map(len, before)) > 2
    for one, other in zip(before, after, strict=True):
        assert [{**span, "confidence": 0} for span in one] == [{**span, "confidence": 0} for span in other]
        assert [span["confidence"] for span in one] == pytest.approx([s["confidence"] for s in other], abs=1e-5)


def test_matrices(saved, padding):
    folder, _ = saved("regression_metric", layer_norm=True)
    texts, number = [*PREDICTIONS, *SOURCES], np.arange(8)

    def crossed(batch_size):
        model = load_comet(folder)
        embedded = model.embedded(texts, batch_size)
        places = embedded.places
        return model.crossed(embedded.vectors, places[number], places[8:], places[number])

    before = crossed(None)
    assert np.abs(crossed(padding()) - before).max() < 1e-5
