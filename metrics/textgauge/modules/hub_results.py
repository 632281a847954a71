"""Results under the keys of the Hub's modules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..accumulation.accumulator import Accumulator
from ..checks import fail, shown


def as_arrays(result: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """Return a result with the lists under some keys as arrays, as the Hub's module has them."""
    return {key: np.array(value) if key in keys else value for key, value in result.items()}


def as_sacrebleu(accumulator: Accumulator, result: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result with its score under the key "score"."""
    return {"score" if key == accumulator.metric.name else key: value for key, value in result.items()}


def as_number(accumulator: Accumulator, result: Mapping[str, Any]) -> Any:
    """Return the main score alone, or all of a result to which something was added."""
    scores = accumulator.metric.scores
    return result[scores.headline] if {*result} <= {*scores.keys, *scores.unscaled} else dict(result)


def as_sacrebleu_bleu(accumulator: Accumulator, result: Mapping[str, Any]) -> dict[str, Any]:
    """Return BLEU with counts and totals of every order, as sacreBLEU's module does."""
    counts, options = accumulator.metric.layout.plain(accumulator.total(), told=True), accumulator.options
    matches, totals = counts["matches"], counts["totals"]
    if options.smoothing == "add-k" and any(matches):
        # sacreBLEU's counts above unigrams include the added value.
        value = options.smooth_value or 0.0
        matches[1:], totals[1:] = ([n + value for n in side[1:]] for side in (matches, totals))
    shown = as_sacrebleu(accumulator, result)
    precisions, penalty = shown.pop("precisions"), shown.pop("brevity_penalty")
    sys_len, ref_len, _ = (shown.pop(key) for key in ("translation_length", "reference_length", "length_ratio"))
    return {
        **shown, "counts": matches, "totals": totals, "precisions": precisions,
        # An empty prediction is not shorter than an empty reference.
        "bp": penalty if sys_len < ref_len else 1.0,
        "sys_len": sys_len, "ref_len": ref_len,
    }  # fmt: skip


def only(name: str, value: Any, given: Mapping[str, Any], allowed: str) -> None:
    """Refuse any other value of an option that another tool has."""
    if given.get(name, value) != value:
        fail(ValueError, name, allowed, shown(given[name]))
