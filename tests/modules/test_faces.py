"""The modules as `evaluate` runs them: batches, order, failures."""

import pickle
import re
import time

import evaluate
import numpy as np
import pandas as pd
import pytest
import textgauge
from declared import COUNTED, sources_of
from filelock import FileLock
from textgauge.locations import COMPARISONS

from modules.conftest import HYPS, REFS


def is_clean(folder):
    for lock in folder.rglob("*.lock"):
        FileLock(lock).acquire(timeout=0).lock.release()
    return not list(folder.rglob("*.arrow"))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", [*COUNTED, *COMPARISONS])
def test_rows_that_are_added_are_those_of_one_call(name):
    """By the names of one row, or of columns as `evaluate.combine` has them; alone, and with rows in batches."""
    options, texts = (
        {"per_segment": True},
        {"predictions": [*HYPS, "third", "x"], "references": [*REFS, ["third"], ["x"]]},
    )
    if name not in COMPARISONS:
        texts |= sources_of(name, texts["predictions"])
    else:
        options, first = {"metric": "sari", "n_resamples": 9}, texts.pop("predictions")
        texts = {"predictions1": first, "predictions2": first[::-1], **texts, "sources": [*first[1:], "y"]}
    expected = textgauge.load(name).compute(**texts, **options)
    for end in (r"\1", r"s\1"):
        metric = textgauge.load(name, keep_in_memory=True)
        for i in range(2):
            metric.add(**{re.sub(r"s(\d?)$", end, column): rows[i] for column, rows in texts.items()})
        for part in (slice(2, 3), slice(0)):
            metric.add_batch(**{column: rows[part] for column, rows in texts.items()})
        assert len(metric) == 3
        assert metric.compute(**{column: rows[3:] for column, rows in texts.items()}, **options) == expected
        assert len(metric) == 0
        assert pickle.loads(pickle.dumps(metric)).compute(**texts, **options) == expected
    for column, rows in texts.items():
        for call in (metric.compute, metric.add_batch):
            with pytest.raises(TypeError, match=rf"^{column}\[1\]: .*got 3"):
                call(**{**texts, column: [rows[0], 3, *rows[2:]]})
        row = {re.sub(r"s(\d?)$", r"\1", name): rows[0] if name != column else 3 for name, rows in texts.items()}
        with pytest.raises(TypeError, match=r"^{}(s\[0\])?: .*got 3".format(re.sub(r"s(\d?)$", r"\1", column))):
            metric.add(**row)
    assert len(metric) == 0


def test_thousands_of_single_segments(metric, name):
    for i in range(2500):
        metric.add(prediction=HYPS[i % 2], reference=REFS[i % 2])
    assert metric.compute() == getattr(textgauge, name)(HYPS * 1250, REFS * 1250)


def test_single_segments_in_any_container(metric, whole):
    metric.add(prediction=np.str_(HYPS[0]), reference=np.array(REFS[0]))
    metric.add(prediction=HYPS[1], reference=pd.Series(REFS[1], index=[9]))
    assert metric.compute() == whole


def test_interrupt_drops_added_segments(metric, whole, tmp_path):
    def interrupted():
        yield HYPS[0]
        raise KeyboardInterrupt

    metric.add_batch(predictions=HYPS, references=REFS)
    with pytest.raises(KeyboardInterrupt):
        metric.compute(predictions=interrupted(), references=REFS)
    assert is_clean(tmp_path)
    assert metric.compute(predictions=HYPS, references=REFS) == whole


def test_open_modules_do_not_wait(name, whole, tmp_path):
    metrics = [evaluate.load(textgauge.path(name), cache_dir=str(tmp_path)) for _ in range(3)]
    start = time.monotonic()
    for metric in metrics:
        metric.add_batch(predictions=HYPS, references=REFS)
    # `evaluate` waits a second for every file that another module has locked.
    assert time.monotonic() - start < 0.9
    assert [metric.compute() for metric in metrics] == [whole] * 3


def test_keep_in_memory_writes_no_file(name, whole, tmp_path):
    metric = evaluate.load(textgauge.path(name), cache_dir=str(tmp_path / "cache"), keep_in_memory=True)
    for _ in range(2):
        metric.add_batch(predictions=HYPS, references=REFS)
        assert metric.compute() == whole
    assert not (tmp_path / "cache").exists()


REFUSED_ROWS = {
    (None, "a"): "prediction: .*got None",
    (("a",), "a"): r"prediction: .*got \('a',\)",
    ("a", None): "reference: .*got None",
    ("a", ()): "reference: .*got an empty list",
    ("a", ("b", 3)): r"reference\[1\]: .*got 3",
    ("a\ud800", "b"): "prediction: .*got a lone surrogate",
}


def test_what_is_refused_leaves_what_was_added_before(metric, whole, tmp_path):
    def refused(call, message, **given):
        with pytest.raises((TypeError, ValueError), match=f"^{message}"):
            call(**given)
        assert len(metric) == 2

    metric.add_batch(predictions=HYPS, references=REFS)
    for predictions, references in (
        (["a", None], ["a", "b"]),
        (["a"], ["a", "b"]),
        (["a", "b"], [["a"], []]),
        ("a", "a"),
    ):
        for call in (metric.add_batch, metric.compute):
            refused(call, "(pre|ref).*: expected", predictions=predictions, references=references)
    for row, message in REFUSED_ROWS.items():
        refused(metric.add, message, prediction=row[0], reference=row[1])
    refused(metric.compute, "colour", colour=1)
    refused(metric.compute, "tokenizer", tokenizer="14a")
    assert metric.compute() == whole
    assert is_clean(tmp_path)


@pytest.mark.parametrize(
    "failure", [RuntimeError, KeyboardInterrupt, SystemExit, "in memory", "finalize", "write_table"]
)
def test_failure_leaves_no_file(name, whole, tmp_path, failure):
    error = failure if isinstance(failure, type) else KeyboardInterrupt if failure == "in memory" else OSError

    def broken(*_):
        raise error("broken")

    in_memory = failure == "in memory"
    metric = evaluate.load(textgauge.path(name), cache_dir=str(tmp_path), keep_in_memory=in_memory)
    metric.add_batch(predictions=["left", "over"], references=["a", "b"])
    options = {} if failure in ("finalize", "write_table") else {"tokenizer": broken}
    if not options:
        setattr(metric.writer, failure, broken)
    with pytest.raises(error, match="broken"):
        metric.compute(predictions=HYPS, references=REFS, **options)
    assert len(metric) == 0
    assert is_clean(tmp_path)
    assert metric.compute(predictions=HYPS, references=REFS) == whole


def test_a_folder_that_cannot_be_written_is_named(name, whole, tmp_path):
    (tmp_path / "file").write_text("in the way")
    folder = tmp_path / "file" / "cache"
    metric = evaluate.load(textgauge.path(name), cache_dir=str(folder))
    for _ in range(2):
        with pytest.raises(OSError, match="^cache_dir: .*`keep_in_memory=True`"):
            metric.add_batch(predictions=HYPS, references=REFS)
        # Where nothing was added there is nothing to write.
        assert metric.compute(predictions=HYPS, references=REFS) == whole
    in_memory = evaluate.load(textgauge.path(name), cache_dir=str(folder), keep_in_memory=True)
    in_memory.add_batch(predictions=HYPS, references=REFS)
    assert in_memory.compute() == whole
