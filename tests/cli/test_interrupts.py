"""Ctrl-C ends the program quietly with exit code 130, from its first import on."""

import os
import signal
import subprocess
import sys
import time

import pytest
from interrupting import interruptible

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")]
PIPES = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
AS_MODULE = [sys.executable, "-m", "textgauge"]
# What the script that pip installs does.
AS_SCRIPT = [sys.executable, "-c", "import sys; from textgauge.__main__ import run; sys.exit(run())"]
SCORE = ["score", "-m", "bleu", "-p", "-", "-r", "ref.txt"]


@pytest.fixture(params=["as for a person", "as under nohup"])
def inherited(request):
    """Whether this process ignores SIGINT, as its children then do."""
    if request.param == "as for a person":
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


def started(command, folder, preparing=interruptible, **environment):
    return subprocess.Popen(command, cwd=folder, preexec_fn=preparing, env={**os.environ, **environment}, **PIPES)


def reading(process):
    """Write more than a pipe holds: once it is written, the program has begun to read."""
    process.stdin.write(b"waits for more\n" * 10_000)
    process.stdin.flush()


def interrupted(process):
    """Send Ctrl-C, again if a read did not see it between two system calls; return the exit code and what was said."""
    for _ in range(10):
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=1)
            break
        except subprocess.TimeoutExpired:
            continue
    else:
        process.kill()
    return process.wait(), process.stdout.read(), process.stderr.read().strip()


def test_interrupt(tmp_path, corpus, inherited):
    with started([*AS_MODULE, *SCORE], tmp_path) as process:
        reading(process)
        assert interrupted(process) == (130, b"", b"")


@pytest.mark.parametrize("command", [AS_MODULE, AS_SCRIPT], ids=["module", "script"])
@pytest.mark.parametrize("module", ["numpy", "pyarrow", "click"])
def test_interrupt_while_it_is_imported(tmp_path, command, module):
    (tmp_path / module).mkdir()
    waits = "import pathlib, time\npathlib.Path('ready').touch()\ntime.sleep(60)\n"
    (tmp_path / module / "__init__.py").write_text(waits)
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    with started([*command, "demo"], tmp_path, PYTHONPATH=path) as process:
        end = time.monotonic() + 30
        while not (tmp_path / "ready").exists():
            assert time.monotonic() < end
            time.sleep(0.01)
        assert interrupted(process) == (130, b"", b"")


def test_ignored_interrupts(tmp_path, corpus):
    def ignoring():
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    with started([*AS_MODULE, *SCORE, "-b"], tmp_path, ignoring) as process:
        reading(process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (2, b"")
    assert err.startswith(b"textgauge: ref.txt: expected as many lines")
