"""Edits of trees: both kernels, against the definition over all mappings of small trees."""

import time
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from textgauge import plain
from textgauge.plain.trees import Tree

from kernel.material import few, listed

# A tree is a label, a content and children.
contents = st.lists(st.integers(0, 3), max_size=4).map(tuple)
long_contents = st.lists(st.integers(0, 9), min_size=50, max_size=140).map(tuple)
trees = st.recursive(
    st.tuples(st.integers(0, 2), contents, st.just(())),
    lambda inner: st.tuples(st.integers(0, 2), contents, st.lists(inner, max_size=4).map(tuple)),
    max_leaves=10,
)
MANY = 1 << 20


def arrays(*forest):
    labels, left, numbers, offsets, tokens, content_offsets, known = [], [], [], [0], [], [0], {}

    def walk(node):
        label, content, children = node
        firsts = [walk(child) for child in children]
        first = firsts[0] if firsts else len(labels) - offsets[-1]
        if content not in known:
            known[content] = len(known)
            tokens.extend(content)
            content_offsets.append(len(tokens))
        labels.append(label)
        left.append(first)
        numbers.append(known[content])
        return first

    for tree in forest:
        walk(tree)
        offsets.append(len(labels))
    ids = [*dict.fromkeys(tokens)]
    tokens = [ids.index(token) for token in tokens]
    kinds = (np.uint32, np.uint32, np.uint32, np.int64, np.uint32, np.int64)
    return [
        np.array(values, kind)
        for values, kind in zip((labels, left, numbers, offsets, tokens, content_offsets), kinds, strict=True)
    ]


def edits(left, right):
    @cache
    def of(i, j):
        if not i or not j:
            return i + j
        return min(of(i - 1, j - 1) + (left[i - 1] != right[j - 1]), of(i - 1, j) + 1, of(i, j - 1) + 1)

    return of(len(left), len(right))


def cost(one, other):
    longer = max(len(one[1]), len(other[1]))
    return 1.0 if one[0] != other[0] else edits(one[1], other[1]) / longer if longer else 0.0


def by_definition(one, other):
    """The recursion over the last roots of forests."""

    @cache
    def size(forest):
        return sum(1 + size(children) for *_, children in forest)

    @cache
    def of(left, right):
        if not left or not right:
            return float(size(left) + size(right))
        *rest, last = left
        *others, end = right
        rest, others = tuple(rest), tuple(others)
        return min(
            of(rest + last[2], right) + 1,
            of(left, others + end[2]) + 1,
            of(rest, others) + of(last[2], end[2]) + cost(last, end),
        )

    return of((one,), (other,))


@few
@given(trees, trees)
def test_distances_are_those_of_the_definition(kernel, one, other):
    found = listed(kernel.tree_distances(*arrays(one, other), np.array([0, 1, 1, 0, 0, 0]), MANY))
    assert found == pytest.approx([by_definition(one, other)] * 2 + [0.0], abs=1e-12)


def forests_of(n_nodes):
    """Every list of trees with so many nodes."""
    if n_nodes == 0:
        return [()]
    return [
        ((n_inner % 2, (), inner), *others)
        for n_inner in range(n_nodes)
        for inner in forests_of(n_inner)
        for others in forests_of(n_nodes - 1 - n_inner)
    ]


def test_distances_of_all_small_trees_are_those_of_the_definition(compiled):
    every = [(0, (), forest) for n_nodes in range(5) for forest in forests_of(n_nodes)]
    pairs = [(i, j) for i in range(len(every)) for j in range(len(every))]
    found = listed(compiled.tree_distances(*arrays(*every), np.array(pairs).reshape(-1), MANY))
    assert found == [by_definition(every[i], every[j]) for i, j in pairs]


def nodes_of(tree):
    return [*(node for child in tree[2] for node in nodes_of(child)), tree]


@few
@given(trees, trees)
def test_a_mapping_has_the_cost_of_its_distance(kernel, one, other):
    mapping = listed(kernel.tree_mapping(*arrays(one, other), MANY))
    left, right = nodes_of(one), nodes_of(other)
    kept = sum(cost(left[u], right[v]) for u, v in mapping)
    distance = len(left) + len(right) - 2 * len(mapping) + kept
    assert distance == pytest.approx(by_definition(one, other), abs=1e-12)
    assert all(u < w and v < z for (u, v), (w, z) in pairwise(mapping))


@few
@given(st.lists(trees, min_size=2, max_size=4), st.lists(long_contents, max_size=3))
def test_the_kernels_agree(compiled, forest, more):
    grown = [(2, (), tuple((0, content, ()) for content in more[k % 2 :]) + (tree,)) for k, tree in enumerate(forest)]
    given_arrays = arrays(*grown)
    pairs = np.array([(k, n) for k in range(len(grown)) for n in range(len(grown))]).reshape(-1)
    distances = [listed(kernel.tree_distances(*given_arrays, pairs, MANY)) for kernel in (compiled, plain)]
    assert distances[0] == distances[1]
    assert listed(compiled.tree_distances(*given_arrays, pairs, 9, n_threads=2)) == plain.tree_distances(
        *given_arrays, pairs, 9
    )
    two = arrays(*grown[:2])
    assert listed(compiled.tree_mapping(*two, MANY)) == plain.tree_mapping(*two, MANY)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({1: [0, 2]}, "^left: .*first"),
        ({1: [0, 1]}, "left: expected one root"),
        ({1: [0]}, "^left, contents: "),
        ({2: [0, 1]}, "^contents: "),
        ({3: [0, 1]}, "^offsets: "),
        ({3: [0, 3, 2]}, "^offsets: "),
        ({4: [0, 7], 5: [0, 2]}, "^tokens: "),
        ({5: []}, "^offsets: "),
        ({6: [0]}, "^pairs: "),
        ({6: [0, 1]}, "^pairs: "),
        ({6: [0, -1]}, "^pairs: "),
    ],
)
def test_what_is_no_tree_is_refused(kernel, change, text):
    given_arrays = [*arrays((0, (), ((1, (), ()),))), np.array([0, 0])]
    for place, values in change.items():
        given_arrays[place] = np.array(values, given_arrays[place].dtype)
    with pytest.raises(ValueError, match=text):
        kernel.tree_distances(*given_arrays, MANY)


def test_trees_that_are_too_large(kernel):
    row = (0, (), tuple((1, (), ()) for _ in range(9)))
    assert listed(kernel.tree_distances(*arrays(row), np.array([0, 0]), 100)) == [0.0]
    assert listed(kernel.tree_distances(*arrays(row), np.array([0, 0]), 99)) == [-1.0]
    assert listed(kernel.tree_mapping(*arrays(row, row), 99)) == []


@pytest.mark.parametrize("depth", [1, 14, 15, 16])
def test_trees_of_too_many_forests(kernel, depth):
    """Leaves beside trees beside leaves: there may be 64 pairs of forests to each of nodes."""
    tree = (0, (), ())
    for _ in range(depth):
        tree = (0, (), ((1, (), ()), tree))
    n_nodes, n_forests = 2 * depth + 1, (depth + 1) ** 2
    assert Tree(*(arrays(tree)[place].tolist() for place in (0, 1)), []).n_forests == n_forests
    least = max(n_nodes**2, -(-(n_forests**2) // 64))
    for most, distance in ((least - 1, -1.0), (least, 0.0), (least + 1, 0.0)):
        assert listed(kernel.tree_distances(*arrays(tree), np.array([0, 0]), most)) == [distance]


@pytest.mark.slow
def test_a_large_table_takes_seconds(compiled):
    def table(shift):
        rows = tuple(
            (1, (), tuple((2, tuple((r * c + shift * i) % 60 for i in range(20)), ()) for c in range(20)))
            for r in range(100)
        )
        return (0, (), rows)

    start = time.process_time()
    [distance] = listed(compiled.tree_distances(*arrays(table(1), table(7)), np.array([0, 1]), 1 << 24))
    assert 0 < distance < 2000
    # Half a second; the sanitizers make it six times as long, and apted takes ten minutes.
    assert time.process_time() - start < 30
