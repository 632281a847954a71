"""Whatever cannot be scored ends in exit code 2 and one line with the file, the place, and what is wrong there."""

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pytest

from cli.conftest import says

BLEU = ("score", "-m", "bleu")
GOOD = '{"prediction": "a", "reference": "b", "about": [{"by": 1}]}\n'
TWICE = '{"prediction": "b", "reference": "b", "prediction": "a"}'
ESCAPED = '{"prediction": "a", "reference": "b", "\\u0070rediction": "a"}'
PACKED = gzip.compress(b"text\n" * 100_000, mtime=0)
COLUMN = "field 'reference': expected a text or a non-empty list of texts"
OBJECT = "expected a JSON object on every line"
LINES = "expected as many lines as ref.txt has (2)"
# A name, what it holds, and how the answer goes on behind the name. Texts are references for two segments.
FILES = [
    ("x.txt", "x\n", f": {LINES}, got 1"),
    ("x.txt", "x\ny\nz", f": {LINES}, got 3"),
    ("x.txt", "\n\n\n\n", f": {LINES}, got 4; the last line of x.txt is empty"),
    ("x.txt", "x\r\ny\r\n\r\n", f": {LINES}, got 3; the last line of x.txt is empty$"),
    ("x.txt", "\n", f": {LINES}, got 1$"),
    ("x.txt", "a\rb\r", f": {LINES}, got 1; x.txt has carriage returns, but no newlines, between its lines$"),
    ("x.txt", "a\r\n", f": {LINES}, got 1$"),
    ("x.txt", "x\n\ny\n", f": {LINES}, got 3$"),
    ("x.txt.gz", gzip.compress(b"x\ny\n\n", mtime=0), f": {LINES}, got 3$"),
    *((f"x.{kind}", "", ": the file is empty") for kind in ("txt", "csv", "jsonl")),
    ("x.csv", "prediction,reference\n", ": the file is empty"),
    ("x.jsonl", " \n\n", ": the file is empty"),
    ("x.parquet", {"prediction": pa.array([], pa.string()), "reference": pa.array([], pa.string())}, ": the file is"),
    ("x.parquet", "text", ": ... Parquet file, got"),
    ("x.txt", b"a\n\nbad \xff byte\n", ", line 3: ... got the byte 0xff"),
    ("x.txt.gz", gzip.compress(b"a\n\nbad \xff byte\n", mtime=0), ", line 3: ... got the byte 0xff"),
    ("x.csv", b"prediction,reference\na,b\nbad \xff byte\n", ", line 3: ... got the byte 0xff"),
    ("x.jsonl", GOOD.encode() * 2 + b"bad \xff byte\n", ", line 3: ... got the byte 0xff"),
    ("x.txt", b"word\n" * 1_000_000 + b"half \xc3", ", line 1000001: ... got the byte 0xc3"),
    ("x.txt", PACKED, ": ... got gzip: unpack it, or give it a name that ends in .gz"),
    *(("x.txt.gz", content, ": cannot read the whole file: ") for content in (b"no gzip", PACKED[:-20], PACKED[:50])),
    ("x.csv", "prediction,reference,reference\na,b,c\n", ": ... 'reference' ... got 2 of that name"),
    ("x.csv", "prediction,reference\na,b\nc\n", ', line 3: ... (2) ... got 1: ["'),
    ("x.csv", 'prediction,reference\na,"b\nc\n', ", lines 2 to 3: ... got unexpected end of data"),
    ("x.jsonl", f'{GOOD}\n{{"prediction": "a"}}', ", line 3: there is no field 'reference', only 'prediction'; --skip"),
    ("x.jsonl", GOOD + '{"prediction": "a", "reference": }', f", line 2: {OBJECT}, got broken JSON at column 34: E"),
    ("x.jsonl", GOOD + '["a", "b"]', f', line 2: {OBJECT}, got ["a", "b"]'),
    ("x.jsonl", GOOD + "[" * 200_000, f", line 2: {OBJECT}, got JSON that Python cannot read: "),
    ("x.jsonl", GOOD + TWICE, ", line 2: ... 'prediction' ... got 2 of that name"),
    ("x.jsonl", GOOD + ESCAPED, ", line 2: ... 'prediction' ... got 2 of that name"),
    ("x.json", f"[{GOOD},{GOOD}, {TWICE}]", ", object 3: ... 'prediction' ... got 2 of that name"),
    ("x.json", f"[{GOOD},3]", ", object 2: ... got 3"),
    ("x.json", f'[{GOOD},{{"prediction": 3, "reference": ""}}]', ", object 2, field 'prediction': ... got 3"),
    ("x.json", f"[{GOOD},", ": ... got broken JSON at line 2"),
    ("x.jsonl", [{"prediction": ["a", "b"], "reference": "b"}],
     ", line 1, field 'prediction': ... (join tokens ... --tokenizer whitespace, ... 'prediction.0'), got ["),
    ("x.jsonl", [{"prediction": ["a b", "b"], "reference": "b"}],
     ", line 1, field 'prediction': ... (join the texts, ... 'prediction.0'), got ["),
    ("x.parquet", {"prediction": [["a", "b"]], "reference": ["b"]},
     ", row 1, field 'prediction': ... (join tokens ... --tokenizer whitespace), got ["),
    *(("x.jsonl", GOOD + json.dumps({"prediction": "a", "reference": value}), f", line 2, {COLUMN}, got")
      for value in (None, 1, 1.5, True, {}, [], [None], ["a", 2], [["a"]], "\ud800", ["\udfff"])),
    *(("x.parquet", {"prediction": ["a", "b"], "reference": column}, f", row {row}, {COLUMN}, got")
      for row, column in ((2, ["a", None]), (2, [["a"], []]), (2, [["a"], ["b", None]]), (2, [["a"], None]),
                          (1, [1, 2]), (1, [b"a", b"b"]))),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "message"), FILES, ids=lambda part: str(part)[:50])
def test_bad_file_is_named(refused, write, name, content, message):
    write("ref.txt", ["a", "b"])
    sides = ("ref.txt", "-r", name) if ".txt" in name else (name,)
    write(name, content)
    assert says(refused(*BLEU, *sides), f"{name}{message}")


def test_the_empty_last_line_is_that_of_the_longer_file(refused, write):
    sides = write("hyp.txt", "a\nb\n\n"), "-r", write("ref.txt", "a\nb\n")
    assert refused(*BLEU, *sides).endswith("as hyp.txt has (3), got 2; the last line of hyp.txt is empty")


def test_unequal_lengths_of_two_formats(refused, corpus, write):
    message = refused(*BLEU, "rows.csv", "-r", write("two.txt", ["a", "b"]))
    assert says(message, "two.txt: ... rows.csv ... (24) ... got 2$")


@pytest.mark.slow
def test_unequal_lengths_beyond_a_block(refused, write):
    short, long = write("short.txt", "word\n" * 900_000), write("long.txt", "word\n" * 2_000_001)
    assert refused(*BLEU, "-p", short, "-r", long).endswith("got 2000001")
    assert refused(*BLEU, "-p", long, "-r", short).endswith("got 900000")


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.csv", "rows.tsv", "rows.parquet"])
def test_unknown_field(refused, corpus, name):
    message = refused(*BLEU, "-p", name, "--prediction-field", "summary")
    place = f"{name}, line 1" if name == "rows.jsonl" else name
    assert message == (
        f"{place}: there is no field 'summary', only 'other', 'reference', 'prediction'; "
        "choose one with --prediction-field"
    )


def test_answer_twice_in_squad(refused, write):
    predictions = write("answers.json", '{\n"1": "a",\n"2": "b",\n"1": "c"}\n')
    references = write("gold.jsonl", [{"id": "1", "answers": {"text": ["a"], "answer_start": [0]}}])
    message = refused("score", "-m", "token_f1", "--format", "squad", "-p", predictions, "-r", references)
    assert says(message, "answers.json, object 1: ... '1' ... got 2 of that name$")


def test_suffixes_and_commas(run, corpus, write):
    write("ROWS.JSONL.GZ", Path("rows.jsonl.gz").read_bytes())
    expected = run("score", "rows.jsonl", "-m", "bleu", "chrf", "--json").stdout
    assert expected == run("score", "ROWS.JSONL.GZ", "-m", "bleu,chrf", "--json").stdout != ""
