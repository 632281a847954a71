"""Many threads at once, forks and Ctrl-C: the same numbers, no hang, no shared state."""

import inspect
import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import textgauge
from conftest import ROOT
from interrupting import interruptible
from laws import MEASURES, numbers
from modules.forked import Forked
from textgauge import engine, plain, threads

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.*not empty but", "ignore:.*fork", "ignore:.*no word"),
]
WORDS = ["the", "cat", "cats", "running", "runners", "1,000.5", "naïve", "猫が", "international", "&amp;", "a-b\n"]
JOBS = [name for name, measure in MEASURES.items() if measure.reads_references] * 3


def environment():
    """The environment of this process, for another one that finds the same modules."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), *sys.path])}


def corpus_of(seed):
    draw = random.Random(seed)
    texts = [" ".join(draw.choices([*WORDS, f"word{seed}s"], k=draw.randrange(30))) for _ in range(300)]
    return texts[::2], texts[1::2]


def statistics(name, seed):
    return numbers(MEASURES[name].accumulator().update(*corpus_of(seed)).statistics)


@pytest.fixture(scope="module")
def expected():
    return [statistics(name, seed) for seed, name in enumerate(JOBS)]


@pytest.fixture(autouse=True)
def threads_change_often():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


def test_many_threads_give_the_same_bits(expected):
    with ThreadPoolExecutor(12) as pool:
        found = list(pool.map(statistics, JOBS * 2, [*range(len(JOBS))] * 2))
        # Threads may share what they score.
        hyps, refs = corpus_of(0)
        found += pool.map(lambda _: numbers(MEASURES[JOBS[0]].accumulator().update(hyps, refs).statistics), range(40))
    assert all(np.array_equal(a, b) for a, b in zip(found, [*expected * 2, *expected[:1] * 40], strict=True))


def fork_among_threads(n_forks=10):
    """Fork while three threads are scoring: no lock of ours may stay closed in the child."""
    expected = [statistics(name, seed) for seed, name in enumerate(JOBS)]
    is_over = threading.Event()

    def score():
        while not is_over.is_set():
            for number in random.sample(range(len(JOBS)), len(JOBS)):
                statistics(JOBS[number], number)

    scoring = [threading.Thread(target=score, daemon=True) for _ in range(3)]
    for thread in scoring:
        thread.start()
    for number, name in (list(enumerate(JOBS)) * 9)[:n_forks]:
        child = Forked(lambda name=name, number=number: np.array_equal(statistics(name, number), expected[number]))
        assert child.result() == "True"
    is_over.set()
    for thread in scoring:
        thread.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_fork_while_threads_score():
    # In a new process: libraries of other tests (torch, Spark) may not survive a fork.
    script = "from robustness.test_threads import fork_among_threads; fork_among_threads()"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], env=environment(), capture_output=True, text=True, timeout=400
    )
    assert done.returncode == 0, done.stderr


def test_no_thread_and_no_state_of_the_process_is_left_behind(expected):
    before = threading.active_count(), random.getstate(), os.environ.copy(), os.getcwd(), np.geterr()
    drawn = np.random.get_state()[1].copy()  # noqa: NPY002
    hyps, refs = corpus_of(0)
    textgauge.rouge(hyps, refs, aggregator="bootstrap", seed=1)
    textgauge.bleu(hyps, refs, confidence=0.95, n_resamples=50, seed=1)
    assert before == (threading.active_count(), random.getstate(), os.environ.copy(), os.getcwd(), np.geterr())
    assert np.array_equal(drawn, np.random.get_state()[1])  # noqa: NPY002


@pytest.fixture
def any_limit():
    yield
    textgauge.set_num_threads(None)


@pytest.fixture
def few_bytes_are_worth_a_thread(monkeypatch):
    monkeypatch.setattr(threads, "BYTES_OF_A_THREAD", 1)


class Watched:
    """The kernel, and what its functions are told of threads."""

    def __init__(self, kernel):
        self._kernel, self.told = kernel, {}

    def __getattr__(self, name):
        found, twin = getattr(self._kernel, name), getattr(plain, name)
        if not inspect.isfunction(twin) or "n_threads" not in inspect.signature(twin).parameters:
            return found

        def called(*args, **options):
            given = inspect.signature(twin).bind(*args, **options).arguments
            self.told.setdefault(name, set()).add(given.get("n_threads"))
            return found(*args, **options)

        return called


def test_the_kernel_gets_the_limit_in_every_call(any_limit, few_bytes_are_worth_a_thread, monkeypatch):
    watched = Watched(engine.kernel)
    monkeypatch.setattr(engine, "kernel", watched)
    types = ["rouge2", "rougeL", "rougeLsum", "rougeW", "rougeSU4"]
    for limit in (1, 3):
        watched.told.clear()
        textgauge.set_num_threads(limit)
        textgauge.bleu(*corpus_of(3))
        textgauge.rouge(*corpus_of(3), rouge_types=types)
        textgauge.rouge(*corpus_of(3), rouge_types=types, preset="rouge-1.5.5")
        textgauge.token_f1(*corpus_of(3))
        counting = (
            "cut", "bleu_rows", "pair_counts", "union_lcs", "weighted_lcs", "union_weighted_lcs",
            "skip_bigram_matches", "bag_matches",
        )  # fmt: skip
        assert {name: watched.told.pop(name) for name in counting} == dict.fromkeys(counting, {limit})
        # Looks and formulas are so cheap that few texts are worth a thread.
        assert {"text_contents", "exact_means"} <= watched.told.keys()
        assert all((n or 1) <= limit for told in watched.told.values() for n in told)


@pytest.mark.parametrize(
    ("n_segments", "n_bytes", "n_threads"), [(2, 60, 1), (300, 100, 1), (300, 120, 2), (3, 50_000, 3)]
)
def test_threads_are_as_many_as_the_text_is_worth(any_limit, monkeypatch, n_segments, n_bytes, n_threads):
    watched = Watched(engine.kernel)
    monkeypatch.setattr(engine, "kernel", watched)
    textgauge.set_num_threads(16)
    text = ("the cat " * n_bytes)[:n_bytes]
    textgauge.bleu([text] * n_segments, [text] * n_segments)
    textgauge.chrf([text] * n_segments, [text] * n_segments)
    assert max(watched.told.pop("text_contents")) <= n_threads
    assert {name: told for name, told in watched.told.items() if told != {n_threads}} == {}
    assert watched.told.keys() == {"cut", "bleu_rows", "character_matches"}


def test_the_processors_are_asked_for_once(any_limit, monkeypatch):
    asked = []
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: asked.append(1) or {0, 1, 2}, raising=False)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.delenv("OMP_THREAD_LIMIT", raising=False)
    textgauge.set_num_threads(None)
    hyps, refs = ([text * 20 for text in side] for side in corpus_of(3))
    for _ in range(3):
        textgauge.bleu(hyps, refs)
    assert len(asked) == 1
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    assert textgauge.get_num_threads() == 3
    textgauge.set_num_threads(None)
    assert textgauge.get_num_threads() == 2


def most_threads_during(call):
    """The largest number of threads of this process, seen by one of them."""
    is_over, seen = threading.Event(), []

    def watch():
        while not is_over.is_set():
            seen.append(len(os.listdir("/proc/self/task")))
            time.sleep(0.001)

    watching = threading.Thread(target=watch)
    watching.start()
    call()
    is_over.set()
    watching.join()
    return max(seen)


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="this system does not list threads")
def test_a_call_uses_at_most_the_limit_of_threads(any_limit):
    hyps, refs = ([text * 20 for text in side] for side in corpus_of(3))

    def call():
        textgauge.rouge(hyps, refs, rouge_types=["rougeL", "rougeS"])

    textgauge.set_num_threads(1)
    alone = most_threads_during(call)
    textgauge.set_num_threads(3)
    assert alone <= most_threads_during(call) <= alone + 2


def test_a_callable_of_the_user_runs_in_the_thread_that_called(any_limit):
    running = set()

    def tokenizer(text):
        running.add(threading.get_ident())
        return text.split()

    textgauge.set_num_threads(4)
    for name in ("bleu", "rouge", "token_f1"):
        getattr(textgauge, name)(*corpus_of(3), tokenizer=tokenizer)
    textgauge.token_f1(*corpus_of(3), normalizer=lambda text: " ".join(tokenizer(text)))
    assert running == {threading.get_ident()}


WITHOUT_THREADS = """
import resource, threading, textgauge
hyps = ["the running cats sat %d times on mats " % i * 20 for i in range(400)]
textgauge.set_num_threads(1)
expected = textgauge.Rouge().update(hyps, hyps[::-1]).statistics.values
in_use = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmSize")) << 10
resource.setrlimit(resource.RLIMIT_AS, (in_use + (1 << 30),) * 2)
try:
    threading.Thread(target=print).start()
except RuntimeError:
    textgauge.set_num_threads(8)
    assert (textgauge.Rouge().update(hyps, hyps[::-1]).statistics.values == expected).all()
    print("right")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
def test_where_no_thread_can_be_started_one_does_all():
    # The stack of a thread, 4 GB here, finds no room.
    script = ["bash", "-c", 'ulimit -s 4194304 && exec "$0" -W ignore -c "$1"', sys.executable, WITHOUT_THREADS]
    done = subprocess.run(script, env=environment(), capture_output=True, text=True, timeout=60, check=False)
    if done.returncode and "ulimit" in done.stderr:
        pytest.skip("stacks of this size are not allowed here")
    assert done.stdout == "right\n", done.stderr


@pytest.mark.parametrize("n_threads", [0, -1, 1.0, True, "2"])
def test_a_limit_is_a_whole_number_of_at_least_1(n_threads):
    with pytest.raises(ValueError, match="n_threads: expected a whole number of at least 1"):
        textgauge.set_num_threads(n_threads)


INTERRUPTED = """
import signal, sys, textgauge
signal.alarm(30)
hyps = ["the running cats sat %d times on mats " % i * 5 for i in range(400)]
whole = textgauge.Rouge(use_stemmer=True).update(hyps, hyps[::-1])
expected, counted = whole.statistics.values.copy(), textgauge.Rouge(use_stemmer=True)
try:
    print("ready", flush=True)
    while True:
        counted.update(hyps, hyps[::-1])
except KeyboardInterrupt:
    rows = counted.statistics.values if counted._batches else expected[:0]
    assert len(rows) % len(hyps) == 0, len(rows)
    assert all((rows[i : i + len(hyps)] == expected).all() for i in range(0, len(rows), len(hyps)))
    assert (textgauge.Rouge(use_stemmer=True).update(hyps, hyps[::-1]).statistics.values == expected).all()
    print("right")
"""


def interrupted(script, delay):
    """Start a script, send it Ctrl-C after a while, and return its output."""
    command = [sys.executable, "-W", "ignore", "-c", script]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(), preexec_fn=interruptible)
    assert child.stdout.readline() == "ready\n"
    time.sleep(delay)
    child.send_signal(signal.SIGINT)
    return child.communicate(timeout=60)[0]


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("delay", [0.0, 0.013, 0.031, 0.057])
def test_an_interrupted_update_adds_all_or_nothing(delay):
    assert interrupted(INTERRUPTED, delay) == "right\n"


def test_a_list_changed_by_another_thread_is_scored_in_one_of_its_states():
    hyps, refs = corpus_of(5)
    expected = [textgauge.Bleu().update(texts, refs).statistics.values for texts in (hyps, hyps[::-1])]
    is_over, shared = threading.Event(), list(hyps)

    def change():
        while not is_over.is_set():
            shared[:] = hyps[::-1]
            shared[:] = hyps

    changing = threading.Thread(target=change)
    changing.start()
    found = [textgauge.Bleu().update(shared, refs).statistics.values for _ in range(30)]
    is_over.set()
    changing.join()
    assert all(any(np.array_equal(statistics, whole) for whole in expected) for statistics in found)


@pytest.mark.parametrize(("limit", "expected"), [("0", 3), ("1,2", 1), ("2, 8", 2), ("many", 3), ("", 3)])
def test_the_limit_of_openmp(any_limit, monkeypatch, limit, expected):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2}, raising=False)
    monkeypatch.delenv("OMP_THREAD_LIMIT", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", limit)
    textgauge.set_num_threads(None)
    assert textgauge.get_num_threads() == expected
