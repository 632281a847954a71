import csv
import gzip
import inspect
import json
import os
import re
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet
import pytest
from click.testing import CliRunner
from textgauge import sample
from textgauge.cli.main import main

# Before click 8.2 the runner mixes stdout and stderr unless told not to.
APART = {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}


def called(*arguments, stdin=None, env=None):
    """Call the program inside this process."""
    return CliRunner(**APART).invoke(main, [str(a) for a in arguments], input=stdin, env=env)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Call the program in an empty folder, inside this process."""
    monkeypatch.chdir(tmp_path)
    return called


def says(message, told):
    """Whether a message is what is told; ` ...` stands for any words, and unless it ends in `$` more may follow."""
    parts = [re.escape(part.strip()) for part in re.split(r"(?<!\S)\.\.\.", told.removesuffix("$"))]
    return re.match(".*".join(parts) + "$" * told.endswith("$"), message) is not None


@pytest.fixture
def refused(run):
    """Call the program, check that it refuses with one line on stderr, and return that line."""

    def call(*arguments, stdin=None):
        result = run(*arguments, stdin=stdin)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("textgauge: ")
        assert result.stderr.count("\n") == 1
        assert "?." not in result.stderr
        return result.stderr.removeprefix("textgauge: ").rstrip("\n")

    return call


@pytest.fixture
def metrics(run):
    """Call the program with --json, check that it says nothing else, and return its scores by metric."""

    def call(*arguments, stdin=None):
        result = run(*arguments, "--json", stdin=stdin)
        assert (result.exit_code, result.stderr) == (0, "")
        return json.loads(result.stdout)["metrics"]

    return call


@pytest.fixture
def write(tmp_path):
    """Write bytes, a text, lines, rows as JSON Lines, or columns as Parquet; return the name of the file."""

    def call(name, content):
        if isinstance(content, dict):
            pa.parquet.write_table(pa.table(content), tmp_path / name)
            return name
        if isinstance(content, list):
            content = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in content)
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return call


def without_advice(printed):
    """What a process printed, without the warning of a missing kernel."""
    return re.sub(rb".*textgauge runs without its compiled kernel.*\n", b"", printed)


@pytest.fixture
def program(tmp_path):
    """Call the program in a new process."""

    def call(*arguments, env=None, **options):
        done = subprocess.run(
            [sys.executable, "-m", "textgauge", *map(str, arguments)],
            cwd=tmp_path, env={**os.environ, **(env or {})}, capture_output=True, timeout=120, **options,
        )  # fmt: skip
        done.stderr = without_advice(done.stderr)
        return done

    return call


@pytest.fixture
def corpus(tmp_path, write):
    """The translations of the sample with their first reference, in every format."""
    hyps, refs = sample.columns("translations")
    refs = [texts[0] for texts in refs]
    rows = [{"other": i, "reference": r, "prediction": h} for i, (h, r) in enumerate(zip(hyps, refs, strict=True))]
    jsonl = "".join(json.dumps(row) + "\n" for row in rows)
    for name, text in {"hyp.txt": "\n".join(hyps) + "\n", "rows.jsonl": jsonl}.items():
        write(name, text)
        write(f"{name}.gz", gzip.compress(text.encode()))
    write("ref.txt", refs)
    write("crlf.txt", "\r\n".join(hyps) + "\r\n")
    write("unended.txt", "\n".join(hyps))
    write("marked.txt", "\ufeff" + "\n".join(hyps))
    for suffix, delimiter in (("csv", ","), ("tsv", "\t")):
        with open(tmp_path / f"rows.{suffix}", "w", newline="") as file:
            writer = csv.DictWriter(file, ["other", "reference", "prediction"], delimiter=delimiter)
            writer.writeheader()
            writer.writerows(rows)
    pa.parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "rows.parquet")
    return hyps, refs
