"""The score of a segment is one number, whichever face shows it: the sentence form of its metric."""

import json
from functools import partial

import pyarrow as pa
import pytest
import sacrebleu
import textgauge
from cli.conftest import run, write  # noqa: F401
from declared import APART
from textgauge.accumulation.accumulator import accumulator_of
from textgauge.accumulation.named_score import NamedScore
from textgauge.accumulation.registry import METRICS
from textgauge.report import Report
from textgauge.resampling import PairedOptions
from textgauge.spark.rows import RowScores

# Shorter than BLEU's highest order, where the score of a corpus of one segment is 0.
HYPS = ["a cat", "the dog barks", "it rains and rains again", "no"]
REFS = ["a cat", "a dog barks", "it rains and pours again", "yes"]
COLUMNS = {"prediction_column": "hyp", "reference_column": "ref"}
FIELDS = ["--prediction-field", "hyp", "--reference-field", "ref"]
CASES = [
    *((name, {}) for name in APART),
    ("sacrebleu", {"effective_order": True}), ("sacrebleu", {"smoothing": "floor"}), ("bleu", {"smoothing": "add-k"}),
    ("bleu", {"effective_order": True, "lowercase": True}), ("bleu", {"preset": "nltk"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_every_face_shows_the_same_score_of_a_segment(name, options, run, write, tmp_path):  # noqa: F811
    metric = "rougeL" if name == "rouge" else name
    named = NamedScore(metric, options)
    kind, key = partial(accumulator_of(METRICS[name]), **named.fixed), named.key
    expected = textgauge.segment_scores(named, HYPS, REFS).tolist()
    accumulator = kind(**options).update(HYPS, REFS)
    rows = {"hyp": HYPS, "ref": REFS}
    worker = RowScores((kind(**options),), ("hyp", "ref"), (0, 1), ((key,),))
    write("rows.jsonl", [json.dumps(dict(zip(rows, row, strict=True))) for row in zip(HYPS, REFS, strict=True)])
    words = [f"{one}={value}" for one, value in options.items()]
    arguments = ("score", "-m", metric, *words, "rows.jsonl", *FIELDS)
    shown = json.loads(run(*arguments, "--per-segment", "--json").stdout)["metrics"][name]
    run(*arguments, "-o", "out.jsonl")
    written = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    test = PairedOptions(confidence=None)
    report = Report.of(["a"], [METRICS[name].inputs.read(HYPS, REFS)], [(kind(**options), key)], test)
    of_module = {"smoothing": "smooth_method", "effective_order": "use_effective_order"} if name == "sacrebleu" else {}
    given = {of_module.get(one, one): value for one, value in options.items()}
    loaded = textgauge.load(name).compute(predictions=HYPS, references=REFS, per_segment=True, **given)
    explained = textgauge.explain(HYPS, REFS, metric=named)
    faces = {
        "function": getattr(textgauge, name)(HYPS, REFS, per_segment=True, **options)[f"segment_{key}"],
        "accumulator": accumulator.segment_columns()[key].tolist(),
        "sum": (kind(**options) + accumulator).score(per_segment=True)[f"segment_{key}"],
        "stored": accumulator_of(METRICS[name]).from_arrow(accumulator.to_arrow()).segment_columns()[key].tolist(),
        "module": loaded[f"segment_{key}"],
        "scorer": textgauge.scorer(named, **COLUMNS)(rows)[key].tolist(),
        "Spark": [*worker([pa.RecordBatch.from_pydict(rows)])][0].column("score0").to_pylist(),
        "pairwise": textgauge.pairwise(HYPS, REFS, metric=named).diagonal().tolist(),
        "reward": textgauge.rewards.Reward(named, scale="metric")(completions=HYPS, answer=REFS),
        "command": shown[f"segment_{key}"],
        "rows": [row[key] for row in written],
        "page": report.systems[0].segment_scores.tolist(),
        "sums": [one.score for [one] in report.sections[0].sums],
        "explain": [one.score for one in explained.segments],
    }
    assert {face: scores for face, scores in faces.items() if scores != expected} == {}


def test_segments_of_bleu_are_those_of_sacrebleu():
    for smoothing in ("exp", "floor", "none"):
        tool = sacrebleu.BLEU(smooth_method=smoothing, effective_order=True)
        expected = [tool.sentence_score(hyp, [ref]).score for hyp, ref in zip(HYPS, REFS, strict=True)]
        for effective_order in (False, True):
            found = textgauge.sacrebleu(
                HYPS, REFS, per_segment=True, smoothing=smoothing, effective_order=effective_order
            )
            assert found["segment_sacrebleu"] == pytest.approx(expected, abs=1e-12)
    unchosen = textgauge.bleu(HYPS, REFS, per_segment=True, reference_length="closest")
    assert unchosen["segment_bleu"] == pytest.approx(
        [sacrebleu.sentence_bleu(hyp, [ref]).score / 100 for hyp, ref in zip(HYPS, REFS, strict=True)], abs=1e-12
    )


def test_the_effective_order_changes_the_corpus_only():
    short = ["a cat"], ["a cat"]
    found = [textgauge.bleu(*short, effective_order=on, per_segment=True) for on in (False, True)]
    assert [one["bleu"] for one in found] == [0, 1]
    assert [one["segment_bleu"] for one in found] == [[1], [1]]


def test_what_scores_segments_in_another_way_is_not_added():
    with pytest.raises(ValueError, match="^other: .*'exp'.*got 'none'"):
        textgauge.Bleu() + textgauge.Bleu(smoothing="none")
    chosen = textgauge.Bleu(smoothing="none").update(["a dog"], ["a cat"])
    assert textgauge.Bleu.from_arrow(chosen.to_arrow()).segment_columns()["bleu"].tolist() == [0]
