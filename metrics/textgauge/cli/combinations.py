"""Flags that cannot stand together, said before any file is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from ..checks import fail
from ..scores.bleu_options import BleuOptions
from .files import STDIN
from .options import spelled
from .registry import METRICS, Metric
from .squad import SQUAD
from .surprise import check_model


def check_flags(metrics: Sequence[Metric], flags: Mapping[str, Any]) -> None:
    """Refuse flags that would change nothing."""
    names = " and ".join(metric.name for metric in metrics)
    for name in flags:
        if not any(name in metric.flags for metric in metrics):
            owners = " and ".join(metric.name for metric in METRICS.values() if name in metric.flags)
            fail(click.UsageError, spelled(name), f"an option of {names}", f"one of {owners}")
    nothing = "nothing that draws at random"
    if "seed" in flags and flags.get("aggregator") != "bootstrap" and "confidence" not in flags:
        fail(click.UsageError, "--seed", "--confidence or --aggregator bootstrap beside it", nothing)
    if "n_resamples" in flags and "confidence" not in flags:
        fail(click.UsageError, "--n-resamples", "--confidence beside it", nothing)
    unpaired = METRICS["perplexity"]
    if unpaired in metrics:
        others = [metric.flags for metric in metrics if metric is not unpaired]
        check_model(flags, others_take=set().union(*others))
    if "weights" in flags:
        n_weights, max_order = len(flags["weights"]), flags.get("max_order", BleuOptions.max_order)
        if n_weights != max_order:
            allowed = f"{max_order} weights, one per order, or --max-order {n_weights} beside it"
            fail(click.UsageError, "--weights", allowed, str(n_weights))
    if "stem" in flags and "tokenizer" in flags:
        fail(click.UsageError, "--stem", "the default tokenizer of ROUGE", f"--tokenizer {flags['tokenizer']}")
    if "exceptions" in flags and "stem" not in flags:
        fail(click.UsageError, "--exceptions", "--stem beside it", "nothing that stems")
    presets = [preset for metric in metrics for preset in metric.presets]
    if "preset" in flags and flags["preset"] not in presets:
        fail(click.UsageError, "--preset", f"one of {names} ({', '.join(presets)})", flags["preset"])


def check_form(
    metrics: Sequence[Metric], flags: Mapping[str, Any], *, as_json: bool, brief: bool, scale: float
) -> None:
    """Refuse a scale that nothing has, and what lines of numbers have no place for."""
    if scale != 1 and not any(metric.is_share for metric in metrics):
        fail(click.UsageError, "--scale", "a metric with a perfect score", metrics[0].name)
    if not brief:
        return
    for allowed, is_broken in {
        "another form of output than --json": as_json,
        "no --signature, which is no number": "signature" in flags,
        "no --confidence together with --per-segment": {"confidence", "per_segment"} <= {*flags},
    }.items():
        if is_broken:
            fail(click.UsageError, "--brief", allowed, "both")


def check_files(metrics: Sequence[Metric], flags: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    """Refuse standard input twice, and a format that not all metrics can have."""
    if options["kind"] == SQUAD and not all(metric.is_paired for metric in metrics):
        fail(click.UsageError, "--format", "another one for perplexity, which has no references", SQUAD)
    paths = [options["predictions"], *options["references"]]
    for name in ("prefixes", "ngram_train"):
        if flags.get(name) == STDIN and STDIN in paths:
            fail(click.UsageError, spelled(name), "standard input once", "'-' twice")
        paths.append(flags.get(name))
