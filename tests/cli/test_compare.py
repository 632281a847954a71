"""`textgauge compare`: tables, JSON and picture of several systems."""

import json
import re
import sys

import pytest
import textgauge
from quick import first
from textgauge import sample
from textgauge.cli import plots
from textgauge.resampling import holm
from textgauge.resampling.power import of_several_tests

HYPS, GROUPS = sample.columns("translations")
REFS = [texts[0] for texts in GROUPS]
SYSTEMS = {"base.txt": HYPS, "better.txt": [*REFS[:12], *HYPS[12:]], "same.txt": HYPS}
COMPARE = ("compare", "-r", "ref.txt", "-m", "bleu")


@pytest.fixture
def files(tmp_path, write):
    """The reference, three systems and a column of documents, in the working folder of `run`."""
    for name, lines in {**SYSTEMS, "ref.txt": REFS, "docs.txt": [f"doc {i // 6}" for i in range(len(REFS))]}.items():
        write(name, lines)
    return tmp_path


def test_json_has_the_results_of_compare(run, files):
    words = ("-m", "rougeL", "--use-stemmer", "--json", "--holm", "-n", 50, "--seed", 3)
    page = json.loads(run(*COMPARE, *words, *SYSTEMS).stdout)
    assert (page["segments"], page["n_resamples"], page["seed"], page["test"]) == (len(REFS), 50, 3, "permutation")
    tested = [row for rows in page["metrics"].values() for row in rows[1:]]
    # All four tests together: two systems by two scores.
    assert [row["p_holm"] for row in tested] == holm([row["p"] for row in tested])
    for key, metric in (("bleu", "bleu"), ("rougeL", "rougeL(use_stemmer=True)")):
        expected = textgauge.compare(list(SYSTEMS.values()), REFS, metric=metric, n_resamples=50, seed=3)
        base, *others = page["metrics"][key]
        assert base["confidence_interval"] == expected[0].confidence_interval1
        for row, comparison in zip(others, expected, strict=True):
            assert (row["score"], row["stat"], row["p"]) == (comparison.score2, comparison.stat, comparison.p)
            assert row["stat_confidence_interval"] == comparison.confidence_interval
            assert row["wins"] == comparison.wins
            # At the level of the first of four tests.
            factor = of_several_tests(4, 0.05)
            detectable = None if comparison.detectable is None else factor * comparison.detectable
            assert row["detectable"] == detectable
        assert [row["system"] for row in (base, *others)] == list(SYSTEMS)
        assert others[1]["p"] == 1


def test_permutation_has_its_own_default(run, files):
    page = json.loads(run(*COMPARE, "--json", "--test", "permutation", "base.txt", "better.txt").stdout)
    [expected] = textgauge.compare([HYPS, SYSTEMS["better.txt"]], REFS, test="permutation")
    assert page["n_resamples"] == 10_000
    assert page["metrics"]["bleu"][1]["p"] == expected.p


def test_differences_by_segment(metrics, files):
    rows = metrics("compare", "-r", "ref.txt", "-m", "rouge1", "--show", 2, *SYSTEMS)["rouge1"]
    first, second = (
        textgauge.rouge(SYSTEMS[name], REFS, rouge_types=["rouge1"], use_aggregator=False)["rouge1"]
        for name in ("base.txt", "better.txt")
    )
    gains = sorted(((b - a, i) for i, (a, b) in enumerate(zip(first, second, strict=True), 1)), reverse=True)
    best = rows[1]["best"]
    assert [row["stat"] for row in best] == pytest.approx([gain for gain, _ in gains[:2]], abs=1e-15)
    for row in best:
        assert (row["score1"], row["score2"]) == (first[row["segment"] - 1], second[row["segment"] - 1])
    assert rows[1]["worst"] == rows[2]["best"] == []


@pytest.fixture
def by_document(run):
    """Call the program with --json and documents, which it says could be drawn as a whole."""

    def call(*words):
        done = run(*words, "--json")
        assert "if those of one 'doc" in done.stderr
        assert "--unit-field NAME, or --units FILE, draws them as a whole" in done.stderr
        return json.loads(done.stdout)["metrics"]

    return call


def test_differences_by_document(by_document, files):
    best = by_document(*COMPARE, "--documents", "docs.txt", "base.txt", "better.txt")["bleu"][1]["best"]
    assert {row["document"] for row in best} == {"doc 0", "doc 1"}
    for row in best:
        part = slice(6 * int(row["document"][-1]), 6 * int(row["document"][-1]) + 6)
        assert (row["score1"], row["score2"]) == (textgauge.bleu(HYPS[part], REFS[part])["bleu"], 1.0)


def test_table_has_the_numbers(run, files):
    result = run("compare", "-r", "ref.txt", "--holm", *SYSTEMS)
    assert (result.exit_code, result.stderr) == (0, "")
    better, same = textgauge.compare(list(SYSTEMS.values()), REFS, metric="bleu(preset='sacrebleu')")
    rows = {line.split()[0]: line.split() for line in reversed(result.stdout.splitlines()) if line.strip()}
    low, high = (f"{100 * bound:.2f}" for bound in better.confidence_interval2)
    assert rows["better.txt"] == [
        "better.txt", f"{100 * better.score2:.2f}", f"[{low},", f"{high}]", f"{100 * better.stat:+.2f}",
        f"{better.p:.5f}", f"{holm([better.p, same.p])[0]:.5f}",
    ]  # fmt: skip
    assert rows["base.txt"][-1] == "baseline"
    assert rows["same.txt"][-2:] == ["1.00000", "1.00000"]
    assert "better.txt, best" in result.stdout
    assert "paired permutation, 10,000 resamples, seed 12345; p is two-sided" in result.stdout


def test_columns_of_files(run, metrics, by_document, files, write):
    write("rows.jsonl", [{"hyp": h, "ref": r, "doc": "d"} for h, r in zip(HYPS, REFS, strict=True)])
    fields = ("--prediction-field", "hyp", "--reference-field", "ref", "--document-field", "doc")
    plain = metrics(*COMPARE, "base.txt", "better.txt")["bleu"]
    arguments = ("compare", "-r", "rows.jsonl", "-m", "bleu", "--documents", "rows.jsonl", *fields)
    columns = by_document(*arguments, "rows.jsonl", "better.txt")["bleu"]
    assert [row["score"] for row in columns] == [row["score"] for row in plain]
    assert columns[1]["best"][0]["document"] == "d"
    # The first file that has the column is asked, no file needs to be given twice.
    for systems, own in ((("rows.jsonl", "better.txt"), fields), (("base.txt", "better.txt"), fields[2:])):
        arguments = ("compare", "-r", "rows.jsonl", "-m", "bleu", *own, *systems)
        assert by_document(*arguments)["bleu"][1]["best"] == columns[1]["best"]
    done = run(*arguments, "--all-pairs")
    assert "--document-field cannot be given with --all-pairs, which lists no differences" in done.stderr


@pytest.mark.parametrize(("suffix", "start"), first(1, [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")]))
def test_plot_is_drawn(run, files, suffix, start):
    pytest.importorskip("matplotlib")
    assert run(*COMPARE, "--plot", f"scores.{suffix}", *SYSTEMS).exit_code == 0
    assert (files / f"scores.{suffix}").read_bytes().startswith(start)


@pytest.mark.parametrize("options", [(), ("--confidence", 0.8, "-m", "chrf"), ("--test", "permutation", "--holm")])
def test_plot_shows_the_numbers_of_the_table(run, files, write, monkeypatch, options):
    figures = []

    class Kept(pytest.importorskip("matplotlib.figure").Figure):
        def savefig(self, *args, **kwargs):
            figures.append(self)

    monkeypatch.setattr(plots, "figure_class", lambda: Kept)
    # One segment is better and one worse, so p is far from 0 and from 1; a warning gives the reason.
    near = write("near.txt", [*REFS[:1], *HYPS[1:-1], HYPS[-1] + " x"])
    words = ("-m", "rougeL", *options, "--json", "--plot", "scores.png", *SYSTEMS, near)
    page = json.loads(run(*COMPARE, *words).stdout)
    below = 0.2 if options and "--confidence" in options else 0.05
    assert [panel.get_title(loc="left") for panel in figures[0].axes] == [*page["metrics"]]
    names = [label.get_text() for label in figures[0].axes[0].get_yticklabels()]
    assert names == [f"{next(iter(SYSTEMS))}\n(baseline)", *[*SYSTEMS][1:], near]
    for panel, rows in zip(figures[0].axes, page["metrics"].values(), strict=True):
        ends = [segment[:, 0].tolist() for lines in panel.collections for segment in lines.get_segments()]
        assert ends == [pytest.approx(row["confidence_interval"]) for row in rows]
        *points, baseline = [panel.lines[i] for i in (0, 2, 3, 4, 1)]
        assert [point.get_xdata()[0] for point in points] == pytest.approx([row["score"] for row in rows])
        assert baseline.get_xdata() == pytest.approx([rows[0]["score"]] * 2)
        # The baseline is on top; filled points differ from it significantly.
        assert [point.get_ydata()[0] for point in points] == [0, 1, 2, 3]
        low, high = panel.get_ylim()
        assert low > 3 > 0 > high
        is_filled = [point.get_markerfacecolor() == point.get_color() for point in points]
        is_significant = [False, *(row.get("p_holm", row["p"]) < below for row in rows[1:])]
        assert is_filled == is_significant == [False, True, False, False]
        assert [point.get_color() for point in points] == [plots.BASELINE, *[plots.SYSTEM] * 3]
        digits = 2 if panel.get_title(loc="left") == "chrf" else 4
        assert [text.get_text() for text in panel.texts] == [f"{row['score']:.{digits}f}" for row in rows]


def test_plot_without_matplotlib(refused, files, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert 'pip install "textgauge[plot]"' in refused(*COMPARE, "--plot", "a.png", *SYSTEMS)


def test_systems_behind_flags_with_names(metrics, files):
    named = metrics(*COMPARE, "-p", "base.txt", "-p", "better.txt", "--name", "old", "--name", "new")["bleu"]
    assert [row.pop("name") for row in named] == ["old", "new"]
    expected = metrics(*COMPARE, "base.txt", "better.txt")["bleu"]
    assert [row.pop("name") for row in expected] == ["base.txt", "better.txt"]
    # Files of one name have their folders.
    (files / "new").mkdir()
    (files / "better.txt").rename(files / "new" / "base.txt")
    rows = metrics(*COMPARE, "base.txt", "new/base.txt")["bleu"]
    assert [row.pop("name") for row in rows] == ["base.txt", "new/base.txt"]
    assert named == expected


@pytest.mark.parametrize("metric", ["chrf", "ter"])
def test_both_directions_of_scores(metrics, files, metric):
    words = ("compare", "-r", "ref.txt", "-m", metric, "base.txt", "better.txt")
    base, better = metrics(*words)[metric]
    assert (better["score"] < base["score"]) == (metric == "ter")
    assert (better["wins"], len(better["best"]), better["worst"]) == ([0.0, 1.0], 3, [])
    assert metrics(*words, "--p-value", "one-sided")[metric][1]["p"] < 0.01


def test_rouge_types_and_signatures(run, files):
    shown = run("compare", "-r", "ref.txt", "-m", "rouge", "ter", "base.txt", "better.txt", "--signature").stdout
    titles = [line.split()[0] for line in shown.splitlines() if "95% interval" in line]
    assert titles == ["rouge1", "rouge2", "rougeL", "rougeLsum", "ter"]
    assert "lower is better: ter" in shown
    assert [line.split("score")[0].strip() for line in shown.splitlines() if " score " in line][-1] == "ter ↓"
    assert "nrefs:1|ar:10000|seed:12345|case:lc|tok:tercom" in shown


def test_perplexities_are_compared_without_references(run, metrics, files):
    flags = ("-m", "perplexity", "--ngram-train", "ref.txt", "--ngram-order", "2")
    base, better = metrics("compare", *flags, "base.txt", "better.txt")["perplexity"]
    assert better["score"] < base["score"]
    assert better["wins"][1] > 0.9
    assert base["score"] == pytest.approx(float(run("score", *flags, "base.txt", "-b", "-w", 12).stdout))


def test_numbers_alone_and_a_file(run, files):
    assert run(*COMPARE, "base.txt", "better.txt", "-b", "-o", "out").stdout == ""
    first, second = (line.split("\t") for line in (files / "out").read_text().splitlines())
    assert (len(first), len(second)) == (3, 5)
    assert float(second[0]) > float(first[0])


@pytest.fixture
def three(files, write):
    """A baseline and three systems, of which the last has p below 0.05, and above after Holm."""
    right, wrong = [["the cat", "a dog", "it rains"][i % 3] for i in range(40)], ["x", "y", "z"] * 14
    write("right.txt", right)
    bases = {
        "base.txt": {*range(4)},
        "alike.txt": {*range(4, 8)},
        "near.txt": {*range(8, 12)},
        "worse.txt": {*range(1, 12)},
    }
    for name, bad in bases.items():
        write(name, [wrong[i] if i in bad else right[i] for i in range(40)])
    return (*bases, "-r", "right.txt", "-m", "rouge1")


def test_corrected_p_decides(run, write, metrics, three, monkeypatch):
    """In bold type, in the marks of a table for papers, in the points of a picture, and in the gate."""
    *_, worse = metrics("compare", *three, "--holm")["rouge1"]
    assert worse["p"] < 0.05 < worse["p_holm"]
    monkeypatch.setenv("FORCE_COLOR", "1")

    def found(*more):
        bold = [line for line in run("compare", *three, *more).stdout.splitlines() if line.startswith("\x1b[1m worse")]
        marked = run("compare", *three, *more, "--table", "markdown").stdout.splitlines()[5]
        gate = run("compare", *three, *more, "--fail-if-worse")
        assert marked.startswith("| worse | ")
        return len(bold), "‡" in marked, gate.exit_code, "worse.txt is worse than base.txt" in gate.stderr

    assert found() == (1, True, 1, True)
    assert found("--holm") == (0, False, 0, False)
    # Any system, not the last alone.
    gate = run("compare", "base.txt", "worse.txt", "alike.txt", *three[4:], "--fail-if-worse")
    assert (gate.exit_code, "worse.txt is worse than base.txt" in gate.stderr) == (1, True)
    # p is 1 / (n + 1): at the level it is not below it.
    write("bad.txt", ["w"] * 40)
    gates = [run("compare", "right.txt", "bad.txt", *three[4:], "--test", "permutation", "-n", n, "--fail-if-worse")
             for n in (19, 20)]  # fmt: skip
    assert [gate.exit_code for gate in gates] == [0, 1]


@pytest.mark.parametrize(("n", "digits"), [(9, 1), (99, 2), (100, 3), (999, 3), (1000, 4), (10_000, 5)])
@pytest.mark.parametrize("test", ["bootstrap", "permutation"])
def test_digits_of_p(run, three, test, n, digits):
    call = ("compare", "base.txt", "worse.txt", *three[4:], "-n", n, "--test", test)
    p = json.loads(run(*call, "--json").stdout)["metrics"]["rouge1"][1]["p"]
    for words in ((), ("-b",)):
        lines = [line.split() for line in run(*call, "--show", 0, *words).stdout.splitlines()]
        [shown] = [line[-1] for line in (lines[1:] if words else [row for row in lines if row[:1] == ["worse.txt"]])]
        assert shown == f"{p:.{digits}f}"
        assert len(shown.partition(".")[2]) == digits


def test_scores_of_documents(by_document, files, write):
    """Scaled as the score of a corpus, and each under its own name, whatever the order of names."""
    names = ["zebra", "ant", "moose", "bee"]
    documents = [names[i % 4] for i in range(len(REFS))]
    write("docs.txt", documents)
    words = ("compare", "-r", "ref.txt", "-m", "ter", "--documents", "docs.txt", "--show", 4)
    _, better = by_document(*words, "base.txt", "better.txt")["ter"]
    assert {row["document"] for row in better["best"]} == {*names}
    for row in better["best"]:
        rows = [i for i, name in enumerate(documents) if name == row["document"]]
        for key, system in (("score1", "base.txt"), ("score2", "better.txt")):
            texts, references = ([side[i] for i in rows] for side in (SYSTEMS[system], REFS))
            assert row[key] == pytest.approx(textgauge.ter(texts, references)["ter"], rel=1e-12)


def test_too_few_segments(run, write):
    lines = {"a": ["a cat", "a dog sat"], "b": ["b cat", "a dog sits"], "ref": ["a cat", "the dog sat"]}
    for name, of_file in lines.items():
        write(name, of_file)
    words = ("compare", "a", "b", "-r", "ref", "-m")
    assert re.findall(r"interpret p \((.*?)\)", run(*words, "wer").stderr) == ["a and b by wer"]
    assert re.findall(r"by (.*?)\)", run(*words, "wer", "cer", "chrf").stderr) == ["some of the metrics"]
    assert re.findall(r"by (.*?)\)", run(*words, "wer", "cer", "--all-pairs").stderr) == ["some of the metrics"]
