"""The number of threads of one call."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from .checks import fail, shown

# To start a thread takes as long as scoring 5 to 30 KiB of text.
BYTES_OF_A_THREAD = 1 << 15
# None until it is asked for.
_limit: int | None = None
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def set_num_threads(n_threads: int | None) -> None:
    """Set the number of threads that one call may use; results are the same to the last bit.

    A call starts no more threads than its texts are worth: one below 64 KiB of text.

    Parameters
    ----------
    n_threads : int or None
        1 starts no threads. None, the initial value, is one per processor that this process may
        use, or fewer if ``OMP_NUM_THREADS`` or ``OMP_THREAD_LIMIT`` is smaller: both are read
        once, by the next call. Worker processes share the machine: set 1 in each of them. After
        a change of the environment or of the processors of a process, set None again.

    Raises
    ------
    ValueError
        If `n_threads` is less than 1.

    Examples
    --------
    >>> set_num_threads(1)
    >>> get_num_threads()
    1
    >>> set_num_threads(None)
    """
    global _limit
    if n_threads is not None and (type(n_threads) is not int or n_threads < 1):
        fail(ValueError, "n_threads", "a whole number of at least 1, or None", shown(n_threads))
    _limit = n_threads


def get_num_threads() -> int:
    """Return the number of threads that one call may use; a forked process has that of its parent."""
    global _limit
    if _limit is None:
        _limit = _usable()
    return _limit


def threads_for(n_segments: int, n_bytes: int) -> int:
    """Return the number of useful threads for segments of so many bytes of text in all.

    Examples
    --------
    >>> threads_for(8, 2_000)
    1
    """
    worth = min(n_segments, n_bytes // BYTES_OF_A_THREAD)
    return 1 if worth < 2 else min(get_num_threads(), worth)


def in_threads(work: Callable[[_Item], _Result], items: Sequence[_Item], n_threads: int) -> Iterator[_Result]:
    """Yield work(item) of every item, in order; after an error or Ctrl-C, no more of them are begun.

    At most two results for each thread wait to be taken.

    Examples
    --------
    >>> list(in_threads(abs, [-1, 2, -3], n_threads=2))
    [1, 2, 3]
    """
    if n_threads < 2 or len(items) < 2:
        yield from map(work, items)
        return
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(n_threads)
    try:
        ahead = [pool.submit(work, item) for item in items[: 2 * n_threads]]
        for i in range(len(items)):
            yield ahead[i % len(ahead)].result()
            if i + len(ahead) < len(items):
                ahead[i % len(ahead)] = pool.submit(work, items[i + len(ahead)])
    finally:
        pool.shutdown(cancel_futures=True)


def all_in_threads(work: Callable[[_Item], _Result], items: Sequence[_Item], n_threads: int) -> list[_Result]:
    """Return work(item) of every item, in order, on threads of which the caller is one; else as `in_threads`.

    No thread waits for another before all items are begun, so that short ones keep all of them busy.

    Examples
    --------
    >>> all_in_threads(abs, [-1, 2, -3], n_threads=2)
    [1, 2, 3]
    """
    if n_threads < 2 or len(items) < 2:
        return [*map(work, items)]
    from concurrent.futures import ThreadPoolExecutor
    from threading import Lock

    left, lock = iter(range(len(items))), Lock()
    results: dict[int, _Result] = {}

    def work_on() -> None:
        while True:
            with lock:
                place = next(left, None)
            if place is None:
                return
            try:
                results[place] = work(items[place])
            except BaseException:
                stop()
                raise

    def stop() -> None:
        with lock:
            for _ in left:
                pass

    with ThreadPoolExecutor(n_threads - 1) as pool:
        others = [pool.submit(work_on) for _ in range(min(n_threads, len(items)) - 1)]
        try:
            work_on()
        finally:
            # Also where Ctrl-C came between two items.
            stop()
        for other in others:
            other.result()
    return [results[place] for place in range(len(items))]


def _usable() -> int:
    # OpenMP allows a list, with a number per level of nesting.
    limits = [os.environ.get(name, "").partition(",")[0].strip() for name in ("OMP_NUM_THREADS", "OMP_THREAD_LIMIT")]
    return min([_processors(), *(int(limit) for limit in limits if limit.isdecimal() and int(limit) > 0)])


def _processors() -> int:
    # Not available on every system.
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
