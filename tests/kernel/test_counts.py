"""Paths of a longest common subsequence against rouge_score and by the definition; unions; texts without tokens."""

import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
import textgauge
from hypothesis import given
from rouge_score import rouge_scorer
from textgauge import engine, plain

from kernel.material import few, listed, pairs_of, rare, small_segments, tokens_of


@few
@given(small_segments)
def test_lcs_path_breaks_ties_as_rouge_score(kernel, segments):
    for left, right in pairs_of(segments):
        path = listed(kernel.lcs_path(np.array(left, np.uint32), np.array(right, np.uint32)))
        assert [i for _, i in path] == rouge_scorer.lcs_ind(right, left)
        assert [left[j] for j, _ in path] == [right[i] for _, i in path]
        assert all(j < k for (j, _), (k, _) in pairwise(path))


def path_by_table(left, right):
    """Lin (2004), section 3.1: matches first, and a token of the left is dropped only if that loses nothing."""
    cells = np.zeros((len(right) + 1, len(left) + 1), np.int16)
    for i, token in enumerate(right, 1):
        cells[i, 1:] = np.maximum.accumulate(np.maximum(cells[i - 1, 1:], cells[i - 1, :-1] + (left == token)))
    i, j, path = len(right), len(left), []
    while i and j:
        if right[i - 1] == left[j - 1]:
            i, j = i - 1, j - 1
            path.append([j, i])
        elif cells[i, j - 1] > cells[i - 1, j]:
            j -= 1
        else:
            i -= 1
    return path[::-1]


def test_the_path_of_texts_whose_states_are_made_twice(compiled):
    """Of more than 2**19 words of bits only every so many-th row is kept."""
    random = np.random.default_rng(7)
    left, right = (np.array(rare(random, n, 300), np.uint32) for n in (6500, 6400))
    assert listed(compiled.lcs_path(left, right)) == path_by_table(left, right)


@few
@given(small_segments)
def test_it_is_known_how_many_texts_have_no_token_and_whether_every_one_has_one(kernel, segments):
    tokens = tokens_of(kernel, segments)
    assert tokens.n_empty == sum(not text for segment in segments for text in segment)
    assert tokens.are_single == all(len(text) == 1 for segment in segments for text in segment)
    singles = [[text[:1] for text in segment if text] for segment in segments]
    assert tokens_of(kernel, list(filter(None, singles))).are_single


UNIONS = """
from textgauge import engine, rouge, set_num_threads
set_num_threads(1)
assert engine.kernel.__name__ == "textgauge._kernel"
texts = [chr(10).join(f"line {i * j % 97} of {i} {j}" for j in range(20)) for i in range(60)]
print(rouge(texts[:30], texts[30:], rouge_types=["rougeLsum"], per_segment=True))
"""


@pytest.mark.slow
def test_unions_of_segments_of_many_lines_one_after_another(compiled):  # noqa: ARG001
    """Each begins anew, or the search for equal lines has no end: hence in a process of its own."""
    texts = ["\n".join(f"line {i * j % 97} of {i} {j}" for j in range(20)) for i in range(60)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "kernel", plain)
        expected = textgauge.rouge(texts[:30], texts[30:], rouge_types=["rougeLsum"], per_segment=True)
    found = subprocess.run([sys.executable, "-c", UNIONS], capture_output=True, text=True, timeout=60, check=True)
    assert found.stdout.strip() == repr(expected)
