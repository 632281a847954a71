"""Equal to the recorded figures of the reference modules, and live to rouge_score and sacrebleu."""

import gzip
import json

import pytest
import textgauge

pytestmark = pytest.mark.filterwarnings("ignore:.*not empty but")


def recorded(path):
    return json.loads(gzip.decompress(path.read_bytes()))


def test_recorded_bleu(shared):
    data = recorded(shared / "oracles/reference_bleu.json.gz")
    for case in data["cases"]:
        predictions = [data["predictions"][i] for i in case["segments"]]
        references = [data["references"][i] for i in case["segments"]]
        if case["references"] == "first":
            references = [refs[0] for refs in references]
        result = textgauge.bleu(predictions, references, **{k: case[k] for k in ("tokenizer", "max_order", "smooth")})
        if "raises" in case:
            assert result["bleu"] == 0
        else:
            assert result == {k: pytest.approx(v, abs=1e-12, rel=0) for k, v in case["result"].items()}


@pytest.mark.filterwarnings("ignore:`use_stemmer=True` has no effect")
def test_recorded_rouge(shared):
    data = recorded(shared / "oracles/reference_rouge.json.gz")
    for case in data["per_segment"] + data["aggregated"]:
        references = data["references"] if case["references"] == "all" else [r[0] for r in data["references"]]
        result = textgauge.rouge(
            data["predictions"],
            references,
            rouge_types=list(case["result"]),
            use_stemmer=case["use_stemmer"],
            tokenizer=None if case["tokenizer"] == "default" else str.split,
            **({"aggregator": "bootstrap", "seed": case["seed"]} if "seed" in case else {"use_aggregator": False}),
        )
        assert result == {k: pytest.approx(v, abs=1e-12, rel=0) for k, v in case["result"].items()}
