"""Every format of the same segments gives the same score."""

import json

import pyarrow as pa
import pyarrow.parquet
import pytest
import textgauge
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from textgauge import sample
from textgauge.cli import files
from textgauge.cli.blocks import BadRows
from textgauge.cli.reading import Source

SIDES = ["hyp.txt", "crlf.txt", "unended.txt", "marked.txt", "hyp.txt.gz"]
ROWS = ["rows.jsonl", "rows.jsonl.gz", "rows.csv", "rows.tsv", "rows.parquet"]


def score_of(result):
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)["metrics"]


@pytest.fixture
def expected(corpus):
    return {"bleu": textgauge.bleu(*corpus), "rouge": textgauge.rouge(*corpus)}


@pytest.mark.parametrize("hyp", SIDES)
def test_plain_text(run, expected, hyp):
    assert score_of(run("score", "-m", "bleu", "-m", "rouge", "--json", "-p", hyp, "-r", "ref.txt")) == expected


@pytest.mark.parametrize("rows", ROWS)
def test_both_sides_in_one_file(run, expected, rows):
    assert score_of(run("score", "-m", "bleu", "-m", "rouge", "--json", "-p", rows)) == expected


@pytest.mark.parametrize("indent", [None, 2])
def test_a_json_array(run, refused, corpus, expected, tmp_path, indent):
    rows = [{"prediction": hyp, "reference": ref} for hyp, ref in zip(*corpus, strict=True)]
    (tmp_path / "rows.json").write_text(json.dumps(rows, indent=indent))
    assert score_of(run("score", "-m", "bleu", "-m", "rouge", "--json", "-p", "rows.json")) == expected
    for wrong, message in (
        (rows[:1] + [3], "object 2: expected a JSON object, got 3"),
        ([*rows[:1], {"prediction": 3, "reference": ""}], "object 2, field 'prediction': expected a text, got 3"),
    ):
        (tmp_path / "rows.json").write_text(json.dumps(wrong, indent=indent))
        assert refused("score", "-m", "bleu", "-p", "rows.json") == f"rows.json, {message}"
    (tmp_path / "rows.json").write_text("[\n{},\n")
    assert refused("score", "-m", "bleu", "-p", "rows.json").startswith("rows.json: expected a JSON array or object")


@pytest.mark.parametrize(("hyp", "ref"), [("rows.csv", "ref.txt"), ("hyp.txt", "rows.parquet"), (ROWS[0], ROWS[0])])
def test_formats_mix(run, expected, hyp, ref):
    assert score_of(run("score", "-m", "bleu", "--json", "-p", hyp, "-r", ref))["bleu"] == expected["bleu"]


@pytest.mark.parametrize(("source", "extra"), [("hyp.txt", ["-r", "ref.txt"]), ("rows.jsonl", ["--format", "jsonl"])])
def test_standard_input(run, expected, tmp_path, source, extra):
    result = run("score", "-m", "bleu", "--json", "-p", "-", *extra, stdin=(tmp_path / source).read_text())
    assert score_of(result)["bleu"] == expected["bleu"]


def test_references_from_standard_input(run, expected, tmp_path):
    result = run("score", "-m", "bleu", "--json", "-p", "hyp.txt", "-r", "-", stdin=(tmp_path / "ref.txt").read_text())
    assert score_of(result)["bleu"] == expected["bleu"]


@pytest.mark.parametrize("block", [7, 100, 1000])
def test_blocks_have_no_effect(run, expected, monkeypatch, block):
    monkeypatch.setattr(files, "_BLOCK", block)
    monkeypatch.setattr("textgauge.cli.blocks.BLOCK_ROWS", block)
    assert score_of(run("score", "-m", "rouge", "--json", "-p", "hyp.txt", "-r", "rows.parquet")) == {
        "rouge": expected["rouge"]
    }
    for rows in ("rows.jsonl", "rows.csv"):
        assert score_of(run("score", "-m", "rouge", "--json", "-p", rows)) == {"rouge": expected["rouge"]}


def test_several_references(run, tmp_path):
    hyps = ["a b c d", "e f"]
    first, second = ["a b c d e", "x"], ["a b", "e f"]
    expected = textgauge.bleu(hyps, [list(refs) for refs in zip(first, second, strict=True)], max_order=2)
    for name, texts in (("hyp", hyps), ("ref1", first), ("ref2", second)):
        (tmp_path / name).write_text("\n".join(texts))
    rows = [dict(zip("hxy", row, strict=True)) for row in zip(hyps, first, second, strict=True)]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    order = ("score", "-m", "bleu", "--json", "--max-order", 2)
    assert score_of(run(*order, "-p", "hyp", "-r", "ref1", "-r", "ref2"))["bleu"] == expected
    fields = ("--prediction-field", "h", "--reference-field", "x", "--reference-field", "y")
    assert score_of(run(*order, "-p", "rows.jsonl", *fields))["bleu"] == expected


def test_lists_of_references(run, tmp_path):
    hyps, refs = sample.columns("translations")
    expected = textgauge.rouge(hyps, refs)
    mixed = [texts if len(texts) > 1 else texts[0] for texts in refs]
    lines = [json.dumps({"prediction": h, "reference": r}) for h, r in zip(hyps, mixed, strict=True)]
    (tmp_path / "rows.jsonl").write_text("\n\n".join(lines))
    pa.parquet.write_table(pa.table({"prediction": hyps, "reference": refs}), tmp_path / "rows.parquet")
    for name in ("rows.jsonl", "rows.parquet"):
        assert score_of(run("score", "-m", "rouge", "--json", "-p", name))["rouge"] == expected


@pytest.mark.parametrize(
    "column",
    [
        pa.array(["a b", "c"], pa.large_string()),
        pa.array(["a b", "c"]).dictionary_encode(),
        pa.array(["a b", "c"], pa.string_view() if hasattr(pa, "string_view") else pa.string()),
    ],
    ids=str,
)
def test_text_columns_of_parquet(run, tmp_path, column):
    pa.parquet.write_table(pa.table({"prediction": column, "reference": column}), tmp_path / "rows.parquet")
    assert score_of(run("score", "-m", "rouge", "--json", "-p", "rows.parquet"))["rouge"]["rouge1"] == 1


def test_lines_end_at_newlines_only(run, tmp_path):
    r"""What str.splitlines would cut (\v, \f, \x1c, \x85, U+2028, a lone \r) stays within its segment."""
    text = "a\vb\fc\x1cd\x85e\u2028f\rg\x00h"
    (tmp_path / "hyp").write_bytes(f"{text}\n\n{text}\r\n".encode())
    (tmp_path / "ref").write_bytes(f"{text}\r\nx\n{text}".encode())
    result = run("score", "-m", "rouge", "--rouge-types", "rouge1", "--per-segment", "-b", "-p", "hyp", "-r", "ref")
    assert result.stdout == "1.0000\n0.0000\n1.0000\n"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.text(st.sampled_from("ab\u00e4\r\n\u2028\U0001f600\ufeff"), max_size=12), max_size=6),
    st.sampled_from(["", "\n", "\r\n"]),
    st.integers(3, 9),
)
def test_lines_agree_with_the_definition(tmp_path, monkeypatch, pieces, end, block):
    """Lines end at newlines, with or without a carriage return; no line follows the last newline."""
    text = "\n".join(pieces) + end
    (tmp_path / "text").write_bytes(text.encode())
    monkeypatch.setattr(files, "_BLOCK", block)
    lines = text.removeprefix("\ufeff").split("\n")
    expected = [line.removesuffix("\r") for line in (lines if lines[-1] else lines[:-1])]
    assert [
        line
        for block in Source(str(tmp_path / "text"), [], "text").blocks(BadRows())
        for line in block.columns[0].texts
    ] == expected


def test_csv_values_stay_text(run, tmp_path):
    """Numbers, dates, NA, true and quoted newlines are text; an empty value is an empty text."""
    rows = 'prediction,reference\n1.50,1.50\n2020-01-01,2020-01-01\nNA,NA\ntrue,true\n"a\nb ""c""","a\nb ""c"""\n,x\n'
    (tmp_path / "rows.csv").write_text(rows)
    result = run("score", "-m", "rouge", "--rouge-types", "rouge1", "--per-segment", "-b", "-p", "rows.csv")
    assert result.stdout == "1.0000\n" * 5 + "0.0000\n"


def test_a_segment_of_ten_megabytes(run, tmp_path):
    text = "word " * 2_000_000
    (tmp_path / "hyp").write_text(text)
    (tmp_path / "ref.csv").write_text(f"reference\n{text}\n")
    arguments = ("score", "-m", "bleu", "--max-order", 1, "--tokenizer", "whitespace", "-b", "-p", "hyp", "-r")
    assert run(*arguments, "ref.csv").stdout == "1.0000\n"
