"""Some inputs for every target; more of them: `python tests/fuzz --minutes 10`."""

import importlib.util

import pytest
from quick import examples

from .engines import guided
from .targets import KERNELS, TARGETS, Target


# Where there is one kernel alone, every run uses it.
@pytest.fixture(params=["compiled", pytest.param("plain", marks=pytest.mark.slow if len(KERNELS) > 1 else ())])
def kernel(request):
    if request.param not in KERNELS:
        pytest.skip("there is no compiled kernel, or --plain chose the other")
    return request.param


# A property test of the suite runs in its own file.
NAMES = [
    pytest.param(name, marks=pytest.mark.slow if hasattr(check, "is_a_test") else ())
    for name, (check, _) in TARGETS.items()
]


@pytest.mark.parametrize("name", NAMES)
def test_random_inputs(name, kernel):
    Target(name, kernel).property_test(max_examples=examples(200))()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tokenizers", "rouge", "rouge-1.5.5", "options", "tables"])
def test_inputs_guided_by_coverage(name, kernel):
    if importlib.util.find_spec("atheris") is None:
        pytest.skip("atheris is not installed (pip install atheris)")
    count, find = guided(name, kernel, 3, seed=0)
    assert not find, find
    assert count > 0


@pytest.mark.slow
def test_a_wrong_result_is_found(kernel, monkeypatch):
    def wrong(lines, *_):
        assert "5" not in "".join(lines)

    monkeypatch.setitem(TARGETS, "normalizers", (wrong, TARGETS["normalizers"][1]))
    with pytest.raises(AssertionError):
        Target("normalizers", kernel).random_inputs(60)
