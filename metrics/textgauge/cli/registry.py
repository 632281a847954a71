"""The metrics of the command line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from rich.console import RenderableType

from ..columns import Corpus
from ..measures.bleu import Bleu
from ..measures.presets import PRESETS
from ..measures.rouge import Rouge
from ..measures.token_f1 import TokenF1
from ..scores.rouge_options import SCRIPT
from . import tables
from .refusals import refusals
from .surprise import OF_A_MODEL, TextPerplexity

Result = dict[str, Any]
_REPORTS = ("per_segment", "signature", "confidence", "n_resamples", "seed")


class Accumulator(Protocol):
    """What `measures` has: statistics that grow by batches."""

    @property
    def statistics(self) -> Any:
        """One row per segment."""


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
    result : callable (accumulator, reports) -> dict
        The plain result. Scores of segments are lists under keys that start with "segment_".
    table : callable (result, accumulator, numbers) -> renderable
    brief : callable result -> sequence of str
        The keys that --brief prints; an interval that has no key of its own is that of the first.
    files : sequence of str
        The flags that say what else is read.
    is_paired : bool
        Whether it looks at references; if not, it takes texts and prefixes.
    is_share : bool
        Whether it has a perfect score, which --scale multiplies.
    presets : collection of str
        The values of --preset that are tools for this metric.
    unscaled : set of str
        The keys that --scale leaves as they are.
    """

    name: str
    accumulator: Callable[..., Accumulator]
    keyword_of: Mapping[str, str]
    reports: Sequence[str]
    result: Callable[[Any, Mapping[str, Any]], Result]
    table: Callable[[Result, Any, tables.Numbers], RenderableType]
    brief: Callable[[Result], Sequence[str]]
    files: Sequence[str] = ()
    is_paired: bool = True
    is_share: bool = True
    presets: Collection[str] = ()
    unscaled: frozenset[str] = field(default_factory=frozenset)

    @property
    def flags(self) -> set[str]:
        """Every flag that the metric takes."""
        return {*self.keyword_of, *self.reports, *self.files}

    def start(self, flags: Mapping[str, Any]) -> Accumulator:
        """Make an accumulator, its options checked."""
        with refusals(self.name):
            return self.accumulator(**self.keywords(flags))

    def keywords(self, flags: Mapping[str, Any]) -> dict[str, Any]:
        """Return the keywords of the accumulator; a preset only if it is one of this metric."""
        is_ours = {name: name != "preset" or flags[name] in self.presets for name in flags}
        return {keyword: flags[name] for name, keyword in self.keyword_of.items() if is_ours.get(name)}

    def add(self, accumulator: Any, corpus: Corpus, prefixes: Any) -> None:
        """Add segments."""
        with refusals(self.name):
            if self.is_paired:
                accumulator.update_corpus(corpus)
            else:
                accumulator.update_texts(corpus.hypotheses, prefixes)

    def report(self, accumulator: Any, flags: Mapping[str, Any], scale: float) -> Result:
        """Return the result, its scores multiplied."""
        with refusals(self.name):
            given = {name: flags[name] for name in self.reports if name in flags}
            # What changes nothing for this metric does for another one, or `check_flags` had refused it.
            idle = accumulator.idle(**given)
            result = self.result(accumulator, {name: value for name, value in given.items() if name not in idle})
        if not self.is_share:
            return result
        return {key: value if key in self.unscaled else _times(value, scale) for key, value in result.items()}

    def intervals(self, result: Result) -> Mapping[str, Any]:
        """Return the intervals of a result by the key of their score."""
        if "confidence_interval" in result:
            return {self.brief(result)[0]: result["confidence_interval"]}
        return result.get("confidence_intervals", {})


def _times(value: Any, scale: float) -> Any:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return {key: _times(part, scale) for key, part in value.items()}
    return [_times(part, scale) for part in value] if isinstance(value, list) else value * scale


def _plain_result(accumulator: Bleu | TokenF1 | TextPerplexity, reports: Mapping[str, Any]) -> Result:
    return accumulator.score(**reports)


def _rouge_result(rouge: Rouge, reports: Mapping[str, Any]) -> Result:
    of_score = {name: value for name, value in reports.items() if name != "per_segment"}
    result = rouge.score(**of_score)
    if "per_segment" in reports:
        segments = rouge.score(use_aggregator=False, detailed="detailed" in reports)
        result |= {f"segment_{name}": scores for name, scores in segments.items()}
    return result


def _bleu_keys(result: Result) -> list[str]:
    return ["bleu", *(key for key in result if key.removeprefix("bleu").isdigit())]


def _rouge_keys(result: Result) -> list[str]:
    return [key for key in result if key.startswith("rouge")]


METRICS = {
    metric.name: metric
    for metric in (
        Metric(
            name="bleu",
            accumulator=Bleu,
            keyword_of={
                name: name
                for name in (
                    "preset", "tokenizer", "lowercase", "max_order", "smoothing", "smooth_value", "smooth",
                    "effective_order", "weights", "reference_length",
                )
            },
            reports=(*_REPORTS, "all_orders"),
            result=_plain_result,
            table=tables.bleu_table,
            brief=_bleu_keys,
            presets=PRESETS,
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
            reports=(*_REPORTS, "aggregator", "detailed"),
            result=_rouge_result,
            table=tables.rouge_table,
            brief=_rouge_keys,
            presets=(SCRIPT,),
        ),
        Metric(
            name="token_f1",
            accumulator=TokenF1,
            keyword_of={name: name for name in ("tokenizer", "normalizer", "counting")},
            reports=_REPORTS,
            result=_plain_result,
            table=tables.token_f1_table,
            brief=lambda _: ["f1"],
        ),
        Metric(
            name="perplexity",
            accumulator=TextPerplexity,
            keyword_of={
                "model": "model_id",
                "ngram_train": "training_texts",
                "order": "order",
                "tokenizer": "tokenizer",
                **OF_A_MODEL,
            },
            reports=_REPORTS,
            result=_plain_result,
            table=tables.perplexity_table,
            brief=lambda _: ["corpus_perplexity"],
            files=("prefixes", "prefix_field"),
            is_paired=False,
            is_share=False,
        ),
    )
}  # fmt: skip
