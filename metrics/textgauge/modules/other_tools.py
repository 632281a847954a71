"""Results in the form of other tools: scores from 0 to 100 under the keys that modules on the Hub have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..checks import CountWarning, say
from ..measures.bleu import Bleu
from ..plain import Texts

# As many lines that end in " ." make sacreBLEU warn.
_SUSPICIOUS = 100


def as_sacrebleu(result: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a result with its score under the key "score", and all that is in its unit times 100."""
    scaled = (name, f"segment_{name}", "confidence_interval")
    return {
        "score" if key == name else key: _percent(value) if key in scaled else value for key, value in result.items()
    }


def as_sacrebleu_bleu(measured: Bleu, result: Mapping[str, Any]) -> dict[str, Any]:
    """Return BLEU with counts and totals of every order, as sacreBLEU's module does."""
    total, options = measured.total().tolist(), measured.options
    order, counted = options.max_order, options.counted_orders
    counts, totals = total[:order], total[counted : counted + order]
    if options.smoothing == "add-k" and any(counts):
        # sacreBLEU reports what it has added, above unigrams.
        value = options.smooth_value or 0.0
        counts[1:], totals[1:] = ([n + value for n in side[1:]] for side in (counts, totals))
    own = {"precisions", "brevity_penalty", "length_ratio", "translation_length", "reference_length"}
    more = {key: value for key, value in result.items() if key not in own and not key.removeprefix("bleu").isdigit()}
    orders = {key: _percent(value) for key, value in result.items() if key.removeprefix("bleu").isdigit()}
    lengths = result["translation_length"], result["reference_length"]
    return {
        **as_sacrebleu(more, "bleu"), **orders, "counts": counts, "totals": totals,
        "precisions": _percent(result["precisions"]),
        # Nothing against nothing is not too short.
        "bp": result["brevity_penalty"] if lengths[0] < lengths[1] else 1.0,
        "sys_len": lengths[0], "ref_len": lengths[1],
    }  # fmt: skip


def as_squad(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return exact match and F1 from 0 to 100, as the SQuAD script prints them, without precision and recall."""
    kept = {key: value for key, value in result.items() if key.removeprefix("segment_") not in ("precision", "recall")}
    return {key: _times_100(value) for key, value in kept.items()}


def _times_100(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _times_100(part) for key, part in value.items() if key not in ("precision", "recall")}
    return value if isinstance(value, str) else _percent(value)


def warn_of_tokens(texts: Texts) -> None:
    """Warn if many texts end in a period that stands by itself, as sacreBLEU does."""
    count = sum(text.endswith(" .") for text in texts.tolist())
    if count >= _SUSPICIOUS:
        about = (
            "predictions end in ' .', so they seem to be tokenized, which changes BLEU: detokenize them, or pass "
            "force=True if they are not."
        )
        say(CountWarning(count, about))


def _percent(value: Any) -> Any:
    return [100 * part for part in value] if isinstance(value, list) else 100 * value
