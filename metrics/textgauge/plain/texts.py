"""A column of texts, every one of them a `str` that UTF-8 can write."""

# `holder` is there for the kernel, whose arguments are the same.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .characters import CASED
from .integers import Integers, ascend, check_offsets, integers, offsets_of


class Texts:
    """A column of texts; immutable.

    Parameters
    ----------
    values : sequence of str, shape (n_texts,)
        Checked before, see `texts`.

    Examples
    --------
    >>> column = Texts(["the cat", "  ", "caf\u00e9"])
    >>> len(column), column[-1], column.lengths()
    (3, 'caf\u00e9', [7, 2, 5])
    >>> column.take([1, 0, 0]).tolist()
    ['  ', 'the cat', 'the cat']
    """

    __slots__ = ("_values",)

    def __init__(self, values: Sequence[str]) -> None:
        self._values = tuple(values)

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, row: int) -> str:
        return self._values[row]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def tolist(self) -> list[str]:
        """Return all texts as a list."""
        return list(self._values)

    def slice(self, start: int, stop: int) -> Texts:
        """Return the texts from `start` up to and without `stop`, as slices of lists do."""
        return Texts(self._values[start:stop])

    def take(self, rows: Integers) -> Texts:
        """Return the texts of some rows, in that order, repeats allowed.

        Raises
        ------
        IndexError
            If a row is below 0 or beyond the column.
        """
        return Texts([self._values[row] for row in self._checked(rows)])

    def with_rows(self, rows: Integers, values: Sequence[str]) -> Texts:
        """Return the same column with other texts in some rows.

        Raises
        ------
        IndexError
            If a row is below 0 or beyond the column.
        ValueError
            If there are not as many values as rows.
        """
        changed = list(self._values)
        for row, value in zip(self._checked(rows), values, strict=True):
            changed[row] = value
        return Texts(changed)

    def _checked(self, rows: Integers) -> list[int]:
        chosen = integers(rows)
        if any(not 0 <= row < len(self) for row in chosen):
            raise IndexError(f"rows: expected numbers from 0 to {len(self) - 1}")
        return chosen

    def outside_ascii(self) -> list[int]:
        """Return the rows that have a character outside ASCII, ascending."""
        return [row for row, text in enumerate(self._values) if not text.isascii()]

    def cased(self, characters: Sequence[int]) -> list[int]:
        """Return the rows that have a character outside ASCII of which there is another case, ascending.

        Parameters
        ----------
        characters : uint8, shape (0x110000,)
            The table of `character_table`, filled in for these texts, which says what `str.lower`
            or `str.casefold` changes.
        """
        return [
            row
            for row, text in enumerate(self._values)
            if any(characters[ord(c)] & CASED for c in text if not c.isascii())
        ]

    def code_pages(self) -> list[int]:
        """Return the pages of 256 code points that all characters outside ASCII lie in, ascending."""
        characters = {character for text in self._values if not text.isascii() for character in text}
        return sorted({ord(character) >> 8 for character in characters if not character.isascii()})

    def lengths(self) -> list[int]:
        """Return how many bytes of UTF-8 every text has: shape (n_texts,)."""
        return [len(text) if text.isascii() else len(text.encode()) for text in self._values]

    def join(self) -> tuple[list[int], bytes]:
        """Return the offsets of the texts, shape (n_texts + 1,), and all their bytes, one text behind the other."""
        return joined(self._values)

    def blank(self) -> list[bool]:
        """Say which texts are empty or white space only: shape (n_texts,)."""
        return [not text or text.isspace() for text in self._values]


def joined(values: Sequence[str]) -> tuple[list[int], bytes]:
    """Return the offsets of texts in their bytes, shape (n + 1,), and the bytes."""
    encoded = [value.encode() for value in values]
    return offsets_of(map(len, encoded)), b"".join(encoded)


def texts(values: list[Any] | tuple[Any, ...]) -> Texts | int:
    r"""Make a column, or return the position of the first element that is no text.

    Texts are instances of `str` without a lone surrogate, which UTF-8 cannot write.

    Parameters
    ----------
    values : list or tuple, shape (n_texts,)

    Returns
    -------
    Texts or int

    Examples
    --------
    >>> texts(["a", "b"]).tolist()
    ['a', 'b']
    >>> texts(["a", None]), texts(["\ud800"])
    (1, 0)
    """
    # Another thread may change a list while it is read.
    given = tuple(values)
    for position, value in enumerate(given):
        if not _is_text(value):
            return position
    return Texts(_exact(given))


def nested_texts(values: list[Any] | tuple[Any, ...]) -> tuple[Texts, list[int]] | int:
    """Make one column of lists of texts, or return the position of the first that is no such list.

    Parameters
    ----------
    values : list or tuple of lists or tuples of str, shape (n_segments,)
        With at least one text each.

    Returns
    -------
    (Texts, offsets of shape (n_segments + 1,)) or int

    Examples
    --------
    >>> flat, offsets = nested_texts([["a", "b"], ["c"]])
    >>> flat.tolist(), offsets
    (['a', 'b', 'c'], [0, 2, 3])
    >>> nested_texts([["a"], []]), nested_texts(["a"])
    (1, 0)
    """
    lists: list[tuple[Any, ...]] = []
    for position, value in enumerate(tuple(values)):
        given = tuple(value) if isinstance(value, (list, tuple)) else ()
        if not given or not all(map(_is_text, given)):
            return position
        lists.append(given)
    return Texts([text for given in lists for text in _exact(given)]), offsets_of(map(len, lists))


def arrow_texts(offsets: Integers, data: Any, holder: object) -> Texts:
    """Make a column of the buffers of an Arrow string array, whose UTF-8 was checked before.

    Parameters
    ----------
    offsets : int32 or int64, shape (n_texts + 1,)
        Into `data`.
    data : uint8, shape (n_bytes,)
    holder : object
        What owns the buffers; the kernel keeps it alive, here texts are copies.

    Raises
    ------
    ValueError
        If offsets are not ascending inside `data`.

    Examples
    --------
    >>> arrow_texts([0, 3, 3], b"cat", None).tolist()
    ['cat', '']
    """
    bounds, raw = integers(offsets), bytes(memoryview(data))
    if not bounds or bounds[0] < 0 or bounds[-1] > len(raw) or not ascend(bounds):
        raise ValueError(f"offsets: expected ascending numbers from 0 to {len(raw)}")
    return Texts([raw[start:stop].decode() for start, stop in zip(bounds, bounds[1:], strict=False)])


def stripped(texts: Texts) -> Texts:
    """Return texts without the white space at their ends, as `str.rstrip` does.

    Examples
    --------
    >>> stripped(Texts([" a b  "])).tolist()
    [' a b']
    """
    return Texts([text.rstrip() for text in texts])


def checked_bounds(offsets: Integers, n_hypotheses: int, n_references: int) -> list[int]:
    """Return the offsets of the references of every hypothesis, which must give every reference away.

    Raises
    ------
    ValueError
        If they do not fit the texts.
    """
    bounds = integers(offsets)
    check_offsets("reference_offsets", bounds, n_references)
    if len(bounds) != n_hypotheses + 1:
        raise ValueError("reference_offsets: expected one number more than there are hypotheses")
    return bounds


def texts_of_segments(hypotheses: Texts, references: Texts, bounds: Sequence[int]) -> Iterator[list[str]]:
    """Yield the texts of every segment, the hypothesis first."""
    flat = references.tolist()
    for hypothesis, start, stop in zip(hypotheses, bounds, bounds[1:], strict=False):
        yield [hypothesis, *flat[start:stop]]


def _is_text(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        return str.isascii(value) or str.encode(value) is not None
    except UnicodeEncodeError:
        return False


def _exact(values: Sequence[str]) -> list[str]:
    """Return plain `str`: a subclass may have methods of its own."""
    return [value if type(value) is str else str.__str__(value) for value in values]
