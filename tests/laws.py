"""The metrics that the laws hold for: one entry each, one line to add another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import textgauge


@dataclass(frozen=True)
class Measure:
    """A metric as the laws see it, with the options of its accumulator.

    `sides` reads the pair of figures that change places when hypothesis and reference do,
    None where the metric has none.
    """

    accumulator: Callable[[], Any]
    score: Callable[[Any], Any]
    headline: Callable[[Any], list[float]]
    sides: Callable[[Any], tuple[Any, Any]] | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def of(self, hyps: Any, refs: Any) -> Any:
        return self.score(self.accumulator().update(hyps, refs))


def bleu(**options: Any) -> Measure:
    return Measure(
        lambda: textgauge.Bleu(**options),
        lambda statistics: statistics.score(),
        lambda result: [result["bleu"]],
        lambda result: (result["translation_length"], result["reference_length"]),
        options,
    )


def rouge_sides(result: Any) -> tuple[Any, Any]:
    # The union of rougeLsum is taken per reference sentence: it has no mirror image.
    kinds = [parts for kind, parts in result.items() if kind != "rougeLsum"]
    return [parts["precision"] for parts in kinds], [parts["recall"] for parts in kinds]


def rouge(**options: Any) -> Measure:
    return Measure(
        lambda: textgauge.Rouge(**options),
        lambda statistics: statistics.score(detailed=True),
        lambda result: [parts["fmeasure"] for parts in result.values()],
        rouge_sides,
        options,
    )


def token_f1(**options: Any) -> Measure:
    return Measure(
        lambda: textgauge.TokenF1(**options),
        lambda statistics: statistics.score(),
        lambda result: [result["f1"], result["exact_match"]],
        lambda result: (result["precision"], result["recall"]),
        options,
    )


MEASURES = {
    "bleu": bleu(),
    "bleu-characters": bleu(tokenizer="character", max_order=6, reference_length="closest"),
    "bleu-smooth": bleu(smooth=True, reference_length="average", weights=[0.4, 0.3, 0.2, 0.1]),
    "rouge": rouge(),
    "rouge-stemmed": rouge(use_stemmer=True, rouge_types=["rouge1", "rouge3", "rougeL"]),
    "rouge-unicode": rouge(tokenizer="unicode", split_summaries=True),
    "rouge-skips": rouge(rouge_types=["rougeS", "rougeS2", "rougeSU", "rougeSU4"]),
    "rouge-weighted": rouge(rouge_types=["rougeW", "rougeW-2"], alpha=0.3),
    "rouge-pooled": rouge(multi_reference="pooled", stopwords=["the", "on"], max_words=12),
    "rouge-average": rouge(multi_reference="average", rouge_types=["rouge1", "rougeL", "rougeSU"]),
    # With the weight 2 sums of counts are whole numbers, whatever the order of additions.
    "rouge-jackknife": rouge(jackknife=True, rouge_types=["rouge2", "rougeW-2"], max_bytes=60),
    "token_f1": token_f1(),
    "token_f1-sets": token_f1(counting="set", normalizer="lower", tokenizer="unicode"),
}
