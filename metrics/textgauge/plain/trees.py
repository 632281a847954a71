"""Edit distances of ordered trees: Zhang and Shasha (1989), Simple Fast Algorithms for the Editing Distance."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .integers import Integers, integers

# So many distances of forests may be computed for each one of subtrees.
MOST_FORESTS_PER_PAIR = 64


class Tree:
    """The nodes of a tree in postorder: their labels, their first leaves, and their contents as lists of ids."""

    def __init__(self, labels: Sequence[int], left: Sequence[int], contents: Sequence[Sequence[int]]) -> None:
        """Store them."""
        self.labels, self.left, self.contents = labels, left, contents

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def path_ends(self) -> list[int]:
        """The last node of every path of first children."""
        ends = {first: node for node, first in enumerate(self.left)}
        return sorted(ends.values())

    @property
    def n_forests(self) -> int:
        """How many forests are compared with those of another tree."""
        return sum(end - self.left[end] + 1 for end in self.path_ends)


def tree_distances(
    labels: Integers, left: Integers, contents: Integers, offsets: Integers, tokens: Integers,
    content_offsets: Integers, pairs: Integers, most_pairs: int, n_threads: int = 1,
) -> list[float]:  # fmt: skip
    """Return the least sum of edits that make one tree another, for every pair.

    A node that is left out, put in, or gets another label costs 1; for another content it costs the edits per length of
    the longer content. A pair takes the time of the product of both numbers of forests, which is about four for
    every cell of a table, and the memory of a number for every two nodes.

    Parameters
    ----------
    labels : uint32, shape (n_nodes,)
        Trees one after the other, each with its nodes in postorder.
    left : uint32, shape (n_nodes,)
        The first leaf below each node, or the node itself, counted from the first node of its tree.
    contents : uint32, shape (n_nodes,)
    offsets : int64, shape (n_trees + 1,)
    tokens : uint32, shape (n_tokens,)
        Those of all contents, one after the other, with ids below their number.
    content_offsets : int64, shape (n_contents + 1,)
    pairs : int64, shape (2 * n_pairs,)
        The trees of every pair.
    most_pairs : int
        The distance is -1 where two trees have more pairs of nodes, or 64 times as many pairs of forests.
    n_threads : int

    Examples
    --------
    >>> a, b = [7, 0], [7, 0, 0]
    >>> first_leaves = [0, 0, 0, 1, 0]
    >>> tree_distances([*a[::-1], *b[::-1]], first_leaves, [0] * 5, [0, 2, 5], [], [0, 0], [0, 1], 100)
    [1.0]
    """
    trees = _trees(labels, left, contents, offsets, tokens, content_offsets)
    chosen = integers(pairs)
    if len(chosen) % 2 or not all(0 <= tree < len(trees) for tree in chosen):
        raise ValueError("pairs: expected places of trees, two for every pair")
    return [
        _distance(trees[one], trees[other], most_pairs) for one, other in zip(chosen[::2], chosen[1::2], strict=True)
    ]


def tree_mapping(
    labels: Integers, left: Integers, contents: Integers, offsets: Integers, tokens: Integers,
    content_offsets: Integers, most_pairs: int,
) -> list[list[int]]:  # fmt: skip
    """Return the nodes of two trees that `tree_distances` keeps or changes, in order.

    Of several ways with the same sum, the last nodes are left out or put in, of the first tree before the second.
    Beyond `most_pairs` there are none.

    Examples
    --------
    >>> tree_mapping([0, 7, 0, 0, 7], [0, 0, 0, 1, 0], [0] * 5, [0, 2, 5], [], [0, 0], 100)
    [[0, 0], [1, 2]]
    """
    trees = _trees(labels, left, contents, offsets, tokens, content_offsets)
    if len(trees) != 2:
        raise ValueError("offsets: expected those of two trees")
    one, other = trees
    if not one or not other or _is_too_large(one, other, most_pairs):
        return []
    distances = _distances(one, other)
    found: list[list[int]] = []
    open_pairs = [(len(one) - 1, len(other) - 1)]
    while open_pairs:
        i, j = open_pairs.pop()
        p, q = one.left[i], other.left[j]
        table = _table(one, other, i, j, distances)
        x, y = i - p + 1, j - q + 1
        while x and y:
            u, v = p + x - 1, q + y - 1
            if table[x][y] == table[x - 1][y] + 1:
                x -= 1
            elif table[x][y] == table[x][y - 1] + 1:
                y -= 1
            elif one.left[u] == p and other.left[v] == q:
                found.append([u, v])
                x, y = x - 1, y - 1
            else:
                open_pairs.append((u, v))
                x, y = one.left[u] - p, other.left[v] - q
    return sorted(found)


def _trees(
    labels: Integers, left: Integers, contents: Integers, offsets: Integers, tokens: Integers, content_offsets: Integers
) -> list[Tree]:
    names, firsts, numbers, ids = (integers(values) for values in (labels, left, contents, tokens))
    if not len(names) == len(firsts) == len(numbers):
        raise ValueError("left, contents: expected a number for every label")
    ends, content_ends = integers(offsets), integers(content_offsets)
    for bounds, last in ((ends, len(names)), (content_ends, len(ids))):
        if not bounds or bounds[0] != 0 or bounds[-1] != last or sorted(bounds) != [*bounds]:
            raise ValueError("offsets: expected ascending numbers from 0 to the end")
    texts = [ids[start:stop] for start, stop in _spans(content_ends)]
    if any(number >= len(texts) for number in numbers):
        raise ValueError("contents: expected places of contents")
    if any(token >= len(ids) for token in ids):
        raise ValueError("tokens: expected ids below their number")
    trees = []
    for start, stop in _spans(ends):
        _check(firsts[start:stop])
        trees.append(Tree(names[start:stop], firsts[start:stop], [texts[number] for number in numbers[start:stop]]))
    return trees


def _spans(offsets: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(offsets[:-1], offsets[1:], strict=True)


def _check(left: Sequence[int]) -> None:
    """Raise unless what is below a node stands before it, in whole subtrees."""
    opened: list[int] = []
    for node, first in enumerate(left):
        while opened and opened[-1] > first:
            opened.pop()
        if first == node:
            opened.append(first)
        elif not opened or opened[-1] != first:
            raise ValueError("left: expected the first leaf below every node")
    if len(opened) > 1:
        raise ValueError("left: expected one root for every tree")


def _is_too_large(one: Tree, other: Tree, most_pairs: int) -> bool:
    n_forests = one.n_forests * other.n_forests
    return len(one) * len(other) > most_pairs or n_forests > most_pairs * MOST_FORESTS_PER_PAIR


def _distance(one: Tree, other: Tree, most_pairs: int) -> float:
    if not one or not other:
        return float(len(one) + len(other))
    return -1.0 if _is_too_large(one, other, most_pairs) else _distances(one, other)[-1][-1]


def _distances(one: Tree, other: Tree) -> list[list[float]]:
    """Return the distances of all subtrees."""
    distances = [[0.0] * len(other) for _ in range(len(one))]
    for i in one.path_ends:
        for j in other.path_ends:
            p, q = one.left[i], other.left[j]
            table = _table(one, other, i, j, distances, is_new=True)
            for u in range(p, i + 1):
                for v in range(q, j + 1):
                    if one.left[u] == p and other.left[v] == q:
                        distances[u][v] = table[u - p + 1][v - q + 1]
    return distances


def _table(
    one: Tree, other: Tree, i: int, j: int, distances: Sequence[Sequence[float]], *, is_new: bool = False
) -> list[list[float]]:
    """Return the distances of the forests that begin with the first leaves of i and j, up to each of their nodes.

    `is_new` says that those of subtrees on both paths are yet to be computed.
    """
    p, q = one.left[i], other.left[j]
    table = [[float(y) for y in range(j - q + 2)]]
    for x in range(1, i - p + 2):
        row = [table[-1][0] + 1]
        for y in range(1, j - q + 2):
            u, v = p + x - 1, q + y - 1
            least = min(table[-1][y], row[-1]) + 1
            if one.left[u] != p or other.left[v] != q:
                row.append(min(least, table[one.left[u] - p][other.left[v] - q] + distances[u][v]))
            elif is_new:
                row.append(min(least, table[-1][y - 1] + _cost(one, other, u, v)))
            else:
                row.append(distances[u][v])
        table.append(row)
    return table


def _cost(one: Tree, other: Tree, u: int, v: int) -> float:
    """Return what it costs to make a node another one."""
    if one.labels[u] != other.labels[v]:
        return 1.0
    left, right = one.contents[u], other.contents[v]
    return _edits(left, right) / max(len(left), len(right)) if left or right else 0.0


def _edits(left: Sequence[int], right: Sequence[int]) -> int:
    before = [*range(len(right) + 1)]
    for i, one in enumerate(left, 1):
        row = [i]
        for j, other in enumerate(right, 1):
            row.append(min(before[j - 1] + (one != other), before[j] + 1, row[-1] + 1))
        before = row
    return before[-1]
