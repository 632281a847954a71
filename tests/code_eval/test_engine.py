"""The processes that run programs: hostile programs, lost processes, Ctrl-C, forks, and nothing left behind."""

import os
import shutil
import socket
from pathlib import Path

import pytest
from textgauge.models import code_engine
from textgauge.models.code_engine import Limits, run

from .hostile import MARK, hostile_programs

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")
LIMITS = Limits(0.5, "cpu", 512 << 20)
PASSES = "def add(a, b):\n    return a + b\nassert add(2, 3) == 5"
sandboxed = pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap: apt install bubblewrap")
# Programs that wait for the clock on the wall, which is ten times as long.
WAIT = {"fork bomb that stays", "loop in a child"}


@pytest.fixture(autouse=True, scope="module")
def ended():
    yield
    code_engine.end_runners()


def running(mark):
    """Return the command lines, of all other processes, that have a text in them."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if mark in line and int(path.parent.name) != os.getpid():
            found.append(line)
    return found


def results(programs, limits=LIMITS, sandbox="auto", n_workers=2):
    return run(programs, limits, n_workers=n_workers, sandbox=sandbox).results


@sandboxed
def test_hostile(monkeypatch):
    monkeypatch.setenv("TEXTGAUGE_SECRET", "SECRET")
    with socket.create_server(("127.0.0.1", 0)) as server:
        programs = [one for one in hostile_programs(port=server.getsockname()[1]) if one.name not in WAIT]
        found = results([one.text for one in programs], sandbox="require")
    assert {one.name: got for one, got in zip(programs, found, strict=True) if not one.has_ended(got)} == {}
    assert running(MARK) == []
    assert not list(Path("/").glob(f"*{MARK}*"))
