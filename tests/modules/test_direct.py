"""`compute` with and without segments added before: the same scores; without, no file."""

import os
import sys

import pyarrow as pa
import pytest
import textgauge

HYPS = ["the cat sat on the mat", "a dog barks", "it rains", "no"]
REFS = [["the cat is on the mat", "a cat sat"], ["the dog barks"], ["it pours", "it rains"], ["yes"]]
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
pytestmark = pytest.mark.filterwarnings("ignore:two systems differ in only", "ignore:.*segments.*chance")


class Watch:
    """Files that this process opens to write, and folders that it makes, while it is on."""

    def __init__(self):
        self.is_on, self.seen = False, []
        sys.addaudithook(self)

    def __call__(self, event, arguments):
        if self.is_on and (
            event in ("os.mkdir", "os.rename", "os.remove") or event == "open" and arguments[2] & WRITES
        ):
            self.seen.append(str(arguments[0]))

    def during(self, call):
        self.seen, self.is_on = [], True
        try:
            return call(), self.seen
        finally:
            self.is_on = False


@pytest.fixture(scope="module")
def watch():
    # A hook can never be taken away again: one for all.
    return Watch()


@pytest.mark.parametrize("columns", [lambda values: values, pa.array, lambda values: iter(values)])
def test_where_nothing_was_added_nothing_is_written(name, metric, watch, tmp_path, columns):
    before = sorted(tmp_path.rglob("*"))
    expected = getattr(textgauge, name)(HYPS, REFS)
    for _ in range(2):
        result, written = watch.during(lambda: metric.compute(predictions=columns(HYPS), references=columns(REFS)))
        assert result == expected
        assert written == []
        assert sorted(tmp_path.rglob("*")) == before
    assert len(metric) == 0


def test_added_segments_are_written_and_dropped_after_the_score(name, metric, watch, tmp_path):
    _, written = watch.during(lambda: metric.add_batch(predictions=HYPS[:2], references=REFS[:2]))
    assert any(path.startswith(str(tmp_path)) for path in written)
    assert metric.compute(predictions=HYPS[2:], references=REFS[2:]) == getattr(textgauge, name)(HYPS, REFS)
    assert not list(tmp_path.rglob("*.arrow"))
    result, written = watch.during(lambda: metric.compute(predictions=HYPS, references=REFS))
    assert (result, written) == (getattr(textgauge, name)(HYPS, REFS), [])


def test_refused_texts_are_not_written(name, metric, watch, tmp_path):

    def refused():
        with pytest.raises(TypeError, match=r"predictions\[1\]"):
            metric.compute(predictions=["a", None], references=["a", "b"])
        with pytest.raises(ValueError, match="at least one segment"):
            metric.compute()

    assert watch.during(refused)[1] == []
