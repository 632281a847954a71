"""Equal to the recorded figures of the reference modules, and live to rouge_score and sacrebleu."""

import gzip
import json

import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer
from strategies import text, words

pytestmark = pytest.mark.filterwarnings("ignore:.*have no token")
TYPES = ["rouge1", "rouge2", "rouge5", "rougeL", "rougeLsum"]
side = st.one_of(text, words)


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


@given(st.lists(st.tuples(side, st.lists(side, min_size=1, max_size=3)), min_size=1, max_size=4), st.booleans())
def test_rouge_score_live(corpus, use_stemmer):
    scorer = RougeScorer(TYPES, use_stemmer=use_stemmer)
    result = textgauge.rouge(
        [h for h, _ in corpus], [r for _, r in corpus], rouge_types=TYPES, use_stemmer=use_stemmer,
        use_aggregator=False, detailed=True,
    )  # fmt: skip
    for i, (hyp, refs) in enumerate(corpus):
        official = scorer.score_multi(refs, hyp)
        for kind in TYPES:
            ours = tuple(result[kind][part][i] for part in ("precision", "recall", "fmeasure"))
            assert ours == pytest.approx(tuple(official[kind]), abs=1e-12, rel=0)
