"""The processes that run programs: hostile programs, lost processes, Ctrl-C, forks, and nothing left behind."""

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from interrupting import interruptible
from quick import first
from textgauge.models import code_engine
from textgauge.models.code_engine import Limits, NoSandboxError, run

from .hostile import MARK, hostile_programs

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")
LIMITS = Limits(0.5, "cpu", 512 << 20)
PASSES = "def add(a, b):\n    return a + b\nassert add(2, 3) == 5"
sandboxed = pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap: apt install bubblewrap")
# Programs that wait for the clock on the wall, which is ten times as long.
WAIT = {"fork bomb that stays", "loop in a child"}
# Programs that nothing but a sandbox stops: run without one only where they cannot reach others.
SANDBOXES = [pytest.param("require", marks=sandboxed), "none"]


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


@pytest.fixture(autouse=True)
def own_folder(monkeypatch, tmp_path):
    """The folders of runners are made here, where those of other processes are not."""
    code_engine.end_runners()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    yield tmp_path
    code_engine.end_runners()
    assert not list(tmp_path.glob("textgauge-code-*"))


def results(programs, limits=LIMITS, sandbox="auto", n_workers=2):
    return run(programs, limits, n_workers=n_workers, sandbox=sandbox).results


def wrong_of(programs, found):
    return {one.name: got for one, got in zip(programs, found, strict=True) if not one.has_ended(got)}


@sandboxed
def test_hostile(monkeypatch):
    """Those that the clock ends get little time, and the others as much as a busy machine needs."""
    monkeypatch.setenv("TEXTGAUGE_SECRET", "SECRET")
    with socket.create_server(("127.0.0.1", 0)) as server:
        programs = [one for one in hostile_programs(port=server.getsockname()[1]) if one.name not in WAIT]
        for timeout, ends in ((0.2, False), (5.0, True)):
            some = [one for one in programs if ("timed out" not in one.results) is ends]
            found = results([one.text for one in some], LIMITS._replace(timeout=timeout), sandbox="require")
            assert wrong_of(some, found) == {}
    assert running(MARK) == []
    assert not list(Path("/").glob(f"*{MARK}*"))


@sandboxed
@pytest.mark.slow
def test_many_hostile(monkeypatch):
    """In any order, among programs that pass, whose results stay right."""
    monkeypatch.setenv("TEXTGAUGE_SECRET", "SECRET")
    kinds = hostile_programs(port=1)
    # Those that run until the clock ends them take most of the time: they come less often.
    ending = [one for one in kinds if "timed out" not in one.results]
    programs = [*kinds, *(ending * (200 // len(ending) + 1))[: 200 - len(kinds)]]
    random.Random(60).shuffle(programs)
    texts = [f"{one.text}\n# {i}" for i, one in enumerate(programs)]
    both = [text for i, text in enumerate(texts) for text in (text, f"{PASSES}\n# {i}")]
    # Programs fill all memory that is theirs, which takes a busy machine longer than the clock of a loop allows.
    found = results(both, LIMITS._replace(timeout=1.5), sandbox="require", n_workers=3)
    assert wrong_of(programs, found[::2]) == {}
    assert {*found[1::2]} == {"passed"}
    assert running(MARK) == []
    assert not list(Path("/").glob(f"*{MARK}*"))


# What is as safe without a sandbox as it is right.
OPEN = {
    "exit", "exit in a thread", "sys.exit", "SystemExit", "quiet exit", "exec", "SIGKILL", "SIGINT",
    "SIGTERM to its group", "segmentation fault", "catch all", "message that exits", "message that raises",
    "long message", "broken message", "gigabytes", "gigabytes of many", "much output", "endless input", "big file",
    "deep folders", "closed folders", "daemon", "daemons of one that fails", "daemons of one that ends",
    "child that goes on", "child that passes", "thread that goes on", "atexit", "closed descriptors",
    "closed descriptors, fails", "every descriptor", "replaced names", "environment", "syntax", "null", "main",
}  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux, where what loses its parent is found")
def test_without_a_sandbox():
    programs = [one for one in hostile_programs() if one.name in OPEN]
    assert len(programs) == len(OPEN)
    assert wrong_of(programs, results([one.text for one in programs], sandbox="none")) == {}
    assert running(MARK) == []


@pytest.mark.parametrize("sandbox", [pytest.param("require", marks=[sandboxed, pytest.mark.slow]), "none"])
def test_clocks(sandbox):
    sleeps, works = "import time\ntime.sleep(0.6)", "import time\nwhile time.process_time() < 0.1: pass"
    assert results([sleeps, works], sandbox=sandbox) == ["passed", "passed"]
    assert results([sleeps], LIMITS._replace(timeout=0.2, clock="wall"), sandbox=sandbox) == ["timed out"]
    assert results(["import time\ntime.sleep(9)"], LIMITS._replace(timeout=0.05), sandbox=sandbox) == ["timed out"]
    # The processes of a program count, when it waits for them.
    shares = (
        "import os, time\nfor _ in range(4):\n    if os.fork() == 0:\n        while time.process_time() < 0.1: pass\n"
    )
    shares += "        os._exit(0)\n    os.wait()"
    assert results([shares], LIMITS._replace(timeout=0.3), sandbox=sandbox) == ["timed out"]
    assert results([shares], LIMITS._replace(timeout=2.0), sandbox=sandbox) == ["passed"]


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_many_programs_in_order(sandbox):
    numbers = [*range(200)]
    found = results([f"assert {i} % 3, {i}" for i in numbers], sandbox=sandbox, n_workers=3)
    assert found == ["passed" if i % 3 else f"failed: {i}" for i in numbers]
    assert results([], sandbox=sandbox) == []


@pytest.mark.slow
def test_thousands_of_programs():
    """More of each of two runners than a process may have open files."""
    found = results([f"assert {i} % 7" for i in range(3_000)])
    assert [i for i, result in enumerate(found) if result == "passed"] == [i for i in range(3_000) if i % 7]


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_a_killed_runner_loses_no_result(sandbox):
    """From outside: what it ran is run again."""
    is_done, program = threading.Event(), "import time\ntime.sleep(0.15)\nassert {i} != 3"

    def kill():
        n_killed = 0
        while not is_done.wait(0.12) and n_killed < 3:
            for pid in [*code_engine._children_of(os.getpid())]:
                inner = code_engine._children_of(pid) if sandbox == "require" else [pid]
                if inner and "code_program" in Path(f"/proc/{pid}/cmdline").read_text():
                    os.kill(inner[0], signal.SIGKILL)
                    n_killed += 1
                    break

    if sys.platform != "linux":
        pytest.skip("needs Linux, whose /proc has the children of a process")
    thread = threading.Thread(target=kill)
    thread.start()
    found = results([program.replace("{i}", str(i)) for i in range(8)], sandbox=sandbox)
    is_done.set()
    thread.join()
    # One that was hit twice has failed, and says so.
    said = {"passed", "failed: ", "failed: it ended the process that ran it"}
    assert len(found) == 8
    assert {*found} <= said
    assert found.count("passed") >= 5


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux, where what is left is found by its environment")
def test_a_program_that_kills_its_runner():
    daemon = next(one.text for one in hostile_programs() if one.name == "daemons of one that fails")
    kills = daemon.replace("assert False, 'no'", "os.kill(os.getppid(), 9)\ntime.sleep(99)")
    assert kills != daemon
    found = results([kills, PASSES, "assert 0, 'no'"], sandbox="none")
    assert found == ["failed: it ended the process that ran it", "passed", "failed: no"]
    assert running(MARK) == []


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux, where a program knows the process that runs it")
@pytest.mark.parametrize(
    ("sign", "n_times", "result", "n_runs"),
    [
        ("SIGKILL", 1, "passed", 2),
        ("SIGKILL", 9, "failed: it ended the process that ran it", 2),
        ("SIGSTOP", 9, "timed out", 1),
    ],
)
def test_a_program_runs_once_more_whose_runner_was_lost(monkeypatch, tmp_path, sign, n_times, result, n_runs):
    """But not one that took all of its time: the log has a dot for every run."""
    if sign == "SIGSTOP":
        monkeypatch.setattr(code_engine, "_GRACE", 0.5)
        monkeypatch.setattr(code_engine, "_SECONDS_TO_END", 0.2)
    log = tmp_path / "runs"
    program = (
        f"import os, signal, time\nwith open({str(log)!r}, 'a') as log: log.write('.')\n"
        f"if os.path.getsize({str(log)!r}) <= {n_times}:\n    os.kill(os.getppid(), signal.{sign})\n    time.sleep(99)"
    )
    limits = LIMITS._replace(timeout=0.05) if sign == "SIGSTOP" else LIMITS
    assert results([program], limits, sandbox="none") == [result]
    assert log.read_text() == "." * n_runs


CALLER = """
import sys, threading
from textgauge.models.code_engine import Limits, run
loops = [f"import time\\nwhile True: time.sleep(1) # {i}" for i in range(4)]
print("ready", flush=True)
run(loops, Limits(20.0, "cpu", 1 << 30), n_workers=2, sandbox=sys.argv[1])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux, whose /proc has all processes")
@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.parametrize("number", first(2, [signal.SIGINT, signal.SIGKILL, signal.SIGTERM]))
def test_nothing_outlives_who_asks(sandbox, number, tmp_path):
    # The path of a runner, which is in its arguments, tells it from those of other tests.
    own = tmp_path / "site-packages"
    own.mkdir()
    caller = subprocess.Popen(
        [sys.executable, "-c", CALLER, sandbox], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=interruptible, env={**os.environ, "PYTHONPATH": os.pathsep.join([str(own), *sys.path])},
    )  # fmt: skip
    assert caller.stdout.readline() == "ready\n"
    deadline = time.monotonic() + 60
    while len(running(str(own))) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.2)
    caller.send_signal(number)
    _, told = caller.communicate(timeout=60)
    assert caller.returncode != 0
    assert number != signal.SIGINT or "KeyboardInterrupt" in told
    while running(str(own)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert running(str(own)) == []


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux, whose /proc has all processes")
@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_an_idle_runner_ends_with_who_asked(sandbox, own_folder):
    """Also with one that has no time for its exit."""
    own = own_folder / "site-packages"
    own.mkdir()
    code = "import os, sys\nfrom textgauge.models.code_engine import Limits, run\n"
    code += f"print(run(['1', '2'], Limits(5, 'cpu', 1 << 30), n_workers=2, sandbox={sandbox!r}).results, flush=True)"
    done = subprocess.run(
        [sys.executable, "-c", code + "\nos._exit(0)"], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(own), *sys.path])},
    )  # fmt: skip
    assert done.stdout == "['passed', 'passed']\n"
    deadline = time.monotonic() + 30
    while (running(str(own)) or list(own_folder.glob("textgauge-code-*"))) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert running(str(own)) == []


def test_threads_and_forks(own_folder):
    found = {}

    def ask(i):
        found[i] = results([f"assert {i} % 2, 'even'", PASSES], n_workers=2)

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {i: ["passed" if i % 2 else "failed: even", "passed"] for i in range(4)}
    # A process that is forked has none of the runners of this one, and leaves them alone.
    pid = os.fork()
    if pid == 0:
        try:
            os._exit(results([PASSES]) != ["passed"])
        finally:
            os._exit(2)
    assert os.waitpid(pid, 0)[1] == 0
    assert results([PASSES]) == ["passed"]
    # Its runners end with it, each when it sees that.
    code_engine.end_runners()
    deadline = time.monotonic() + 30
    while list(own_folder.glob("textgauge-code-*")) and time.monotonic() < deadline:
        time.sleep(0.02)


def test_sandbox_that_is_not_there(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    code_engine.end_runners()
    code_engine.refusal_of_sandbox.cache_clear()
    try:
        ran = run([PASSES], LIMITS, n_workers=1, sandbox="auto")
        assert (ran.results, ran.is_sandboxed) == (["passed"], False)
        assert "network" in ran.what_is_open
        assert sys.platform != "linux" or "apt install bubblewrap" in ran.what_is_open
        with pytest.raises(NoSandboxError, match="sandbox='require' needs bubblewrap: "):
            run([PASSES], LIMITS, n_workers=1, sandbox="require")
        assert run([PASSES], LIMITS, n_workers=1, sandbox="none").what_is_open == ""
    finally:
        code_engine.refusal_of_sandbox.cache_clear()


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_sandbox_that_does_not_start(monkeypatch, tmp_path):
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: Creating new namespace failed' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    code_engine.end_runners()
    code_engine.refusal_of_sandbox.cache_clear()
    try:
        ran = run([PASSES], LIMITS, n_workers=1, sandbox="auto")
        assert ran.results == ["passed"]
        assert "does not start here (bwrap: Creating new namespace failed)" in ran.what_is_open
    finally:
        code_engine.refusal_of_sandbox.cache_clear()


def test_where_nothing_forks(monkeypatch):
    monkeypatch.delattr(os, "fork")
    with pytest.raises(NotImplementedError, match="on Windows it runs inside WSL"):
        run([PASSES], LIMITS, n_workers=1, sandbox="auto")
