"""Files whose rows have ids, in one order or another."""

import json
import re

import pytest
import textgauge
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from quick import covering, examples
from textgauge.files.lines import FileError
from textgauge.files.parallel import ParallelFiles
from textgauge.files.rows import BadRows

from cli.conftest import says

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
    # A data frame that lacks some has floats.
    write("hyp.jsonl", [{"id": float(i), "prediction": TEXTS[i]} for i in range(N)])
    assert metrics("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF)["chrf"] == EXPECTED
    # Numbers of more digits than a float has, and of more than 64 bits.
    for far in (2**60, 2**70, 12345678901234567890123):
        write("hyp.jsonl", [f'{{"id": {far + i}, "prediction": "{TEXTS[i]}"}}' for i in range(N)])
        write("ref.jsonl", [f'{{"id": {far + i}, "reference": "{REFS[i]}"}}' for i in ORDER])
        assert metrics("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF)["chrf"] == EXPECTED


def test_another_field_joins(run, metrics, write):
    put(write, "hyp.jsonl", "prediction", TEXTS, ids="number")
    put(write, "ref.jsonl", "reference", REFS, ORDER, ids="number")
    joined = metrics("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF, "--id-field", "number")
    assert joined["chrf"] == EXPECTED
    done = run("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF, "--id-field", "uid")
    assert (done.exit_code, "there is no field 'uid'" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("name", "form"),
    covering(
        ["ID", "utt_id", "Utterance_ID", "segment_id", "key", "image_id", "audio_filepath", "qid"],
        ["jsonl", "csv", "tsv", "parquet"],
    ),
)
def test_what_others_call_a_column_of_ids(run, metrics, write, name, form):
    put(write, f"hyp.{form}", "prediction", TEXTS, ids=name)
    put(write, f"ref.{form}", "reference", REFS, ORDER, ids=name.lower())
    words = ("score", f"hyp.{form}", "-r", f"ref.{form}", *CHRF)
    assert metrics(*words)["chrf"] == EXPECTED
    assert metrics(*words, "--by-position")["chrf"] == textgauge.chrf(TEXTS, [REFS[i] for i in ORDER])
    # An id that is missing has the name of the column.
    put(write, f"ref.{form}", "reference", REFS, ORDER[1:], ids=name)
    assert f": {name} '{ORDER[0]}' is in no row of ref.{form}" in run(*words).stderr


def test_what_is_read_as_a_text_is_no_id(metrics, write):
    put(write, "hyp.csv", "prediction", TEXTS, ids="key")
    put(write, "ref.csv", "reference", REFS, ORDER, ids="key")
    found = metrics("score", "hyp.csv", "-r", "ref.csv", *CHRF, "--reference-field", "key")
    assert found["chrf"] == textgauge.chrf(TEXTS, [str(i) for i in ORDER])


def test_columns_of_ids_beside_others(metrics, write):
    """The name that two files have, a stream, a transcript, and a file without ids in one order with them."""
    rows = [{"id": -i, "utt_id": i, "prediction": TEXTS[i]} for i in range(N)]
    write("hyp.jsonl", rows)
    put(write, "ref.csv", "reference", REFS, ORDER, ids="utt_id")
    assert metrics("score", "hyp.jsonl", "-r", "ref.csv", *CHRF)["chrf"] == EXPECTED
    stream = "".join(f"{json.dumps(row)}\n" for row in rows)
    put(write, "ref.jsonl", "reference", REFS, ORDER, ids="key")
    words = ("score", "-", "--format", "jsonl", "-r", "ref.jsonl", *CHRF)
    found = metrics(*words, stdin=stream.replace("utt_id", "key"))
    assert found["chrf"] == EXPECTED
    write("hyp.trn", [f"{TEXTS[i]} ({i})" for i in range(N)])
    assert metrics("score", "hyp.trn", "-r", "ref.csv", *CHRF)["chrf"] == EXPECTED
    write("hyp.txt", TEXTS)
    put(write, "ref.csv", "reference", REFS, ids="utt_id")
    assert metrics("score", "hyp.txt", "-r", "ref.csv", *CHRF)["chrf"] == EXPECTED


@pytest.mark.parametrize(("own", "their"), [("utt_id", "id"), ("Key", "image_id"), ('"id"', "id"), ("id ", "ID")])
def test_ids_under_two_names_are_told(run, write, own, their):
    put(write, "hyp.tsv", "prediction", TEXTS, ids=own)
    words = ("score", "hyp.tsv", "-r", "ref.csv", *CHRF, "-b")
    told = (
        f"{own!r} of hyp.tsv has the same values as {their!r} of ref.csv in another order, and rows are paired by their"
    )
    put(write, "ref.csv", "reference", REFS, ORDER, ids=their)
    assert told in run(*words).stderr
    assert run(*words, "--by-position").stderr == ""
    put(write, "ref.csv", "reference", REFS, ids=their)
    assert run(*words).stderr == ""


@pytest.mark.parametrize("forms", ["jsonl jsonl", "csv parquet", "tsv csv"])
def test_equal_values_in_another_order_are_told(run, write, forms):
    """In a column that no one calls an id, where no table is long."""
    own, their = (f"{side}.{form}" for side, form in zip(("hyp", "ref"), forms.split(), strict=True))
    values = [f"n{i}" for i in range(N)]
    put(write, own, "prediction", TEXTS, same=[0] * N, segment=values, ids="row")
    words = ("score", own, "-r", their, *CHRF, "-b")
    told = (
        f"textgauge: warning: {own} and {their} have the same values of 'segment' in another order, and rows are "
        "paired by their numbers; give --id-field segment to join them by it, or --by-position\n"
    )
    put(write, their, "reference", REFS, ORDER, same=[0] * N, segment=values, ids="other")
    assert run(*words).stderr == told
    assert run(*words, "--id-field", "segment").stderr == run(*words, "--by-position").stderr == ""
    # The same order, and values that differ, or that are there twice, say nothing; nor do those that are read as texts.
    for order, changed in ((range(N), values), (ORDER, [*values[:-1], "x"]), (ORDER, [*values[:-1], "n0"])):
        put(write, their, "reference", REFS, order, segment=changed, ids="other")
        assert run(*words).stderr == ""
    put(write, their, "reference", REFS, ORDER, segment=values, ids="other")
    assert run(*words, "--reference-field", "segment").stderr == ""


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
        "compare", "a.jsonl", "b.jsonl", "-r", "a.jsonl", "--reference-field", "prediction", *CHRF, "-n", 9, "--json",
    )  # fmt: skip
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
    "ref.jsonl, line 12: id '99' is in no row of hyp.jsonl, which is joined by it (ids of ref.jsonl alone: 1, of "
    "hyp.jsonl alone: 0)": (range(N), [*range(N), 99]),
    "hyp.jsonl, line 10: id '9' is in no row of ref.jsonl, which is joined by it (ids of hyp.jsonl alone: 2, of "
    "ref.jsonl alone: 0)": (range(N), range(N - 2)),
    "ref.jsonl, line 1: id '99' is in no row of hyp.jsonl, which is joined by it (ids of ref.jsonl alone: 1, of "
    "hyp.jsonl alone: 1)": (range(N), [99, *range(1, N)]),
    f"ref.jsonl, line 2 and ref.jsonl, line 4 have the same id '0', by which rows are joined {BY_POSITION}":
        (range(N), [1, 0, 2, 0, *range(3, N)]),
    "ref.jsonl, line 11: id '10' is in no row of hyp.jsonl, which is joined by it (ids of ref.jsonl alone: 1, of "
    "hyp.jsonl alone: 0)": ([*range(N - 1), 0], range(N)),
    f"ref.jsonl, line 3 and ref.jsonl, line 11 have the same id '2', by which rows are joined {BY_POSITION}":
        (range(N), [*range(N - 1), 2]),
    # Found in rows that went through, once a later order differs.
    f"hyp.jsonl, line 1 and hyp.jsonl, line 2 have the same id '0', by which rows are joined {BY_POSITION}":
        ([0, 0, *range(1, N)], [0, 0, *range(N - 1, 0, -1)]),
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_missing_and_double_ids(refused, write, message):
    """Where ids differ, rows of one number are no pairs: --by-position would score other texts."""
    texts = {**dict(enumerate(TEXTS)), 99: "x"}
    for name, order in zip(("hyp.jsonl", "ref.jsonl"), WRONG[message], strict=True):
        write(name, [{"id": i, "prediction": texts[i], "reference": texts[i]} for i in order])
    assert refused("score", "hyp.jsonl", "-r", "ref.jsonl", *CHRF) == message


@pytest.mark.parametrize(
    "samples", [[0, 0, 1, 1, 2], [2, 1, 0, 2, 1, 0], [0, 1, 2, 0, 1, 2, 2], [0, 1, 2, 2], [2, 2, 2, 0, 1]]
)
def test_samples_beside_references_with_each_id_once(metrics, run, refused, write, samples):
    """A problem has several samples: in whatever order, in blocks before and behind those of the references."""
    put(write, "ref.jsonl", "reference", REFS, range(3))
    write("a.jsonl", [{"id": i, "prediction": TEXTS[place]} for place, i in enumerate(samples)])
    found = metrics("score", "a.jsonl", "-r", "ref.jsonl", *CHRF)["chrf"]
    expected = textgauge.chrf(TEXTS[: len(samples)], [REFS[i] for i in samples])
    assert found["chrf"] == pytest.approx(expected["chrf"], abs=1e-12)
    # Two systems with the same samples; in another order nobody knows which belong together.
    write("b.jsonl", [{"id": i, "prediction": REFS[place]} for place, i in enumerate(samples)])
    done = run("score", "a.jsonl", "b.jsonl", "-r", "ref.jsonl", *CHRF, "--json")
    assert json.loads(done.stdout)["systems"][0]["metrics"]["chrf"]["chrf"] == found["chrf"]
    write("b.jsonl", [{"id": i, "prediction": "x"} for i in reversed(sorted(samples))])
    assert "have the same id" in refused("score", "a.jsonl", "b.jsonl", "-r", "ref.jsonl", *CHRF)
    put(write, "b.jsonl", "prediction", REFS, range(3))
    assert "have the same id" in refused("score", "a.jsonl", "b.jsonl", "-r", "ref.jsonl", *CHRF)


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
    assert says(message, "ref.jsonl, line 8, field 'id': ... --by-position ... got null")


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


def joined_by_ids(files):
    """The values of every id that is good in all files, in the order of the first; None: refused."""
    first, *others = [dict(filter(None, rows)) for rows in files]
    n_bad = [rows.count(None) for rows in files]
    for i, other in enumerate(others, 1):
        if len(other.keys() - first) > n_bad[0] or len(first.keys() - other) > n_bad[i]:
            return None
    return [[first[i], *(other[i] for other in others)] for i in first if all(i in other for other in others)]


@st.composite
def drawn_files(draw):
    """Rows of two or three files as (id, value), some bad, in an order that is changed a little or not."""
    n = draw(st.integers(2, 6))
    bad = draw(st.sets(st.integers(0, n), min_size=1, max_size=2))
    files = []
    for side in range(draw(st.integers(2, 3))):
        ids = [*range(n), *draw(st.sampled_from([(), (), (n,), (n + side,)]))]
        i = draw(st.integers(0, 2 * n))
        ids[i : i + 2] = ids[i : i + 2][::-1]
        own_bad = {i for i in bad if draw(st.integers(0, 3))}
        files.append([None if i in own_bad else (i, 10 * i + side) for i in ids])
    return files


# The names of the columns of the last file cannot be read from its first row.
@example([[(1, 10), (0, 0)], [(1, 11), (0, 1)], [None, (1, 12)]], 1)
@given(drawn_files(), st.integers(1, 4))
@settings(max_examples=examples(1000), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_drawn_joins(tmp_path, files, block_rows):
    """Rows are those of a dictionary, whatever is bad in which file, in any block."""
    paths = []
    for i, rows in enumerate(files):
        paths.append(str(tmp_path / f"{i}.jsonl"))
        lines = [{"id": row[0], "prediction": str(row[1]), "reference": str(row[1])} if row else 5 for row in rows]
        (tmp_path / f"{i}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    bad = BadRows(is_skipped=True)
    expected = joined_by_ids(files)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("textgauge.files.rows.BLOCK_ROWS", block_rows)
        read = ParallelFiles(paths[:-1], paths[-1:], bad=bad).read
        if not expected:
            with pytest.raises(FileError, match="is in no row of" if expected is None else r"rows? (is |are |)bad\b"):
                read()
            return
        corpora = read().corpora
    columns = [*(corpus.hypotheses.tolist() for corpus in corpora), corpora[0].references.tolist()]
    assert [[*map(int, row)] for row in zip(*columns, strict=True)] == expected
    assert bad.n_skipped == len(files[0]) - len(expected)


def rows_of(ids, column, bad=()):
    """Rows whose texts are their ids; bad ones have no text, or are no objects."""
    return [{"id": i, column: None} if i in bad else {"id": i, column: i} if i else "5" for i in ids]


def test_the_same_bad_row_at_two_places(run, write):
    write("hyp.jsonl", [*rows_of("abc", "prediction", "b")[:2], {"id": "c", "prediction": "x"}])
    write("new.jsonl", rows_of("abc", "prediction"))
    write("ref.jsonl", rows_of("acb", "reference", "b"))
    page = json.loads(run("score", "hyp.jsonl", "-r", "ref.jsonl", "-m", "exact_match", "--skip-bad", "--json").stdout)
    assert (page["segments"], page["skipped"], page["metrics"]["exact_match"]["exact_match"]) == (2, 1, 0.5)
    words = (
        "compare", "new.jsonl", "hyp.jsonl", "-r", "ref.jsonl", "-m", "exact_match", "--skip-bad", "-n", 9, "--json",
    )  # fmt: skip
    page = json.loads(run(*words).stdout)
    assert (page["segments"], [row["score"] for row in page["metrics"]["exact_match"]]) == (2, [1, 0.5])


def test_bad_rows_of_blocks_before(run, refused, write):
    """The id of a bad row in the first block of both files is at the end of one."""
    write("hyp.jsonl", rows_of([None, "a", "c", "d", "b"], "prediction"))
    write("ref.jsonl", rows_of([None, "a", "c", "d", "x"], "reference"))
    words = ("score", "hyp.jsonl", "-r", "ref.jsonl", "-m", "exact_match", "--skip-bad")
    page = json.loads(run(*words, "--json").stdout)
    assert (page["segments"], page["skipped"], page["metrics"]["exact_match"]["exact_match"]) == (3, 2, 1)
    # But one bad row is one id, and lines count with bad ones.
    lacking = "id {} is in no row of {}, which is joined by it (ids of {} alone: {}, of {} alone: {})"
    write("ref.jsonl", rows_of([None, "a", "c", "d", "x", "y"], "reference"))
    assert refused(*words) == "ref.jsonl, line 5: " + lacking.format("'x'", "hyp.jsonl", "ref.jsonl", 2, "hyp.jsonl", 1)
    write("ref.jsonl", rows_of([None, "d"], "reference"))
    assert refused(*words) == "hyp.jsonl, line 2: " + lacking.format("'a'", "ref.jsonl", "hyp.jsonl", 3, "ref.jsonl", 0)
    write("ref.jsonl", rows_of([None, "a", "c", "d", "a"], "reference"))
    message = refused(*words)
    assert message.startswith("ref.jsonl, line 2 and ref.jsonl, line 5 have the same id 'a', by which rows are joined")


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
    assert says(message, "part-2.jsonl: ... 'id' ... got a file that")


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
    assert says(found, message)
    assert found.endswith(BY_POSITION) == ("in no row" not in message)


def test_rows_of_other_order_are_named_by_their_ids(run, write, tmp_path):
    """Their numbers are those of one file alone."""
    texts = {"s1": ("a cat sat", "a dog sat"), "s2": ("a dog ran", "the dog"), "s3": ("we go", "we go now")}
    texts["s4"] = "x", "y"
    systems = [[{"id": key, "prediction": pair[i]} for key, pair in texts.items()] for i in (0, 1)]
    references = [{"id": key, "reference": None if key == "s4" else pair[0]} for key, pair in texts.items()]
    write("a.jsonl", systems[0])
    write("b.jsonl", systems[1][::-1])
    write("r.jsonl", references[::-1])
    words = "-r", "r.jsonl", "-m", "wer", "--skip-bad"
    run("score", "b.jsonl", *words, "--by-position", "-o", "same.jsonl")
    assert '"id"' not in (tmp_path / "same.jsonl").read_text()
    done = run("score", "a.jsonl", *words, "--worst", 1, "-o", "rows.jsonl")
    assert "bad row, r.jsonl, line 1" in done.stderr
    assert "\nid s" in done.stdout
    rows = [*map(json.loads, (tmp_path / "rows.jsonl").read_text().splitlines())]
    assert [(row["segment"], row["id"]) for row in rows] == [(1, "s1"), (2, "s2"), (3, "s3")]
    [found] = json.loads(run("compare", "a.jsonl", "b.jsonl", *words, "--json").stdout)["metrics"]["wer"][1:]
    assert [(part["segment"], part["id"]) for part in found["worst"]] == [(2, "s2"), (3, "s3"), (1, "s1")]
    assert re.search(r"b.jsonl, worst +s2 ", run("compare", "a.jsonl", "b.jsonl", *words).stdout)
    wide = [row | {"id": "\u5317\u4eac"} if row["id"] == "s1" else row for row in systems[0]]
    write("c.jsonl", wide)
    write("d.jsonl", [{"id": row["id"], "reference": row["prediction"]} for row in wide[::-1]])
    lines = run("score", "c.jsonl", "-r", "d.jsonl", "-m", "wer", "--per-segment").stdout.splitlines()
    places = [line.partition("  0.0000")[0] for line in lines if line.count("  0.0000") > 1]
    assert places[:2] == ["   \u5317\u4eac", "     s2"]
    # One order of all files has numbers.
    write("r.jsonl", references)
    assert "segment 1: " in run("score", "a.jsonl", *words, "--worst", 1).stdout
