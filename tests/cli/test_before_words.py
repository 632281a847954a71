"""What stands before the words in every line of plain text, on both sides, is told and named."""

import pytest

WORDS = ["he sleeps until ten", "take a hat", "salt and pepper"]
BEFORE = {
    "a time": [f"[00:00:0{i}.000 --> 00:00:0{i + 1}.250] " for i in range(3)],
    "a speaker": [f"SPEAKER_0{i % 2}: " for i in range(3)],
    "a number": ["8. ", "9. ", "10. "],
    "an id": [f"BAC009S0764W012{i} " for i in range(3)],
    "a time in brackets": [f"[00:0{i}:12] " for i in range(3)],
    "a time alone": [f"0:0{i}:12.5 " for i in range(3)],
    "a number alone": [f"{i} " for i in range(3)],
    "a number from 1 on alone": [f"{i} " for i in range(1, 4)],
    "the name of a file": [f"/d/a{i}.wav " for i in range(3)],
    "the name of a file and a bar": [f"a{i}.wav|" for i in range(3)],
    "an id and a bar": [f"LJ001-000{i}|" for i in range(3)],
    "an id and a colon": [f"utt{i}: " for i in range(3)],
    "an id in marks": [f'"a{i}",' for i in range(3)],
    "an id in brackets": [f"[a{i}] " for i in range(3)],
}
LABELS = {"Agent": ["Agent: ", "Customer: ", "Agent: "], "the speaker": ["Speaker: "] * 3, "A": ["A: ", "B: ", "A: "]}
PROSE = {
    "numbers in no order": ["1. ", "3. ", "2. "],
    "numbers from 2 on": ["2 ", "3 ", "4 "],
    "years": ["1984 ", "1985 ", "1986 "],
    "one word": ["covid19 ", "mp3 ", "b2b "],
    "the same word": ["windows98se "] * 3,
    "the same file": ["/usr/lib/x1.py "] * 3,
    "one line without": ["SPEAKER_00: ", "SPEAKER_01: ", ""],
    "decimals": ["1.5 ", "2.5 ", "3.5 "],
    "labels of some lines": ["Speaker: ", "Speaker: ", ""],
    "cities": ["Rome, ", "Bern, ", "Oslo, "],
    "thousands": ["1,000 ", "2,000 ", "3,000 "],
    "alternatives": ["and/or ", "he/she ", "his/her "],
    "fractions": ["1/2 ", "1/4 ", "3/4 "],
    "speeds": ["50km/h ", "9.8m/s2 ", "100km/h "],
    "goals": ["1-0: ", "1-1: ", "2-1: "],
    "dates": ["3/10/2024 ", "4/10/2024 ", "5/10/2024 "],
    "numbers with more digits than Python reads": [f"{i}{'0' * 5000}. " for i in range(3)],
}


def warnings_of(run, write, hypotheses, references, *words):
    files = write("hyp.txt", [*map("".join, zip(hypotheses, WORDS, strict=True))]), "-r"
    done = run("score", *files, write("ref.txt", [*map("".join, zip(references, WORDS, strict=True))]), *words)
    assert done.exit_code == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("what", BEFORE)
def test_told_where_both_sides_have_it(run, write, what):
    begin = BEFORE[what]
    said = warnings_of(run, write, begin, begin, "-m", "wer", "-b")
    for more in (" in brackets", " alone", " from 1 on", " and a bar", " and a colon", " in marks"):
        what = what.removesuffix(more)
    assert f"every line of hyp.txt and ref.txt begins with {what}, which is scored as words; write" in said
    assert len(said.splitlines()) == 1
    # On one side it may be in a text of its own right, unless it is a range of times or a speaker of a program.
    is_told_alone = begin in (BEFORE["a time"], BEFORE["a speaker"])
    for sides in ((begin, [""] * 3), ([""] * 3, begin)):
        said_alone = warnings_of(run, write, *sides, "-m", "wer", "-b")
        name = "hyp.txt" if sides[0] is begin else "ref.txt"
        if is_told_alone:
            assert f"every line of {name} begins with {what}, which is scored as words; write" in said_alone
        else:
            assert "begins with" not in said_alone
    assert warnings_of(run, write, begin, begin, "-m", "wer", "-b", "--format", "text") == ""


@pytest.mark.parametrize("what", LABELS)
def test_labels_that_both_sides_have_are_told(run, write, what):
    said = warnings_of(run, write, LABELS[what], LABELS[what], "-m", "wer", "-b")
    assert f"begins with the same label, such as {LABELS[what][0].strip()!r}, which is scored as words" in said
    assert warnings_of(run, write, LABELS[what], ["Other: ", *LABELS[what][1:]], "-m", "wer", "-b") == ""


def test_labels_in_subtitles_are_told(run, write):
    cues = "WEBVTT\n\n00:01.000 --> 00:02.000\nAnn Lee: good day\n\n00:03.000 --> 00:04.000\nBob: hi\n"
    done = run("score", write("hyp.vtt", cues), "-r", write("ref.vtt", cues), "-m", "wer", "-b")
    assert "begins with the same label, such as 'Ann Lee:', which is scored as words" in done.stderr
    assert run("score", "hyp.vtt", "-r", "ref.vtt", "-m", "wer", "-b", "--format", "vtt").stderr == ""
    message = run("score", "hyp.vtt", "-r", write("ref.vtt", cues + "\n0:05 --> 0:06\nbye"), "-m", "wer").stderr
    assert "expected as many segments as hyp.vtt has (2), got 3" in message


def test_ids_behind_the_words_are_told(run, write):
    words = [f"{text} ({i})" for i, text in enumerate(WORDS)]
    done = run("score", write("hyp.txt", words), "-r", write("ref.txt", words[::-1]), "-m", "wer", "-b")
    assert (
        "every line of hyp.txt and ref.txt ends with an id, which is scored as a word; give --format trn" in done.stderr
    )
    done = run("score", "hyp.txt", "-r", write("ref.txt", WORDS), "-m", "wer", "-b")
    assert done.stderr == ""


def test_lists_of_the_best_are_told(run, write):
    lists = [f"{i} ||| {words} ||| F0= -{i}.5 ||| -{i}" for i, words in enumerate(WORDS)]
    done = run("score", write("hyp.txt", lists), "-r", write("ref.txt", WORDS), "-m", "wer", "-b")
    assert "every line of hyp.txt has a number and scores beside its words" in done.stderr
    tables = [f"{words} ||| {words}" for words in WORDS]
    done = run("score", write("hyp.txt", tables), "-r", write("ref.txt", WORDS), "-m", "wer", "-b")
    assert done.stderr == ""


@pytest.mark.parametrize("what", PROSE)
def test_prose_is_never_told(run, write, what):
    assert warnings_of(run, write, PROSE[what], PROSE[what], "-m", "wer", "-b") == ""
