"""The chunks of a corpus on several threads, for as long as one call lasts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pyarrow as pa

from .checks import fail, shown

# NumPy works without Python's lock, but what lies between its steps does not: more threads wait for each other.
_USEFUL_THREADS = 2
_limit: int | None = None
_Chunk = TypeVar("_Chunk")
_Result = TypeVar("_Result")


def set_num_threads(n_threads: int | None) -> None:
    """Say how many threads one call may use to count a corpus; the results are the same to the last bit.

    Parameters
    ----------
    n_threads : int or None
        1 starts no thread at all. None, as at the start, is two threads where the machine
        has them for this process, as pyarrow counts (it obeys ``OMP_NUM_THREADS`` and
        ``OMP_THREAD_LIMIT``). Worker processes share the machine: give each of them 1.

    Raises
    ------
    ValueError
        Below 1.

    Examples
    --------
    >>> set_num_threads(1)
    >>> get_num_threads()
    1
    >>> set_num_threads(None)
    """
    global _limit
    if n_threads is not None and (type(n_threads) is not int or n_threads < 1):
        fail(ValueError, "n_threads", "a whole number from 1 on, or None", shown(n_threads))
    _limit = n_threads


def get_num_threads() -> int:
    """Return how many threads one call may use."""
    return _limit or min(pa.cpu_count(), _USEFUL_THREADS)


def in_order(function: Callable[[_Chunk], _Result], chunks: Iterable[_Chunk], *, alone: bool) -> list[_Result]:
    """Apply a function to every chunk and return the results in the order of the chunks.

    No thread outlives the call, so that a fork after it finds none. `alone` is for functions
    that call the user's code, which may not bear threads.
    """
    pieces: list[Any] = list(chunks)
    n_threads = min(get_num_threads(), len(pieces))
    if alone or n_threads < 2:
        return [function(piece) for piece in pieces]
    with ThreadPoolExecutor(n_threads) as pool:
        try:
            results = pool.map(function, pieces)
        except RuntimeError:
            # No thread can be started: the interpreter is ending, or the system has no more.
            return [function(piece) for piece in pieces]
        # Ctrl-C, or an error, ends this list: what has not begun is cancelled with it.
        return list(results)
