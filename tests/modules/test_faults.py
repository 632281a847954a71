"""Faults of real processes: a clear error or the right score, no hang, no stale lock, no partial file."""

import os
import re
import resource
import signal
import sys

import evaluate
import pytest
import textgauge
from fsspec.implementations.local import LocalFileOpener

from modules.forked import EXPECTED, HYPS, MANY, REFS, Forked, appears, is_usable, left_behind, rank

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork"),
    pytest.mark.filterwarnings("ignore:.*fork"),
]


def killed_when_ready(folder, process, **options):
    hold = folder / "ready"
    child = Forked(rank(folder, process, hold=hold, **options))
    appears(hold)
    os.kill(child.process, signal.SIGKILL)
    child.result()
    hold.unlink()


@pytest.mark.parametrize("rows", [HYPS, MANY], ids=["nothing written", "much written"])
def test_a_killed_worker_does_not_make_the_corpus_smaller(tmp_path, rows):
    main = Forked(rank(tmp_path, 0))
    killed_when_ready(tmp_path, 1, rows=rows)
    message = main.result()
    assert re.match("RuntimeError num_process: .* 2 processes, got no complete file from", message)
    assert left_behind(tmp_path) == []
    assert is_usable(tmp_path)


def test_a_killed_main_process_leaves_the_folder_usable(tmp_path):
    worker = Forked(rank(tmp_path, 1, timeout=1))
    killed_when_ready(tmp_path, 0, timeout=1)
    worker.result()
    assert is_usable(tmp_path)


def test_two_jobs_of_one_name_are_refused_or_right(tmp_path):
    ranks = [Forked(rank(tmp_path, process, timeout=3)) for process in (0, 1, 0, 1)]
    found = {child.result() for child in ranks}
    refused = {message for message in found if "Error" in message.partition(" ")[0]}
    assert found - refused <= {repr(EXPECTED), "None"}
    assert all("experiment_id" in message or "process" in message for message in refused)


def test_second_instance(tmp_path):
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
        lambda metric: [metric.add_batch(predictions=HYPS, references=REFS),
                        metric.compute(predictions=MANY, references=MANY)],
        lambda metric: metric.add_batch(predictions=MANY, references=MANY),
        lambda metric: [metric.add(prediction=text, reference=text) for text in MANY] and metric.compute(),
    ],
    ids=["compute", "add_batch", "add"],
)  # fmt: skip
def test_a_full_disk_is_reported_and_leaves_nothing(tmp_path, add):
    result = Forked(full_disk(tmp_path, add)).result()
    assert result.startswith("('cache_dir: "), result
    assert "`keep_in_memory=True`, got" in result
    assert result.endswith(", True)")


def test_full_disk_without_writing(tmp_path):
    assert Forked(full_disk(tmp_path, lambda metric: metric.compute(predictions=MANY, references=MANY))).result() == (
        "'no error'"
    )


def raising(*_):
    raise AssertionError("Arrow asked a file of Python, and would drop an interrupt there")


def test_no_interrupt_is_lost_in_a_file_of_python(tmp_path, monkeypatch):
    monkeypatch.setattr(LocalFileOpener, "closed", property(raising))
    metric = textgauge.load("rouge", cache_dir=str(tmp_path))
    metric.add_batch(predictions=HYPS, references=REFS)
    metric.add_batch(predictions=HYPS, references=REFS)
    assert metric.compute() == EXPECTED


class InterruptedAt:
    """Raises an interrupt at the nth line that `evaluate` and our modules run."""

    files = evaluate.module.__file__, textgauge.modules.module.__file__, textgauge.modules.metric.__file__

    def __init__(self, n):
        self.left, self.before = n, sys.gettrace()

    def __call__(self, frame, *_):
        return self.at_line if self.left and frame.f_code.co_filename in self.files else None

    def at_line(self, _frame, event, _):
        self.left -= event == "line" and self.left > 0
        if not self.left:
            sys.settrace(self.before)
            raise KeyboardInterrupt
        return self.at_line


# Python drops an exception inside a destructor.
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("in_memory", [False, True])
def test_interrupt_at_any_line(tmp_path, in_memory):
    metric, n, is_reached = textgauge.load("rouge", cache_dir=str(tmp_path), keep_in_memory=in_memory), 0, True
    while is_reached:
        n += 1
        interrupt = InterruptedAt(n)
        sys.settrace(interrupt)
        try:
            metric.add(prediction=HYPS[0], reference=REFS[0])
            metric.add_batch(predictions=HYPS, references=REFS)
            metric.compute()
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(interrupt.before)
        is_reached = not interrupt.left
        hyps, refs = [HYPS[0], *HYPS][: len(metric)], [REFS[0], *REFS][: len(metric)]
        assert len(metric) in (0, 1, 3)
        assert metric.compute(predictions=HYPS, references=REFS) == textgauge.rouge(hyps + HYPS, refs + REFS)
        assert left_behind(tmp_path) == []
