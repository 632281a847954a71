"""Whatever cannot be scored ends in exit code 2 and one line that says what is wrong."""

import gzip
import json

import pyarrow as pa
import pyarrow.parquet
import pytest

BLEU = ("score", "-m", "bleu")
ROUGE = ("score", "a", "-r", "b", "-m", "rouge")


@pytest.fixture
def write(tmp_path):
    """Write a file and return its name."""

    def call(name, content):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return call


@pytest.fixture
def ref(write):
    return write("ref.txt", "a\nb\n")


def test_missing_file(refused, ref):
    assert refused(*BLEU, "-p", "nope.txt", "-r", ref) == "cannot read nope.txt: no such file or directory"
    assert refused(*BLEU, "-p", ref, "-r", "nope.parquet").startswith("cannot read nope.parquet: ")
    assert refused(*BLEU, "-p", ".", "-r", ref) == "cannot read .: is a directory"


@pytest.mark.parametrize(("lines", "got"), [("x\n", 1), ("x\ny\nz", 3), ("\n\n\n\n", 4)])
def test_unequal_lengths(refused, write, ref, lines, got):
    assert refused(*BLEU, "-p", ref, "-r", write("other.txt", lines)) == (
        f"other.txt: expected as many lines as ref.txt has (2), got {got}"
    )


def test_unequal_lengths_of_two_formats(refused, corpus, ref):
    message = refused(*BLEU, "-p", "rows.csv", "-r", ref)
    assert message == "ref.txt: expected as many lines as rows.csv has rows (24), got 2"


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


def test_field_missing_in_a_later_row(refused, write):
    rows = write("rows.jsonl", '{"prediction": "a", "reference": "b"}\n\n{"prediction": "a"}\n')
    message = refused(*BLEU, "-p", rows)
    assert message.startswith("rows.jsonl, line 3: there is no field 'reference', only 'prediction'; choose one with")


def test_field_twice(refused, write):
    rows = write("rows.csv", "prediction,reference,reference\na,b,c\n")
    assert refused(*BLEU, "-p", rows) == "rows.csv: expected one field 'reference', got 2 of that name"


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ('{"prediction": "b", "reference": "b", "prediction": "a"}', "prediction"),
        ('{"prediction": "a", "reference": "b", "\\u0070rediction": "a"}', "prediction"),
        ('{"prediction": "a", "reference": "b", "about": [{"by": 1}, {"id": 1, "by": 1, "id": 2}]}', "id"),
    ],
    ids=["field", "escaped", "inside"],
)
def test_field_twice_in_json(refused, write, row, field):
    good = '{"prediction": "a", "reference": "b", "about": [{"by": 1}]}'
    got = f"expected one field '{field}', got 2 of that name"
    lines = write("rows.jsonl", f"{good}\n\n{row}\n{row}\n")
    assert refused(*BLEU, "-p", lines) == f"rows.jsonl, line 3: {got}"
    array = write("rows.json", f"[{good},\n{good}, {row}, {row}]")
    assert refused(*BLEU, "-p", array) == f"rows.json, object 3: {got}"


def test_answer_given_twice_in_a_file_of_squad(refused, write):
    predictions = write("answers.json", '{\n"1": "a",\n"2": "b",\n"1": "c"}\n')
    references = write("gold.jsonl", '{"id": "1", "answers": {"text": ["a"], "answer_start": [0]}}\n')
    message = refused("score", "-m", "token_f1", "--format", "squad", "-p", predictions, "-r", references)
    assert message == "answers.json, object 1: expected one field '1', got 2 of that name"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"prediction": "a", "reference": }', "got broken JSON at column 34: Expecting value"),
        ('["a", "b"]', 'got ["a", "b"]'),
        ("[" * 200_000, "got JSON that Python cannot read: "),
    ],
)
def test_bad_json(refused, write, line, message):
    rows = write("rows.jsonl", '{"prediction": "a", "reference": "b"}\n' + line + "\n")
    assert refused(*BLEU, "-p", rows).startswith(f"rows.jsonl, line 2: expected a JSON object on every line, {message}")


@pytest.mark.parametrize("value", [None, 1, 1.5, True, {}, [], [None], ["a", 2], [["a"]], "\ud800", ["\udfff"]])
def test_json_that_is_no_text(refused, write, value):
    row = json.dumps({"prediction": "a", "reference": value})
    rows = write("rows.jsonl", '{"prediction": "a", "reference": "b"}\n' + row)
    message = refused(*BLEU, "-p", rows)
    assert message.startswith(
        "rows.jsonl, line 2, field 'reference': expected a text or a non-empty list of texts, got"
    )


def test_predictions_are_no_lists(refused, write, tmp_path):
    rows = write("rows.jsonl", json.dumps({"prediction": ["a"], "reference": "b"}))
    assert refused(*BLEU, "-p", rows) == "rows.jsonl, line 1, field 'prediction': expected a text, got [\"a\"]"
    pa.parquet.write_table(pa.table({"prediction": [["a"]], "reference": ["b"]}), tmp_path / "rows.parquet")
    message = refused(*BLEU, "-p", "rows.parquet")
    assert message == "rows.parquet, row 1, field 'prediction': expected a text, got [\"a\"]"


@pytest.mark.parametrize(
    ("column", "row"),
    [(["a", None], 2), ([["a"], []], 2), ([["a"], ["b", None]], 2), ([["a"], None], 2), ([1, 2], 1), ([b"a", b"b"], 1)],
)
def test_parquet_that_is_no_text(refused, tmp_path, column, row):
    pa.parquet.write_table(pa.table({"prediction": ["a", "b"], "reference": column}), tmp_path / "rows.parquet")
    message = refused(*BLEU, "-p", "rows.parquet")
    assert message.startswith(f"rows.parquet, row {row}, field 'reference': expected a text or a non-empty list of te")


def test_no_parquet(refused, write):
    assert refused(*BLEU, "-p", write("rows.parquet", "text")).startswith("rows.parquet: expected a Parquet file, got")


@pytest.mark.parametrize("name", ["bad.txt", "bad.csv", "bad.jsonl", "bad.txt.gz"])
def test_invalid_utf8(refused, write, ref, name):
    content = b"fine\nalso fine\nbad \xff byte\n"
    write(name, gzip.compress(content) if name.endswith(".gz") else content)
    assert refused(*BLEU, "-p", name, "-r", ref) == f"{name}, line 3: expected UTF-8, got the byte 0xff"


def test_invalid_utf8_beyond_a_block(refused, write, ref):
    bad = write("bad.txt", b"word\n" * 1_000_000 + b"half a character \xc3")
    assert refused(*BLEU, "-p", bad, "-r", ref) == "bad.txt, line 1000001: expected UTF-8, got the byte 0xc3"


@pytest.mark.parametrize(
    ("name", "content"), [("e.txt", ""), ("e.csv", ""), ("e.csv", "reference\n"), ("e.jsonl", ""), ("e.jsonl", " \n\n")]
)
def test_empty_file(refused, write, ref, name, content):
    message = f"{name}: the file is empty"
    assert refused(*BLEU, "-p", ref, "-r", write(name, content)) == message


def test_empty_parquet(refused, tmp_path):
    column = pa.array([], pa.string())
    pa.parquet.write_table(pa.table({"prediction": column, "reference": column}), tmp_path / "e.parquet")
    assert refused(*BLEU, "-p", "e.parquet") == "e.parquet: the file is empty"


def test_ragged_csv(refused, write):
    rows = write("rows.csv", "prediction,reference\na,b\nc\n")
    message = refused(*BLEU, "-p", rows)
    assert message == 'rows.csv, line 3: expected as many values as the header has (2), got 1: ["c"]'
    rows = write("rows.csv", 'prediction,reference\na,"b\nc\n')
    assert refused(*BLEU, "-p", rows).startswith("rows.csv, line 3: ")


def test_damaged_gzip(refused, write, ref):
    whole = gzip.compress(b"text\n" * 100_000)
    for content in (b"no gzip", whole[:-20], whole[:50] + b"\0" * 50):
        message = refused(*BLEU, "-p", write("bad.txt.gz", content), "-r", ref)
        assert message.startswith("bad.txt.gz: cannot read the whole file: ")


def test_standard_input_for_one_side_only(refused):
    message = "standard input ('-') can be read for one file only. Try 'textgauge score --help'"
    assert refused(*BLEU, "-p", "-", "-r", "-") == message
    assert refused(*BLEU, "-p", "-", "--format", "parquet").startswith("standard input: expected a format that")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score"], "nothing to score: name a file, as in textgauge score hyp.txt -r ref.txt -m bleu"),
        (["score", "a", "-m", "blue"], "there is no metric 'blue'; did you mean bleu?"),
        (["score", "a", "-m", "ROUGE-L"], "there is no metric 'ROUGE-L'; did you mean rougeL, "),
        (["score", "a", "-m", "chrf++"], "there is no metric 'chrf++'; it is -m chrf --word-order 2 here"),
        (["score", "a", "-m", "rouge0"], "there is no metric 'rouge0'; did you mean rouge"),
        (["score", "a", "-m", "meteor"], "there is no metric 'meteor'; choose from bleu, rouge, "),
        (["score", "a", "-m", "bleu", "chfr", "ter"], "there is no metric 'chfr'; did you mean chrf?"),
        ([*BLEU, "a", "-p", "b"], "a has no flag beside -p b: give each file its own -p or -r"),
        ([*BLEU, "-p", "a", "-p", "b"], "score takes one system, got a, b: give each file of"),
        ([*BLEU, "-p", "a.txt"], "no references: a.txt is plain text, which has no column for them; give --references"),
        ([*BLEU, "--colour", "red"], "there is no option --colour"),
        ([*BLEU, "--tokeniser", "13a"], "there is no option --tokeniser; did you mean --tokenizer?"),
        ([*BLEU, "a", "-r", "b", "--stem"], "--use-stemmer is an option of rouge, not of bleu. Try '"),
        ([*BLEU, "a", "-r", "b", "--seed", "1"], "--seed has no effect without --confidence. Try 'textgauge score"),
        ([*BLEU, "a", "-r", "b", "-n", "9"], "--n-resamples has no effect without --confidence"),
        ([*BLEU, "a", "-r", "b", "--max-order", "0"], "--max-order: expected a whole number of at least 1, got 0. Try"),
        ([*BLEU, "a", "-r", "b", "--max-order", "x"], "--max-order: expected a whole number from 1 to 1000, got 'x'"),
        ([*BLEU, "a", "-r", "b", "--smoothing", "x"], "--smoothing: expected one of 'none', 'add-one', "),
        ([*BLEU, "a", "-r", "b", "--smoothing", "flour"], "--smoothing: there is no 'flour'; did you mean 'floor'?"),
        ([*BLEU, "a", "-r", "b", "-t", "13b"], "--tokenizer: there is no '13b'; did you mean '13a'?"),
        ([*BLEU, "a", "-r", "b", "-w", "99"], "--width: 99 is not in the range from 0 to 17. Try 'textgauge score --h"),
        ([*BLEU, "a", "-r", "b", "--confidence"], "--confidence needs a value. Try 'textgauge score --help'"),
        ([*BLEU, "a", "-r", "b", "--conf", "1"], "there is no option --conf; did you mean --confidence?"),
        ([*BLEU, "a", "-r", "b", "--counting", "set"], "--counting set is for token_f1, not for bleu"),
        (["score", "-m", "chrf", "a", "-r", "b", "--lowercase-ascii"], "--lowercase-ascii is for bleu, not for chrf"),
        ([*BLEU, "a", "-r", "b", "--brief", "--json"], "--brief cannot be given with --json"),
        ([*BLEU, "a", "-r", "b", "--prediction-field", "x"], "--prediction-field has no effect: plain text has"),
        ([*BLEU, "a.csv", "--reference-field", "prediction"], "--prediction-field and --reference-field name the same"),
        ([*ROUGE, "--max-order", "2"], "--max-order is an option of bleu, not of rouge"),
        ([*ROUGE, "--rouge-types", "rouge0"], "--rouge-types: expected "),
        ([*ROUGE, "--beta", "nan"], "--beta: expected a finite number"),
        ([*ROUGE, "--seed", "1"], "--seed has no effect without --confidence"),
        ([*ROUGE, "--no-use-aggregator", "--aggregator", "mean"], "--aggregator has no effect with --no-use-agg"),
        ([*ROUGE, "--stem", "--tokenizer", "unicode"], "--use-stemmer cannot be given with a tokenizer other than"),
        ([*ROUGE, "--alpha", "1", "--beta", "1"], "--alpha and --beta exclude each other. Try"),
        ([*ROUGE, "--weight", "2"], "--weight cannot be given without 'rougeW' among --rouge-types"),
        ([*ROUGE, "--preset", "rouge-1.5.5", "-t", "13a"], "--tokenizer cannot be given with --preset rouge-1.5.5"),
        (["score", "a", "-r", "b", "-m", "rouge1", "--rouge-types", "rouge2"],
         "--rouge-types cannot be given with -m rouge1, which implies it; use -m rouge"),
        (["score", "a", "b"], "score takes one system, got a, b: give each file of references its own -r"),
        (["score", "-p", "a", "-r", "b", "c"], "c has no flag beside -p a: give each file its own -p or -r"),
        (["score", "a", "-r", "b", "-o", "-"], "--output: expected the name of a file, got '-'"),
        (["score", "", "-r", "b"], "cannot read ''"),
        (["score", "a.parquet.gz"], "a.parquet.gz: expected Parquet as it is, which packs its text itself"),
        (["scores"], "there is no command 'scores'; did you mean score?"),
        (["blub"], "there is no command 'blub'; choose from score, compare, "),
        (["help", "meteor"], "there is no help about 'meteor'; name a command, or one of bleu, rouge, "),
    ],
)  # fmt: skip
def test_options_that_cannot_be(refused, arguments, message):
    assert refused(*arguments).startswith(message)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (["-tok", "none"], "-t or --tokenizer"), (["-l", "en-de"], "no language pairs"), (["-sl"], "--per-segment"),
        (["--chrf-word-order", "2"], "--word-order"), (["--smooth-method", "exp"], "--smoothing"),
        (["--ter-no-punct"], "--no-punct"), (["--paired-bs"], "textgauge compare"), (["-lc"], "--lowercase"),
    ],
)  # fmt: skip
def test_sacrebleus_names_are_answered_with_ours(refused, theirs, ours):
    message = refused("score", "ref.txt", "-i", "hyp.txt", *theirs)
    assert message.startswith(f"there is no option {theirs[0]}")
    assert ours in message


def test_a_packed_file_under_another_name(refused, write, ref):
    packed = write("packed.txt", gzip.compress(b"a b\n"))
    message = refused("score", packed, "-r", ref)
    assert message.endswith("packed.txt: expected UTF-8, got gzip: unpack it, or give it a name that ends in .gz")


def test_csv_with_another_delimiter(refused, write):
    rows = write("rows.csv", b"prediction;reference\na;b\n")
    message = "expected columns with ',' between them, got one column, 'prediction;reference'"
    assert refused("score", rows).endswith(message)


def test_suffixes_in_any_case_and_metrics_with_commas(run, corpus):
    with gzip.open("ROWS.JSONL.GZ", "wb") as file, open("rows.jsonl", "rb") as plain:
        file.write(plain.read())
    expected = run("score", "rows.jsonl", "-m", "bleu", "chrf", "--json").stdout
    assert expected == run("score", "ROWS.JSONL.GZ", "-m", "bleu,chrf", "--json").stdout != ""
