"""Files larger than memory: read by block, once for all metrics, with bounded memory."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from textgauge.files import lines

# `ru_maxrss` would be that of the process that started the program, if that is larger.
STATUS = Path("/proc/self/status")
needs_status = pytest.mark.skipif(not STATUS.exists(), reason="the largest memory of a process is known on Linux")
# The program in a process of its own, which then prints its largest memory in KiB.
CHILD = (
    "import sys\nfrom textgauge.cli.main import main\n"
    "try:\n    main(sys.argv[1:], prog_name='textgauge')\nfinally:\n"
    f"    print(open('{STATUS}').read().partition('VmHWM:')[2].split()[0], file=sys.stderr)\n"
)


def memory_of(tmp_path, *arguments):
    done = subprocess.run(
        [sys.executable, "-c", CHILD, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True
    )
    return done.stdout, int(done.stderr.splitlines()[-1]) >> 10


def rows(n):
    line = json.dumps({"prediction": "the cat sat on the mat " * 4, "reference": "a cat sat on the mat " * 4}) + "\n"
    return line * n


@pytest.mark.slow
@needs_status
def test_memory_does_not_grow_with_the_file(tmp_path):
    (tmp_path / "small.jsonl").write_text(rows(5_000))
    (tmp_path / "large.jsonl").write_text(rows(40_000))
    score = ("score", "-m", "rouge", "bleu", "chrf", "-b")
    printed, small = memory_of(tmp_path, *score, "small.jsonl")
    again, large = memory_of(tmp_path, *score, "large.jsonl")
    # Read at once, the larger file takes 57 more.
    assert (again, large - small < 20) == (printed, True), (small, large)


@pytest.mark.slow
@needs_status
@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_memory_does_not_grow_with_the_rows_that_are_written(tmp_path, form):
    (tmp_path / "small.jsonl").write_text(rows(5_000))
    (tmp_path / "large.jsonl").write_text(rows(100_000))
    score = ("score", "-m", "wer", "--keep", "prediction", "-o", f"rows.{form}")
    _, small = memory_of(tmp_path, *score, "small.jsonl")
    _, large = memory_of(tmp_path, *score, "large.jsonl")
    # Kept in memory, the rows of the larger file take 100 more.
    assert large - small < 40, (small, large)


@needs_status
@pytest.mark.slow
def test_packed_empty_lines(tmp_path):
    with gzip.open(tmp_path / "empty.txt.gz", "wb") as file:
        for _ in range(10):
            file.write(b"\n" * 1_000_000)
    _, used = memory_of(tmp_path, "score", "-m", "bleu", "-b", "empty.txt.gz", "-r", "empty.txt.gz")
    assert used < 300


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "parquet"])
def test_rows_that_are_written_in_blocks(run, write, tmp_path, block_bytes, form):
    """Blocks of one row each have the same rows as one block; a column may change its type in any of them."""
    kept = [1, 2.5, None, "text", {"a": 1}, [True], 10**30, True, "x\n,y"]
    files = [
        write(f"{name}.jsonl", [{"prediction": f"a cat {i}", "reference": f"a cat {i % 2}", "text": value, "n": i,
                                 "f": i or 0.5, "absent": None, "d": {"a": i} if i % 2 else {"b": "b"}}
                                for i, value in enumerate(kept)])
        for name in "ab"
    ]  # fmt: skip
    # CIDEr-D needs all segments: its scores are no sums.
    words = ["-m", "wer", "bleu", "bleu(max_order=2)", "cider"]
    words += [word for name in ("text", "n", "f", "absent", "d") for word in ("--keep", name)]
    written = set()
    for n_bytes in (1, 1 << 20):
        block_bytes(n_bytes)
        done = run("score", *files, "-r", files[0], *words, "-o", f"rows.{form}")
        assert done.exit_code == 0, done.stderr
        path = tmp_path / f"rows.{form}"
        if form == "parquet":
            import pyarrow.parquet

            table = pyarrow.parquet.read_table(path)
            assert (table.num_rows, table.num_columns > 9) == (18, True)
            written.add((str(table.schema), json.dumps(table.to_pylist())))
        else:
            written.add(path.read_bytes())
    assert len(written) == 1
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(("tmp", "."))]


def test_files_are_read_once(run, corpus, monkeypatch):
    opened = []
    real = lines.open_binary
    monkeypatch.setattr(lines, "open_binary", lambda path: opened.append(path) or real(path))
    run("score", "hyp.txt", "-r", "ref.txt", "-m", "rouge", "bleu", "chrf")
    assert opened == ["hyp.txt", "ref.txt"]
    run("compare", "hyp.txt", "hyp.txt", "-r", "ref.txt", "-m", "rouge1", "bleu")
    assert opened[2:] == ["hyp.txt", "hyp.txt", "ref.txt"]
