"""Closed standard streams give the result or one line, never a traceback."""

import os
import shlex
import subprocess
import sys

import pytest
from quick import covering

from cli.conftest import without_advice

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
COMMANDS = [
    "score hyp.txt -r ref.txt -m bleu", "compare hyp.txt crlf.txt -r ref.txt -m bleu",
    "explain hyp.txt -r ref.txt -m bleu -o page.html", "tokenize --tokenizer 13a hyp.txt",
    "rouge155 -n 1 -z SPL pairs.list", "demo", "help bleu", "--version",
]  # fmt: skip


@pytest.fixture
def shell(tmp_path, corpus):
    """Call the program with a redirection; return exit code, standard output and lines of standard error."""
    (tmp_path / "pairs.list").write_text("hyp.txt ref.txt\n")

    def call(arguments, redirection):
        line = f"{shlex.quote(sys.executable)} -m textgauge {arguments} {redirection}"
        done = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, timeout=120)
        errors = without_advice(done.stderr).decode().splitlines()
        return done.returncode, done.stdout.decode(), [line for line in errors if "textgauge: warning: " not in line]

    return call


@pytest.mark.parametrize(
    ("arguments", "redirection"), covering(COMMANDS, [">&-", "2>&-", "<&-", "<&- >&-", "<&- 2>&-"])
)
def test_without_output_there_is_one_line_without_others_the_result(shell, arguments, redirection):
    code, output, errors = shell(arguments, redirection)
    if ">&-" in redirection.split():
        assert (code, output, len(errors)) == (1, "", 1)
        assert errors[0].startswith("textgauge: cannot write the output: ")
    else:
        assert (code, errors) == (0, [])
        assert output


def test_what_goes_to_a_file_needs_no_output(shell, tmp_path):
    assert shell("score hyp.txt -r ref.txt -m bleu --brief -o score.txt", "<&- >&- 2>&-") == (0, "", [])
    assert float((tmp_path / "score.txt").read_text()) > 0


@pytest.mark.parametrize("arguments", ["score - -r ref.txt -m bleu", "tokenize --tokenizer 13a"])
def test_input_that_is_asked_for_and_closed_is_named(shell, arguments):
    code, output, errors = shell(arguments, "<&-")
    assert (code, output, len(errors)) == (2, "", 1)
    assert errors[0].startswith("textgauge: standard input: cannot read")
