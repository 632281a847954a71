"""Math-Verify in processes of its own: hostile answers, threads, forks, and no process left behind."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from importlib.util import find_spec

import pytest
import textgauge
from textgauge.models import math_engine

pytestmark = pytest.mark.skipif(find_spec("math_verify") is None, reason='needs Math-Verify: pip install -e ".[math]"')
HOSTILE = [r"9^{9^{9^9}}", r"(10^7)!", r"9^{9^9}", r"\boxed{(10^8)!}"]
ENGINE = {"engine": "math-verify"}


@pytest.fixture(autouse=True, scope="module")
def ended():
    math_engine.end_programs()
    yield
    math_engine.end_programs()


@pytest.fixture
def children():
    """A function that lists the processes that this one has started since, zombies too."""
    if not os.path.isdir("/proc"):
        pytest.skip("without /proc nothing tells which processes there are")

    def listed():
        command = ["ps", "-ww", "--ppid", str(os.getpid()), "-o", "pid=,args="]
        done = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        return {line.split()[0] for line in done if "math_program" in line or "defunct" in line}

    # Other tests of the process have theirs.
    before = listed() - {str(program._process.pid) for program in math_engine._PROGRAMS}
    return lambda: listed() - before


@pytest.fixture
def soon_over(monkeypatch):
    """A tenth of a second for what takes forever, enough for the rest; returns the set of all `seconds` asked for."""
    ask, given = math_engine._Program.ask, set()

    def asked(program, gold, text, seconds):
        given.add(seconds)
        return ask(program, gold, text, 0.1 if any(hostile in gold + text for hostile in HOSTILE) else 9.0)

    monkeypatch.setattr(math_engine._Program, "ask", asked)
    return given


def test_equal_as_mathematics():
    predictions, references = ["x+1", "0.25", r"\frac{2}{4}", "7", "", "3"], ["1+x", r"\frac14", "1/2", "8", "1", "3"]
    found = textgauge.math_answer(predictions, references, per_segment=True, signature=True, **ENGINE)
    assert found["segment_math_answer"] == [1.0, 1.0, 1.0, 0.0, 0.0, 1.0]
    assert (found["timeouts"], found["segment_timeouts"]) == (0, [0.0] * 6)
    assert f"|engine:math-verify-{math_engine.engine_version()}|seconds:5|" in found["signature"]
    # One of several references is enough, and nobody is asked where a text is equal.
    assert textgauge.math_answer(["1+x", "7"], [["y", "x+1"], ["9^{9^{9^9}}", "7"]], **ENGINE)["math_answer"] == 1
    assert textgauge.math_answer(["1+1"], ["2"])["math_answer"] == 0


DIFFERENT = [
    ("2√3", "2"), ("2√3", "3"), ("7²", "7"), ("4π²", "4"), ("5×10³", "5"), ("7–3", "7"), ("7@3", "7"), ("7 @ 3", "7"),
    (r"4\sqrt(2)", "4"), ("2**3", "2"), ("CAB", "ABC"), ("TFT", "FTT"), ("net", "ten"), ("below", "elbow"),
    ("listen", "silent"), ("B A", "A B"),
    ("B; A", "A; B"), ("B, A, C", "A, B, C"), ("B, A", "A, B"), ("H2O", "O2H"), ("net 5", "ten 5"),
    ("net + 1", "ten + 1"), ("1 hour 30 minutes", "30 hours 1 minute"), ("1 hour 30 minutes", "30"),
    ("The answer is 7@3", "7"), ("The answer is $7@3$", "7"), (r"\boxed{2√3}", "2"), ("B", "C"), ("5 apples", "6"),
]  # fmt: skip
EQUAL = [
    ("2√3", r"2\sqrt{3}"), ("4π²", r"4\pi^2"), ("2πr", r"2\pi r"), ("6 ÷ 2", "3"), ("5×10³", "5000"), ("5·3", "15"),
    ("10⁻³", "0.001"), ("½", "1/2"), ("2½", "5/2"), ("−3", "-3"), ("√(x+1)", r"\sqrt{x+1}"), ("∛8", "2"),
    ("x ≤ 3", r"x \le 3"), ("[1,∞)", r"[1,\infty)"), ("x²+1", "1+x^2"), ("x₁", "x_1"), ("α+1", r"1+\alpha"),
    ("90°", "90"), ("２", "2"), ("5 apples", "5"), ("100 dollars", "100"), ("5 cm", "5"), ("1/2 cup", "0.5"),
    ("50%", r"50\%"), ("50 percent", "50%"), ("3/4", "0.75"), ("7.", "7"), ("$100", "100"), ("1,000", "1000"),
    ("2,3", "3,2"), ("2 or 3", "3,2"), ("(B)", "B"), ("YES", "yes"), ("Tuesday", r"\text{Tuesday}"), ("$x+1$", "1+x"),
    ("The answer is 5.", "5"), ("Let $x$ be it. The answer is 5.", "5"), (r"so \boxed{7.}", "7"), (r"\boxed 7", "7"),
    ("The final answer is 5. I hope it is correct.", "5"),
]  # fmt: skip


def test_signs_words_and_numbers():
    """The engine takes no number out of what it cannot parse, nor letters of a word as factors."""
    for pairs, expected in ((DIFFERENT, 0.0), (EQUAL, 1.0)):
        found = textgauge.math_answer(*map(list, zip(*pairs, strict=True)), per_segment=True, **ENGINE)
        scores = zip(pairs, found["segment_math_answer"], strict=True)
        assert [pair for pair, score in scores if score != expected] == []


def test_several_boxes_are_all_read():
    texts, answers = [r"\boxed{2} and \boxed{3}"] * 3 + [r"\boxed{3}, so \boxed{3}"], ["2,3", "3", "2", "3"]
    found = textgauge.math_answer(texts, answers, extract=r"\boxed{}", per_segment=True, **ENGINE)
    assert found["segment_math_answer"] == [1.0, 0.0, 0.0, 1.0]
    reward = textgauge.rewards.Reward("math_answer(engine='math-verify')")
    assert reward(completions=texts, answer=answers) == [1.0, 0.0, 0.0, 1.0]


@pytest.mark.slow
def test_hostile_answers():
    """Each within `seconds` and one more; none is lost, and every other answer is judged."""
    times, found = [], []

    def judge():
        textgauge.math_answer(["1+x"], ["x+1"], **ENGINE)
        for i in range(2 * len(HOSTILE)):
            started = time.monotonic()
            found.append(math_engine.verified([("$7$", f"${HOSTILE[i % len(HOSTILE)]}$")], 0.5))
            times.append(time.monotonic() - started)
            found.append(math_engine.verified([("$x+1$", "$1+x$")], 10.0))

    thread = threading.Thread(target=judge)
    thread.start()
    thread.join()
    assert found == [[None], [True]] * (2 * len(HOSTILE))
    assert max(times) < 1.5


def test_timeouts_are_counted(soon_over):
    predictions = [HOSTILE[0], "1+x", HOSTILE[3], "y"]
    with pytest.warns(UserWarning, match=r"^2 pairs were not judged within 1\.5 s, and count as different: `seconds`"):
        found = textgauge.math_answer(predictions, ["7", "x+1", "7", "z"], seconds=1.5, confidence=0.9, **ENGINE)
    assert soon_over == {1.5}
    assert (found["math_answer"], found["timeouts"]) == (0.25, 2)
    # Counts have no interval.
    assert [*found["confidence_intervals"]] == ["math_answer"]


@pytest.mark.usefixtures("soon_over")
def test_one_equal_reference_is_enough(recwarn):
    found = textgauge.math_answer(["1+x"], [[HOSTILE[0], "x+1"]], **ENGINE)
    assert found == {"math_answer": 1.0, "timeouts": 0}
    assert not [one for one in recwarn if "not judged" in str(one.message)]


@pytest.mark.slow
def test_late_answers_of_rows_batches_and_sums(recwarn):
    datasets = pytest.importorskip("datasets")
    rows = datasets.Dataset.from_dict({"h": [HOSTILE[0], "1+x", "3"], "r": ["7", "x+1", "3"]})
    columns = {"prediction_column": "h", "reference_column": "r"}
    found = textgauge.score_dataset(rows, textgauge.MathAnswer(seconds=2, **ENGINE), batch_size=1, **columns)
    assert found == {"math_answer": 2 / 3, "timeouts": 1}
    part = textgauge.MathAnswer(seconds=2, **ENGINE)
    both = part.update([HOSTILE[1]], ["7"]) + textgauge.MathAnswer(seconds=2, **ENGINE).update(["3"], ["3"])
    stored = textgauge.MathAnswer.from_arrow(both.to_arrow(), seconds=2, **ENGINE)
    assert both.score() == stored.score() == {"math_answer": 0.5, "timeouts": 1}


@pytest.mark.slow
def test_many_threads_and_many_pairs():
    found = []
    threads = [threading.Thread(target=lambda: found.append(textgauge.math_answer(["1+x"], ["x+1"], **ENGINE)))
               for _ in range(3)]  # fmt: skip
    try:
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert found == [{"math_answer": 1.0, "timeouts": 0}] * 3
        n = 2 * math_engine._PAIRS_OF_A_PROGRAM
        texts = [f"x+{i}" for i in range(n)], [f"{i}+x" if i % 3 else "y" for i in range(n)]
        expected = [float(i % 3 > 0) for i in range(n)]
        assert textgauge.math_answer(*texts, per_segment=True, **ENGINE)["segment_math_answer"] == expected
    finally:
        math_engine.end_programs()


def judged(pair):
    return math_engine.verified([pair], 10.0)


@pytest.mark.slow
def test_idle_program():
    """The alarm that ends a worker without a supervisor is not left behind."""
    assert math_engine.verified([("$1$", "$1$")], 0.9) == [True]
    time.sleep(3)
    assert math_engine.verified([("$1$", "$1$")], 5.0) == [True]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_processes_that_are_forked_or_started(method):
    assert judged(("$x+1$", "$1+x$")) == [True]
    # What is forked has the programs of this process; what is started has nothing to share with a second one.
    with multiprocessing.get_context(method).Pool(2 if method == "fork" else 1) as pool:
        pairs = [([("$x+1$", "$1+x$")], 10.0), ([("$7$", "$8$")], 10.0)]
        assert pool.starmap(math_engine.verified, pairs) == [[True], [False]]
    assert judged(("$x+1$", "$1+x$")) == [True]


@pytest.fixture
def pipes_that_kill():
    """What `sacrebleu.sacrebleu` does where it is imported: a write to a pipe that nobody reads ends the process."""
    if not hasattr(signal, "SIGPIPE"):
        yield
        return
    before = signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGPIPE, before)


@pytest.mark.usefixtures("pipes_that_kill")
def test_a_program_that_dies_is_replaced():
    assert judged(("$1$", "$1$")) == [True]
    [program] = math_engine._IDLE
    program._process.kill()
    program._process.wait()
    assert judged(("$1$", "$1$")) == [None]
    assert judged(("$1$", "$1$")) == [True]


def test_interrupt_ends_program(monkeypatch, children):
    def interrupted(*_):
        raise KeyboardInterrupt

    judged(("$1$", "$1$"))
    [program] = math_engine._IDLE
    monkeypatch.setattr(program, "ask", interrupted)
    with pytest.raises(KeyboardInterrupt):
        judged(("$1$", "$1$"))
    assert (math_engine._IDLE, children()) == ([], set())


def test_no_process_stays(children):
    assert judged(("$1$", "$1$")) == [True]
    assert len(children()) == 1
    math_engine.end_programs()
    assert children() == set()


@pytest.mark.slow
def test_a_script_ends():
    script = "from textgauge.models.math_engine import verified; print(verified([('$1$', '$1$')], 5))"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert out.stdout == "[True]\n"


@pytest.mark.slow
def test_program_without_fork(monkeypatch, children):
    """As on Windows: the program answers itself, and another one has started before it is killed."""
    monkeypatch.setattr(math_engine, "_HAS_WORKERS", False)
    monkeypatch.setattr(math_engine, "_GRACE", 0.0)
    assert judged(("$1$", "$1$")) == [True]
    assert len(children()) == 2
    assert math_engine.verified([("$7$", f"${HOSTILE[0]}$"), ("$1$", "$1$")], 1.0) == [None, True]


@pytest.mark.slow
def test_too_large_number():
    assert math_engine.verified([("$7$", r"$10^{10^{11}}$"), ("$7$", "$7$")], 5.0)[1] is True
