"""Bad rows: how many there are and where; --skip-bad scores the others."""

import json
import re

import pytest
import textgauge
from quick import covering

BLEU = ("score", "-m", "bleu", "max_order=1", "--json")
GOOD = {"prediction": "a cat", "reference": "a cat sat"}
WRONG = [
    '{"prediction": "a"}', '{"prediction": null, "reference": ""}', "{", '{"prediction": "a", "reference": []}', "[]",
    '{"prediction": "\\ud800", "reference": ""}', '{"prediction": "a", "prediction": "a", "reference": ""}',
]  # fmt: skip


@pytest.fixture
def rows(write, monkeypatch):
    """Thirty rows, of which every fourth is wrong in another way."""
    monkeypatch.setattr("textgauge.files.rows.BLOCK_ROWS", 9)
    lines = [GOOD] * 30
    lines[2:30:4] = WRONG
    write("rows.jsonl", lines)
    return 30 - len(WRONG)


def test_bad_rows_named_and_counted(refused, rows):
    message = refused(*BLEU, "rows.jsonl")
    assert message.startswith("rows.jsonl, line 3: there is no field 'reference'")
    places = "line 3, line 7, line 11, line 15 and line 19"
    assert message.endswith(f"(7 bad rows, the first 5 are {places}; --skip-bad scores the others)")


def test_skipped_rows_are_left_out_and_counted(run, rows):
    result = run(*BLEU, "rows.jsonl", "--skip-bad")
    page = json.loads(result.stdout)
    assert (page["segments"], page["skipped"]) == (rows, 7)
    expected = textgauge.bleu([GOOD["prediction"]] * rows, [GOOD["reference"]] * rows, max_order=1)
    assert page["metrics"]["bleu"] == expected
    assert result.stderr.startswith("textgauge: 7 segments were left out: bad rows, the first 5 are line 3, ")
    assert "skipped" not in json.loads(run(*BLEU, "rows.jsonl", "-r", "rows.jsonl", "--skip-bad").stdout).get("metrics")


def test_what_has_no_good_row(refused, write):
    write("rows.jsonl", ["{}"] * 20)
    assert refused(*BLEU, "rows.jsonl", "--skip-bad") == (
        "rows.jsonl: all 20 rows are bad; rows.jsonl, line 1: there is no field 'prediction', and no other"
    )
    # A field that no row has is a wrong name.
    assert refused(*BLEU, "rows.jsonl") == "rows.jsonl, line 1: there is no field 'prediction', and no other"


def test_one_row_is_singular(run, refused, write):
    write("one.jsonl", [GOOD, "[]"])
    assert run(*BLEU, "one.jsonl", "--skip-bad").stderr == "textgauge: 1 segment was left out: bad row, line 2\n"
    assert "bad row" not in refused(*BLEU, "one.jsonl")
    message = refused(*BLEU, write("bad.jsonl", [WRONG[1]]), "--skip-bad")
    assert message.startswith("bad.jsonl: the only row is bad; bad.jsonl, line 1")
    one = write("one.txt", ["a b"])
    assert "\n1 segment\n" in run("score", one, "-r", one, "-m", "chrf", "--table", "markdown").stdout


def test_pages_of_many_segments_number_them_as_the_file_does(run, write, tmp_path):
    write("rows.jsonl", [WRONG[0], GOOD, "[]", *[GOOD] * 19])
    assert run("explain", "-m", "bleu", "rows.jsonl", "--skip-bad", "-o", "page.html").exit_code == 0
    shown = re.findall(r'{"n":(\d+),', (tmp_path / "page.html").read_text("utf-8"))
    assert [*map(int, shown)] == [2, *range(4, 23)]


N, BLOCK = 12, 3
EDGES = [{i} for i in range(N)] + [{0, 1, 2}, {2, 3}, {1, 4, 7, 10}, {3, 4, 5, 11}, {0, 11}, {5, 6, 8}]


@pytest.mark.parametrize(
    ("formats", "n_bytes"),
    covering(["jsonl", "csv", "parquet", "txt jsonl", "csv txt"], [1, 60, 1 << 20]),
)
def test_numbers_of_rows_beside_bad_ones(run, write, tmp_path, monkeypatch, block_bytes, formats, n_bytes):
    """Bad rows of one file and of another, at every place of a block and in blocks before."""
    monkeypatch.setattr("textgauge.files.rows.BLOCK_ROWS", BLOCK)
    block_bytes(n_bytes)
    first, last = formats.split()[0], formats.split()[-1]
    # The score of a row says which it is.
    references = ["a " * (i + 1) for i in range(N)]
    for bad in EDGES:
        worse = bad if formats == first else {N - 1 - i for i in bad if i % 2}
        put(write, f"hyp.{first}", "prediction", ["a"] * N, bad)
        put(write, f"ref.{last}", "reference", references, worse)
        done = run("score", f"hyp.{first}", "-r", f"ref.{last}", "-m", "rouge1", "--skip-bad", "-o", "rows.json")
        assert done.exit_code == 0, done.stderr
        rows = json.loads((tmp_path / "rows.json").read_text())
        assert [row["segment"] - 1 for row in rows] == [i for i in range(N) if i not in bad | worse]
        assert [row["rouge1"] for row in rows] == pytest.approx([2 / (row["segment"] + 1) for row in rows])


def test_bad_rows_of_large_block(run, write, tmp_path):
    bad = {0, 5, 64, 130, 131, 299}
    put(write, "rows.jsonl", "prediction", ["a"] * 300, bad)
    put(write, "ref.jsonl", "reference", ["a"] * 300, set())
    run("score", "rows.jsonl", "-r", "ref.jsonl", "-m", "rouge1", "--skip-bad", "-o", "out.json")
    numbers = [row["segment"] - 1 for row in json.loads((tmp_path / "out.json").read_text())]
    assert numbers == [i for i in range(300) if i not in bad]


def put(write, name, column, texts, bad):
    """Write a column in the format of the name; bad rows have no text, too many values, or no UTF-8."""
    if name.endswith("parquet"):
        write(name, {column: [None if i in bad else text for i, text in enumerate(texts)]})
    elif name.endswith("csv"):
        write(name, [column, *(f"{text},too many" if i in bad else text for i, text in enumerate(texts))])
    elif name.endswith("txt"):
        write(name, b"".join(b"\xff\n" if i in bad else f"{text}\n".encode() for i, text in enumerate(texts)))
    else:
        write(name, [{} if i in bad else {column: text} for i, text in enumerate(texts)])


BAD_HYP, BAD_REF = {"id": "x", "prediction": 5}, {"id": "y", "reference": 5}


@pytest.mark.parametrize("n_rows_of_block", [1, 2, 3, 1 << 14])
@pytest.mark.parametrize(("before", "behind"), [(0, 0), (1, 0), (0, 2), (1, 1)])
def test_the_partner_of_a_row_beside_a_bad_one_may_come_later(
    run, write, tmp_path, monkeypatch, n_rows_of_block, before, behind
):
    monkeypatch.setattr("textgauge.files.rows.BLOCK_ROWS", n_rows_of_block)
    write("hyp.jsonl", [BAD_HYP, BAD_HYP, *({"id": i, "prediction": "a " * (i + 1)} for i in range(6))])
    refs = [{"id": i, "reference": "a " * (i + 1)} for i in reversed(range(6))]
    write("ref.jsonl", [*[BAD_REF] * before, *refs, *[BAD_REF] * behind])
    done = run("score", "hyp.jsonl", "-r", "ref.jsonl", "-m", "rouge1", "--skip-bad", "-o", "rows.json", "--keep", "id")
    assert done.exit_code == 0, done.stderr
    rows = json.loads((tmp_path / "rows.json").read_text())
    assert [(row["segment"], row["id"], row["rouge1"]) for row in rows] == [(i + 3, i, 1) for i in range(6)]


@pytest.mark.parametrize("n_rows_of_block", [1, 2, 3, 1 << 14])
def test_rows_of_one_id_beside_a_bad_one_are_joined_by_their_order(run, write, tmp_path, monkeypatch, n_rows_of_block):
    monkeypatch.setattr("textgauge.files.rows.BLOCK_ROWS", n_rows_of_block)
    hyps = [{"id": i // 2, "prediction": "a " * (i + 1)} for i in range(8)]
    write("hyp.jsonl", [*hyps[:3], BAD_HYP, *hyps[4:]])
    write("ref.jsonl", [{"id": i // 2, "reference": "a " * (i + 1)} for i in range(8)])
    done = run("score", "hyp.jsonl", "-r", "ref.jsonl", "-m", "rouge1", "--skip-bad", "-o", "rows.json")
    assert done.exit_code == 0, done.stderr
    rows = json.loads((tmp_path / "rows.json").read_text())
    assert [(row["segment"], row["rouge1"]) for row in rows] == [(i + 1, 1) for i in range(8) if i != 3]
