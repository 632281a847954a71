"""Sets of texts: a segment for every group."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import IntArray, lengths_of, offsets_of
from ..checks import fail, has_elements, shown
from .columns import Corpus, TextColumn, nested_column, text_column

if TYPE_CHECKING:
    from ..plain import Texts


@dataclass
class Groups(Corpus):
    """A segment for every group: its first text, and the others as references.

    Attributes
    ----------
    input_order : int64, shape (n_texts,)
        The position in the input of every text, group after group; empty for a list of texts per group.
    """

    input_order: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))

    def place(self, side: int, row: int) -> str:
        """Name a text by its position in the input."""
        group = row if side == 0 else int(np.searchsorted(self.reference_offsets, row, side="right")) - 1
        first = int(self.reference_offsets[group]) + group
        text = first if side == 0 else row + group + 1
        if len(self.input_order):
            return f"predictions[{self.input_order[text]}]"
        return f"predictions[{group}][{text - first}]"


def groups_of(predictions: TextColumn | Iterable[Sequence[str]], groups: Iterable[Hashable] | None = None) -> Corpus:
    """Check texts, and return a segment for every group: its first text, and the others as references.

    Parameters
    ----------
    predictions : iterable of str, or of lists of str
        One group, or a list for every group.
    groups : iterable, optional
        The key of the group of every text; groups are in the order of their first texts.
    """
    # Read once more where a group is too small.
    groups = list(groups) if isinstance(groups, Iterator) else groups
    texts, offsets, order = _grouped(predictions, groups)
    lengths = lengths_of(offsets)
    if len(texts) == 0 or (lengths < 2).any():
        _refuse_small(lengths, groups)
    if len(lengths) == 1:
        sides = texts.slice(0, 1), texts.slice(1, len(texts))
    else:
        is_first = np.zeros(len(texts), bool)
        is_first[offsets[:-1]] = True
        sides = texts.take(np.flatnonzero(is_first)), texts.take(np.flatnonzero(~is_first))
    return Groups(*sides, offsets - np.arange(len(offsets)), input_order=order)


def _grouped(predictions: Any, groups: Any) -> tuple[Texts, IntArray, IntArray]:
    """Return the texts group after group, the offsets of the groups, and where texts of no lists were before."""
    if isinstance(predictions, Iterator):
        predictions = list(predictions)
    try:
        texts = text_column(predictions, "predictions")
    except TypeError:
        if groups is not None:
            raise
        return *nested_column(predictions, "predictions"), np.zeros(0, np.int64)
    if groups is None:
        return texts, offsets_of([len(texts)]), np.arange(len(texts))
    keys = keys_of(groups)
    if len(keys) != len(texts):
        fail(ValueError, "groups", f"as many keys as predictions ({len(texts)})", str(len(keys)))
    number: dict[Any, int] = {}
    group_of = np.array([number.setdefault(key, len(number)) for key in keys], np.int64)
    order = np.argsort(group_of, kind="stable")
    return texts.take(order), offsets_of(np.bincount(group_of, minlength=1)), order


def keys_of(groups: Any) -> list[Any]:
    """Return the keys of groups as a list; refuse what is no column of hashable values."""
    if isinstance(groups, (str, bytes, Mapping, set, frozenset)) or not has_elements(groups):
        fail(TypeError, "groups", "a column with the key of every text's group", shown(groups))
    # Arrays become Python values, which compare faster.
    listed = getattr(groups, "to_pylist", getattr(groups, "tolist", None))
    keys = list(groups) if listed is None else listed()
    for position, key in enumerate(keys):
        try:
            hash(key)
        except TypeError:
            fail(TypeError, f"groups[{position}]", "a key such as a str or an int", shown(key))
        # NaN is not equal to itself.
        if key is None or key != key:
            fail(ValueError, f"groups[{position}]", "a key", shown(key))
    return keys


def _refuse_small(lengths: IntArray, groups: Any) -> None:
    """Raise for the first group that has no pair of texts."""
    place = int(np.argmax(lengths < 2))
    if len(lengths) < 2:
        fail(ValueError, "predictions", "at least 2 texts", str(int(lengths.sum())))
    if groups is None:
        fail(ValueError, f"predictions[{place}]", "at least 2 texts in every group", "1")
    key = list(dict.fromkeys(keys_of(groups)))[place]
    fail(ValueError, "groups", "at least 2 texts of every key", f"1 of {shown(key)}")
