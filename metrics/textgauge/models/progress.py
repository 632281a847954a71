"""A progress bar for long runs of a model."""

from __future__ import annotations

from typing import Any

SECONDS_BEFORE_BAR = 3


def bar_of(n_texts: int, name: str, delay: float | None = None) -> Any:
    """Return a bar of tqdm that counts texts, on stderr or in a notebook; it appears after `delay` seconds, None: 3."""
    from tqdm.auto import tqdm

    delay = SECONDS_BEFORE_BAR if delay is None else delay
    return tqdm(total=n_texts, desc=name, unit="text", delay=delay, leave=False)
