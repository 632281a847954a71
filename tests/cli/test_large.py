"""Files larger than memory: read by block, once for all metrics, with bounded memory."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
import textgauge
from textgauge.cli import files, segments

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


@needs_status
def test_memory_does_not_grow_with_the_file(tmp_path):
    (tmp_path / "small.jsonl").write_text(rows(5_000))
    (tmp_path / "large.jsonl").write_text(rows(40_000))
    score = ("score", "-m", "rouge", "bleu", "chrf", "-b")
    printed, small = memory_of(tmp_path, *score, "small.jsonl")
    again, large = memory_of(tmp_path, *score, "large.jsonl")
    # Before, 60,000 lines took 50.
    assert (again, large - small < 20) == (printed, True), (small, large)


@needs_status
@pytest.mark.slow
def test_a_small_packed_file_of_empty_lines_takes_little_memory(tmp_path):
    with gzip.open(tmp_path / "empty.txt.gz", "wb") as file:
        for _ in range(10):
            file.write(b"\n" * 1_000_000)
    _, used = memory_of(tmp_path, "score", "-m", "bleu", "-b", "empty.txt.gz", "-r", "empty.txt.gz")
    assert used < 300


@pytest.mark.parametrize("form", [[], ["--confidence", "0.9"], ["--per-segment"], ["--counts", "--signature"]])
def test_blocks_of_any_size_give_the_same_report(run, corpus, monkeypatch, form):
    metrics = ("-m", "rouge", "bleu", "reference_length=average", "chrf", "ter")
    expected = run("score", "rows.jsonl", "--json", *metrics, *form).stdout
    for n_bytes in (1, 100, 1000):
        monkeypatch.setattr(files, "_BLOCK", n_bytes)
        monkeypatch.setattr("textgauge.cli.blocks.BLOCK_ROWS", max(n_bytes // 50, 1))
        assert run("score", "hyp.txt", "-r", "rows.csv", "--json", *metrics, *form).stdout == expected


def test_every_file_is_read_once_for_all_metrics(run, corpus, monkeypatch):
    opened = []
    real = files.open_binary
    monkeypatch.setattr(files, "open_binary", lambda path: opened.append(path) or real(path))
    run("score", "hyp.txt", "-r", "ref.txt", "-m", "rouge", "bleu", "chrf")
    assert opened == ["hyp.txt", "ref.txt"]
    run("compare", "hyp.txt", "hyp.txt", "-r", "ref.txt", "-m", "rouge1", "bleu")
    assert opened[2:] == ["hyp.txt", "hyp.txt", "ref.txt"]


def test_metrics_with_and_without_references_share_a_pass(run, corpus, monkeypatch):
    monkeypatch.setattr(files, "_BLOCK", 100)
    found = json.loads(
        run("score", "hyp.txt", "-r", "ref.txt", "-m", "bleu", "perplexity", "ngram_train=ref.txt", "--json").stdout
    )
    assert found["metrics"]["bleu"] == textgauge.bleu(*corpus)
    model = textgauge.NgramModel().fit(corpus[1])
    assert found["metrics"]["perplexity"]["corpus_perplexity"] == model.score(corpus[0])["corpus_perplexity"]


def test_files_are_aligned_whatever_their_blocks(tmp_path, monkeypatch):
    texts = [[f"{side}{i} " * (i * step % 7) for i in range(50)] for side, step in (("a", 3), ("b", 5), ("c", 1))]
    for name, lines in zip("abc", texts, strict=True):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    monkeypatch.setattr(files, "_BLOCK", 40)
    sides = segments.Sides([str(tmp_path / "a"), str(tmp_path / "b")], [str(tmp_path / "c")])
    parts = list(sides.blocks())
    assert len(parts) > 10
    for side, of_system in zip(texts, zip(*(part.corpora for part in parts), strict=True), strict=False):
        assert [text for corpus in of_system for text in corpus.hypotheses] == side
        assert [text for corpus in of_system for text in corpus.references] == texts[2]
        assert [corpus.first for corpus in of_system][1] == len(of_system[0])
