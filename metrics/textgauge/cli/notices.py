"""Warnings of the library as lines on stderr."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from ..checks import printable


@contextmanager
def notices() -> Iterator[None]:
    """Print each warning of the block once, when it ends well."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield
    for message in merged([str(warning.message) for warning in caught]):
        click.echo(f"textgauge: warning: {printable(message)}", err=True)


def merged(messages: Sequence[str]) -> list[str]:
    """Add up the counts of warnings that say the same of several batches.

    Examples
    --------
    >>> merged(["2 texts are empty", "3 texts are empty"])
    ['5 texts are empty']
    """
    counts: Counter[str] = Counter()
    for message in messages:
        number, text = re.fullmatch(r"(\d*)(.*)", message, re.DOTALL).groups()  # type: ignore[union-attr]
        counts[text] += int(number or 0)
    return [f"{count or ''}{text}" for text, count in counts.items()]
