"""`textgauge score --confusions`: the most frequent edits of a corpus."""


def test_the_most_frequent_edits_stand_below_the_table(run, write):
    write("hyp", ["a slow fox", "a slow dog now", "a b"])
    write("ref", ["a quick fox", "a quick dog", "a b c"])
    shown = run("score", "hyp", "-r", "ref", "-m", "wer", "--confusions", "1").stdout
    assert "wer, substitutions (reference → prediction): 2\n     2  quick → slow\n" in shown
    assert "wer, deletions: 1\n     1  c\n" in shown
    assert "wer, insertions: 1\n     1  now" in shown
    assert run("score", "hyp", "-r", "ref", "-m", "wer", "--confusions").stdout == shown


def test_characters_and_white_space_can_be_seen(run, write):
    write("hyp", ["a b"])
    write("ref", ["ab"])
    assert (
        "cer, insertions: 1\n     1  ' '" in run("score", "hyp", "-r", "ref", "-m", "cer", "--confusions", "5").stdout
    )


def test_what_counts_no_edits_is_refused(refused, write):
    write("hyp", ["a b"])
    write("ref", ["a c"])
    words = ("score", "hyp", "-r", "ref", "--confusions", "5")
    assert "counts edits" in refused(*words, "-m", "bleu")
    for form in (("--brief",), ("--json",), ("--table", "markdown"), ("--table", "latex")):
        message = "--confusions is printed below a table of scores: it cannot be given with --brief, --json or --table"
        assert refused(*words, "-m", "wer", *form).startswith(message)
