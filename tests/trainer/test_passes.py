"""Which batches belong to one evaluation, and which of their rows are padding; a stand-in for accelerate's state."""

import sys
import warnings
from types import SimpleNamespace

import pytest
from textgauge.trainer import compute_metrics
from textgauge.trainer.passes import OncePerPass

from trainer.test_compute_metrics import LABELS, PREDICTIONS, TOKENIZER


class Loader:
    """A data loader in its pass over a set, as accelerate lists it."""

    def __init__(self, total_batch_size=2, remainder=-1):
        self.total_batch_size, self.remainder, self.end_of_dataloader = total_batch_size, remainder, False


@pytest.fixture
def loaders(monkeypatch):
    """The loaders of accelerate, the one in use last; the first entry is no loader."""
    listed = [None]
    state = SimpleNamespace(GradientState=lambda: SimpleNamespace(dataloader_references=listed))
    monkeypatch.setitem(sys.modules, "accelerate.state", state)
    return listed


def rows(*of_batch):
    return PREDICTIONS[list(of_batch)], LABELS[list(of_batch)]


def whole(*of_set):
    return compute_metrics(TOKENIZER)(rows(*of_set))


def test_padding_of_the_last_batch_is_dropped(loaders):
    loaders.append(loader := Loader(total_batch_size=4, remainder=1))
    scores = compute_metrics(TOKENIZER)
    assert scores(rows(0, 1, 2, 3), compute_result=False) == {}
    loader.end_of_dataloader = True
    assert scores(rows(1, 0, 0, 0), compute_result=True) == whole(0, 1, 2, 3, 1)


@pytest.mark.parametrize(("remainder", "batch"), [(0, (1, 2)), (-1, (1, 2)), (1, (3,)), (1, (3, 0, 1))])
def test_a_last_batch_without_padding_is_kept(loaders, remainder, batch):
    loaders.append(loader := Loader(total_batch_size=2, remainder=remainder))
    scores = compute_metrics(TOKENIZER)
    scores(rows(0, 1), compute_result=False)
    loader.end_of_dataloader = True
    assert scores(rows(*batch), compute_result=True) == whole(0, 1, *batch)


def test_rows_of_an_evaluation_that_broke_off_are_dropped(loaders):
    scores = compute_metrics(TOKENIZER)
    loaders.append(Loader())
    scores(rows(3, 3), compute_result=False)
    loaders[-1] = Loader()
    scores(rows(0, 1), compute_result=False)
    assert scores(rows(2), compute_result=True) == whole(0, 1, 2)


def test_rows_are_dropped_where_the_same_loader_is_used_again(loaders):
    loader, scores = Loader(), compute_metrics(TOKENIZER)
    loaders.append(loader)
    scores(rows(3, 3), compute_result=False)
    # The list still has the pass that broke off.
    loaders.append(loader)
    scores(rows(0, 1), compute_result=False)
    assert scores(rows(2), compute_result=True) == whole(0, 1, 2)


def test_rows_stay_where_another_loader_only_follows_the_end_of_one(loaders):
    scores = compute_metrics(TOKENIZER)
    loaders.append(Loader())
    loaders[-1].end_of_dataloader = True
    scores(rows(0, 1), compute_result=False)
    loaders[-1] = Loader()
    assert scores(rows(2), compute_result=True) == whole(0, 1, 2)


def test_rows_stay_where_there_is_no_loader_any_more(loaders):
    scores = compute_metrics(TOKENIZER)
    loaders.append(Loader())
    scores(rows(0, 1), compute_result=False)
    loaders.pop()
    assert scores(rows(2), compute_result=True) == whole(0, 1, 2)


def test_without_a_loader_or_without_accelerate_batches_follow_each_other(loaders, monkeypatch):
    scores = compute_metrics(TOKENIZER)
    for _ in range(2):
        scores(rows(0, 1), compute_result=False)
        assert scores(rows(2), compute_result=True) == whole(0, 1, 2)
        monkeypatch.delitem(sys.modules, "accelerate.state", raising=False)


def told(warning):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warning.warn()
    return len(caught)


def test_a_warning_comes_once_in_every_pass(loaders):
    warning = OncePerPass("the same")
    assert [told(warning), told(warning)] == [1, 1]
    loaders.append(Loader())
    assert [told(warning), told(warning)] == [1, 0]
    loaders[-1] = Loader()
    assert [told(warning), told(warning)] == [1, 0]
