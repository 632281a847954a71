"""What is written: a file keeps its mode, and JSON has no infinity."""

import csv
import json
import math
import os
import stat
from collections import namedtuple
from datetime import date

import pyarrow.parquet
import pytest
from textgauge.cli.output import rounded, write_whole


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664])
def test_a_file_that_is_written_anew_keeps_its_mode(tmp_path, mode):
    path = tmp_path / "page.json"
    path.write_text("old")
    path.chmod(mode)
    write_whole(path, "new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", mode)
    assert os.listdir(tmp_path) == ["page.json"]


@pytest.mark.parametrize("width", [None, 4])
@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_json_has_null_for_what_is_not_finite(value, width):
    assert rounded({"a": [value, 0.5]}, width) == {"a": [None, 0.5]}


def test_json_rounds_scores_alone_and_has_objects_for_named_tuples():
    test = namedtuple("Test", ("difference", "p", "interval"))(0.1234, 0.1234, (0.1234, 1))
    exact = dict.fromkeys(("power", "p_holm", "wins", "confidence"), 0.1234)
    expected = {"a": {"difference": 0.12, "p": 0.1234, "interval": [0.12, 1]}, **exact}
    assert rounded({"a": test, **exact}, 2) == expected


def test_a_date_of_parquet_is_kept_as_text(run, tmp_path):
    columns = {"prediction": ["a"], "reference": ["a"], "day": [date(2026, 11, 30)]}
    pyarrow.parquet.write_table(pyarrow.table(columns), tmp_path / "rows.parquet")
    assert run("score", "rows.parquet", "-m", "wer", "-o", "out.csv", "--keep", "day").exit_code == 0
    assert [row["day"] for row in csv.DictReader(tmp_path.joinpath("out.csv").read_text().splitlines())] == [
        "2026-11-30"
    ]


def test_rows_are_the_same_in_every_form(run, write, tmp_path, monkeypatch):
    """Of two systems in blocks of few rows, one of them bad: in the order of systems, then of segments."""
    monkeypatch.setattr("textgauge.files.rows.BLOCK_ROWS", 2)
    texts = ["a b", "c", "a b c", "", "d e", "b"]
    rows = [{"prediction": text, "reference": "a b c", "tag": f"t,{i}"} for i, text in enumerate(texts)]
    write("one.jsonl", [*rows[:3], {"prediction": 5}, *rows[3:]])
    write("two.jsonl", [rows[0], *rows[::-1]])
    words = ("score", "one.jsonl", "two.jsonl", "-r", "two.jsonl", "-m", "rouge1", "nist_mt", "--keep", "tag")
    forms = {
        "json": lambda path: json.loads(path.read_text()),
        "jsonl": lambda path: [*map(json.loads, path.read_text().splitlines())],
        "csv": lambda path: [*csv.DictReader(path.read_text().splitlines())],
        "parquet": lambda path: pyarrow.parquet.read_table(path).to_pylist(),
    }
    found = []
    for form, read in forms.items():
        assert run(*words, "--skip-bad", "-o", f"out.{form}").exit_code == 0
        found.append([{name: str(value) for name, value in row.items()} for row in read(tmp_path / f"out.{form}")])
    assert [[row["system"], row["segment"], row["tag"]] for row in found[0]] == [
        [f"{system}.jsonl", str(segment), f"t,{i}"] for system in ("one", "two")
        for i, segment in enumerate((1, 2, 3, 5, 6, 7))
    ]  # fmt: skip
    assert found == found[:1] * len(forms)
