"""The types that editors and type checkers see; `.ci/run` checks the examples with pyright too."""

import subprocess
import sys
from pathlib import Path

import pytest
import textgauge
from conftest import ROOT
from textgauge.stubs import Stub


def test_the_stub_is_what_the_declarations_say():
    written = Path(textgauge.__file__).with_suffix(".pyi").read_text("utf-8")
    assert written == str(Stub()), "run `python -m textgauge.stubs`"


@pytest.mark.slow
def test_mypy_reads_the_examples_as_written():
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--follow-imports=silent", "tests/typing/examples.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
