"""MetricX through every face, with tiny models: lower is better, and texts in three columns."""

import json
import pickle
import re
import warnings

import numpy as np
import pytest
import textgauge
from click.testing import CliRunner
from textgauge.cli.main import main
from textgauge.rewards import Reward

from .conftest import options_of

HYPS = ["the cat sat on the mat", "a dog", "one, two: three!", "sat on", "cat and dog", "mat"]
REFS = ["a cat sat on a mat", "the dog barks", "one two", "mat", "a dog", "cat"]
SRCS = ["cat mat", "dog", "two three", "cat", "b", "c"]
COLUMNS = {"prediction_column": "h", "reference_column": "r", "source_column": "s"}


@pytest.fixture
def expected(usual):
    return textgauge.metricx(HYPS, REFS, sources=SRCS, per_segment=True, **usual)


def test_corpus_score(usual, expected):
    assert type(expected["metricx"]) is float
    assert expected["metricx"] == pytest.approx(np.mean(expected["segment_metricx"]), abs=1e-12)
    assert all(0 <= one <= 25 for one in expected["segment_metricx"])
    found = textgauge.metricx(HYPS, REFS, sources=SRCS, confidence=0.9, **usual)
    low, high = found["confidence_intervals"]["metricx"]
    assert low < found["metricx"] < high
    assert textgauge.segment_scores(textgauge.Metricx(**usual), HYPS, REFS, sources=SRCS) == pytest.approx(
        expected["segment_metricx"], abs=5e-5
    )


def test_the_lowest_reference_counts(usual):
    groups = [[reference, "the cat", hyp] for reference, hyp in zip(REFS, HYPS, strict=True)]
    each = [
        textgauge.segment_scores(textgauge.Metricx(**usual), HYPS, [one[i] for one in groups], sources=SRCS)
        for i in range(3)
    ]
    found = textgauge.segment_scores(textgauge.Metricx(**usual), HYPS, groups, sources=SRCS)
    assert found == pytest.approx(np.min(each, axis=0), abs=5e-5)
    assert np.abs(np.ptp(each, axis=0)).max() > 0.1


@pytest.mark.filterwarnings("ignore:`sources` are not given")
def test_columns_are_those_of_the_form(usual, qe, saved):
    only = options_of(saved("23")[0])
    with pytest.raises(ValueError, match="^sources: .*references.*got None"):
        textgauge.metricx(HYPS, **usual)
    with pytest.raises(ValueError, match="^sources: expected a text for every prediction, with which"):
        textgauge.metricx(HYPS, **qe)
    with pytest.raises(ValueError, match="^`references` cannot be given, since .*23-qe.* does not use references"):
        textgauge.metricx(HYPS, REFS, sources=SRCS, **qe)
    with pytest.raises(ValueError, match="^`sources` cannot be given, since .* does not use sources"):
        textgauge.metricx(HYPS, REFS, sources=SRCS, **only)
    for options, given in (
        (usual, {"references": REFS}), (usual, {"sources": SRCS}), (only, {"references": REFS}),
        (qe, {"sources": SRCS}),
    ):  # fmt: skip
        assert 0 <= textgauge.metricx(HYPS, **given, **options)["metricx"] <= 25


def test_what_is_warned_of(usual, qe, monkeypatch):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        textgauge.metricx(["", " ", "cat"], ["a", "b", "cat " * 1600], **usual)
    messages = [str(one.message) for one in caught]
    assert messages == [
        "2 predictions are empty; MetricX scores such a text like any other.",
        f"1 segment is longer than the 1536 tokens that {usual['model_id']} takes, and was cut.",
        f"`sources` are not given: {usual['model_id']} was trained with sources, and may judge worse without.",
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        textgauge.metricx(["cat"], ["a"], sources=["b"], **usual)
        textgauge.metricx(["cat"], sources=["b"], **qe)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"model_id": 3}, TypeError, "model_id: .*got 3"),
        ({"encoder": None}, TypeError, "encoder: .*got None"),
        ({"form": "22"}, ValueError, "form: .*got '22'"),
        ({"dtype": "float16"}, ValueError, "dtype: .*got 'float16'"),
        ({"batch_size": 0}, ValueError, "batch_size: .*got 0"),
        ({"device": "cpu", "device_map": "auto"}, ValueError, "`device_map` cannot be given with `device`"),
        ({"device": "nowhere"}, ValueError, "device: .*got 'nowhere'"),
    ],
)
def test_wrong_options(usual, options, error, message):
    with pytest.raises(error, match=f"^{message}"):
        textgauge.metricx(HYPS, REFS, sources=SRCS, **{**usual, **options})


def test_batches_merge_pickle_and_are_stored(usual, expected):
    first = textgauge.Metricx(**usual).update(HYPS[:2], REFS[:2], sources=SRCS[:2])
    second = pickle.loads(pickle.dumps(textgauge.Metricx(**usual))).update(HYPS[2:], REFS[2:], sources=SRCS[2:])
    both = first + second
    assert both.score()["metricx"] == pytest.approx(expected["metricx"], abs=5e-5)
    stored = textgauge.Metricx.from_arrow(both.to_arrow(), **usual)
    assert (stored.score(), stored.signature) == (both.score(), both.signature)
    with pytest.raises(ValueError, match="^other: .*got 'bfloat16'"):
        both + textgauge.Metricx(**usual, dtype="bfloat16")


def test_a_signature_says_what_moves_scores(usual, qe):
    of_both = textgauge.Metricx(**usual).update(HYPS, REFS, sources=SRCS).signature
    assert re.match(r"nrefs:1\|model:.*\|sha256:[0-9a-f]{12}\|form:24\|dtype:float32\|src:yes\|version:", of_both)
    assert "|form:23-qe|dtype:float32|src:yes|" in textgauge.Metricx(**qe).update(HYPS, sources=SRCS).signature
    half = textgauge.Metricx(**usual, dtype="bfloat16").update(HYPS, REFS, sources=SRCS).signature
    assert "|dtype:bfloat16|" in half


@pytest.mark.filterwarnings("ignore:two systems differ in only")
def test_a_comparison_prefers_the_lower(usual, expected):
    [result] = textgauge.compare([HYPS, REFS], REFS, sources=SRCS, metric=textgauge.Metricx(**usual), n_resamples=100)
    assert result.score1 == pytest.approx(expected["metricx"], abs=5e-5)
    assert result.score2 == pytest.approx(textgauge.metricx(REFS, REFS, sources=SRCS, **usual)["metricx"], abs=5e-5)


def test_pairs_and_the_best_of_many(usual):
    matrix = textgauge.pairwise(HYPS[:3], REFS[:2], sources=SRCS[:3], metric=textgauge.Metricx(**usual))
    expected = [
        textgauge.segment_scores(textgauge.Metricx(**usual), HYPS[:3], [ref] * 3, sources=SRCS[:3]) for ref in REFS[:2]
    ]
    assert matrix == pytest.approx(np.transpose(expected), abs=5e-5)
    best = textgauge.mbr(HYPS[:3], references=REFS[:2], sources=SRCS[0], metric=textgauge.Metricx(**usual))
    same = textgauge.pairwise(HYPS[:3], REFS[:2], sources=[SRCS[0]] * 3, metric=textgauge.Metricx(**usual))
    assert best.best == same.mean(axis=1).argmin()


def test_reward_of_lowest_score(usual, expected):
    scores = np.array(expected["segment_metricx"])
    found = Reward(textgauge.Metricx(**usual), source="src")(completions=HYPS, answer=REFS, src=SRCS)
    assert found == pytest.approx(1 - scores / 25, abs=5e-5)
    own = Reward(textgauge.Metricx(**usual), source="src", scale="metric")
    assert own(completions=HYPS, answer=REFS, src=SRCS) == pytest.approx(scores, abs=5e-5)
    assert own.lowest == 25.0
    assert own(completions=["", None], answer=REFS[:2], src=SRCS[:2])[1] == 25.0


def test_rows_of_a_data_set(usual, expected):
    datasets = pytest.importorskip("datasets")
    rows = datasets.Dataset.from_dict({"h": HYPS, "r": REFS, "s": SRCS})
    found = textgauge.score_dataset(rows, textgauge.Metricx(**usual), batch_size=4, **COLUMNS)
    assert found["metricx"] == pytest.approx(expected["metricx"], abs=5e-5)
    added = textgauge.scorer(textgauge.Metricx(**usual), **COLUMNS)({"h": HYPS, "r": REFS, "s": SRCS})
    assert added["metricx"] == pytest.approx(expected["segment_metricx"], abs=5e-5)


def test_an_explanation(usual, expected):
    found = textgauge.explain(HYPS, REFS, sources=SRCS, metric=textgauge.Metricx(**usual))
    assert found.score == pytest.approx(expected["metricx"], abs=5e-5)
    assert [one.score for one in found.segments] == pytest.approx(expected["segment_metricx"], abs=5e-5)
    assert [name for name, _ in found.segments[0].texts] == ["prediction", "source", "reference"]


def test_the_trainer_takes_sources_from_the_inputs(usual, tmp_path):
    pytest.importorskip("transformers")
    from textgauge.trainer import compute_metrics
    from tiny_models import save_tokenizer
    from transformers import EvalPrediction

    tokenizer = save_tokenizer(tmp_path)
    tokenizer.pad_token = tokenizer.bos_token

    def ids(texts):
        rows = [tokenizer(text)["input_ids"] for text in texts]
        return np.array([row + [tokenizer.pad_token_id] * (60 - len(row)) for row in rows])

    compute = compute_metrics(tokenizer, textgauge.Metricx(**usual))
    found = compute(EvalPrediction(ids(HYPS), ids(REFS), inputs=ids(SRCS)))
    assert found["metricx"] == pytest.approx(textgauge.metricx(HYPS, REFS, sources=SRCS, **usual)["metricx"], abs=5e-5)


@pytest.fixture
def typed(tmp_path, monkeypatch, usual):
    """A function that runs a command line among files of texts, and returns its result."""
    monkeypatch.chdir(tmp_path)
    for name, texts in (("hyp", HYPS), ("ref", REFS), ("src", SRCS)):
        (tmp_path / f"{name}.txt").write_text("\n".join(texts) + "\n")

    def run(*words):
        model = ["-m", "metricx", f"model_id={usual['model_id']}", f"encoder={usual['encoder']}"]
        return CliRunner().invoke(main, [*words, *model])

    return run


@pytest.mark.filterwarnings("ignore:two systems differ in only")
def test_the_command_line_reads_sources(typed, expected):
    result = typed("score", "hyp.txt", "-r", "ref.txt", "-s", "src.txt", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)["metrics"]["metricx"]["metricx"]
    assert found == pytest.approx(expected["metricx"], abs=5e-5)
    result = typed("compare", "hyp.txt", "ref.txt", "-r", "ref.txt", "-s", "src.txt", "-n", "100")
    assert result.exit_code == 0, result.output
    assert "lower is better" in result.output
    result = typed("explain", "hyp.txt", "-r", "ref.txt", "-s", "src.txt", "-o", "page.html")
    assert result.exit_code == 0, result.output
    result = typed("mbr", "hyp.txt", "-s", "src.txt")
    assert result.exit_code == 2


def test_the_card_says_what_happens(saved, run_card):
    folder, _ = saved("24")
    assert run_card("metricx", {"metricx-24-tiny": folder, "mt5": folder.parent / "mt5"}) == 4


def test_the_module(usual, qe, tmp_path, expected):
    metric = textgauge.load("metricx", usual["model_id"], encoder=usual["encoder"], cache_dir=tmp_path)
    given = {"sources": SRCS, "predictions": HYPS, "references": REFS}
    result = metric.compute(**given)
    assert result == {"metricx": pytest.approx(expected["metricx"], abs=5e-5)}
    metric.add_batch(**given)
    assert metric.compute() == result
    assert pickle.loads(pickle.dumps(metric)).compute(**given) == result
    # As COMET's: the module leaves out references that the model does not use.
    without = textgauge.load("metricx", qe["model_id"], encoder=qe["encoder"], cache_dir=tmp_path)
    assert without.compute(**given) == without.compute(sources=SRCS, predictions=HYPS)


def test_its_page(usual):
    from pathlib import Path

    from textgauge.apps.inputs import choices_of
    from textgauge.apps.tasks import MetricTask
    from textgauge.report import explain_page

    task = MetricTask(Path(textgauge.path("metricx")))
    assert [*task.texts] == ["predictions", "references", "sources", "unit"]
    example = dict(zip(task.texts, task.example(), strict=True))
    assert example["unit"] == ""
    shown = [usual.get(one.name, next(iter(choices_of(one)), one.default)) for one in task.settings]
    report = task.report("metricx", example, dict.fromkeys(task.texts), shown)[0]
    assert 0 <= report.systems[0].score <= 25
    assert "How bad would people say" in explain_page(report)
