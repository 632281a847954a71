"""A name is one metric with one scale through every face: that of the Hub's module of its name."""

import datasets
import numpy as np
import pytest
import textgauge
from option_values import WITH_A_MODEL
from textgauge.accumulation.accumulator import accumulator_of
from textgauge.accumulation.registry import METRICS
from textgauge.trainer import compute_metrics
from toys import Words

HYPS = ["the cat sat on the mat today", "a dog barks at the door", "it rains and pours"]
REFS = [["the cat is on the mat today", "a cat"], ["the dog barks at the door"], ["it rains"]]
WORDS = sorted({word for text in [*HYPS, *(ref for group in REFS for ref in group)] for word in text.split()})
COLUMNS = {"prediction_column": "hyp", "reference_column": "ref"}
# The key of the headline, that of the module, None where it returns a number, and a score of 100 or 1 on the scale.
KEYS = {
    "bleu": ("bleu", "bleu", 1), "sacrebleu": ("sacrebleu", "score", 100), "rouge": ("rougeL", "rougeL", 1),
    "chrf": ("chrf", "score", 100), "ter": ("ter", "score", 100), "token_f1": ("f1", "f1", 1),
    "wer": ("wer", None, 1), "cer": ("cer", None, 1), "squad": ("f1", "f1", 100), "squad_v2": ("f1", "f1", 100),
    "google_bleu": ("google_bleu", "google_bleu", 1), "character": ("character", "cer_score", 1),
    "charcut_mt": ("charcut_mt", "charcut_mt", 1),
}  # fmt: skip


def ids(texts):
    rows = np.zeros((len(texts), 9), np.int64)
    for row, text in zip(rows, texts, strict=True):
        row[: len(text.split())] = [WORDS.index(word) + 1 for word in text.split()]
    return rows


def test_every_metric_with_references_is_here():
    # Folders of their own have what needs a model, test_counting_modules what needs sources or all references; no text
    # here is equal to a reference.
    with_references = {name for name, measure in METRICS.items() if measure.inputs.has_references}
    assert KEYS.keys() == with_references - WITH_A_MODEL - {"cider", "exact_match", "nist_mt", "sari"}


@pytest.mark.parametrize("name", KEYS)
def test_every_face_has_the_same_number(name):
    key, key_of_module, largest = KEYS[name]
    measure = accumulator_of(METRICS[name])
    result = getattr(textgauge, name)(HYPS, REFS, per_segment=True, confidence=0.9)
    score = result[key]
    assert largest / 100 < score < largest
    assert type(score) is float
    bounds = result.get("confidence_interval") or result["confidence_intervals"][key]
    assert largest / 100 < bounds[0] < score < bounds[1] <= largest
    counted = measure().update(HYPS, REFS)
    assert counted.score()[key] == (counted + measure()).score()[key] == score
    assert counted.segment_columns()[key].tolist() == result[f"segment_{key}"]
    of_module = textgauge.load(name).compute(predictions=HYPS, references=REFS)
    assert (of_module if key_of_module is None else of_module[key_of_module]) == score
    rows = datasets.Dataset.from_dict({"hyp": HYPS, "ref": REFS})
    assert textgauge.score_dataset(rows, name, batch_size=2, **COLUMNS)[key] == score
    added = textgauge.scorer(name, **COLUMNS)({"hyp": HYPS, "ref": REFS})
    assert added[key].tolist() == result[f"segment_{key}"]
    firsts = [group[0] for group in REFS]
    trained = compute_metrics(Words(*WORDS), [name])((ids(HYPS), ids(firsts)))
    assert trained[key] == getattr(textgauge, name)(HYPS, firsts)[key]


@pytest.mark.filterwarnings("ignore:two systems differ in only")
@pytest.mark.parametrize("name", [name for name in KEYS if name != "rouge"])
def test_a_comparison_has_the_same_numbers(name):
    key, _, largest = KEYS[name]
    better = [group[0] for group in REFS]
    [result] = textgauge.compare([HYPS, better], REFS, metric=name)
    scores = [getattr(textgauge, name)(hyps, REFS)[key] for hyps in (HYPS, better)]
    assert [result.score1, result.score2] == scores
    assert result.stat == pytest.approx(scores[1] - scores[0], rel=1e-12)
    for bounds, score in ((result.confidence_interval1, scores[0]), (result.confidence_interval, result.stat)):
        assert bounds[0] <= score <= bounds[1]
        assert max(map(abs, bounds)) > largest / 100
