"""The comparison of instructions of two builds, without the counting."""

import pytest

from comparisons import instructions
from comparisons.instructions import MARGIN, ROWS, calls, compared, main, title


def test_every_row_is_a_call_that_returns():
    made = calls()
    assert list(made) == [title(row) for row in ROWS]
    assert all(call() for call in made.values())


def test_equal_and_better_counts_pass():
    lines, slower = compared({"a": 100.0, "b": 90.0}, {"a": 100.0, "b": 100.0})
    assert slower == []
    assert lines[2:] == ["| a | 100 | 100 | +0.00% |", "| b | 100 | 90 | -10.00% |"]


def test_a_count_beyond_the_margin_is_slower():
    before = 1000.0
    assert compared({"a": before * (1 + MARGIN)}, {"a": before})[1] == []
    assert compared({"a": before * (1 + MARGIN) + 1, "b": 1.0}, {"a": before, "b": 1.0})[1] == ["a"]


def test_new_call():
    lines, slower = compared({"a": 5.0}, {})
    assert (lines[2:], slower) == (["| a | | 5 | new |"], [])


@pytest.mark.parametrize(("now", "code"), [(100.0, 0), (150.0, 1)])
def test_exit_code_of_slower_call(monkeypatch, capsys, now, code):
    counts = {instructions.sys.executable: {"a": now}, "other": {"a": 100.0}}
    monkeypatch.setattr(instructions, "counted", counts.__getitem__)
    assert main("other") == code
    assert ("slower by more than 3%: a" in capsys.readouterr().out) == bool(code)
