"""A rouge module in child processes, and the files that they leave."""

import os
import signal
import time

import textgauge
from interrupting import interruptible

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
            interruptible()
            signal.alarm(60)
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


def appears(path):
    """Wait until there is such a file, or one that fits a pattern."""
    end = time.monotonic() + 60
    while not [*path.parent.rglob(path.name)]:
        assert time.monotonic() < end
        time.sleep(0.01)


def is_usable(folder):
    """Whether two processes score there, and leave nothing."""
    ranks = [Forked(rank(folder, process)) for process in (0, 1)]
    return [child.result() for child in ranks] == [repr(EXPECTED), "None"] and left_behind(folder) == []


def left_behind(folder):
    """Files of rows, and locks that somebody holds: locks themselves stay as empty files."""
    return [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"]
