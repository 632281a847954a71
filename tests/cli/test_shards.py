"""A folder, or a pattern of names, is one system; suffixes that are not read."""

import csv
import gzip
import json

import pyarrow as pa
import pyarrow.parquet
import pytest

from cli.conftest import says

BLEU = ("score", "-m", "bleu", "--json")


@pytest.fixture
def shards(tmp_path, corpus):
    """The rows of the sample in three files of each format, each format in a folder of its own."""
    rows = [{"prediction": h, "reference": r} for h, r in zip(*corpus, strict=True)]
    for name in ("parquet", "jsonl", "csv"):
        (tmp_path / name).mkdir()
    for i in range(3):
        part = rows[8 * i : 8 * i + 8]
        pa.parquet.write_table(pa.Table.from_pylist(part), tmp_path / f"parquet/part-{i}.snappy.parquet")
        with gzip.open(tmp_path / f"jsonl/part-{i}.jsonl.gz", "wt") as file:
            file.write("".join(json.dumps(row) + "\n" for row in part))
        with open(tmp_path / f"csv/part-{i}.csv", "w", newline="") as file:
            writer = csv.DictWriter(file, ["prediction", "reference"])
            writer.writeheader()
            writer.writerows(part)
    # What Spark leaves beside its shards.
    (tmp_path / "parquet" / "_SUCCESS").touch()
    (tmp_path / "parquet" / ".part-0.parquet.crc").write_bytes(b"crc")
    (tmp_path / "csv" / "_part-3.csv").write_text("prediction,reference\nno row,of the system\n")
    return tmp_path


@pytest.mark.parametrize(
    "name", ["parquet", "parquet/part-*.parquet", "jsonl", "jsonl/part-?.jsonl.gz", "jsonl/*", "csv"]
)
def test_shards_are_one_system(run, shards, name):
    expected = run(*BLEU, "rows.jsonl").stdout
    assert run(*BLEU, name).stdout == expected
    assert run(*BLEU, name, "-r", "ref.txt").stdout == expected
    assert run(*BLEU, "hyp.txt", "-r", name).stdout == expected


def test_systems_of_shards_are_compared(run, shards):
    printed = run("compare", "-m", "bleu", "hyp.txt", "parquet/", "-r", "jsonl/*", "-n", 100).stdout
    assert " hyp.txt " in printed
    assert " parquet " in printed


@pytest.mark.parametrize("command", ["pairwise", "diversity"])
def test_texts_of_shards(run, shards, command):
    printed = run(command, "rows.jsonl", "--json").stdout.replace("rows.jsonl", "jsonl")
    assert run(command, "jsonl", "--json").stdout == printed != ""


def test_pattern_expanded_by_shell(refused, shards):
    message = refused("score", "csv/part-0.csv", "csv/part-1.csv")
    assert "parts of one system are a folder, or a quoted pattern" in message


def test_errors_and_warnings_name_the_shard(run, refused, shards):
    for i, ending in enumerate(("", " (x_1)")):
        (shards / f"words-{i}.txt").write_text(f"a{ending}\nb{ending.replace('1', '2')}\n")
    said = run("score", "words-*.txt", "-r", "words-*.txt", "-m", "chrf").stderr
    assert "warning: every line of words-1.txt ends with an id" in said
    (shards / "jsonl" / "part-3.jsonl").write_text(
        '{"prediction": "a", "reference": "b"}\n{"prediction": 3, "reference": ""}\n'
    )
    message = refused(*BLEU, "jsonl")
    assert says(message, "jsonl/part-3.jsonl, line 2, field 'prediction': ... got 3; --skip-bad scores the others$")
    (shards / "jsonl" / "part-3.jsonl").unlink()
    (shards / "one.txt").write_text("a\n")
    assert says(refused(*BLEU, "jsonl", "-r", "one.txt"), "one.txt: ... (24) ... got 1$")


@pytest.mark.parametrize("splits", [False, True])
def test_data_sets_on_disk_are_refused(refused, tmp_path, splits):
    datasets = pytest.importorskip("datasets")
    rows = datasets.Dataset.from_dict({"prediction": ["a"], "reference": ["b"]})
    (datasets.DatasetDict({"test": rows}) if splits else rows).save_to_disk(tmp_path / "rows")
    loaded = "datasets.load_from_disk(FOLDER)" + "[SPLIT]" * splits
    assert f"({loaded}.to_parquet(FILE) in Python" in refused(*BLEU, "rows")


def test_empty_folders_and_patterns(refused, shards):
    (shards / "texts").mkdir()
    (shards / "texts" / "hyp.txt").write_text("a\n")
    suffixes = ".csv, .json, .jsonl, .ndjson, .parquet, .pq, .seglst, .sgm, .srt, .stm, .trn, .tsv, .vtt, .wmt"
    without = f"texts is a folder without files of {suffixes}"
    message = refused(*BLEU, "texts", "-r", "ref.txt")
    assert message == f"{without}; if each of its files is one text, write them as rows of JSON Lines, each with its id"
    (shards / "texts" / "hyp.txt").unlink()
    assert refused(*BLEU, "texts", "-r", "ref.txt") == without
    assert refused(*BLEU, "no-*.jsonl") == "cannot read no-*.jsonl: no file has such a name"
    (shards / "jsonl" / "part-4.csv").write_text("prediction,reference\na,b\n")
    assert says(refused(*BLEU, "jsonl"), "jsonl: ... got jsonl/part-2.jsonl.gz and jsonl/part-4.csv$")


def test_name_with_pattern_signs(run, shards):
    (shards / "hyp[1].txt").write_bytes((shards / "hyp.txt").read_bytes())
    assert run(*BLEU, "hyp[1].txt", "-r", "ref.txt").stdout == run(*BLEU, "hyp.txt", "-r", "ref.txt").stdout
