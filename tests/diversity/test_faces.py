"""Diversity as a module for `evaluate`, as a command, and as a page."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
import textgauge
from cli.conftest import refused, run  # noqa: F401
from textgauge.apps.inputs import choices_of
from textgauge.apps.tasks import SetTask

TEXTS = ["it rains today", "it rains again", "we are late", "the dog barks"]
KEYS = [1, 1, "b", "b"]
# Both groups have no text of 5 words, and none that repeats an n-gram.
ALIKE = "the intervals of distinct_3, distinct_4 and self_repetition have no width, since all draws score alike"


@pytest.fixture
def files(tmp_path):
    """The same texts in every format; numbers are keys, too."""
    rows = [{"prediction": text, "prompt": key} for text, key in zip(TEXTS, KEYS, strict=True)]
    numbers = [1, 1, 2, 2]
    made = {name: tmp_path / name for name in ("a.txt", "rows.jsonl", "lists.jsonl", "rows.parquet", "rows.csv")}
    made["a.txt"].write_text("\n".join(TEXTS) + "\n")
    made["rows.jsonl"].write_text("\n".join(map(json.dumps, rows)))
    made["lists.jsonl"].write_text("\n".join(json.dumps({"out": TEXTS[i : i + 2]}) for i in (0, 2)))
    pyarrow.parquet.write_table(pa.table({"prediction": TEXTS, "prompt": numbers}), made["rows.parquet"])
    lines = ["prediction,prompt", *(f"{text},{n}" for text, n in zip(TEXTS, numbers, strict=True))]
    made["rows.csv"].write_text("\n".join(lines))
    return made


def test_the_command_prints_what_the_function_returns(run, files):  # noqa: F811
    result = run("diversity", "a.txt", "--json", "--max-order", "2", "--lowercase", "-t", "13a", "--variant", "corpus")
    expected = {"max_order": 2, "lowercase": True, "tokenizer": "13a", "variant": "corpus"}
    [system] = json.loads(result.stdout)["systems"]
    assert (system["system"], system["texts"], system["groups"]) == ("a.txt", 4, 1)
    assert system["diversity"] == textgauge.diversity(TEXTS, **expected, signature=True)


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.parquet", "rows.csv", "lists.jsonl"])
def test_groups_are_the_keys_of_a_column_or_lists(run, files, name):  # noqa: F811
    fields = ["--prediction-field", "out"] if name == "lists.jsonl" else ["--group-field", "prompt"]
    asked = ["--confidence", "0.9", "--counts", "--per-segment"]
    done = run("diversity", name, *fields, "--json", *asked)
    [system] = json.loads(done.stdout)["systems"]
    lists = [TEXTS[:2], TEXTS[2:]]
    with pytest.warns(UserWarning, match=ALIKE):
        found = textgauge.diversity(lists, confidence=0.9, counts=True, signature=True)
    assert ALIKE in done.stderr
    assert system["diversity"] == found
    names = ["1", "b"] if name == "rows.jsonl" else ["1", "2"]
    expected = dict(zip(names, map(textgauge.diversity, lists), strict=True))
    assert system["by_group"] == expected


def test_several_files_stand_beside_each_other(run, files):  # noqa: F811
    shown = run("diversity", "a.txt", "rows.jsonl", "--homogenization", "rougeL", "-w", "2")
    found = textgauge.diversity(TEXTS, homogenization="rougeL")
    lines = [line.split() for line in shown.stdout.splitlines()]
    assert lines[0] == ["Diversity", "a.txt", "rows.jsonl"]
    assert lines[2:11] == [[key, f"{value:.2f}", f"{value:.2f}"] for key, value in found.items()]


def test_a_table_has_intervals_and_groups(run, files):  # noqa: F811
    asked = ["--group-field", "prompt", "--confidence", "0.9", "--per-segment", "--counts"]
    shown = run("diversity", "rows.jsonl", *asked).stdout
    with pytest.warns(UserWarning, match=ALIKE):
        found = textgauge.diversity([TEXTS[:2], TEXTS[2:]], confidence=0.9)
    low, high = found["confidence_intervals"]["self_bleu"]
    assert ["self_bleu", f"{found['self_bleu']:.4f}", f"[{low:.4f},", f"{high:.4f}]"] in map(
        str.split, shown.splitlines()
    )
    assert "4 texts in 2 groups, whose means these are; counts: " in shown
    assert shown.splitlines()[-2].split()[0] == "1"


def test_a_result_is_written_to_a_file(run, files, tmp_path):  # noqa: F811
    assert run("diversity", "a.txt", "-o", "out.txt").exit_code == 0
    assert "self_bleu" in (tmp_path / "out.txt").read_text()
    assert "self_bleu" in run("diversity", "-", stdin="\n".join(TEXTS)).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.txt", "--group-field", "prompt"], "--group-field has no effect: plain text has no columns"),
        (["a.txt", "--confidence", "0.9"], "a.txt: confidence: expected None for a single segment or group"),
        (["a.txt", "--variant", "x"], "diversity: variant: expected one of 'nltk', 'sacrebleu', 'corpus', got 'x'"),
        (["a.txt", "-n", "9"], "diversity: `n_resamples` has no effect without `confidence`"),
        (["rows.jsonl", "--group-field", "prediction"], "rows.jsonl: groups: expected at least 2 texts of every key"),
        (["rows.jsonl", "--group-field", "x"], "rows.jsonl, line 1: there is no field 'x'"),
        (["keyless.jsonl", "--group-field", "prompt"], "keyless.jsonl, line 2, field 'prompt'"),
        (["lists.jsonl", "--prediction-field", "out", "--group-field", "out"], "lists.jsonl has lists of texts"),
        (["no.txt"], "cannot read no.txt"),
        (["empty.txt"], "empty.txt: the file is empty"),
        (["one.txt"], "one.txt: predictions: expected at least 2 texts, got 1"),
    ],
)
def test_what_cannot_be_scored_is_refused(refused, files, tmp_path, arguments, message):  # noqa: F811
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "one.txt").write_text("a\n")
    keys = json.dumps({"prediction": "a", "prompt": 1}), json.dumps({"prediction": "a", "prompt": None})
    (tmp_path / "keyless.jsonl").write_text("\n".join(keys))
    assert refused("diversity", *arguments).startswith(message)


def test_diversity_is_no_metric_of_commands(refused, files):  # noqa: F811
    assert "a command of its own, textgauge diversity" in refused("score", "a.txt", "-m", "diversity")


def test_the_module_takes_batches_and_keys():
    metric = textgauge.load("diversity", max_order=2)
    metric.add(prediction=TEXTS[0])
    metric.add_batch(predictions=TEXTS[1:])
    assert metric.compute(groups=KEYS) == textgauge.diversity(TEXTS, groups=KEYS, max_order=2)
    assert metric.compute(predictions=TEXTS, max_order=3) == textgauge.diversity(TEXTS, max_order=3)
    with pytest.raises(TypeError, match="`references` cannot be given"):
        metric.compute(predictions=TEXTS, references=TEXTS)


def test_the_page_shows_figures():
    folder = Path(textgauge.path("diversity"))
    task = SetTask(folder)
    labels = [{value: label for label, value in reversed(choices_of(one).items())} for one in task.options]
    values = [label.get(one.default, one.default) for one, label in zip(task.options, labels, strict=True)]
    [example] = task.example()
    report, names, key = task.report("", {"predictions": example}, {"predictions": None}, values)
    figures = textgauge.diversity(example.split("\n"), signature=True)
    assert (report.figures(), list(names), key) == (figures, ["self_bleu"], "self_bleu")
    assert f"<td>{figures['distinct_1']:.4f}</td>" in task.shown(report)


def test_scores_of_groups_stand_beside_the_names_of_their_groups(run, tmp_path):  # noqa: F811
    rows = [("z", "a b"), ("z", "a b"), ("y", "c d"), ("y", "e f")]
    for shuffled in (rows, rows[::-1], [rows[i] for i in (0, 2, 1, 3)]):
        lines = (json.dumps({"prediction": text, "g": group}) + "\n" for group, text in shuffled)
        (tmp_path / "groups.jsonl").write_text("".join(lines))
        done = run("diversity", "groups.jsonl", "--group-field", "g", "--per-segment", "--json")
        by_group = json.loads(done.stdout)["systems"][0]["by_group"]
        assert (by_group["z"]["distinct_1"], by_group["y"]["distinct_1"]) == (0.5, 1)
