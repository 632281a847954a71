"""The program as a process: streams, signals, terminals."""

import io
import json
import os
import pty
import re
import subprocess
import sys

import pytest
import textgauge
from textgauge.__main__ import run as run_program
from textgauge.cli import request
from textgauge.files import parallel

from cli.conftest import says

from .conftest import without_advice

FILES = ("-p", "hyp.txt", "-r", "ref.txt")
ESCAPE = b"\x1b["


@pytest.mark.slow
def test_json_alone_on_stdout(program, corpus):
    done = program("score", "-m", "bleu", "--json", *FILES)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["metrics"]["bleu"] == textgauge.bleu(*corpus)


@pytest.mark.slow
def test_error_alone_on_stderr(program):
    done = program("score", "-m", "bleu", "--json", *FILES)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"textgauge: cannot read hyp.txt: no such file or directory\n"


def test_pipe_as_input(program, corpus, tmp_path):
    with open(tmp_path / "hyp.txt") as file:
        done = program("score", "-m", "bleu", "-b", "-w", 17, "-p", "-", "-r", "ref.txt", stdin=file)
    assert float(done.stdout) == textgauge.bleu(*corpus)["bleu"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [["score", *FILES], ["score", "-m", "rouge", "--per-segment", *FILES], ["--help"]]
)
def test_a_closed_pipe_is_no_error(tmp_path, corpus, arguments):
    process = subprocess.Popen(
        [sys.executable, "-m", "textgauge", *arguments], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()
    with process:
        assert without_advice(process.stderr.read()) == b""
    assert process.returncode == 2


def test_full_disk_is_one_line(tmp_path, corpus):
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "textgauge", "score", "-m", "bleu", "--json", *FILES]
        done = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, timeout=60)
    said = without_advice(done.stderr)
    assert done.returncode == 2
    assert said.startswith(b"textgauge: cannot write the output: ")
    assert said.count(b"\n") == 1


def on_terminal(command, cwd, **env):
    """Run a command with its output on a terminal of 80 columns and return what it wrote there."""
    leader, follower = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    environment |= {"TERM": "xterm-256color", **env}
    with subprocess.Popen(command, cwd=cwd, stdout=follower, stderr=follower, env=environment) as process:
        os.close(follower)
        written = b""
        try:
            while block := os.read(leader, 1 << 16):
                written += block
        except OSError:
            pass
    os.close(leader)
    assert process.returncode == 0
    return without_advice(written)


@pytest.mark.slow
def test_only_terminals_get_colours(run, tmp_path, corpus):
    arguments = ["score", "-m", "bleu", *FILES]
    command = [sys.executable, "-m", "textgauge", *arguments]
    assert b"36m" in on_terminal(command, tmp_path)
    assert b"36m" not in on_terminal(command, tmp_path, NO_COLOR="1")
    assert ESCAPE not in on_terminal(command, tmp_path, TERM="dumb")
    assert ESCAPE.decode() not in run(*arguments).stdout


@pytest.mark.slow
@pytest.mark.parametrize("columns", [60, 80])
def test_lines_fit_into_the_terminal(tmp_path, columns):
    command = [sys.executable, "-m", "textgauge"]
    text = "the quick brown fox jumped over the very lazy dogs in the yard behind the old house"
    sides = ["--text", f"{text} now", "--against", f"a {text} then", "-m", "bleu", "rouge1", "wer", "-o", "a.html"]
    shown = on_terminal([*command, "explain", *sides], tmp_path, COLUMNS=str(columns)).decode().splitlines()
    assert max(map(len, shown)) in range(columns - 5, columns + 1)
    for name in ("hyp", "ref"):
        (tmp_path / name).write_text("a cat\n")
    table = [*command, "score", "hyp", "-r", "ref", "-m", "rouge", "--detailed"]
    shown = on_terminal(table, tmp_path, COLUMNS=str(columns), TERM="dumb").decode().splitlines()
    # A bar has twenty columns, for which there is room in the larger terminal only.
    assert [line.count("\u2501") for line in shown if "1.0000" in line] == [20 if columns == 80 else 0] * 4


@pytest.mark.slow
def test_output_in_ascii(program):
    done = program("demo", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert done.stdout.isascii()


@pytest.mark.parametrize(("is_terminal", "n_bytes"), [(True, 50), (True, 1 << 22), (False, 50)])
@pytest.mark.parametrize("name", ["hyp.txt", "rows.jsonl", "rows.csv", "rows.parquet"])
def test_progress_is_for_long_work_on_terminals(monkeypatch, block_bytes, tmp_path, corpus, name, is_terminal, n_bytes):
    stream = io.StringIO()
    stream.isatty = lambda: is_terminal
    monkeypatch.setattr(sys, "stderr", stream)
    block_bytes(n_bytes)
    monkeypatch.setattr("textgauge.files.rows.BLOCK_ROWS", max(n_bytes // 10, 1))
    both = parallel.ParallelFiles([str(tmp_path / name)], [str(tmp_path / "ref.txt")])
    assert sum(len(one.corpora[0]) for one in request.with_progress(both)) == len(corpus[0])
    assert ("100%" in stream.getvalue()) == (is_terminal and n_bytes == 50)


@pytest.mark.slow
def test_version_and_help(program):
    kernel = textgauge.kernel_in_use()
    assert program("--version").stdout.decode() == f"textgauge {textgauge.__version__}, kernel: {kernel}\n"
    assert program().stdout == program("--help").stdout == program("-h").stdout


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("textgauge ", {"demo", "score"}),
        ("textgauge score --metric ", {"bleu", "rouge", "sacrebleu", "rouge1"}),
        ("textgauge score --per", {"--per-segment"}),
        ("textgauge compare --word", {"--word-order"}),
    ],
)
def test_completion_in_the_shell(run, monkeypatch, words, expected):
    position = str(len(words.split()) - (not words.endswith(" ")))
    env = {"_TEXTGAUGE_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": position}
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert {line.split(",")[1] for line in run().stdout.split()} >= expected


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["latin-1", pytest.param("cp1252", marks=pytest.mark.slow)])
def test_unencodable_characters(program, tmp_path, encoding):
    (tmp_path / "hyp.txt").write_text("caf\u00e9 \U0001f600\n", "utf-8")
    env = {"PYTHONIOENCODING": encoding}
    done = program("tokenize", "-t", "unicode", "hyp.txt", env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    done = program("tokenize", "-t", "whitespace", "hyp.txt", env=env)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, [b"caf\xe9", b"\\U0001f600"], b"")
    done = program("score", "hyp.txt", "-r", "hyp.txt", "--name", "\u4e2d", "-t", "character", env=env)
    assert (done.returncode, b"\\u4e2d: 1 segment" in done.stdout) == (0, True)


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="needs /dev/stdout")
def test_a_pipe_is_a_file_to_write(run, program, tmp_path):
    (tmp_path / "hyp.txt").write_text("a b c d\n")
    arguments = ["score", "hyp.txt", "-r", "hyp.txt"]
    assert program(*arguments, "-o", "/dev/stdout").stdout.decode() == run(*arguments).stdout != ""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
@pytest.mark.parametrize("words", [("-", "-r", "ref.txt"), ("hyp.txt", "-r", "-")])
def test_a_pipe_without_end_is_left(tmp_path, corpus, words):
    with subprocess.Popen(["yes", "a b"], stdout=subprocess.PIPE) as endless:
        command = [sys.executable, "-m", "textgauge", "score", *words]
        done = subprocess.run(command, cwd=tmp_path, stdin=endless.stdout, capture_output=True, timeout=60)
        endless.stdout.close()
        endless.terminate()
    assert (done.returncode, done.stdout) == (2, b"")
    assert re.search(rb"(\(24\), got \d+|\(\d+\), got 24)$", done.stderr)


def test_pipe_is_counted(refused, corpus):
    n = len(corpus[0])
    message = refused("score", "-", "-r", "ref.txt", stdin="a\n" * 9000)
    assert says(message, f"ref.txt: ... (9000) ... got {n}$")


@pytest.mark.slow
def test_texts_as_they_are(program, tmp_path):
    """A terminal would obey an escape, a pipe gets the chosen text."""
    text = "red \x1b[31mtext\x9b"
    (tmp_path / "lists.jsonl").write_text(json.dumps({"prediction": [text, text, "other"]}) + "\n")
    words = ("mbr", "lists.jsonl", "-m", "chrf")
    assert program(*words).stdout.decode() == f"{text}\n"
    assert program(*words, "-o", "out.txt").returncode == 0
    assert (tmp_path / "out.txt").read_text() == f"{text}\n"
    shown = on_terminal([sys.executable, "-m", "textgauge", *words], tmp_path).decode()
    assert shown == "red \\x1b[31mtext\\x9b\r\n"


@pytest.mark.parametrize("name", ["", "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"])
def test_threads_of_blas_are_those_that_are_asked_for(monkeypatch, capsys, name):
    monkeypatch.setattr(os, "environ", {name: "3"})
    monkeypatch.setattr("textgauge.cli.main.main", lambda **_: 1 / 0)
    with pytest.raises(SystemExit) as left:
        run_program()
    assert os.environ == ({name: "3"} if name else {"": "3", "OPENBLAS_NUM_THREADS": "1"})
    assert (left.value.code, "ZeroDivisionError" in capsys.readouterr().err) == (2, True)
