"""Many threads at once, a fork among them, Ctrl-C in the middle: the same numbers, no hang, nothing shared."""

import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import textgauge
from conftest import ROOT
from interrupting import interruptible
from laws import MEASURES
from textgauge.columns import Corpus
from textgauge.text import stem_keys

pytestmark = pytest.mark.filterwarnings("ignore:.*have no token", "ignore:.*fork")
WORDS = [
    "the",
    "cat",
    "cats",
    "running",
    "runners",
    "1,000.5",
    "naïve",
    "猫が",
    "internationalization",
    "&amp;",
    "a-b\n",
]
JOBS = [name for name, measure in MEASURES.items() if measure.reads_references] * 3


def corpus_of(seed):
    draw = random.Random(seed)
    texts = [" ".join(draw.choices([*WORDS, f"word{seed}s"], k=draw.randrange(30))) for _ in range(300)]
    return texts[::2], texts[1::2]


def statistics(name, seed):
    return MEASURES[name].accumulator().update(*corpus_of(seed)).statistics


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
    assert all(np.array_equal(a, b) for a, b in zip(found, expected * 2, strict=True))


def test_threads_may_share_what_they_score(expected):
    hyps, refs = corpus_of(0)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: MEASURES[JOBS[0]].accumulator().update(hyps, refs).statistics, range(40)))
    assert all(np.array_equal(statistics, expected[0]) for statistics in found)


def fork_among_threads(n_forks=24):
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
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            os.write(writing, pickle.dumps(statistics(name, number)[:20]))
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            found = pickle.loads(pipe.read())
        assert os.waitpid(child, 0)[1] == 0
        assert np.array_equal(found, expected[number][:20])
    is_over.set()
    for thread in scoring:
        thread.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_fork_while_threads_score():
    # In a process of its own: what other tests load (torch, Spark) need not bear a fork.
    script = "import test_threads; test_threads.fork_among_threads()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], env=environment, capture_output=True, text=True, timeout=400
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


class Interrupting(np.ndarray):
    def __setitem__(self, index, value):
        raise KeyboardInterrupt


def empty_memo():
    return stem_keys._Memo(*(np.zeros_like(array) for array in (stem_keys._memo.words, stem_keys._memo.stems)))


def test_stems_stay_right_if_remembering_them_is_interrupted(monkeypatch):
    hyps, refs = ["walked runners sitting"], ["walking runs sits"]
    monkeypatch.setattr(stem_keys, "_memo", empty_memo())
    expected = MEASURES["rouge-stemmed"].of(hyps, refs)
    for part in ("words", "stems"):
        memo = empty_memo()
        monkeypatch.setattr(stem_keys, "_memo", replace(memo, **{part: getattr(memo, part).view(Interrupting)}))
        with pytest.raises(KeyboardInterrupt):
            MEASURES["rouge-stemmed"].of(hyps, refs)
        assert not stem_keys._memo.words.any()
        monkeypatch.setattr(stem_keys, "_memo", memo)
        assert MEASURES["rouge-stemmed"].of(hyps, refs) == expected


@pytest.fixture
def many_chunks(monkeypatch):
    chunks = Corpus.chunks
    monkeypatch.setattr(Corpus, "chunks", lambda corpus: chunks(corpus, 1000))
    yield
    textgauge.set_num_threads(None)


def test_a_call_keeps_to_the_limit(many_chunks):
    running = set()

    class Watched(textgauge.Bleu):
        def _counted(self, corpus, lost):
            running.add(threading.get_ident())
            return super()._counted(corpus, lost)

    for limit in (1, 3):
        textgauge.set_num_threads(limit)
        running.clear()
        Watched().update(*corpus_of(3))
        assert 1 <= len(running) <= limit
        assert (running == {threading.get_ident()}) == (limit == 1)


def test_a_callable_of_the_user_runs_in_the_thread_that_called(many_chunks):
    running = set()

    def tokenizer(text):
        running.add(threading.get_ident())
        return text.split()

    textgauge.set_num_threads(4)
    for name in ("bleu", "rouge", "token_f1"):
        getattr(textgauge, name)(*corpus_of(3), tokenizer=tokenizer)
    textgauge.token_f1(*corpus_of(3), normalizer=lambda text: " ".join(tokenizer(text)))
    assert running == {threading.get_ident()}


def test_where_no_thread_can_be_started_one_does_all(many_chunks, monkeypatch):
    textgauge.set_num_threads(1)
    expected = textgauge.Bleu().update(*corpus_of(3)).statistics
    textgauge.set_num_threads(2)

    def refused(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    assert np.array_equal(textgauge.Bleu().update(*corpus_of(3)).statistics, expected)


@pytest.mark.parametrize("n_threads", [0, -1, 1.0, True, "2"])
def test_a_limit_is_a_whole_number_from_1_on(n_threads):
    with pytest.raises(ValueError, match="n_threads: expected a whole number from 1 on"):
        textgauge.set_num_threads(n_threads)


def test_the_limit_of_the_environment_counts(monkeypatch):
    script = "import textgauge; print(textgauge.get_num_threads())"
    for n_threads in ("1", "2"):
        environment = {**os.environ, "OMP_NUM_THREADS": n_threads}
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60
        )
        assert done.stdout.strip() == n_threads, done.stderr


INTERRUPTED = """
import signal, sys, textgauge
signal.alarm(30)
hyps = ["the running cats sat %d times on mats" % i for i in range(400)]
whole = textgauge.Rouge(use_stemmer=True).update(hyps, hyps[::-1])
expected, counted = whole.statistics.copy(), textgauge.Rouge(use_stemmer=True)
print("ready", flush=True)
try:
    while True:
        counted.update(hyps, hyps[::-1])
except KeyboardInterrupt:
    rows = counted.statistics if counted._batches else expected[:0]
    assert len(rows) % len(hyps) == 0, len(rows)
    assert all((rows[i : i + len(hyps)] == expected).all() for i in range(0, len(rows), len(hyps)))
    assert (textgauge.Rouge(use_stemmer=True).update(hyps, hyps[::-1]).statistics == expected).all()
    print("right")
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("delay", [0.0, 0.013, 0.031, 0.057])
def test_an_interrupted_update_adds_all_or_nothing(delay):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "metrics")}
    child = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        preexec_fn=interruptible,
    )
    assert child.stdout.readline() == "ready\n"
    time.sleep(delay)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=20)[0] == "right\n"
