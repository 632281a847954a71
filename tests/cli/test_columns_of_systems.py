"""One table with a column for every system."""

import json
import re

import pytest
import textgauge

from cli.conftest import says

N = 6
SYSTEMS = {name: [f"{name} {'word ' * i}" for i in range(N)] for name in ("onyx", "topaz", "tuff")}
REFS = [f"onyx {'word ' * i}end" for i in range(N)]
TABLE = {"id": [*range(N)], "reference": REFS, **{f"sys_{name}": texts for name, texts in SYSTEMS.items()}}
COLUMNS = ("--prediction-field", "sys_*", "--reference-field", "reference")


@pytest.fixture(params=["rows.tsv", "rows.jsonl", "rows.csv", "rows.parquet"])
def table(request, write):
    name = request.param
    if name.endswith("parquet"):
        return write(name, TABLE)
    rows = [dict(zip(TABLE, row, strict=True)) for row in zip(*TABLE.values(), strict=True)]
    if name.endswith("jsonl"):
        return write(name, rows)
    mark = {"csv": ",", "tsv": "\t"}[name[-3:]]
    return write(name, [mark.join(TABLE), *(mark.join(map(str, row.values())) for row in rows)])


def test_score_has_a_row_for_each(run, table, tmp_path):
    done = run("score", table, *COLUMNS, "-m", "chrf", "--json")
    found = json.loads(done.stdout)["systems"]
    assert {one["system"]: one["metrics"]["chrf"] for one in found} == {
        name: textgauge.chrf(texts, REFS) for name, texts in SYSTEMS.items()
    }
    run("score", table, *COLUMNS, "-m", "chrf", "-o", "rows.json", "--keep", "id")
    rows = json.loads((tmp_path / "rows.json").read_text())
    assert [(row["system"], row["id"]) for row in rows[N - 1 : N + 1]] == [
        ("onyx", rows[N - 1]["id"]),
        ("topaz", rows[0]["id"]),
    ]


def test_compare_takes_the_first_as_the_baseline(run, table):
    found = json.loads(run("compare", table, *COLUMNS, "-m", "chrf", "-n", 9, "--json").stdout)["metrics"]["chrf"]
    assert [(row["name"], row["system"]) for row in found] == [(name, f"sys_{name}") for name in SYSTEMS]
    assert [row["score"] for row in found] == [textgauge.chrf(texts, REFS)["chrf"] for texts in SYSTEMS.values()]
    ranked = json.loads(run("compare", table, *COLUMNS, "-m", "chrf", "-n", 9, "--json", "--all-pairs").stdout)
    assert {row["system"] for row in ranked["metrics"]["chrf"]["systems"]} == {f"sys_{name}" for name in SYSTEMS}
    named = run("compare", table, *COLUMNS, "-m", "chrf", "-n", 9, "--name", "a", "--name", "b", "--name", "c", "-b")
    assert named.exit_code == 0


def test_explain_shows_each(run, table, tmp_path):
    assert run("explain", table, *COLUMNS, "-m", "chrf", "-o", "page.html").exit_code == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    # Once more than in its texts.
    assert all(page.count(name) > N for name in SYSTEMS)
    assert re.search(r">\s*topaz\s*<", page)


def test_a_star_stands_for_some_characters(run, write):
    write("rows.jsonl", [{"reference": "a", "sys_": "b", "sys_a": "a", "sys_b": "b"}])
    done = run("score", "rows.jsonl", *COLUMNS, "-m", "exact_match", "--json")
    assert [one["system"] for one in json.loads(done.stdout)["systems"]] == ["a", "b"]


def test_references_of_another_file_and_several_columns(run, metrics, table, write):
    write("ref.txt", REFS)
    done = run("score", table, "--prediction-field", "sys_*", "-r", "ref.txt", "-m", "chrf", "--json")
    assert [one["system"] for one in json.loads(done.stdout)["systems"]] == [*SYSTEMS]
    found = metrics("score", table, "--prediction-field", "reference", "--reference-field", "sys_t*", "-m", "chrf")
    both = [list(one) for one in zip(SYSTEMS["topaz"], SYSTEMS["tuff"], strict=True)]
    assert found["chrf"] == textgauge.chrf(REFS, both)


def test_each_column_may_be_named(run, table):
    fields = [word for name in ("topaz", "onyx") for word in ("--prediction-field", f"sys_{name}")]
    found = json.loads(run("score", table, *fields, "-m", "chrf", "--json").stdout)["systems"]
    assert {one["system"]: one["metrics"]["chrf"] for one in found} == {
        f"sys_{name}": textgauge.chrf(SYSTEMS[name], REFS) for name in ("topaz", "onyx")
    }
    [compared] = json.loads(run("compare", table, *fields, "-m", "chrf", "-n", 9, "--json").stdout)["metrics"]["chrf"][
        1:
    ]
    assert compared["system"] == "sys_onyx"


def test_a_lone_star_leaves_out_what_belongs_to_all_systems(run, write):
    row = {"ID": 1, "doc_id": 2, "src": "c", "ref": "b", "reference": "a", "speaker": "x", "base": "a", "new": "b"}
    write("rows.jsonl", [row | {"segment": 1, "Item": 2, "Unnamed: 0": 0, "lang": "de"}])
    done = run("score", "rows.jsonl", "--prediction-field", "*", "-m", "exact_match", "--json")
    found = json.loads(done.stdout)["systems"]
    assert [(one["system"], one["metrics"]["exact_match"]["exact_match"]) for one in found] == [("base", 1), ("new", 0)]


def test_what_a_star_leaves_out(run, write, metrics):
    rows = [{"mt_a": "a", "mt_ref": "b", "mt_src": "c", "mt_b": "d", "mt_id": 1}]
    write("rows.jsonl", rows)
    words = (
        "--prediction-field", "mt_*", "--reference-field", "mt_ref", "--source-field", "mt_src", "-m", "sari", "--json",
    )  # fmt: skip
    done = run("score", "rows.jsonl", *words, "-o", "x.json", "--keep", "mt_id")
    assert "which already" not in done.stderr
    done = run("score", "rows.jsonl", *words[:-1], "-o", "rows.json", "--keep", "mt_id")
    assert done.exit_code == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()[2:4]] == ["a", "b"]
    # A column of that very name is one column.
    write("rows.jsonl", [{"sys_*": "a", "sys_x": "b", "reference": "a"}])
    assert metrics("score", "rows.jsonl", "--prediction-field", "sys_*", "-m", "chrf")["chrf"]["chrf"] == 100


def test_what_a_star_cannot_be(refused, write, table):
    write("hyp.txt", REFS)
    write("other.jsonl", [{"sys_a": "a", "reference": "b"}])
    asked = {
        ("score", table, "--prediction-field", "mt_*"): f"{table}: ... 'mt_*' ... got only",
        ("score", "hyp.txt", "-r", "hyp.txt", "--prediction-field", "sys_*"): "hyp.txt: ... got plain text",
        ("score", table, "other.jsonl", "-r", "hyp.txt", "--prediction-field", "sys_*"):
            f"'sys_*' stands for several columns of one file, got {table} and other.jsonl",
        ("score", "-", "--format", "jsonl", "--prediction-field", "sys_*"): "'sys_*' needs a file that can be",
        ("score", table, "--prediction-field", "id", "--prediction-field", "id"):
            "--prediction-field names one column twice: id and id",
        ("pairwise", table, "--prediction-field", "sys_onyx", "--prediction-field", "sys_tuff"):
            "--prediction-field is given 2 times, sys_onyx and sys_tuff: it takes one value",
        ("pairwise", table, "--prediction-field", "sys_*"): "pairwise takes one column of texts, got sys_onyx",
        ("score", table, *COLUMNS, "--name", "a"): "--name must be given once per system, 3 in all",
    }  # fmt: skip
    for words, message in asked.items():
        assert says(refused(*words), message)


USUAL = [
    ({"src": "", "mt": "", "ref": ""}, "did you mean --prediction-field mt?"),
    ({"prompt": "", "predict": "", "label": ""}, "did you mean --prediction-field predict?"),
    ({"audio_filepath": "", "pred_text": "", "text": ""}, "did you mean --prediction-field pred_text?"),
    ({"prediction": "", "ref": ""}, "did you mean --reference-field ref?"),
    ({"prediction": "", "label": ""}, "did you mean --reference-field label?"),
    ({"prediction": "", "text": ""}, "did you mean --reference-field text?"),
    ({"prediction": "", "translation.de": "", "translation.en": ""},
     "did you mean --reference-field translation.de or translation.en?"),
    ({"prediction": "", "other": ""}, "choose one with --reference-field"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "advice"), USUAL, ids=str)
def test_usual_names_are_suggested(refused, write, row, advice):
    for name, content in (("rows.jsonl", [row]), ("rows.csv", [",".join(row), ",".join("x" for _ in row)]),
                          ("rows.parquet", {key: ["x"] for key in row})):  # fmt: skip
        assert refused("score", write(name, content), "-m", "chrf").endswith(f"; {advice}")


TRANSLATIONS = [
    {"translation": {"de": f"Satz {i} hier", "en": f"sentence {i}"}, "prediction": f"Satz {i}", "id": i}
    for i in range(5)
]


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.json", "rows.parquet"])
def test_columns_in_a_column_have_names(refused, metrics, run, write, name):
    """As data sets of translations have them."""
    if name.endswith("parquet"):
        write(name, {key: [row[key] for row in TRANSLATIONS] for key in TRANSLATIONS[0]})
    else:
        write(name, TRANSLATIONS if name.endswith("jsonl") else json.dumps(TRANSLATIONS))
    assert refused("score", name, "-m", "chrf").endswith(
        "; did you mean --reference-field translation.de or translation.en?"
    )
    texts = [[row["prediction"] for row in TRANSLATIONS], [row["translation"]["de"] for row in TRANSLATIONS]]
    found = metrics("score", name, "--reference-field", "translation.de", "-m", "chrf")["chrf"]
    assert found == textgauge.chrf(*texts)
    # Beside a file that is joined by its ids.
    write("hyp.jsonl", [{"id": row["id"], "prediction": row["prediction"]} for row in TRANSLATIONS[::-1]])
    found = metrics("score", "hyp.jsonl", "-r", name, "--reference-field", "translation.de", "-m", "chrf")["chrf"]
    assert found["chrf"] == pytest.approx(textgauge.chrf(*texts)["chrf"], abs=1e-12)
    done = run(
        "score", name, "--prediction-field", "translation.*", "--reference-field", "prediction", "-m", "chrf", "--json"
    )
    assert [one["system"] for one in json.loads(done.stdout)["systems"]] == ["de", "en"]


def test_row_without_nested_column(run, refused, write):
    for wrong in ({"translation": {"en": "x"}, "prediction": "a"}, {"translation": None, "prediction": "a"},
                  {"translation": {"de": None}, "prediction": "a"}, {"prediction": "a"}):  # fmt: skip
        write("rows.jsonl", [TRANSLATIONS[0], wrong, TRANSLATIONS[1]])
        words = ("score", "rows.jsonl", "--reference-field", "translation.de", "-m", "chrf")
        assert refused(*words).startswith("rows.jsonl, line 2")
        assert run(*words, "--skip-bad", "-b").exit_code == 0
