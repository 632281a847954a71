"""The console blocks of the README and of the page of the command line show the actual output."""

import re
import shlex
import subprocess
import sys

import pytest
import textgauge
from conftest import ROOT

README = ROOT / "README.md"


def sessions(document):
    """Yield every command of the console blocks of a document with the output below it."""
    for block in re.findall(r"```console\n(.*?)```", document.read_text("utf-8"), re.DOTALL):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = step.partition("\n")
            yield command, output


def lines_of(text):
    """The lines without what is at their ends."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def as_released(text):
    """The output of the release: without the suffix of the version in a checkout."""
    return text.replace(textgauge.__version__, textgauge.__version__.partition("+")[0])


def in_a_shell(command, folder):
    """The exit code, and what is printed."""
    program = f'textgauge() {{ {shlex.quote(sys.executable)} -m textgauge "$@"; }}\n'
    done = subprocess.run(
        ["bash", "-c", program + command], cwd=folder, text=True, encoding="utf-8", timeout=120,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return done.returncode, done.stdout


@pytest.mark.parametrize("name", ["README.md", "metrics/COMMAND_LINE.md"])
def test_commands_print_what_the_document_shows(name, run, tmp_path):
    steps = list(sessions(ROOT / name))
    assert len(steps) >= 5
    for command, expected in steps:
        if re.fullmatch(r'textgauge [\w ./="-]+', command):
            done = run(*shlex.split(command)[1:])
            code, printed = done.exit_code, done.stdout + done.stderr
        else:
            code, printed = in_a_shell(command, tmp_path)
        assert (command, code, lines_of(as_released(printed))) == (command, 0, lines_of(expected))


def test_first_command_is_the_demo():
    first = re.search(r"```sh\n(.*?)\n```", README.read_text("utf-8"), re.DOTALL)[1]
    assert first == "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/textgauge demo"
