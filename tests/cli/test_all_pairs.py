"""`textgauge compare --all-pairs`: rank ranges, clusters, and where metrics disagree."""

import json
import re
from itertools import combinations

import pytest
import textgauge
from textgauge import sample
from textgauge.cli import plots

HYPS, GROUPS = sample.columns("translations")
REFS = [texts[0] for texts in GROUPS]
SYSTEMS = {"a.txt": HYPS, "b.txt": [*REFS[:12], *HYPS[12:]], "c.txt": HYPS, "d.txt": [*HYPS[:10], *["no"] * 14]}
ALL = ("compare", "--all-pairs", "-r", "ref.txt")


@pytest.fixture
def files(tmp_path, write):
    for name, lines in {**SYSTEMS, "ref.txt": REFS}.items():
        write(name, lines)
    return tmp_path


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_json_has_the_results_of_compare(metrics, files, metric):
    page = metrics(*ALL, "-m", metric, "-n", 200, "--seed", 3, *SYSTEMS)[metric]
    found = textgauge.compare([*SYSTEMS.values()], REFS, metric=metric, n_resamples=200, seed=3, all_pairs=True)
    assert [row["score"] for row in page["systems"]] == found.scores
    assert [row["confidence_interval"] for row in page["systems"]] == found.confidence_intervals
    assert [row["rank_range"] for row in page["systems"]] == found.rank_ranges
    assert [row["cluster"] for row in page["systems"]] == [2, 1, 2, 3]
    assert found.clusters == [[1], [0, 2], [3]]
    for pair, (i, j) in zip(page["pairs"], combinations(range(4), 2), strict=True):
        assert (pair["system1"], pair["system2"]) == ([*SYSTEMS][i], [*SYSTEMS][j])
        assert (pair["p"], pair["p_holm"]) == (found.p[i][j], found.p_holm[i][j])
        assert pair["stat"] == found.scores[j] - found.scores[i]


def test_table_of_clusters(run, files):
    lines = run(*ALL, "-m", "chrf", *SYSTEMS).stdout.splitlines()
    assert [line.split()[:1] for line in lines[2:8]] == [["b.txt"], [], ["a.txt"], ["c.txt"], [], ["d.txt"]]
    assert [line.split()[-1] for line in lines[2:8] if line] == ["1", "2-3", "2-3", "4"]
    at = next(i for i, line in enumerate(lines) if "p (Holm)" in line)
    assert lines[at + 2].split()[:2] == ["1", "b.txt"]
    assert float(lines[at + 3].split()[-2]) == 1
    assert "after Holm for 6 pairs" in " ".join(lines[-6:-1])
    assert re.fullmatch(r"With 24 segments, a true difference of [\d.]+ would be detected 80% of the time", lines[-1])


def test_the_last_line_says_where_metrics_disagree(run, write, tmp_path):
    words = ["one", "two", "three", "four", "five", "six", "seven"] * 2
    refs = [" ".join(words[i : i + 7]) for i in range(7)] * 2
    write("ref.txt", refs)
    write("short.txt", [" ".join(line.split()[:5]) for line in refs])
    write("turned.txt", [" ".join(reversed(line.split())) for line in refs])
    # Turned, all words are there, but no pair of them.
    last = run(*ALL, "-m", "rouge1", "rouge2", "short.txt", "turned.txt").stdout.splitlines()[-1]
    assert last == "the metrics disagree about the order of 1 of 1 pair: short.txt and turned.txt"
    # The more words there are, the fewer pairs of them; no more than five pairs of systems have their names.
    for name, places in (
        ("a", [0, 1, 2, 3]),
        ("b", [0, 1, 2, 5, 4]),
        ("c", [0, 1, 6, 5, 4, 3]),
        ("d", range(6, -1, -1)),
    ):
        write(name, [" ".join(line.split()[i] for i in places) for line in refs])
    shown = run(*ALL, "-m", "rouge1", "rouge2", *"abcd").stdout.split()
    pairs = "a and b; a and c; a and d; b and c; b and d; 1 more"
    assert " ".join(shown).endswith(f" the metrics disagree about the order of 6 of 6 pairs: {pairs}")


def test_metrics_that_agree_say_so(run, files):
    last = run(*ALL, "-m", "bleu", "chrf", *SYSTEMS).stdout.splitlines()[-1]
    assert last == "bleu and chrf agree about the order of 6 pairs"


@pytest.mark.parametrize(("n", "more", "n_resamples"), [(10, ALL[1:2], 1000), (11, ALL[1:2], 2000), (11, (), 1000)])
def test_resamples_are_enough_for_all_pairs(run, write, n, more, n_resamples):
    write("ref.txt", ["a b", "c d"] * 50)
    found = run("compare", *more, "-r", "ref.txt", "-m", "rouge1", "--json", *["ref.txt"] * n)
    assert json.loads(found.stdout)["n_resamples"] == n_resamples


def test_papers_and_brief(run, files):
    latex = run(*ALL, "-m", "bleu", "ter", "--table", "latex", *SYSTEMS).stdout
    assert r"system & BLEU & rank & cluster & TER $\downarrow$ & rank & cluster \\" in latex
    assert r"b & " in latex.splitlines()[4]
    markdown = run(*ALL, "-m", "bleu", "--table", "markdown", *SYSTEMS).stdout.splitlines()
    assert markdown[0] == "| system | BLEU | rank | cluster |"
    assert markdown[3].endswith("| 2-3 | 2 |")
    brief = run(*ALL, "-m", "bleu", "-b", *SYSTEMS).stdout.splitlines()
    assert [line.split("\t")[-1] for line in brief] == ["2-3", "1", "2-3", "4"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--holm"], "--holm cannot be given with --all-pairs, which always corrects p for all pairs"),
        (["--fail-if-worse"], "--fail-if-worse cannot be given with --all-pairs"),
        (["--documents", "ref.txt"], "--documents cannot be given with --all-pairs"),
        (["--show", 3], "--show cannot be given with --all-pairs"),
        (["--p-value", "one-sided"], "--p-value one-sided cannot be given with --all-pairs"),
    ],
)
def test_options_without_effect_are_refused(refused, files, words, message):
    assert message in refused(*ALL, *words, *SYSTEMS)


def test_picture_of_ranks(run, files, monkeypatch):
    pytest.importorskip("matplotlib")
    drawn = []
    monkeypatch.setattr(plots, "save", lambda figure, path: drawn.append((figure, path)))
    assert run(*ALL, "-m", "bleu", "ter", "--plot", "ranks.png", *SYSTEMS).exit_code == 0
    [(figure, path)] = drawn
    assert path == "ranks.png"
    for panel in figure.axes:
        assert [label.get_text() for label in panel.get_yticklabels()] == ["b.txt", "a.txt", "c.txt", "d.txt"]
        assert [text.get_text() for text in panel.texts] == ["1", "2-3", "2-3", "4", "rank"]
        cuts = [line.get_ydata()[0] for line in panel.lines if len(line.get_ydata()) == 2]
        assert cuts == [0.5, 2.5]
    assert figure.axes[1].xaxis_inverted()


def test_ties_are_no_disagreement(run, files, write):
    """chrF sees the difference of two systems that rouge1 scores alike."""
    texts = (files / "ref.txt").read_text().splitlines()
    write("x.txt", [f"{text} zz" for text in texts])
    write("y.txt", [f"{text} qqqqqq" for text in texts])
    last = run(*ALL, "-m", "rouge1", "chrf", "y.txt", "x.txt").stdout.splitlines()[-1]
    assert last == "rouge1 and chrf agree about the order of 1 pair"
