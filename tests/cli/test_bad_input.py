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
    assert refused(*BLEU, "-p", ".", "-r", ref).startswith(
        ". is a folder without files of .csv, .json, .jsonl, .ndjson, .parquet, .pq, .tsv"
    )


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
    which = "2 bad rows, line 3 and line 4; --skip-bad scores the others"
    assert refused(*BLEU, "-p", lines) == f"rows.jsonl, line 3: {got} ({which})"
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
    content = b'{"prediction": "", "reference": ""}\n' * 2 + b"bad \xff byte\n"
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
        (["score"], "score needs a file, as in textgauge score hyp.txt -r ref.txt. Try"),
        (["score", "a", "-m", "blue"], "there is no metric 'blue'; did you mean bleu?"),
        (["score", "a", "-m", "ROUGE-L"], "there is no metric 'ROUGE-L'; did you mean rougeL, "),
        (["score", "a", "-m", "chrf++"], "there is no metric 'chrf++'; it is -m chrf word_order=2 here"),
        (["score", "a", "-m", "rouge0"], "there is no metric 'rouge0'; did you mean rouge"),
        (["score", "a", "-m", "meteor"], "there is no metric 'meteor'; choose from sacrebleu, bleu, rouge, "),
        (["score", "a", "-m", "bleu", "chfr", "ter"], "chfr: no such file; did you mean the metric chrf?"),
        ([*BLEU, "a", "-p", "b"], "a has no flag beside -p b: give each file its own -p or -r"),
        ([*BLEU, "-p", "a", "-p", "b"], "score takes one system, got a, b: give each file of"),
        ([*BLEU, "-p", "a.txt"], "no references: a.txt is plain text, which has no column for them; give --references"),
        ([*BLEU, "--colour", "red"], "there is no option --colour"),
        ([*BLEU, "--tokeniser", "13a"], "there is no option --tokeniser; did you mean --tokenizer?"),
        ([*BLEU, "a", "-r", "b", "--use-stemmer"], "use_stemmer is an option of rouge, not of bleu. Try '"),
        ([*BLEU, "a", "-r", "b", "--seed", "1"], "bleu: seed: expected None without `confidence`, got 1 (int)"),
        ([*BLEU, "a", "-r", "b", "-n", "9"], "bleu: n_resamples: expected None without `confidence`, got 9"),
        ([*BLEU, "a", "-r", "b", "--max-order", "0"], "bleu: max_order: expected a whole number of at least 1, got 0"),
        ([*BLEU, "a", "-r", "b", "--max-order", "x"], "bleu: max_order: expected a whole number of at least 1"),
        ([*BLEU, "a", "-r", "b", "--smoothing", "x"], "bleu: smoothing: expected one of 'none', 'add-one', "),
        ([*BLEU, "smoothing=flour", "a", "-r", "b"], "bleu: smoothing: expected one of 'none', "),
        ([*BLEU, "smothing=exp", "a", "-r", "b"], "bleu has no option 'smothing'; did you mean smoothing, "),
        ([*BLEU, "xyz=exp", "a", "-r", "b"], "bleu has no option 'xyz'; textgauge help bleu lists them"),
        (["score", "a", "-m", "preset=x"], "there is no metric 'preset=x'"),
        (["score", "a", "-m", "sacrebleu", "preset=nltk"], "sacrebleu has no option 'preset'"),
        (["score", "a", "--preset", "nltk"], "preset is an option of bleu and rouge, not of sacrebleu"),
        (["score", "a", "-m", "chrf", "word_order=2", "chrf", "word_order=0"], "chrf is named twice; give its options"),
        (["score", "a", "-m", "chrf", "word_order=2", "ter", "chrf"], "chrf is named twice; give its options once"),
        (["score", "a", "-m", "rougeL", "beta=1", "rouge1", "beta=2"], "rouge has beta twice, 1 and 2: its scores"),
        (["score", "a", "-x"], "there is no option -x. Try"),
        ([*BLEU, "a", "-r", "b", "-t", "13b"], "bleu: tokenizer: expected "),
        ([*BLEU, "a", "-r", "b", "-w", "99"], "Invalid value for '-w' / '--width': 99 is not in"),
        ([*BLEU, "a", "-r", "b", "--seed"], "--seed needs a value. Try 'textgauge score --help'"),
        ([*BLEU, "a", "-r", "b", "--conf", "1"], "there is no option --conf; did you mean --confidence?"),
        ([*BLEU, "a", "-r", "b", "--counting", "set"], "bleu: counting: expected one of 'plain', "),
        (["score", "-m", "chrf", "a", "-r", "b", "--lowercase=ascii"], "chrf: lowercase: expected True or False"),
        ([*BLEU, "a", "-r", "b", "--brief", "--json"], "--brief cannot be given with --json"),
        ([*BLEU, "a", "-r", "b", "--prediction-field", "x"], "--prediction-field has no effect: plain text has"),
        ([*BLEU, "a.csv", "--reference-field", "prediction"], "--prediction-field and --reference-field name the same"),
        ([*ROUGE, "--max-order", "2"], "max_order is an option of sacrebleu and bleu, not of rouge"),
        ([*ROUGE, "--rouge-types", "rouge0"], "rouge: rouge_types[0]: expected "),
        ([*ROUGE, "--beta", "nan"], "rouge: beta: expected a finite number"),
        ([*ROUGE, "--seed", "1"], "rouge: seed: expected None without `confidence`"),
        ([*ROUGE, "--no-use-aggregator", "--aggregator", "mean"], "rouge: aggregator: expected None with `use_agg"),
        ([*ROUGE, "--use-stemmer", "--tokenizer", "unicode"], "rouge: use_stemmer: expected False with a tokenizer "),
        ([*ROUGE, "--alpha", "1", "--beta", "1"], "rouge: alpha: expected one of `alpha` and `beta`, got both"),
        ([*ROUGE, "--weight", "2"], "rouge: weight: expected None without 'rougeW' among `rouge_types`"),
        ([*ROUGE, "--preset", "rouge-1.5.5", "-t", "13a"], "rouge: tokenizer: expected None with `preset="),
        (["score", "a", "-r", "b", "-m", "rouge1", "--rouge-types", "rouge2"],
         "rouge_types cannot be given with -m rouge1, which implies it; use -m rouge with rouge_types"),
        (["score", "a", "b"], "score takes one system, got a, b: give each file of references its own -r"),
        (["score", "-p", "a", "-r", "b", "c"], "c has no flag beside -p a: give each file its own -p or -r"),
        (["score", "a", "-r", "b", "-o", "-"], "--output: expected the name of a file, got '-'"),
        (["score", "", "-r", "b"], "cannot read ''"),
        (["score", "a.parquet.gz"], "a.parquet.gz: expected Parquet as it is, which packs its text itself"),
        (["scores"], "there is no command 'scores'; did you mean score?"),
        (["blub"], "there is no command 'blub'; choose from score, compare, "),
        (["help", "meteor"], "there is no help about 'meteor'; choose from score, "),
    ],
)  # fmt: skip
def test_options_that_cannot_be(refused, arguments, message):
    assert refused(*arguments).startswith(message)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (["-tok", "none"], "-t or --tokenizer"), (["-l", "en-de"], "no language pairs"), (["-sl"], "--per-segment"),
        (["--chrf-word-order", "2"], "--word-order"), (["--smooth-method", "exp"], "--smoothing"),
        (["--scale", "100"], "the scale belongs to the name of a metric"), (["--stem"], "--use-stemmer"),
        (["--rouge-type", "rouge1"], "--rouge-types"), (["--model", "x"], "--model-id"),
        (["--lowercase-ascii"], "--lowercase=ascii"), (["--no-start-token"], "--no-add-start-token"),
        (["--ter-no-punct"], "--no-punct"), (["--paired-bs"], "textgauge compare"), (["-lc"], "--lowercase"),
    ],
)  # fmt: skip
def test_names_of_sacrebleu_and_former_ones_are_answered_with_ours(refused, theirs, ours):
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
