"""Tables for papers, the exit code of a comparison, and the order of short output."""

import re

import pytest
import textgauge
from textgauge.cli.sheet import Table

METRICS = ("-m", "sacrebleu", "chrf", "ter")
PAIR = ("base_1.txt", "new&2.txt")


@pytest.fixture
def files(write):
    refs = [f"the {word} cat sat on the red mat number {i} today" for i, word in enumerate("abcdefghijklmnopqrst")]
    worse = [text.replace("red mat", "mat red").replace("today", "") for text in refs]
    other = [text.replace("sat", "sits") if i % 2 else text for i, text in enumerate(refs)]
    for name, lines in zip(("ref.txt", *PAIR, "same.txt"), (refs, other, worse, other), strict=True):
        write(name, lines)
    return {"ref.txt": refs, PAIR[0]: other, PAIR[1]: worse}


def cells(line):
    separator = r"\|" if line.startswith("|") else r"(?<!\\)&"
    return [cell.strip() for cell in re.split(separator, line.strip("| ").removesuffix(r"\\"))]


def test_markdown_table(files, run):
    head, rule, *rows = run("compare", *PAIR, "-r", "ref.txt", *METRICS, "--table", "markdown").stdout.splitlines()
    assert cells(head) == ["system", "BLEU", "chrF2", "TER ↓"]
    assert rule == "|---|---:|---:|---:|"
    assert cells(rows[0]) == [r"base\_1", *scores(files, PAIR[0])]
    assert cells(rows[1]) == [r"new\&2", *(f"{one}‡" for one in scores(files, PAIR[1]))]
    assert rows[3].startswith("† better than base_1, ‡ worse, p < 0.05: paired bootstrap, 1,000 resamples")
    assert [row.partition(":")[0] for row in rows[5:]] == ["sacrebleu", "chrf", "ter"]


def scores(files, name):
    return [f"{getattr(textgauge, one)(files[name], files['ref.txt'])[one]:.2f}" for one in METRICS[1:]]


def test_the_same_in_latex(files, run):
    lines = run("compare", *PAIR, "same.txt", "-r", "ref.txt", *METRICS, "--table", "latex").stdout.splitlines()
    assert lines[:2] == [r"\begin{tabular}{lrrr}", r"\toprule"]
    assert lines[2] == r"system & BLEU & chrF2 & TER $\downarrow$ \\"
    assert cells(lines[4]) == [r"base\_1", *scores(files, PAIR[0])]
    assert cells(lines[5]) == [r"new\&2", *(rf"{one}$^\ddagger$" for one in scores(files, PAIR[1]))]
    assert cells(lines[6]) == ["same", *scores(files, PAIR[0])]
    assert lines[7:9] == [r"\bottomrule", r"\end{tabular}"]
    assert all(line.startswith("% ") for line in lines[9:])


def test_one_system_with_intervals(files, run):
    call = ("score", PAIR[0], "-r", "ref.txt", *METRICS, "rouge1", "--table", "markdown", "--name", "ours")
    plain = run(*call).stdout.splitlines()
    rouge = textgauge.rouge(files[PAIR[0]], files["ref.txt"], rouge_types="rouge1", confidence=0.95)
    assert cells(plain[2]) == ["ours", *scores(files, PAIR[0]), f"{rouge['rouge1']:.4f}"]
    assert plain[4] == "20 segments"
    # Beside others, a signature says whose it is.
    assert [line.split("|")[0] for line in plain[5:]] == [f"{name}: nrefs:1" for name in (*METRICS[1:], "rouge")]
    low, high = rouge["confidence_intervals"]["rouge1"]
    with_intervals = run(*call, "--confidence").stdout.splitlines()
    assert cells(with_intervals[2])[-1] == f"{rouge['rouge1']:.4f} [{low:.4f}, {high:.4f}]"
    assert len(with_intervals) == len(plain)


@pytest.mark.parametrize("command", [("compare",), ("compare", "--all-pairs"), ("agree",)])
def test_intervals_stand_in_papers_where_they_are_asked_for(files, run, write, command):
    rows = [f"{name},{i},{i % 3 + len(name)},{i % 4}" for name in ("a", "bb") for i in range(9)]
    write("ratings.csv", ["system,segment,score,other", *rows])
    words = ("ratings.csv", "-m", "other=other") if command == ("agree",) else (*PAIR, "-r", "ref.txt", "-m", "chrf")
    plain, typed = (
        cells(run(*command, *words, "--table", "markdown", "-n", "20", *more).stdout.splitlines()[2])
        for more in ((), ("--confidence", "0.9"))
    )
    assert re.fullmatch(rf"{re.escape(plain[1])} \[[-\d.]+, [-\d.]+\]", typed[1])


def test_escaped_latex():
    made = Table("system", ["x"])
    made.add(r"50% of a_b & {c} #1 ~ ^ \ $", "1")
    made.add("[new]", "1.00 [0.50, 1.00]")
    table = made.paper("latex")
    assert r"50\% of a\_b \& \{c\} \#1 \textasciitilde{} \textasciicircum{} \textbackslash{} \$ & 1 \\" in table
    assert r"{[}new] & 1.00 [0.50, 1.00] \\" in table.splitlines()


def test_what_markdown_reads_is_escaped_in_names():
    name = r"a|b <img src=x> $x$ *c* `d` ~e~ \f &amp; [g](h)"
    made = Table("system", ["x"], below=[f"† differs from {name}, p < 0.05"])
    made.add(name, "1")
    row, _, note = made.paper("markdown").splitlines()[2:]
    assert row == r"| a\|b \<img src=x\> \$x\$ \*c\* \`d\` \~e\~ \\f \&amp; \[g](h) | 1 |"
    assert note == r"† differs from a|b \<img src=x> \$x\$ \*c\* \`d\` ~e~ \\f &amp; [g](h), p < 0.05"


def test_failing_build(files, run, refused):
    guard = ("compare", "-r", "ref.txt", "-m", "rouge1", "chrf", "ter", "--fail-if-worse", "--show", "0")
    worse = run(*guard, *PAIR)
    assert worse.exit_code == 1
    assert worse.stdout == run(*guard[:-3], "--show", "0", *PAIR).stdout
    found = [re.sub(r"[+-]\d\S+, p 0\.0\d+", "N", line) for line in worse.stderr.splitlines()]
    assert f"textgauge: {PAIR[1]} is worse than {PAIR[0]}: chrf N" in found
    assert f"textgauge: {PAIR[1]} is worse than {PAIR[0]}: ter N" in found
    for systems in (PAIR[::-1], (PAIR[0], "same.txt")):
        fine = run(*guard, *systems)
        assert (fine.exit_code, fine.stderr) == (0, "")
    assert run(*guard, *PAIR[::-1], PAIR[1]).exit_code == 0
    assert run(*guard, PAIR[0], "same.txt", PAIR[1]).exit_code == 1
    assert "which asks only what is better" in refused(*guard, *PAIR, "--p-value", "one-sided")


def test_order_of_short_output(files, run):
    names = ["rouge1", "bleu", "rouge2", "ter"]
    both = [textgauge.rouge, textgauge.bleu, textgauge.ter]
    values = {k: v for one in both for k, v in one(files[PAIR[0]], files["ref.txt"]).items()}
    brief = run("score", PAIR[0], "-r", "ref.txt", "-m", *names, "-b", "-w", 9).stdout.split()
    assert brief == [f"{values[name]:.9f}" for name in names]


def test_tables_with_one_title(files, run):
    shown = run("score", PAIR[0], "-r", "ref.txt", "-m", "sacrebleu", "bleu").stdout.splitlines()
    assert [line.split()[0] for line in shown if line.endswith(" score")] == ["sacrebleu", "bleu"]
    assert run("score", PAIR[0], "-r", "ref.txt").stdout.split()[0] == "BLEU"


def test_intervals_in_table(files, run):
    words = ("compare", *PAIR, "-r", "ref.txt", "-m", "chrf", "--table", "markdown")
    plain = run(*words).stdout.splitlines()
    rows = run(*words, "--confidence", "0.9").stdout.splitlines()
    for shown, row in zip(plain[2:4], rows[2:4], strict=True):
        (name, score), (same, with_interval) = cells(shown), cells(row)
        assert name == same
        assert re.fullmatch(re.escape(score) + r" \[\d+\.\d\d, \d+\.\d\d\]", with_interval)


def test_what_is_better_has_another_mark(files, run):
    shown = run("compare", *PAIR[::-1], "-r", "ref.txt", "-m", "chrf", "--table", "markdown").stdout.splitlines()
    assert cells(shown[3])[1].endswith("†")


def test_percent_in_a_comparison(files, run):
    words = ("compare", *PAIR, "-r", "ref.txt", "-m", "rouge1", "chrf", "--show", "0")
    brief, percent = (run(*words, "-b", "-w", "6", *more).stdout.split() for more in ((), ("--percent",)))
    assert [*map(float, percent[:7])] == pytest.approx([100 * float(one) for one in brief[:7]], abs=1e-4)
    assert (len(brief), percent[7:]) == (16, brief[7:])
    shown = run(*words, "--percent").stdout
    assert ("rouge1: nrefs" in shown, "chrf: nrefs" in shown) == (True, True)
