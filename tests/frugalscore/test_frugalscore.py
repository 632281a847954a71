"""FrugalScore against the definition of the Hub's module, on a tiny model."""

import re

import pytest
import textgauge
from tiny_models import save_pair_model
from warned import warned

INSTALL = 'needs torch and transformers: pip install -e ".[consistency]"'
HYPS = ["the cat sat on the mat", "a dog", "", "one, two: three! " * 20, "the cat"]
REFS = ["a cat sat on a mat", "the dog barks at the cat", "coffee", "naïve cafés " * 3, "the cat " * 40]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    torch = pytest.importorskip("torch", reason=INSTALL)
    pytest.importorskip("transformers", reason=INSTALL)
    torch.set_num_threads(1)
    place = tmp_path_factory.mktemp("frugalscore") / "frugalscore-tiny"
    save_pair_model(place, 1)
    yield place
    textgauge.models.clear_models()


def of_the_hub(folder, predictions, references, max_length):
    """What the Hub's module computes, without its Trainer: padded pairs, prediction first, cut longest first."""
    import torch
    import transformers as hf

    tokenizer = hf.AutoTokenizer.from_pretrained(folder)
    model = hf.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    given = tokenizer(
        predictions, references, max_length=max_length, truncation=True, padding=True, return_tensors="pt"
    )
    with torch.inference_mode():
        return model(**given).logits.squeeze(-1).numpy()


@pytest.mark.parametrize("max_length", [64, 20, 5])
@pytest.mark.filterwarnings("ignore::textgauge.checks.CountWarning")
def test_the_figures_of_the_hub(folder, max_length, tmp_path):
    expected = of_the_hub(folder, HYPS, REFS, max_length)
    metric = textgauge.load("frugalscore", str(folder), cache_dir=tmp_path)
    found = metric.compute(predictions=HYPS, references=REFS, max_length=max_length, batch_size=2)
    assert found == {"scores": pytest.approx(expected, abs=2e-6)}
    own = textgauge.frugalscore(HYPS, REFS, model_id=folder, max_length=max_length)
    assert own == {"frugalscore": pytest.approx(expected.mean(), abs=2e-6)}


def test_notes_references_signature_and_errors(folder, tmp_path):
    assert warned(textgauge.frugalscore, HYPS, REFS, model_id=folder, max_length=20) == [
        "1 prediction is empty; FrugalScore scores such a text like any other.",
        f"2 pairs are longer than the 20 tokens that {folder} takes, and were cut.",
    ]
    two = textgauge.segment_scores(textgauge.FrugalScore(model_id=folder), HYPS[:1], [REFS[:2]])
    each = textgauge.segment_scores(textgauge.FrugalScore(model_id=folder), HYPS[:1] * 2, REFS[:2])
    assert two[0] == pytest.approx(max(each), abs=1e-6)
    signed = textgauge.FrugalScore(model_id=folder, max_length=32).update(HYPS[:2], REFS[:2]).signature
    assert re.search(r"^nrefs:1\|model:.*\|sha256:[0-9a-f]{12}\|max:32\|dtype:float32\|", signed)
    with pytest.raises(TypeError, match="^references: expected texts, which frugalscore needs, got None|references"):
        textgauge.frugalscore(HYPS, model_id=folder)
    save_pair_model(tmp_path / "two", 2)
    with pytest.raises(ValueError, match="^model_id: expected a FrugalScore model, got .* with 2 outputs"):
        textgauge.frugalscore(HYPS, REFS, model_id=tmp_path / "two")


def test_the_card_says_what_happens(folder, run_card):
    assert run_card("frugalscore", {"frugalscore-tiny": folder}) == 3
