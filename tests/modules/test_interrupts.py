"""Ctrl-C during long operations: correct scores afterwards, no stale lock, no file of rows."""

import os
import signal
import time

import pytest
import textgauge

from modules.forked import EXPECTED, HYPS, MANY, REFS, Forked, appears, is_usable, left_behind, rank

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork"),
    pytest.mark.filterwarnings("ignore:.*fork"),
]


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
    for _ in range(3):
        os.kill(process, signal.SIGINT)
        end = time.monotonic() + 5
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
    appears(ready)
    time.sleep(delay)
    interrupt(child.process, tmp_path / "seen")
    assert child.result() == "(True, True, [], True)"


def test_children_are_interrupted_where_this_process_ignores_it():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        child = Forked(lambda: time.sleep(30))
        time.sleep(0.5)
        os.kill(child.process, signal.SIGINT)
        assert child.result() == "KeyboardInterrupt "
    finally:
        signal.signal(signal.SIGINT, before)


def test_ctrl_c_while_waiting(tmp_path):
    main = Forked(rank(tmp_path, 0))
    appears(tmp_path / "*.lock")
    time.sleep(0.3)
    os.kill(main.process, signal.SIGINT)
    assert main.result() == "KeyboardInterrupt "
    assert left_behind(tmp_path) == []
    assert is_usable(tmp_path)
