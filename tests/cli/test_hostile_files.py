"""Damaged and malicious files: refused with their position; nothing is overwritten, no link followed."""

import gzip
import os
import re
import stat

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from growing import BOUND, FACTOR, growth
from textgauge.cli.output import write_whole
from textgauge.files import lines

from cli.conftest import says

BLEU = ("score", "-m", "bleu", "-p")
TEXTS = ["a", "b c", "d", "e f"]


def column_of(texts):
    """A column of strings with unchecked bytes."""
    offsets = np.cumsum([0, *map(len, texts)]).astype(np.int32)
    return pa.StringArray.from_buffers(len(texts), pa.py_buffer(offsets), pa.py_buffer(b"".join(texts)))


BAD = column_of([b"a", b"b c", b"half a character \xc3", b"e f"])
BAD_COLUMNS = {
    "strings": BAD,
    "a dictionary": pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), BAD),
    "lists": pa.ListArray.from_arrays(pa.array([0, 1, 2, 3, 4], pa.int32()), BAD),
}


@pytest.mark.parametrize("name", BAD_COLUMNS)
@pytest.mark.parametrize(
    "command", [BLEU, ("explain", "-m", "rouge1", "-o", "page.html", "-p")], ids=["score", "explain"]
)
def test_invalid_utf8_of_parquet(refused, tmp_path, name, command):
    columns = pa.table({"prediction": pa.array(TEXTS), "reference": BAD_COLUMNS[name]})
    pa.parquet.write_table(columns, tmp_path / "bad.parquet", store_schema=name == "a dictionary")
    message = refused(*command, "bad.parquet")
    assert says(message, "bad.parquet, row 3, field 'reference': ... got the byte 0xc3$")


@pytest.mark.parametrize("compression", ["zstd", "none"])
def test_damaged_parquet_page(run, tmp_path, compression):
    path = tmp_path / "rows.parquet"
    pa.parquet.write_table(pa.table({"prediction": TEXTS * 99, "reference": TEXTS * 99}), path, compression=compression)
    whole = path.read_bytes()
    refusals = 0
    for start in range(4, len(whole), 24):
        path.write_bytes(whole[:start] + bytes(byte ^ 0xFF for byte in whole[start : start + 8]) + whole[start + 8 :])
        result = run(*BLEU, "rows.parquet", "-b")
        assert result.exit_code in (0, 2), (start, result.stderr)
        assert result.exit_code == 0 or re.match(r"textgauge: rows\.parquet[:,] ", result.stderr), result.stderr
        refusals += result.exit_code == 2
    assert refusals > 3


def test_too_many_texts(refused, tmp_path):
    indices = pa.array(np.zeros(1 << 14, np.int32))
    packed = pa.DictionaryArray.from_arrays(indices, pa.array(["x" * (1 << 20)]))
    column = packed.cast(pa.dictionary(pa.int32(), pa.string()))
    pa.parquet.write_table(pa.table({"prediction": column, "reference": column}), tmp_path / "rows.parquet")
    assert (tmp_path / "rows.parquet").stat().st_size < 1 << 18
    said = "rows.parquet: ... 1 GiB ... (--max-unpacked), got a packed file with more$"
    assert says(refused(*BLEU, "rows.parquet"), said)


@pytest.fixture
def packed(tmp_path):
    """A megabyte of equal lines, and as many references."""
    text = b"word\n" * 200_000
    (tmp_path / "hyp.txt.gz").write_bytes(gzip.compress(text))
    (tmp_path / "ref.txt").write_bytes(text)


def test_endless_gzip(refused, run, packed, monkeypatch):
    arguments = (*BLEU, "hyp.txt.gz", "-r", "ref.txt", "-b")
    assert run(*arguments).exit_code == 0
    monkeypatch.setattr(lines, "MOST_UNPACKED", 500_000)
    assert says(refused(*arguments), "hyp.txt.gz: ... got a packed file with more")
    # A large packed file may unpack to more.
    monkeypatch.setattr(lines, "MOST_TIMES_PACKED", 1_000)
    assert run(*arguments).exit_code == 0


@pytest.mark.parametrize("packed", [False, True])
def test_many_short_lines(run, refused, tmp_path, monkeypatch, packed):
    name = "empty.txt.gz" if packed else "empty.txt"
    (tmp_path / name).write_bytes(gzip.compress(b"\n" * 100_000) if packed else b"\n" * 100_000)
    arguments = (*BLEU, name, "-r", name, "-b")
    assert run(*arguments).exit_code == 0
    monkeypatch.setattr(lines, "MOST_UNPACKED", 16 * 99_999)
    if not packed:
        assert run(*arguments).exit_code == 0
        return
    said = f"{name}: ... 1 GiB ... 16 bytes ... (--max-unpacked), got a packed file with more$"
    assert says(refused(*arguments), said)
    monkeypatch.setattr(lines, "MOST_UNPACKED", 16 * 100_000)
    assert run(*arguments).exit_code == 0


@pytest.mark.parametrize("suffix", ["txt", "jsonl", "csv", "txt.gz"])
def test_max_line(refused, run, tmp_path, monkeypatch, block_bytes, suffix):
    block_bytes(1000)
    row = {"jsonl": '{"prediction": "%s"}\n', "csv": "%s\n"}.get(suffix, "%s\n")
    head = "prediction\n" if suffix == "csv" else row % "short"
    text = (head + row % ("a " * 50_000) + row % "short").encode()
    (tmp_path / f"hyp.{suffix}").write_bytes(gzip.compress(text) if suffix.endswith("gz") else text)
    (tmp_path / "ref.txt").write_text("a\n" * (2 if suffix == "csv" else 3))
    arguments = (*BLEU, f"hyp.{suffix}", "-r", "ref.txt", "-b")
    assert run(*arguments).exit_code == 0
    said = f"hyp.{suffix}, line 2: ... 0.09 MiB ... (--max-line), got a longer one$"
    assert says(refused(*arguments, "--max-line", 0.09), said)
    assert run(*arguments, "--max-line", 0.1).exit_code == 0
    monkeypatch.setattr(lines, "MAX_LINE", 1 << 16)
    assert says(refused(*arguments), "... 0.0625 MiB ... (--max-line), got a longer one$")


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="devices of POSIX")
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
@pytest.mark.parametrize(
    "words", ["score {} -r ref.txt", "score ref.txt -r {}", "tokenize {}", "diversity {}", "score {} --format parquet",
              "score ref.txt -m perplexity ngram_train={}", "rouge155 {}", "rouge155 -z SPL {}"],
)  # fmt: skip
def test_a_device_without_end_is_refused(refused, write, device, words):
    write("ref.txt", ["a"])
    message = refused(*words.format(device).split())
    assert says(message, f"{device}: ... got a device that never ends$")


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="devices of POSIX")
def test_endless_standard_input(program, tmp_path):
    (tmp_path / "ref.txt").write_text("a\n")
    with open("/dev/zero", "rb") as zero:
        done = program("score", "-", "-r", "ref.txt", stdin=zero)
    said = b"textgauge: standard input: expected a file, a pipe or a terminal, got a device that never ends\n"
    assert (done.returncode, done.stderr) == (2, said)
    assert program("score", "/dev/null", "-r", "ref.txt").stderr == b"textgauge: /dev/null: the file is empty\n"


@pytest.mark.parametrize("command", ["score hyp.txt -r ref.txt", "tokenize hyp.txt", "diversity hyp.txt"])
@pytest.mark.parametrize("text", ["", "Unable to allocate 9 GiB"])
def test_too_little_memory_is_one_line(refused, write, monkeypatch, command, text):
    write("hyp.txt", ["a"])
    write("ref.txt", ["a"])

    def full(*_):
        raise MemoryError(*filter(None, [text]))

    monkeypatch.setattr("textgauge.files.plain_text.line_blocks", full)
    assert refused(*command.split()) == f"there is not enough memory{f': {text}' if text else ''}"


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="a limit of memory as on Linux")
def test_out_of_memory(program, tmp_path):
    import resource

    (tmp_path / "hyp.txt").write_bytes(b"word " * 20_000_000)
    limit = 600 << 20
    done = program("score", "hyp.txt", "-r", "hyp.txt", env={"OPENBLAS_NUM_THREADS": "1"},
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1), done.stderr
    assert done.stderr.startswith(b"textgauge: ")


def test_one_long_line(tmp_path, block_bytes):
    block_bytes(64)

    def read(n_bytes):
        (tmp_path / "line").write_bytes(b"word " * (n_bytes // 5))
        [(number, data)] = lines.line_blocks(str(tmp_path / "line"), lines.Limits(), lines.Progress())
        assert (number, len(data)) == (1, n_bytes // 5 * 5)

    assert growth(read, 1 << 17, FACTOR << 17) < BOUND


def test_temporary_files(tmp_path, monkeypatch):
    page, victim = tmp_path / "page.html", tmp_path / "victim"
    victim.write_text("mine")
    opened, real = [], os.open
    monkeypatch.setattr(os, "open", lambda path, flags, **how: opened.append((path, flags)) or real(path, flags, **how))
    for number in range(3):
        (tmp_path / f".textgauge.{os.getpid()}.part").unlink(missing_ok=True)
        (tmp_path / f".textgauge.{os.getpid()}.part").symlink_to(victim)
        write_whole(page, f"page {number}")
    assert page.read_text() == "page 2"
    assert victim.read_text() == "mine"
    assert len({path for path, _ in opened}) == 3
    assert all(flags & os.O_EXCL and os.path.dirname(path) == str(tmp_path) for path, flags in opened)


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_a_written_file_keeps_its_mode(tmp_path):
    page = tmp_path / "page.html"
    mask = os.umask(0o027)
    try:
        write_whole(page, "new")
        assert stat.S_IMODE(page.stat().st_mode) == 0o640
        for mode in (0o600, 0o664, 0o444):
            page.chmod(mode)
            write_whole(page, "again")
            assert (page.read_text(), stat.S_IMODE(page.stat().st_mode)) == ("again", mode)
    finally:
        os.umask(mask)


def test_limit_of_random_text(run, refused, tmp_path):
    """By itself the limit is for what unpacks to many times its size."""
    random = np.random.default_rng(0)
    text = "\n".join("".join(map(chr, row)) for row in random.integers(97, 123, (2000, 60))) + "\n"
    packed = gzip.compress(text.encode())
    assert len(text) < 2 * len(packed)
    (tmp_path / "hyp.txt.gz").write_bytes(packed)
    words = ("score", "hyp.txt.gz", "-r", "hyp.txt.gz", "-m", "chrf", "-b")
    assert run(*words).stdout == "100.00\n"
    message = refused(*words, "--max-unpacked", 0.00005)
    assert says(message, "hyp.txt.gz: ... 5e-05 GiB ... (--max-unpacked), got a packed file with more")
    assert run(*words, "--max-unpacked", 0.001).stdout == "100.00\n"
