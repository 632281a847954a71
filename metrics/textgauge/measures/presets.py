"""BLEU as other tools mean it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Preset:
    """The options that tools set differently; `BleuOptions` and `Bleu` say what they mean.

    All of them have `max_order` 4, uniform weights and no effective order.
    """

    tokenizer: str = "13a"
    lowercase: bool | str = False
    strip: bool = False
    reference_length: str = "closest"
    smoothing: str = "none"
    smooth_value: float | None = None
    counting: str = "plain"


PRESETS = {
    "evaluate": Preset(reference_length="shortest"),
    "sacrebleu": Preset(strip=True, smoothing="exp", counting="sacrebleu"),
    # Text comes to nltk in tokens, mostly those of str.split; its method 0 puts the smallest
    # normal float64 in place of a precision of 0.
    "nltk": Preset("whitespace", smoothing="epsilon", smooth_value=sys.float_info.min, counting="nltk"),
    # The script as called without options: case-insensitive, A to Z only, smoothed.
    "mteval-v13a": Preset(lowercase="ascii", smoothing="exp", counting="mteval"),
    "moses": Preset("ascii-whitespace"),
}


def given(value: Any, of_preset: Any) -> Any:
    """Return an option as it was given, or as the preset has it."""
    return of_preset if value is None else value
