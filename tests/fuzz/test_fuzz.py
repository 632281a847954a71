"""A short run of every target; the long one is `python tests/fuzz --minutes 10`."""

import importlib.util

import pytest

from .engines import guided
from .targets import TARGETS, Target

SECONDS = 0.8


@pytest.mark.parametrize("name", TARGETS)
def test_random_inputs(name):
    assert Target(name).random_inputs(SECONDS) > 0


@pytest.mark.parametrize("name", ["tokenizers", "rouge", "rouge-1.5.5", "tables"])
def test_inputs_guided_by_coverage(name):
    if importlib.util.find_spec("atheris") is None:
        pytest.skip("atheris is not installed (pip install atheris)")
    count, find = guided(name, 3, seed=0)
    assert not find, find
    assert count > 0


def test_a_wrong_result_is_found(monkeypatch):
    def wrong(lines, name):
        assert "5" not in "".join(lines)

    monkeypatch.setitem(TARGETS, "normalizers", (wrong, TARGETS["normalizers"][1]))
    with pytest.raises(AssertionError):
        Target("normalizers").random_inputs(60)
