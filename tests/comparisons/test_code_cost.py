"""The command that measures a program that passes, with few programs."""

import os

import pytest
from click.testing import CliRunner

from comparisons import code_cost

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")


def test_both_ways_end_alike():
    programs = ["raise SystemExit(1)\n", "1 / 0", code_cost.PROGRAM.format(i=1)]
    found = [*map(code_cost.restated, programs)]
    assert found == ["failed: 1", "failed: division by zero", "passed"]
    # What ends itself says so.
    assert code_cost.ours(programs, "none") == ["failed: ended before its end (sys.exit(1))", *found[1:]]
    assert code_cost.restated("while True: pass", 0.2) == "timed out"


def test_the_table(monkeypatch):
    # The other way costs a fifth of a second for every program.
    monkeypatch.setattr(code_cost, "restated", lambda program: code_cost.ours([program], "none")[0])
    done = CliRunner().invoke(code_cost.main, ["--programs", "2", "--rounds", "1"], catch_exceptions=False)
    assert done.exit_code == 0
    lines = [line for line in done.output.splitlines() if line.startswith("| ")]
    assert [line.split(" | ")[0] for line in lines[2:]][0] == "| the Hub's way"
    assert lines[-1].startswith("| ours, without |")
