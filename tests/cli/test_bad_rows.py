"""Bad rows: how many there are and where; --skip-bad scores the others."""

import json
import re

import pyarrow as pa
import pyarrow.parquet
import pytest
import textgauge

BLEU = ("score", "-m", "bleu", "max_order=1", "--json")
GOOD = {"prediction": "a cat", "reference": "a cat sat"}
# A line of JSON, and how its error begins.
WRONG = [
    ('{"prediction": "a"}', "there is no field 'reference'"),
    ('{"prediction": null, "reference": ""}', "field 'prediction': expected a text, got null"),
    ("{", "expected a JSON object on every line, got broken JSON"),
    ('{"prediction": "a", "reference": []}', "field 'reference': expected a text or a non-empty list"),
    ("[]", "expected a JSON object on every line, got []"),
    ('{"prediction": "\\ud800", "reference": ""}', "field 'prediction': expected a text"),
    ('{"prediction": "a", "prediction": "a", "reference": ""}', "expected one field 'prediction'"),
]


@pytest.fixture
def rows(tmp_path, monkeypatch):
    """Thirty rows, of which every fourth is wrong in another way."""
    monkeypatch.setattr("textgauge.cli.blocks.BLOCK_ROWS", 9)
    lines = [json.dumps(GOOD)] * 30
    for i, (line, _) in enumerate(WRONG):
        lines[4 * i + 2] = line
    (tmp_path / "rows.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return 30 - len(WRONG)


def test_all_bad_rows_are_counted_and_five_are_named(refused, rows):
    message = refused(*BLEU, "rows.jsonl")
    assert message.startswith(f"rows.jsonl, line 3: {WRONG[0][1]}")
    places = "line 3, line 7, line 11, line 15 and line 19"
    assert message.endswith(f"(7 bad rows, the first 5 are {places}; --skip-bad scores the others)")


@pytest.mark.parametrize(("line", "message"), WRONG)
def test_a_single_bad_row_is_named_as_before(refused, tmp_path, line, message):
    (tmp_path / "rows.jsonl").write_text(f"{json.dumps(GOOD)}\n{line}\n")
    refusal = refused(*BLEU, "rows.jsonl")
    assert refusal.startswith("rows.jsonl, line 2")
    assert message in refusal
    assert "bad rows" not in refusal


def test_skipped_rows_are_left_out_and_counted(run, rows):
    result = run(*BLEU, "rows.jsonl", "--skip-bad")
    page = json.loads(result.stdout)
    assert (page["segments"], page["skipped"]) == (rows, 7)
    expected = textgauge.bleu([GOOD["prediction"]] * rows, [GOOD["reference"]] * rows, max_order=1)
    assert page["metrics"]["bleu"] == expected
    assert result.stderr.startswith("textgauge: 7 segments were left out: bad rows, the first 5 are line 3, ")
    assert "skipped" not in json.loads(run(*BLEU, "rows.jsonl", "-r", "rows.jsonl", "--skip-bad").stdout).get("metrics")


def test_segments_keep_the_numbers_of_their_rows(run, tmp_path):
    rows = [GOOD, {}, GOOD, {"prediction": 1}, GOOD | {"prediction": "nothing"}]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    run("score", "rows.jsonl", "-m", "chrf", "--skip-bad", "-o", "rows.csv")
    assert [line.split(",")[0] for line in (tmp_path / "rows.csv").read_text().splitlines()[1:]] == ["1", "3", "5"]
    shown = run("score", "rows.jsonl", "-m", "chrf", "--skip-bad", "--per-segment").stdout.splitlines()
    assert [line.split()[0] for line in shown[-3:]] == ["1", "3", "5"]
    (tmp_path / "same.jsonl").write_text("\n".join(map(json.dumps, [GOOD] * 5)))
    found = run(
        "compare", "same.jsonl", "rows.jsonl", "-r", "same.jsonl", "-m", "chrf", "--skip-bad", "-n", 9, "--json"
    )
    assert [one["segment"] for one in json.loads(found.stdout)["metrics"]["chrf"][1]["worst"]] == [5]


def test_a_segment_is_left_out_of_all_systems_if_one_is_bad(run, tmp_path):
    texts = [f"text {i}" for i in range(10)]
    (tmp_path / "a.txt").write_text("\n".join(texts))
    for name, bad in (("b", 3), ("ref", 7)):
        lines = [json.dumps({"prediction": t, "reference": t}) for t in texts]
        lines[bad] = "{}"
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    (tmp_path / "docs.txt").write_text("\n".join(f"d{i}" for i in range(10)))
    arguments = ("a.txt", "b.jsonl", "-r", "ref.jsonl", "-m", "rouge1", "--skip-bad", "-n", 50)
    result = run("compare", *arguments, "--documents", "docs.txt", "--json")
    page = json.loads(result.stdout)
    assert (page["segments"], page["skipped"]) == (8, 2)
    assert result.stderr == ("textgauge: 2 segments were left out: bad rows, b.jsonl, line 4 and ref.jsonl, line 8\n")
    assert [row["score"] for row in page["metrics"]["rouge1"]] == [1, 1]


def test_bad_rows_of_other_formats(run, refused, tmp_path):
    (tmp_path / "rows.csv").write_text("prediction,reference\na,a\nb\nc,c,c\nd,d\n")
    pa.parquet.write_table(
        pa.table({"prediction": ["a", None, None, "d"], "reference": [["a"], ["b"], [], ["d"]]}),
        tmp_path / "rows.parquet",
    )
    (tmp_path / "hyp.txt").write_bytes(b"a\n\xff\n\xc3\nd\n")
    (tmp_path / "ref.txt").write_bytes(b"a\nb\nc\nd\n")
    for files, item, first in (
        (["rows.csv"], "line", 3), (["rows.parquet"], "row", 2), (["hyp.txt", "-r", "ref.txt"], "line", 2),
    ):  # fmt: skip
        message = refused(*BLEU, *files)
        assert message.startswith(f"{files[0]}, {item} {first}")
        assert message.endswith(f"(2 bad rows, {item} {first} and {item} {first + 1}; --skip-bad scores the others)")
        page = json.loads(run(*BLEU, *files, "--skip-bad").stdout)
        assert (page["segments"], page["skipped"], page["metrics"]["bleu"]["bleu"]) == (2, 2, 1)


def test_what_has_no_good_row_and_what_cannot_be_skipped(refused, tmp_path):
    (tmp_path / "rows.jsonl").write_text("{}\n" * 20)
    assert refused(*BLEU, "rows.jsonl", "--skip-bad") == "rows.jsonl: all 20 rows are bad"
    # A field that no row has is a wrong name.
    assert refused(*BLEU, "rows.jsonl") == "rows.jsonl, line 1: there is no field 'prediction', and no other"
    message = "--skip-bad has no effect with --format squad, whose rows are matched by their ids"
    assert refused("score", "a", "-r", "b", "--format", "squad", "-m", "squad", "--skip-bad").startswith(message)


@pytest.mark.parametrize("n_good", [2, 20])
def test_pages_number_segments_as_the_file_does(run, tmp_path, n_good):
    lines = [WRONG[0][0], json.dumps(GOOD), "[]", *[json.dumps(GOOD)] * (n_good - 1)]
    (tmp_path / "rows.jsonl").write_text("".join(f"{line}\n" for line in lines))
    assert run("explain", "-m", "bleu", "rows.jsonl", "--skip-bad", "-o", "page.html").exit_code == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    shown = re.findall(r'data-segment="(\d+)"' if n_good == 2 else r'{"n":(\d+),', page)
    assert [*map(int, shown)] == [2, *range(4, n_good + 3)]


def test_one_bad_row_is_singular(run, tmp_path):
    (tmp_path / "rows.jsonl").write_text(f"{json.dumps(GOOD)}\n[]\n")
    assert run(*BLEU, "rows.jsonl", "--skip-bad").stderr == "textgauge: 1 segment was left out: bad row, line 2\n"


def test_a_file_of_one_row_is_singular(run, refused, tmp_path):
    (tmp_path / "one.jsonl").write_text('{"prediction": null, "reference": "a"}')
    assert refused(*BLEU, "one.jsonl", "--skip-bad") == "one.jsonl: the only row is bad"
    (tmp_path / "one.txt").write_text("a b\n")
    assert "\n1 segment\n" in run("score", "one.txt", "-r", "one.txt", "-m", "chrf", "--table", "markdown").stdout
