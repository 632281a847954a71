"""Counts of texts longer than a word of bits and of repeated sentences, and the memory of long texts."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from textgauge import engine, plain
from textgauge.plain.treebank import lower_words

from kernel.material import lcs_lengths, listed, tokens_of_sentences


def random_pair(n, n_kinds):
    """Two texts of n tokens in one numbering, each a sentence, which have their second half in common."""
    rng = np.random.default_rng(n_kinds)
    hyp, ref = (rng.integers(0, min(n, n_kinds), n).tolist() for _ in range(2))
    return [[hyp], [ref[: n // 2] + hyp[n // 2 :]]]


def one_word_in_common(n):
    """Texts of n sentences, each of which has a token in common with each."""
    return [[[0, start + i] for i in range(n)] for start in (1, n // 2 + 1)]


# The work, its tokens on the compiled kernel and in plain Python, a bound in bytes.
# A table of all pairs of tokens, or a record of each pair of sentences, would take more than the bound.
MEMORY = {
    "lcs": (lambda kernel, tokens: lcs_lengths(kernel, tokens), 100_000, 3_000, 30e6),
    "union": (lambda kernel, tokens: kernel.union_lcs(tokens), 50_000, 2_000, 30e6),
    "weighted": (lambda kernel, tokens: kernel.weighted_lcs(tokens, 1.2), 10_000, 2_000, 10e6),
    "weighted union": (lambda kernel, tokens: kernel.union_weighted_lcs(tokens, 1.2), 10_000, 2_000, 10e6),
    "skips": (lambda kernel, tokens: kernel.skip_bigram_matches(tokens, -1), 20_000, 2_000, 20e6),
    "sentences": (lambda kernel, tokens: kernel.union_lcs(tokens), 2_000, 500, 20e6),
    "weighted sentences": (lambda kernel, tokens: kernel.union_weighted_lcs(tokens, 1.2), 2_000, 300, 20e6),
}

# The sentences are no random ones.
CASES = [(name, n_kinds) for name in MEMORY for n_kinds in (2, 10**7)[: 1 if name.endswith("sentences") else 2]]


def peak():
    """The most memory that this process ever had, in bytes; `ru_maxrss` would begin with that of the process before."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


def peak_of(name, kernel, n_kinds):
    """The memory that a count adds to this process."""
    count, n_compiled, n_plain, _ = MEMORY[name]
    n = n_plain if kernel is plain else n_compiled
    segment = one_word_in_common(n) if name.endswith("sentences") else random_pair(n, n_kinds)
    tokens = tokens_of_sentences(kernel, [segment])
    count(kernel, tokens_of_sentences(kernel, [random_pair(100, n_kinds)]))
    before = peak()
    [result] = listed(count(kernel, tokens))
    if name == "sentences":
        assert result == n + n // 2
    return peak() - before


def peaks(which):
    """Print the memory of each case, measured in a process of its own, forked from this one, which is new."""
    kernel = {"compiled": engine.kernel, "plain": plain}[which]
    for name, n_kinds in CASES:
        sys.stdout.flush()
        if os.fork() == 0:
            print(name, n_kinds, peak_of(name, kernel, n_kinds), sep="\t", flush=True)  # noqa: T201
            os._exit(0)
        assert os.wait()[1] == 0


def peaks_of_the_last_utterance():
    """The memory that the edits add of a session whose last utterance has most words, and then its channels."""
    rng = np.random.default_rng(1)
    said = [[2]] * 63 + [rng.integers(0, 2, 240).tolist()]
    texts = [*rng.integers(0, 2, (3, 80)).tolist(), *said]
    given = np.concatenate(texts).astype(np.uint32), np.cumsum([0, *map(len, texts)])
    peaks = [peak()]
    engine.kernel.assigned_edits(*given, 3, 10**9)
    peaks.append(peak())
    engine.kernel.assigned_channels(*given, 3)
    print(*np.diff([*peaks, peak()]))  # noqa: T201


def printed(script):
    """What a new process prints."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@cache
def printed_peaks(which):
    lines = printed(f"from kernel.test_memory import peaks; peaks({which!r})").splitlines()
    rows = [line.split("\t") for line in lines]
    return {(name, int(n_kinds)): int(n_bytes) for name, n_kinds, n_bytes in rows}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured in another unit elsewhere")
def test_halves_of_utterances_take_no_quadratic_memory():
    if engine.kernel is plain:
        pytest.skip("plain Python has objects instead of tables")
    peaks = printed("from kernel.test_memory import peaks_of_the_last_utterance as peaks; peaks()")
    edits, channels = map(int, peaks.split())
    assert channels < 2 * edits


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured in another unit elsewhere")
@pytest.mark.parametrize(("name", "n_kinds"), CASES)
def test_long_texts_take_no_quadratic_memory(kernel, name, n_kinds):
    found = printed_peaks("plain" if kernel is plain else "compiled")
    assert found[name, n_kinds] < MEMORY[name][3]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured in another way elsewhere")
def test_what_meteor_remembers_of_words_is_bounded():
    """In bytes, too: a long text without spaces is a word, and each is a new one."""
    if engine.kernel is plain:
        pytest.skip("plain Python remembers nothing")
    net = engine.kernel.WordNet(*[[b""] * 4] * 3)

    def resident():
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    before = resident()
    for call in range(300):
        net.words(engine.kernel.texts([f"{call:07d}" * 150_000]), lower_words)
    assert resident() - before < 150e6
