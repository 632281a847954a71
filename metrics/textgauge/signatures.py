"""Signatures: one line that says exactly what was computed, in the form of sacreBLEU's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .checks import printable
from .version import __version__


def signature(n_references: frozenset[int] | None, parts: dict[str, str]) -> str:
    """Return the fields of a signature as one line.

    Parameters
    ----------
    n_references : frozenset of int or None
        The union of `Corpus.n_references` over the batches, shown as "var" if they differ. None for
        a metric without references.
    parts : dict
        Key and value of every field, in order.

    Examples
    --------
    >>> signature(frozenset({1}), {"case": "mixed", "tok": "13a"}).rsplit("|", 1)[0]
    'nrefs:1|case:mixed|tok:13a'
    """
    n = {} if n_references is None else {"nrefs": "var" if len(n_references) > 1 else str(*n_references)}
    items = {**n, **parts, "version": f"textgauge-{__version__}"}
    return "|".join(map(":".join, items.items()))


# The keys of signatures for names of options that metrics have in common.
_SHORT = {
    "tokenizer": "tok", "normalizer": "norm", "lowercase": "case", "max_order": "order", "counting": "count",
    "reference_length": "reflen",
}  # fmt: skip


def fields_of(settings: Mapping[str, Any]) -> dict[str, str]:
    r"""Return options, or the values that they stand for, as the fields of a signature.

    Examples
    --------
    >>> fields_of({"lowercase": True, "max_order": 4, "stem": False, "weights": (0.5, 1), "aligner": None})
    {'case': 'lc', 'order': '4', 'stem': 'no', 'weights': '0.5,1', 'aligner': 'none'}

    What users write cannot look like another field:

    >>> fields_of({"regexes": ["a|norm:squad", "\n"], "names": []})
    {'regexes': 'a\\|norm:squad,\\n', 'names': 'none'}
    """
    cases = {True: "lc", False: "mixed"}
    return {
        _SHORT.get(name, name): cases.get(value, str(value)) if name == "lowercase" else _shown(value)
        for name, value in settings.items()
    }


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return yes_no(value)
    if isinstance(value, (list, tuple)):
        return ",".join(map(_shown, value)) or "none"
    if isinstance(value, str):
        return printable(value).replace("|", r"\|")
    if value is None:
        return "none"
    # A tokenizer, a normalizer, a function.
    named = getattr(value, "signature", None) or getattr(value, "name", None) or getattr(value, "__name__", None)
    return str(value) if named is None else str(named)


def resampled(line: str, n_resamples: int, seed: int | None, unit: Any = None, test: str = "bs") -> str:
    """Add the resamples behind an interval or a p-value to a signature, where sacreBLEU has them.

    Parameters
    ----------
    unit : Units, or None for segments
        What is drawn: its name, and how many there are.
    test : "bs" for a bootstrap, "ar" for a permutation test

    Examples
    --------
    >>> resampled("nrefs:1|case:mixed", 1000, 12345), resampled("model:ngrams", 99, 1)
    ('nrefs:1|bs:1000|seed:12345|case:mixed', 'bs:99|seed:1|model:ngrams')
    """
    head, bar, rest = line.partition("|") if line.startswith("nrefs:") else ("", "", line)
    units = "" if unit is None else f"unit:{_shown(unit.name)}|units:{len(unit)}|"
    return f"{head}{bar}{test}:{n_resamples}|seed:{seed}|{units}{rest}"


def with_interval(line: str, bootstrap: Any) -> str:
    """Return the signature of a result: with the resamples of its interval, if `BootstrapOptions` has one."""
    return (
        line if bootstrap.confidence is None else resampled(line, bootstrap.n_resamples, bootstrap.seed, bootstrap.unit)
    )


def number(value: float) -> str:
    """Format a number with two decimals, as sacreBLEU does, or with all if two are not exact.

    Examples
    --------
    >>> number(0.1), number(1e-10)
    ('0.10', '1e-10')
    """
    short = f"{value:.2f}"
    return short if float(short) == value else repr(value)


def yes_no(value: bool) -> str:
    """Format a flag as sacreBLEU does."""
    return "yes" if value else "no"
