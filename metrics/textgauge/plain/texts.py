"""Columns of texts: every text is a `str` that UTF-8 can encode."""

# `holder` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .characters import CASED, KNOWN
from .integers import Integers, ascend, check_offsets, integers, offsets_of


class Texts:
    """A column of texts; immutable.

    Parameters
    ----------
    values : sequence of str, shape (n_texts,)
        Valid texts; see `texts`.

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

    def __add__(self, other: Texts) -> Texts:
        """Return the texts of both, one column behind the other."""
        return Texts([*self, *other]) if isinstance(other, Texts) else NotImplemented

    def tolist(self) -> list[str]:
        """Return all texts as a list."""
        return list(self._values)

    def slice(self, start: int, stop: int) -> Texts:
        """Return the texts from `start` to `stop`, exclusive."""
        return Texts(self._values[start:stop])

    def take(self, rows: Integers) -> Texts:
        """Return the texts of some rows, in that order, repeats allowed.

        Raises
        ------
        IndexError
            If a row is below 0 or beyond the column.
        """
        return Texts([self._values[row] for row in self._checked(rows)])

    def _checked(self, rows: Integers) -> list[int]:
        chosen = integers(rows)
        if any(not 0 <= row < len(self) for row in chosen):
            raise IndexError(f"rows: expected numbers from 0 to {len(self) - 1}")
        return chosen

    def lengths(self) -> list[int]:
        """Return the number of UTF-8 bytes of every text: shape (n_texts,)."""
        return [len(text) if text.isascii() else len(text.encode()) for text in self._values]

    @property
    def n_bytes(self) -> int:
        """The number of UTF-8 bytes of all texts."""
        return sum(self.lengths())

    def beginnings(self, n_texts: int, n_bytes: int) -> bytes:
        r"""Return the first bytes of the first texts, a line each; characters are never split.

        Parameters
        ----------
        n_texts, n_bytes : int
            At least 0.

        Examples
        --------
        >>> Texts(["the cat", "caf\u00e9", "x"]).beginnings(2, 4)
        b'the \ncaf\n'
        """
        encoded = (text.encode()[:n_bytes].decode(errors="ignore") for text in self._values[:n_texts])
        return "".join(f"{text}\n" for text in encoded).encode()

    def join(self) -> tuple[list[int], bytes]:
        """Return the offsets of the texts, shape (n_texts + 1,), and their concatenated bytes."""
        return joined(self._values)

    def blank(self) -> list[bool]:
        """Return which texts are empty or only white space: shape (n_texts,)."""
        return [not text or text.isspace() for text in self._values]


def joined(values: Sequence[str]) -> tuple[list[int], bytes]:
    """Return the offsets of texts in their bytes, shape (n + 1,), and the bytes."""
    encoded = [value.encode() for value in values]
    return offsets_of(map(len, encoded)), b"".join(encoded)


def texts(values: list[Any] | tuple[Any, ...]) -> Texts | int:
    r"""Return a column, or the position of the first element that is not text.

    Texts are instances of `str` without lone surrogates, which UTF-8 cannot encode.

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
    # Copied, since another thread may change the list.
    given = tuple(values)
    for position, value in enumerate(given):
        if not _is_text(value):
            return position
    return Texts(_exact(given))


def nested_texts(values: list[Any] | tuple[Any, ...]) -> tuple[Texts, list[int]] | int:
    """Return one column of all texts in lists, or the position of the first element that is not a list of texts.

    Parameters
    ----------
    values : list or tuple of lists or tuples of str, shape (n_segments,)
        At least one text each.

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
    """Return a column of the buffers of an Arrow string array with valid UTF-8.

    Parameters
    ----------
    offsets : int32 or int64, shape (n_texts + 1,)
        Into `data`.
    data : uint8, shape (n_bytes,)
    holder : object
        The owner of the buffers, which the compiled kernel keeps alive; here texts are copies.

    Raises
    ------
    ValueError
        If the offsets are not ascending within `data`.

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
    """Return texts without trailing white space, as `str.rstrip` does.

    Examples
    --------
    >>> stripped(Texts([" a b  "])).tolist()
    [' a b']
    """
    return Texts([text.rstrip() for text in texts])


def equal_pairs(hypotheses: Texts, references: Texts, reference_offsets: Integers | None) -> list[int]:
    """Return 1 for every hypothesis and a reference of its segment that are equal, else 0: shape (n_pairs,).

    Examples
    --------
    >>> equal_pairs(Texts(["a", "b"]), Texts(["a", "c", "b"]), [0, 1, 3])
    [1, 0, 1]
    """
    bounds = checked_bounds(reference_offsets, len(hypotheses), len(references))
    segments = zip(hypotheses, bounds, bounds[1:], strict=False)
    return [int(text == references[row]) for text, first, last in segments for row in range(first, last)]


def folded(
    texts: Texts, characters: Sequence[int], fill_page: Callable[[int], Any], fold: Callable[[str], str] | None,
    n_threads: int = 1,  # noqa: ARG001
) -> Texts:  # fmt: skip
    """Return texts with their words folded that have a cased character outside ASCII.

    A word is what stands between spaces.

    Parameters
    ----------
    texts : Texts
    characters : uint8, shape (0x110000,)
        See `character_table`.
    fill_page : callable int -> None
        Fills a page of that table; called for characters that it does not know yet, of the results as well.
    fold : callable str -> str, optional
        `str.lower`, for one. Without it the table is filled, and no text changes.

    Examples
    --------
    >>> from textgauge.plain.characters import character_table, fill_page
    >>> folded(Texts(["A \u00c9T\u00c9"]), character_table(), fill_page, str.lower).tolist()
    ['A \u00e9t\u00e9']
    """

    def is_cased(word: str) -> bool:
        wide = {ord(character) for character in word if not character.isascii()}
        for page in {code >> 8 for code in wide if not characters[code] & KNOWN}:
            fill_page(page)
        return any(characters[code] & CASED for code in wide)

    def changed(word: str) -> str:
        if not is_cased(word) or fold is None:
            return word
        result = fold(word)
        is_cased(result)
        return result

    return Texts([text if text.isascii() else " ".join(map(changed, text.split(" "))) for text in texts])


def checked_bounds(offsets: Integers | None, n_hypotheses: int, n_references: int) -> list[int]:
    """Return the checked offsets of references, which must cover all of them; None: each hypothesis has one.

    Raises
    ------
    ValueError
        If they do not fit the texts.
    """
    bounds = list(range(n_hypotheses + 1)) if offsets is None else integers(offsets)
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
    """Return plain `str`: a subclass may override methods."""
    return [value if type(value) is str else str.__str__(value) for value in values]
