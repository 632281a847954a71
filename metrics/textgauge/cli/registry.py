"""The metrics of the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import click
from rich.console import RenderableType

from ..checks import fail
from ..columns import Corpus
from ..measures.bleu import Bleu
from ..measures.rouge import Rouge
from ..measures.token_f1 import TokenF1
from . import tables
from .options import SEED, spelled

Result = dict[str, Any]


class Accumulator(Protocol):
    """What `measures` has: statistics that grow by batches."""

    @property
    def statistics(self) -> Any:
        """One row per segment."""

    def update(self, predictions: Any, references: Any) -> Any:
        """Add segments."""

    def update_corpus(self, corpus: Corpus) -> Any:
        """Add segments that are in Arrow already."""


@dataclass(frozen=True)
class Metric:
    """What the command line knows of a metric.

    Attributes
    ----------
    name : str
        As it is given to --metric.
    accumulator : callable
        Makes an empty accumulator from keywords.
    keyword_of : mapping
        The keyword of `accumulator` for every flag that moves a score.
    reports : sequence of str
        The flags that say what is reported.
    result : callable (accumulator, flags) -> dict
        The plain result. Scores of segments are lists under keys that start with "segment_".
    table : callable (result, accumulator, numbers) -> renderable
    brief : sequence of str
        The keys that --brief prints; empty for all but those of segments.
    unscaled : set of str
        The keys that --scale leaves as they are.
    """

    name: str
    accumulator: Callable[..., Accumulator]
    keyword_of: Mapping[str, str]
    reports: Sequence[str]
    result: Callable[[Any, Mapping[str, Any]], Result]
    table: Callable[[Result, Any, tables.Numbers], RenderableType]
    brief: Sequence[str] = ()
    unscaled: frozenset[str] = field(default_factory=frozenset)

    @property
    def flags(self) -> set[str]:
        """Every flag that the metric takes."""
        return {*self.keyword_of, *self.reports}

    def start(self, flags: Mapping[str, Any]) -> Accumulator:
        """Make an accumulator, its options checked."""
        keywords = {keyword: flags[name] for name, keyword in self.keyword_of.items() if name in flags}
        try:
            return self.accumulator(**keywords)
        except (TypeError, ValueError) as error:
            raise click.UsageError(f"{self.name}: {error}") from error

    def scaled(self, result: Result, scale: float) -> Result:
        """Multiply the scores."""
        return {key: value if key in self.unscaled else _times(value, scale) for key, value in result.items()}


def _times(value: Any, scale: float) -> Any:
    if isinstance(value, dict):
        return {key: _times(part, scale) for key, part in value.items()}
    return [_times(part, scale) for part in value] if isinstance(value, list) else value * scale


def _plain_result(accumulator: Bleu | TokenF1, flags: Mapping[str, Any]) -> Result:
    return accumulator.score(per_segment="per_segment" in flags)


def _rouge_result(rouge: Rouge, flags: Mapping[str, Any]) -> Result:
    detailed = "detailed" in flags
    aggregator, seed = flags.get("aggregator"), flags.get("seed", SEED)
    result = rouge.score(aggregator=aggregator, seed=seed, detailed=detailed)
    if "per_segment" in flags:
        segments = rouge.score(use_aggregator=False, detailed=detailed)
        result |= {f"segment_{name}": scores for name, scores in segments.items()}
    return result


METRICS = {
    metric.name: metric
    for metric in (
        Metric(
            name="bleu",
            accumulator=Bleu,
            keyword_of={name: name for name in ("tokenizer", "max_order", "smooth", "reference_length")},
            reports=("per_segment",),
            result=_plain_result,
            table=tables.bleu_table,
            brief=("bleu",),
            unscaled=frozenset(("brevity_penalty", "length_ratio", "translation_length", "reference_length")),
        ),
        Metric(
            name="rouge",
            accumulator=Rouge,
            keyword_of={
                "tokenizer": "tokenizer",
                "rouge_type": "rouge_types",
                "stem": "use_stemmer",
                **{
                    name: name
                    for name in (
                        "beta",
                        "alpha",
                        "weight",
                        "split_summaries",
                        "multi_reference",
                        "jackknife",
                        "stopwords",
                        "exceptions",
                        "max_words",
                        "max_bytes",
                        "preset",
                    )
                },
            },
            reports=("aggregator", "seed", "detailed", "per_segment"),
            result=_rouge_result,
            table=tables.rouge_table,
        ),
        Metric(
            name="token_f1",
            accumulator=TokenF1,
            keyword_of={name: name for name in ("tokenizer", "normalizer", "counting")},
            reports=("per_segment",),
            result=_plain_result,
            table=tables.token_f1_table,
            brief=("f1",),
        ),
    )
}


def check_flags(metrics: Sequence[Metric], flags: Mapping[str, Any]) -> None:
    """Refuse flags that would change nothing."""
    names = " and ".join(metric.name for metric in metrics)
    for name in flags:
        if not any(name in metric.flags for metric in metrics):
            owners = " and ".join(metric.name for metric in METRICS.values() if name in metric.flags)
            fail(click.UsageError, spelled(name), f"an option of {names}", f"one of {owners}")
    if "seed" in flags and flags.get("aggregator") != "bootstrap":
        fail(click.UsageError, "--seed", "--aggregator bootstrap beside it", "nothing that draws at random")
    if "stem" in flags and "tokenizer" in flags:
        fail(click.UsageError, "--stem", "the default tokenizer of ROUGE", f"--tokenizer {flags['tokenizer']}")
    if "exceptions" in flags and "stem" not in flags:
        fail(click.UsageError, "--exceptions", "--stem beside it", "nothing that stems")
