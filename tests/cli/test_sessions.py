"""Files of sessions with several speakers, STM and SegLST, on the command line."""

import json

import pytest

from cli.conftest import says

STM = {
    "hyp": [
        ";; a comment", "s1 1 y 1.5 2.0 fine", "s1 1 x 0.0 1.0 <o,f0> how are you", "", "s2 1 x 0 1 a b",
        "s1 1 x 9 9.5",
    ],
    "ref": ["s2 A ann 0.0 1.0 a c", "s1 A ann 0.0 1.0 how are you", "s1 A bob 1.5 2.0 fine thanks"],
}  # fmt: skip


@pytest.fixture
def stm(write):
    for name, lines in STM.items():
        write(f"{name}.stm", lines)


@pytest.fixture
def seglst(write):
    for name, lines in STM.items():
        rows = []
        for line in lines:
            if line and not line.startswith(";;"):
                session, _, speaker, begin, end, *words = line.replace("<o,f0> ", "").split()
                times = {"start_time": begin, "end_time": end}
                rows.append({"session_id": session, "speaker": speaker, **times, "words": " ".join(words)})
        write(f"{name}.seglst", json.dumps(rows))


def test_sessions_are_joined_and_utterances_in_order(metrics, stm, seglst):
    found = metrics("score", "hyp.stm", "-r", "ref.stm", "-m", "cpwer")["cpwer"]
    assert (found["cpwer"], found["ordered_wer"], found["substitutions"], found["deletions"]) == (2 / 7, 2 / 7, 1, 1)
    assert metrics("score", "hyp.seglst", "-r", "ref.seglst", "-m", "cpwer")["cpwer"] == found
    for form in ("stm", "seglst"):
        names = [f"{name}.{form}" for name in STM]
        assert metrics("score", names[0], "-r", names[1], "-m", "cpwer", "--format", form)["cpwer"] == found


def test_a_comment_begins_with_two_semicolons(metrics, write):
    write("hyp.stm", [";s 1 x 0 1 a b", ";;s 1 x 1 2 c"])
    write("ref.stm", [";s 1 x 0 1 a c", ";; s 1 x 1 2 c"])
    found = metrics("score", "hyp.stm", "-r", "ref.stm", "-m", "cpwer", "--format", "stm")["cpwer"]
    assert (found["cpwer"], found["hits"]) == (1 / 2, 1)


def test_a_label_of_stm_is_no_word(metrics, write):
    """It has a comma, or all utterances have one; a word in such brackets stands where it is."""
    write("ref.stm", ["s 1 A 0 1 <unk> how are", "s 1 A 1 2", "s 1 A 2 3 you"])
    for lines, n_edits in (
        (["s 1 x 0 1 <unk> how are", "s 1 x 2 3 you"], 0),
        (["s 1 x 0 1 <o,f0,male> <unk> how are", "s 1 x 2 3 you"], 0),
        (["s 1 x 0 1 <o> <unk> how are", "s 1 x 2 3 <o> you", "s 1 x 3 4"], 0), (["s 1 x 0 1 how are <unk> you"], 2),
        ([" ;; a comment", "s 1 x -.5 1. <unk> how are", "s 1 x 2e0 3 you"], 0),
    ):  # fmt: skip
        write("hyp.stm", lines)
        found = metrics("score", "hyp.stm", "-r", "ref.stm", "-m", "cpwer")["cpwer"]
        assert found["substitutions"] + found["deletions"] + found["insertions"] == n_edits


@pytest.mark.parametrize(("line", "said"), [
    ("s 1 A 0 1 how { are / were / @ } you", "hyp.stm, line 1: expected words without alternatives `{ a / b }`"),
    ("s 1 gap 0 1 <o,,> ignore_time_segment_in_scoring", "hyp.stm, line 1: expected words; drop times"),
    ("s 1 A nan 1 how", "hyp.stm, line 1: expected a line as `session channel"),
    # In linear time.
    (f"s 1 A {'1' * 300_000}x 1 how", "hyp.stm, line 1: expected a line as `session channel"),
    ("s 1 A 2 1 how", "hyp.stm, line 1, end: expected a time not before the start"),
])  # fmt: skip
def test_what_is_no_utterance_is_refused(refused, write, line, said):
    write("ref.stm", ["s 1 A 0 1 how are you"])
    write("hyp.stm", [line])
    assert refused("score", "hyp.stm", "-r", "ref.stm", "-m", "cpwer").startswith(said)


def test_every_command_takes_sessions(run, stm):
    for command in (["compare", "ref.stm"], ["explain"]):
        done = run(command[0], "hyp.stm", *command[1:], "-r", "ref.stm", "-m", "cpwer", "--format", "stm")
        assert done.exit_code == 0, done.stderr


def test_other_metrics_are_refused(refused, stm):
    message = refused("score", "hyp.stm", "-r", "ref.stm", "-m", "cpwer", "wer", "chrf")
    assert message.startswith(
        "files of sessions (--format stm or seglst) have the names of speakers beside the words, which wer and chrf "
        "would score: join the words of an utterance into one line"
    )


@pytest.mark.parametrize(("name", "content", "said"), [
    ("a.stm", ["s 1 x 0.0 1.0 a", "s 1 x a b"], "a.stm, line 2: ... got 's 1 x a b'"),
    ("a.stm", ["s 1 x 0.0 1.0 IGNORE_TIME_SEGMENT_IN_SCORING"], "a.stm, line 1: ... words"),
    ("a.seglst", ["{}"], "a.seglst: ... got {}"), ("a.seglst", ["["], "a.seglst: ... JSON"),
    ("a.seglst", ['[{"session_id": "s"}]'], "a.seglst[0]: ... session_id"),
    ("a.seglst", ['[{"session_id": "s", "speaker": "x", "words": 1}]'], "a.seglst of s[0]['words']: ... got 1"),
])  # fmt: skip
def test_damaged_files_are_refused(refused, write, name, content, said):
    write(name, content)
    assert says(refused("score", name, "-r", name, "-m", "cpwer"), said)


def test_a_session_of_one_file_alone_is_told(refused, write, stm):
    write("ref.stm", STM["ref"][1:])
    assert "id 's2' is in no row of ref.stm" in refused("score", "hyp.stm", "-r", "ref.stm", "-m", "cpwer")


def test_a_table_of_utterances_is_no_table_of_sessions(write, refused):
    """Each row would be a session with one speaker, whose name nobody reads."""
    write("a.jsonl", [{"session_id": "s", "speaker": name, "words": "a b"} for name in "xy"])
    fields = ["--prediction-field", "words", "--reference-field", "words"]
    for own in ([], fields):
        assert refused("score", "a.jsonl", "-r", "a.jsonl", *own, "-m", "cpwer").startswith(
            "a.jsonl has a speaker for each row, and cpwer takes a session for each: give --speaker-field speaker"
        )
    message = refused("score", "a.jsonl", "-r", "a.jsonl", *fields, "-m", "cpwer", "--speaker-field", "speaker")
    assert "give --session-field session_id" in message


def test_labels_of_lines_are_no_speakers(run, write):
    lines = write("a.txt", ["Ann: hello", "Bob: hi"])
    done = run("score", lines, "-r", write("b.txt", ["Ann: hello", "Bob: ho"]), "-m", "cpwer", "-b")
    assert "'Ann:', which is scored as words; write sessions of several speakers as STM or SegLST" in done.stderr


FIELDS = ["--speaker-field", "who", "--session-field", "day", "--start-field", "t"]


@pytest.fixture
def tables(write):
    """The utterances of `STM` as tables in two formats, and as one whose rows have both sides."""
    write("hyp.csv", ["t,day,who,words", "1.5,s1,y,fine", "0,s1,x,how are you", "0,s2,x,a b", "9,s1,x,"])
    references = [(0, "s2", "ann", "a c"), (0, "s1", "ann", "how are you"), ("1.5", "s1", "bob", "fine thanks")]
    rows = [dict(zip(("t", "day", "who", "words"), row, strict=True)) for row in references]
    write("ref.jsonl", rows)
    both = [("y", "fine", 2), ("x", "how are you", 1), ("x", "a b", 0)]
    write("both.jsonl", [
        rows[i] | {"of": who, "prediction": words, "reference": rows[i]["words"]} for who, words, i in both
    ] + [{"day": "s2", "prediction": None, "reference": "", "who": None, "of": None, "t": None}])  # fmt: skip


def test_rows_of_utterances_are_joined_by_sessions(metrics, run, stm, tables):
    wanted = metrics("score", "hyp.stm", "-r", "ref.stm", "-m", "cpwer")["cpwer"]
    words = ["--prediction-field", "words", "--reference-field", "words"]
    assert metrics("score", "hyp.csv", "-r", "ref.jsonl", "-m", "cpwer", *words, *FIELDS)["cpwer"] == wanted
    of_both = ["--speaker-field", "of", *FIELDS]
    assert metrics("score", "both.jsonl", "-m", "cpwer", *of_both)["cpwer"] == wanted
    with_interval = metrics("score", "both.jsonl", "-m", "cpwer", *of_both, "--confidence", "0.9")["cpwer"]
    assert with_interval["confidence_interval"] == pytest.approx([0, 1.44895192], abs=1e-8)
    for command in (["compare", "ref.jsonl"], ["explain"]):
        done = run(command[0], "hyp.csv", *command[1:], "-r", "ref.jsonl", "-m", "cpwer", *words, *FIELDS)
        assert done.exit_code == 0, done.stderr


@pytest.mark.parametrize(("more", "said"), [
    (["-m", "wer", *FIELDS], "--speaker-field has no effect: wer takes no sessions of several speakers"),
    (["-m", "cpwer", *FIELDS[2:]], "--session-field needs --speaker-field"),
    (["-m", "cpwer", *FIELDS, "--skip-bad"], "--skip-bad cannot be given with --speaker-field"),
    (["-m", "cpwer", *FIELDS, "--keep", "t"], "--keep is of rows, and --speaker-field makes sessions of them"),
    (["-m", "cpwer", *FIELDS[:-1], "who"], "both.jsonl, line 1, start: ... got 'bob'"),
    (["-m", "cpwer", *FIELDS[:2], "--session-field", "none"], "both.jsonl, line 1: there is no field 'none'"),
])  # fmt: skip
def test_what_does_not_go_with_utterances_is_refused(refused, tables, more, said):
    assert says(refused("score", "both.jsonl", *more), f"... {said}")


def test_a_bad_row_of_an_utterance_has_its_line(refused, tables, tmp_path):
    with (tmp_path / "both.jsonl").open("a") as file:
        file.write('{"day": "s1"\n')
    message = refused("score", "both.jsonl", "-m", "cpwer", *FIELDS)
    assert says(message, "both.jsonl, line 5: expected a JSON object on every line, got broken JSON")
