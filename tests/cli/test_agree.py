"""`textgauge agree`: metrics against people's scores of a table."""

import csv
import io
import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
import textgauge
from quick import first
from textgauge.cli import plots

from cli.conftest import says

PEOPLE = {"A": [0, 1, 3, 4, 2, 1], "B": [1, 2, 3, 5, 2, 4], "C": [0, 1, 1, 2, 0, 1]}
OURS = {"A": [0.1, 0.3, 0.6, 0.9, 0.4, 0.3], "B": [0.2, 0.3, 0.7, 0.9, 0.5, 0.6], "C": [0.1, 0.2, 0.3, 0.2, 0.1, 0.2]}
REFS = ["the cat sat", "a dog barks", "it rains", "the sun is up", "who is there", "no one"]
TEXTS = {name: [" ".join(text.split()[: 1 + (i + len(name)) % 3]) for text in REFS] for i, name in enumerate(PEOPLE)}
QUICK = ("-n", 50)
FORMATS = ["csv", "tsv", "jsonl", "parquet"]


def rows(**more):
    return [
        {"system": name, "segment": i + 1, "score": score, "ours": OURS[name][i], "prediction": TEXTS[name][i],
         "reference": REFS[i], **more}
        for name, scores in PEOPLE.items() for i, score in enumerate(scores)
    ]  # fmt: skip


def wide():
    by_system = {"score_": PEOPLE, "ours_": OURS, "text_": TEXTS}
    return [
        {"nr": i, "reference": ref, **{start + name: of[name][i] for start, of in by_system.items() for name in of}}
        for i, ref in enumerate(REFS)
    ]


@pytest.fixture
def table(write):
    """Write rows in a format, and return the name of the file."""

    def call(rows, kind="csv", name="ratings"):
        if kind == "parquet":
            return write(f"{name}.parquet", {key: [row[key] for row in rows] for key in rows[0]})
        if kind == "jsonl":
            return write(f"{name}.jsonl", rows)
        text = io.StringIO()
        writer = csv.DictWriter(text, rows[0], delimiter="," if kind == "csv" else "\t")
        writer.writeheader()
        writer.writerows(rows)
        return write(f"{name}.{kind}", text.getvalue())

    return call


def page(run, *words, stdin=None):
    result = run("agree", *words, "--json", *QUICK, stdin=stdin)
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


def plain(found):
    return json.loads(json.dumps([found.metrics, found.confidence_intervals]))


@pytest.mark.parametrize("kind", FORMATS)
def test_rows_of_every_format(run, table, kind):
    found = page(run, table(rows(), kind), "-m", "ours=ours", "chrf", "word_order=2")
    expected = textgauge.agreement(
        PEOPLE, {"ours": OURS, "chrf": textgauge.Chrf(word_order=2)}, predictions=TEXTS, references=REFS,
        n_resamples=50,
    )  # fmt: skip
    assert [found["metrics"], found["confidence_intervals"]] == plain(expected)
    assert (found["systems"], found["segments"], found["judgements"]) == ([*PEOPLE], 6, 18)
    assert found["significance"]["acc_eq"]["p"] == expected.significance["acc_eq"].p
    assert found["significance"]["acc_eq"]["clusters"] == expected.significance["acc_eq"].clusters


def test_a_stream_is_read_once(run, refused, table):
    words = ("--format", "csv", "-m", "ours=ours", "chrf")
    text = Path(table(rows())).read_text()
    assert page(run, "-", *words, stdin=text) == page(run, "ratings.csv", *words)
    wide_words = ("--human", "score_*", "-m", "ours=ours_*", "--format", "csv")
    assert says(refused("agree", "-", *wide_words, stdin=text), "standard input: ... got a stream$")


@pytest.mark.parametrize("kind", first(2, FORMATS))
def test_a_column_for_every_system(run, table, kind):
    words = ("--human", "score_*", "-m", "ours=ours_*", "rougeL", "--prediction-field", "text_*")
    found = page(run, table(wide(), kind), *words)
    expected = textgauge.agreement(
        PEOPLE, {"ours": OURS, "rougeL": None}, predictions=TEXTS, references=REFS, n_resamples=50
    )
    assert [found["metrics"], found["confidence_intervals"]] == plain(expected)
    assert found["systems"] == [*PEOPLE]
    # A column that is named belongs to no pattern.
    named = [{"score_of_ref" if name == "reference" else name: one for name, one in row.items()} for row in wide()]
    assert page(run, table(named, kind), *words, "--reference-field", "score_of_ref") == found


def test_bare_star(run, table):
    name = table([{"segment": i, **{one: PEOPLE[one][i] for one in PEOPLE}} for i in range(6)])
    assert page(run, name, "--human", "*", "-m", "same=*")["systems"] == [*PEOPLE]


@pytest.mark.parametrize("kind", FORMATS)
def test_missing_scores(run, table, kind):
    missing = None if kind in ("jsonl", "parquet") else ""
    some = [{**row, "score": missing} if i in (2, 9) else row for i, row in enumerate(rows())]
    found = page(run, table(some, kind), "-m", "ours=ours")
    people = {
        name: [None if (name, i) in (("A", 2), ("B", 3)) else one for i, one in enumerate(of)]
        for name, of in PEOPLE.items()
    }
    assert found["metrics"] == plain(textgauge.agreement(people, {"ours": OURS}, n_resamples=50))[0]
    assert found["judgements"] == 16


def test_columns_are_named_and_have_directions(run, table):
    names = {"system": "who", "segment": "nr", "score": "mqm", "ours": "loss"}
    turned = [
        {names.get(key, key): -value if key in ("score", "ours") else value for key, value in row.items()}
        for row in rows()
    ]
    words = ("--human", "mqm", "--no-human-higher-is-better", "--system-field", "who", "--segment-field", "nr")
    found = page(run, table(turned), *words, "-m", "loss=loss", "--lower-is-better", "loss")
    assert found["metrics"]["loss"] == page(run, table(rows()), "-m", "ours=ours")["metrics"]["ours"]


def test_table_of_agreement(run, table):
    result = run("agree", table(rows()), "-m", "ours=ours", "chrf", *QUICK)
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["Agreement", "with", "people", "ours", "chrf"]
    assert lines[2].split()[:3] == ["systems:", "Pearson", "0.971"]
    assert any(line.split()[:3] == ["rank", "by", "acc_eq"] for line in lines)
    [(first, _, second, *p)] = [line.split() for line in lines if " than " in line]
    tested = textgauge.agreement(
        PEOPLE, {"ours": OURS, "chrf": None}, predictions=TEXTS, references=REFS, n_resamples=50
    )
    soft = "soft_pairwise_accuracy"
    assert tested.metrics[first][soft] >= tested.metrics[second][soft]
    assert p == [f"{one.p[first][second]:.2f}" for one in tested.significance.values()]


def test_papers_and_files(run, table, tmp_path):
    latex = run("agree", table(rows()), "-m", "ours=ours", "--table", "latex", "-w", 2, "-o", "a.tex", *QUICK)
    assert (latex.exit_code, latex.stdout) == (0, "")
    text = (tmp_path / "a.tex").read_text()
    assert r"figure & ours \\" in text
    assert "systems: Pearson & 0.97" in text
    assert "% 3 systems, 6 segments, 18 judgements" in text
    markdown = run("agree", "ratings.csv", "-m", "ours=ours", "--table", "markdown", *QUICK).stdout
    assert markdown.startswith("| figure | ours |\n|---|---:|\n| systems: Pearson | 0.971 |")


def test_undefined_figures_are_dashes(run, table):
    lines = run("agree", table(rows(same=1)), "-m", "ours=ours", "same=same", *QUICK).stdout.splitlines()
    assert lines[2].split()[-1] == "-"
    assert "-: not defined, as a correlation with constant scores" in lines


def test_texts_to_learn_from_have_the_format_of_the_table(run, table, write, tmp_path):
    write("train.jsonl", [{"text": text} for text in REFS * 3])
    words = "-m", "perplexity", "ngram_order=2"
    found = page(run, table(rows(), "jsonl"), *words, "ngram_train=train.jsonl")
    for name in ("ratings", "train"):
        (tmp_path / f"{name}.jsonl").rename(tmp_path / name)
    assert page(run, "ratings", "--format", "jsonl", *words, "ngram_train=train") == found


def test_one_system(run, table):
    one = [row for row in rows() if row["system"] == "A"]
    plain = [{key: row[key] for key in row if key not in ("system", "segment")} for row in one]
    printed = run("agree", table(one), "-m", "ours=ours", *QUICK).stdout
    names = [line.split("  ")[0].strip() for line in printed.splitlines()[2:4]]
    assert names == ["outputs: Pearson", "outputs: Kendall's tau-b"]
    assert "1 system, 6 segments, 6 judgements" in printed
    assert "one system: outputs: Kendall's tau-b says whether a metric tells its good outputs from its bad" in printed
    assert [word for word in ("constant scores", "systems:", "by system") if word in printed] == []
    assert page(run, "ratings.csv", "-m", "ours=ours")["metrics"]["ours"]["acc_eq"] is None
    # Its name and those of segments are not needed.
    assert run("agree", table(plain, name="plain"), "-m", "ours=ours", *QUICK).stdout == printed


def test_judges_that_answer_by_classes_have_kappa(run, table):
    judged = [{"score": i % 3 > 0, "judge": i % 4 > 0, "doc": i // 8} for i in range(160)]
    done = run("agree", table(judged, "jsonl"), "-m", "judge=judge", "--unit-field", "doc", *QUICK)
    assert done.stderr == ""
    people, judge = ([row[name] for row in judged] for name in ("score", "judge"))
    found = textgauge.agreement(
        {"a": people}, {"judge": {"a": judge}}, n_resamples=50, unit=[i // 8 for i in range(160)]
    )
    text = done.stdout
    for name in ("accuracy", "base_rate", "kappa"):
        assert f"{found.metrics['judge'][name]:.3f}" in text
    assert "resampling 20 units (doc)" in text
    assert "accuracy means something beside its base rate" in text
    told = page(run, "ratings.jsonl", "-m", "judge=judge", "--unit-field", "doc")
    assert (told["unit"], told["units"]) == ("doc", 20)
    assert told["confidence_intervals"]["judge"] == found.confidence_intervals["judge"]
    hinted = run("agree", "ratings.jsonl", "-m", "judge=judge", *QUICK).stderr
    assert "those of one 'doc' are alike" in hinted
    assert "--unit-field NAME draws them as a whole" in hinted


@pytest.mark.parametrize("words", [("true", "false"), ("True", "False"), ("TRUE", "FALSE")])
def test_truth_values_are_numbers(run, table, words):
    verdicts = [row["score"] > 1 for row in rows()]
    named = [
        {**row, "score": words[not is_good], "ours": int(is_good)}
        for row, is_good in zip(rows(), verdicts, strict=True)
    ]
    assert page(run, table(named), "-m", "ours=ours")["metrics"]["ours"]["accuracy"] == 1


def test_picture_of_agreement(run, table, monkeypatch):
    pytest.importorskip("matplotlib")
    drawn = []
    monkeypatch.setattr(plots, "save", lambda figure, path: drawn.append(figure))
    assert run("agree", table(rows()), "-m", "ours=ours", "ter", "--plot", "a.png", *QUICK).exit_code == 0
    [figure] = drawn
    ours, outputs, ter, _ = figure.axes
    assert [text.get_text() for text in ours.texts] == [*PEOPLE]
    np.testing.assert_allclose(ours.lines[0].get_xdata(), [np.mean(of) for of in PEOPLE.values()])
    np.testing.assert_allclose(ours.lines[0].get_ydata(), [np.mean(of) for of in OURS.values()])
    assert len(outputs.lines[0].get_xdata()) == 18
    expected = [textgauge.ter(TEXTS[name], REFS)["ter"] for name in PEOPLE]
    np.testing.assert_allclose(ter.lines[0].get_ydata(), expected)
    assert ter.yaxis_inverted()
    assert plots.figure_class()


@pytest.mark.parametrize(
    ("changed", "words", "message"),
    [
        ({"score": "good"}, (), "field 'score': ... got \"good\""),
        ({"score": "inf"}, (), "ratings.csv, row 3, field 'score': ... got \"inf\""),
        ({"system": ""}, (), "ratings.csv, row 3, field 'system': ... got nothing"),
        ({"ours": ""}, (), "ratings.csv, row 3, ours: ... got none"),
        ({"segment": 2}, (), "ratings.csv, row 3, ours: ... 0.3 ... got 0.6"),
        ({}, ("--human", "mqm"), "there is no field 'mqm'"),
        ({}, ("--system-field", "who"), "there is no field 'who'"),
        ({}, ("-m", "comet=comet"), "there is no field 'comet'"),
        ({}, ("-m", "chrff"), "there is no metric 'chrff'"),
        ({}, ("-m", "ours="), "-m ours=: ... NAME=COLUMN"),
        ({}, ("-m", "chrf=ours", "chrf"), "-m has chrf twice, as a metric and as a column"),
        ({}, ("--human", "mqm_*"), "there are no columns 'mqm_*'"),
        ({}, ("--human", "scor*"), "'ours' is one column, and --human 'scor*' a column per system"),
        ({}, ("--lower-is-better", "chrf"), "higher_is_better: ... got 'chrf'"),
        ({}, ("--confidence", 2), "confidence"),
        ({}, ("--plot", "a.gif"), "--plot needs a name that ends in"),
        ({}, ("--json", "--table", "latex"), "--json cannot be given with --table"),
        ({}, ("other.csv",), "agree takes one table"),
    ],
)  # fmt: skip
def test_wrong_tables_and_options_are_refused(refused, table, changed, words, message):
    changed_rows = [{**row, **changed} if i == 2 else row for i, row in enumerate(rows())]
    assert says(refused("agree", table(changed_rows), "-m", "ours=ours", *words), f"... {message}")


def test_plain_text_has_no_columns(refused, write):
    cues = write("ratings.srt", "1\n00:00:01,000 --> 00:00:02,000\na\n")
    for file in (write("ratings.txt", "1\n"), cues):
        for asked in (("--human", "*"), ("--winner", "w"), ("--raters", "a", "--raters", "b")):
            assert says(refused("agree", file, *asked), f"... {file}: ... got plain text")


@pytest.mark.parametrize("word", first(4, ["", "NaN", "n/a", "None", "null", "nan", "NA", "na", "N/A", "none"]))
def test_a_missing_score_has_many_names(run, table, word):
    known = rows()
    known[4]["score"] = word
    missing = rows()
    missing[4]["score"] = ""
    call = ("-m", "ours=ours")
    assert page(run, table(known), *call) == page(run, table(missing, name="other"), *call)


@pytest.mark.parametrize("kind", FORMATS)
def test_raters_have_columns(run, table, kind):
    of_item = [("1", "1", "2"), ("2", "2", "2"), ("3", "", "1"), ("3", "2", "3"), ("1", "1", "")]
    columns = {
        name: [int(row[i]) if row[i] else None for row in of_item] for i, name in enumerate(["anna", "r_a", "r_b"])
    }
    given = [{**dict(zip(columns, row, strict=True)), "doc": str(i)} for i, row in enumerate(of_item)]
    words = ("--raters", "anna", "--raters", "r_*", "--level", "ordinal", "--confidence", "0.9", "-n", 50)
    found = run("agree", table(given, kind), *words, "--unit-field", "doc", "--json")
    with pytest.warns(UserWarning, match="are drawn|resamples have"):
        expected = textgauge.raters(columns, level="ordinal", confidence=0.9, n_resamples=50, unit=[*"01234"])
    got = json.loads(found.stdout)
    assert {key: got[key] for key in expected._fields} == json.loads(json.dumps(expected._asdict()))
    rows = table([{"item": i, "Lang": "en", **row} for i, row in enumerate(given)], kind, name="rows")
    starred = json.loads(run("agree", rows, "--raters", "*", *words[4:], "--unit-field", "doc", "--json").stdout)
    assert starred["alpha"] == expected.alpha
    rows = table([{"batch": one["doc"], **{key: one[key] for key in columns}} for one in given], kind, name="batches")
    starred = json.loads(run("agree", rows, "--raters", "*", *words[4:], "--unit-field", "batch", "--json").stdout)
    assert starred["alpha"] == expected.alpha
    text = run("agree", table(given, kind), *words).stdout
    assert "5 items\nmissing: 1 rating of r_a\nmissing: 1 rating of r_b\n" in text
    assert text.index("row 3") < text.index("row 4")  # the items of most disagreement first


def test_the_tables_of_raters_show_what_json_has(run, table):
    """Truth values are numbers however they are written; long ratings are cut."""
    given = [
        {"a": a, "b": b, "c": c} for a, b, c in [("True", "false", "1"), ("FALSE", "0", "0"), ("true", "1", "")] * 9
    ]
    words = ("--raters", "a", "--raters", "b", "--raters", "c", "-n", 50)
    text = run("agree", table(given), *words, "--level", "interval").stdout
    found = json.loads(run("agree", table(given), *words, "--level", "interval", "--json").stdout)
    for a, b in ("ab", "ac", "bc"):
        own, bounds = (part["kappas"][a][b] for part in (found, found["confidence_intervals"]))
        cells = [f"{own[key]:.3f} [{bounds[key][0]:.3f}, {bounds[key][1]:.3f}]"
                 for key in ("alpha", "kappa", "linear_kappa", "quadratic_kappa", "agreement")]  # fmt: skip
        assert f"{a}, {b} {own['items']} {' '.join(cells)}" in " ".join(text.split())
    table([{"a": "x" * 16, "b": "y" * 17}, {"a": "z", "b": "z"}], name="long")
    assert re.search(r"row 1 +\S+ +x{16} +y{13}\.\.\.\n", run("agree", "long.csv", *words[:4]).stdout)
    for n, shown in ((8, "r0 r1 r2 r3 r4 r5 r6 r7 "), (9, "")):
        table([{f"r{i}": i % k for i in range(n)} for k in (1, 2)], name="many")
        assert f" by chance 1 {shown}──" in " ".join(
            run("agree", "many.csv", "--raters", "r*", "-n", 50).stdout.split()
        )


def test_judges_have_named_figures_in_json(run, table):
    columns = {"a": [1, 2, 3, 1], "b": [1, 2, 2, 1], "c": [2, 2, 3, 1]}
    given = [dict(zip(columns, map(str, row), strict=True)) for row in zip(*columns.values(), strict=True)]
    words = [word for name in columns for word in ("--raters", name)]
    found = json.loads(run("agree", table(given), *words, "--people", "a", "-n", 50, "-w", 2, "--json").stdout)
    with pytest.warns(UserWarning, match="have a rating other|resamples have"):
        test = textgauge.raters(columns, people=["a"], confidence=0.95, n_resamples=50).judges["b"]["c"]
    assert found["judges"]["b"]["c"]["p"] == test.p
    assert found["judges"]["b"]["c"]["difference"] == round(test.difference, 2)
    assert found["judges"]["b"]["c"]["confidence_interval"] == [round(bound, 2) for bound in test.confidence_interval]


def test_nan_among_words_is_a_word(run, table):
    given = [{"a": "nan", "b": "nan"}, {"a": "x", "b": ""}, {"a": "x", "b": "x"}, {"a": "nan", "b": "x"}]
    found = json.loads(run("agree", table(given), "--raters", "a", "--raters", "b", "--json").stdout)
    assert (found["n_missing"], found["kappas"]["a"]["b"]["kappa"]) == ({"b": 1}, 0.4)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--level", "ordinal"), "--level has no effect without --raters"),
        (("--raters", "ours", "-m", "chrf"), "-m has no effect with --raters"),
        (("--raters", "ours", "--raters", "score", "--scale", "1"), "row 1, field 'ours': ... `scale` ... got 0.1"),
        (("--raters", "ours", "--skip-bad"), "--skip-bad has no effect with --raters, which leaves missing"),
        (("--raters", "ours", "--no-human-higher-is-better"), "-better has no effect with --raters"),
        (("--raters", "ours", "--prediction-field", "x"), "--prediction-field has no effect with --raters"),
        (("--raters", "ours", "--raters", "ours"), "--raters names a column twice"),
        (("--raters", "x_*"), "there are no columns 'x_*'"),
        (("--raters", "ours"), "at least 2 raters"),
    ],
)
def test_wrong_raters_are_refused(refused, table, words, message):
    assert says(refused("agree", table(rows()), *words), f"... {message}")


def test_a_column_may_end_with_a_bracket(run, table):
    named = [{name.replace("ours", "ours (0-5)"): value for name, value in row.items()} for row in rows()]
    assert page(run, table(named), "-m", "ours=ours (0-5)") == page(run, table(rows()), "-m", "ours=ours")


def test_missing_verdicts_are_left_out(run, table):
    given = rows()
    given[2]["ours"] = ""
    assert page(run, table(given), "-m", "ours=ours", "--skip-bad")["left_out"] == {"ours": 1}
    assert "left out: 1 output without ours" in run("agree", table(given), "-m", "ours=ours", "--skip-bad").stdout


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_pictures_of_raters(run, table, tmp_path, kind):
    pytest.importorskip("matplotlib")
    given = [{"a": "low", "b": "high"}, {"a": "low", "b": "low"}, {"a": "", "b": "high"}, {"a": "high", "b": "high"}]
    words = ("--raters", "a", "--raters", "b", "--plot", tmp_path / f"raters.{kind}")
    text = run("agree", table(given), *words, "--level", "ordinal", "--scale", "low", "--scale", "high").stdout
    assert re.search(r"row 1 +1\.667 +low +high", text)
    assert "missing: 1 rating of a" in text
    drawn = (tmp_path / f"raters.{kind}").read_bytes()
    assert len(drawn) > 5000
    if kind == "svg":
        assert all(word in drawn.decode() for word in ("alpha of two, ordinal", "items by disagreement", "white: no"))
        # Without a scale numbers stand in their order.
        ratings = [{"a": 100, "b": 9}, {"a": 20, "b": 9}, {"a": 9, "b": 100}]
        run("agree", table(ratings, name="numbers"), "--raters", "a", "--raters", "b", "--level", "nominal", *words[4:])
        drawn = (tmp_path / "raters.svg").read_text()
        assert re.findall("<!-- (9|20|100) -->", drawn) == ["9", "20", "100"]
        assert set(re.findall("<!-- ([0-9]) -->", drawn)) >= {"1", "2", "3"}
    # Nothing in common, nothing to draw.
    lonely = [{"a": "x", "b": ""}, {"a": "", "b": "y"}]
    run("agree", table(lonely, name="lonely"), "--raters", "a", "--raters", "b", "--plot", tmp_path / f"lonely.{kind}")


def pairs():
    sides = [("x", "y", "a"), ("y", "x", "b"), ("x", "y", "tie"), ("y", "x", ""), ("x", "y", "b"), ("y", "x", "x")]
    return [
        {"q": i // 2, "a": first, "b": second, "verdict": winner, "la": ("word " * (i + 1)).strip(), "lb": "longer"}
        for i, (first, second, winner) in enumerate(sides * 5)
    ]


@pytest.mark.parametrize("kind", FORMATS)
def test_win_rates_of_a_table(run, table, kind):
    names = {"winner": "verdict", "first": "a", "second": "b", "item": "q", "first_length": "la", "second_length": "lb"}
    given = [{**row, "la": len(row["la"]), "lb": 6} for row in pairs()]
    # What is missing is spelled in several ways.
    spelled = iter(["", " ", "NaN", " n/a ", "null"])
    written = [row if row["verdict"] else {**row, "verdict": next(spelled)} for row in given]
    words = ("--winner", "verdict", "--first-field", "a", "--second-field", "b", "--segment-field", "q", "-n", 50)
    found = json.loads(run("agree", table(written, kind), *words, "--lengths", "la", "lb", "--json").stdout)
    expected = textgauge.win_rates(given, columns=names, n_resamples=50)
    assert {key: found[key] for key in expected._fields} == json.loads(json.dumps(expected._asdict()))
    text = run("agree", table(pairs(), kind), *words, "--lengths", "la", "lb").stdout
    assert "25 verdicts, 5 ties, 5 missing verdicts" in text
    assert f"the longer answer wins   {expected.longer:.3f}" in text
    rates = {name: of_one["all"] for name, of_one in expected.systems.items()}
    assert [line.split()[0] for line in text.splitlines()[2:4]] == sorted(rates, key=lambda name: -rates[name])
    assert "longer" not in run("agree", table(given, kind), *words).stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--first-field", "a"), "--first-field has no effect without --winner"),
        (("--winner", "verdict", "-m", "chrf"), "-m has no effect with --winner"),
        (("--winner", "verdict", "--raters", "a"), "--raters has no effect with --winner"),
        (("--winner", "verdict", "--skip-bad"), "which leaves missing verdicts out"),
        (("--winner", "verdict"), "there is no field 'first'"),
        (("--winner", "la", "--first-field", "a", "--second-field", "b"), "row 1, field 'la': ... 'x', 'y'"),
    ],
)
def test_wrong_verdicts_are_refused(refused, table, words, message):
    assert says(refused("agree", table(pairs()), *words), f"... {message}")


def test_columns_of_chatbot_arena_are_suggested(refused, table):
    rows = table([{"model_a": "x", "model_b": "y", "winner": "tie"}])
    asked = ("agree", rows, "--winner", "winner")
    assert refused(*asked).endswith("did you mean --first-field model_a?")
    assert refused(*asked, "--first-field", "model_a").endswith("did you mean --second-field model_b?")


COMMANDS = re.findall(
    r"^textgauge agree (\S+) (.*--(?:raters|winner) .*)$",
    (Path(__file__).parents[2] / "metrics" / "AGREEMENT.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


@pytest.mark.parametrize(("name", "words"), COMMANDS, ids=[words.split()[0] for _, words in COMMANDS])
def test_commands_of_the_page_run(run, table, name, words):
    verdicts = [
        {"anna": i % 3, "bob": (i * 2) % 3 or "", "judge_x": i % 3 or (i + 1) % 3, "judge_y": (i * i) % 3}
        for i in range(40)
    ]
    compared = [
        {"question_id": i // 2, "model_a": "xy"[i % 2], "model_b": "yx"[i % 2], "answer_a": "a" * (i % 7 + 1),
         "answer_b": "b" * 4, "winner": ["model_a", "model_b", "tie", ""][i % 4]}
        for i in range(40)
    ]  # fmt: skip
    rows = {"verdicts.csv": verdicts, "pairs.csv": compared}[name]
    text = run("agree", table(rows, name=Path(name).stem), *shlex.split(words)).stdout
    expected = (
        ("judge_x less judge_y", "by exchanging") if "--raters" in words else ("the longer answer wins", "10 mis")
    )
    assert all(part in text for part in expected)


def test_the_page_has_commands_of_raters_and_verdicts():
    assert len(COMMANDS) == 2
