"""Where the time of one call goes: a profile of it by the files of textgauge.

What the package does is told from the file that a function stands in; in the file of the masks,
which serve matches and LCS alike, also from whether its name has one of these words. A file that
serves all of several parts (`SHARED`), and what is not textgauge's (NumPy, Arrow, the standard
library), counts for whoever called it. A profile sees one thread: the call is to use no other.
"""

from __future__ import annotations

import cProfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import CodeType
from typing import Any

import textgauge

OTHER = "other"
# The longest name wins: a folder stands for all its files that have no line of their own.
PARTS = {
    "columns to Arrow": ("arrow.py", "checks.py", "columns.py", "elements.py"),
    "text to tokens": ("text/",),
    "keys of tokens": ("text/tokenizers.py",),
    "stems": ("text/stem", "text/porter", "text/sifted.py"),
    "equal words": ("counts/groups.py", "counts/masks.py"),
    "n-gram matches": ("counts/",),
    "LCS": ("counts/lcs.py", "counts/lanes.py", "counts/paths.py", "counts/wide.py", "counts/whole_texts.py"),
    "statistics and scores": ("measures/", "scores/", "resampling/", "signatures.py"),
}
SHARED = ("ragged.py", "text/bytes.py", "counts/bits.py")
BY_NAME = {"counts/masks.py": {"match": "n-gram matches", "lcs": "LCS"}}
PACKAGE = Path(textgauge.__file__).parent

# A function: codes of two files can be equal, so it is known by the identity of its code; by name if it is in C.
Key = int | str
# Who called a function, and what the profiler has of the function when called from there.
Callers = Mapping[Key, list[tuple[CodeType | str, Any]]]
Shares = Mapping[str, float]


def part_of(file: str, function: str = "") -> str | None:
    """Return the part that a function of a file counts for; None if that depends on its caller.

    Examples
    --------
    >>> part_of(str(PACKAGE / "counts" / "lcs.py")), part_of(str(PACKAGE / "counts" / "new.py"))
    ('LCS', 'n-gram matches')
    >>> masks = str(PACKAGE / "counts" / "masks.py")
    >>> part_of(masks, "of"), part_of(masks, "lcs_lengths")
    ('equal words', 'LCS')
    >>> part_of(str(PACKAGE / "ragged.py")) is part_of("numpy/sort.py") is None
    True
    """
    if not Path(file).is_relative_to(PACKAGE):
        return None
    name = Path(file).relative_to(PACKAGE).as_posix()
    if name in SHARED:
        return None
    named = [part for word, part in BY_NAME.get(name, {}).items() if word in function]
    found = [(len(start), part) for part, starts in PARTS.items() for start in starts if name.startswith(start)]
    return named[0] if named else max(found)[1] if found else OTHER


def profiled(call: Callable[[], Any], n_calls: int) -> tuple[dict[str, float], float]:
    """Return the seconds of one call by part, and all of them by the clock, both under the profiler."""
    # Functions in C count as part of those that call them.
    profiler = cProfile.Profile(builtins=False)
    started = time.perf_counter()
    profiler.enable()
    try:
        for _ in range(n_calls):
            call()
    finally:
        profiler.disable()
    seconds = time.perf_counter() - started
    return {part: spent / n_calls for part, spent in by_part(profiler.getstats(), seconds).items()}, seconds / n_calls


def by_part(profile: Iterable[Any], seconds: float) -> dict[str, float]:
    """Add up the entries of a profile; what it does not have of `seconds` is "other".

    Parameters
    ----------
    profile : entries as `cProfile.Profile.getstats` gives them
        Of a function `code`, `inlinetime` without what it calls, and `calls`, the same of each
        function that it called, for those calls.
    """
    entries = list(profile)
    callers: dict[Key, list[tuple[CodeType | str, Any]]] = {}
    for entry in entries:
        for called in entry.calls or ():
            callers.setdefault(_key(called.code), []).append((entry.code, called))
    spent = {part: 0.0 for part in PARTS}
    for entry in entries:
        own = _own_part(entry.code)
        shares = {own: entry.inlinetime} if own else _of_callers(entry.code, callers)
        for part, share in shares.items():
            if part != OTHER:
                spent[part] += share
    return {**spent, OTHER: seconds - sum(spent.values())}


def _key(code: CodeType | str) -> Key:
    return id(code) if isinstance(code, CodeType) else code


def _own_part(code: CodeType | str) -> str | None:
    return part_of(code.co_filename, code.co_name) if isinstance(code, CodeType) else None


def _of_callers(code: CodeType | str, callers: Callers) -> Shares:
    """Divide the time inside a function among the parts that called it."""
    spent: dict[str, float] = {}
    for caller, called in callers.get(_key(code), ()):
        for part, share in _weights(caller, callers, {_key(code)}).items():
            spent[part] = spent.get(part, 0.0) + share * called.inlinetime
    return spent


def _weights(code: CodeType | str, callers: Callers, below: set[Key]) -> Shares:
    """Say for which parts a function works: shares that sum to 1, by the time that each caller waits for it."""
    own = _own_part(code)
    above = [(caller, called) for caller, called in callers.get(_key(code), ()) if _key(caller) not in below]
    total = sum(called.totaltime for _, called in above)
    if own or total <= 0:
        return {own or OTHER: 1.0}
    weights: dict[str, float] = {}
    for caller, called in above:
        for part, share in _weights(caller, callers, {*below, _key(code)}).items():
            weights[part] = weights.get(part, 0.0) + share * called.totaltime / total
    return weights
