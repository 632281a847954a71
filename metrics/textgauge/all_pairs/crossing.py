"""Names of `textgauge.all_pairs.counts` in the last release, which are accepted with a warning until the next."""

from __future__ import annotations

import warnings
from typing import Any

from . import counts

_NAMES = {"Sides": "Roles", "Crossing": "PairCounts", "CrossedCounts": "BlockCounts", "CrossedRows": "PairRows"}


def __getattr__(name: str) -> Any:
    new = _NAMES.get(name, name)
    value = getattr(counts, new)
    if not name.startswith("_"):
        text = f"{__name__}.{name} is textgauge.all_pairs.counts.{new} now; the old name is accepted in 0.2 only."
        warnings.warn(text, DeprecationWarning, stacklevel=2)
    return value
