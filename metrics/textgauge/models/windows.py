"""The windows of a token sequence, and the tokens that each window scores."""

from __future__ import annotations

from typing import NamedTuple


class Window(NamedTuple):
    """Tokens `start` to `stop` of a sequence; those from `first` on are scored."""

    start: int
    stop: int
    first: int


def windows(n_tokens: int, first: int, size: int | None, stride: int | None) -> list[Window]:
    """Cover the tokens from `first` to `n_tokens`, each of them scored in one window.

    Parameters
    ----------
    n_tokens : int
    first : int
        The first token that is scored, at least 1.
    size : int or None
        The longest window; None: no limit.
    stride : int or None
        Tokens that each window after the first adds, fewer than `size`; None: one window.

    Examples
    --------
    >>> [tuple(window) for window in windows(10, 1, size=4, stride=3)]
    [(0, 4, 1), (3, 7, 4), (6, 10, 7)]
    >>> [tuple(window) for window in windows(6, 5, size=4, stride=1)]     # a long prefix
    [(2, 6, 5)]
    """
    if first >= n_tokens:
        return []
    if size is None or stride is None:
        return [Window(0, n_tokens, first)]
    covered: list[Window] = []
    stop = min(n_tokens, max(size, first + stride))
    while first < n_tokens:
        covered.append(Window(max(0, stop - size), stop, first))
        first, stop = stop, min(n_tokens, stop + stride)
    return covered
