"""A short run of every target; the long one is `python tests/fuzz --minutes 10`."""

import importlib.util

import pytest

from .engines import guided
from .targets import KERNELS, TARGETS, Target

pytestmark = pytest.mark.slow

SECONDS = 0.6


@pytest.fixture(params=["compiled", "plain"])
def kernel(request):
    if request.param not in KERNELS:
        pytest.skip("there is no compiled kernel, or --plain chose the other")
    return request.param


@pytest.mark.parametrize("name", TARGETS)
def test_random_inputs(name, kernel):
    assert Target(name, kernel).random_inputs(SECONDS) > 0


@pytest.mark.parametrize("name", ["tokenizers", "rouge", "rouge-1.5.5", "tables"])
def test_inputs_guided_by_coverage(name, kernel):
    if importlib.util.find_spec("atheris") is None:
        pytest.skip("atheris is not installed (pip install atheris)")
    count, find = guided(name, kernel, 3, seed=0)
    assert not find, find
    assert count > 0


def test_a_wrong_result_is_found(kernel, monkeypatch):
    def wrong(lines, name):
        assert "5" not in "".join(lines)

    monkeypatch.setitem(TARGETS, "normalizers", (wrong, TARGETS["normalizers"][1]))
    with pytest.raises(AssertionError):
        Target("normalizers", kernel).random_inputs(60)
