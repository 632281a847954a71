"""All against all, with as many encodings as texts."""

import numpy as np
import pytest
import textgauge

TEXTS = ["the cat sat on the mat", "a dog", "", "one, two: three!", "a cat sat", "a dog"]
OTHERS = ["a dog barks", "the cat", "mat"]


@pytest.fixture
def n_encoded(monkeypatch):
    """Count the texts that a model sees."""
    from textgauge.models.encoder import Encoder

    seen = []
    embed = Encoder.embed
    monkeypatch.setattr(Encoder, "embed", lambda self, batch: seen.append(len(batch.ids)) or embed(self, batch))
    return seen


@pytest.mark.parametrize("others", [None, OTHERS])
def test_entries_are_scores_of_pairs(others, usual, n_encoded):
    found = textgauge.pairwise(TEXTS, others, metric=textgauge.BertScore(**usual))
    assert sum(n_encoded) == len({*TEXTS, *(others or [])} - {""})
    columns = TEXTS if others is None else others
    pairs = [(text, other) for text in TEXTS for other in columns]
    expected = textgauge.segment_scores(textgauge.BertScore(**usual), *map(list, zip(*pairs, strict=True)))
    assert found == pytest.approx(expected.reshape(found.shape), abs=1e-6)


def test_rescaled_scores_are_not_symmetric(usual, tmp_path):
    (tmp_path / "b.csv").write_text("LAYER,P,R,F\n2,0.5,0.1,0.3\n")
    options = {**usual, "rescale_with_baseline": True, "baseline_path": str(tmp_path / "b.csv")}
    accumulator = textgauge.BertScore(**options)
    from textgauge.all_pairs.counts import Roles

    texts = accumulator.metric.inputs.read(TEXTS, TEXTS).hypotheses
    block = accumulator.metric.all_pairs(texts, Roles(6, 0), accumulator.metric.notes()).block(slice(0, 2), slice(0, 6))
    pairs = [(other, text) for other in TEXTS for text in TEXTS[:2]]
    scored = textgauge.BertScore(**options).update(*map(list, zip(*pairs, strict=True))).segment_values()
    for name, column in scored.items():
        assert block.swapped(accumulator.metric.layout)[name] == pytest.approx(column.reshape(6, 2), abs=1e-5)


def test_the_candidate_that_agrees_best(usual, n_encoded):
    chosen = textgauge.mbr(TEXTS, metric=textgauge.BertScore(**usual))
    assert sum(n_encoded) == len({*TEXTS} - {""})
    matrix = textgauge.pairwise(TEXTS, metric=textgauge.BertScore(**usual))
    assert chosen.scores == pytest.approx(matrix.mean(axis=1), abs=1e-6)
    assert chosen.best == int(np.argmax(matrix.mean(axis=1)))
    lists = textgauge.mbr([TEXTS, OTHERS], metric=textgauge.BertScore(**usual))
    assert lists.scores[0] == pytest.approx(chosen.scores, abs=1e-6)
    with pytest.raises(ValueError, match="^aggregate: .*got True"):
        textgauge.mbr(TEXTS, metric=textgauge.BertScore(**usual), aggregate=True)
    with pytest.raises(ValueError, match="^idf: .*got True"):
        textgauge.pairwise(TEXTS, metric=textgauge.BertScore(**usual, idf=True))


@pytest.mark.parametrize("others", [None, OTHERS])
def test_truncated_texts(others, usual):
    long = ["a cat " * 200, "the cat", "the dog " * 200]
    with pytest.warns(
        UserWarning, match="2 texts are longer than the .* tokens that .* takes, and were truncated"
    ) as told:
        textgauge.pairwise(long, others, metric=textgauge.BertScore(**usual))
    assert len(told) == 1
    with pytest.warns(UserWarning, match="texts are longer than the .*, and were truncated") as told:
        textgauge.mbr([long, OTHERS], metric=textgauge.BertScore(**usual))
    assert len(told) == 1
