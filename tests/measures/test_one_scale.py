"""A name is one metric with one scale through every face, that of the Hub's module, and one score of a segment."""

import json
import math
from functools import partial

import numpy as np
import pyarrow as pa
import pytest
import sacrebleu
import textgauge
from cli.conftest import run, write  # noqa: F401
from declared import APART, COUNTED, adds_up, reads_sources, sources_of
from textgauge.accumulation.accumulator import accumulator_of
from textgauge.accumulation.named_score import NamedScore
from textgauge.accumulation.registry import METRICS
from textgauge.accumulation.running import RunningScore
from textgauge.input.columns import corpus_of
from textgauge.metric import Score, Scores
from textgauge.metric.metric import with_defaults
from textgauge.report import Report
from textgauge.resampling import PairedOptions
from textgauge.resampling.compare import compare_accumulators
from textgauge.spark.rows import RowScores
from textgauge.trainer import compute_metrics
from toys import DriftMetric, Words

# The last text is equal to its reference.
HYPS = ["the cat sat on the mat today", "a dog barks at the door", "it rains and pours", "a cat is on the mat"]
REFS = [
    ["the cat is on the mat today", "a cat"], ["the dog barks at the door"], ["it rains"], ["a cat is on the mat"] * 2,
]  # fmt: skip
WORDS = sorted({word for text in [*HYPS, *(ref for group in REFS for ref in group)] for word in text.split()})
COLUMNS = {"prediction_column": "hyp", "reference_column": "ref"}


def ids(texts):
    rows = np.zeros((len(texts), 9), np.int64)
    for row, text in zip(rows, texts, strict=True):
        row[: len(text.split())] = [WORDS.index(word) + 1 for word in text.split()]
    return rows


def headline(name):
    """The key of the score that calls name by the metric; of several types one that each of them returns."""
    named = NamedScore.of("rougeL" if METRICS[name].scores.named(name) is None else name)
    return named.key, METRICS[name].scores.top


# Of every score: its key, its name where -m takes another, the perfect one, and the scale; "<": lower is better, "?":
# right or wrong alone. The first one is the headline unless a star says which.
SCALES = {
    "bleu": "bleu 1 of 0-1", "sacrebleu": "sacrebleu 100 of 0-100",
    "rouge": "rouge1 1 of 0-1, rouge2 1 of 0-1, rougeL 1 of 0-1, rougeLsum 1 of 0-1",
    "chrf": "chrf 100 of 0-100", "ter": "ter < 0 of 0-inf",
    "meteor": "meteor 1 of 0-1", "meteor15": "meteor15 1 of 0-1",
    "wer": "wer < 0 of 0-inf, mer < 0 of 0-1, wil < 0 of 0-1, wip 1 of 0-1", "cer": "cer < 0 of 0-inf",
    "token_f1": "precision= 1 of 0-1, recall= 1 of 0-1, *f1=token_f1 1 of 0-1, "
    "exact_match=token_f1_exact_match ? 1 of 0-1",
    "squad": "exact_match= ? 100 of 0-100, *f1=squad 100 of 0-100",
    "squad_v2": "exact= ? 100 of 0-100, *f1=squad_v2 100 of 0-100",
    "perplexity": "corpus_perplexity=perplexity < None of 1-inf",
    "bertscore": "precision= 1 of 0-1, recall= 1 of 0-1, *f1=bertscore 1 of 0-1",
    "comet": "comet None of 0-inf", "metricx": "metricx < 0 of 0-25",
    "bleurt": "bleurt None of 0-inf", "consistency": "consistency 1 of 0-1",
    "frugalscore": "frugalscore None of 0-inf", "exact_match": "exact_match ? 1 of 0-1",
    "math_answer": "math_answer ? 1 of 0-1", "google_bleu": "google_bleu 1 of 0-1", "nist_mt": "nist_mt None of 0-inf",
    "sari": "sari 100 of 0-100", "character": "character < 0 of 0-1", "charcut_mt": "charcut_mt < 0 of 0-1",
    "cider": "cider None of 0-10",
    "anls": "anls 1 of 0-1", "vqa_accuracy": "vqa_accuracy None of 0-1", "code_eval": "code_eval ? None of 0-1",
    "relaxed_accuracy": "relaxed_accuracy ? 1 of 0-1", "teds": "teds 1 of -1-1",
    "cpwer": "cpwer < 0 of 0-inf, ordered_wer < 0 of 0-inf",
    "cuad": "exact_match= ? 100 of 0-100, *f1=cuad 100 of 0-100",
}  # fmt: skip


def scale_of(scores, score):
    name = "" if score.name == score.key else f"={score.name}"
    marks = " <" * (not score.higher_is_better) + " ?" * score.is_binary
    perfect = None if score.perfect is None else f"{score.perfect * scores.scale:g}"
    star = "*" * (score.key == scores.headline != scores[0].key)
    return f"{star}{score.key}{name}{marks} {perfect} of {score.least:g}-{score.largest * scores.scale:g}"


@pytest.mark.parametrize("name", METRICS)
def test_scales_and_directions(name):
    scores = with_defaults(METRICS[name]).scores
    assert ", ".join(scale_of(scores, score) for score in scores) == SCALES.get(name, f"{name} has no line in SCALES")


@pytest.mark.parametrize("name", [name for name in COUNTED if name not in ("rouge", "squad_v2")])
def test_keys_of_a_result_are_documented(name):
    text = getattr(textgauge, name).__doc__.partition("Returns\n")[2].partition("Raises\n")[0]
    result = getattr(textgauge, name)(HYPS, REFS, **sources_of(name, HYPS))
    assert [key for key in result if f"``{key}``" not in text] == []


def test_scores_that_begin_below_zero():
    forms = {form: textgauge.Consistency(form=form).metric.scores for form in ("minicheck", "alignscore", "summac-zs")}
    assert {form: [score.least for score in scores] for form, scores in forms.items()} == {
        "minicheck": [0.0], "alignscore": [0.0], "summac-zs": [-1.0],
    }  # fmt: skip


@pytest.mark.parametrize("name", COUNTED)
def test_every_face_has_the_same_number(name):
    key, top = headline(name)
    sources, accumulator = sources_of(name, HYPS), accumulator_of(METRICS[name])
    result = getattr(textgauge, name)(HYPS, REFS, **sources, per_segment=True, confidence=0.9)
    score = result[key]
    end = top if with_defaults(METRICS[name]).scores[0].perfect is not None else math.inf
    assert top / 100 < score < end
    assert type(score) is float
    bounds = result.get("confidence_interval") or result["confidence_intervals"][key]
    assert 0 <= bounds[0] <= score <= bounds[1] <= end
    assert bounds[0] < bounds[1]
    if not adds_up(name):
        return
    counted = accumulator().update(HYPS, REFS, **sources)
    assert (counted + accumulator()).score()[key] == score
    if reads_sources(name):
        return
    firsts = [group[0] for group in REFS]
    trained = compute_metrics(Words(*WORDS), [name])((ids(HYPS), ids(firsts)))
    assert trained[key] == getattr(textgauge, name)(HYPS, firsts)[key]


@pytest.mark.filterwarnings("ignore:.*differ in only")
@pytest.mark.parametrize("name", [name for name in COUNTED if METRICS[name].scores.named(name) is not None])
def test_a_comparison_has_the_same_numbers(name):
    key, top = headline(name)
    sources, better = sources_of(name, HYPS), [group[0] for group in REFS]
    [result] = textgauge.compare([HYPS, better], REFS, **sources, metric=name)
    scores = [getattr(textgauge, name)(hyps, REFS, **sources)[key] for hyps in (HYPS, better)]
    assert [result.score1, result.score2] == scores
    assert result.stat == pytest.approx(scores[1] - scores[0], rel=1e-12)
    for bounds, score in ((result.confidence_interval1, scores[0]), (result.confidence_interval, result.stat)):
        assert bounds[0] <= score <= bounds[1]
        # To CUAD all texts that have half of their words in common are alike.
        assert max(map(abs, bounds)) > top / 100 or name == "cuad"


@pytest.mark.filterwarnings("ignore:.*differ in only")
def test_what_no_scale_multiplies():
    class CountedDrift(DriftMetric):
        """A drift beside a count of the segment."""

        name = "counted_drift"
        scores = Scores(Score("level", "counted_drift", perfect=0.0, largest=0.0), scale=10.0, unscaled=("seen",))

        def formula(self, rows):
            return {"level": rows["level"], "seen": rows["level"] * 0 + 3.0}

    counted = accumulator_of(CountedDrift)(base=2).update(["a", "abc"], ["abc", "abc"])
    found = counted.score(per_segment=True, confidence=0.9, counts=True)
    assert (found["level"], found["segment_level"]) == (-5.0, [-10.0, 0.0])
    assert (found["seen"], found["segment_seen"]) == (3.0, [3.0, 3.0])
    assert [*found["confidence_intervals"]] == ["level"]
    # Of two segments it is wider than their scores, by the factor of `few_units`; no scale cuts it.
    assert found["confidence_intervals"]["level"] == pytest.approx([-32.14221154758874, 22.14221154758874])
    running = RunningScore(accumulator_of(CountedDrift)(base=2))
    for pair in (("a", "abc"), ("abc", "abc")):
        running.update_corpus(corpus_of(*([text] for text in pair)))
    assert running.score() == {"level": -5.0, "seen": 3.0}
    assert counted.score(counts=True)["counts"] == {"level": -1.0}
    # Nor an interval of a difference, of scores that lie beyond it.
    other = accumulator_of(CountedDrift)(base=2).update(["ab", "ab"], ["abc", "abc"])
    [result] = compare_accumulators([counted, other], "level")
    assert result.confidence_interval[0] < result.stat < result.confidence_interval[1]


# Shorter than BLEU's highest order, where the score of a corpus of one segment is 0.
SHORT = ["a cat", "the dog barks", "it rains and rains again", "no"]
SHORT_REFS = ["a cat", "a dog barks", "it rains and pours again", "yes"]
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
    expected = textgauge.segment_scores(named, SHORT, SHORT_REFS).tolist()
    accumulator = kind(**options).update(SHORT, SHORT_REFS)
    rows = {"hyp": SHORT, "ref": SHORT_REFS}
    worker = RowScores((kind(**options),), ("hyp", "ref"), (0, 1), ((key,),))
    write("rows.jsonl", [json.dumps(dict(zip(rows, row, strict=True))) for row in zip(SHORT, SHORT_REFS, strict=True)])
    words = [f"{one}={value}" for one, value in options.items()]
    arguments = ("score", "-m", metric, *words, "rows.jsonl", *FIELDS)
    shown = json.loads(run(*arguments, "--per-segment", "--json").stdout)["metrics"][name]
    run(*arguments, "-o", "out.jsonl")
    written = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    test = PairedOptions(confidence=None)
    report = Report.of(["a"], [METRICS[name].inputs.read(SHORT, SHORT_REFS)], [(kind(**options), key)], test)
    of_module = {"smoothing": "smooth_method", "effective_order": "use_effective_order"} if name == "sacrebleu" else {}
    given = {of_module.get(one, one): value for one, value in options.items()}
    loaded = textgauge.load(name).compute(predictions=SHORT, references=SHORT_REFS, per_segment=True, **given)
    explained = textgauge.explain(SHORT, SHORT_REFS, metric=named)
    faces = {
        "function": getattr(textgauge, name)(SHORT, SHORT_REFS, per_segment=True, **options)[f"segment_{key}"],
        "accumulator": accumulator.segment_columns()[key].tolist(),
        "sum": (kind(**options) + accumulator).score(per_segment=True)[f"segment_{key}"],
        "stored": accumulator_of(METRICS[name]).from_arrow(accumulator.to_arrow()).segment_columns()[key].tolist(),
        "module": loaded[f"segment_{key}"],
        "scorer": textgauge.scorer(named, **COLUMNS)(rows)[key].tolist(),
        "Spark": [*worker([pa.RecordBatch.from_pydict(rows)])][0].column("score0").to_pylist(),
        "pairwise": textgauge.pairwise(SHORT, SHORT_REFS, metric=named).diagonal().tolist(),
        "reward": textgauge.rewards.Reward(named, scale="metric")(completions=SHORT, answer=SHORT_REFS),
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
        expected = [tool.sentence_score(hyp, [ref]).score for hyp, ref in zip(SHORT, SHORT_REFS, strict=True)]
        for effective_order in (False, True):
            found = textgauge.sacrebleu(
                SHORT, SHORT_REFS, per_segment=True, smoothing=smoothing, effective_order=effective_order
            )
            assert found["segment_sacrebleu"] == pytest.approx(expected, abs=1e-12)
    unchosen = textgauge.bleu(SHORT, SHORT_REFS, per_segment=True, reference_length="closest")
    assert unchosen["segment_bleu"] == pytest.approx(
        [sacrebleu.sentence_bleu(hyp, [ref]).score / 100 for hyp, ref in zip(SHORT, SHORT_REFS, strict=True)], abs=1e-12
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
