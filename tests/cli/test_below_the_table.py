"""What `textgauge score` shows below and in its tables: edits, worst segments, empty predictions, percent."""

import re

import pytest
from textgauge.cli.compared import power_notes

TEXTS = ["a b c d", "", "a b x y", " "], ["a b c d", "a b", "a b c d", "e f"]


@pytest.fixture(autouse=True)
def files(write):
    for name, lines in zip(("hyp", "ref"), TEXTS, strict=True):
        write(name, lines)


def test_characters_and_white_space_can_be_seen(run, write):
    write("hyp", ["a b", "c d"])
    write("ref", ["ab", "cd"])
    assert (
        "cer, insertions: 2\n     2  ' '" in run("score", "hyp", "-r", "ref", "-m", "cer", "--confusions", "5").stdout
    )


def test_what_counts_no_edits_is_refused(refused, write):
    write("hyp", ["a b"])
    write("ref", ["a c"])
    words = ("score", "hyp", "-r", "ref", "--confusions", "5")
    assert "counts edits" in refused(*words, "-m", "bleu")
    for form in (("--brief",), ("--json",), ("--table", "markdown"), ("--table", "latex")):
        message = "--confusions is printed below a table of scores: it cannot be given with --brief, --json or --table"
        assert refused(*words, "-m", "wer", *form).startswith(message)


def test_worst_without_table(refused):
    for flag in ("--brief", "--json"):
        assert "--worst" in refused("score", "hyp", "-r", "ref", "--worst", "1", flag)


def test_empty_references_are_counted_where_every_one_is(run):
    assert "4 segments, 2 empty references" in run("score", "ref", "-r", "hyp", "-m", "wer").stdout
    assert "empty" not in run("score", "ref", "-r", "hyp", "-r", "ref", "-m", "wer").stdout


def test_percent_is_for_shares_and_rates(run, refused):
    words = ("score", "hyp", "-r", "ref", "-m", "wer", "nist_mt", "chrf", "-b")
    plain, percent = run(*words).stdout.split(), run(*words, "--percent").stdout.split()
    assert percent == [f"{100 * float(plain[0]):.2f}", *plain[1:]]
    shown = run("score", "hyp", "-r", "ref", "-m", "bleu", "--percent").stdout
    assert re.search(r"1-gram precision +75\.00", shown)
    assert "--percent" in refused("score", "hyp", "-r", "ref", "-m", "wer", "--percent", "--json")


def test_lines_below_a_table_fit_the_page(run, write):
    write("hyp", [f"{i} a b" for i in range(2000)])
    write("ref", ["x y z w"] * 2000)
    shown = run("score", "hyp", "-r", "ref", "-m", "wer", "--counts").stdout.splitlines()
    assert max(len(line) for line in shown if not line.startswith("nrefs")) <= 80


@pytest.mark.parametrize("flag", ["--confusions", "--worst"])
def test_stream_is_read_once(run, write, flag):
    write("hyp", ["a b c"])
    write("ref", ["a x c"])
    words = ("-r", "ref", "-m", "wer", flag, "1")
    assert run("score", "-", *words, stdin="a b c\n").stdout == run("score", "hyp", *words).stdout


def test_a_difference_of_one_of_several_scores_has_its_name():
    def note(smallest):
        return [text.removeprefix("With 9 segments, ") for text in power_notes("9 segments", smallest)]

    found, beyond = "a true difference of 0.5{} would be detected 80% of the time", "no difference{} is large enough"
    assert note({"a": 0.5, "b": 0.0}) == [found.format(" (a)")]
    assert note({"a": 0.5}) == [found.format("")]
    assert note({"a": 0.0}) == []
    both = note({"a": 0.5, "b": float("inf")})
    assert both == [found.format(" (a)"), beyond.format(" of b") + " to be detected 80% of the time"]
    assert note({"a": float("inf")}) == [beyond.format("") + " to be detected 80% of the time"]
