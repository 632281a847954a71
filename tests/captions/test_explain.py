"""The explanation of CIDEr: its steps lead to the score."""

import pytest
import textgauge

REFERENCES = [["a man on a horse", "a rider on a brown horse"], ["a dog on the grass"], ["two dogs run"]]
PREDICTIONS = ["a man on a brown horse", "a dog", "two dogs run"]


@pytest.mark.parametrize("variant", ["D", "plain", "R"])
def test_steps_lead_to_the_score(variant):
    options = {"variant": variant}
    found = textgauge.explain(PREDICTIONS, REFERENCES, metric="cider", metric_options=options)
    scores = textgauge.cider(PREDICTIONS, REFERENCES, variant=variant, per_segment=True)
    assert [part.score for part in found.segments] == scores["segment_cider"]
    for part in found.segments:
        means = [step.value for step in part.steps if step.label.startswith("mean")]
        assert part.score == pytest.approx(10 * sum(means) / len(means), rel=1e-12)
    assert found.score == pytest.approx(scores["cider"], rel=1e-12)


def test_n_grams_are_shown_with_how_many_images_have_them():
    text = str(textgauge.explain(PREDICTIONS, REFERENCES, metric="cider"))
    assert "dog (1 time, in 1 of 3 images): 1.0986 × 1.0986" in text
    weights = textgauge.CiderWeights([*REFERENCES, ["a dog"]])
    one = textgauge.explain(["a dog"], [["a dog"]], metric="cider", metric_options={"idf": weights})
    assert "a dog (1 time, in 2 of 4 images)" in str(one)
    assert one.score == textgauge.cider(["a dog"], [["a dog"]], idf=weights)["cider"]
