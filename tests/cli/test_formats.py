"""Every format of the same segments gives the same score."""

import gzip
import json
from itertools import product

import pyarrow as pa
import pyarrow.parquet
import pytest
import textgauge
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from textgauge import sample
from textgauge.checks import listed
from textgauge.files.file import InputFile
from textgauge.files.lines import FileError
from textgauge.files.rows import BadRows, NamedColumn


@pytest.fixture
def expected(corpus, write):
    rows = [{"prediction": hyp, "reference": ref} for hyp, ref in zip(*corpus, strict=True)]
    write("rows.json", json.dumps(rows))
    write("indented.json", json.dumps(rows, indent=2))
    return {"bleu": textgauge.bleu(*corpus), "rouge": textgauge.rouge(*corpus)}


# Files, or "-" with the file that is read as standard input.
SIDES = [
    *(f"{hyp} -r ref.txt" for hyp in ("hyp.txt", "crlf.txt", "unended.txt", "marked.txt", "hyp.txt.gz")),
    *("rows.jsonl", "rows.jsonl.gz", "rows.csv", "rows.tsv", "rows.parquet", "rows.json", "indented.json"),
    *("rows.csv -r ref.txt", "hyp.txt -r rows.parquet", "rows.jsonl -r rows.jsonl"),
    *("- -r ref.txt < hyp.txt", "- --format jsonl < rows.jsonl", "hyp.txt -r - < ref.txt"),
]


@pytest.mark.parametrize("sides", SIDES)
def test_every_format_has_the_same_scores(metrics, expected, tmp_path, sides):
    files, _, piped = sides.partition(" < ")
    stdin = (tmp_path / piped).read_text() if piped else None
    assert metrics("score", "-m", "bleu", "-m", "rouge", *files.split(), stdin=stdin) == expected


def test_several_references(metrics, write):
    hyps = ["a b c d", "e f"]
    first, second = ["a b c d e", "x"], ["a b", "e f"]
    expected = textgauge.bleu(hyps, [list(refs) for refs in zip(first, second, strict=True)], max_order=2)
    for name, texts in (("hyp", hyps), ("ref1", first), ("ref2", second)):
        write(name, texts)
    write("rows.jsonl", [dict(zip("hxy", row, strict=True)) for row in zip(hyps, first, second, strict=True)])
    order = ("score", "-m", "bleu", "--max-order", 2)
    assert metrics(*order, "-p", "hyp", "-r", "ref1", "-r", "ref2")["bleu"] == expected
    fields = ("--prediction-field", "h", "--reference-field", "x", "--reference-field", "y")
    assert metrics(*order, "-p", "rows.jsonl", *fields)["bleu"] == expected


def test_lists_of_references(metrics, write):
    hyps, refs = sample.columns("translations")
    mixed = [texts if len(texts) > 1 else texts[0] for texts in refs]
    write("rows.jsonl", [{"prediction": h, "reference": r} for h, r in zip(hyps, mixed, strict=True)])
    write("rows.parquet", {"prediction": hyps, "reference": refs})
    for name in ("rows.jsonl", "rows.parquet"):
        assert metrics("score", "-m", "rouge", "-p", name)["rouge"] == textgauge.rouge(hyps, refs)


@pytest.mark.parametrize(
    "column",
    [
        pa.array(["a b", "c"], pa.large_string()),
        pa.array(["a b", "c"]).dictionary_encode(),
        pa.array(["a b", "c"], pa.string_view() if hasattr(pa, "string_view") else pa.string()),
    ],
    ids=str,
)
def test_text_columns_of_parquet(metrics, write, column):
    rows = write("rows.parquet", {"prediction": column, "reference": column})
    assert metrics("score", "-m", "rouge", "-p", rows)["rouge"]["rouge1"] == 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.text(st.sampled_from("ab\u00e4\v\f\x1c\x85\x00\r\n\u2028\U0001f600\ufeff"), max_size=12), max_size=6),
    st.sampled_from(["", "\n", "\r\n"]),
    st.integers(3, 9),
)
def test_lines_agree_with_the_definition(tmp_path, block_bytes, pieces, end, block):
    """Lines end at newlines, with or without a carriage return; no line follows the last newline."""
    text = "\n".join(pieces) + end
    (tmp_path / "text").write_bytes(text.encode())
    block_bytes(block)
    lines = text.removeprefix("\ufeff").split("\n")
    expected = [line.removesuffix("\r") for line in (lines if lines[-1] else lines[:-1])]
    blocks = InputFile(str(tmp_path / "text"), [], "text").blocks(BadRows())
    assert [line for block in blocks for line in block.columns[0].texts] == expected


def test_csv_values_stay_text(run, tmp_path):
    """Numbers, dates, NA, true and quoted newlines are text; an empty value is an empty text."""
    rows = 'prediction,reference\n1.50,1.50\n2020-01-01,2020-01-01\nNA,NA\ntrue,true\n"a\nb ""c""","a\nb ""c"""\n,x\n'
    (tmp_path / "rows.csv").write_text(rows)
    result = run("score", "-m", "rouge", "--rouge-types", "rouge1", "--per-segment", "-b", "-p", "rows.csv")
    assert result.stdout == "1.0000\n" * 5 + "0.0000\n"


@pytest.mark.slow
def test_a_segment_of_ten_megabytes(run, tmp_path):
    text = "word " * 2_000_000
    (tmp_path / "hyp").write_text(text)
    (tmp_path / "ref.csv").write_text(f"reference\n{text}\n")
    arguments = ("score", "-m", "bleu", "--max-order", 1, "--tokenizer", "whitespace", "-b", "-p", "hyp", "-r")
    assert run(*arguments, "ref.csv").stdout == "1.0000\n"


def test_lists_in_csv(run, write):
    write("rows.csv", "prediction,reference\na cat sat here,\"['a cat is', 'a cat']\"\na dog,\"['the dog']\"\n")
    result = run("score", "rows.csv", "-m", "chrf")
    assert result.exit_code == 0
    assert result.stderr.startswith("textgauge: warning: references look like printed lists of texts")
    assert result.stderr.count("\n") == 1


ROWS = [("a b", "a c"), ("d", "d"), ("e f g", "e x")]
LAST = {
    "x.txt": "{0}\n", "x.jsonl": '{{"id": {2}, "prediction": "{0}", "reference": "{1}"}}\n', "x.trn": "{0} ({2})\n",
    "x.kaldi": "{2} {0}\n", "x.csv": "{0},{1}\n", "x.tsv": "{0}\t{1}\n", "quoted.csv": '"{0}","{1}"\n',
    "quoted.tsv": '"{0}"\t"{1}"\n', "one.tsv": "{0}\n",
}  # fmt: skip
HEADS = {"x.csv": "prediction,reference\n", "quoted.csv": '"prediction","reference"\n', "one.tsv": "prediction\n",
         "x.tsv": "prediction\treference\n", "quoted.tsv": "prediction\treference\n"}  # fmt: skip


@pytest.mark.parametrize("name", LAST)
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
@pytest.mark.parametrize("n_bytes", [1, 1 << 20])
def test_the_last_row_counts_whatever_ends_it(write, tmp_path, block_bytes, name, end, n_bytes):
    """In every format, of one row or several, in blocks that end anywhere, packed or not."""
    block_bytes(n_bytes)
    form = name.partition(".")[2] if name in ("x.trn", "x.kaldi") else None
    for n_rows in (1, 3):
        lines = (LAST[name].format(*row, i) for i, row in enumerate(ROWS[:n_rows]))
        data = (HEADS.get(name, "") + "".join(lines)).removesuffix("\n") + end
        for packed in ("", ".gz"):
            path = str(tmp_path / write(name + packed, gzip.compress(data.encode()) if packed else data.encode()))
            fields = [NamedColumn("prediction")] + [NamedColumn("reference")] * (name in HEADS and name != "one.tsv")
            file = InputFile(path, fields, form, quoting="csv" if "quoted" in name else None)
            columns = [column.texts.tolist() for column in file.columns()]
            assert columns == [[row[i] for row in ROWS[:n_rows]] for i in range(len(fields))]


# Of each form of a file: what comes before its rows, good and bad rows, what rows are called, and how it is read.
FORMS = {
    "x.txt": ("", "a", "\udcff", "line", {}),
    "x.jsonl": ("\n \n", '{"prediction": "a"}', "{}", "line", {}),
    "x.json": ("[", '{"prediction": "a"},', "5,", "object", {}),
    "x.trn": ("\n;; (c)\n", "a (i)", "a", "line", {"file_format": "trn"}),
    "x.kaldi": ("\n", "i a", "i \udcff", "line", {"file_format": "kaldi"}),
    "x.csv": ("id,prediction\n\n", '1,"a\nb"', "1", "line", {}),
    "none.csv": ("id,prediction\n\n", "1,a", "1", "line", {"quoting": "none"}),
    "x.tsv": ("id\tprediction\n", "1\ta", "1", "line", {}),
    "quoted.tsv": ("id\tprediction\n", '1\t"a\n\n"', "1\t2\t3", "line", {"quoting": "csv"}),
    "x.parquet": ("", "a", None, "row", {}),
}
PLACES = [{6}, {1, 8}, {1, 2, 3, 4, 5}, {1, 2, 3, 5, 7, 8}]


@pytest.mark.parametrize("name", [*FORMS, *(f"{name}.gz" for name in FORMS if name != "x.parquet")])
def test_bad_rows_have_their_numbers(write, tmp_path, monkeypatch, block_bytes, name):
    """In every format, in blocks that end anywhere: one bad row, those that are all named, and more of them."""
    monkeypatch.chdir(tmp_path)
    before, good, wrong, item, read = FORMS[name.removesuffix(".gz")]
    for places, (n_bytes, n_rows) in product(PLACES, [(1, 1), (40, 3), (1 << 20, 2)]):
        block_bytes(n_bytes)
        monkeypatch.setattr("textgauge.files.rows.BLOCK_ROWS", n_rows)
        rows = [wrong if i in places else good for i in range(9)]
        if item == "row":
            write(name, {"prediction": rows})
        else:
            text = (before + "\n".join(rows) + "]" * (item == "object")).replace(",]", "]")
            data = text.encode("utf-8", "surrogateescape")
            write(name, gzip.compress(data) if name.endswith("gz") else data)
        # A value may go on in the next lines.
        n_above = [(before * (item == "line") + "".join(map(str, rows[:i]))).count("\n") for i in range(len(rows))]
        numbers = [1 + i + n_above[i] for i in sorted(places)]
        bad, file = BadRows(), InputFile(name, [NamedColumn("prediction")], **read)
        assert sum(block.n_rows for block in file.blocks(bad)) == len(rows)
        with pytest.raises(FileError) as caught:
            bad.check()
        message, those = str(caught.value), [f"{item} {number}" for number in numbers[:5]]
        assert message.startswith((f"{name}, {those[0]}: ", f"{name}, {those[0]}, field")), message
        several = f" ({len(numbers)} bad rows, {'the first 5 are ' * (len(numbers) > 5)}{listed(those)})"
        assert message.endswith(several) if len(numbers) > 1 else "bad row" not in message


@pytest.mark.parametrize(
    ("field", "prediction"),
    [
        ("filtered_resps", ["42"]), ("filtered_resps.0", ["42"]), ("filtered_resps.1", ["x", "42"]),
        ("resps.0.0", None), ("doc.answers.1", None),
    ],
)  # fmt: skip
def test_a_list_of_one_text_is_that_text_and_others_are_read_by_number(metrics, write, field, prediction):
    """As lm-evaluation-harness writes samples."""
    rows = [
        {"filtered_resps": [*(prediction or ["42"])[:-1], answer], "resps": [[answer]], "target": "42",
         "doc": {"answers": ["no", answer]}}
        for answer in ("42", "43", "42", "42")
    ]  # fmt: skip
    write("samples.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    write("samples.json", json.dumps(rows))
    flags = ("--prediction-field", field, "--reference-field", "target", "-m", "exact_match")
    for name in ("samples.jsonl", "samples.json"):
        assert metrics("score", "-p", name, *flags)["exact_match"] == {"exact_match": 0.75}


def test_a_column_of_lists_of_one_text(metrics, tmp_path):
    table = pa.table({"prediction": [["a"], ["b"]], "reference": ["a", "c"]})
    pyarrow.parquet.write_table(table, tmp_path / "lists.parquet")
    assert metrics("score", "lists.parquet", "-m", "exact_match")["exact_match"] == {"exact_match": 0.5}
