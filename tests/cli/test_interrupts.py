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


def test_interrupt(tmp_path, corpus, inherited):
    with subprocess.Popen([*AS_MODULE, *SCORE], cwd=tmp_path, preexec_fn=interruptible, **PIPES) as process:
        # More than a pipe holds: once it is written, the program has begun to read.
        process.stdin.write(b"waits for more\n" * 10_000)
        process.stdin.flush()
        for _ in range(10):
            # A signal between two system calls of one read goes unseen until the next signal.
            process.send_signal(signal.SIGINT)
            try:
                process.wait(timeout=1)
                break
            except subprocess.TimeoutExpired:
                continue
        else:
            process.kill()
        assert (process.stdout.read(), process.stderr.read().strip()) == (b"", b"")
    assert process.returncode == 130


@pytest.mark.parametrize("command", [AS_MODULE, AS_SCRIPT], ids=["module", "script"])
@pytest.mark.parametrize("module", ["numpy", "pyarrow", "click"])
def test_interrupt_while_it_is_imported(tmp_path, command, module):
    (tmp_path / module).mkdir()
    waits = "import pathlib, time\npathlib.Path('ready').touch()\ntime.sleep(60)\n"
    (tmp_path / module / "__init__.py").write_text(waits)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]),
    }
    with subprocess.Popen(
        [*command, "demo"], cwd=tmp_path, env=environment, preexec_fn=interruptible, **PIPES
    ) as process:
        end = time.monotonic() + 30
        while not (tmp_path / "ready").exists():
            assert time.monotonic() < end
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"")
    assert process.returncode == 130


def test_where_interrupts_are_ignored_the_program_ignores_them(tmp_path, corpus):
    def ignoring():
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    with subprocess.Popen([*AS_MODULE, *SCORE, "-b"], cwd=tmp_path, preexec_fn=ignoring, **PIPES) as process:
        process.stdin.write(b"a\n" * 10_000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (2, b"")
    assert err.startswith(b"textgauge: ref.txt: expected as many lines")
