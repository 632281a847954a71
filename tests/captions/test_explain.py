"""The explanation of CIDEr: its steps lead to the score."""

import pytest
import textgauge

REFERENCES = [["a man on a horse", "a rider on a brown horse"], ["a dog on the grass"], ["two dogs run"]]
PREDICTIONS = ["a man on a brown horse", "a dog", "two dogs run"]


@pytest.mark.parametrize("variant", ["D", "plain", "R"])
def test_steps_lead_to_the_score(variant):
    found = textgauge.explain(PREDICTIONS, REFERENCES, metric=textgauge.Cider(variant=variant))
    scores = textgauge.cider(PREDICTIONS, REFERENCES, variant=variant, per_segment=True)
    assert [part.score for part in found.segments] == scores["segment_cider"]
    for part in found.segments:
        means = [step.value for step in part.steps if step.label.startswith("mean")]
        assert part.score == pytest.approx(10 * sum(means) / len(means), rel=1e-12)
    assert found.score == pytest.approx(scores["cider"], rel=1e-12)


def test_ngrams_have_numbers_of_images():
    found = textgauge.explain(PREDICTIONS, REFERENCES, metric="cider").segments[1]
    shown = [example for step in found.steps for example in step.examples or ()]
    assert "dog (1 time, in 1 of 3 images): 1.0986 × 1.0986" in shown
    weights = textgauge.CiderWeights([*REFERENCES, ["a dog"]])
    one = textgauge.explain(["a dog"], [["a dog"]], metric=textgauge.Cider(idf=weights))
    assert "a dog (1 time, in 2 of 4 images)" in str(one)
    assert one.score == textgauge.cider(["a dog"], [["a dog"]], idf=weights)["cider"]


def marked(text, found):
    return [text[match.start : match.end] for match in found]


def test_rewritten_words_keep_places():
    text = 'He said "wait" (¼ of us)… don\'t — etc.'
    other = "Ours: “wait” (1/4 of us)... don’t -- etc."
    [found] = textgauge.matches([text], [other], metric="bleu(tokenizer='ptb')")
    assert marked(text, found.prediction) == [
        '"', "wait", '"', "(", "¼", "of", "us", ")", "…", "do", "n't", "—", "etc.", "."
    ]  # fmt: skip
    assert marked(other, found.references[0])[:9] == ["“", "wait", "”", "(", "1/4", "of", "us", ")", "..."]


def test_marks_of_ngrams():
    text, references = "A (brown) dog on grass", ["a dog", "one (brown) dog"]
    [found] = textgauge.matches([text], [references], metric="cider")
    assert [(text[one.start : one.end], one.weight) for one in found.prediction] == [
        ("A", 1), ("(", 4), ("brown", 4), (")", 4), ("dog", 4)
    ]  # fmt: skip
    assert [marked(*sides) for sides in zip(references, found.references, strict=True)] == [
        ["a", "dog"], ["(", "brown", ")", "dog"]
    ]  # fmt: skip
    assert not found.is_alone
