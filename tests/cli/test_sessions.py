"""Files of sessions with several speakers, STM and SegLST, on the command line."""

import json

import pytest

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
    ("a.stm", ["s 1 x 0.0 1.0 a", "s 1 x a b"], "a.stm, line 2: expected a line as `session channel speaker begin end"),
    ("a.stm", ["s 1 x 0.0 1.0 IGNORE_TIME_SEGMENT_IN_SCORING"], "a.stm, line 1: expected words"),
    ("a.seglst", ["{}"], "a.seglst: expected JSON, a list of rows"), ("a.seglst", ["["], "a.seglst: expected JSON"),
    ("a.seglst", ['[{"session_id": "s"}]'], "a.seglst[0]: expected a row with session_id, speaker and words"),
    ("a.seglst", ['[{"session_id": "s", "speaker": "x", "words": 1}]'], "a.seglst of s[0]['words']: expected"),
])  # fmt: skip
def test_damaged_files_are_refused(refused, write, name, content, said):
    write(name, content)
    assert refused("score", name, "-r", name, "-m", "cpwer").startswith(said)


def test_a_session_of_one_file_alone_is_told(refused, write, stm):
    write("ref.stm", STM["ref"][1:])
    assert "id 's2' is in no row of ref.stm" in refused("score", "hyp.stm", "-r", "ref.stm", "-m", "cpwer")


def test_a_table_of_utterances_is_no_table_of_sessions(write, refused):
    """Each row would be a session with one speaker, whose name nobody reads."""
    write("a.jsonl", [{"session_id": "s", "speaker": name, "words": "a b"} for name in "xy"])
    for fields in ([], ["--prediction-field", "words", "--reference-field", "words"]):
        message = refused("score", "a.jsonl", "-r", "a.jsonl", *fields, "-m", "cpwer")
        assert message.startswith(
            "a.jsonl has a speaker for each row, and cpwer takes a session for each: write the rows as one JSON list, "
            "and give --format seglst"
        )
