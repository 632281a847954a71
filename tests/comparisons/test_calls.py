"""The command that counts the Python functions of a call, and what they are at most."""

import pytest
from click.testing import CliRunner
from textgauge import engine, plain

from comparisons import calls

# Of the package, face by face. From Python 3.12 on comprehensions are none.
MOST = {
    "`textgauge.chrf`": 32,
    "`Chrf().update().score()`": 35,
    "`compute` of the module": 46,
    "`textgauge score -m chrf`": 325,
}


@pytest.mark.skipif(engine.kernel is plain, reason="the twin of the kernel is Python, too")
def test_a_call_has_no_detour():
    done = CliRunner().invoke(calls.main, catch_exceptions=False)
    rows = [line.strip("| ").split(" | ") for line in done.output.splitlines()[2:]]
    assert [face for face, *_ in rows] == [*MOST]
    assert {face: int(own) for face, _, own in rows if int(own) > MOST[face]} == {}
