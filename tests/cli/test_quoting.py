"""Quotation marks in CSV and TSV: no row is lost, and each error or warning names the way out."""

import csv
import gzip
import json

import pandas
import pytest
import textgauge

from cli.conftest import says

# Six rows whose marks would join lines if they were read as those of CSV.
ROWS = [
    ('"Come in', "Please come in"), ('and sit down"', "and take a seat"), ("It was late", "It was late"),
    ('a 5" pipe', 'a 5" pipe'), ('"quoted"', '"quoted" text'), ('""', ""),
]  # fmt: skip
HYPS, REFS = (list(side) for side in zip(*ROWS, strict=True))
TABLE = "prediction\treference\n" + "".join(f"{hyp}\t{ref}\n" for hyp, ref in ROWS)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("block", [7, 1 << 20])
@pytest.mark.parametrize("name", ["rows.tsv", "rows.tsv.gz"])
def test_tsv_lines_are_rows(metrics, write, block_bytes, name, block, end):
    block_bytes(block)
    content = TABLE.replace("\n", end).encode()
    write(name, gzip.compress(content) if name.endswith("gz") else content)
    assert metrics("score", name, "-m", "chrf")["chrf"] == textgauge.chrf(HYPS, REFS)
    assert metrics("score", name, "-r", name, "-m", "chrf")["chrf"] == textgauge.chrf(HYPS, REFS)


@pytest.mark.parametrize("quoting", [[], ["--quoting", "none"]])
def test_semicolons_of_excel(metrics, write, quoting):
    rows = [("id", "prediction", "reference"), *((str(i), *row) for i, row in enumerate(ROWS))]
    mark = '"' if not quoting else ""
    lines = [";".join(mark + value.replace('"', 2 * mark or '"') + mark for value in row) for row in rows]
    # Excel begins with a byte order mark; a comma in a value or within marks in the header is none between columns.
    write(
        "excel.csv",
        "\ufeff" + "\r\n".join([lines[0] + (';"a, b"' if mark else ";c"), *(f"{x};a,b" for x in lines[1:])]),
    )
    found = metrics("score", "excel.csv", "-m", "chrf", *quoting)["chrf"]
    assert found == textgauge.chrf(HYPS, REFS)
    assert metrics("score", "excel.csv", "--prediction-field", "pred*", "-m", "chrf", *quoting)["chrf"] == found


def test_all_commands_read_the_same_rows(run, write, tmp_path):
    write("rows.tsv", TABLE)
    write("hyp.txt", HYPS)
    write("ref.txt", REFS)
    for words in ("compare {0} {0} -r {1} -n 9 --json", "explain {0} -r {1} -o page.html", "pairwise {0} -b",
                  "pairwise {0} -r {1} -b"):  # fmt: skip
        found = [run(*words.format(*files).split()) for files in (("rows.tsv", "rows.tsv"), ("hyp.txt", "ref.txt"))]
        assert [one.exit_code for one in found] == [0, 0]
        assert found[0].stdout.replace("rows.tsv", "hyp.txt") == found[1].stdout
    assert (
        '"It was late"' in (tmp_path / "page.html").read_text() or "It was late" in (tmp_path / "page.html").read_text()
    )
    found = json.loads(run("diversity", "rows.tsv", "--json").stdout)["systems"][0]
    assert found["texts"] == len(HYPS)


def test_agree_reads_every_rating(run, write):
    lines = ["system\tsegment\thuman\tprediction\treference"]
    lines += [f"{system}\t{i}\t{i + (system == 'a')}\t{hyp}\t{ref}"
              for system in "ab" for i, (hyp, ref) in enumerate(ROWS)]  # fmt: skip
    write("ratings.tsv", lines)
    done = run("agree", "ratings.tsv", "--human", "human", "-m", "chrf", "-n", 9, "--json")
    assert (done.exit_code, "quot" in done.stderr) == (0, False)
    assert json.loads(done.stdout)["judgements"] == 2 * len(ROWS)


QUOTED = {"prediction": ['say "a b"', "c\td", "e\nf", "g"], "reference": ["x", "y", "z", "g"]}
MARKED = {"prediction": ['say "a b"', "c", ""], "reference": ["x", "y", "g"]}
WAY_OUT = "--quoting csv, for quotation marks around values as pandas and Excel write them"


def test_what_pandas_writes_is_read_with_quoting(run, refused, write, metrics, tmp_path):
    pandas.DataFrame(QUOTED).to_csv(tmp_path / "rows.tsv", sep="\t", index=False)
    # A tab and a newline within marks make rows of another length, which are no rows.
    message = refused("score", "rows.tsv", "-m", "chrf")
    assert says(message, "rows.tsv, line 3: ... (2) ... --quoting")
    assert metrics("score", "rows.tsv", "-m", "chrf", "--quoting", "csv")["chrf"] == textgauge.chrf(*QUOTED.values())


@pytest.mark.parametrize("writer", ["pandas", "all marks"])
def test_marks_as_of_pandas_are_told_once(run, write, tmp_path, writer):
    if writer == "pandas":
        pandas.DataFrame(MARKED).to_csv(tmp_path / "rows.tsv", sep="\t", index=False)
    else:
        with open(tmp_path / "rows.tsv", "w", newline="") as file:
            file.write("prediction\treference\n")
            csv.writer(file, delimiter="\t", quoting=csv.QUOTE_ALL).writerows(zip(*MARKED.values(), strict=True))
    done = run("score", "rows.tsv", "-m", "chrf", "ter", "--json")
    n = "1 value of rows.tsv begins and ends" if writer == "pandas" else "6 values of rows.tsv begin and end"
    assert done.stderr == (
        f"textgauge: warning: {n} with a quotation mark, which was read as text: "
        "if pandas or Excel wrote it, give --quoting csv\n"
    )
    done = run("score", "rows.tsv", "-m", "chrf", "--json", "--quoting", "csv")
    assert (json.loads(done.stdout)["metrics"]["chrf"], done.stderr) == (textgauge.chrf(*MARKED.values()), "")
    # Their twin in rows that are read apart from each other.
    for words in (("pairwise", "rows.tsv"), ("diversity", "rows.tsv"), ("explain", "rows.tsv"),
                  ("compare", "rows.tsv", "rows.tsv", "-r", "rows.tsv", "-n", 9)):  # fmt: skip
        assert run(*words).stderr.count("--quoting csv") == 1


def test_marks_in_text(run, write):
    write("rows.tsv", 'prediction\treference\n"all of it"\tx\nhe said "no"\ty\n')
    assert run("score", "rows.tsv", "-m", "chrf").stderr == ""


def test_quoted_header(refused, metrics, write):
    write("rows.tsv", '"prediction"\t"reference"\n"a"\t"a"\n')
    assert refused("score", "rows.tsv", "-m", "chrf").endswith(f", or {WAY_OUT}")
    assert metrics("score", "rows.tsv", "-m", "chrf", "--quoting", "csv")["chrf"]["chrf"] == 100


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ('prediction,reference\na,b\n"Come in,b\nc,d\n', "lines 3 to 4: ... got unexpected end of data"),
        ('prediction,reference\na,b\n"Come" in,b\nc,d\n', "line 3: ... quotation marks"),
        ('prediction,reference\n"a,b\nc",d,e\nx,y\n', "line 3: ... (2) (--quoting"),
    ],
)
def test_stray_mark_in_csv(refused, metrics, write, content, place):
    write("rows.csv", content)
    message = refused("score", "rows.csv", "-m", "chrf")
    assert says(message, f"rows.csv, {place}")
    assert "--quoting none, for quotation marks that are text" in message


def test_csv_without_quoting(metrics, write):
    write("rows.csv", 'prediction,reference\n"Come in,b\nc",d\n')
    found = metrics("score", "rows.csv", "-m", "chrf", "--quoting", "none")["chrf"]
    assert found == textgauge.chrf(['"Come in', 'c"'], ["b", "d"])


def test_blank_lines_of_single_column(metrics, write):
    write("hyp.tsv", "prediction\na\n\nc\n")
    write("ref.txt", ["a", "b", "c"])
    assert metrics("score", "hyp.tsv", "-r", "ref.txt", "-m", "chrf")["chrf"] == textgauge.chrf(
        ["a", "", "c"], [*"abc"]
    )
    # Of several columns they are no rows.
    write("rows.tsv", "prediction\treference\na\ta\n\nb\tb\n\n")
    assert metrics("score", "rows.tsv", "-m", "chrf")["chrf"] == textgauge.chrf([*"ab"], [*"ab"])


def test_quoting_without_a_table_has_no_effect(refused, write):
    write("hyp.txt", ["a"])
    assert "--quoting has no effect: it is for CSV and TSV" in refused(
        "score", "hyp.txt", "-r", "hyp.txt", "--quoting", "csv"
    )
    assert "--quoting has no effect" in refused("diversity", "hyp.txt", "--quoting", "csv")
    assert "--quoting has no effect" in refused("pairwise", "hyp.txt", "--quoting", "none")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('"a"b,c\n1,2\n', "line 1"), ('prediction,reference\n"1"2,3\n', "line 2"),
        ('prediction,reference\n1,2\n\n"1\n2\n"3,4\n', "lines 4 to 6"), ('prediction,reference\n"1\n', "line 2"),
    ],
)  # fmt: skip
def test_broken_marks_have_their_lines(refused, write, text, place):
    write("x.csv", text)
    message = refused("score", "x.csv", "-m", "chrf")
    assert says(message, f"x.csv, {place}: ... quotation marks")


def test_values_that_no_writer_of_csv_leaves_need_no_advice(run, write):
    write("x.tsv", ["prediction\treference", '"a" and "b"\t"c"', '"d"\t"e"'])
    assert run("score", "x.tsv", "-m", "chrf").stderr == ""
    write("x.tsv", ["prediction\treference", '"a"\t"c"', 'd\t"e ""f"""'])
    assert "3 values of x.tsv begin and end with a quotation mark" in run("score", "x.tsv", "-m", "chrf").stderr
    # One name in marks is enough for the advice.
    write("x.tsv", ['"prediction"\treference', "a\tb"])
    done = run("score", "x.tsv", "-m", "chrf")
    assert (done.exit_code, "--quoting csv" in done.stderr) == (2, True)


def test_blank_lines_are_no_rows_behind_bad_ones(run, write):
    write("x.tsv", ["prediction\treference", "bad", "", "a b\ta b"])
    done = run("score", "x.tsv", "-m", "chrf", "--skip-bad", "-b")
    assert done.stdout == "100.00\n"
    assert done.stderr == "textgauge: 1 segment was left out: bad row, line 2\n"
