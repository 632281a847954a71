"""Scores of segments in the form that the suffix of the output names."""

import csv
import json

import pyarrow.parquet
import pytest
import textgauge

HYPS, REFS = ["a cat sat", "the dog", 'odd, "words"'], ["a cat sits", "the dog", "odd words"]


@pytest.fixture
def files(tmp_path, write):
    write("hyp.txt", HYPS)
    write("ref.txt", REFS)
    return tmp_path


def read(path):
    if path.suffix == ".parquet":
        return pyarrow.parquet.read_table(path).to_pylist()
    if path.suffix == ".csv":
        rows = list(csv.DictReader(path.read_text().splitlines()))
        return [{key: int(v) if key == "segment" else float(v) for key, v in row.items()} for row in rows]
    text = path.read_text()
    return json.loads(text) if path.suffix == ".json" else list(map(json.loads, text.splitlines()))


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".csv", ".parquet", ".JSONL"])
def test_a_row_per_segment(suffix, files, run):
    out = files / f"rows{suffix}"
    result = run("score", "hyp.txt", "-r", "ref.txt", "-m", "chrf", "word_order=2", "rougeL", "token_f1", "-o", out)
    # The scores of the corpus are printed.
    assert (result.exit_code, result.stderr, result.stdout.startswith(" chrF2++   score")) == (0, "", True)
    chrf = textgauge.chrf(HYPS, REFS, word_order=2, per_segment=True)["segment_chrf"]
    rouge = textgauge.rouge(HYPS, REFS, rouge_types="rougeL", per_segment=True)["segment_rougeL"]
    f1 = textgauge.token_f1(HYPS, REFS, per_segment=True)["segment_f1"]
    rows = read(out.rename(files / f"rows{suffix.lower()}"))
    assert [row["segment"] for row in rows] == [1, 2, 3]
    assert [[row[key] for row in rows] for key in ("chrf", "rougeL", "f1")] == [chrf, rouge, f1]


def test_rows_of_squad(files, run):
    pairs = enumerate(zip(HYPS, REFS, strict=True))
    rows = [{"id": f"q{i}", "prediction_text": h, "answers": {"text": [r]}} for i, (h, r) in pairs]
    (files / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run("score", "rows.jsonl", "--format", "squad", "-m", "squad", "token_f1", "-w", 2, "-o", "out.jsonl")
    found = read(files / "out.jsonl")
    assert [row["id"] for row in found] == ["q0", "q1", "q2"]
    assert found[0]["squad.f1"] == 50.0
    assert found[0]["token_f1.f1"] == 0.5
    assert found[0]["precision"] == 0.5


def test_json_stays_the_whole_result(files, run):
    run("score", "hyp.txt", "-r", "ref.txt", "--json", "-o", "x.json")
    assert json.loads((files / "x.json").read_text())["metrics"]["sacrebleu"]["sacrebleu"] > 0
