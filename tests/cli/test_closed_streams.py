"""Closed standard streams give the result or one line, never a traceback."""

import os
import shlex
import subprocess
import sys
from itertools import cycle, product

import pytest
from quick import first

from cli.conftest import without_advice

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
PIPE, PROGRAM = subprocess.PIPE, [sys.executable, "-m", "textgauge"]
COMMANDS = [
    "score hyp.txt -r ref.txt -m bleu", "compare hyp.txt crlf.txt -r ref.txt -m bleu",
    "explain hyp.txt -r ref.txt -m bleu -o page.html", "tokenize --tokenizer 13a hyp.txt",
    "rouge155 -n 1 -z SPL pairs.list", "demo", "help bleu", "--version",
    "compare hyp.txt hyp.txt -r ref.txt --fail-if-worse", "pairwise hyp.txt -m chrf", "diversity hyp.txt",
    "mbr lists.jsonl -m chrf", "score --help",
]  # fmt: skip


@pytest.fixture
def shell(tmp_path, corpus):
    """Call the program with a redirection; return exit code, standard output and lines of standard error."""
    (tmp_path / "pairs.list").write_text("hyp.txt ref.txt\n")
    (tmp_path / "lists.jsonl").write_text('{"prediction": ["a cat", "a dog"]}\n')

    def call(arguments, redirection):
        line = f"{shlex.quote(sys.executable)} -m textgauge {arguments} {redirection}"
        done = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, timeout=120)
        errors = without_advice(done.stderr).decode().splitlines()
        return done.returncode, done.stdout.decode(), [line for line in errors if "textgauge: warning: " not in line]

    return call


# What is read first gets the number of a closed stream, so input is closed too.
BOTH_CLOSED = ["<&- >&-", "<&- 2>&-"]


@pytest.mark.parametrize(
    ("arguments", "redirection"),
    first(2, [*product(COMMANDS, BOTH_CLOSED), *product(COMMANDS[:1], [">&-", "2>&-", "<&-"])]),
)
def test_closed_output_or_errors(shell, arguments, redirection):
    code, output, errors = shell(arguments, redirection)
    if ">&-" in redirection.split():
        assert (code, output, len(errors)) == (2, "", 1)
        assert errors[0].startswith("textgauge: cannot write the output: ")
    else:
        assert (code, errors) == (0, [])
        assert output


@pytest.mark.slow
def test_output_to_a_file(shell, tmp_path):
    assert shell("score hyp.txt -r ref.txt -m bleu --brief -o score.txt", "<&- >&- 2>&-") == (0, "", [])
    assert float((tmp_path / "score.txt").read_text()) > 0


@pytest.mark.slow
@pytest.mark.parametrize("arguments", ["score - -r ref.txt -m bleu", "tokenize --tokenizer 13a"])
def test_closed_input(shell, arguments):
    code, output, errors = shell(arguments, "<&-")
    assert (code, output, len(errors)) == (2, "", 1)
    assert errors[0].startswith("textgauge: standard input: cannot read")


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "is_full"), zip(COMMANDS, cycle([True, False]), strict=False))
def test_unread_output(tmp_path, shell, arguments, is_full):
    """1 is an answer of commands that are asked for one: a lost output must not pass for it."""
    full = os.open("/dev/full", os.O_WRONLY) if is_full else PIPE
    process = subprocess.Popen([*PROGRAM, *arguments.split()], cwd=tmp_path, stdout=full, stderr=PIPE)
    os.close(full) if is_full else process.stdout.close()
    with process:
        said = [line for line in without_advice(process.stderr.read()).splitlines() if b": warning: " not in line]
    assert (process.returncode, len(said)) == (2, is_full), said
    assert not is_full or said[0].startswith(b"textgauge: cannot write the output: ")


@pytest.mark.slow
def test_unwritable_verdict(tmp_path, shell):
    (tmp_path / "worse.txt").write_text("x\n" * 24)
    compare = "compare ref.txt worse.txt -r ref.txt --fail-if-worse"
    assert shell(compare, "")[0] == 1
    assert shell(compare, "2>/dev/full")[0] == 2
    assert shell("score none.txt -r ref.txt", "2>/dev/full")[0] == 2


def test_own_error_is_no_answer(tmp_path):
    code = "from textgauge import __main__\nfrom textgauge.cli import main\nmain.main = 0\n__main__.run()"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, timeout=60)
    assert (done.returncode, b"TypeError: 'int' object is not callable" in done.stderr) == (2, True)
