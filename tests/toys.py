"""Two small metrics that are no part of the package, to go through every face; a tokenizer of a few words."""

from dataclasses import dataclass

import numpy as np
from textgauge.accumulation.accumulator import Accumulator
from textgauge.explanation.alignment import aligned_with_best, matched, pairs_of
from textgauge.explanation.explainer import EXPLAINERS, Explainer
from textgauge.explanation.marks import Marks
from textgauge.metric import About, Explanation, Field, Layout, Metric, Score, Scores
from textgauge.options import Options, option
from textgauge.text import TOKENIZERS
from textgauge.text.tokenizers import text_lengths


class CommonTokens(Explainer):
    def marks(self, key):
        return common_tokens(self.metric, key)


def common_tokens(metric, key):
    def align(corpus):
        return aligned_with_best(corpus, metric, key, matched(pairs_of(corpus), metric.tokenizer, 1))

    return Marks.of_tokens("in both texts", align)


@dataclass(frozen=True)
class MissOptions(Options):
    """A word is what white space separates."""

    weight: float = option(1.0, "What a missing word costs.", at_least=0, at_most=10)
    squared: bool = option(False, "Square the share of missing words.")


class MissMetric(Metric):
    """The share of words that the prediction lacks, pooled over the corpus: lower is better."""

    name = "miss"
    options_type = MissOptions
    about = About(
        "Missing words",
        lambda _: Explanation("Missing words", "How many words are missing?", ("Words are counted.",), "Only words."),
    )
    scores = Scores(Score("miss", higher_is_better=False, perfect=0.0, largest=10.0))

    layout = Layout([Field("missing"), Field("words")], references="union")
    tokenizer = TOKENIZERS["whitespace"]

    def rows(self, corpus, notes):
        hypotheses, references = text_lengths(self.tokenizer.cut(corpus))
        longest = np.maximum.reduceat(references, corpus.reference_offsets[:-1])
        return self.layout.filled(len(corpus), missing=np.maximum(longest - hypotheses, 0), words=longest)

    def formula(self, rows):
        share = self.options.weight * rows["missing"] / np.maximum(rows["words"], 1)
        return {"miss": share**2 if self.options.squared else share}


class Miss(Accumulator, metric=MissMetric):
    """An accumulator of missing words.

    Parameters
    ----------
    {options}
    """


@dataclass(frozen=True)
class DriftOptions(Options):
    """A character is a code point."""

    base: float = option(2.0, "The base of the logarithm.", at_least=1, at_most=10, is_open=True)


class DriftMetric(Metric):
    """Minus the logarithm of how many times longer the longer text is, averaged over segments: at most 0."""

    name = "drift"
    options_type = DriftOptions
    about = About(
        "Length drift",
        lambda _: Explanation("Length drift", "How far apart are the lengths?", ("Logarithms.",), "Only lengths."),
    )
    combine = "mean"
    scores = Scores(
        Score("level", "drift", perfect=0.0, largest=0.0), Score("half", perfect=0.0, largest=0.0), scale=10.0
    )

    layout = Layout([Field("level", is_whole=False)])
    tokenizer = TOKENIZERS["character"]

    def rows(self, corpus, notes):
        hypotheses, references = text_lengths(self.tokenizer.cut(corpus))
        hypotheses = np.repeat(hypotheses, np.diff(corpus.reference_offsets))
        apart = np.abs(np.log((1 + hypotheses) / (1 + references)))
        return self.layout.filled(len(references), level=-apart / np.log(self.options.base))

    def formula(self, rows):
        return {"level": rows["level"], "half": rows["level"] / 2}


class Drift(Accumulator, metric=DriftMetric):
    """An accumulator of drifts.

    Parameters
    ----------
    {options}
    """


EXPLAINERS.update(dict.fromkeys((MissMetric, DriftMetric), CommonTokens))
TOYS = {toy.metric_type.name: toy for toy in (Miss, Drift)}


class Words:
    """A tokenizer as far as scoring asks it: ids from the first one on are words."""

    pad_token_id = 0

    def __init__(self, *words, first=1):
        self.words, self.first = words, first

    def decode(self, row, skip_special_tokens):
        assert skip_special_tokens
        return " ".join(self.words[i - self.first] for i in row if i >= self.first)
