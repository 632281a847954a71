"""What the library refuses, as one line and exit code 2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .files import InputError


@contextmanager
def refusals(owner: str) -> Iterator[None]:
    """Turn errors of the library about input, options and missing packages into one line that names the metric."""
    try:
        yield
    except (ArithmeticError, ImportError, OSError, TypeError, ValueError) as error:
        raise InputError(f"{owner}: {error}") from error
