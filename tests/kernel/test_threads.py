"""Threads, signals and forks."""

import os
import signal
import subprocess
import sys
import sysconfig
import textwrap
import threading
import time
from contextlib import contextmanager, suppress
from itertools import pairwise

import numpy as np
import pytest
from modules.forked import Forked
from quick import first
from textgauge.plain.characters import character_table, fill_page

from kernel.material import arrays, listed, offsets


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python is not free-threaded")
def test_the_compiled_kernel_keeps_the_gil_off(compiled):
    command = [sys.executable, "-W", "error", "-c", "import sys, textgauge._kernel; print(sys._is_gil_enabled())"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "False\n"


WORDS = ["the", "cat", "sat", "on", "a", "mat", ",", "dog", ".", "ran", "home", "\u732b", "5.5", "&quot;", "-", "x"]


def corpus(kernel, n=600):
    random = np.random.default_rng(3)
    texts = ["\n".join(" ".join(random.choice(WORDS, 7)) for _ in range(random.integers(0, 4))) for _ in range(3 * n)]
    counts = random.integers(1, 4, n)
    references = (texts * 2)[n : n + int(counts.sum())]
    return kernel.texts(texts[:n]), kernel.texts(references), offsets(counts.tolist())


def doubled(columns):
    """All references twice, of which the first stands for a source."""
    _, references, bounds = columns
    rows = np.concatenate([np.tile(np.arange(*span), 2) for span in pairwise(bounds.tolist())])
    return references.take(rows), 2 * bounds


def counted(kernel, columns, n_threads):
    threads = {"n_threads": n_threads}
    tokens = kernel.cut(kernel.Cutter("13a"), *columns, sentences=True, **threads)
    results = {
        "tokens": arrays(tokens),
        "ngrams": kernel.bleu_rows(tokens, 4, **threads),
        "pairs": kernel.pair_counts(tokens, np.array([1, 2, 0, -1], np.int32), **threads),
        "union": kernel.union_lcs(tokens, **threads),
        "weighted": kernel.weighted_lcs(tokens, 1.2, **threads),
        "weighted union": kernel.union_weighted_lcs(tokens, 1.2, **threads),
        "skips": kernel.skip_bigram_matches(tokens, 3, **threads),
        "bags": kernel.bag_matches(tokens, **threads),
        "marks": kernel.matched_orders(tokens, 4, **threads),
    }
    results["characters"] = kernel.character_matches(*columns, 6, 2, **threads)
    results["edits"] = kernel.translation_edits(tokens, **threads)
    results["characters after shifts"] = kernel.character_edits(*columns, **threads)
    information = kernel.NgramInformation(kernel.Cutter("nist"), columns[1], 4)
    results["information"] = information.rows(*columns, **threads)
    with_sources = kernel.cut(kernel.Cutter("13a"), columns[0], *doubled(columns), **threads)
    results["shares"] = kernel.sari_shares(with_sources, 0, **threads)
    results["rewritten"] = kernel.sari_counts(with_sources, **threads)
    shares = np.array(listed(results["shares"]), float)
    results["scores of SARI"] = kernel.sari_scores(shares, **threads)
    results["scores of F"] = kernel.f_scores(shares, (1.0,) * 4, **threads)
    results["means"] = kernel.exact_means([[*np.tile(shares, (30, 1)).T]], 100.0, n_threads)
    capitals = kernel.texts([text.upper() for text in columns[0].tolist()] + ["\u00c9T\u00c9", "\u732b A"])
    folded = kernel.folded(capitals, character_table(), fill_page, str.lower, n_threads)
    results["folded"] = folded.tolist()
    return {name: result if name == "tokens" else listed(result) for name, result in results.items()}


def test_any_number_of_threads_counts_the_same(compiled):
    columns = corpus(compiled)
    alone = counted(compiled, columns, 1)
    for n_threads in (2, 4, 64):
        assert counted(compiled, columns, n_threads) == alone


def test_tokens_that_threads_put_behind_each_other_are_those_of_one(compiled):
    """So many that threads copy them: more than 2**17."""
    texts = compiled.texts([" ".join(np.random.default_rng(i).choice(WORDS, 60)) for i in range(1500)])
    cutter, bounds = compiled.Cutter("spaces"), np.arange(len(texts) + 1)
    alone, shared = (compiled.cut(cutter, texts, texts, bounds, n_threads=n) for n in (1, 3))
    assert len(alone.ids) > 1 << 17
    assert arrays(shared) == arrays(alone)


@contextmanager
def repeated(change):
    """Another thread changes something all the time."""
    stop = threading.Event()

    def run():
        while not stop.is_set():
            change()

    changing = threading.Thread(target=run)
    changing.start()
    try:
        yield
    finally:
        stop.set()
        changing.join()


def test_a_list_may_change_during_the_call(kernel):
    texts = [f"caf\u00e9 {i}" for i in range(20_000)]

    def change():
        texts[:] = [f"th\u00e9 {i}" for i in range(3)]
        texts[:] = [f"caf\u00e9 {i}" for i in range(20_000)]

    with repeated(change):
        for _ in range(20):
            column = kernel.texts(texts)
            assert len(column) in (3, 20_000, 0)
            assert all(text[:4] in ("caf\u00e9", "th\u00e9 ") for text in column)


CHANGING = {
    "cut": (np.int64, lambda k, columns, tokens, given: arrays(k.cut(k.Cutter("13a"), *columns, given, n_threads=2))),
    "character_matches": (np.int64, lambda k, columns, tokens, given: k.character_matches(*columns, given, 6, 0)),
    "pair_counts": (np.int32, lambda k, columns, tokens, given: k.pair_counts(tokens, given)),
}


@pytest.mark.parametrize("name", first(1, CHANGING))
def test_arrays_may_change_during_the_call(compiled, name):
    """Another thread writes what is no offset and no unit; the call refuses it or does not see it."""
    dtype, call = CHANGING[name]
    *columns, bounds = corpus(compiled, 2000)
    tokens = compiled.cut(compiled.Cutter("13a"), *columns, bounds, sentences=True)
    right = np.array([-1, 0, 1, 2] * 8, dtype) if name == "pair_counts" else bounds
    wrong = np.full_like(right, 2**30)
    expected = listed(call(compiled, columns, tokens, right.copy()))
    given = right.copy()

    def change():
        for values in (wrong, right):
            given[:] = values
            time.sleep(2e-4)

    with repeated(change):
        for _ in range(30):
            with suppress(ValueError):
                assert listed(call(compiled, columns, tokens, given)) == expected


def test_texts_live_as_long_as_the_column(kernel):
    texts = [f"caf\u00e9 {i}" for i in range(1000)]
    column = kernel.texts(texts)
    nested, _ = kernel.nested_texts([[f"x{i}", f"y{i}"] for i in range(1000)])
    capitals = kernel.texts([f"z{i} \u00c9" for i in range(1000)])
    changed = kernel.folded(capitals, character_table(), fill_page, str.lower)
    part = changed.slice(10, 12).take(np.array([1, 0]))
    texts.clear()
    del capitals, changed
    [f"caf\u00e9 {i}" * 2 for i in range(5000)]
    assert column.tolist() == [f"caf\u00e9 {i}" for i in range(1000)]
    assert nested[1999] == "y999"
    assert part.tolist() == ["z11 \u00e9", "z10 \u00e9"]


def test_arrays_live_longer_than_their_tokens(kernel):
    columns = corpus(kernel, 50)
    tokens = kernel.cut(kernel.Cutter("13a"), *columns)
    expected = arrays(tokens)["ids"]
    held = tokens.ids
    del tokens
    kernel.cut(kernel.Cutter("rouge"), *columns)
    assert listed(held) == expected


def test_arrays_of_tokens_cannot_be_changed(compiled):
    tokens = compiled.cut(compiled.Cutter("13a"), *corpus(compiled, 5))
    with pytest.raises(ValueError, match="read-only"):
        tokens.ids[0] = 7


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_forked_process_counts_after_threads_ran(compiled):
    columns = corpus(compiled, 100)
    alone = counted(compiled, columns, 4)
    assert Forked(lambda: counted(compiled, columns, 2) == alone).result() == "True"


LONG_CALLS = {
    "cut": "k.cut(k.Cutter('13a', stemmer=''), texts, texts, np.arange(len(texts) + 1), n_threads=N)",
    "pair_counts": "k.pair_counts(tokens, np.array([0], np.int32), n_threads=N)",
    "weighted_lcs": "k.weighted_lcs(tokens, 1.2, n_threads=N)",
    "skip_bigram_matches": "k.skip_bigram_matches(tokens, -1, n_threads=N)",
    "union_lcs": "k.union_lcs(tokens, n_threads=N)",
    "union_weighted_lcs": "k.union_weighted_lcs(tokens, 1.2, n_threads=N)",
    "bleu_rows": "k.bleu_rows(tokens, 1000, n_threads=N)",
    "matched_orders": "k.matched_orders(tokens, 1000, n_threads=N)",
    "character_matches": "k.character_matches(texts, texts, np.arange(len(texts) + 1), 6, 2, n_threads=N)",
    "lcs_path": "k.lcs_path(tokens.ids[:n], tokens.ids[n:])",
    "assigned_channels": "k.assigned_channels(ids[:20_000], np.arange(11) * 2_000, 2)",
    "translation_edits": "k.translation_edits(tokens, n_threads=N)",
    "resampled_sums": "k.resampled_sums(np.ones((n, 10), np.int64), 0, 0, 10_000, n_threads=N)",
    "kendall_sums": "k.kendall_sums(*[np.arange(n) % m for m in (999, 99, 9)], np.ones((9999, 9), int), n_threads=N)",
    "most_gained": "k.most_gained(np.ones(n), np.zeros(n, int), np.arange(n), np.ones((9999, 1)), n_threads=N)",
    "SwappedGains": "k.SwappedGains(np.ones(n), np.zeros(n, int), np.arange(n), np.zeros((1, 2), int), 1)"
    ".most(np.zeros((99999, 1), np.uint8), n_threads=N)",
    "exchanged_sums": "k.exchanged_sums(np.ones((n, 10)), 0, 0, 10_000, n_threads=N)",
}
CHILD = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
import numpy as np
from textgauge import _kernel as k
n = {n}
ids = np.random.default_rng(1).integers(0, {n_kinds}, 2 * n).astype(np.uint32)
ends = np.array([0, n, 2 * n])
tokens = k.Tokens(ids, ends, np.array([0, 2]), ids, ends, np.arange(3))
texts = k.texts(["a b, c.5 &amp; d. " * 10_000] * (1 if "tokens" in "{call}" else 300))
print("ready", flush=True)
try:
    while True:
        {call}
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
@pytest.mark.parametrize(
    ("name", "n_threads"),
    [
        pytest.param(name, n_threads, marks=() if (name, n_threads) == ("cut", 3) else pytest.mark.slow)
        for name in LONG_CALLS
        for n_threads in (1, 3)
    ],
)
def test_ctrl_c_ends_a_long_call(compiled, name, n_threads):
    n = 1_000_000 if name in ("pair_counts", "union_lcs", "bleu_rows", "matched_orders") else 200_000
    n_kinds = 1 if name in ("bleu_rows", "matched_orders") else 1000
    call = LONG_CALLS[name].replace("N", str(n_threads))
    code = textwrap.dedent(CHILD).format(name=name, n=n, n_kinds=n_kinds, call=call)
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.3)
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=30)
        taken = time.monotonic() - sent
    finally:
        child.kill()
        child.communicate()
    assert (output, errors) == ("stopped\n", "")
    # One second, and what a busy machine needs to end a process.
    assert taken < 2
