"""Some inputs for every target, and what was found; more of them: `python tests/fuzz --minutes 10`."""

import importlib.util

import pytest
import textgauge
from accumulation.test_storage import forged
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


@pytest.mark.parametrize("weights", ["", "cats", b"a", 1.0, ["0.5", "0.5"], [None] * 4, {1: 1}, [[1, 2], [3]]])
def test_weights_that_are_no_numbers_are_refused_in_a_sentence(weights):
    with pytest.raises(TypeError, match="^weights: expected a sequence of numbers, got"):
        textgauge.Bleu(weights=weights, max_order=2)


@pytest.mark.parametrize("path", ["~~", "~no-such-user/words", "a\0b", "x" * 5000])
@pytest.mark.parametrize("option", ["stopwords", "exceptions"])
def test_unreadable_paths_are_refused_in_a_sentence(option, path):
    with pytest.raises(ValueError, match=f"^{option}: expected a (readable file|folder)"):
        textgauge.Rouge(use_stemmer=True, **{option: path})


def test_a_table_with_a_number_too_small_for_exact_sums_is_summed():
    options = {"max_order": 1, "reference_length": "average"}
    table = forged(textgauge.Bleu(**options).update(["a"], ["a"]), reference_length=[5e-324])
    twice = textgauge.Bleu.from_arrow(table, **options) + textgauge.Bleu.from_arrow(table, **options)
    assert twice.score()["reference_length"] == 0
