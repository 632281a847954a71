"""Real processes and real faults: a clear error or the right score, no hang, no stale lock, no half-written file."""

import os
import resource
import signal
import subprocess
import time

import pytest
import textgauge

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork"),
    pytest.mark.filterwarnings("ignore:.*fork"),
]
HYPS, REFS = ["the cat sat on the mat", "a dog barks"], ["the cat is on the mat", "the dog barks"]
# Loaded here once: every child would import evaluate anew.
assert textgauge.load("rouge").name == "rouge"
EXPECTED = textgauge.rouge(HYPS * 2, REFS * 2)
MANY = [f"word {i} " * 60 for i in range(2_000)]


class Forked:
    """A child process that runs a function and sends back what it returns or raises, as text."""

    def __init__(self, action):
        self.reading, writing = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(self.reading)
            signal.alarm(120)
            try:
                result = repr(action())
            except BaseException as error:
                result = f"{type(error).__name__} {error}"
            os.write(writing, result.encode())
            os._exit(0)
        os.close(writing)

    def result(self):
        with os.fdopen(self.reading, "rb") as pipe:
            text = pipe.read().decode()
        os.waitpid(self.process, 0)
        return text


def rank(folder, process, *, hold=None, timeout=60, rows=HYPS):
    """One of two processes that score together; `hold` is a file that says that it waits to be killed."""

    def action():
        metric = textgauge.load(
            "rouge", num_process=2, process_id=process, cache_dir=str(folder), experiment_id="job", timeout=timeout
        )
        metric.add_batch(predictions=rows, references=REFS if rows is HYPS else rows)
        if hold is not None:
            metric.writer.stream.flush()
            hold.touch()
            time.sleep(120)
        return metric.compute()

    return action


def killed_when_ready(folder, process, **options):
    hold = folder / "ready"
    child = Forked(rank(folder, process, hold=hold, **options))
    end = time.monotonic() + 60
    while not hold.exists():
        assert time.monotonic() < end, child.result()
        time.sleep(0.01)
    os.kill(child.process, signal.SIGKILL)
    child.result()
    hold.unlink()


def left_behind(folder):
    """Files of rows, and locks that somebody holds: locks themselves stay as empty files."""
    return [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"]


@pytest.mark.parametrize("rows", [HYPS, MANY], ids=["nothing written", "much written"])
def test_a_killed_worker_is_no_smaller_corpus(tmp_path, rows):
    main = Forked(rank(tmp_path, 0))
    killed_when_ready(tmp_path, 1, rows=rows)
    message = main.result()
    assert message.startswith("RuntimeError num_process: expected the rows of 2 processes, got no finished file from")
    assert left_behind(tmp_path) == []
    ranks = [Forked(rank(tmp_path, process)) for process in (0, 1)]
    assert [child.result() for child in ranks] == [repr(EXPECTED), "None"]


def test_a_killed_main_process_leaves_the_folder_usable(tmp_path):
    worker = Forked(rank(tmp_path, 1, timeout=3))
    killed_when_ready(tmp_path, 0, timeout=3)
    worker.result()
    ranks = [Forked(rank(tmp_path, process)) for process in (0, 1)]
    assert [child.result() for child in ranks] == [repr(EXPECTED), "None"]
    assert left_behind(tmp_path) == []


def test_two_jobs_of_one_name_are_refused_or_right(tmp_path):
    ranks = [Forked(rank(tmp_path, process, timeout=3)) for process in (0, 1, 0, 1)]
    found = {child.result() for child in ranks}
    refused = {message for message in found if "Error" in message.partition(" ")[0]}
    assert found - refused <= {repr(EXPECTED), "None"}
    assert all("experiment_id" in message or "process" in message for message in refused)


def test_a_second_instance_of_the_same_name_does_not_disturb_the_first(tmp_path):
    first, second = (textgauge.load("rouge", cache_dir=str(tmp_path), experiment_id="job") for _ in range(2))
    first.add_batch(predictions=HYPS, references=REFS)
    second.add_batch(predictions=HYPS[:1], references=REFS[:1])
    first.add_batch(predictions=HYPS, references=REFS)
    assert second.compute() == textgauge.rouge(HYPS[:1], REFS[:1])
    assert first.compute() == EXPECTED
    assert left_behind(tmp_path) == []


def full_disk(folder, add):
    """Score where files cannot grow beyond 200 kB, then where they can.

    A limit of the process and no small disk: mounting one takes rights that ordinary users
    and CI runners lack. Writing fails at the same calls, with EFBIG in place of ENOSPC.
    """

    def action():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        metric = textgauge.load("rouge", cache_dir=str(folder))
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, hard))
        try:
            add(metric)
        except OSError as error:
            message = str(error)
        else:
            return "no error"
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        if left_behind(folder):
            return f"left: {left_behind(folder)}"
        return message, metric.compute(predictions=HYPS * 2, references=REFS * 2) == EXPECTED

    return action


@pytest.mark.parametrize(
    "add",
    [
        lambda metric: metric.compute(predictions=MANY, references=MANY),
        lambda metric: metric.add_batch(predictions=MANY, references=MANY),
        lambda metric: [metric.add(prediction=text, reference=text) for text in MANY] and metric.compute(),
    ],
    ids=["compute", "add_batch", "add"],
)
def test_a_full_disk_is_said_and_leaves_nothing(tmp_path, add):
    result = Forked(full_disk(tmp_path, add)).result()
    assert result.startswith("('cache_dir: expected a folder that can be written, or keep_in_memory=True, got"), result
    assert result.endswith(", True)")


def whole_batches(metric):
    metric.add_batch(predictions=MANY, references=MANY)
    metric.add_batch(predictions=MANY, references=MANY)


LONG_STAGES = {
    "compute": lambda metric: metric.compute(predictions=MANY, references=MANY),
    "bootstrap": lambda metric: metric.compute(predictions=HYPS * 999, references=REFS * 999, aggregator="bootstrap"),
    "add": lambda metric: [metric.add(prediction=text, reference=text) for text in MANY] and metric.compute(),
    "batches": lambda metric: [whole_batches(metric), metric.compute()],
}


def interrupt(process, is_seen):
    """Send Ctrl-C, again if it was lost: Python drops an exception inside a destructor."""
    for _ in range(12):
        os.kill(process, signal.SIGINT)
        end = time.monotonic() + 10
        while time.monotonic() < end:
            if is_seen.exists():
                return
            time.sleep(0.002)


def interrupted(folder, ready, stage):
    """Run a stage again and again until Ctrl-C comes, then score."""

    def action():
        metric = textgauge.load("rouge", cache_dir=str(folder), experiment_id="job")
        try:
            ready.touch()
            while True:
                stage(metric)
        except (KeyboardInterrupt, TypeError) as error:
            # CPython makes a TypeError of an interrupt inside an import statement.
            if isinstance(error, TypeError) and str(error) != "expected a message argument":
                raise
            ready.with_name("seen").touch()
            # Rows that were added, each call's all or none, wait for the next compute.
            waiting = MANY[: len(metric) % len(MANY)] if stage is LONG_STAGES["add"] else []
            waiting = waiting or MANY * (len(metric) // len(MANY))
            assert len(waiting) == len(metric)
        start = time.monotonic()
        found = metric.compute(predictions=HYPS * 2, references=REFS * 2)
        again = textgauge.load("rouge", cache_dir=str(folder), experiment_id="job")
        after = again.compute(predictions=HYPS * 2, references=REFS * 2)
        expected = textgauge.rouge(waiting + HYPS * 2, waiting + REFS * 2)
        return found == expected, after == EXPECTED, left_behind(folder), time.monotonic() - start < 20

    return action


@pytest.mark.parametrize("delay", [0.003, 0.04, 0.11, 0.2, 0.37])
@pytest.mark.parametrize("stage", LONG_STAGES)
def test_ctrl_c_leaves_right_scores_and_no_file(tmp_path, stage, delay):
    folder, ready = tmp_path / "cache", tmp_path / "ready"
    child = Forked(interrupted(folder, ready, LONG_STAGES[stage]))
    while not ready.exists():
        time.sleep(0.001)
    time.sleep(delay)
    interrupt(child.process, tmp_path / "seen")
    assert child.result() == "(True, True, [], True)"


def test_ctrl_c_while_waiting_for_other_processes_leaves_the_folder_usable(tmp_path):
    main = Forked(rank(tmp_path, 0))
    end = time.monotonic() + 60
    while not list(tmp_path.rglob("*.lock")):
        assert time.monotonic() < end
        time.sleep(0.01)
    time.sleep(0.3)
    os.kill(main.process, signal.SIGINT)
    assert main.result() == "KeyboardInterrupt "
    assert left_behind(tmp_path) == []
    ranks = [Forked(rank(tmp_path, process)) for process in (0, 1)]
    assert [child.result() for child in ranks] == [repr(EXPECTED), "None"]


@pytest.fixture
def read_only(tmp_path):
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", tmp_path], capture_output=True, check=False
    ).returncode:
        tmp_path.chmod(0o500)
        if os.access(tmp_path, os.W_OK):
            pytest.skip("nothing is read-only for this user, who may not mount either")
        yield tmp_path
        tmp_path.chmod(0o700)
        return
    yield tmp_path
    subprocess.run(["umount", tmp_path], check=True)


def test_a_read_only_cache_is_named_and_memory_helps(read_only):
    metric = textgauge.load("rouge", cache_dir=str(read_only / "cache"))
    with pytest.raises(OSError, match="cache_dir: expected a folder that can be written, or keep_in_memory=True"):
        metric.compute(predictions=HYPS, references=REFS)
    in_memory = textgauge.load("rouge", cache_dir=str(read_only / "cache"), keep_in_memory=True)
    assert in_memory.compute(predictions=HYPS * 2, references=REFS * 2) == EXPECTED
