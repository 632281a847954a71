"""The commands that measure costs and metrics beside other tools, on few texts and without the tools."""

import gzip
import json
import re
import shutil

import numpy as np
import pytest
import textgauge
from click.testing import CliRunner
from quick import first
from textgauge.input.columns import Corpus
from textgauge.metric.notes import Notes

from comparisons import captions_cost, cuad_cost, notes_cost


@pytest.mark.parametrize("metric", first(2, ["bertscore", "perplexity", "comet", "metricx", "consistency"]))
@pytest.mark.filterwarnings("ignore:two systems differ in only")
def test_calls_that_are_measured(metric, tmp_path):
    for name in ("torch", "transformers", "yaml", "sentencepiece", "google.protobuf"):
        pytest.importorskip(name, reason="needs what the extras comet and metricx bring")
    from comparisons import learned_cost

    subject = learned_cost.SUBJECTS[metric]
    subject.save(tmp_path, 64, 2)
    columns = (subject.made_up or learned_cost.made_up)(3)
    if not subject.has_sources:
        columns = columns._replace(sources=None)
    seconds, scores = learned_cost.ours(metric, tmp_path, columns, is_one_call=False)
    assert seconds > 0
    assert np.shape(scores) == (len(columns.systems), 3)
    assert np.std(scores) > 0
    if metric == "perplexity":
        assert learned_cost.differs([[2.0, 0.5]], [[1.0, 0.25]]) == 1.0
    if metric == "perplexity" or len(columns.systems) == 1:
        return
    _, means = learned_cost.ours(metric, tmp_path, columns, is_one_call=True)
    assert np.array(means) == pytest.approx(np.mean(scores, axis=1, keepdims=True), abs=5e-5)
    textgauge.models.clear_models()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:two systems differ in only")
@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_the_command_prints_throughput_and_memory(device, tmp_path):
    torch = pytest.importorskip("torch", reason="needs torch")
    pytest.importorskip("transformers", reason="needs transformers")
    if device == "cuda" and not torch.cuda.is_available():
        pytest.skip("torch finds no CUDA device")
    from click.testing import CliRunner

    from comparisons import learned_cost

    learned_cost.save_bert(tmp_path, 64, 2)
    given = ["bertscore", "--model", str(tmp_path), "--segments", "5", "--rounds", "1", "--device", device]
    result = CliRunner().invoke(learned_cost.main, given)
    assert result.exit_code == 0, result.output
    assert "/s)" in result.output
    assert "peak memory, GB" in result.output
    assert ("bfloat16" in result.output) == (device == "cuda")


LINES = [
    "a man rides a brown horse",
    "two dogs run on the grass",
    "one cat sits near a window",
    "people walk in a park",
]


@pytest.fixture
def rows(tmp_path, monkeypatch):
    monkeypatch.setattr(captions_cost, "N_IMAGES", 4)
    path = tmp_path / "rows.jsonl.gz"
    texts = [f"{line} {word}" for word in ("here", "today", "now") for line in LINES]
    written = "".join(json.dumps({"prediction": one, "reference": one[2:]}) + "\n" for one in texts)
    path.write_bytes(gzip.compress(written.encode()))
    yield path
    # The command takes one thread.
    textgauge.set_num_threads(None)


def test_captions_are_cut_and_grouped(rows):
    predictions, references = captions_cost.captions_of(rows)
    assert (len(predictions), [len(group) for group in references]) == (4, [5] * 4)
    assert predictions[0] == "a man rides a brown horse here x"
    assert references[0][:2] == ["man rides a brown horse here x", "two dogs run on the grass here x"]


def test_figures_that_differ_are_told(capsys):
    captions_cost.check({"CIDEr": 1.0, "METEOR": 0.5}, {"CIDEr": 1.0, "METEOR": 0.5 + 1e-12})
    assert capsys.readouterr().out == ""
    captions_cost.check({"CIDEr": 1.0, "METEOR": 0.5}, {"CIDEr": 1.1, "METEOR": 0.6})
    assert capsys.readouterr().out == "CIDEr differs: 1.0, the tool 1.1\nMETEOR differs: 0.5, the tool 0.6\n"


# Java starts, twice.
@pytest.mark.slow
def test_both_sides_are_timed_and_agree(rows, capsys):
    pytest.importorskip("pycocoevalcap.bleu", reason="no pycocoevalcap, which is measured")
    if shutil.which("java") is None:
        pytest.skip("no Java, which pycocoevalcap needs")
    captions_cost.main(rows)
    lines = capsys.readouterr().out.splitlines()
    assert "differs" not in "".join(lines)
    assert lines[0].startswith("4 captions, 5 references each; ")
    table = [line.split(" | ") for line in lines if line.startswith("|")]
    assert [row[0] for row in table] == ["| ", "| ---", "| tokens and CIDEr-D", "| the whole table"]
    assert all(float(cell.rstrip(" |s")) >= 0 for row in table[2:] for cell in row[1:])


SCRIPT = """
def compute_score(dataset, predictions):
    [question] = dataset[0]["paragraphs"][0]["qas"]
    assert [*predictions] == [question["id"]]
    return {FIGURES}
"""


def test_both_sides_are_timed_and_compared(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(cuad_cost, "N_QUESTIONS", 1)
    expected = textgauge.cuad(*cuad_cost.questions_of(1))
    for figures, said in ((expected, "equal"), ({}, "differ")):
        (tmp_path / "compute_score.py").write_text(SCRIPT.replace("{FIGURES}", repr(figures)))
        assert cuad_cost.main(tmp_path / "compute_score.py") == (said == "equal")
        first, _, *table = capsys.readouterr().out.splitlines()
        assert first.startswith(f"1 questions, figures {said}; ")
        assert len(table) == 3
    textgauge.set_num_threads(None)


def test_questions():
    predictions, references = cuad_cost.questions_of(300)
    assert [row["id"] for row in predictions] == [row["id"] for row in references]
    assert sum("Parties" in row["id"] for row in references) == 100
    assert {len(row["prediction_text"]) for row in predictions} == {1, 2, 3, 4, 5}


def test_answers(capsys):
    from comparisons import answers_cost

    answers_cost.main(30)
    lines = capsys.readouterr().out.splitlines()
    assert [re.split(r" {2,}", line)[0] for line in lines] == [
        "anls", "vqa_accuracy", "vqa_accuracy textvqa", "relaxed_accuracy",
    ]  # fmt: skip


def test_tables(capsys):
    for package in ("lxml", "apted"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    from comparisons import tables_cost

    tables_cost.main([20])
    assert float(capsys.readouterr().out.split()[-1]) < 1e-15


def test_every_metric_has_a_line(tmp_path):
    rows = tmp_path / "rows.jsonl"
    texts = [{"prediction": f"the cat {i} sat", "references": [f"a cat {i} sat", "it sat"]} for i in range(5)]
    rows.write_text("\n".join(map(json.dumps, texts)))
    run = CliRunner().invoke(notes_cost.main, [str(rows), "--rounds", "1"], catch_exceptions=False)
    _, _, heads, _, *lines = run.output.splitlines()
    assert heads == "|  | without looking, ms | looking, ms | share |"
    assert [line.split(" | ")[0].removeprefix("| ") for line in lines] == [*notes_cost.METRICS]
    figures = [[float(cell.strip("| %")) for cell in line.split(" | ")[1:]] for line in lines]
    assert {*map(len, figures)} == {3}
    assert (Notes.examine, Corpus.are_contents_due) == (notes_cost.EXAMINE, notes_cost.DUE)
