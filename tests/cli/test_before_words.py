"""What stands before the words in every line of plain text, on both sides, is told and named."""

import pytest

WORDS = ["he sleeps until ten", "take a hat", "salt and pepper"]
BEFORE = {
    "a time": [f"[00:00:0{i}.000 --> 00:00:0{i + 1}.250] " for i in range(3)],
    "a speaker": [f"SPEAKER_0{i % 2}: " for i in range(3)],
    "a number": ["8. ", "9. ", "10. "],
    "an id": [f"BAC009S0764W012{i} " for i in range(3)],
}
PROSE = {
    "numbers in no order": ["1. ", "3. ", "2. "],
    "years": ["1984 ", "1985 ", "1986 "],
    "one word": ["covid19 ", "mp3 ", "b2b "],
    "the same word": ["windows98se "] * 3,
    "one line without": ["SPEAKER_00: ", "SPEAKER_01: ", ""],
    "decimals": ["1.5 ", "2.5 ", "3.5 "],
    "a speaker by name": ["Speaker: ", "Speaker: ", "Speaker: "],
}


def warnings_of(run, write, hypotheses, references, *words):
    files = write("hyp.txt", [*map("".join, zip(hypotheses, WORDS, strict=True))]), "-r"
    done = run("score", *files, write("ref.txt", [*map("".join, zip(references, WORDS, strict=True))]), *words)
    assert done.exit_code == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("what", BEFORE)
def test_told_where_both_sides_have_it(run, write, what):
    said = warnings_of(run, write, BEFORE[what], BEFORE[what], "-m", "wer", "-b")
    assert f"every line of hyp.txt and ref.txt begins with {what}, which is scored as words; write" in said
    assert len(said.splitlines()) == 1
    assert warnings_of(run, write, BEFORE[what], [""] * 3, "-m", "wer", "-b") == ""
    assert warnings_of(run, write, BEFORE[what], BEFORE[what], "-m", "wer", "-b", "--format", "text") == ""


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
