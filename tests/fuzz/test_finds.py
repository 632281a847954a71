"""What the fuzzer found, and what was looked for after it: each as a test of its own."""

import pytest
import textgauge


@pytest.mark.parametrize("weights", ["", "cats", b"a", 1.0, ["0.5", "0.5"], [None] * 4, {1: 1}, [[1, 2], [3]]])
def test_weights_that_are_no_numbers_are_refused_in_a_sentence(weights):
    with pytest.raises(TypeError, match="^weights: expected a sequence of numbers, got"):
        textgauge.Bleu(weights=weights, max_order=2)
