"""Files whose rows have ids, in one order or another."""

import json

import pytest
import textgauge
from quick import covering

N = 11
TEXTS = [f"{'word ' * i}end" for i in range(N)]
REFS = [f"{'word ' * (i // 2)}end of it" for i in range(N)]
ORDER = [3, 0, 1, 2, 10, 9, 8, 4, 5, 7, 6]
EXPECTED = textgauge.chrf(TEXTS, REFS)
CHRF = ("-m", "chrf")


@pytest.fixture(params=[2, 1 << 14], ids=["small blocks", "one block"], autouse=True)
def _size(request, monkeypatch):
    monkeypatch.setattr("textgauge.files.rows.BLOCK_ROWS", request.param)


def put(write, name, column, texts, order=range(N), ids="id", **more):
    """Write a column beside ids, in an order, in the format of the name."""
    rows = [{ids: i, column: texts[i], **{key: of_all[i] for key, of_all in more.items()}} for i in order]
    if name.endswith("parquet"):
        return write(name, {key: [row[key] for row in rows] for key in rows[0]})
    if name.endswith("jsonl"):
        return write(name, rows)
    mark = {"csv": ",", "tsv": "\t"}[name[-3:]]
    return write(name, [mark.join(rows[0]), *(mark.join(map(str, row.values())) for row in rows)])


@pytest.mark.parametrize(
    ("order", "hyp", "ref"),
    covering(
        [ORDER, range(N), range(N - 1, -1, -1), [*range(N - 2), N - 1, N - 2]],
        ["hyp.jsonl", "hyp.csv", "hyp.tsv", "hyp.parquet"],
        ["ref.jsonl", "ref.csv", "ref.parquet"],
    ),
)
def test_rows_are_joined_whatever_their_order(metrics, write, hyp, ref, order):
    put(write, hyp, "prediction", TEXTS)
    put(write, ref, "reference", REFS, order)
    assert metrics("score", hyp, "-r", ref, *CHRF)["chrf"] == EXPECTED


def test_order_of_first_file(run, write, tmp_path):
    put(write, "hyp.jsonl", "prediction", TEXTS, ORDER)
    put(write, "ref.jsonl", "reference", REFS)
    run("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF, "-o", "rows.json", "--keep", "id")
    rows = json.loads((tmp_path / "rows.json").read_text())
    assert [(row["segment"], row["id"]) for row in rows] == [*enumerate(ORDER, 1)]
    expected = textgauge.segment_scores("chrf", [TEXTS[i] for i in ORDER], [REFS[i] for i in ORDER])
    assert [row["chrf"] for row in rows] == list(expected)


def test_numbers_and_texts_are_the_same_ids(metrics, write):
    write("hyp.jsonl", [{"id": str(i), "prediction": TEXTS[i]} for i in range(N)])
    put(write, "ref.jsonl", "reference", REFS, ORDER)
    assert metrics("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF)["chrf"] == EXPECTED
    # Numbers of more digits than a float has.
    far = 12345678901234567890123
    write("hyp.jsonl", [f'{{"id": {far + i}, "prediction": "{TEXTS[i]}"}}' for i in range(N)])
    write("ref.jsonl", [f'{{"id": {far + i}, "reference": "{REFS[i]}"}}' for i in ORDER])
    assert metrics("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF)["chrf"] == EXPECTED


def test_another_field_joins(run, metrics, write):
    put(write, "hyp.jsonl", "prediction", TEXTS, ids="utt")
    put(write, "ref.jsonl", "reference", REFS, ORDER, ids="utt")
    joined = metrics("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF, "--id-field", "utt")
    assert joined["chrf"] == EXPECTED
    by_position = metrics("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF)
    assert by_position["chrf"] == textgauge.chrf(TEXTS, [REFS[i] for i in ORDER])
    done = run("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF, "--id-field", "uid")
    assert (done.exit_code, "there is no field 'uid'" in done.stderr) == (2, True)


def test_by_position_leaves_ids_alone(metrics, refused, write):
    put(write, "hyp.jsonl", "prediction", TEXTS)
    put(write, "ref.jsonl", "reference", REFS, ORDER)
    found = metrics("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF, "--by-position")
    assert found["chrf"] == textgauge.chrf(TEXTS, [REFS[i] for i in ORDER])
    message = refused("score", "hyp.jsonl", "-r", "ref.jsonl", "--by-position", "--id-field", "id")
    assert message.startswith("--id-field cannot be given with --by-position")
    write("a.txt", TEXTS)
    assert "--id-field has no effect" in refused("score", "a.txt", "-r", "a.txt", "--id-field", "id")
    assert "--id-field has no effect" in refused("score", "hyp.jsonl", "-r", "a.txt", "--id-field", "id")


def test_several_systems_references_and_sources_are_joined(run, write):
    put(write, "a.jsonl", "prediction", TEXTS)
    put(write, "b.csv", "prediction", REFS[::-1], ORDER)
    put(write, "ref.parquet", "reference", REFS, ORDER[::-1])
    put(write, "src.jsonl", "source", TEXTS[::-1], [*ORDER[1:], ORDER[0]])
    words = ("-r", "ref.parquet", "-s", "src.jsonl", "-m", "sari", "--json")
    found = json.loads(run("score", "a.jsonl", "b.csv", *words).stdout)["systems"]
    for one, texts in zip(found, (TEXTS, REFS[::-1]), strict=True):
        assert one["metrics"]["sari"] == textgauge.sari(texts, REFS, sources=TEXTS[::-1])
    put(write, "more.jsonl", "reference", TEXTS, ORDER)
    words = ("-r", "ref.parquet", "-r", "more.jsonl", *CHRF, "--json")
    expected = textgauge.chrf(REFS[::-1], [list(both) for both in zip(REFS, TEXTS, strict=True)])
    found = json.loads(run("score", "b.csv", *words).stdout)["metrics"]["chrf"]
    assert found["chrf"] == pytest.approx(expected["chrf"], abs=1e-12)
    done = run("compare", "a.jsonl", "b.csv", "-r", "ref.parquet", *CHRF, "-n", 9, "--json")
    scores = [row["score"] for row in json.loads(done.stdout)["metrics"]["chrf"]]
    assert scores == pytest.approx([textgauge.chrf(texts, REFS)["chrf"] for texts in (TEXTS, REFS[::-1])], abs=1e-12)


def test_documents_follow_their_ids(run, write):
    put(write, "a.jsonl", "prediction", TEXTS)
    put(write, "b.jsonl", "prediction", REFS, ORDER)
    put(write, "docs.jsonl", "document", ["one"] * 5 + ["two"] * 6, ORDER[::-1])
    write("docs.txt", ["one"] * 5 + ["two"] * 6)
    words = (
        "compare",
        "a.jsonl",
        "b.jsonl",
        "-r",
        "a.jsonl",
        "--reference-field",
        "prediction",
        *CHRF,
        "-n",
        9,
        "--json",
    )
    by_id = run(*words, "--documents", "docs.jsonl")
    assert by_id.exit_code == 0, by_id.stderr
    for row in json.loads(by_id.stdout)["metrics"]["chrf"][1]["worst"]:
        first = slice(0, 5) if row["document"] == "one" else slice(5, N)
        assert row["score2"] == pytest.approx(textgauge.chrf(REFS[first], TEXTS[first])["chrf"])
    # What has no ids cannot follow.
    done = run(*words, "--documents", "docs.txt")
    assert done.exit_code == 2
    assert done.stderr.startswith(
        "textgauge: a.jsonl and b.jsonl have their ids in different order, and docs.txt has none to follow (--by-pos"
    )


def test_mbr_and_sources_of_pairwise_are_joined(run, write):
    candidates = [[f"{text} a", text, f"{text} b c"] for text in TEXTS]
    put(write, "beams.jsonl", "prediction", candidates)
    put(write, "samples.jsonl", "prediction", [[text] for text in TEXTS], ORDER)
    done = run("mbr", "beams.jsonl", "-r", "samples.jsonl", "--reference-field", "prediction", *CHRF)
    assert done.stdout.splitlines() == TEXTS
    # References of `pairwise` are no rows of the texts.
    put(write, "texts.jsonl", "prediction", TEXTS[1:3], [0, 1])
    put(write, "memory.jsonl", "reference", TEXTS[1:5], [0, 1, 2, 3])
    done = run("pairwise", "texts.jsonl", "-r", "memory.jsonl", *CHRF, "--top", 2, "-b")
    assert done.stdout == "100.00\t1\t1\n100.00\t2\t2\n"


BY_POSITION = "(--by-position pairs rows by their numbers)"
WRONG = {
    "ref.jsonl, line 12: id '99' is in no row of hyp.jsonl, which is joined by it": (range(N), [*range(N), 99]),
    "hyp.jsonl, line 11: id '10' is in no row of ref.jsonl, which is joined by it": (range(N), range(N - 1)),
    "ref.jsonl, line 1: id '99' is in no row of hyp.jsonl, which is joined by it": (range(N), [99, *range(1, N)]),
    "ref.jsonl, line 2 and ref.jsonl, line 4 have the same id '0', by which rows are joined":
        (range(N), [1, 0, 2, 0, *range(3, N)]),
    "hyp.jsonl, line 1 and hyp.jsonl, line 11 have the same id '0', by which rows are joined":
        ([*range(N - 1), 0], range(N)),
    "ref.jsonl, line 3 and ref.jsonl, line 11 have the same id '2', by which rows are joined":
        (range(N), [*range(N - 1), 2]),
    # Found in rows that went through, once a later order differs.
    "hyp.jsonl, line 1 and hyp.jsonl, line 2 have the same id '0', by which rows are joined":
        ([0, 0, *range(1, N)], [0, 0, *range(N - 1, 0, -1)]),
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_missing_and_double_ids(refused, write, message):
    texts = {**dict(enumerate(TEXTS)), 99: "x"}
    for name, order in zip(("hyp.jsonl", "ref.jsonl"), WRONG[message], strict=True):
        write(name, [{"id": i, "prediction": texts[i], "reference": texts[i]} for i in order])
    assert refused("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF) == f"{message} {BY_POSITION}"


@pytest.mark.parametrize("order", [[*range(7), 4, *range(8, N)], [0] * 3, [0, 0, 1, 1, 0], [7, 7]])
def test_ids_twice_in_one_order(metrics, write, order):
    for name in ("hyp.jsonl", "ref.jsonl"):
        rows = [{"id": i, "prediction": TEXTS[place], "reference": REFS[place]} for place, i in enumerate(order)]
        write(name, rows)
    found = metrics("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF)["chrf"]
    assert found == textgauge.chrf(TEXTS[: len(order)], REFS[: len(order)])


def test_row_without_id(refused, write):
    put(write, "hyp.jsonl", "prediction", TEXTS)
    write("ref.jsonl", [{"id": i if i != 4 else None, "reference": REFS[i]} for i in ORDER])
    message = refused("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF)
    assert message.startswith(
        "ref.jsonl, line 8, field 'id': expected an id, by which rows are joined (--by-position does"
    )


@pytest.mark.parametrize("bad", [{2}, {0, 9}, {N - 1}])
@pytest.mark.parametrize("side", ["hyp.jsonl", "ref.jsonl"])
def test_bad_rows_in_any_order(run, write, tmp_path, side, bad):
    for name, column, texts, order in (("hyp", "prediction", TEXTS, range(N)), ("ref", "reference", REFS, ORDER)):
        rows = [{"id": i, column: texts[i]} for i in order]
        if side.startswith(name):
            rows = ["5" if row["id"] in bad else row for row in rows]
        write(f"{name}.jsonl", rows)
    done = run("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF, "--skip-bad", "-o", "rows.json")
    assert done.exit_code == 0, done.stderr
    kept = [i for i in range(N) if i not in bad]
    rows = json.loads((tmp_path / "rows.json").read_text())
    assert [row["segment"] for row in rows] == [i + 1 for i in kept]
    expected = textgauge.segment_scores("chrf", [TEXTS[i] for i in kept], [REFS[i] for i in kept])
    assert [row["chrf"] for row in rows] == list(expected)
    done = run("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF)
    assert (done.exit_code, side in done.stderr, "joined" in done.stderr) == (2, True, False)


@pytest.mark.parametrize("n_more", [1, 3])
def test_bad_rows_beyond_those_of_the_other_file(run, write, tmp_path, n_more):
    put(write, "hyp.jsonl", "prediction", TEXTS)
    write("ref.jsonl", [*[{"id": i, "reference": REFS[i]} for i in ORDER], *["5"] * n_more])
    done = run("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF, "--skip-bad", "-o", "rows.json")
    assert done.exit_code == 0, done.stderr
    rows = json.loads((tmp_path / "rows.json").read_text())
    assert [row["chrf"] for row in rows] == list(textgauge.segment_scores("chrf", TEXTS, REFS))


def test_shards_with_ids(run, refused, write):
    put(write, "part-1.jsonl", "prediction", TEXTS, ORDER[:4])
    put(write, "part-2.jsonl", "prediction", TEXTS, ORDER[4:])
    put(write, "ref.jsonl", "reference", REFS)
    done = run("score", "part-*.jsonl", "-r", "ref.jsonl", *CHRF, "--json")
    assert json.loads(done.stdout)["metrics"]["chrf"] == pytest.approx(EXPECTED, abs=1e-12)
    write("part-2.jsonl", [{"prediction": TEXTS[i]} for i in ORDER[4:]])
    message = refused("score", "part-*.jsonl", "-r", "ref.jsonl", *CHRF)
    assert message.startswith("part-2.jsonl: expected a field 'id' in all files of part-*.jsonl, or in none")


def test_standard_input_is_joined_too(run, write):
    put(write, "ref.jsonl", "reference", REFS, ORDER)
    rows = "".join(f"{json.dumps({'id': i, 'prediction': text})}\n" for i, text in enumerate(TEXTS))
    done = run("score", "-", "--format", "jsonl", "-r", "ref.jsonl", *CHRF, "--json", stdin=rows)
    assert json.loads(done.stdout)["metrics"]["chrf"] == EXPECTED


LONG, LONGER = "x" * 60, "x" * 61


def twice(first, second, one):
    return f"hyp.jsonl, line {first} and hyp.jsonl, line {second} have the same id '{one}'"


@pytest.mark.parametrize(
    ("own", "theirs", "message"),
    [
        ([0, 1, 2, 3, 3, 5, 6, 7], [0, 1, 2, 3, 3, 5, 7, 6], twice(4, 5, 3)),
        ([0, 1, 2, 3, 4, 2, 6, 7], [0, 1, 2, 3, 4, 2, 7, 6], twice(3, 6, 2)),
        ([0, 1, 2, 3, 4, 4, 6, 7], [0, 1, 2, 3, 4, 4, 7, 6], twice(5, 6, 4)),
        ([0, 1, 2, 1, 2, 5, 6, 7], [0, 1, 2, 1, 2, 5, 7, 6], twice(2, 4, 1)),
        ([0, 1, 2, 3, 4, 5, 6, 7, 6], [0, 1, 2, 3, 4, 5, 7, 6, 6], twice(7, 9, 6)),
        ([0, 1, 2, 3, 4, 5, 6, 2], [0, 1, 2, 3, 4, 5, 2, 6], twice(3, 8, 2)),
        ([0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 7, 9], "ref.jsonl, line 8: id '9' is in no row of hyp.jsonl"),
        ([0, 1, 2, 3], [0, 1, 2, LONG], f"ref.jsonl, line 4: id '{LONG}' is in no row of hyp.jsonl"),
        ([0, 1, 2, 3], [0, 1, 2, LONGER], f"ref.jsonl, line 4: id '{LONG}...' is in no row of hyp.jsonl"),
    ],
)  # fmt: skip
def test_places_behind_rows_that_were_alike(refused, write, own, theirs, message):
    """Rows are alike up to one that is not; ids that are twice are no error until then."""
    for name, column, ids in (("hyp.jsonl", "prediction", own), ("ref.jsonl", "reference", theirs)):
        write(name, [{"id": one, column: "a b"} for one in ids])
    found = refused("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF)
    assert found.startswith(message)
    assert found.endswith("(--by-position pairs rows by their numbers)")
