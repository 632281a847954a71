"""Which batches belong to one evaluation, and which of their rows are padding; a stand-in for accelerate's state."""

import sys
from types import SimpleNamespace

import pytest
from textgauge.trainer import compute_metrics
from textgauge.trainer.passes import OncePerPass
from warned import warned

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
    all_at_once = whole(1, 0, 0, 0)
    loaders.append(loader := Loader(total_batch_size=4, remainder=1))
    scores = compute_metrics(TOKENIZER)
    assert scores(rows(0, 1, 2, 3), compute_result=False) == {}
    loader.end_of_dataloader = True
    assert scores(rows(1, 0, 0, 0), compute_result=True) == whole(0, 1, 2, 3, 1)
    # The Trainer drops that of a whole set.
    assert scores(rows(1, 0, 0, 0)) == all_at_once


@pytest.mark.parametrize(("remainder", "batch"), [(0, (1, 2)), (-1, (1, 2)), (1, (3,)), (1, (3, 0, 1))])
def test_a_last_batch_without_padding_is_kept(loaders, remainder, batch):
    loaders.append(loader := Loader(total_batch_size=2, remainder=remainder))
    scores = compute_metrics(TOKENIZER)
    scores(rows(0, 1), compute_result=False)
    loader.end_of_dataloader = True
    assert scores(rows(*batch), compute_result=True) == whole(0, 1, *batch)


def begun(loaders):
    loaders.append(Loader())


def ended(loaders):
    begun(loaders)
    loaders[-1].end_of_dataloader = True


def replaced(loaders):
    loaders[-1] = Loader()


def again(loaders):
    # The list still has the pass that broke off.
    loaders.append(loaders[-1])


# What happens to the loaders, and the rows of batches.
PASSES = {
    "rows of an evaluation that broke off are dropped": [begun, (3, 3), replaced, (0, 1)],
    "rows are dropped where the same loader is used again": [begun, (3, 3), again, (0, 1)],
    "rows stay where another loader only follows the end of one": [ended, (0, 1), replaced],
    "rows stay where there is no loader any more": [begun, (0, 1), list.pop],
}


@pytest.mark.parametrize("name", PASSES)
def test_which_batches_belong_together(loaders, name):
    scores = compute_metrics(TOKENIZER)
    for step in PASSES[name]:
        if callable(step):
            step(loaders)
        else:
            scores(rows(*step), compute_result=False)
    assert scores(rows(2), compute_result=True) == whole(0, 1, 2)


def test_batches_without_loader(loaders, monkeypatch):
    scores = compute_metrics(TOKENIZER)
    for _ in range(2):
        scores(rows(0, 1), compute_result=False)
        assert scores(rows(2), compute_result=True) == whole(0, 1, 2)
        monkeypatch.delitem(sys.modules, "accelerate.state", raising=False)


def test_a_warning_comes_once_in_every_pass(loaders):
    warning = OncePerPass("the same")
    assert [warned(warning.warn), warned(warning.warn)] == [["the same"]] * 2
    loaders.append(Loader())
    assert [warned(warning.warn), warned(warning.warn)] == [["the same"], []]
    loaders[-1] = Loader()
    assert [warned(warning.warn), warned(warning.warn)] == [["the same"], []]
