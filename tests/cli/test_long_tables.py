"""One table with a row for every output of every system, and a column of systems."""

import json
import re

import pytest
import textgauge
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from quick import examples
from textgauge.files.lines import FileError
from textgauge.files.long_table import systems_in
from textgauge.files.parallel import ParallelFiles
from textgauge.files.rows import BadRows

from cli.conftest import says

N = 7
NAMES = ("onyx", "topaz", "tuff")
TEXTS = {name: [f"{name} {'word ' * i}end" for i in range(N)] for name in NAMES}
REFS = [f"onyx {'word ' * (i // 2)}end of it" for i in range(N)]
EXPECTED = {name: textgauge.chrf(texts, REFS)["chrf"] for name, texts in TEXTS.items()}
ROWS = [
    {"system": name, "id": i, "reference": REFS[i], "prediction": TEXTS[name][i], "doc": f"d{i // 2}"}
    for name in NAMES for i in range(N)
]  # fmt: skip
# One below the other; segment by segment; each system in an order of its own.
ORDERS = {
    "below": ROWS,
    "between": sorted(ROWS, key=lambda row: row["id"]),
    "mixed": sorted(ROWS, key=lambda row: (row["id"] * (1 + 2 * NAMES.index(row["system"])) % N, row["system"])),
}
CHRF = ("-m", "chrf")


@pytest.fixture(params=[2, 1 << 14], ids=["small blocks", "one block"], autouse=True)
def _size(request, monkeypatch):
    monkeypatch.setattr("textgauge.files.rows.BLOCK_ROWS", request.param)


def put(write, name, rows):
    """Write rows in the format of the name."""
    if name.endswith("parquet"):
        return write(name, {key: [row[key] for row in rows] for key in rows[0]})
    if name.endswith("json"):
        return write(name, json.dumps(rows))
    if name.endswith("jsonl"):
        return write(name, rows)
    mark = {"csv": ",", "tsv": "\t"}[name[-3:]]
    return write(name, [mark.join(rows[0]), *(mark.join(map(str, row.values())) for row in rows)])


def systems(run, *words):
    """Return the scores of chrF of every system of a call that says nothing else."""
    done = run("score", *words, *CHRF, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    return {one["system"]: one["metrics"]["chrf"]["chrf"] for one in json.loads(done.stdout)["systems"]}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", ["rows.csv", "rows.tsv", "rows.jsonl", "rows.json", "rows.parquet"])
def test_systems_are_joined_by_their_ids(run, write, name, order):
    found = systems(run, put(write, name, ORDERS[order]))
    assert list(found) == [*dict.fromkeys(row["system"] for row in ORDERS[order])]
    assert found == pytest.approx(EXPECTED, abs=1e-12)


def test_compare_plan_and_explain(run, write, tmp_path):
    table = put(write, "rows.jsonl", ORDERS["mixed"])
    files = [write(f"{name}.txt", TEXTS[name]) for name in NAMES]
    write("ref.txt", REFS)
    long, short = (
        json.loads(run("compare", *words, *CHRF, "-n", 99, "--json").stdout)
        for words in ((table,), (*files, "-r", "ref.txt"))
    )
    rows = long["metrics"]["chrf"]
    assert [(row["system"], row["name"]) for row in rows] == [(name, name) for name in NAMES]
    keys = ("score", "confidence_interval", "p", "stat")
    assert [[row.get(key) for key in keys] for row in rows] == [
        [row.get(key) for key in keys] for row in short["metrics"]["chrf"]
    ]
    assert "plan takes the outputs of two systems" in run("plan", table, *CHRF).stderr
    assert run("explain", table, *CHRF, "-o", "page.html").exit_code == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    assert all(page.count(name) > N for name in NAMES)
    # Units stand in the rows of the first system.
    done = run("compare", table, *CHRF, "-n", 9, "--unit-field", "doc", "--json", "--signature")
    assert (done.exit_code, json.loads(done.stdout)["units"]) == (0, 4)


def test_rows_that_are_written(run, write, tmp_path):
    put(write, "rows.csv", ORDERS["mixed"])
    assert run("score", "rows.csv", *CHRF, "-o", "scores.jsonl", "--keep", "id").exit_code == 0
    rows = [json.loads(line) for line in (tmp_path / "scores.jsonl").read_text().splitlines()]
    assert {(row["system"], int(row["id"])): row["chrf"] for row in rows} == {
        (name, i): pytest.approx(textgauge.chrf([TEXTS[name][i]], [REFS[i]])["chrf"], abs=1e-9)
        for name in NAMES for i in range(N)
    }  # fmt: skip


def test_other_names(run, write):
    rows = [
        {"model": row["system"], "segment": row["id"], "mt": row["prediction"], "ref": row["reference"]}
        for row in ORDERS["mixed"]
    ]
    table = put(write, "rows.csv", rows)
    fields = ("--system-field", "model", "--prediction-field", "mt")
    assert systems(run, table, *fields, "--reference-field", "ref") == pytest.approx(EXPECTED, abs=1e-12)
    # References of their own, by their ids.
    write("ref.jsonl", [{"segment": i, "reference": REFS[i]} for i in reversed(range(N))])
    assert systems(run, table, *fields, "-r", "ref.jsonl") == pytest.approx(EXPECTED, abs=1e-12)
    put(write, "other.jsonl", [{"nr": row["id"], **row, "id": at} for at, row in enumerate(ORDERS["mixed"])])
    words = ("other.jsonl", "--system-field", "system", "--id-field", "nr")
    assert systems(run, *words) == pytest.approx(EXPECTED, abs=1e-12)


def test_rows_by_their_numbers(run, refused, write):
    rows = [{key: value for key, value in row.items() if key != "id"} for row in ORDERS["below"]]
    table = put(write, "rows.csv", rows)
    assert refused("score", table, "--system-field", "system").startswith(
        "--system-field system: rows.csv has no column of ids, by which the rows of its systems are joined, only 'sys"
    )
    # An option that is given counts, though the column is read as another.
    assert refused("score", table, "--system-field", "reference").startswith(
        "--system-field reference: rows.csv has no"
    )
    assert systems(run, table, "--system-field", "system", "--by-position") == pytest.approx(EXPECTED, abs=1e-12)
    # Without the option nothing says that these are systems.
    assert json.loads(run("score", table, *CHRF, "--json").stdout)["segments"] == 3 * N


def test_sources_stand_in_the_rows(run, write):
    rows = [{**row, "source": f"quelle {row['id']}"} for row in ORDERS["mixed"]]
    done = run("score", put(write, "rows.jsonl", rows), "-m", "sari", "--source-field", "source", "--json")
    found = {one["system"]: one["metrics"]["sari"]["sari"] for one in json.loads(done.stdout)["systems"]}
    sources = [f"quelle {i}" for i in range(N)]
    assert found == pytest.approx(
        {name: textgauge.sari(TEXTS[name], REFS, sources=sources)["sari"] for name in NAMES}, abs=1e-12
    )


PROMPTS = [{**row, "system": f"You are {row['system']}.", "id": at} for at, row in enumerate(ROWS)]


def test_a_column_of_that_name_may_be_another(metrics, run, write):
    """The prompts of a language model, which share no ids; and one system."""
    every = [textgauge.chrf([row["prediction"] for row in rows], [row["reference"] for row in rows])["chrf"]
             for rows in (ROWS, ROWS[:N])]  # fmt: skip
    for rows, expected in ((PROMPTS, every[0]), (ROWS[:N], every[1])):
        for name in ("rows.csv", "rows.jsonl", "rows.parquet"):
            assert metrics("score", put(write, name, rows), *CHRF)["chrf"]["chrf"] == pytest.approx(expected, abs=1e-9)
    assert json.loads(run("score", "rows.jsonl", *CHRF, "--system-field", "system", "--json").stdout)["segments"] == N
    # So may predictions.
    rows = [{"system": row["prediction"], "id": row["id"] % 2, "reference": row["reference"]} for row in ROWS]
    found = metrics("score", put(write, "rows.jsonl", rows), "--prediction-field", "system", *CHRF)
    assert found["chrf"]["chrf"] == pytest.approx(every[0], abs=1e-9)


def without(system, i):
    return [row for row in ROWS if (row["system"], row["id"]) != (system, i)]


def test_refused(refused, write):
    write("hyp.txt", REFS)
    table = put(write, "rows.csv", ROWS)
    put(write, "lacks.csv", without("topaz", 4))
    put(write, "first.csv", without("onyx", 4))
    put(write, "twice.csv", [*without("tuff", 4), ROWS[-1]])
    put(write, "refs.csv", [*without("tuff", 4), {**ROWS[-3], "reference": "other"}])
    put(write, "blank.csv", [*ROWS, {**ROWS[0], "system": " "}])
    put(write, "many.csv", [{**ROWS[0], "system": f"s{i}"} for i in range(201)])
    by_name = "which is joined by it (--id-field names another column, ids of ... alone: 1, of ... alone: 0)"
    asked = {
        ("score", "lacks.csv"):
            f"lacks.csv, line 6: id '4' is in no row of system 'topaz' of lacks.csv, {by_name}",
        ("score", "first.csv"):
            f"first.csv, line 12: id '4' is in no row of system 'onyx' of first.csv, {by_name}",
        ("compare", "twice.csv"):
            "twice.csv, line 21 and twice.csv, line 22 have the same id '6', by which rows are joined",
        ("score", "refs.csv"): "system 'onyx' of refs.csv and system 'tuff' of refs.csv have different texts in "
            "'reference' for one segment: \"onyx word word end of it\" and \"other\" (references and sources may stand "
            "in a file of their own, with -r and -s)",
        ("score", "blank.csv"): "blank.csv, line 23, field 'system': ... got ' '",
        ("score", "many.csv"): "many.csv: ... 200 ... 'system' ... got more",
        ("score", table, "--system-field", "modle"): "rows.csv: there is no field 'modle', only 'system', 'id',",
        ("score", table, "--system-field", "system", "--prediction-field", "prediction", "--prediction-field", "doc"):
            "--system-field system is for one file with one column to score, in which all systems stand",
        ("score", table, table, "-r", "hyp.txt", "--system-field", "system"): "--system-field system is for one",
        ("score", "hyp.txt", "-r", "hyp.txt", "--system-field", "x"): "--system-field has no effect: plain text has",
        ("score", "-", "--format", "csv", "--system-field", "x"): "--system-field needs a file that can be read twice",
        ("score", table, "--name", "a"): "--name must be given once per system, 3 in all",
    }  # fmt: skip
    for words, message in asked.items():
        assert says(refused(*words), message)


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "json", "parquet"])
def test_a_bad_row_has_its_number(refused, write, form):
    """Among those of all systems, in every format."""
    item, first = {"json": ("object", 1), "jsonl": ("line", 1), "parquet": ("row", 1)}.get(form, ("line", 2))
    for order, at in zip(ORDERS, (1, N + 2, len(ROWS) - 1), strict=True):
        rows = [*ORDERS[order]]
        # A delimiter makes a value too many.
        rows[at] = {**rows[at], "prediction": {"csv": "a,b", "tsv": "a\tb"}.get(form)}
        message = refused("score", put(write, f"rows.{form}", rows), *CHRF)
        assert re.match(rf"rows\.{form}, {item} {first + at}\b", message)


def test_bad_rows(run, refused, write):
    rows = [{**row, "prediction": None} if row is ROWS[N + 2] else row for row in ORDERS["between"]]
    broken = [*map(json.dumps, rows[:3]), '{"system": "onyx", ', *map(json.dumps, rows[3:])]
    write("rows.jsonl", broken)
    assert says(refused("score", "rows.jsonl", *CHRF), "rows.jsonl, line 4: ... got broken JSON at")
    done = run("score", "rows.jsonl", *CHRF, "--skip-bad", "--json")
    assert "2 segments were left out: bad rows, line 4 and line 9" in done.stderr
    good = [i for i in range(N) if i != 2]
    found = {one["system"]: one["metrics"]["chrf"]["chrf"] for one in json.loads(done.stdout)["systems"]}
    assert found == {
        name: pytest.approx(textgauge.chrf([TEXTS[name][i] for i in good], [REFS[i] for i in good])["chrf"], abs=1e-12)
        for name in NAMES
    }


ROW = st.tuples(st.sampled_from("abc"), st.integers(0, 4), st.sampled_from([None, "x", "y z"]))


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(ROW, min_size=1, max_size=14, unique_by=lambda row: row[:2]))
def test_drawn_tables_beside_a_dictionary(tmp_path, rows):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps({"system": s, "id": i, "prediction": t, "reference": f"r{i}"}) + "\n"
                            for s, i, t in rows))  # fmt: skip
    texts = {}
    for system, i, text in rows:
        texts.setdefault(system, {})[i] = text
    first, *others = texts.values()
    has_all = all(own.keys() == first.keys() for own in others)
    good = [i for i in first if all(own.get(i) is not None for own in texts.values())]
    files = ParallelFiles([str(path)], [], bad=BadRows(is_skipped=True))
    table = systems_in(files.inputs[0], "system", skips_bad=True)
    assert table.names == [*texts]
    files = ParallelFiles([str(path)], [], bad=BadRows(is_skipped=True), table=table)
    if not has_all or not good:
        # A bad row may be that of any id that is missing: the others are read or refused, but never paired wrongly.
        try:
            corpora = files.read().corpora
        except FileError:
            return
    else:
        corpora = files.read().corpora
        assert [len(corpus) for corpus in corpora] == [len(good)] * len(texts)
    for corpus, own in zip(corpora, texts.values(), strict=True):
        ids = [int(text[1:]) for text in corpus.references.tolist()]
        assert corpus.hypotheses.tolist() == [own[i] for i in ids]


def test_as_many_systems_as_are_allowed(tmp_path, monkeypatch):
    monkeypatch.setattr("textgauge.files.long_table.MOST_SYSTEMS", 3)
    path = tmp_path / "rows.jsonl"
    for n, is_read in ((3, True), (4, False)):
        rows = ({"system": f"s{i}", "id": 0, "prediction": "a", "reference": "a"} for i in range(n))
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        [file] = ParallelFiles([str(path)], [], bad=BadRows(is_skipped=False)).inputs
        if is_read:
            assert len(systems_in(file, "system", skips_bad=False).names) == n
        else:
            with pytest.raises(FileError, match="at most 3 systems in the column 'system'"):
                systems_in(file, "system", skips_bad=False)
